//! What the derivative code cannot follow, whatever is active.

use crate::analyses::flow::Flow;
use crate::model::{Function, Op};
use crate::refusal::{Code, Refusal};

pub fn refuse_shape(function: &Function, flow: &Flow) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = refuse_variable_arguments(function).into_iter().collect();
    for block in function.block_ids().filter(|block| flow.is_reachable(*block)) {
        let Some(inst) = function.terminator(block).and_then(|id| function.inst(id)) else { continue };
        let what = match &inst.op {
            Op::Invoke { .. } | Op::Resume => {
                "exceptions of another kind than C++ and Rust have on this system"
            }
            Op::IndirectBr { .. } => "a computed goto",
            Op::CallBr { .. } => "assembly that may jump",
            Op::Opaque { reason, .. } => reason.as_str(),
            _ => continue,
        };
        let message = format!("`{}` contains {what}, which is not differentiated yet", function.name);
        refusals.push(Refusal::new(Code::NotSupported, message).at(inst.loc.or(function.loc)));
    }
    refusals
}

/// The derivative function has parameters of its own, so there is no list of arguments that it could read on.
fn refuse_variable_arguments(function: &Function) -> Option<Refusal> {
    let starts = |name: &str| name == "llvm.va_start" || name.starts_with("llvm.va_start.");
    let inst = function.insts.iter().find(|inst| inst.callee_name().is_some_and(starts))?;
    let message =
        format!("`{}` reads a variable number of arguments, which is not differentiated", function.name);
    Some(Refusal::new(Code::NotSupported, message).at(inst.loc.or(function.loc)))
}
