//! How does an integer value develop, read off the instructions alone?
//!
//! A value → a [`Scev`] with the flags of the instructions it is made of. LLVM's own expression of an address loses
//! flags (they must hold wherever the expression could stand); here they are read where the value is *used*, and a
//! value that a memory access uses is not poison, so that in this instance no flag was violated.
//! Safe error: an opaque value.

use super::nesting::Nesting;
use crate::model::{
    BlockId, CastOp, Constant, Flags, Inst, IntOp, LoopId, Op, Operand, Scev, Type, ValueId, Wrap,
};

/// Beyond so many instructions one behind the other the value is left opaque.
const DEEPEST: usize = 24;

pub fn evolution_of(nesting: &Nesting, operand: &Operand) -> Scev {
    evolve(nesting, operand, DEEPEST)
}

fn evolve(nesting: &Nesting, operand: &Operand, fuel: usize) -> Scev {
    if let Operand::Const(Constant::Int { bits, .. }) = operand
        && let Operand::Const(constant) = operand
        && let Some(value) = constant.as_signed()
    {
        return Scev::Const { bits: *bits, value };
    }
    let opaque = || Scev::Value(operand.clone());
    let Some(id) = operand.value().filter(|_| fuel > 0) else { return opaque() };
    let Some(inst) = nesting.function.inst(id) else { return opaque() };
    expand(nesting, id, inst, fuel - 1).unwrap_or_else(opaque)
}

fn expand(nesting: &Nesting, id: ValueId, inst: &Inst, fuel: usize) -> Option<Scev> {
    let Type::Int(bits) = inst.ty else { return None };
    let part = |at: usize| evolve(nesting, &inst.operands[at], fuel);
    match &inst.op {
        Op::Int(op) => arithmetic(*op, bits, wrap_of(inst), inst, &part),
        Op::Cast(CastOp::SExt) => Some(Scev::SExt(bits, part(0).into())),
        Op::Cast(CastOp::ZExt) => Some(Scev::ZExt(bits, part(0).into())),
        Op::Cast(CastOp::Trunc) => Some(Scev::Trunc(bits, part(0).into())),
        Op::Phi { from } => induction(nesting, id, inst, from, bits, fuel),
        _ => None,
    }
}

fn wrap_of(inst: &Inst) -> Wrap {
    Wrap { nuw: inst.flags.has(Flags::NUW), nsw: inst.flags.has(Flags::NSW) }
}

fn arithmetic(op: IntOp, bits: u32, wrap: Wrap, inst: &Inst, part: &dyn Fn(usize) -> Scev) -> Option<Scev> {
    let constant = |at: usize| match &inst.operands[at] {
        Operand::Const(constant) => constant.as_signed(),
        Operand::Value(_) => None,
    };
    let exact = Wrap { nuw: true, nsw: true };
    match op {
        IntOp::Add => Some(Scev::Add(wrap, vec![part(0), part(1)])),
        IntOp::Mul => Some(Scev::Mul(wrap, vec![part(0), part(1)])),
        IntOp::Or if inst.flags.has(Flags::DISJOINT) => Some(Scev::Add(exact, vec![part(0), part(1)])),
        IntOp::Sub => {
            // `x - c` is `x + (-c)` without signed wrap, unless -c itself does not exist.
            let lowest = bits <= 127 && constant(1) == Some(-(1i128 << (bits - 1)));
            let known = constant(1).is_some() && !lowest;
            let negated = match constant(1) {
                Some(value) if known => Scev::Const { bits, value: value.checked_neg()? },
                _ => Scev::Mul(Wrap::default(), vec![Scev::Const { bits, value: -1 }, part(1)]),
            };
            Some(Scev::Add(Wrap { nuw: false, nsw: wrap.nsw && known }, vec![part(0), negated]))
        }
        IntOp::Shl => {
            let shift = u32::try_from(constant(1)?).ok().filter(|shift| *shift < bits.min(100) - 1)?;
            Some(Scev::Mul(wrap, vec![part(0), Scev::Const { bits, value: 1 << shift }]))
        }
        IntOp::UDiv if constant(1)? > 0 => Some(Scev::UDiv(part(0).into(), part(1).into())),
        IntOp::LShr => {
            let shift = u32::try_from(constant(1)?).ok().filter(|shift| *shift < bits.min(100) - 1)?;
            Some(Scev::UDiv(part(0).into(), Scev::Const { bits, value: 1 << shift }.into()))
        }
        IntOp::And => {
            let ones = constant(1)?.checked_add(1)?;
            let kept = (ones > 1 && ones.count_ones() == 1).then(|| ones.trailing_zeros())?;
            (kept < bits).then(|| Scev::ZExt(bits, Scev::Trunc(kept, part(0).into()).into()))
        }
        _ => None,
    }
}

