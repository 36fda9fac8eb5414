//! What one instruction means to derivatives: the rules' answer, with a call's callee resolved.

use super::globals::is_thread_address;
use crate::model::{CastOp, Function, Inst, Op, Operand, Program, Type};
use crate::rules::{CalleeRule, OpRule, OperandKind, Reduction, Row, Rules, Shape};

pub enum Meaning<'a> {
    /// A numeric operation: a row, and the operands that stand for its operands.
    Row { row: &'a Row, operands: Vec<Operand>, shape: Shape },
    /// Values pass through unchanged, whole or in parts.
    Move,
    /// The lanes of a vector folded into one number.
    Reduction(Reduction),
    /// Memory is read or written, or an address computed.
    Memory,
    /// Bits of a float as an integer, or the other way, or integer arithmetic on such bits.
    Bits,
    /// Positively known to carry no derivative.
    Inactive(String),
    /// Decides where control goes.
    Control,
    /// A call of a function whose body is here, or for which the user gave a rule.
    Call(String),
    /// A call of a function of which nothing is known.
    Foreign(String),
    /// No place in the model, and why.
    Opaque(String),
}

pub fn meaning<'a>(inst: &Inst, function: &Function, program: &Program, rules: &'a Rules) -> Meaning<'a> {
    match rules.lookup_op(&inst.op) {
        OpRule::Row(row) if inst.ty.is_real() => {
            Meaning::Row { row, operands: inst.operands.clone(), shape: Shape::Value }
        }
        OpRule::Row(_) => Meaning::Move,
        OpRule::Structural(_) => structural(inst, function),
        OpRule::Inactive(reason) => match inst.op {
            // A float's integer part is constant between jumps; its bits are not.
            Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => Meaning::Inactive(reason.into()),
            Op::Int(_) | Op::Cast(_) => Meaning::Bits,
            _ => Meaning::Inactive(reason.into()),
        },
        OpRule::Control(_) => Meaning::Control,
        OpRule::Callee => callee(inst, function, program, rules),
        OpRule::Opaque => match &inst.op {
            Op::Opaque { reason, .. } => Meaning::Opaque(reason.clone()),
            other => Meaning::Opaque(format!("{other:?}")),
        },
    }
}

/// Which of a row's operands one is. A call may be given more than the row speaks of, as the place in the source.
pub fn place_in_row(row: &Row, operands: &[Operand], wanted: &Operand) -> Option<usize> {
    operands.iter().take(row.operands.len()).position(|operand| operand == wanted)
}

fn structural<'a>(inst: &Inst, function: &Function) -> Meaning<'a> {
    match &inst.op {
        Op::Cast(_) => {
            let same = inst.operands.iter().all(|x| kind_of(&function.operand_type(x)) == kind_of(&inst.ty));
            if same && inst.ty.is_real() { Meaning::Move } else { Meaning::Bits }
        }
        Op::Alloca(_)
        | Op::Load(_)
        | Op::Store(_)
        | Op::Gep(_)
        | Op::AtomicRmw { .. }
        | Op::CompareExchange { .. }
        | Op::VaArg => Meaning::Memory,
        _ => Meaning::Move,
    }
}

fn kind_of(ty: &Type) -> Option<(&Type, u32)> {
    let lanes = match ty {
        Type::Vector(lanes, _) => lanes.count,
        _ => 1,
    };
    ty.is_real().then(|| (ty.scalar(), lanes))
}

/// Whether the arguments are of the row's kinds: a user's own function may bear a library's name.
fn is_of_row(inst: &Inst, function: &Function, row: &Row) -> bool {
    let kinds = row.operands.iter().zip(inst.arguments()).all(|(kind, argument)| {
        let ty = function.operand_type(argument);
        match kind {
            OperandKind::Real => ty.is_real(),
            OperandKind::Int => matches!(ty.scalar(), Type::Int(_)),
            OperandKind::Bool => *ty.scalar() == Type::BOOL,
        }
    });
    let reals = inst.arguments().iter().filter(|argument| function.operand_type(argument).is_real()).count();
    let wanted = row.operands.iter().filter(|kind| **kind == OperandKind::Real).count();
    kinds && inst.arguments().len() >= row.operands.len() && reals == wanted
}

/// Whether a function of C's makes a float of a float that it is given: of those with a name in the list none does, so it is another one.
fn makes_real_of_real(inst: &Inst, function: &Function, name: &str) -> bool {
    let given = inst.arguments().iter().any(|x| function.operand_type(x).is_real());
    let plain =
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !name.starts_with('_');
    plain && inst.ty.is_real() && given
}

fn callee<'a>(inst: &Inst, function: &Function, program: &Program, rules: &'a Rules) -> Meaning<'a> {
    if program.is_declared_inactive(inst) {
        return Meaning::Inactive("declared inactive by the user".into());
    }
    let Some(name) = inst.callee_name() else {
        return Meaning::Foreign("a function known only at run time".into());
    };
    if is_thread_address(inst) {
        return Meaning::Memory;
    }
    if program.is_followed(name) {
        return Meaning::Call(name.into());
    }
    match rules.lookup_callee(program.known_name(name)) {
        CalleeRule::Row(found) if is_of_row(inst, function, found.row) => {
            Meaning::Row { row: found.row, operands: inst.arguments().to_vec(), shape: found.shape }
        }
        CalleeRule::Reduction(reduction) => Meaning::Reduction(reduction),
        CalleeRule::Inactive(reason) if !makes_real_of_real(inst, function, name) => {
            Meaning::Inactive(reason.into())
        }
        CalleeRule::Inactive(_) | CalleeRule::Row(_) | CalleeRule::Unknown => {
            Meaning::Foreign(format!("`{name}`"))
        }
    }
}
