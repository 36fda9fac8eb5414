//! The hook call becomes a call of the derivative function.

use backsweep_core::model::{Function, Type};
use backsweep_core::plan::Slot;
use backsweep_core::request::{Argument, Fit, Mode, Request};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::types::write_type;
use crate::extract::read_type;
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
            let operand = argument_of(module, &builder, site, request, (*slot, &param.ty));
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
    if request.seed_behind {
        // What it held has gone back to where it came from.
        let none = llvm!(LLVMConstNull(write_type(module.context(), &model_seed(slots, model)).0));
        llvm!(LLVMBuildStore(builder.0, none, site.operand(request.seeds[0]).0));
    }
    let result = match request.tape_in_memory && request.mode == Mode::Augmented {
        true => put_tape_away(module, &builder, site, request, result),
        false => result,
    };
    if let Some(result) = fit(module, &builder, site, request.fit, result) {
        site.call.replace_all_uses(result);
    }
    site.erase();
}

/// The type of the derivative of the result.
fn model_seed(slots: &[Slot], model: &Function) -> Type {
    let seed = slots.iter().position(|slot| matches!(slot, Slot::Seed { .. }));
    seed.map_or(Type::Void, |seed| model.params[seed].ty.clone())
}

fn argument_of(
    module: Module,
    builder: &Builder,
    site: &HookSite,
    request: &Request,
    (slot, ty): (Slot, &Type),
) -> Value {
    let behind = |place: Value, is_behind: bool| match is_behind {
        true => {
            let ty = write_type(module.context(), ty);
            Value(llvm!(LLVMBuildLoad2(builder.0, ty.0, place.0, c"".as_ptr())))
        }
        false => place,
    };
    let by_reference = |param: usize| request.arguments[param].by_reference;
    match slot {
        Slot::Primal { param } => behind(site.operand(request.arguments[param].primal), by_reference(param)),
        Slot::Shadow { param, lane } => {
            let shadow = shadow_of(module, builder, site, &request.arguments[param], lane);
            behind(shadow, by_reference(param))
        }
        Slot::Global { .. } => unreachable!("only derivatives hand over shadows of globals"),
        Slot::Seed { lane } => behind(site.operand(request.seeds[lane as usize]), request.seed_behind),
        Slot::Tape => {
            let tape = site.operand(request.tape.unwrap_or_default());
            match request.tape_in_memory {
                true => Value(llvm!(LLVMBuildLoad2(builder.0, tape.ty().0, tape.0, c"".as_ptr()))),
                false => tape,
            }
        }
    }
}

fn shadow_of(module: Module, builder: &Builder, site: &HookSite, argument: &Argument, lane: u32) -> Value {
    let Some(stride) = argument.stride else { return site.operand(argument.shadows[lane as usize]) };
    let (first, stride, name) = (site.operand(argument.shadows[0]), site.operand(stride), c"".as_ptr());
    let byte = write_type(module.context(), &Type::Int(8)).0;
    let times = llvm!(LLVMConstInt(stride.ty().0, u64::from(lane), 0));
    let mut bytes = llvm!(LLVMBuildMul(builder.0, stride.0, times, name));
    Value(llvm!(LLVMBuildGEP2(builder.0, byte, first.0, &raw mut bytes, 1, name)))
}

/// The first member of an augmented call's result goes to the caller's memory; the others are left.
fn put_tape_away(
    module: Module,
    builder: &Builder,
    site: &HookSite,
    request: &Request,
    result: Value,
) -> Value {
    let memory = site.operand(request.tape.unwrap_or_default());
    let name = c"".as_ptr();
    let Type::Struct { fields, .. } = read_type(result.ty()) else {
        llvm!(LLVMBuildStore(builder.0, result.0, memory.0));
        return result;
    };
    let member = |at| llvm!(LLVMBuildExtractValue(builder.0, result.0, at, name));
    let tape = member(0);
    llvm!(LLVMBuildStore(builder.0, tape, memory.0));
    let others: Vec<_> = (1..fields.len() as u32).map(member).collect();
    if let [only] = others[..] {
        return Value(only);
    }
    let whole = write_type(module.context(), &Type::structure(fields[1..].to_vec()));
    let start = llvm!(LLVMGetPoison(whole.0));
    let put = |whole, (at, member)| llvm!(LLVMBuildInsertValue(builder.0, whole, member, at, name));
    Value((0..).zip(others).fold(start, put))
}

/// Undoes C's promotions of variadic arguments, and what a calling convention makes of a tape in a struct.
pub fn convert(module: Module, builder: &Builder, value: Value, to: &Type) -> Value {
    let target = write_type(module.context(), to);
    if value.ty() == target {
        return value;
    }
    let name = c"".as_ptr();
    Value(match to {
        Type::Float(_) => llvm!(LLVMBuildFPCast(builder.0, value.0, target.0, name)),
        Type::Int(_) => llvm!(LLVMBuildTrunc(builder.0, value.0, target.0, name)),
        Type::Ptr(_) if value.ty().kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind => {
            llvm!(LLVMBuildIntToPtr(builder.0, value.0, target.0, name))
        }
        _ => value.0,
    })
}

/// The value that stands for the hook's result; `None` where there is none, or it went to memory.
pub fn fit(module: Module, builder: &Builder, site: &HookSite, fit: Fit, result: Value) -> Option<Value> {
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
