//! Of what derived type an argument is, by how the called function steps into it.
//!
//! Inlining drops a step to the first component, which adds nothing to an address. What stands there would then be told by the
//! argument alone, and what was found in memory tells nothing. So the argument gets a step of that type before it is handed over;
//! whoever looks for the component finds it (`declared`), and the next pass that cleans up drops it.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;

use super::is_of_derived_type;
use crate::llvm::{Builder, Ty, Value, llvm};

/// For each argument of a call that is about to be inlined.
pub fn tell_types(call: Value) {
    for (index, param) in (0..).zip(call.callee().params()) {
        let argument = call.operand(index);
        let is_known = !argument.is_instruction()
            || matches!(argument.opcode(), LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMGetElementPtr);
        let Some(ty) = type_stepped_into(param).filter(|_| !is_known) else { continue };
        let builder = Builder::new(llvm!(LLVMGetTypeContext(ty.0)));
        builder.before(call);
        builder.locate_like(call);
        let mut nowhere = llvm!(LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(ty.0)), 0, 0));
        let place = llvm!(LLVMBuildGEP2(builder.0, ty.0, argument.0, &mut nowhere, 1, c"".as_ptr()));
        llvm!(LLVMSetOperand(call.0, index, place));
    }
}

fn type_stepped_into(param: Value) -> Option<Ty> {
    let steps = |user: &Value| {
        user.is_instruction() && user.opcode() == LLVMOpcode::LLVMGetElementPtr && user.operand(0) == param
    };
    let types = param.users().into_iter().filter(steps);
    types.map(|step| Ty(llvm!(LLVMGetGEPSourceElementType(step.0)))).find(|ty| is_of_derived_type(*ty))
}
