//! Shadows of globals: made and filled in where the derivative begins, done with where it ends.
//!
//! The shadow of a constant address is itself the same everywhere, so that of each is computed once, at the start.

use std::collections::{BTreeMap, HashMap};

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, allocate, load, store};
use super::elements::{drop_elements, make_elements};
use super::exceptions::free_on_exception;
use super::lasting::list_shadow;
use super::memory::clear;
use super::signature::slot_operand;
use super::tape::{call_runtime, field};
use super::zeroed::make_zeroed;
use crate::analyses::globals::Globals;
use crate::model::{Alloca, CastOp, Constant, Gep, IntOp, IntPredicate, Op, Operand, Stride, Type};
use crate::plan::{GlobalShadow, LeadsTo, PointerIn, Slot};
use crate::request::Mode;

#[derive(Clone, Default)]
pub struct GlobalShadows {
    /// Where the shadow of each global begins, by direction.
    starts: BTreeMap<(String, u32), Operand>,
    /// In split mode the cells through which these travel.
    pub travelling: BTreeMap<(String, u32), Operand>,
    /// What was made on entry for the arrays that globals lead to, by direction.
    pub elements: Vec<Operand>,
    places: ConstantShadows,
}

/// The shadows of the constant addresses that the function names, by direction.
pub type ConstantShadows = HashMap<(Constant, u32), Operand>;

impl GlobalShadows {
    pub fn of(&self, address: &Constant, lane: u32) -> Option<&Operand> {
        self.places.get(&(address.clone(), lane))
    }

    pub fn of_constants(&self) -> &ConstantShadows {
        &self.places
    }

    pub fn start(&self, global: &str, lane: u32) -> Option<&Operand> {
        self.starts.get(&(global.to_owned(), lane))
    }
}

/// The stack slots that shadows need: to lie in, or in split mode to travel through from one half to the other.
pub fn reserve_globals(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    let split = matches!(source.plan.request.mode, Mode::Augmented | Mode::Reverse);
    for (global, shadow) in made_shadows(source) {
        for lane in 0..source.plan.width() {
            let key = (global.clone(), lane);
            match shadow {
                GlobalShadow::Slot { bytes } => {
                    cells.globals.starts.insert(key, make_slot(builder, *bytes));
                }
                _ if split => {
                    cells.globals.travelling.insert(key, allocate(builder, Type::PTR));
                }
                _ => {}
            }
        }
    }
}

/// Makes the shadows, or finds those that the first half of split mode made, at the builder's place.
pub fn start_globals(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    for (global, decision) in &source.plan.globals {
        for lane in 0..source.plan.width() {
            let start = match (&decision.choice, source.plan.request.mode) {
                (GlobalShadow::Declared(name), _) => declared_shadow(source, builder, global, name, lane),
                (GlobalShadow::Itself, _) => address_of(source, builder, global),
                (GlobalShadow::Given, _) => given_shadow(source, builder, global, lane),
                (_, Mode::Reverse) => {
                    let cell = cells.globals.travelling[&(global.clone(), lane)].clone();
                    load(builder, &cell, Type::PTR)
                }
                (GlobalShadow::Slot { bytes }, _) => {
                    let slot = cells.globals.starts[&(global.clone(), lane)].clone();
                    clear(builder, &slot, byte_count(*bytes));
                    slot
                }
                (GlobalShadow::Heap { bytes }, _) => {
                    let one = Operand::Const(Constant::int(64, 1));
                    let made = make_zeroed(builder, one, byte_count(*bytes), false);
                    if source.plan.activity.lasting().reverse_may_not_come {
                        list_shadow(source, builder, cells, made.clone());
                    }
                    free_on_exception(source, builder, &made);
                    made
                }
            };
            if let (Mode::Augmented, Some(cell)) =
                (source.plan.request.mode, cells.globals.travelling.get(&(global.clone(), lane)))
            {
                store(builder, cell, start.clone());
            }
            cells.globals.starts.insert((global.clone(), lane), start);
        }
    }
    place_constants(source, builder, &mut cells.globals);
    if source.plan.request.mode != Mode::Reverse {
        fill_pointers(source, builder, &cells.globals);
        make_elements(source, builder, &mut cells.globals);
    }
}

/// What the primal's pointers lead to on entry, the shadow's lead to the shadow of.
fn fill_pointers(source: &Source, builder: &mut Builder, shadows: &GlobalShadows) {
    for pointer in &source.plan.pointers_in {
        let PointerIn { global, offset, leads_to } = pointer;
        let found = match leads_to {
            LeadsTo::Place { .. } => None,
            LeadsTo::Elements => continue,
            LeadsTo::Lookup => {
                let primal = address_of(source, builder, global);
                let cell = field(builder, &primal, *offset);
                Some(load(builder, &cell, Type::PTR))
            }
        };
        for lane in 0..source.plan.width() {
            let shadow = match (leads_to, &found) {
                (LeadsTo::Place { global, bytes }, _) => {
                    let start = shadows.start(global, lane).cloned();
                    start.map(|start| offset_by(builder, &start, *bytes))
                }
                (LeadsTo::Lookup, Some(found)) => Some(look_up(source, builder, shadows, found, lane)),
                (LeadsTo::Lookup | LeadsTo::Elements, _) => None,
            };
            if let (Some(start), Some(shadow)) = (shadows.start(global, lane).cloned(), shadow) {
                let cell = field(builder, &start, *offset);
                store(builder, &cell, shadow);
            }
        }
    }
}

