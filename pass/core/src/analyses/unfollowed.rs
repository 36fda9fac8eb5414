//! Accesses of memory through pointers that nobody follows, made of numbers or returned from out of sight: what lies there
//! may be anybody's.
//!
//! Instruction + pointers → whether it is one. Integers that are read or written there are nobody's derivative, nor are those behind a
//! pointer that is found there, as what a stream knows of its own layout; and nobody but its handlers finds an exception.
//! Safe error: it is one (is refused while memory is active).

use std::collections::BTreeSet;

use super::activity::{Activity, Pass};
use super::exceptions::is_of_exception;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{Function, Inst, Op, Operand, Type, ValueId};

pub fn touches_unfollowed(function: &Function, pointers: &Pointers, inst: &Inst) -> bool {
    let counts = |ty: &Type| ty.holds_float() || ty.holds_pointer();
    let touched: &[Operand] = match &inst.op {
        Op::Load(_) if counts(&inst.ty) => &inst.operands[..1],
        Op::Store(_) if counts(&function.operand_type(&inst.operands[0])) => &inst.operands[1..2],
        Op::Call(_) => match memory_call(inst) {
            Some(MemoryCall::Copy) => &inst.operands[..2],
            Some(MemoryCall::Fill) => &inst.operands[..1],
            _ => &[],
        },
        _ => &[],
    };
    let unfollowed = |pointer: &&Operand| pointers.of_operand(pointer).contains(&Base::Unknown);
    let matters = |pointer| !is_of_exception(function, pointer) && !leads_to_integers(function, inst);
    touched.iter().filter(unfollowed).any(matters)
}

/// Whether a pointer that is read is only asked for integers that lie behind it, at whatever distance, or compared.
fn leads_to_integers(function: &Function, read: &Inst) -> bool {
    if !(matches!(read.op, Op::Load(_)) && read.ty.is_pointer()) {
        return false;
    }
    let is_read = |id: &ValueId| function.inst(*id).is_some_and(|inst| std::ptr::eq(inst, read));
    let Some(found) = function.inst_ids().find(is_read) else { return false };
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![found]);
    while let Some(pointer) = waiting.pop().map(Operand::Value) {
        for (id, user) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            if !user.operands.contains(&pointer) {
                continue;
            }
            match &user.op {
                Op::Load(_) if matches!(user.ty, Type::Int(_)) => {}
                Op::ICmp(_) => {}
                Op::Load(_) | Op::Gep(_) | Op::Phi { .. } | Op::Freeze if user.ty.is_pointer() => {
                    if seen.insert(id) {
                        waiting.push(id);
                    }
                }
                _ => return false,
            }
        }
    }
    true
}

/// Whether a call runs code that does so, while there is memory whose derivative it may miss.
pub fn call_touches_unfollowed(pass: &Pass, inst: &Inst, activity: &Activity) -> bool {
    let found = |inst| pass.effect_of(inst).is_some_and(|effect| effect.unfollowed);
    pass.is_followed(inst) && activity.has_memory() && found(inst)
}
