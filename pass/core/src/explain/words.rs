//! What memory and instructions are called in a sentence.

use std::collections::BTreeSet;

use super::Subject;
use crate::analyses::pointers::Base;
use crate::model::{CastOp, FloatOp, Inst, Op, Operand, ValueId};

/// `line 12`, or `a line that is not known`.
pub fn name_line(subject: &Subject, id: ValueId) -> String {
    match subject.function.inst(id).and_then(|inst| inst.loc) {
        Some(loc) if loc.line > 0 => format!("line {}", loc.line),
        _ => "a line that is not known".into(),
    }
}

pub fn name_param(subject: &Subject, param: ValueId) -> String {
    let name = subject.function.params.get(param.0 as usize).and_then(|param| param.name.clone());
    name.unwrap_or_else(|| format!("parameter {}", param.0 + 1))
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
        Base::Param(param) => format!("`{}`", name_param(subject, *param)),
        Base::Stack(_) => "a local variable".into(),
        Base::Heap(id) => format!("the memory allocated at {}", name_line(subject, *id)),
        Base::Global(name) => format!("the global `{name}`"),
        Base::Loaded(id) => format!("the memory behind the pointer read at {}", name_line(subject, *id)),
        Base::Returned(id) => format!("the memory behind the pointer returned at {}", name_line(subject, *id)),
        Base::Null => "nothing".into(),
        Base::Unknown => "memory of unknown origin".into(),
    }
}

/// What an instruction gives or does.
pub fn name_inst(subject: &Subject, id: ValueId) -> String {
    let Some(inst) = subject.function.inst(id) else { return format!("`{}`", name_param(subject, id)) };
    match &inst.op {
        Op::Load(_) => format!("what is read from {}", name_memory(subject, &inst.operands[0])),
        Op::Store(_) => format!("the store to {}", name_memory(subject, &inst.operands[1])),
        Op::FNeg => "the negation".into(),
        Op::Float(op) => name_float(*op).into(),
        Op::Int(_) => "the index arithmetic".into(),
        Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => "the integer as a float".into(),
        Op::Cast(_) => "the conversion".into(),
        Op::ICmp(_) | Op::FCmp(_) => "the comparison".into(),
        Op::Select => "the choice".into(),
        Op::Phi { .. } => "the value that depends on the way here".into(),
        Op::Gep(_) => format!("the address in {}", name_memory(subject, &Operand::Value(id))),
        Op::Alloca(_) => "the local variable".into(),
        Op::Call(_) | Op::Invoke { .. } => format!("the result of {}", name_callee(inst)),
        Op::Ret => "the return".into(),
        Op::CondBr { .. } | Op::Switch { .. } => "the branch".into(),
        Op::Br { .. } => "the way on".into(),
        _ => "the value".into(),
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