/// A phi of a loop header that grows by the same amount each time.
fn induction(
    nesting: &Nesting,
    id: ValueId,
    inst: &Inst,
    from: &[BlockId],
    bits: u32,
    fuel: usize,
) -> Option<Scev> {
    let (of, entry, next) = header_phi(nesting, id, inst, from)?;
    let step_inst = nesting.function.inst(next.value()?)?;
    if matches!(step_inst.op, Op::Phi { .. }) && nesting.home(next.value()?) == nesting.home(id) && fuel > 0 {
        return trailing(nesting, entry, next, fuel);
    }
    let myself = Operand::Value(id);
    let place = step_inst.operands.iter().position(|operand| *operand == myself)?;
    let start = Box::new(evolve(nesting, entry, fuel));
    let other = step_inst.operands.get(1 - place.min(1))?;
    if !nesting.is_invariant(other, of) {
        return None;
    }
    let wrap = wrap_of(step_inst);
    match step_inst.op {
        Op::Int(IntOp::Add) => Some(Scev::Rec { wrap, start, step: evolve(nesting, other, fuel).into(), of }),
        Op::Int(IntOp::Sub) if place == 0 => {
            let Operand::Const(constant) = other else { return None };
            let value = constant.as_signed()?.checked_neg()?;
            let fits = bits <= 127 && value < 1i128 << (bits - 1);
            let wrap = Wrap { nuw: false, nsw: wrap.nsw };
            fits.then(|| Scev::Rec { wrap, start, step: Scev::Const { bits, value }.into(), of })
        }
        _ => None,
    }
}

/// A phi that holds what another one held an iteration before: the same recurrence one step earlier, where the entry
/// value is just that step below the other's start.
fn trailing(nesting: &Nesting, entry: &Operand, next: &Operand, fuel: usize) -> Option<Scev> {
    let Scev::Rec { wrap, start, step, of } = evolve(nesting, next, fuel - 1) else { return None };
    let entry = evolve(nesting, entry, fuel - 1);
    let Scev::Add(first, parts) = *start else { return None };
    if parts != [entry.clone(), (*step).clone()] {
        return None;
    }
    let wrap = Wrap { nuw: wrap.nuw && first.nuw, nsw: wrap.nsw && first.nsw };
    Some(Scev::Rec { wrap, start: entry.into(), step, of })
}

/// The loop, the value on entry and the value from the only latch.
pub fn header_phi<'a>(
    nesting: &Nesting,
    id: ValueId,
    inst: &'a Inst,
    from: &[BlockId],
) -> Option<(LoopId, &'a Operand, &'a Operand)> {
    let home = nesting.home(id)?;
    let of = nesting.innermost(home)?;
    let [first, second] = from else { return None };
    if nesting.function.loops[of.0 as usize].header != home {
        return None;
    }
    match (nesting.encloses(of, *first), nesting.encloses(of, *second)) {
        (false, true) => Some((of, &inst.operands[0], &inst.operands[1])),
        (true, false) => Some((of, &inst.operands[1], &inst.operands[0])),
        _ => None,
    }
}
