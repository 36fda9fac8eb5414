//! Plan → the derivative, as a function of the model. Every decision is in the plan; this writes it out.
//!
//! Invariant: infallible on a checked plan. What comes out is well-formed by the model's verifier, can be printed and
//! interpreted like any other function, and becomes LLVM IR one instruction at a time.

mod accumulate;
mod adjoint;
mod builder;
mod cells;
mod copies;
mod expand;
mod gradient;
mod reverse;
mod signature;
mod tangent;

pub use builder::zero_of;

use crate::model::{Function, Program};
use crate::plan::Plan;
use crate::request::Mode;
use crate::rules::Rules;

/// Writes the derivative function that a plan describes, under a new name.
pub fn derive(plan: &Plan, function: &Function, program: &Program, rules: &Rules, name: &str) -> Function {
    let source = Source { plan, function, program, rules };
    let mut derived = match plan.request.mode {
        Mode::Tangent => tangent::write_tangent(&source, name),
        Mode::Gradient | Mode::Augmented | Mode::Reverse => gradient::write_gradient(&source, name),
    };
    derived.loc = function.loc;
    derived
}

/// What every writer looks at.
struct Source<'a> {
    plan: &'a Plan,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
}
