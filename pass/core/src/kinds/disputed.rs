//! Floats that are moved between places where others keep pointers: optimisers name what they move by one member of a union,
//! and a pointer that is moved as a float comes without its shadow.
//!
//! Function + touches → the stores of such floats. A place counts where a pointer is read or written at the very same offsets,
//! counted from the same start, so an array of floats beside pointers in one struct is none.
//! Safe error: disputed (is refused).

use std::collections::BTreeSet;

use super::relayed::Relayed;
use super::touches::{Kind, Touches};
use crate::analyses::offsets::Extent;
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Inst, Layout, Op, Operand, Program, Stride, Type, ValueId};

pub fn find_disputed(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let moved = find_moved(function);
    // Where nobody keeps a pointer in memory none is moved; most numerical code is like that.
    if moved.is_empty() || !keeps_pointers(program) {
        return BTreeSet::new();
    }
    let (layout, pointers) = (Layout::parse(&program.layout), Pointers::of(function, program));
    let touches = Touches::of(function, program, &pointers, &layout);
    let relayed = if touches.has_others() { Relayed::of(program, &layout) } else { Relayed::default() };
    let places = PointerPlaces { function, touches: &touches, relayed: &relayed };
    let disputed = moved.into_iter().filter(|(store, loads)| {
        let Some(Inst { operands, .. }) = function.inst(*store) else { return false };
        let read = |load: &ValueId| {
            function.inst(*load).is_some_and(|load| places.meet(&load.operands[0], &load.ty))
        };
        places.meet(&operands[1], &function.operand_type(&operands[0])) && loads.iter().any(read)
    });
    disputed.map(|(store, _)| store).collect()
}

/// Where pointers are read and written, here and by others.
struct PointerPlaces<'a> {
    function: &'a Function,
    touches: &'a Touches<'a>,
    relayed: &'a Relayed,
}

impl PointerPlaces<'_> {
    fn meet(&self, pointer: &Operand, ty: &Type) -> bool {
        let extent = self.touches.offsets.extent(pointer, ty);
        let places = self.touches.places_of(pointer);
        let same = |other: Extent| other.at == extent.at && other.meets(extent);
        let mut heard = self.relayed.to(&self.function.name).filter(|(place, _)| places.contains(*place));
        let mut here = self.function.insts.iter().filter_map(|inst| pointer_access(self.function, inst));
        heard
            .any(|(_, touches)| touches.iter().any(|touch| touch.kind == Kind::Pointer && same(touch.extent)))
            || here.any(|other| {
                let starts = [pointer, other].map(|x| find_start(self.function, x));
                let apart = matches!(starts, [Some(one), Some(another)] if one != another);
                !apart
                    && same(self.touches.offsets.extent(other, &Type::PTR))
                    && !self.touches.places_of(other).is_disjoint(&places)
            })
    }
}

fn keeps_pointers(program: &Program) -> bool {
    let accesses = |function: &Function| function.insts.iter().any(|x| pointer_access(function, x).is_some());
    program.functions.iter().any(accesses)
}

/// Through what a pointer, or several, are read or written.
fn pointer_access<'a>(function: &Function, inst: &'a Inst) -> Option<&'a Operand> {
    let (pointer, ty) = match inst.op {
        Op::Load(_) => (&inst.operands[0], inst.ty.clone()),
        Op::Store(_) => (&inst.operands[1], function.operand_type(&inst.operands[0])),
        _ => return None,
    };
    ty.holds_pointer().then_some(pointer)
}

/// How many bytes from the start of its allocation an array lies that an address is in, as far as steps of a known length tell:
/// those of a loop's counter are none. `None` where it is one of several addresses.
fn find_start(function: &Function, pointer: &Operand) -> Option<i128> {
    let Some(inst) = pointer.value().and_then(|id| function.inst(id)) else { return Some(0) };
    let gep = match &inst.op {
        Op::Gep(gep) => gep,
        Op::Phi { .. } | Op::Select | Op::Freeze | Op::Cast(_) => return None,
        _ => return Some(0),
    };
    let mut start = find_start(function, &inst.operands[0])?;
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        let known = if let Operand::Const(constant) = index { constant.as_signed() } else { None };
        start += match (stride, known) {
            (Stride::Field(bytes), _) => i128::from(*bytes),
            (Stride::Scale(bytes), Some(index)) => index * i128::from(*bytes),
            (Stride::Scale(_), None) => 0,
            (Stride::Unknown, _) => return None,
        };
    }
    Some(start)
}

/// The stores of floats that were read elsewhere, with the loads that read them.
fn find_moved(function: &Function) -> Vec<(ValueId, Vec<ValueId>)> {
    let stores = function.inst_ids().filter_map(|id| {
        let store = function.inst(id).filter(|inst| matches!(inst.op, Op::Store(_)))?;
        let loads = find_loads(function, &store.operands[0]);
        (!loads.is_empty()).then_some((id, loads))
    });
    stores.collect()
}

/// The loads that a float comes from unchanged.
fn find_loads(function: &Function, value: &Operand) -> Vec<ValueId> {
    let (mut loads, mut waiting, mut seen) = (Vec::new(), vec![value], BTreeSet::new());
    while let Some(value) = waiting.pop() {
        if !function.operand_type(value).holds_float() {
            continue;
        }
        let Some(id) = value.value().filter(|id| seen.insert(*id)) else { continue };
        let Some(inst) = function.inst(id) else { continue };
        match inst.op {
            Op::Load(_) => loads.push(id),
            Op::Phi { .. } | Op::Select | Op::Freeze | Op::ShuffleVector { .. } => {
                waiting.extend(&inst.operands)
            }
            Op::InsertElement | Op::ExtractElement | Op::InsertValue { .. } | Op::ExtractValue { .. } => {
                waiting.extend(&inst.operands);
            }
            _ => {}
        }
    }
    loads
}
