//! The hook call becomes a call of the derivative function.

use backsweep_core::model::{Function, Type};
use backsweep_core::plan::Slot;
use backsweep_core::request::{Fit, Request};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::types::write_type;
use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};
use crate::requests::HookSite;

/// Replaces the hook call, its arguments sorted into the derivative's parameters and the result brought into the
/// declared shape.
pub fn replace_hook(
    module: Module,
    site: &HookSite,
    request: &Request,
    slots: &[Slot],
    derived: (&Function, Value),
) {
    // A struct by value is the derivative's own, to change as the function does.
    llvm!(shim::bs_shim_copy_arguments(site.call.0));
    let builder = Builder::new(module.context());
    builder.before(site.call);
    builder.locate_like(site.call);
    let (model, function) = derived;
    let mut arguments: Vec<LLVMValueRef> = slots
        .iter()
        .zip(&model.params)
        .map(|(slot, param)| {
            let operand = site.operand(operand_of(request, *slot));
            convert(module, &builder, operand, &param.ty).0
        })
        .collect();
    let ty = function.function_type();
    let count = arguments.len() as u32;
    let result = Value(llvm!(LLVMBuildCall2(
        builder.0,
        ty.0,
        function.0,
        arguments.as_mut_ptr(),
        count,
        c"".as_ptr()
    )));
    let result = site.unwind_alike(result);
    builder.before(site.call);
    if let Some(result) = fit(module, &builder, site, request.fit, result) {
        site.call.replace_all_uses(result);
    }
    site.erase();
}

fn operand_of(request: &Request, slot: Slot) -> usize {
    match slot {
        Slot::Primal { param } => request.arguments[param].primal,
        Slot::Shadow { param, lane } => request.arguments[param].shadows[lane as usize],
        Slot::Global { .. } => unreachable!("only derivatives hand over shadows of globals"),
        Slot::Seed { lane } => request.seeds[lane as usize],
        Slot::Tape => request.tape.unwrap_or_default(),
    }
}

/// Undoes C's promotions of variadic arguments.
pub fn convert(module: Module, builder: &Builder, value: Value, to: &Type) -> Value {
    let target = write_type(module.context(), to);
    if value.ty() == target {
        return value;
    }
    let name = c"".as_ptr();
    Value(match to {
        Type::Float(_) => llvm!(LLVMBuildFPCast(builder.0, value.0, target.0, name)),
        Type::Int(_) => llvm!(LLVMBuildTrunc(builder.0, value.0, target.0, name)),
        _ => value.0,
    })
}

/// The value that stands for the hook's result; `None` where there is none, or it went to memory.
fn fit(module: Module, builder: &Builder, site: &HookSite, fit: Fit, result: Value) -> Option<Value> {
    let name = c"".as_ptr();
    if let Some(memory) = site.sret {
        if fit != Fit::Nothing {
            llvm!(LLVMBuildStore(builder.0, result.0, memory.0));
        }
        return None;
    }
    let declared = site.call.ty();
    if read_void(declared) {
        return None;
    }
    Some(Value(match fit {
        Fit::Nothing => llvm!(LLVMConstNull(declared.0)),
        Fit::Same => result.0,
        Fit::First => llvm!(LLVMBuildExtractValue(builder.0, result.0, 0, name)),
        Fit::Widen => llvm!(LLVMBuildFPExt(builder.0, result.0, declared.0, name)),
        Fit::Memory => return Some(through_memory(module, builder, site, result)),
    }))
}

fn read_void(ty: Ty) -> bool {
    ty.kind() == llvm_sys::LLVMTypeKind::LLVMVoidTypeKind
}

/// Stores the result as its own type and loads it as the declared one, which has the same size.
fn through_memory(module: Module, builder: &Builder, site: &HookSite, result: Value) -> Value {
    let declared = site.call.ty();
    let entry = site.call.block().function().blocks()[0];
    let cell = llvm!(shim::bs_shim_entry_alloca(entry.0, result.ty().0, declared.0));
    let _ = module;
    llvm!(LLVMBuildStore(builder.0, result.0, cell));
    Value(llvm!(LLVMBuildLoad2(builder.0, declared.0, cell, c"".as_ptr())))
}
