//! Integers that may be the bits of a float: read from memory, or made from a float, and then stored, returned or
//! turned into a float again.
//!
//! An integer that is only counted, compared or used as an index is no carrier, whatever memory it came from.
//! Safe error: carrier (is refused when active).

use std::collections::BTreeSet;

use super::memory_calls::memory_call;
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Type, ValueId};

/// The integer values of a function whose bits may mean a float to somebody.
pub fn find_carriers(function: &Function) -> BTreeSet<ValueId> {
    let mut carriers = BTreeSet::new();
    let mut waiting: Vec<(ValueId, Meaning)> = Vec::new();
    for (_, inst) in insts(function) {
        waiting.extend(sinks(function, inst));
    }
    let mut seen = BTreeSet::new();
    while let Some((value, meaning)) = waiting.pop() {
        if !seen.insert((value, meaning)) {
            continue;
        }
        carriers.insert(value);
        if let Some(inst) = function.inst(value) {
            let sources =
                inst.operands.iter().filter(|operand| passes_bits(&inst.op, meaning, operand, inst));
            let integers = sources.filter(|operand| is_integer(&function.operand_type(operand)));
            waiting.extend(integers.filter_map(Operand::value).map(|source| (source, meaning)));
        }
    }
    carriers
}

/// What the bits are used for in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Meaning {
    /// They become a float in this function, so arithmetic on them is arithmetic on a float.
    Float,
    /// They are stored or returned as they are; the result of arithmetic is then taken for an integer.
    Copied,
}

fn sinks(function: &Function, inst: &Inst) -> Vec<(ValueId, Meaning)> {
    let integer = |operand: &Operand| is_integer(&function.operand_type(operand));
    let (operand, meaning) = match &inst.op {
        Op::Cast(CastOp::BitCast) if inst.ty.holds_float() => (&inst.operands[0], Meaning::Float),
        Op::Store(_) => (&inst.operands[0], Meaning::Copied),
        Op::Ret if !inst.operands.is_empty() => (&inst.operands[0], Meaning::Copied),
        Op::InsertValue { .. } | Op::InsertElement => (&inst.operands[1], Meaning::Copied),
        // A length is only counted with.
        Op::Call(_) if memory_call(inst).is_some() => return Vec::new(),
        // What code out of sight does with the bits is not known.
        Op::Call(_) | Op::Invoke { .. } | Op::AtomicRmw { .. } | Op::CompareExchange { .. } => {
            let given = inst.operands.iter().filter(|operand| integer(operand)).filter_map(Operand::value);
            return given.map(|value| (value, Meaning::Copied)).collect();
        }
        _ => return Vec::new(),
    };
    operand.value().filter(|_| integer(operand)).map(|value| (value, meaning)).into_iter().collect()
}

fn passes_bits(op: &Op, meaning: Meaning, operand: &Operand, inst: &Inst) -> bool {
    match op {
        Op::Phi { .. } | Op::Freeze | Op::ExtractValue { .. } | Op::ShuffleVector { .. } => true,
        Op::Select => *operand != inst.operands[0],
        Op::ExtractElement | Op::InsertElement => *operand == inst.operands[0],
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast) => true,
        Op::Int(IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr) => true,
        Op::Int(_) => meaning == Meaning::Float,
        _ => false,
    }
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty.scalar(), Type::Int(_))
}

fn insts(function: &Function) -> impl Iterator<Item = (ValueId, &Inst)> {
    function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)))
}
