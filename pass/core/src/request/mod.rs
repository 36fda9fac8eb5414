//! What the user asked for: a hook call, parsed against the function it names into a [`Request`].
//!
//! Invariant: a `Request` is complete and fits the function's types; whatever does not is a [`Refusal`] that says
//! what was found, what was expected and how to write it. All refusals of one call are collected.

mod arguments;
mod batch;
mod describe;
mod hook;
mod packing;
mod parse;
mod result;
mod tail;
mod together;
mod token;

pub use arguments::converts;
pub use batch::{Batch, Passed, parse_batch};
pub use hook::{Hook, Mode, find_hook, is_type_hint};
pub use packing::{FloatPairs, is_same_members};
pub use parse::{HookCall, HookOperand, Request, ResultUse, parse_request};
pub use result::{Fit, Part, expected_parts, fit_result, part_type, parts_type};
pub use token::{CallWay, Token, TokenName, find_token};

use crate::refusal::Refusal;

/// How one parameter takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Activity {
    /// Not differentiated.
    Const,
    /// A pointer with its shadow, or in forward mode a float with its tangent.
    Dup,
    /// Like `Dup`; what the primal leaves behind the pointer is not needed afterwards.
    DupNoNeed,
    /// Like `Dup`; the shadow is known to be zero on entry.
    DupFresh,
    /// A float by value; its derivative is returned.
    Out,
}

impl Activity {
    pub fn has_shadow(self) -> bool {
        match self {
            Activity::Dup | Activity::DupNoNeed | Activity::DupFresh => true,
            Activity::Const | Activity::Out => false,
        }
    }

    pub fn is_active(self) -> bool {
        self != Activity::Const
    }

    pub fn name(self) -> &'static str {
        match self {
            Activity::Const => "const",
            Activity::Dup => "dup",
            Activity::DupNoNeed => "dup_noneed",
            Activity::DupFresh => "dup_fresh",
            Activity::Out => "out",
        }
    }
}

/// One argument of the differentiated function: which operands of the hook call belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    pub activity: Activity,
    /// Operand number of the primal value.
    pub primal: usize,
    /// Operand numbers of the shadows: one for each direction, or with a stride that of the first.
    pub shadows: Vec<usize>,
    /// Operand number of the bytes from one direction's shadow to the next.
    pub stride: Option<usize>,
    /// Whether value and shadows stand behind the operands, which are pointers.
    pub by_reference: bool,
}

type Refusals = Vec<Refusal>;
