//! The copies that were prepared last, for the next request about the same function: most functions are differentiated in several
//! modes, and preparing takes as long as everything else. What a copy looks like depends on the function, on what it calls, and on how
//! calls are made; on no mode.
//!
//! Invariant: nothing is kept while anything but derivatives is added to the module, so copies that are kept are those that would be
//! made anew. A hook that stands in the function itself, or in what it calls, changes it when it is answered; then nothing is kept.
//! Safe error: nothing.

use std::collections::HashSet;

use llvm_sys::core::{LLVMGetGlobalParent, LLVMSetValueName2};

use crate::llvm::{Value, c_string, llvm, shim};
use crate::prepare::Prepared;
use crate::requests::HookSite;
use crate::strategies::Ways;

use super::reachable_functions;

#[derive(Default)]
pub struct Kept {
    copies: Option<Copies>,
    /// Whether another hook may be about the same function.
    pub awaited: bool,
}

struct Copies {
    function: Value,
    ways: Ways,
    /// The function and all that it may call.
    reached: HashSet<Value>,
    prepared: Prepared,
}

impl Kept {
    /// The copies of this function with calls made in these ways, if they are there; others are deleted.
    pub fn take(&mut self, context: *mut shim::Context, function: Value, ways: &Ways) -> Option<Prepared> {
        match self.copies.take() {
            Some(kept) if kept.function == function && kept.ways == *ways => {
                let module = llvm!(LLVMGetGlobalParent(kept.prepared.copy.0));
                llvm!(shim::bs_shim_forget_analyses(context, module));
                Some(kept.prepared)
            }
            Some(other) => {
                other.prepared.delete(context);
                None
            }
            None => None,
        }
    }

    /// Deletes what was kept, unless it is of the function that the next hook is about and stays as it is while that is answered.
    pub fn expect(
        &mut self,
        context: *mut shim::Context,
        (site, function): (&HookSite, Option<Value>),
        awaited: bool,
    ) {
        self.awaited = awaited;
        let home = site.function();
        let goes = |kept: &mut Copies| Some(kept.function) != function || kept.reached.contains(&home);
        if let Some(other) = self.copies.take_if(goes) {
            other.prepared.delete(context);
        }
    }

    /// Deletes what was kept.
    pub fn drop_all(&mut self, context: *mut shim::Context) {
        if let Some(kept) = self.copies.take() {
            kept.prepared.delete(context);
        }
    }

    /// Keeps the copies of a function that a hook was about, or deletes them where the hook stands in what was copied.
    pub fn keep(
        &mut self,
        context: *mut shim::Context,
        function: Value,
        holder: Value,
        (ways, prepared): (Ways, Prepared),
    ) {
        let reached: HashSet<Value> = reachable_functions(function).into_iter().collect();
        if !self.awaited || reached.contains(&holder) {
            return prepared.delete(context);
        }
        self.copies = Some(Copies { function, ways, reached, prepared });
    }
}

impl Prepared {
    /// The same copies once more, under names of their own.
    pub fn duplicate(&self) -> Prepared {
        let again = |copy: Value| {
            // LLVM puts a number behind a name that is taken.
            let name = c_string(&copy.name());
            Value(llvm!(shim::bs_shim_clone_function(copy.0, name.as_ptr())))
        };
        let copy = again(self.copy);
        let callees = self.callees.iter().map(|(original, other)| {
            let other = if *other == self.copy { copy } else { again(*other) };
            (*original, other)
        });
        Prepared { copy, callees: callees.collect(), is_split: self.is_split.clone() }
    }

    /// Deletes the copies, and gives their names to others.
    pub fn leave_to(self, context: *mut shim::Context, heir: Prepared) -> Prepared {
        let names: Vec<String> = self.copies().into_iter().map(Value::name).collect();
        self.delete(context);
        for (copy, name) in heir.copies().into_iter().zip(names) {
            llvm!(LLVMSetValueName2(copy.0, name.as_ptr().cast(), name.len()));
        }
        heir
    }
}
