//! A private copy of the function to differentiate, brought into one canonical form, whatever the host did.
//!
//! Called functions are inlined into the copy and the copy is simplified by a pipeline of our own, the same at every
//! -O level. The primal itself is untouched.

use std::collections::HashMap;

use backsweep_core::rules::{CalleeRule, PARTS_PREFIX, Rules};
use llvm_sys::core::{LLVMGetNumClauses, LLVMGetUnwindDest, LLVMIsCleanup};
use llvm_sys::{LLVMLinkage, LLVMOpcode};

use crate::aggregates::take_aggregates_apart;
use crate::canonicalise::canonicalise_calls;
use crate::complex_calls::take_complex_calls_apart;
use crate::fortran_bodies::FortranBodies;
use crate::held::{hold_inactive_loads, release_loads};
use crate::inactive::Inactive;
use crate::llvm::{Block, Module, Value, c_string, c_text, llvm, shim};
use crate::undefined_lanes::define_lanes;

/// The copy of a function, and of each function that it still calls.
pub struct Prepared {
    pub copy: Value,
    /// Functions that could not be inlined (recursion), with their own copies.
    pub callees: Vec<(Value, Value)>,
}

/// What stands in stack slots becomes values.
const SCALARS: &str = "sroa,early-cse<memssa>";

/// No branch is turned into a select: what stands behind a branch may be singular, and its derivative must not be
/// computed when the branch is not taken. What leaves a loop leaves it through a phi of its own: only its last value is
/// needed behind the loop, and need not be saved at every turn. And every loop is entered from a block of its own, where
/// what belongs to a run of the loop is recorded once.
const PREPARATION: &str = "sccp,\
    simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>,\
    instsimplify,sroa,early-cse<memssa>,adce,\
    simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>,\
    loop-simplify,lcssa";

/// What generated code goes through, so that it is small and fast even where the host does not optimise.
const CLEAN_UP: &str = "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce";

/// Beyond so many inlined calls, or so many inlined instructions, calls of all but small functions stay calls.
const MOST_INLINED: usize = 20_000;
const MOST_INSTRUCTIONS: usize = 50_000;
const SMALL: usize = 40;

/// Copies a function, and whatever it calls that is not inlined; the copies are the caller's to delete.
pub fn prepare_all(
    module: Module,
    context: *mut shim::Context,
    function: Value,
    rules: &Rules,
    inactive: &Inactive,
) -> Prepared {
    let copy = prepare(module, context, function, rules, inactive);
    let mut prepared = Prepared { copy, callees: Vec::new() };
    let mut waiting = vec![copy];
    while let Some(caller) = waiting.pop() {
        let insts = caller.blocks().into_iter().flat_map(|block| block.instructions());
        for callee in insts.filter(|inst| inst.is_call()).map(|call| call.callee()).collect::<Vec<_>>() {
            let known = prepared.callees.iter().any(|(original, _)| *original == callee);
            if known || !is_inlinable(callee, rules, inactive) {
                continue;
            }
            if callee == function {
                prepared.callees.push((callee, copy));
                continue;
            }
            let copy = prepare(module, context, callee, rules, inactive);
            prepared.callees.push((callee, copy));
            waiting.push(copy);
        }
    }
    prepared
}

impl Prepared {
    /// Every copy once.
    pub fn copies(&self) -> Vec<Value> {
        let others = self.callees.iter().map(|(_, copy)| *copy).filter(|copy| *copy != self.copy);
        std::iter::once(self.copy).chain(others).collect()
    }

    pub fn delete(&self, context: *mut shim::Context) {
        self.copies().into_iter().for_each(|copy| copy.delete_function(context));
    }
}

/// Copies and simplifies; the copy is the caller's to delete.
fn prepare(
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
    hold_inactive_loads(module, copy);
    resolve_pointers(module, context, copy, function, &mut bodies, rules, inactive);
    bodies.drop_unused(context);
    drop_cleanups(copy);
    canonicalise_calls(module, copy, rules);
    take_complex_calls_apart(module, copy, rules);
    run_passes(context, copy, SCALARS);
    take_aggregates_apart(module, copy);
    run_passes(context, copy, PREPARATION);
    release_loads(module, copy);
    llvm!(shim::bs_shim_hoist_integers(copy.0));
    define_lanes(module, copy);
    copy
}

