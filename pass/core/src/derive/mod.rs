//! Plan → the derivative, as a function of the model. Every decision is in the plan; this writes it out.
//!
//! Invariant: infallible on a checked plan. What comes out is well-formed by the model's verifier, can be printed and
//! interpreted like any other function, and becomes LLVM IR one instruction at a time.

mod accumulate;
mod adjoint;
mod arrays;
mod arrivals;
mod builder;
mod calls;
mod cells;
mod contracted;
mod copies;
mod cursor;
mod elements;
mod exceptions;
mod expand;
mod fast_path;
mod fused;
mod globals;
mod gradient;
mod idle;
mod joint;
mod large;
mod lasting;
mod left;
mod loops;
mod memory;
mod records;
mod recount;
mod rerun;
mod resident;
mod reverse;
mod rooms;
mod rows;
mod separation;
mod shadows;
mod signature;
mod slots;
mod strip;
mod tangent;
mod tangents;
mod tape;
mod terms;
mod uncompute;
mod widened;
mod zeroed;

pub use builder::{Builder, zero_of};
pub use expand::convert_float;
pub use fast_path::{FAST_PATH, fast_path_functions};
pub use lasting::RELEASE;
pub use records::measure_record;
pub use tape::TEXT;
pub use terms::{TermWriter, write_label};

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use loops::Loops;

use crate::config::Switch;
use crate::model::{BlockId, CastOp, Flags, Function, Layout, Op, Operand, Program, Type};
use crate::plan::Plan;
use crate::request::Mode;
use crate::rules::{Row, Rules, Shape};

/// Writes the derivative function that a plan describes, under a new name.
pub fn derive(plan: &Plan, function: &Function, program: &Program, rules: &Rules, name: &str) -> Function {
    let source = Source::of(plan, function, program, rules);
    let mut derived = match (plan.request.mode, &plan.joint) {
        (_, Some(joint)) => joint::write_half(&source, joint, name),
        (Mode::Tangent, None) => tangent::write_tangent(&source, name),
        (Mode::Gradient | Mode::Augmented | Mode::Reverse, None) => gradient::write_gradient(&source, name),
    };
    contracted::call_gradients(&source, &mut derived);
    if plan.typed == Switch::Off {
        forget_types(&mut derived);
    }
    derived.loc = function.loc;
    derived
}

fn forget_types(derived: &mut Function) {
    for inst in &mut derived.insts {
        if let Op::Load(access) | Op::Store(access) = &mut inst.op {
            access.typed = false;
        }
    }
}

/// What a call of a first half leaves on its caller's tape beside what its loops and the calls inside it record.
pub fn measure_call(plan: &Plan, function: &Function, program: &Program, rules: &Rules) -> u64 {
    let source = Source::of(plan, function, program, rules);
    let layout = Layout::parse(&program.layout);
    let in_loops: BTreeSet<BlockId> =
        function.loops.iter().flat_map(|found| found.blocks.iter().copied()).collect();
    let outside = plan.records.iter().filter(|(block, _)| !in_loops.contains(block));
    let measure =
        |(block, items): (&BlockId, &Vec<_>)| measure_record(function, plan, &layout, Some(*block), items);
    let records: u64 = outside.map(measure).sum();
    records + gradient::measure_cells(&source)
}

/// What every writer looks at.
struct Source<'a> {
    plan: &'a Plan,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    loops: OnceCell<Loops>,
    /// Where records lie in the arrays of loops, by their headers, as far as was asked.
    passes: RefCell<BTreeMap<BlockId, Rc<arrays::Pass>>>,
}

impl<'a> Source<'a> {
    fn of(plan: &'a Plan, function: &'a Function, program: &'a Program, rules: &'a Rules) -> Source<'a> {
        Source { plan, function, program, rules, loops: OnceCell::new(), passes: RefCell::default() }
    }
}

/// The fast-math promises that generated arithmetic inherits. `nnan` and `ninf` are dropped: that the primal never
/// meets a NaN or an infinity says nothing of its derivative, and a broken promise is an undefined value.
fn derived_flags(flags: Flags) -> Flags {
    Flags(flags.fast_math().0 & !(Flags::NNAN.0 | Flags::NINF.0))
}

/// The results of a row, taken out of what its operation returns. Those that went to memory are out of sight.
fn results_of(builder: &mut Builder, row: &Row, shape: Shape, whole: &Operand) -> Vec<Option<Operand>> {
    match shape {
        Shape::Value => vec![Some(whole.clone())],
        Shape::Struct => (0..row.results.len()).map(|k| Some(field_of(builder, whole, k))).collect(),
        Shape::Stored { returned, .. } => {
            (0..row.results.len()).map(|k| (returned == Some(k as u8)).then(|| whole.clone())).collect()
        }
    }
}

/// The derivative of result `k`, taken out of that of what the operation returns; `None` for a result in memory.
fn derivative_of(builder: &mut Builder, shape: Shape, d: &Operand, k: usize) -> Option<Operand> {
    match shape {
        Shape::Value => Some(d.clone()),
        Shape::Struct => Some(field_of(builder, d, k)),
        Shape::Stored { returned, .. } => (returned == Some(k as u8)).then(|| d.clone()),
    }
}

fn field_of(builder: &mut Builder, whole: &Operand, k: usize) -> Operand {
    let ty = builder.type_of(whole);
    let part = ty.parts().and_then(|parts| parts.get(k).map(|part| (*part).clone())).unwrap_or(Type::DOUBLE);
    builder.push(Op::ExtractValue { path: vec![k as u32] }, part, vec![whole.clone()])
}

/// The same floats in another shape: a vector of one lane as its lane, or the other way.
fn reshape(builder: &mut Builder, value: Operand, to: &Type) -> Operand {
    if builder.type_of(&value) == *to {
        return value;
    }
    builder.push(Op::Cast(CastOp::BitCast), to.clone(), vec![value])
}
