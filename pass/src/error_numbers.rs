//! Programs that ask by `errno` what became of a function of numbers.
//!
//! The forward sweep computes `log(x)` by an intrinsic that leaves no error number, and drops it where nobody needs its value. Where
//! something that is differentiated looks at the error number, a call that does nothing but leave it stays beside each such
//! function, and what follows goes the way that the primal goes.

use backsweep_core::rules::CalleeRule;
use llvm_sys::core::LLVMGetGlobalParent;

use crate::call_graph::CallGraph;
use crate::known::Known;
use crate::llvm::{Module, Value, llvm, shim};

/// What C libraries call the function that tells where the error number lies.
const PLACES: [&str; 3] = ["__errno_location", "__error", "_errno"];

/// That function, where a function or anything that it calls asks for it.
pub fn find_place(function: Value, known: &Known) -> Option<Value> {
    let (module, graph) =
        (Module(llvm!(LLVMGetGlobalParent(function.0))), CallGraph::through_pointers(known));
    PLACES.iter().find_map(|name| {
        let place = module.function(name).filter(|place| place.is_declaration())?;
        graph.comes_back(function, &[place]).then_some(place)
    })
}

/// Leaves the error numbers of functions of numbers.
pub fn keep_error_numbers(copy: Value, place: Value, known: &Known) {
    for call in copy.blocks().into_iter().flat_map(|block| block.instructions()).filter(|inst| inst.is_call())
    {
        let callee = call.callee();
        let is_math = || matches!(known.rules.lookup_callee(&callee.name()), CalleeRule::Row(_));
        if callee.as_function().is_some() && callee.is_declaration() && is_math() {
            llvm!(shim::bs_shim_keep_error_number(call.0, place.0));
        }
    }
}
