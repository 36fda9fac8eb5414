//! What one function does with bits of floats, and with what is computed of them.

use std::collections::{BTreeMap, BTreeSet};

use super::memory::{Memory, Spot};
use super::objects::{Name, Objects, Place};
use super::{Differentiated, MARKS, Mark};
use crate::analyses::bit_numbers::is_of_steps;
use crate::analyses::demanded::{Demand, find_demanded};
use crate::analyses::memory_calls::memory_call;
use crate::analyses::offsets::{Extent, Offsets};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{CastOp, FloatKind, Function, Inst, IntOp, Op, Operand, Program, Type, ValueId};

/// The marked values: each with its mark and the number of its function.
pub type Values = BTreeSet<(Mark, usize, ValueId)>;

/// The bits of the smallest float.
const LEAST_BITS: u32 = 16;

pub struct Body<'a> {
    pub function: &'a Function,
    known: Option<&'a Differentiated>,
    pub pointers: Pointers,
    offsets: Offsets,
    /// Of each integer the bits that may change what is made of it.
    demanded: BTreeMap<ValueId, Demand>,
}

impl<'a> Body<'a> {
    pub fn of(function: &'a Function, program: &Program, known: Option<&'a Differentiated>) -> Body<'a> {
        let takes = |id: &ValueId| function.inst(*id).is_some_and(|inst| !taken(inst).is_empty());
        let takers: Vec<ValueId> = function.inst_ids().filter(takes).collect();
        let (pointers, offsets) = (Pointers::of(function, program), Offsets::of(function));
        let demanded = find_demanded(function, &takers, sources);
        Body { function, known, pointers, offsets, demanded }
    }

    /// Whether somebody may want the derivative of what an instruction makes; of a function that is not differentiated, too, since it
    /// was not known that there is one.
    pub fn is_wanted(&self, id: ValueId) -> bool {
        self.known.is_none_or(|known| known.wanted.contains(&id))
    }

    /// Whether a float is made of what is computed.
    pub fn revives(
        &self,
        at: usize,
        id: ValueId,
        (objects, memory): (&Objects, &Memory),
        values: &Values,
    ) -> bool {
        let Some(inst) = self.function.inst(id) else { return false };
        let made_of = |mark: Mark| {
            let of = inst.operands[0].value();
            of.is_some_and(|of| values.contains(&(mark, at, of)))
        };
        match inst.op {
            Op::Cast(CastOp::BitCast) if inst.ty.holds_float() => {
                made_of(Mark::Computed) || made_of(Mark::Perhaps)
            }
            Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => made_of(Mark::Computed),
            Op::Load(_) if inst.ty.holds_float() => {
                let spots = self.spots(at, (&inst.operands[0], &inst.ty), objects);
                spots.iter().any(|spot| memory.is_marked(Mark::Computed, spot))
            }
            _ => false,
        }
    }

    fn names(&self, at: usize, pointer: &Operand) -> Vec<Name> {
        let bases = self.pointers.of_operand(pointer).into_iter().filter(|base| *base != Base::Null);
        bases.map(|base| if matches!(base, Base::Global(_)) { (0, base) } else { (at, base) }).collect()
    }

    /// What an access touches.
    fn spots(&self, at: usize, (pointer, ty): (&Operand, &Type), objects: &Objects) -> BTreeSet<Spot> {
        let Extent { at: offset, bytes } = self.offsets.extent(pointer, ty);
        let places = self.names(at, pointer).into_iter().filter_map(|name| objects.known(&name));
        let spots = places
            .map(|(object, start)| Spot { object, extent: Extent { at: offset.moved_by(start), bytes } });
        spots.collect()
    }

    /// Where a pointer leads.
    pub fn places(&self, at: usize, pointer: &Operand, objects: &mut Objects) -> Vec<Place> {
        let offset = self.offsets.of_operand(pointer);
        let places = self.names(at, pointer).into_iter().map(|name| objects.named(&name));
        places.map(|(object, start)| (object, offset.moved_by(start))).collect()
    }

    /// Whether an integer is the bits of a float as far as is asked of it. Sign and exponent have no derivative.
    fn may_be_bits(&self, id: ValueId, inst: &Inst, kind: Option<FloatKind>) -> bool {
        let Type::Int(LEAST_BITS..) = inst.ty.scalar() else { return false };
        let asked = self.demanded.get(&id).copied().unwrap_or_default();
        let steps = kind.is_some_and(|kind| is_of_steps(Some(Type::Float(kind)), asked));
        asked != 0 && !steps
    }

    /// The bits of a float that is made here, if it may have a derivative.
    fn may_be_varied(&self, id: ValueId) -> bool {
        self.known.is_none_or(|known| known.bits.contains(&id))
    }

    /// The objects in which active values may lie, as far as this function knows.
    pub fn active(&self, at: usize, objects: &Objects) -> BTreeSet<usize> {
        let insts = self.function.inst_ids().filter_map(|id| Some((id, self.function.inst(id)?)));
        let accesses = insts.filter_map(|(id, inst)| match &inst.op {
            Op::Load(_) => Some((id, &inst.operands[0])),
            Op::Store(_) => Some((id, &inst.operands[1])),
            _ => None,
        });
        let may_be = |id: &ValueId| self.known.is_none_or(|known| known.touching.contains(id));
        let names = accesses.filter(|(id, _)| may_be(id)).flat_map(|(_, pointer)| self.names(at, pointer));
        names.filter_map(|name| objects.known(&name)).map(|(object, _)| object).collect()
    }

    /// Where members lie that are declared to be integers.
    fn declared(&self, at: usize, objects: &Objects) -> BTreeSet<Spot> {
        let accesses = self.function.insts.iter().filter_map(|inst| match &inst.op {
            Op::Load(access) if access.integer => Some((&inst.operands[0], inst.ty.clone())),
            Op::Store(access) if access.integer => {
                Some((&inst.operands[1], self.function.operand_type(&inst.operands[0])))
            }
            _ => None,
        });
        accesses.flat_map(|(pointer, ty)| self.spots(at, (pointer, &ty), objects)).collect()
    }
}

