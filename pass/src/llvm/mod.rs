//! LLVM as plain Rust: thin `Copy` handles over its C interface and our C++ shim.
//!
//! Invariant: handles are made only from live objects of the module under the pass, and none outlives the pass.
//! Invariant: nothing here decides; every function is one query or one edit.

pub mod shim;

mod block;
mod build;
mod module;
mod ty;
mod value;

pub use block::Block;
pub use build::Builder;
pub use module::Module;
pub use ty::Ty;
pub use value::Value;

/// Calls LLVM. The handles passed are live by the module's invariant, and of the kind the function's name asks for.
macro_rules! llvm {
    ($call:expr) => {
        // SAFETY: handles come from the running pass's module and live as long as it (see `llvm/mod.rs`); LLVM's C
        // functions ask for nothing more than an object of the right kind, which the caller has established.
        unsafe { $call }
    };
}
pub(crate) use llvm;

/// Copies text that LLVM owns.
pub(crate) fn text_of(bytes: *const std::ffi::c_char, length: usize) -> String {
    if bytes.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out `length` readable bytes at this address.
    let slice = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), length) };
    String::from_utf8_lossy(slice).into_owned()
}

/// Copies a zero-terminated text, or nothing for null.
pub(crate) fn c_text(bytes: *const std::ffi::c_char) -> Option<String> {
    if bytes.is_null() {
        return None;
    }
    // SAFETY: LLVM's C strings end with a zero byte.
    let text = unsafe { std::ffi::CStr::from_ptr(bytes) };
    Some(text.to_string_lossy().into_owned())
}

/// A zero-terminated copy for LLVM to read; interior zeros end the text early rather than fail.
pub(crate) fn c_string(text: &str) -> std::ffi::CString {
    let end = text.find('\0').unwrap_or(text.len());
    std::ffi::CString::new(&text[..end]).unwrap_or_default()
}
