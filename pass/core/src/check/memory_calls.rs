//! What library calls do to memory, as far as the checker knows.

use crate::model::Inst;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryCall {
    /// Returns memory that nobody else has.
    Allocate,
    Free,
    /// Fills argument 0 from argument 1, argument 2 bytes.
    Copy,
    /// Fills argument 0 with the byte that is argument 1, argument 2 times.
    Fill,
}

pub fn memory_call(inst: &Inst) -> Option<MemoryCall> {
    let name = inst.callee_name()?;
    let plain = name.strip_prefix("llvm.").map(|rest| rest.split('.').next().unwrap_or(rest));
    let plain = plain.unwrap_or(name);
    let checked = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(plain);
    Some(match checked {
        "malloc" | "calloc" | "aligned_alloc" | "_Znwm" | "_Znam" => MemoryCall::Allocate,
        "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => MemoryCall::Free,
        "memcpy" | "memmove" => MemoryCall::Copy,
        "memset" => MemoryCall::Fill,
        _ => return None,
    })
}
