//! Whether the address of a global that only this module knows may be found in memory, or returned, or handed to code
//! out of sight. What it is then found by has another name, so pointers of unknown origin may lead to the global.
//!
//! And whether it is handed to functions, where a parameter then leads to it.
//!
//! Safe error: taken, and handed on.

use std::collections::HashSet;

use llvm_sys::{LLVMLinkage, LLVMOpcode};

use crate::llvm::Value;

/// Uses looked at before the answer is "taken".
const MOST_USES: usize = 20_000;

/// How far the address of a global gets.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub taken: bool,
    /// Whether the program leads to it by its name alone. What derivatives do with the address, who keep it on the tape, say,
    /// does not count: both halves of a derivative are to find the same, whichever stands here already.
    pub only_named: bool,
}

pub fn find_reach(global: Value) -> Reach {
    let (mut seen, mut waiting) = (HashSet::from([global]), vec![global]);
    let mut reach = Reach { taken: false, only_named: true };
    while let Some(pointer) = waiting.pop() {
        for user in pointer.users() {
            let next = match follow(pointer, user) {
                Use::Touches => continue,
                Use::Passes(next) => next,
                Use::Hands(params) => {
                    reach.only_named &= is_in_derivative(user);
                    params
                }
                Use::Takes => {
                    reach.taken = true;
                    reach.only_named &= is_in_derivative(user);
                    continue;
                }
            };
            waiting.extend(next.into_iter().filter(|value| seen.insert(*value)));
        }
        if seen.len() > MOST_USES {
            return Reach { taken: true, only_named: false };
        }
    }
    reach
}

fn is_in_derivative(user: Value) -> bool {
    user.is_instruction() && user.block().function().name().starts_with("backsweep.")
}

/// What becomes of a pointer at one use.
enum Use {
    /// Memory is read or written through it, or it is compared.
    Touches,
    /// These values are it, or lead to the same memory.
    Passes(Vec<Value>),
    /// The same of the parameters of a function.
    Hands(Vec<Value>),
    Takes,
}

fn follow(pointer: Value, user: Value) -> Use {
    if user.is_call() {
        return follow_call(pointer, user);
    }
    if !user.is_instruction() && !user.is_constant_expr() {
        return Use::Takes;
    }
    match user.opcode() {
        LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => Use::Touches,
        LLVMOpcode::LLVMStore if user.operand(0) != pointer => Use::Touches,
        LLVMOpcode::LLVMGetElementPtr
        | LLVMOpcode::LLVMPHI
        | LLVMOpcode::LLVMSelect
        | LLVMOpcode::LLVMFreeze
        | LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMAddrSpaceCast => Use::Passes(vec![user]),
        LLVMOpcode::LLVMPtrToInt if is_only_asked(user) => Use::Touches,
        _ => Use::Takes,
    }
}

/// Whether an address is a number that is compared, or that a sanitizer looks at; a derivative that stands here already asks
/// how far a pointer is from it, too, which says nothing of where it is.
fn is_only_asked(address: Value) -> bool {
    address.users().into_iter().all(|user| {
        user.is_instruction()
            && match user.opcode() {
                LLVMOpcode::LLVMICmp => true,
                LLVMOpcode::LLVMAnd | LLVMOpcode::LLVMAdd => is_only_asked(user),
                LLVMOpcode::LLVMSub => is_in_derivative(user),
                LLVMOpcode::LLVMCall => user.callee().name().starts_with("__ubsan_handle_"),
                _ => false,
            }
    })
}

fn follow_call(pointer: Value, call: Value) -> Use {
    let callee = call.callee();
    let name = callee.name();
    if name.starts_with("llvm.threadlocal.address") {
        return Use::Passes(vec![call]);
    }
    let touches =
        ["llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.lifetime.", "llvm.dbg.", "llvm.objectsize."];
    if touches.iter().any(|prefix| name.starts_with(prefix)) {
        return Use::Touches;
    }
    if callee.as_function().is_none() || callee.is_declaration() {
        return Use::Takes;
    }
    if matches!(callee.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage) {
        return Use::Takes;
    }
    let params = callee.params();
    let given = (0..call.argument_count()).filter(|at| call.operand(*at) == pointer);
    let params: Option<Vec<Value>> = given.map(|at| params.get(at as usize).copied()).collect();
    params.map_or(Use::Takes, Use::Hands)
}
