//! `__backsweep_batch(f, …)` becomes as many calls of `f`, and their results one value.

use backsweep_core::model::Type;
use backsweep_core::request::{Batch, Fit, Passed};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::call_site::{convert, fit};
use super::types::write_type;
use crate::extract::read_type;
use crate::llvm::{Builder, Module, Value, llvm, shim};
use crate::requests::HookSite;

pub fn replace_batch(module: Module, site: &HookSite, batch: &Batch, function: Value) {
    let returned = read_type(function.function_type().return_type());
    let whole = Type::structure(vec![returned.clone(); batch.width]);
    let mut result = match returned {
        Type::Void => None,
        _ => Some(llvm!(LLVMGetPoison(write_type(module.context(), &whole).0))),
    };
    for index in 0..batch.width {
        let call = build_call(module, site, batch, (index, function));
        let builder = before(module, site);
        let add = |whole| llvm!(LLVMBuildInsertValue(builder.0, whole, call.0, index as u32, c"".as_ptr()));
        result = result.map(add);
    }
    let builder = before(module, site);
    let value = result.and_then(|result| fit(module, &builder, site, Fit::Memory, Value(result)));
    if let Some(value) = value {
        site.call.replace_all_uses(value);
    }
    site.erase();
}

fn build_call(module: Module, site: &HookSite, batch: &Batch, (index, function): (usize, Value)) -> Value {
    let builder = before(module, site);
    let mut arguments: Vec<LLVMValueRef> = (batch.passed.iter().zip(function.params()))
        .map(|(passed, param)| {
            let operand = match passed {
                Passed::Each(operands) => operands[index],
                Passed::All(operand) => *operand,
            };
            convert(module, &builder, site.operand(operand), &read_type(param.ty())).0
        })
        .collect();
    let (ty, count) = (function.function_type(), arguments.len() as u32);
    let first = arguments.as_mut_ptr();
    let call = Value(llvm!(LLVMBuildCall2(builder.0, ty.0, function.0, first, count, c"".as_ptr())));
    llvm!(shim::bs_shim_follow_callee(call.0));
    site.unwind_alike(call)
}

fn before(module: Module, site: &HookSite) -> Builder {
    let builder = Builder::new(module.context());
    builder.before(site.call);
    builder.locate_like(site.call);
    builder
}
