//! What it takes to compute a value again instead of storing it.
//!
//! In the unit in which storing is priced: a quarter of a byte that goes on the tape and comes back, about a sixteenth of a
//! nanosecond. What the forward sweep computes for the reverse sweep alone costs nothing more there, as long as the
//! reverse of one block reads it; the reverse of every further block computes it once more.
//! Safe error: any (costs time or tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::flow::blocks_of_values;
use crate::analyses::memory::effects::is_silent;
use crate::model::{BlockId, FloatOp, Function, Inst, IntOp, Op, Type, ValueId};
use crate::rules::is_quick;

use super::EXIT;
use super::restored::Consumers;

/// The price of a byte that is stored.
pub const BYTE: u64 = 4;

/// Beyond so many blocks it does not matter how many.
const MOST_BLOCKS: usize = 4;

/// Functions of integers, and of floats to integers, that compilers make of choices and conversions: the nearer of two places at an
/// edge, a place in a table.
const OF_INTEGERS: [&str; 14] = [
    "llvm.abs.",
    "llvm.smax.",
    "llvm.smin.",
    "llvm.umax.",
    "llvm.umin.",
    "llvm.scmp.",
    "llvm.ucmp.",
    "llvm.sadd.sat.",
    "llvm.ssub.sat.",
    "llvm.uadd.sat.",
    "llvm.usub.sat.",
    "llvm.ctpop.",
    "llvm.fptosi.sat.",
    "llvm.fptoui.sat.",
];

/// Whether a call computes one integer from its operands, and nothing else.
pub fn is_integer_function(inst: &Inst) -> bool {
    let known = |name: &str| OF_INTEGERS.iter().any(|prefix| name.starts_with(prefix));
    matches!(inst.ty, Type::Int(_)) && inst.callee_name().is_some_and(known)
}

/// The time of one instruction. `row` is the rule of a function of numbers.
pub fn effort_of(inst: &Inst, row: Option<&str>) -> u64 {
    match (&inst.op, row) {
        (Op::Int(IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem), _) => 4,
        (Op::Int(_) | Op::Attach(_) | Op::Cast(_) | Op::Gep(_) | Op::ICmp(_) | Op::Phi { .. }, _) => 0,
        (Op::Call(_), None) if is_integer_function(inst) => 0,
        (Op::Float(FloatOp::Div), _) => 20,
        (Op::Call(_), Some(row)) => effort_of_function(row),
        // They tell the compiler something, and no code comes of them.
        (Op::Call(_), None) if is_silent(inst) => 0,
        (Op::Call(_), None) => CALL,
        _ => 1,
    }
}

/// The time of a function of numbers, by the name of its rule.
pub fn effort_of_function(row: &str) -> u64 {
    match row {
        "sqrt" => 24,
        _ if is_quick(row) => 1,
        _ => CALL,
    }
}

/// A function that is called, and of which no vector is made.
pub const CALL: u64 = 80;

/// The blocks in whose reverse each value would be computed, if all were that are not needed as they are; the way between
/// two blocks counts as one more, [`EXIT`].
pub fn find_computations(
    function: &Function,
    consumers: &Consumers,
    in_order: &[ValueId],
    operands: &dyn Fn(ValueId) -> Vec<ValueId>,
) -> BTreeMap<ValueId, BTreeSet<BlockId>> {
    let mut blocks = find_readers(function, consumers);
    // Users before what they use.
    for value in in_order.iter().rev() {
        let readers = blocks.get(value).cloned().unwrap_or_default();
        for operand in operands(*value) {
            let known = blocks.entry(operand).or_default();
            known.extend(readers.iter().take(MOST_BLOCKS.saturating_sub(known.len())));
        }
    }
    blocks
}

fn find_readers(function: &Function, consumers: &Consumers) -> BTreeMap<ValueId, BTreeSet<BlockId>> {
    let home = blocks_of_values(function);
    let mut readers: BTreeMap<ValueId, BTreeSet<BlockId>> = BTreeMap::new();
    let in_insts = consumers.at.iter().filter_map(|(at, values)| Some((*home.get(at)?, values)));
    let between = consumers.before.values().chain([&consumers.at_end]).map(|values| (EXIT, values));
    for (block, values) in in_insts.chain(between) {
        for value in values {
            readers.entry(*value).or_default().insert(block);
        }
    }
    readers
}
