//! Which functions may have a small interface, so that their calls are worth contracting: seen from outside, by their types.
//!
//! What is active, and what else a function does, the planner knows; here it is asked what is cheap to ask.

use std::collections::HashSet;

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::{LLVMGetBasicBlockTerminator, LLVMGetNumSuccessors, LLVMGetSuccessor};
use llvm_sys::prelude::LLVMBasicBlockRef;

use super::reachable_functions;
use crate::llvm::{Value, llvm};

/// More numbers than these are too many, even if some are constants.
const MOST_NUMBERS: usize = 8;

/// Whether a function takes a few numbers and gives one of their type, and something in it goes round: what runs once leaves little
/// on a tape.
pub fn has_small_interface(function: Value) -> bool {
    let given = function.function_type().return_type();
    let number = matches!(given.kind(), LLVMTypeKind::LLVMDoubleTypeKind | LLVMTypeKind::LLVMFloatTypeKind);
    let numbers = function.params().iter().filter(|param| param.ty() == given).count();
    number
        && (1..=MOST_NUMBERS).contains(&numbers)
        && reachable_functions(function).into_iter().any(goes_round)
}

/// Whether control may come to a block of a function again.
fn goes_round(function: Value) -> bool {
    let next = |block: LLVMBasicBlockRef| -> Vec<LLVMBasicBlockRef> {
        let last = llvm!(LLVMGetBasicBlockTerminator(block));
        let count = if last.is_null() { 0 } else { llvm!(LLVMGetNumSuccessors(last)) };
        (0..count).map(|index| llvm!(LLVMGetSuccessor(last, index))).collect()
    };
    let Some(entry) = function.blocks().into_iter().next() else { return false };
    let mut seen = HashSet::from([entry.0]);
    // The blocks on the way from the entry, each with those behind it that were not looked at.
    let mut way: Vec<(LLVMBasicBlockRef, Vec<LLVMBasicBlockRef>)> = vec![(entry.0, next(entry.0))];
    let mut open = HashSet::from([entry.0]);
    while let Some((block, waiting)) = way.last_mut() {
        let Some(to) = waiting.pop() else {
            open.remove(block);
            way.pop();
            continue;
        };
        if open.contains(&to) {
            return true;
        }
        if seen.insert(to) {
            open.insert(to);
            way.push((to, next(to)));
        }
    }
    false
}