/// The shadow of a pointer that leads into one of the active globals, or null.
fn look_up(
    source: &Source,
    builder: &mut Builder,
    shadows: &GlobalShadows,
    pointer: &Operand,
    lane: u32,
) -> Operand {
    let mut shadow = Operand::Const(Constant::Null(Type::PTR));
    let address = number_of(builder, pointer);
    for global in source.plan.globals.keys() {
        let (Some(bytes), Some(start)) = (bytes_of(source, global), shadows.start(global, lane).cloned())
        else {
            continue;
        };
        let primal = address_of(source, builder, global);
        let first = number_of(builder, &primal);
        let at = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![address.clone(), first]);
        let inside = Op::ICmp(IntPredicate::Ult);
        let inside = builder.push(inside, Type::BOOL, vec![at.clone(), byte_count(bytes)]);
        let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
        let place = builder.push(gep, Type::PTR, vec![start, at]);
        shadow = builder.push(Op::Select, Type::PTR, vec![inside, place, shadow]);
    }
    shadow
}

/// The shadow of each constant address that an instruction names.
fn place_constants(source: &Source, builder: &mut Builder, shadows: &mut GlobalShadows) {
    let globals = Globals::of(source.program);
    for operand in source.function.insts.iter().flat_map(|inst| &inst.operands) {
        let Operand::Const(constant) = operand else { continue };
        if !constant.ty().is_pointer() || shadows.places.contains_key(&(constant.clone(), 0)) {
            continue;
        }
        let Some((global, bytes)) = globals.resolve(constant) else { continue };
        for lane in 0..source.plan.width() {
            let Some(start) = shadows.start(&global, lane).cloned() else { continue };
            let place = if bytes == 0 { start } else { offset_by(builder, &start, bytes) };
            shadows.places.insert((constant.clone(), lane), place);
        }
    }
}

/// At the end: what was made is given back, unless the reverse half may run again; then it is left at zero, since what
/// it holds is the derivative with respect to what the global held on entry.
pub fn end_globals(source: &Source, builder: &mut Builder, cells: &Cells) {
    drop_elements(builder, &cells.globals);
    for (global, decision) in made_shadows(source) {
        let GlobalShadow::Heap { bytes } = decision else { continue };
        for lane in 0..source.plan.width() {
            let Some(start) = cells.globals.start(global, lane) else { continue };
            if source.plan.request.keep_tape {
                clear(builder, start, byte_count(*bytes));
            } else if !source.plan.activity.lasting().reverse_may_not_come {
                call_runtime(builder, "free", Type::Void, vec![start.clone()]);
            }
        }
    }
}

fn made_shadows<'a>(source: &Source<'a>) -> impl Iterator<Item = (&'a String, &'a GlobalShadow)> + use<'a> {
    let all = source.plan.globals.iter().map(|(global, decision)| (global, &decision.choice));
    all.filter(|(_, choice)| matches!(choice, GlobalShadow::Slot { .. } | GlobalShadow::Heap { .. }))
}

fn make_slot(builder: &mut Builder, bytes: u64) -> Operand {
    // Of a type with the largest alignment that floats have.
    let allocated = Type::Array(bytes.div_ceil(16), Box::new(Type::Int(128)));
    let op = Op::Alloca(Alloca::usual(&allocated, &builder.layout));
    builder.push(op, Type::PTR, vec![Operand::Const(Constant::int(32, 1))])
}

fn given_shadow(source: &Source, builder: &Builder, global: &str, lane: u32) -> Operand {
    let at = source.plan.request.globals.iter().position(|given| given == global);
    let slot = at.and_then(|global| slot_operand(source, builder, Slot::Global { global, lane }));
    slot.unwrap_or(Operand::Const(Constant::Null(Type::PTR)))
}

/// Directions lie one behind the other in a declared shadow.
fn declared_shadow(source: &Source, builder: &mut Builder, global: &str, shadow: &str, lane: u32) -> Operand {
    let start = address_of(source, builder, shadow);
    let bytes = bytes_of(source, global).unwrap_or_default() * u64::from(lane);
    if lane == 0 { start } else { field(builder, &start, bytes) }
}

/// The address of a global; of a thread's own, the current thread's.
pub fn address_of(source: &Source, builder: &mut Builder, global: &str) -> Operand {
    let known = source.program.global(global);
    let space = known.map_or(0, |global| global.space);
    let symbol = Operand::Const(Constant::Symbol { name: global.into(), space });
    if known.is_some_and(|global| global.thread_local) {
        return call_runtime(builder, "llvm.threadlocal.address.p0", Type::PTR, vec![symbol]);
    }
    symbol
}

pub fn bytes_of(source: &Source, global: &str) -> Option<u64> {
    let globals = Globals::of(source.program);
    globals.get(global).and_then(|global| globals.bytes(global))
}

fn number_of(builder: &mut Builder, pointer: &Operand) -> Operand {
    builder.push(Op::Cast(CastOp::PtrToInt), Type::I64, vec![pointer.clone()])
}

fn offset_by(builder: &mut Builder, start: &Operand, bytes: i64) -> Operand {
    let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
    builder.push(gep, Type::PTR, vec![start.clone(), Operand::Const(Constant::int(64, i128::from(bytes)))])
}

pub fn byte_count(bytes: u64) -> Operand {
    Operand::Const(Constant::int(64, i128::from(bytes)))
}
