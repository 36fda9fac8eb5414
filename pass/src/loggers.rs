//! Functions with a variable number of arguments that only print them.
//!
//! Function → whether it is one: all it does is to load, to count, to keep values in slots of its own, and to call what is
//! known to carry no derivative. What it is given goes nowhere else.
//! Safe error: none (its calls are refused where they are given active values).

use backsweep_core::rules::{CalleeRule, Rules};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::{LLVMIntegerTypeKind, LLVMVoidTypeKind};

use crate::llvm::{Module, Value};

pub fn find_loggers(module: Module, rules: &Rules) -> Vec<Value> {
    let functions = module.functions().into_iter();
    functions.filter(|function| !function.is_declaration() && is_logger(*function, rules)).collect()
}

fn is_logger(function: Value, rules: &Rules) -> bool {
    let ty = function.function_type();
    let silent = matches!(ty.return_type().kind(), LLVMVoidTypeKind | LLVMIntegerTypeKind);
    let mut insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    ty.is_variadic() && silent && insts.all(|inst| keeps_to_itself(inst, rules))
}

fn keeps_to_itself(inst: Value, rules: &Rules) -> bool {
    match inst.opcode() {
        LLVMStore => inst.operand(1).is_instruction() && inst.operand(1).opcode() == LLVMAlloca,
        LLVMCall => {
            let name = inst.callee().name();
            let own = ["llvm.va_", "llvm.lifetime.", "llvm.dbg."].iter().any(|start| name.starts_with(start));
            own || matches!(rules.lookup_callee(&name), CalleeRule::Inactive(_))
                && inst.callee().is_declaration()
        }
        LLVMInvoke | LLVMCallBr | LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMResume => false,
        _ => true,
    }
}
