//! What one function does with bits of floats, and with what is computed of them.

use std::collections::{BTreeMap, BTreeSet};

use super::memory::{Memory, Name};
use super::same::Same;
use super::{Differentiated, MARKS, Mark};
use crate::analyses::bit_numbers::is_of_steps;
use crate::analyses::demanded::{Demand, find_demanded};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::offsets::{Extent, Offset, Offsets};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{CastOp, FloatKind, Function, Inst, IntOp, Op, Operand, Program, Type, ValueId};

/// The marked values: each with its mark and the number of its function.
pub type Values = BTreeSet<(Mark, usize, ValueId)>;

/// The bits of the smallest float.
const LEAST_BITS: u32 = 16;

pub struct Body<'a> {
    pub function: &'a Function,
    known: Option<&'a Differentiated>,
    pointers: Pointers,
    offsets: Offsets,
    /// Of each integer the bits that may change what is made of it.
    demanded: BTreeMap<ValueId, Demand>,
    same: Same,
    /// Where members lie that are declared to be integers.
    declared: BTreeSet<(Base, Extent)>,
}

impl<'a> Body<'a> {
    pub fn of(function: &'a Function, program: &Program, known: Option<&'a Differentiated>) -> Body<'a> {
        let takes = |id: &ValueId| function.inst(*id).is_some_and(|inst| !taken(inst).is_empty());
        let takers: Vec<ValueId> = function.inst_ids().filter(takes).collect();
        let (pointers, offsets) = (Pointers::of(function, program), Offsets::of(function));
        let same = Same::of(function, &pointers, &offsets);
        let declared = find_declared(function, &pointers, &offsets);
        let demanded = find_demanded(function, &takers, sources);
        Body { function, known, pointers, offsets, demanded, same, declared }
    }

    /// Whether somebody may want the derivative of what an instruction makes; of a function that is not differentiated, too, since it
    /// was not known that there is one.
    pub fn is_wanted(&self, id: ValueId) -> bool {
        self.known.is_none_or(|known| known.wanted.contains(&id))
    }

    /// Whether a float is made of what is computed.
    pub fn revives(&self, at: usize, id: ValueId, memory: &Memory, values: &Values) -> bool {
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
                let extent = self.offsets.extent(&inst.operands[0], &inst.ty);
                let marked = |name: &Name| memory.is_marked(Mark::Computed, name, extent);
                self.names(at, &inst.operands[0]).iter().any(marked)
            }
            _ => false,
        }
    }

    fn names(&self, at: usize, pointer: &Operand) -> BTreeSet<Name> {
        let bases = self.pointers.of_operand(pointer);
        let all = bases.into_iter().flat_map(|base| self.same.names_of(base));
        let named = all.map(|base| if matches!(base, Base::Global(_)) { (0, base) } else { (at, base) });
        named.filter(|(_, base)| *base != Base::Null).collect()
    }

    /// Whether an integer that is read where a float lies is the bits of one with a derivative. Sign and exponent have none.
    fn may_be_bits(&self, id: ValueId, inst: &Inst, kind: Option<FloatKind>) -> bool {
        let Type::Int(LEAST_BITS..) = inst.ty.scalar() else { return false };
        let asked = self.demanded.get(&id).copied().unwrap_or_default();
        let steps = kind.is_some_and(|kind| is_of_steps(Some(Type::Float(kind)), asked));
        let active = self.known.is_none_or(|known| known.bits.contains(&id));
        asked != 0 && !steps && active
    }

    /// Whether an integer is declared to lie there, wherever that is: then objects of several types are found by one name.
    fn is_declared(&self, names: &BTreeSet<Name>, extent: Extent) -> bool {
        let there = |part: &Extent| part.meets(extent) && part.at.is_as_exact_as(extent.at);
        let mut declared = self.declared.iter();
        declared.any(|(base, part)| there(part) && names.iter().any(|(_, name)| name == base))
    }
}

fn find_declared(function: &Function, pointers: &Pointers, offsets: &Offsets) -> BTreeSet<(Base, Extent)> {
    let accesses = function.insts.iter().filter_map(|inst| match &inst.op {
        Op::Load(access) if access.integer => Some((&inst.operands[0], inst.ty.clone())),
        Op::Store(access) if access.integer => {
            Some((&inst.operands[1], function.operand_type(&inst.operands[0])))
        }
        _ => None,
    });
    let placed = accesses.flat_map(|(pointer, ty)| {
        let extent = offsets.extent(pointer, &ty);
        pointers.of_operand(pointer).into_iter().map(move |base| (base, extent))
    });
    placed.collect()
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
    (memory, values): (&mut Memory, &mut Values),
) {
    let body = &bodies[at];
    let function = body.function;
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
                let (names, extent) = (body.names(at, pointer), body.offsets.extent(pointer, &ty));
                if let Type::Float(_) = ty.scalar() {
                    names.iter().for_each(|name| memory.add_floats(name, extent, &ty));
                } else if let Op::Store(_) = &inst.op {
                    for mark in marks(&inst.operands[0]) {
                        names.iter().for_each(|name| memory.mark(mark, name, extent));
                    }
                } else if let Type::Int(_) = ty.scalar() {
                    let is_marked =
                        |mark: &Mark| names.iter().any(|name| memory.is_marked(*mark, name, extent));
                    let found = MARKS.into_iter().filter(is_marked).collect::<Vec<_>>();
                    values.extend(found.into_iter().map(|mark| (mark, at, id)));
                    if body.may_be_bits(id, inst, float_of(&ty))
                        && names.iter().any(|name| memory.holds_float(name, extent))
                        && !body.is_declared(&names, extent)
                    {
                        values.insert((Mark::Bits, at, id));
                    }
                }
            }
            Op::Cast(CastOp::BitCast) if function.operand_type(&inst.operands[0]).holds_float() => {
                if inst.operands[0].value().is_some() && body.may_be_bits(id, inst, float_of(&inst.ty)) {
                    values.insert((Mark::Bits, at, id));
                }
            }
            Op::Call(_) | Op::Invoke { .. } => {
                let callee = inst.callee_name().and_then(|name| by_name.get(name));
                match (memory_call(inst), callee) {
                    (Some(MemoryCall::Copy), _) => body.copy(at, inst, memory),
                    (Some(_), _) => {}
                    (None, Some(callee)) => {
                        body.call((at, inst), (*callee, &bodies[*callee]), memory);
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
    fn copy(&self, at: usize, copy: &Inst, memory: &mut Memory) {
        let [to, from, ..] = copy.operands.as_slice() else { return };
        let apart = (self.offsets.of_operand(from), self.offsets.of_operand(to));
        for from in self.names(at, from) {
            for to in self.names(at, to) {
                memory.hand_on(&from, &to, apart);
            }
        }
    }

    /// What the callee knows of memory that it is given, its caller knows, and the other way round.
    fn call(&self, (at, call): (usize, &Inst), (callee, body): (usize, &Body), memory: &mut Memory) {
        for (param, argument) in call.arguments().iter().enumerate().take(body.function.params.len()) {
            let (here, start) = (self.offsets.of_operand(argument), Offset::default());
            let there = (callee, Base::Param(ValueId(param as u32)));
            for name in self.names(at, argument) {
                memory.hand_on(&name, &there, (here, start));
                memory.hand_on(&there, &name, (start, here));
            }
        }
    }

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
