//! Which calls may be left by an exception, and where control goes then.
//!
//! In the model an exception is ordinary control flow: behind a call that is guarded stands the question whether it threw,
//! and a branch on the answer. A call without that question leaves the function with it.
//!
//! A rule of the user's is called in the place of a function, and what that function promises binds nobody but itself: where a
//! rule may throw, so may the derivative of whatever calls it.
//! Safe error: may throw (costs a mark of the tape, never truth).

use std::collections::BTreeSet;

use super::flow::Flow;
use crate::model::{BlockId, CustomRule, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::{CalleeRule, Rules};

/// The question whether the guarded call before it threw.
const THREW: &str = "backsweep.threw";
/// The exception, and the number of the handler it is for.
const CAUGHT: &str = "backsweep.caught";
/// Goes on with an exception to the caller.
const RESUME: &str = "backsweep.resume";
/// The mark of a call that a question stands behind.
pub const GUARDED: &str = "backsweep-guarded";

/// Library calls that throw where there is no memory left; the others of theirs return null.
const THROWING_ALLOCATORS: [&str; 4] = ["_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"];

/// Whether an exception may leave the derivative of the function.
pub fn may_be_left(function: &Function, program: &Program, rules: &Rules) -> bool {
    let thrown_by_rules = program.rules.iter().any(|rule| rule_may_throw(program, rule));
    let promised = promises_not_to(&function.attributes) && !thrown_by_rules;
    !promised && function.insts.iter().any(|inst| may_throw(inst, program, rules, thrown_by_rules))
}

fn rule_may_throw(program: &Program, rule: &CustomRule) -> bool {
    let promised = |name| program.function(name).is_some_and(|f| promises_not_to(&f.attributes));
    !rule.derivatives().all(promised)
}

fn promises_not_to(attributes: &[String]) -> bool {
    attributes.iter().any(|text| text == "nounwind")
}

fn may_throw(inst: &Inst, program: &Program, rules: &Rules, thrown_by_rules: bool) -> bool {
    let Some(call) = inst.op.call() else { return false };
    let Some(name) = inst.callee_name() else { return true };
    let callee = program.function(name);
    if thrown_by_rules && program.is_followed(name) {
        return true;
    }
    if promises_not_to(&call.attributes) || callee.is_some_and(|callee| promises_not_to(&callee.attributes)) {
        return name == RESUME;
    }
    if callee.is_some_and(|callee| !callee.is_declaration()) || THROWING_ALLOCATORS.contains(&name) {
        return true;
    }
    // Neither mathematics nor Fortran's runtime know exceptions.
    let mathematics = matches!(
        rules.lookup_callee(program.known_name(name)),
        CalleeRule::Row(_) | CalleeRule::Reduction(_)
    );
    let silent = ["llvm.", "_FortranA"].iter().any(|start| name.starts_with(start));
    !(mathematics || silent || super::memory_calls::memory_call(inst).is_some())
}

/// Whether a name is one of the words for exceptions, and no function that is called.
pub fn is_marker(name: &str) -> bool {
    [THREW, CAUGHT, RESUME].contains(&name)
}

pub fn is_guarded(inst: &Inst) -> bool {
    let attributes = inst.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
    attributes.iter().any(|text| text.trim_matches('"') == GUARDED)
}

/// Whether the function may still return after the call in this block has thrown.
pub fn returns_after_throw(function: &Function, flow: &Flow, block: BlockId, call: ValueId) -> bool {
    let insts = &function.block(block).insts;
    let behind = insts.iter().skip_while(|id| **id != call).skip(1);
    let asks = |id: &&ValueId| function.inst(**id).is_some_and(|inst| inst.callee_name() == Some(THREW));
    let Some(question) = behind.clone().find(asks) else { return false };
    let last = insts.last().and_then(|id| function.inst(*id));
    let caught = match last {
        Some(Inst { op: Op::CondBr { yes, .. }, operands, .. }) if operands[0].value() == Some(*question) => {
            *yes
        }
        // The answer is read elsewhere, or always the same.
        _ => block,
    };
    let reached: BTreeSet<BlockId> = flow.reach(caught, &[]);
    reached.iter().any(|block| {
        let end = function.terminator(*block).and_then(|id| function.inst(id));
        end.is_some_and(|inst| inst.op == Op::Ret)
    })
}

/// Whether a pointer leads into an exception that is about to be thrown.
pub fn is_of_exception(function: &Function, pointer: &Operand) -> bool {
    let Some(inst) = pointer.value().and_then(|id| function.inst(id)) else { return false };
    match &inst.op {
        Op::Gep(_) => is_of_exception(function, &inst.operands[0]),
        _ => inst.callee_name() == Some("__cxa_allocate_exception"),
    }
}
