//! What memory and instructions are called in a sentence.

use std::collections::BTreeSet;

use super::Subject;
use super::elements::{name_element, name_global};
use crate::analyses::pointers::Base;
use crate::model::{CastOp, FloatOp, Inst, Op, Operand, ValueId};
use crate::plan::Storage;

/// An instruction that stands where this one does: joined values have no line of their own.
pub fn place_of(subject: &Subject, id: ValueId) -> ValueId {
    let stands = |id: &ValueId| {
        subject.function.inst(*id).is_some_and(|inst| inst.loc.is_some_and(|loc| loc.line > 0))
    };
    let Some(block) = subject.dependences.nesting.home(id).filter(|_| !stands(&id)) else { return id };
    let header = subject.function.loops.iter().any(|known| known.header == block);
    let end = subject.function.terminator(block).filter(|end| header && stands(end));
    let first = subject.function.block(block).insts.iter().copied().find(stands);
    end.or(first).unwrap_or(id)
}

/// `line 12`, or `a line that is not known`.
pub fn name_line(subject: &Subject, id: ValueId) -> String {
    match subject.function.inst(place_of(subject, id)).and_then(|inst| inst.loc) {
        Some(loc) if loc.line > 0 => format!("line {}", loc.line),
        _ => "a line that is not known".into(),
    }
}

/// Without debug information optimised builds have no names.
pub fn name_param(subject: &Subject, param: ValueId) -> String {
    let name = subject.function.params.get(param.0 as usize).and_then(|param| param.name.as_ref());
    name.map_or_else(|| format!("parameter {}", param.0 + 1), |name| format!("`{name}`"))
}

/// The memory that a pointer leads to.
pub fn name_memory(subject: &Subject, pointer: &Operand) -> String {
    name_bases(subject, &subject.plan.activity.bases(pointer))
}

pub fn name_bases(subject: &Subject, bases: &BTreeSet<Base>) -> String {
    let mut names: Vec<String> = bases.iter().map(|base| name_base(subject, base)).collect();
    names.dedup();
    if names.is_empty() { "memory".into() } else { names.join(" or ") }
}

pub fn name_base(subject: &Subject, base: &Base) -> String {
    match base {
        Base::Param(param) => name_param(subject, *param),
        Base::Stack(id) => name_value(subject, *id, || "a local variable".into()),
        Base::Heap(id) => {
            name_value(subject, *id, || format!("the memory allocated at {}", name_line(subject, *id)))
        }
        Base::Global(name) => format!("the global `{}`", name_global(name)),
        Base::Loaded(id) => name_value(subject, *id, || {
            format!("the memory behind the pointer read at {}", name_line(subject, *id))
        }),
        Base::Returned(id) => {
            format!("the memory behind the pointer returned at {}", name_line(subject, *id))
        }
        Base::Null => "nothing".into(),
        Base::Unknown => "memory of unknown origin".into(),
    }
}

/// The variable of the source, where debug information tells.
fn name_value(subject: &Subject, id: ValueId, otherwise: impl Fn() -> String) -> String {
    subject.function.names.get(&id).map_or_else(otherwise, |name| format!("`{}`", name.text))
}

/// What an instruction gives or does.
pub fn name_inst(subject: &Subject, id: ValueId) -> String {
    let Some(inst) = subject.function.inst(id) else { return name_param(subject, id) };
    match &inst.op {
        Op::Load(_) => name_element(subject, id)
            .unwrap_or_else(|| format!("what is read from {}", name_memory(subject, &inst.operands[0]))),
        Op::Store(_) => {
            let element = name_element(subject, id);
            format!("the store to {}", element.unwrap_or_else(|| name_memory(subject, &inst.operands[1])))
        }
        Op::FNeg => "the negation".into(),
        Op::Float(op) => name_float(*op).into(),
        Op::Int(_) => "the index arithmetic".into(),
        Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => "the integer as a float".into(),
        Op::Cast(_) => "the conversion".into(),
        Op::ICmp(_) | Op::FCmp(_) => "the comparison".into(),
        Op::Select => "the choice".into(),
        Op::Phi { .. } => name_phi(subject, id),
        Op::Gep(_) => format!("the address in {}", name_memory(subject, &Operand::Value(id))),
        Op::Alloca(_) => name_value(subject, id, || "the local variable".into()),
        Op::Call(_) | Op::Invoke { .. } => format!("the result of {}", name_callee(inst)),
        Op::Ret => "the return".into(),
        Op::CondBr { .. } | Op::Switch { .. } => "the branch".into(),
        Op::Br { .. } => "the way on".into(),
        _ => "the value".into(),
    }
}

fn name_phi(subject: &Subject, id: ValueId) -> String {
    let name = subject.function.names.get(&id).map(|name| format!("`{}`", name.text));
    let home = subject.dependences.nesting.home(id);
    match subject.decision(id).map(|decision| &decision.choice) {
        Some(Storage::Invert { .. }) => name.unwrap_or("the counter of the loop".into()),
        _ if subject.function.loops.iter().any(|known| Some(known.header) == home) => name.map_or_else(
            || "the value that the iteration before hands on".into(),
            |name| format!("{name} from the iteration before"),
        ),
        _ => name.map_or_else(
            || "the value that depends on the way here".into(),
            |name| format!("{name}, which depends on the way here"),
        ),
    }
}

/// Intrinsics by what the user may have written.
pub fn name_callee(inst: &Inst) -> String {
    let Some(name) = inst.callee_name() else { return "a call".into() };
    let plain = name.strip_prefix("llvm.").map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
    match plain {
        "fmuladd" | "fma" => "the multiplication and addition".into(),
        _ => format!("`{plain}`"),
    }
}

fn name_float(op: FloatOp) -> &'static str {
    match op {
        FloatOp::Add => "the sum",
        FloatOp::Sub => "the difference",
        FloatOp::Mul => "the product",
        FloatOp::Div => "the quotient",
        FloatOp::Rem => "the remainder",
    }
}
