//! Whether a caller reads the doubles that a hook returns as pairs of single floats.
//!
//! rustc and flang return a structure of two floats as a double. The type of the call is then the same for a structure of
//! floats and for a double; what the caller does with it is not: the structure is put into memory, and read as floats
//! or copied to a place aligned as floats are, whereas a double is used as it is.
//! Safe error: no, which is a refusal.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;

use crate::llvm::{Ty, Value, llvm};

/// Whether memory that holds a double is at least that aligned in both languages.
const DOUBLE_ALIGNMENT: u64 = 8;

/// Copies of copies beyond this many are not followed.
const MOST_COPIES: usize = 8;

pub fn is_read_as_floats(call: Value) -> bool {
    let users = call.users();
    !users.is_empty() && users.into_iter().all(|user| is_reading_floats(call, user))
}

fn is_reading_floats(result: Value, user: Value) -> bool {
    match user.opcode() {
        LLVMOpcode::LLVMStore => {
            let slot = user.operand(1);
            user.operand(0) == result && is_slot(slot) && holds_floats(slot, 0)
        }
        // Optimised code takes the bits apart.
        LLVMOpcode::LLVMBitCast => true,
        LLVMOpcode::LLVMExtractValue => is_read_as_floats(user) || holds_float(user.ty()),
        _ => false,
    }
}

fn is_slot(place: Value) -> bool {
    place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca
}

/// Whether what stands in a stack slot is read as floats somewhere, or copied to where floats stand.
fn holds_floats(slot: Value, copies: usize) -> bool {
    slot.users().into_iter().any(|user| match user.opcode() {
        LLVMOpcode::LLVMLoad => holds_float(user.ty()),
        LLVMOpcode::LLVMGetElementPtr => holds_floats(user, copies),
        LLVMOpcode::LLVMCall => {
            let copied = user.callee().name().starts_with("llvm.memcpy.") && user.operand(1) == slot;
            let loose = || alignment_of_target(user).is_some_and(|bytes| bytes < DOUBLE_ALIGNMENT);
            copied && copies < MOST_COPIES && (loose() || holds_floats(user.operand(0), copies + 1))
        }
        _ => false,
    })
}

fn alignment_of_target(copy: Value) -> Option<u64> {
    let name = "align";
    let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
    let attribute = llvm!(LLVMGetCallSiteEnumAttribute(copy.0, 1, kind));
    (!attribute.is_null()).then(|| llvm!(LLVMGetEnumAttributeValue(attribute)))
}

fn holds_float(ty: Ty) -> bool {
    use llvm_sys::LLVMTypeKind::{LLVMFloatTypeKind, LLVMStructTypeKind};
    match ty.kind() {
        LLVMFloatTypeKind => true,
        LLVMStructTypeKind => ty.fields().into_iter().any(holds_float),
        _ => false,
    }
}
