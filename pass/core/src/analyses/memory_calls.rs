//! Library calls that allocate, free, copy or fill memory, by name.

use crate::model::{Inst, Operand};

/// What such a call does; numbers are those of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryCall {
    /// Returns new memory of that many bytes; a product where there are two sizes.
    Allocate {
        size: u8,
        times: Option<u8>,
        zeroed: bool,
    },
    Free {
        pointer: u8,
    },
    /// Argument 0 is filled from argument 1, as many bytes as argument 2 says.
    Copy,
    /// Argument 0 is filled with the byte that is argument 1, as many times as argument 2 says.
    Fill,
}

const NEW: MemoryCall = MemoryCall::Allocate { size: 0, times: None, zeroed: false };
const FREE: MemoryCall = MemoryCall::Free { pointer: 0 };

const NAMES: [(&str, MemoryCall); 16] = [
    ("malloc", NEW),
    ("calloc", MemoryCall::Allocate { size: 0, times: Some(1), zeroed: true }),
    ("aligned_alloc", MemoryCall::Allocate { size: 1, times: None, zeroed: false }),
    ("_Znwm", NEW),
    ("_Znam", NEW),
    ("free", FREE),
    ("_ZdlPv", FREE),
    ("_ZdaPv", FREE),
    ("_ZdlPvm", FREE),
    ("_ZdaPvm", FREE),
    ("memcpy", MemoryCall::Copy),
    ("memmove", MemoryCall::Copy),
    ("__memcpy_chk", MemoryCall::Copy),
    ("__memmove_chk", MemoryCall::Copy),
    ("memset", MemoryCall::Fill),
    ("__memset_chk", MemoryCall::Fill),
];

const PREFIXES: [(&str, MemoryCall); 5] = [
    ("llvm.memcpy.inline.", MemoryCall::Copy),
    ("llvm.memcpy.", MemoryCall::Copy),
    ("llvm.memmove.", MemoryCall::Copy),
    ("llvm.memset.inline.", MemoryCall::Fill),
    ("llvm.memset.", MemoryCall::Fill),
];

/// What a call does to memory, if its callee is one of those listed.
pub fn memory_call(inst: &Inst) -> Option<MemoryCall> {
    let name = inst.callee_name()?;
    let exact = NAMES.iter().find(|(known, _)| *known == name);
    let prefixed = || PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
    exact.or_else(prefixed).map(|(_, call)| *call)
}

/// The pointers that such a call reads or writes through.
pub fn touched_pointers(inst: &Inst, call: MemoryCall) -> Vec<Operand> {
    let count = match call {
        MemoryCall::Allocate { .. } => 0,
        MemoryCall::Free { .. } | MemoryCall::Fill => 1,
        MemoryCall::Copy => 2,
    };
    inst.arguments()[..count].to_vec()
}
