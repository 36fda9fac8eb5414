//! Which parameters and operands clang made of one struct or complex number by value: it takes what fits into registers apart.
//!
//! As clang writes it, a function puts the parts together in a slot first, and who calls it reads them from one. Both is marked before
//! anything is changed, since it is gone once slots are. In code that was optimised before it is not seen.
//! Safe error: none is found.

use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::HookSite;
use crate::llvm::{Module, Value, c_string, llvm, shim, text_of};

const MARK: &str = "backsweep.structs";

/// A member of a struct in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Member {
    object: Value,
    shape: llvm_sys::prelude::LLVMTypeRef,
    field: usize,
}

/// Marks functions that take structs in parts, and calls of hooks that are given some. What other front ends keep side by side is
/// written member by member in the source.
pub fn mark_structs(module: Module, sites: &[HookSite]) {
    if module.is_from_rust_or_fortran() {
        return;
    }
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let runs = find_runs(&function.params().into_iter().map(member_filled).collect::<Vec<_>>());
        if let Some(mark) = mark_of(module, &runs) {
            llvm!(LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, mark));
        }
    }
    for site in sites {
        let operands = (0..site.call.argument_count()).map(|index| member_read(site.call.operand(index)));
        if let Some(mark) = mark_of(module, &find_runs(&operands.collect::<Vec<_>>())) {
            llvm!(LLVMAddCallSiteAttribute(site.call.0, LLVMAttributeFunctionIndex, mark));
        }
    }
}

/// The operands of a hook that are parts of structs, counted from operand `first` on.
pub fn read_structs(call: Value, first: usize) -> Vec<(usize, usize)> {
    let length = MARK.len() as u32;
    read_mark(
        llvm!(LLVMGetCallSiteStringAttribute(
            call.0,
            LLVMAttributeFunctionIndex,
            MARK.as_ptr().cast(),
            length
        )),
        first,
    )
}

/// The parameters of a function that are parts of structs, the place for its result apart.
pub fn read_split(function: Value) -> Vec<(usize, usize)> {
    let length = MARK.len() as u32;
    let mark = llvm!(LLVMGetStringAttributeAtIndex(
        function.0,
        LLVMAttributeFunctionIndex,
        MARK.as_ptr().cast(),
        length
    ));
    read_mark(mark, usize::from(llvm!(shim::bs_shim_returns_in_memory(function.0))))
}

/// Whether debug information says that a function takes a struct in parts, of which none was seen.
pub fn takes_unseen_struct(module: Module, function: Value) -> bool {
    !module.is_from_rust_or_fortran()
        && read_split(function).is_empty()
        && llvm!(shim::bs_shim_takes_apart(function.0))
}

fn mark_of(module: Module, runs: &[(usize, usize)]) -> Option<llvm_sys::prelude::LLVMAttributeRef> {
    let text = runs.iter().map(|(at, count)| format!("{at}+{count}")).collect::<Vec<_>>().join(",");
    let (length, value) = (text.len() as u32, c_string(&text));
    let name = MARK.as_ptr().cast();
    let make = || {
        llvm!(LLVMCreateStringAttribute(module.context(), name, MARK.len() as u32, value.as_ptr(), length))
    };
    (!runs.is_empty()).then(make)
}

fn read_mark(mark: llvm_sys::prelude::LLVMAttributeRef, first: usize) -> Vec<(usize, usize)> {
    if mark.is_null() {
        return Vec::new();
    }
    let mut length = 0;
    let bytes = llvm!(LLVMGetStringAttributeValue(mark, &raw mut length));
    let text = text_of(bytes, length as usize);
    let run = |run: &str| {
        let (at, count) = run.split_once('+')?;
        Some((at.parse::<usize>().ok()?.checked_sub(first)?, count.parse().ok()?))
    };
    text.split(',').filter_map(run).collect()
}

/// Where all members of one struct stand in a row, in order: the first, and how many.
fn find_runs(members: &[Option<Member>]) -> Vec<(usize, usize)> {
    let run = |at: usize| {
        let first = members[at].filter(|member| member.field == 0)?;
        let count = llvm!(LLVMCountStructElementTypes(first.shape)) as usize;
        let is_next = |k: usize| members.get(at + k) == Some(&Some(Member { field: k, ..first }));
        (count > 1 && (1..count).all(is_next)).then_some((at, count))
    };
    (0..members.len()).filter_map(run).collect()
}

/// The member that a parameter fills, and nothing else.
fn member_filled(param: Value) -> Option<Member> {
    match param.users()[..] {
        [store] if store.opcode() == LLVMOpcode::LLVMStore && store.operand(0) == param => {
            let member = member_at(store.operand(1))?;
            let slot = member.object.is_instruction() && member.object.opcode() == LLVMOpcode::LLVMAlloca;
            slot.then_some(member)
        }
        _ => None,
    }
}

fn member_read(operand: Value) -> Option<Member> {
    let is_load = operand.is_instruction() && operand.opcode() == LLVMOpcode::LLVMLoad;
    if is_load { member_at(operand.operand(0)) } else { None }
}

fn member_at(place: Value) -> Option<Member> {
    let is_step = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMGetElementPtr;
    if !is_step || place.operand_count() != 3 {
        return None;
    }
    let shape = llvm!(LLVMGetGEPSourceElementType(place.0));
    let number = |index: u32| {
        let index = place.operand(index);
        let constant = index.kind() == LLVMValueKind::LLVMConstantIntValueKind;
        constant.then(|| llvm!(LLVMConstIntGetZExtValue(index.0)) as usize)
    };
    let is_struct = llvm!(LLVMGetTypeKind(shape)) == LLVMTypeKind::LLVMStructTypeKind;
    (is_struct && number(1)? == 0).then_some(Member { object: place.operand(0), shape, field: number(2)? })
}
