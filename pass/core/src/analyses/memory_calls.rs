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

/// What copies bytes where nobody promises anything.
pub const PLAIN_COPY: &str = "llvm.memcpy.p0.p0.i64";

const NEW: MemoryCall = MemoryCall::Allocate { size: 0, times: None, zeroed: false };
const FREE: MemoryCall = MemoryCall::Free { pointer: 0 };

const NAMES: [(&str, MemoryCall); 32] = [
    ("malloc", NEW),
    ("calloc", MemoryCall::Allocate { size: 0, times: Some(1), zeroed: true }),
    // Of derivatives, where these are differentiated.
    ("bs_rt_lasting_shadow", MemoryCall::Allocate { size: 0, times: Some(1), zeroed: true }),
    ("bs_rt_lasting_shadow_free", FREE),
    ("aligned_alloc", MemoryCall::Allocate { size: 1, times: None, zeroed: false }),
    ("memalign", MemoryCall::Allocate { size: 1, times: None, zeroed: false }),
    ("valloc", NEW),
    ("pvalloc", NEW),
    ("_Znwm", NEW),
    ("_Znam", NEW),
    ("_ZnwmRKSt9nothrow_t", NEW),
    ("_ZnamRKSt9nothrow_t", NEW),
    ("_ZnwmSt11align_val_t", NEW),
    ("_ZnamSt11align_val_t", NEW),
    ("__rust_alloc", NEW),
    ("__rust_alloc_zeroed", MemoryCall::Allocate { size: 0, times: None, zeroed: true }),
    ("__rust_dealloc", FREE),
    ("free", FREE),
    ("_ZdlPv", FREE),
    ("_ZdaPv", FREE),
    ("_ZdlPvm", FREE),
    ("_ZdaPvm", FREE),
    ("_ZdlPvSt11align_val_t", FREE),
    ("_ZdaPvSt11align_val_t", FREE),
    ("_ZdlPvmSt11align_val_t", FREE),
    ("_ZdaPvmSt11align_val_t", FREE),
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
    let name = plain_name(inst.callee_name()?);
    let exact = NAMES.iter().find(|(known, _)| *known == name);
    let prefixed = || PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
    exact.or_else(prefixed).map(|(_, call)| *call)
}

/// Rust's allocator bears the mark of the compiler's version: `_RNvCs…_7___rustc12___rust_alloc`.
fn plain_name(name: &str) -> &str {
    let marked =
        name.split_once("_7___rustc").map(|(_, rest)| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    marked.and_then(|rest| rest.strip_prefix('_')).unwrap_or(name)
}

/// Whether memory is freed by telling its size and alignment again, which are the arguments of the call that made it: Rust's,
/// and what C++ makes with an alignment of its own.
pub fn is_freed_by_size(inst: &Inst) -> bool {
    let told = |name: &str| {
        let aligned =
            name.ends_with(ALIGNED) && !matches!(name, "_ZdlPvSt11align_val_t" | "_ZdaPvSt11align_val_t");
        plain_name(name).starts_with("__rust_") || aligned
    };
    inst.callee_name().is_some_and(told)
}

/// How the symbols of C++ end that take an alignment.
const ALIGNED: &str = "St11align_val_t";

/// The function that frees by size and alignment what a call made, where it is known by the name of that call.
pub fn sized_release_of(made: &Inst) -> Option<&'static str> {
    match made.callee_name()? {
        "_ZnwmSt11align_val_t" => Some("_ZdlPvmSt11align_val_t"),
        "_ZnamSt11align_val_t" => Some("_ZdaPvmSt11align_val_t"),
        _ => None,
    }
}

/// The function that frees by its address alone what a call frees; Rust's allocator has none.
pub fn release_of(inst: &Inst) -> Option<&'static str> {
    match inst.callee_name()? {
        "free" => Some("free"),
        "_ZdlPv" | "_ZdlPvm" => Some("_ZdlPv"),
        "_ZdaPv" | "_ZdaPvm" => Some("_ZdaPv"),
        _ => None,
    }
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
