//! Offsets in bytes that are multiples of a number, as steps of so many bytes, in the copy to be differentiated.
//!
//! Who adds `32 * i` bytes to an address walks through objects of 32 bytes. What is known of a step is how far apart two
//! accesses may be; of a product of numbers somewhere else nothing is.

use llvm_sys::LLVMOpcode::{self, LLVMAdd, LLVMGetElementPtr, LLVMMul, LLVMShl};
use llvm_sys::core::*;

use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

pub fn write_strides(module: Module, function: Value) {
    let builder = Builder::new(module.context());
    let byte = Ty(llvm!(LLVMInt8TypeInContext(module.context())));
    llvm!(shim::bs_shim_step_by_elements(function.0));
    for address in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let in_bytes = is_opcode(address, LLVMGetElementPtr)
            && address.operand_count() == 2
            && Ty(llvm!(LLVMGetGEPSourceElementType(address.0))) == byte
            && address.ty().kind() == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
        if !in_bytes {
            continue;
        }
        let offset = address.operand(1);
        let steps = steps_of(offset);
        if offset.ty().kind() != llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind
            || offset.ty().int_bits() != 64
            || steps.iter().all(|step| step.bytes == 1)
        {
            continue;
        }
        builder.before(address);
        builder.locate_like(address);
        let mut place = address.operand(0).0;
        for step in steps {
            let ty = match step.bytes {
                1 => byte,
                bytes => Ty(llvm!(LLVMArrayType2(byte.0, bytes))),
            };
            let mut index = step.count.0;
            place = llvm!(LLVMBuildGEP2(builder.0, ty.0, place, &mut index, 1, UNNAMED));
        }
        address.replace_all_uses(Value(place));
        address.erase();
    }
}

/// So many times so many bytes.
struct Step {
    count: Value,
    bytes: u64,
}

/// What an offset is the sum of. Addresses wrap as products and sums do.
fn steps_of(offset: Value) -> Vec<Step> {
    if is_opcode(offset, LLVMAdd) {
        let parts: Vec<Step> = offset.operands().into_iter().flat_map(steps_of).collect();
        // Where no part has a step, the sum stays one.
        if parts.iter().any(|step| step.bytes != 1) {
            return parts;
        }
    }
    let factor = match () {
        () if is_opcode(offset, LLVMMul) => constant(offset.operand(1)),
        () if is_opcode(offset, LLVMShl) => {
            constant(offset.operand(1)).filter(|by| *by < 32).map(|by| 1 << by)
        }
        () => None,
    };
    match factor {
        Some(bytes @ 1..=0xffff_ffff) => vec![Step { count: offset.operand(0), bytes }],
        _ => vec![Step { count: offset, bytes: 1 }],
    }
}

fn constant(value: Value) -> Option<u64> {
    (!llvm!(LLVMIsAConstantInt(value.0)).is_null()).then(|| llvm!(LLVMConstIntGetZExtValue(value.0)))
}

fn is_opcode(value: Value, opcode: LLVMOpcode) -> bool {
    value.is_instruction() && value.opcode() == opcode
}
