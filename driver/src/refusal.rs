//! Why the driver does not do what it was asked, or what it has found to be wrong: one line for the user, with an id.

use std::fmt;

/// The numbers users can look up in `docs/diagnostics.md`. Those below 100 are the plugin's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Installation = 100,
    File = 101,
    Compile = 102,
    Function = 103,
    Signature = 104,
    Point = 105,
    Refused = 106,
    Program = 107,
    Lto = 108,
    Unexplained = 109,
    Writing = 110,
    Parted = 120,
    Changing = 121,
    Unsettled = 122,
    NothingCompared = 123,
    Unlocated = 124,
    Fault = 199,
}

#[derive(Debug)]
pub struct Refusal {
    code: Code,
    text: String,
}

impl Refusal {
    pub fn new(code: Code, text: impl Into<String>) -> Refusal {
        Refusal { code, text: text.into() }
    }

    /// The same refusal, saying more.
    pub fn with(self, more: &str) -> Refusal {
        Refusal { text: self.text + more, ..self }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BS{:03}", *self as u32)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.text, self.code)
    }
}