/// Whether an integer is declared to lie there, wherever that is: then objects of several types are found by one name.
fn is_declared(declared: &BTreeSet<Spot>, spot: &Spot) -> bool {
    let there = |part: &Extent| part.meets(spot.extent) && part.at.is_as_exact_as(spot.extent.at);
    declared.iter().any(|other| other.object == spot.object && there(&other.extent))
}

/// The float of which an integer of that type takes all bits.
fn float_of(ty: &Type) -> Option<FloatKind> {
    match ty {
        Type::Int(32) => Some(FloatKind::Single),
        Type::Int(64) => Some(FloatKind::Double),
        _ => None,
    }
}

/// One round over all that the function does.
pub fn advance(
    (bodies, by_name): (&[Body], &BTreeMap<&str, usize>),
    at: usize,
    (objects, memory, values): (&Objects, &mut Memory, &mut Values),
) {
    let body = &bodies[at];
    let function = body.function;
    let declared = body.declared(at, objects);
    for id in function.inst_ids() {
        let Some(inst) = function.inst(id) else { continue };
        let marks = |x: &Operand| {
            let of = x.value();
            let has = |mark: &Mark| of.is_some_and(|of| values.contains(&(*mark, at, of)));
            MARKS.into_iter().filter(has).collect::<BTreeSet<Mark>>()
        };
        match &inst.op {
            // What is declared to be an integer is one, in an object of another type than those with floats there.
            Op::Load(access) | Op::Store(access) if access.integer => {}
            Op::Load(_) | Op::Store(_) => {
                let (pointer, ty) = match &inst.op {
                    Op::Store(_) => (&inst.operands[1], function.operand_type(&inst.operands[0])),
                    _ => (&inst.operands[0], inst.ty.clone()),
                };
                let spots = body.spots(at, (pointer, &ty), objects);
                if let Type::Float(_) = ty.scalar() {
                    spots.iter().for_each(|spot| memory.add_floats(spot, &ty));
                } else if let Op::Store(_) = &inst.op {
                    for mark in marks(&inst.operands[0]) {
                        spots.iter().for_each(|spot| memory.mark(mark, *spot));
                    }
                } else if let Type::Int(_) = ty.scalar() {
                    let is_marked = |mark: &Mark| spots.iter().any(|spot| memory.is_marked(*mark, spot));
                    let found = MARKS.into_iter().filter(is_marked).collect::<Vec<_>>();
                    values.extend(found.into_iter().map(|mark| (mark, at, id)));
                    if body.may_be_bits(id, inst, float_of(&ty))
                        && spots.iter().any(|spot| memory.holds_active_float(spot))
                        && !spots.iter().any(|spot| is_declared(&declared, spot))
                    {
                        values.insert((Mark::Bits, at, id));
                    }
                }
            }
            Op::Cast(CastOp::BitCast) if function.operand_type(&inst.operands[0]).holds_float() => {
                if inst.operands[0].value().is_some()
                    && body.may_be_varied(id)
                    && body.may_be_bits(id, inst, float_of(&inst.ty))
                {
                    values.insert((Mark::Bits, at, id));
                }
            }
            Op::Call(_) | Op::Invoke { .. } => {
                let callee = inst.callee_name().and_then(|name| by_name.get(name));
                match (memory_call(inst), callee) {
                    (Some(_), _) => {}
                    (None, Some(callee)) => {
                        let given = inst.arguments().iter().enumerate();
                        let given: Vec<_> =
                            given.map(|(param, x)| (ValueId(param as u32), marks(x))).collect();
                        let returned = bodies[*callee].returned(*callee, values);
                        for (param, marks) in given {
                            values.extend(marks.into_iter().map(|mark| (mark, *callee, param)));
                        }
                        values.extend(returned.into_iter().map(|mark| (mark, at, id)));
                    }
                    (None, None) => {
                        let computed =
                            inst.operands.iter().flat_map(marks).map(|mark| computed_by(inst, mark));
                        let computed: Vec<_> = computed.flatten().collect();
                        values.extend(computed.into_iter().map(|mark| (mark, at, id)));
                    }
                }
            }
            _ => {
                let passed = passed(inst).iter().flat_map(marks).filter_map(|mark| computed_by(inst, mark));
                let passed: Vec<_> = passed.collect();
                values.extend(passed.into_iter().map(|mark| (mark, at, id)));
            }
        }
    }
}

