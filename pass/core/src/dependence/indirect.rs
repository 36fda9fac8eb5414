//! Does a subscript go through memory, as in `a[b[i]]`?
//!
//! Such a subscript is an opaque value that differs with the iteration; nothing is concluded from it, because nothing
//! in the model proves that `b` is a permutation or strictly monotone. The reason names the array, and with it the
//! inspector that would settle the loop at run time: run over the indices once and see whether any repeats.

use super::access::{Access, name_operand};
use super::nesting::Nesting;
use crate::model::{Op, Operand, ValueId};

/// How deep the operands of an address are searched for a load.
const DEEPEST: usize = 12;

/// The reason why a pair with this access is unknown, where its address is computed from a value loaded in its loops.
pub fn describe_indirection(nesting: &Nesting, access: &Access) -> Option<String> {
    let loaded = find_load(nesting, access, access.pointer.as_ref()?, DEEPEST)?;
    let array = nesting.function.inst(loaded)?.operands.first()?;
    let name = name_operand(nesting.function, &root(nesting, array, DEEPEST));
    Some(format!("subscript loaded from {name}; an inspector could check that its values differ"))
}

/// An integer load inside the access's loops that an address computation uses.
fn find_load(nesting: &Nesting, access: &Access, operand: &Operand, fuel: usize) -> Option<ValueId> {
    let id = operand.value()?;
    let inst = nesting.function.inst(id)?;
    let moves = nesting
        .home(id)
        .and_then(|home| nesting.innermost(home))
        .is_some_and(|of| access.loops.contains(&of));
    match &inst.op {
        Op::Load(_) if moves && !inst.ty.is_pointer() => Some(id),
        Op::Gep(_) | Op::Int(_) | Op::Cast(_) if fuel > 0 => {
            inst.operands.iter().find_map(|operand| find_load(nesting, access, operand, fuel - 1))
        }
        _ => None,
    }
}

fn root(nesting: &Nesting, operand: &Operand, fuel: usize) -> Operand {
    let inst = operand.value().and_then(|id| nesting.function.inst(id));
    match inst {
        Some(inst) if fuel > 0 && matches!(inst.op, Op::Gep(_)) => root(nesting, &inst.operands[0], fuel - 1),
        _ => operand.clone(),
    }
}
