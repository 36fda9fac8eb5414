//! How often a loop runs, where that is known before it begins.
//!
//! A cycle → [`Trips`]: the test at the header compares a counter that goes up or down by one with a bound that does not
//! change. Only steps of one are read: they meet every bound exactly, whatever wraps.

use std::collections::BTreeMap;

use super::cycles::Cycle;
use super::flow::Flow;
use crate::model::{BlockId, Constant, Function, IntOp, IntPredicate, Op, Operand, Type, ValueId};

/// The header is passed `max(distance, 0) + 1` times, where the distance is from `start` to `bound` in the direction of
/// counting, and one more if the bound itself counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trips {
    pub start: Operand,
    pub bound: Operand,
    pub bits: u32,
    pub signed: bool,
    pub upwards: bool,
    pub inclusive: bool,
    /// Counting stops only where the bound is met exactly, so the distance is taken modulo the counter's range.
    pub exact: bool,
}

impl Trips {
    /// How often the header is passed, where both ends are small numbers.
    pub fn passes(&self) -> Option<u64> {
        let small = |x: &Operand| match x {
            Operand::Const(end) => end.as_signed().filter(|end| (0..1 << 31).contains(end)),
            Operand::Value(_) => None,
        };
        let (start, bound) = (small(&self.start)?, small(&self.bound)?);
        let distance = if self.upwards { bound - start } else { start - bound };
        let turns = distance + i128::from(self.inclusive);
        // What counts until it meets the bound goes all the way round where it has passed it.
        (turns >= 0 || !self.exact).then(|| turns.max(0) as u64 + 1)
    }
}

pub fn find_trips(
    function: &Function,
    flow: &Flow,
    home: &BTreeMap<ValueId, BlockId>,
    cycle: &Cycle,
) -> Option<Trips> {
    let inside = |block: &BlockId| cycle.blocks.contains(block);
    let leaves = cycle.blocks.iter().filter(|block| !flow.successors(**block).iter().all(inside));
    // Another way out would make it a bound, and what is never used would be held.
    if !leaves.eq([&cycle.header]) {
        return None;
    }
    let branch = function.inst(function.terminator(cycle.header)?)?;
    let Op::CondBr { yes, no } = branch.op else { return None };
    let stays = (inside(&yes), inside(&no));
    let test = function.inst(branch.operands[0].value()?)?;
    let Op::ICmp(predicate) = test.op else { return None };
    let predicate = match stays {
        (true, false) => predicate,
        (false, true) => predicate.inverse(),
        _ => return None,
    };
    let [left, right] = test.operands.as_slice() else { return None };
    let (counter, bound, predicate) = match counted(function, home, cycle, left) {
        Some(counter) => (counter, right, predicate),
        None => (counted(function, home, cycle, right)?, left, predicate.swapped()),
    };
    if bound.value().is_some_and(|value| home.get(&value).is_some_and(inside)) {
        return None;
    }
    let (start, upwards, bits) = counter;
    let (signed, inclusive, exact, up) = match predicate {
        IntPredicate::Slt => (true, false, false, true),
        IntPredicate::Sle => (true, true, false, true),
        IntPredicate::Ult => (false, false, false, true),
        IntPredicate::Ule => (false, true, false, true),
        IntPredicate::Sgt => (true, false, false, false),
        IntPredicate::Sge => (true, true, false, false),
        IntPredicate::Ugt => (false, false, false, false),
        IntPredicate::Uge => (false, true, false, false),
        IntPredicate::Ne => (false, false, true, upwards),
        IntPredicate::Eq => return None,
    };
    // In 64 bits the distance of what counts to the very end has no room for one more.
    (up == upwards && bits <= 64).then_some(Trips {
        start,
        bound: bound.clone(),
        bits,
        signed,
        upwards,
        inclusive,
        exact,
    })
}

/// Where a counter of the loop starts, whether it goes up, and its width.
fn counted(
    function: &Function,
    home: &BTreeMap<ValueId, BlockId>,
    cycle: &Cycle,
    operand: &Operand,
) -> Option<(Operand, bool, u32)> {
    let id = operand.value()?;
    let inst = function.inst(id)?;
    let (Op::Phi { from }, Type::Int(bits)) = (&inst.op, &inst.ty) else { return None };
    if home.get(&id) != Some(&cycle.header) {
        return None;
    }
    let at = |block: BlockId| from.iter().position(|known| *known == block).map(|at| &inst.operands[at]);
    let next = function.inst(at(cycle.latch)?.value()?)?;
    let (Op::Int(op), [base, Operand::Const(step @ Constant::Int { .. })]) =
        (&next.op, next.operands.as_slice())
    else {
        return None;
    };
    let step = match op {
        IntOp::Add => step.as_signed()?,
        IntOp::Sub => -step.as_signed()?,
        _ => return None,
    };
    (*base == *operand && step.abs() == 1)
        .then(|| Some((at(cycle.entry)?.clone(), step == 1, *bits)))
        .flatten()
}
