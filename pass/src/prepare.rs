//! A private copy of the function to differentiate, brought into one canonical form, whatever the host did.
//!
//! Called functions are inlined into the copy and the copy is simplified by a pipeline of our own, the same at every
//! -O level. The primal itself is untouched.

use std::collections::HashMap;

use backsweep_core::rules::{CalleeRule, Rules};
use llvm_sys::core::{LLVMGetNumClauses, LLVMGetUnwindDest, LLVMIsCleanup};
use llvm_sys::{LLVMLinkage, LLVMOpcode};

use crate::aggregates::take_aggregates_apart;
use crate::canonicalise::canonicalise_calls;
use crate::complex_calls::take_complex_calls_apart;
use crate::fortran_bodies::FortranBodies;
use crate::inactive::Inactive;
use crate::llvm::{Block, Module, Value, c_string, c_text, llvm, shim};
use crate::undefined_lanes::define_lanes;

/// What stands in stack slots becomes values.
const SCALARS: &str = "sroa,early-cse<memssa>";

/// No branch is turned into a select: what stands behind a branch may be singular, and its derivative must not be
/// computed when the branch is not taken.
const PREPARATION: &str = "sccp,simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>,\
    instsimplify,sroa,early-cse<memssa>,adce,\
    simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>";

/// What generated code goes through, so that it is small and fast even where the host does not optimise.
const CLEAN_UP: &str = "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce";

/// Beyond so many inlined calls a function is left with calls, which are then refused by name.
const MOST_INLINED: usize = 20_000;

/// Copies and simplifies; the copy is the caller's to delete.
pub fn prepare(
    module: Module,
    context: *mut shim::Context,
    function: Value,
    rules: &Rules,
    inactive: &Inactive,
) -> Value {
    let name = c_string(&format!("backsweep.primal.{}", function.name()));
    let copy = Value(llvm!(shim::bs_shim_clone_function(function.0, name.as_ptr())));
    let mut bodies = FortranBodies::new(module);
    inline_calls(copy, function, &mut bodies, rules, inactive);
    bodies.drop_unused(context);
    drop_cleanups(copy);
    canonicalise_calls(module, copy, rules);
    take_complex_calls_apart(module, copy, rules);
    run_passes(context, copy, SCALARS);
    take_aggregates_apart(module, copy);
    run_passes(context, copy, PREPARATION);
    define_lanes(module, copy);
    copy
}

/// Invokes that only clean up when something throws become calls: the exception still leaves the derivative, whose
/// frames have nothing of their own to clean. Those that catch stay, and are refused.
fn drop_cleanups(copy: Value) {
    for block in copy.blocks() {
        let Some(last) = block.instructions().last().copied() else { continue };
        if last.opcode() == LLVMOpcode::LLVMInvoke && only_cleans_up(last) {
            llvm!(shim::bs_shim_invoke_to_call(last.0));
        }
    }
}

fn only_cleans_up(invoke: Value) -> bool {
    let unwind = Block(llvm!(LLVMGetUnwindDest(invoke.0)));
    let pad = unwind.instructions().into_iter().find(|inst| inst.opcode() == LLVMOpcode::LLVMLandingPad);
    pad.is_some_and(|pad| llvm!(LLVMIsCleanup(pad.0)) != 0 && llvm!(LLVMGetNumClauses(pad.0)) == 0)
}

pub fn clean_up(context: *mut shim::Context, function: Value) {
    run_passes(context, function, CLEAN_UP);
}

pub fn run_passes(context: *mut shim::Context, function: Value, pipeline: &str) {
    let mut error = std::ptr::null();
    let text = c_string(pipeline);
    if !llvm!(shim::bs_shim_run_passes(context, function.0, text.as_ptr(), &mut error)) {
        // The pipelines are ours; LLVM not knowing one of their passes is a fault of this build.
        panic!("LLVM does not take our pipeline: {}", c_text(error).unwrap_or_default());
    }
}

/// Inlines every call of a function with a body here, unless it would inline a function into itself.
fn inline_calls(
    copy: Value,
    original: Value,
    bodies: &mut FortranBodies,
    rules: &Rules,
    inactive: &Inactive,
) {
    let mut waiting: Vec<Value> = copy
        .blocks()
        .into_iter()
        .flat_map(|block| block.instructions())
        .filter(|inst| inst.is_call())
        .collect();
    // The functions that each inlined call came from, innermost first.
    let mut chains: HashMap<Value, Vec<Value>> = HashMap::new();
    let mut inlined = 0;
    while let Some(call) = waiting.pop() {
        let callee = bodies.find_body(call.callee());
        if callee != call.callee() {
            call.set_callee(callee);
        }
        let chain = chains.get(&call).cloned().unwrap_or_else(|| vec![original]);
        if inlined >= MOST_INLINED || !is_inlinable(callee, rules, inactive) || chain.contains(&callee) {
            continue;
        }
        let mut succeeded = false;
        let inner = shim::gather(|user| {
            succeeded = llvm!(shim::bs_shim_inline_call(call.0, shim::collect_value, user));
        });
        if succeeded {
            inlined += 1;
            let mut longer = chain;
            longer.insert(0, callee);
            for call in inner.into_iter().map(Value) {
                chains.insert(call, longer.clone());
                waiting.push(call);
            }
        }
    }
}

fn is_inlinable(callee: Value, rules: &Rules, inactive: &Inactive) -> bool {
    if callee.as_function().is_none() || callee.is_declaration() || inactive.contains(callee) {
        return false;
    }
    let replaceable =
        matches!(callee.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage);
    // A body that only repeats what a library name means (an `inline sin` of a header) is the body all the same.
    let listed = matches!(rules.lookup_callee(&callee.name()), CalleeRule::Inactive(_));
    !replaceable && !listed
}