/// Calls through pointers: what the optimiser can tell is told first, what is left becomes a choice among the functions
/// of the module whose address is taken. Inlining a target may bring calls through pointers of its own.
fn resolve_pointers(
    module: Module,
    context: *mut shim::Context,
    copy: Value,
    function: Value,
    bodies: &mut FortranBodies,
    rules: &Rules,
    inactive: &Inactive,
) {
    for round in 0..=INLINED_POINTERS {
        if !llvm!(shim::bs_shim_has_indirect_call(copy.0)) {
            return;
        }
        run_passes(context, copy, "sroa,early-cse<memssa>,instsimplify,adce");
        let known = !llvm!(shim::bs_shim_has_indirect_call(copy.0));
        let user = std::ptr::from_ref(rules).cast_mut().cast();
        let promoted = !known && llvm!(shim::bs_shim_promote_calls(copy.0, is_known_target, user));
        if !known && !promoted {
            return;
        }
        // Further down targets stay calls, so that pointers that lead to each other come to an end.
        if round < INLINED_POINTERS {
            inline_calls(copy, function, bodies, rules, inactive);
            hold_inactive_loads(module, copy);
        }
    }
}

/// Whether the derivative of a function is known or can be made: others end the program if a pointer leads there.
extern "C" fn is_known_target(
    rules: *mut std::ffi::c_void,
    function: llvm_sys::prelude::LLVMValueRef,
) -> bool {
    // SAFETY: the caller passes its own reference through, and waits for the answer.
    let rules = unsafe { &*rules.cast::<Rules>() };
    let function = Value(function);
    !function.is_declaration() || !matches!(rules.lookup_callee(&function.name()), CalleeRule::Unknown)
}

/// How often the targets of pointers are inlined that only the inlining of another target brought to light.
const INLINED_POINTERS: usize = 2;

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
    let (mut inlined, mut instructions) = (0, 0);
    let mut sizes: HashMap<Value, usize> = HashMap::new();
    while let Some(call) = waiting.pop() {
        let callee = bodies.find_body(call.callee());
        if callee != call.callee() {
            call.set_callee(callee);
        }
        let chain = chains.get(&call).cloned().unwrap_or_else(|| vec![original]);
        if inlined >= MOST_INLINED || !is_inlinable(callee, rules, inactive) || chain.contains(&callee) {
            continue;
        }
        let size = *sizes.entry(callee).or_insert_with(|| size_of(callee));
        if size > SMALL && instructions + size > MOST_INSTRUCTIONS {
            continue;
        }
        let mut succeeded = false;
        let inner = shim::gather(|user| {
            succeeded = llvm!(shim::bs_shim_inline_call(call.0, shim::collect_value, user));
        });
        if succeeded {
            inlined += 1;
            instructions += size;
            let mut longer = chain;
            longer.insert(0, callee);
            for call in inner.into_iter().map(Value) {
                chains.insert(call, longer.clone());
                waiting.push(call);
            }
        }
    }
}

fn size_of(function: Value) -> usize {
    function.blocks().into_iter().map(|block| block.instructions().len()).sum()
}

fn is_inlinable(callee: Value, rules: &Rules, inactive: &Inactive) -> bool {
    if callee.as_function().is_none() || callee.is_declaration() || inactive.contains(callee) {
        return false;
    }
    let replaceable =
        matches!(callee.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage);
    // A body that only repeats what a library name means (an `inline sin` of a header) is the body all the same.
    let listed = matches!(rules.lookup_callee(&callee.name()), CalleeRule::Inactive(_));
    // A bridge to a library function is known by the function's rule.
    let bridge = callee.name().starts_with(PARTS_PREFIX);
    !replaceable && !listed && !bridge
}
