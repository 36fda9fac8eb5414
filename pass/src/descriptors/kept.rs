//! Allocatables and pointers of modules, kept in stack slots while a function runs, in the copy to be differentiated.
//!
//! Who allocates a module's array, works on it and deallocates it stores its address where everybody could find it. Nobody
//! does, where the function calls nobody who could look: then what it finds there is what it put there, which the
//! optimiser sees in a slot and nobody sees in a global. What the global holds in the end it holds again when the function
//! returns.

use llvm_sys::LLVMOpcode::{LLVMAlloca, LLVMCall, LLVMGetElementPtr, LLVMInvoke, LLVMLoad, LLVMPHI, LLVMRet};
use llvm_sys::core::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};

use super::copies::holds_descriptor;
use super::declared::Declared as Declaration;
use super::integers::{build_mark, is_declared_integer};
use crate::aggregates::{MOST_MEMBERS, Member, list_members, member_place};
use crate::extract::Declared;
use crate::known::Known;
use crate::llvm::{Builder, Module, Value, llvm};
use backsweep_core::model::GlobalDerivative;
use backsweep_core::rules::CalleeRule;

pub fn keep_descriptors(module: Module, function: Value, known: &Known) {
    if insts(function).any(|inst| may_look(inst, known)) {
        return;
    }
    let layout = llvm!(LLVMGetModuleDataLayout(module.0));
    let declared = Declared::of(module);
    for global in module.globals() {
        let written = global.initializer().is_some()
            && llvm!(LLVMIsGlobalConstant(global.0)) == 0
            && llvm!(LLVMIsThreadLocal(global.0)) == 0
            && holds_descriptor(global.function_type())
            && declared.get(global) == GlobalDerivative::default()
            && is_written(function, global);
        if written {
            keep(module, layout, function, global);
        }
    }
}

fn insts(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().into_iter().flat_map(|block| block.instructions())
}

/// Whether a call may lead to somebody who knows the globals of this module.
fn may_look(call: Value, known: &Known) -> bool {
    if ![LLVMCall, LLVMInvoke].contains(&call.opcode()) {
        return false;
    }
    let Some(callee) = call.callee().as_function() else { return true };
    let name = callee.name();
    let of_library = ["llvm.", "backsweep.", "_Fortran"].iter().any(|prefix| name.starts_with(prefix))
        || ["malloc", "free", "calloc", "realloc"].contains(&name.as_str())
        || !matches!(known.rules.lookup_callee(&name), CalleeRule::Unknown);
    !callee.is_declaration() || !of_library
}

/// The global that an operand leads into, whatever constant it is.
fn global_of(mut operand: Value) -> Option<Value> {
    while operand.is_constant_expr() && operand.opcode() == LLVMGetElementPtr {
        operand = operand.operand(0);
    }
    operand.as_global()
}

fn is_written(function: Value, global: Value) -> bool {
    insts(function).any(|inst| {
        let uses = inst.operands().into_iter().any(|operand| global_of(operand) == Some(global));
        uses && ![LLVMLoad, LLVMGetElementPtr].contains(&inst.opcode())
    })
}

fn keep(module: Module, layout: LLVMTargetDataRef, function: Value, global: Value) {
    let mut members: Vec<Member> = Vec::new();
    list_members(layout, global.function_type(), &[], 0, &mut members);
    let uses: Vec<(Value, u32)> = insts(function)
        .flat_map(|inst| (0..inst.operand_count()).map(move |index| (inst, index)))
        .filter(|(inst, index)| global_of(inst.operand(*index)) == Some(global))
        .collect();
    // Where an edge brings the address there is no place to compute another.
    if members.len() > MOST_MEMBERS || uses.iter().any(|(inst, _)| inst.opcode() == LLVMPHI) {
        return;
    }
    let builder = Builder::new(module.context());
    let returns: Vec<Value> = insts(function).filter(|inst| inst.opcode() == LLVMRet).collect();
    let Some(first) = insts(function).find(|inst| inst.opcode() != LLVMAlloca) else { return };
    builder.before(first);
    let slot = Value(llvm!(LLVMBuildAlloca(builder.0, global.function_type().0, c"".as_ptr())));
    let declared = Declaration { module, layout };
    // What is only put back in the end would be moved without saying what it is.
    copy_members(&builder, &members, global, slot, |member, value| match declared.find_constant(value) {
        Some(constant) => constant,
        None if is_declared_integer(global.function_type(), &member.path) => {
            Value(build_mark(module, &builder, value))
        }
        None => value,
    });
    for (inst, index) in uses {
        builder.before(inst);
        builder.locate_like(inst);
        inst.set_operand(index, lead(&builder, inst.operand(index), slot));
    }
    for end in returns {
        builder.before(end);
        builder.locate_like(end);
        copy_members(&builder, &members, slot, global, |_, value| value);
    }
}

fn copy_members(
    builder: &Builder,
    members: &[Member],
    from: Value,
    to: Value,
    describe: impl Fn(&Member, Value) -> Value,
) {
    for member in members {
        let place = member_place(builder, from, member.offset);
        let value = Value(llvm!(LLVMBuildLoad2(builder.0, member.ty.0, place, c"".as_ptr())));
        let described = describe(member, value);
        llvm!(LLVMBuildStore(builder.0, described.0, member_place(builder, to, member.offset)));
    }
}

/// The same place in the slot.
fn lead(builder: &Builder, operand: Value, slot: Value) -> Value {
    if operand.as_global().is_some() {
        return slot;
    }
    let base = lead(builder, operand.operand(0), slot);
    let mut indices: Vec<_> = (1..operand.operand_count()).map(|index| operand.operand(index).0).collect();
    let ty = llvm!(LLVMGetGEPSourceElementType(operand.0));
    let count = indices.len() as u32;
    Value(llvm!(LLVMBuildGEP2(builder.0, ty, base.0, indices.as_mut_ptr(), count, c"".as_ptr())))
}
