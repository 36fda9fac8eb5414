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
    // Most calls that are asked about are of other intrinsics.
    if name.strip_prefix("llvm.").is_some_and(|rest| !rest.starts_with("mem")) {
        return None;
    }
    if let Some(rust) = rust_allocator(name) {
        return Some(rust);
    }
    if let Some(aligned) = name.strip_suffix("St11align_val_t") {
        return match aligned {
            "_Znwm" | "_Znam" => Some(MemoryCall::Allocate),
            "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => Some(MemoryCall::Free),
            _ => None,
        };
    }
    let plain = name.strip_prefix("llvm.").map(|rest| rest.split('.').next().unwrap_or(rest));
    let plain = plain.unwrap_or(name);
    let checked = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(plain);
    Some(match checked {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" | "pvalloc" | "_Znwm" | "_Znam" => {
            MemoryCall::Allocate
        }
        "bs_rt_lasting_shadow" => MemoryCall::Allocate,
        "bs_rt_lasting_shadow_free" => MemoryCall::Free,
        "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" => MemoryCall::Allocate,
        "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => MemoryCall::Free,
        "memcpy" | "memmove" => MemoryCall::Copy,
        "memset" => MemoryCall::Fill,
        _ => return None,
    })
}

/// Whether what a call allocates is freed by telling the call's arguments, size and alignment, again.
pub fn tells_alignment(made: &Inst) -> bool {
    let told = |name: &str| name.contains("___rust_alloc") || name.ends_with("mSt11align_val_t");
    made.callee_name().is_some_and(told) && memory_call(made) == Some(MemoryCall::Allocate)
}

/// Rust's allocator, whatever the compiler's version; the last word of the symbol says what it does.
fn rust_allocator(name: &str) -> Option<MemoryCall> {
    let last = name.starts_with("_R").then(|| name.rsplit_once("___rust_"))??.1;
    match last {
        "alloc" | "alloc_zeroed" => Some(MemoryCall::Allocate),
        "dealloc" => Some(MemoryCall::Free),
        _ => None,
    }
}
