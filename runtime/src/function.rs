//! Who is asking: the name of the differentiated function, as generated code passes it.
//!
//! Invariant: the pointer is null or names a string that lives as long as the program (generated code passes
//! constants, C passes `__func__`), so a record's tag may keep it.

use std::ffi::{CStr, c_char};
use std::fmt;

/// The function on whose behalf the runtime was entered.
#[derive(Clone, Copy)]
pub struct Function(*const c_char);

impl Function {
    pub fn new(name: *const c_char) -> Self {
        Function(name)
    }

    pub fn unknown() -> Self {
        Function(std::ptr::null())
    }

    /// Whether both stand for one name; each file of generated code has a copy of its own.
    pub fn is_same_as(self, other: Function) -> bool {
        if self.0.is_null() || other.0.is_null() {
            return self.0 == other.0;
        }
        // SAFETY: as the invariant says, both are strings.
        unsafe { CStr::from_ptr(self.0) == CStr::from_ptr(other.0) }
    }

    pub fn as_ptr(self) -> *const c_char {
        self.0
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_null() {
            return f.write_str("an unnamed function");
        }
        // SAFETY: the header demands a NUL-terminated string with static lifetime.
        let name = unsafe { CStr::from_ptr(self.0) };
        write!(f, "'{}'", name.to_string_lossy())
    }
}
