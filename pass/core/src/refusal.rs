//! What we say no to, and how we say it.
//!
//! A refusal is about the user's program. A fault of ours is a panic, which the plugin turns into a diagnostic asking for a report.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::Loc;

/// The numbers users can look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    NoFunction = 1,
    NoBody = 2,
    TooFewArguments = 3,
    TooManyArguments = 4,
    WrongArgumentType = 5,
    WrongShadowType = 6,
    TokenDoesNotFit = 7,
    SeedWithoutFloat = 8,
    UnknownToken = 9,
    WrongResultType = 10,
    UnknownHook = 11,
    NotSupported = 12,
    NoRule = 20,
    UnknownCallee = 21,
    ActiveOpaque = 22,
    ActiveMemory = 23,
    Recursion = 25,
    BadRule = 30,
    Internal = 99,
}

/// One thing that cannot be done, at one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    pub code: Code,
    /// What was found, what was expected, how to write it; one line.
    pub message: String,
    /// Where, if not at the request itself.
    pub loc: Option<Loc>,
    /// Places in records of a derivative at which pointers are taken to have no shadows, and may have to have them. The request is
    /// planned once more with them, see `analyses::carried`.
    pub carries: BTreeSet<String>,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), loc: None, carries: BTreeSet::new() }
    }

    pub fn at(mut self, loc: Option<Loc>) -> Refusal {
        self.loc = loc;
        self
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BS{:03}", *self as u32)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backsweep: {} [{}]", self.message, self.code)
    }
}
