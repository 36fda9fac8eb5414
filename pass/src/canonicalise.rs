//! Calls that store results through pointers, in the copy to be differentiated, become intrinsics that return them.
//!
//! `sincos(x, &s, &c)` is then a value like any other, and the stores are plain stores.

use backsweep_core::model::Type;
use backsweep_core::rules::{CalleeRule, OperandKind, Row, Rules, Shape, Spelling};
use llvm_sys::core::*;

use crate::emit::write_type;
use crate::extract::read_type;
use crate::llvm::{Builder, Module, Ty, Value, llvm};

pub fn canonicalise_calls(module: Module, function: Value, rules: &Rules) {
    for block in function.blocks() {
        for inst in block.instructions().into_iter().filter(|inst| inst.is_call()) {
            let callee = inst.callee();
            if callee.as_function().is_none() || !callee.is_declaration() {
                continue;
            }
            if let CalleeRule::Row(found) = rules.lookup_callee(&callee.name())
                && let Shape::Stored { returned, stored } = found.shape
                && let Some(symbol) = struct_intrinsic(inst, found.row, rules)
            {
                replace_call(module, inst, found.row, &symbol, returned, stored);
            }
        }
    }
}

/// The intrinsic that returns all results of a row as a structure, where LLVM has one for these types.
fn struct_intrinsic(call: Value, row: &Row, rules: &Rules) -> Option<String> {
    let types: Vec<Type> =
        (0..row.operands.len() as u32).map(|index| read_type(call.operand(index).ty())).collect();
    match rules.spell(row.name, &types)? {
        Spelling::Intrinsic(symbol) => {
            let shape = rules.lookup(&symbol)?.shape;
            (shape == Shape::Struct).then_some(symbol)
        }
        _ => None,
    }
}

fn replace_call(
    module: Module,
    call: Value,
    row: &Row,
    symbol: &str,
    returned: Option<u8>,
    stored: &[(u8, u8)],
) {
    let operands: Vec<Value> = (0..row.operands.len() as u32).map(|index| call.operand(index)).collect();
    let real = read_type(operands[0].ty());
    let fields = row.results.iter().map(|kind| match kind {
        OperandKind::Real => real.clone(),
        OperandKind::Int | OperandKind::Bool => Type::I32,
    });
    let result = write_type(module.context(), &Type::structure(fields.collect()));
    let params: Vec<Ty> = operands.iter().map(|operand| operand.ty()).collect();
    let ty = Ty::function(result, &params, false);
    let intrinsic = module.function(symbol).unwrap_or_else(|| module.add_function(symbol, ty));
    let builder = Builder::new(module.context());
    builder.before(call);
    builder.locate_like(call);
    let mut arguments: Vec<_> = operands.iter().map(|operand| operand.0).collect();
    let count = arguments.len() as u32;
    let name = c"".as_ptr();
    let whole = llvm!(LLVMBuildCall2(builder.0, ty.0, intrinsic.0, arguments.as_mut_ptr(), count, name));
    let part = |result: u8| llvm!(LLVMBuildExtractValue(builder.0, whole, u32::from(result), name));
    for (argument, result) in stored {
        let pointer = call.operand(u32::from(*argument));
        llvm!(LLVMBuildStore(builder.0, part(*result), pointer.0));
    }
    if let Some(result) = returned {
        call.replace_all_uses(Value(part(result)));
    }
    call.erase();
}