impl Body<'_> {
    fn returned(&self, at: usize, values: &Values) -> BTreeSet<Mark> {
        let returns = self.function.insts.iter().filter(|inst| inst.op == Op::Ret);
        let of = returns.flat_map(|ret| &ret.operands).filter_map(Operand::value);
        let marks = of.flat_map(|of| MARKS.into_iter().filter(move |mark| values.contains(&(*mark, at, of))));
        marks.collect()
    }
}

/// What an integer is made of, in this function.
fn passed(inst: &Inst) -> &[Operand] {
    let integer = matches!(inst.ty.scalar(), Type::Int(_)) || matches!(inst.ty, Type::Struct { .. });
    match &inst.op {
        _ if !integer => &[],
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast) => &inst.operands,
        Op::Int(_) | Op::Phi { .. } | Op::Freeze | Op::ShuffleVector { .. } => &inst.operands,
        Op::ExtractValue { .. } => &inst.operands,
        Op::ExtractElement => &inst.operands[..1],
        Op::InsertElement | Op::InsertValue { .. } => &inst.operands[..2],
        Op::Select => &inst.operands[1..],
        _ => &[],
    }
}

/// What is made of a marked integer. Bits that are only moved or masked are bits still, of which somebody else takes care.
fn computed_by(inst: &Inst, mark: Mark) -> Option<Mark> {
    // Who adds nothing says that it is an integer, as is done with what Fortran's declarations say of descriptors.
    let is_nothing = |x: &Operand| matches!(x, Operand::Const(constant) if constant.as_signed() == Some(0));
    let arithmetic = match &inst.op {
        Op::Int(IntOp::Add) if inst.operands.iter().any(is_nothing) => false,
        Op::Int(op) => {
            matches!(op, IntOp::Add | IntOp::Sub | IntOp::Mul)
                || matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem)
        }
        Op::Call(_) | Op::Invoke { .. } => {
            let known = inst.callee_name().is_some_and(|name| name.starts_with("llvm."));
            if !known || inst.counts_leading() {
                return None;
            }
            !inst.picks_integer()
        }
        _ => false,
    };
    Some(if arithmetic { mark.max(Mark::Computed) } else { mark })
}

/// What takes an integer out of the function, or makes a float of it.
fn taken(inst: &Inst) -> &[Operand] {
    match &inst.op {
        Op::Store(_) | Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => &inst.operands[..1],
        Op::Ret => &inst.operands,
        Op::Cast(CastOp::BitCast) if inst.ty.holds_float() => &inst.operands[..1],
        // How many zeros come first is the same in a whole neighbourhood, as an exponent is.
        Op::Call(_) if inst.counts_leading() => &[],
        Op::Call(_) | Op::Invoke { .. } => inst.arguments(),
        _ => &[],
    }
}

fn sources(inst: &Inst) -> &[Operand] {
    match taken(inst) {
        [] => passed(inst),
        taken => taken,
    }
}

/// Whether a function does what may make the bits of a float something else.
pub fn makes_bits(function: &Function) -> bool {
    let computes = |inst: &Inst| matches!(inst.op, Op::Int(_)) || inst.op.call().is_some();
    let reads = |inst: &Inst| match (&inst.op, inst.ty.scalar()) {
        (Op::Load(access), Type::Int(LEAST_BITS..)) => !access.integer,
        (Op::Cast(CastOp::BitCast), Type::Int(LEAST_BITS..)) => {
            function.operand_type(&inst.operands[0]).holds_float()
        }
        _ => false,
    };
    function.insts.iter().any(reads) && function.insts.iter().any(computes)
}
