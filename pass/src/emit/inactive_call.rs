//! `__backsweep_call_inactive(f, x…)` becomes a call of `f` that carries no derivative.

use backsweep_core::request::converts;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::call_site::convert;
use crate::extract::read_type;
use crate::llvm::{Builder, Module, Value, llvm, shim};
use crate::requests::HookSite;

/// Replaces the hook; or says why the function cannot be called so.
pub fn call_inactive(module: Module, site: &HookSite, function: Value) -> Result<(), String> {
    let params: Vec<_> = function.params().iter().map(|param| param.ty()).collect();
    let given: Vec<Value> = site.sret.into_iter().chain(site.arguments()).collect();
    let fits = |(value, ty): (&Value, &crate::llvm::Ty)| {
        value.ty() == *ty || converts(&read_type(value.ty()), &read_type(*ty))
    };
    if given.len() != params.len() || !given.iter().zip(&params).all(fits) {
        return Err(format!("it takes {} arguments of other types, or another number of them", params.len()));
    }
    let returned = function.function_type().return_type();
    let read = !site.call.users().is_empty();
    if read && returned != site.call.ty() {
        return Err("it returns another type than the hook is declared with".into());
    }
    let builder = Builder::new(module.context());
    builder.before(site.call);
    builder.locate_like(site.call);
    let mut arguments: Vec<LLVMValueRef> = given
        .iter()
        .zip(&params)
        .map(|(value, ty)| convert(module, &builder, *value, &read_type(*ty)).0)
        .collect();
    let (ty, count) = (function.function_type(), arguments.len() as u32);
    let first = arguments.as_mut_ptr();
    let call = Value(llvm!(LLVMBuildCall2(builder.0, ty.0, function.0, first, count, c"".as_ptr())));
    llvm!(shim::bs_shim_follow_callee(call.0));
    llvm!(shim::bs_shim_mark_inactive(call.0));
    let call = site.unwind_alike(call);
    if read {
        site.call.replace_all_uses(call);
    }
    site.erase();
    Ok(())
}
