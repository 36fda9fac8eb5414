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
mod tape;

pub use builder::zero_of;

use builder::Builder;

use crate::model::{CastOp, Flags, Function, Op, Operand, Program, Type};
use crate::plan::Plan;
use crate::request::Mode;
use crate::rules::{Row, Rules};

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

/// The fast-math promises that generated arithmetic inherits. `nnan` and `ninf` are dropped: that the primal never
/// meets a NaN or an infinity says nothing of its derivative, and a broken promise is an undefined value.
fn derived_flags(flags: Flags) -> Flags {
    Flags(flags.fast_math().0 & !(Flags::NNAN.0 | Flags::NINF.0))
}

/// The results of a row, taken out of what its operation returns.
fn results_of(builder: &mut Builder, row: &Row, whole: &Operand) -> Vec<Option<Operand>> {
    if row.results.len() == 1 {
        return vec![Some(whole.clone())];
    }
    let ty = builder.type_of(whole);
    let parts: Vec<Type> = ty.parts().unwrap_or_default().into_iter().cloned().collect();
    (0..)
        .zip(parts)
        .map(|(k, part)| Some(builder.push(Op::ExtractValue { path: vec![k] }, part, vec![whole.clone()])))
        .collect()
}

/// The same floats in another shape: a vector of one lane as its lane, or the other way.
fn reshape(builder: &mut Builder, value: Operand, to: &Type) -> Operand {
    if builder.type_of(&value) == *to {
        return value;
    }
    builder.push(Op::Cast(CastOp::BitCast), to.clone(), vec![value])
}
