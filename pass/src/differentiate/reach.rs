//! Which functions and hooks a request is about.

use std::collections::HashSet;

use crate::llvm::Value;
use crate::requests::{HookSite, Targets, find_targets};

/// Whether a derivative is differentiated once more.
pub fn is_nested(sites: &[HookSite]) -> bool {
    sites.iter().any(|site| contains_request(site, sites))
}

/// Whether the function asked for reaches another request that is still open.
pub fn contains_request(site: &HookSite, open: &[HookSite]) -> bool {
    if open.iter().all(|other| other == site) {
        return false;
    }
    let Some(Targets::One(target)) = site.function_operand().map(find_targets) else { return false };
    let reached = reachable_functions(target);
    open.iter().any(|other| other != site && reached.contains(&other.function()))
}

/// Whether two hooks may be about the same function.
pub fn may_be_of_one(site: &HookSite, other: &HookSite) -> bool {
    let told = |site: &HookSite| match site.function_operand().map(find_targets) {
        Some(Targets::One(function)) => Some(function),
        _ => None,
    };
    told(site).zip(told(other)).is_none_or(|(one, another)| one == another)
}

/// Functions with bodies that a function calls, itself included.
pub fn reachable_functions(function: Value) -> Vec<Value> {
    let (mut reached, mut met) = (vec![function], HashSet::from([function]));
    let mut next = 0;
    while next < reached.len() {
        for inst in reached[next].blocks().into_iter().flat_map(|block| block.instructions()) {
            let callees = inst.operands().into_iter().filter(|operand| operand.as_function().is_some());
            let bodies = callees.filter(|callee| !callee.is_declaration());
            reached.extend(bodies.filter(|callee| met.insert(*callee)).collect::<Vec<_>>());
        }
        next += 1;
    }
    reached
}
