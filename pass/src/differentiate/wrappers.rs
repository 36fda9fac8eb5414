//! Hooks that are told the function or the marks by others: by whoever calls the wrapper that they stand in, or by a tuple or
//! closure that keeps them. The wrapper is inlined where it is called, and what reads the tuple is inlined beside the hook.
//!
//! Only where nobody else can call the wrapper: a function of this file, or one that every file which calls it has for itself.
//! Safe error: a hook stays where it is, and is refused there.

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMLinkOnceODRLinkage, LLVMPrivateLinkage};
use llvm_sys::LLVMOpcode::{
    LLVMBitCast, LLVMGetElementPtr, LLVMLoad, LLVMPtrToInt, LLVMSExt, LLVMTrunc, LLVMZExt,
};
use llvm_sys::core::*;

use backsweep_core::request::find_hook;

use super::Differentiation;
use crate::llvm::{Value, llvm, shim};
use crate::prepare::run_passes;
use crate::requests::HookSite;

/// A function with more instructions is no accessor or constructor that a mark goes through.
const LARGEST: usize = 200;

/// What is inlined into functions with hooks, at most.
const MOST_OPENED: usize = 5000;

impl Differentiation {
    /// Makes more known of what a hook is told: where its function is called, or by what the calls around it do. The hook
    /// waits again. False where nothing can be done.
    pub(super) fn look_further(&mut self, site: &HookSite, waiting: &mut Vec<HookSite>) -> bool {
        let unknown: Vec<Value> = site.unknown_operands().into_iter().map(origin_of).collect();
        if unknown.iter().any(|origin| origin.is_argument()) && self.move_outward(site, waiting) {
            return true;
        }
        let kept_in_memory = unknown.iter().any(|origin| origin.is_instruction());
        if kept_in_memory && self.open_calls(site, waiting) {
            open_slots(self.context, site.function());
            waiting.insert(0, *site);
            return true;
        }
        false
    }

    /// Puts the hooks of a wrapper where it is called, and the wrapper is gone. False where it stays as it is.
    fn move_outward(&mut self, site: &HookSite, waiting: &mut Vec<HookSite>) -> bool {
        let wrapper = site.function();
        let Some(calls) = calls_of(wrapper) else { return false };
        let mut moved = Vec::new();
        for call in &calls {
            let Some(inner) = inline(*call) else { break };
            moved.extend(inner.into_iter().filter_map(hook_site));
        }
        waiting.splice(0..0, moved);
        if !wrapper.users().is_empty() {
            return false;
        }
        waiting.retain(|other| other.function() != wrapper);
        // Another function may come to lie where this one did.
        self.made.retain(|(function, _), _| *function != wrapper);
        self.told.retain(|(function, _)| *function != wrapper);
        wrapper.delete_function(self.context);
        true
    }

    /// Inlines the small functions that are called beside the hook: what builds and reads tuples and closures. Whether there
    /// were any. Hooks among what came in wait as well.
    fn open_calls(&mut self, site: &HookSite, waiting: &mut Vec<HookSite>) -> bool {
        let function = site.function();
        let calls = function.blocks().into_iter().flat_map(|block| block.instructions());
        // Each call with the functions that it came from.
        let mut calls: Vec<(Value, Vec<Value>)> =
            calls.filter(|inst| inst.is_call()).map(|call| (call, vec![function])).collect();
        let before = self.opened;
        while let Some((call, chain)) = calls.pop() {
            let callee = call.callee();
            if self.opened == MOST_OPENED || chain.contains(&callee) || !is_small(callee) {
                continue;
            }
            let Some(inner) = inline(call) else { continue };
            self.opened += 1;
            waiting.extend(inner.iter().copied().filter_map(hook_site));
            let longer = || chain.iter().copied().chain([callee]).collect();
            calls.extend(inner.into_iter().map(|call| (call, longer())));
        }
        self.opened > before
    }
}

fn hook_site(call: Value) -> Option<HookSite> {
    let hook = call.callee().as_function().and_then(|callee| find_hook(&callee.name()))?;
    Some(HookSite::new(call, hook))
}

/// What goes through variables is seen where it is used, in a function marked `optnone` as well.
pub(super) fn open_slots(context: *mut shim::Context, function: Value) {
    let kind = llvm!(LLVMGetEnumAttributeKindForName(c"optnone".as_ptr(), 7));
    let whole = LLVMAttributeFunctionIndex;
    let untouched = llvm!(LLVMGetEnumAttributeAtIndex(function.0, whole, kind));
    llvm!(LLVMRemoveEnumAttributeAtIndex(function.0, whole, kind));
    run_passes(context, function, "sroa,instsimplify");
    if !untouched.is_null() {
        llvm!(LLVMAddAttributeAtIndex(function.0, whole, untouched));
    }
}

/// The calls that came to stand in the caller.
fn inline(call: Value) -> Option<Vec<Value>> {
    let mut succeeded = false;
    let inner = shim::gather(|user| {
        succeeded = llvm!(shim::bs_shim_inline_call(call.0, true, shim::collect_value, user));
    });
    succeeded.then(|| inner.into_iter().map(Value).collect())
}

/// Whether this is a small function of this file, or of a header.
fn is_small(callee: Value) -> bool {
    let own = matches!(callee.linkage(), LLVMInternalLinkage | LLVMPrivateLinkage | LLVMLinkOnceODRLinkage);
    let size = || callee.blocks().into_iter().map(|block| block.instructions().len()).sum::<usize>();
    callee.as_function().is_some() && !callee.is_declaration() && own && size() <= LARGEST
}

/// Every call of a function that nobody else calls, and that does not call itself. Where all have been inlined already there is none.
fn calls_of(wrapper: Value) -> Option<Vec<Value>> {
    let own = matches!(wrapper.linkage(), LLVMInternalLinkage | LLVMPrivateLinkage | LLVMLinkOnceODRLinkage);
    let calls = wrapper.users();
    let plain = |call: &Value| {
        let passed = || (0..call.argument_count()).any(|index| call.operand(index) == wrapper);
        call.is_call() && call.callee() == wrapper && call.block().function() != wrapper && !passed()
    };
    (own && calls.iter().all(plain)).then_some(calls)
}

/// Where a value comes from, through memory that holds it: a parameter, a variable or a call.
fn origin_of(value: Value) -> Value {
    let mut value = value;
    while value.is_instruction() {
        match value.opcode() {
            LLVMLoad | LLVMGetElementPtr | LLVMBitCast | LLVMPtrToInt | LLVMTrunc | LLVMSExt | LLVMZExt => {
                value = value.operand(0);
            }
            _ => break,
        }
    }
    value
}
