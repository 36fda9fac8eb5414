//! Why a run stopped without a result.

use std::fmt;

use backsweep_core::model::ValueId;

/// What went wrong, without the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Undefined or poison content decided control, an address or arithmetic.
    UndefUsed(&'static str),
    OutOfBounds {
        object: u32,
        offset: i64,
        bytes: u64,
        size: u64,
    },
    UseAfterFree {
        object: u32,
    },
    /// An access through null or an integer that is no address.
    NullAccess,
    WriteToConstant,
    InvalidFree,
    DivisionByZero,
    Unreachable,
    /// A call to a function nobody defines and the oracle does not know.
    UnknownCallee(String),
    /// What the oracle does not interpret, with the reason.
    Unsupported(String),
    /// The operands do not fit the operation: the program is malformed.
    Malformed(String),
    /// The program ended itself (`abort`, a failed assertion, `exit`).
    Aborted(String),
    StepLimit,
    StackOverflow,
}

/// A fault and the instruction that met it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    pub fault: Fault,
    /// Function and value, where the fault happened inside a program.
    pub at: Option<(String, ValueId)>,
}

impl From<Fault> for Trap {
    fn from(fault: Fault) -> Trap {
        Trap { fault, at: None }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fault)?;
        match &self.at {
            Some((function, value)) => write!(f, " in {function} at %{}", value.0),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::UndefUsed(what) => write!(f, "undefined content used by {what}"),
            Fault::OutOfBounds { object, offset, bytes, size } => {
                write!(f, "access of {bytes} bytes at {offset} of object {object}, which has {size}")
            }
            Fault::UseAfterFree { object } => write!(f, "object {object} is used after its end"),
            Fault::NullAccess => write!(f, "access through a null or invented pointer"),
            Fault::WriteToConstant => write!(f, "a constant global is written"),
            Fault::InvalidFree => write!(f, "free of what is no live heap object"),
            Fault::DivisionByZero => write!(f, "integer division by zero or overflow"),
            Fault::Unreachable => write!(f, "unreachable was reached"),
            Fault::UnknownCallee(name) => write!(f, "nobody defines {name}"),
            Fault::Unsupported(what) => write!(f, "not interpreted: {what}"),
            Fault::Malformed(what) => write!(f, "malformed: {what}"),
            Fault::Aborted(what) => write!(f, "the program ended itself: {what}"),
            Fault::StepLimit => write!(f, "more steps than the limit allows"),
            Fault::StackOverflow => write!(f, "more nested calls than the limit allows"),
        }
    }
}

impl std::error::Error for Trap {}
