//! The checker's own reading of an instruction: which operands its derivative comes from, and which it is steered by.
//!
//! Invariant: total over [`Op`]. What is not positively known to carry nothing carries whatever it is given.

use super::atomic_counts::is_atomic_count;
use super::memory_calls::memory_call;
use super::places::is_own_copy;
use crate::model::{AtomicOp, CastOp, Function, Inst, Op, Operand, Program, Type};
use crate::rules::{CalleeRule, OpRule, OperandKind, Reduction, Row, Rules, Shape};

pub enum Role<'a> {
    /// The forms of a row say what flows and what is read.
    Row { row: &'a Row, operands: &'a [Operand], shape: Shape },
    /// The result is made of these operands as they are; `steering` says which part goes where.
    Carry { moved: Vec<usize>, steering: Option<usize> },
    /// Positively known to carry no derivative.
    Nothing,
    /// Reads or writes memory, or makes an address: what that does to shadows is not told by the operands alone.
    Memory,
    /// Hands its operands to the caller.
    Return,
    /// Calls a function with a body or a rule of the user's, so that its derivative can be called.
    Call,
    /// The result may depend on these operands in any way. `escapes`: so may memory, or the world.
    Unknown { given: Vec<usize>, escapes: bool },
}

/// What the number that an instruction gives is computed from. To the first operand of an attachment the others are only
/// attached.
pub fn numbers_of(inst: &Inst) -> &[Operand] {
    if let Op::Attach(_) = inst.op { &inst.operands[..1] } else { &inst.operands }
}

pub fn role_of<'a>(inst: &'a Inst, function: &Function, program: &Program, rules: &'a Rules) -> Role<'a> {
    let row = |otherwise: Role<'a>| match rules.lookup_op(&inst.op) {
        OpRule::Row(row) if inst.ty.is_real() => {
            Role::Row { row, operands: &inst.operands, shape: Shape::Value }
        }
        _ => otherwise,
    };
    match &inst.op {
        Op::FNeg | Op::Float(_) => row(unknown(inst)),
        Op::Cast(cast) => match cast {
            CastOp::FpExt | CastOp::FpTrunc => row(unknown(inst)),
            // The integer part of a float is constant between jumps.
            CastOp::FpToUi | CastOp::FpToSi => Role::Nothing,
            CastOp::BitCast if keeps_floats(inst, function) => carry(&[0], None),
            CastOp::BitCast
            | CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::PtrToInt
            | CastOp::PtrToAddr
            | CastOp::IntToPtr
            | CastOp::AddrSpaceCast => unknown(inst),
        },
        Op::ICmp(_) | Op::FCmp(_) | Op::Fence { .. } | Op::LandingPad { .. } => Role::Nothing,
        Op::Attach(_) => row(unknown(inst)),
        Op::Select => row(carry(&[1, 2], Some(0))),
        Op::Freeze | Op::ExtractValue { .. } => carry(&[0], None),
        Op::Phi { .. } => Role::Carry { moved: (0..inst.operands.len()).collect(), steering: None },
        Op::ShuffleVector { .. } | Op::InsertValue { .. } => carry(&[0, 1], None),
        Op::ExtractElement => carry(&[0], Some(1)),
        Op::InsertElement => carry(&[0, 1], Some(2)),
        Op::Int(_) => unknown(inst),
        Op::Alloca(_) | Op::Load(_) | Op::Gep(_) | Op::Store(_) => Role::Memory,
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } if is_atomic_count(function, inst) => {
            // A counter in shadowed memory carries nothing.
            Role::Unknown { given: (1..inst.operands.len()).collect(), escapes: false }
        }
        Op::CompareExchange { .. } | Op::VaArg => escaping(inst),
        Op::AtomicRmw { op, .. } => role_of_atomic(*op, inst),
        Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => role_of_call(inst, function, program, rules),
        Op::Ret => Role::Return,
        Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } | Op::IndirectBr { .. } => Role::Nothing,
        Op::Resume | Op::Unreachable => Role::Nothing,
        Op::Opaque { .. } => escaping(inst),
    }
}

/// The bits of a float combined into memory might carry something.
fn role_of_atomic(op: AtomicOp, inst: &Inst) -> Role<'static> {
    match op {
        AtomicOp::And | AtomicOp::Nand | AtomicOp::Or | AtomicOp::Xor => {
            Role::Unknown { given: vec![1], escapes: true }
        }
        _ => escaping(inst),
    }
}

fn role_of_call<'a>(inst: &'a Inst, function: &Function, program: &Program, rules: &'a Rules) -> Role<'a> {
    // What the user declared inactive is, whatever its body says.
    if program.is_declared_inactive(inst) {
        return Role::Nothing;
    }
    let Some(name) = inst.callee_name() else { return escaping(inst) };
    // A body in sight counts for more than a name, and so does a rule of the user's.
    if program.is_followed(name) {
        return if matches!(inst.op, Op::Call(_)) { Role::Call } else { escaping(inst) };
    }
    if memory_call(inst).is_some() || is_own_copy(inst) {
        return Role::Memory;
    }
    match rules.lookup_callee(program.known_name(name)) {
        CalleeRule::Row(found) if fits(found.row, found.shape, inst, function) => {
            Role::Row { row: found.row, operands: inst.arguments(), shape: found.shape }
        }
        CalleeRule::Reduction(Reduction::Add) if inst.arguments().len() == 2 => carry(&[0, 1], None),
        CalleeRule::Reduction(_) => unknown(inst),
        // Clocks, files and text take no float and give one.
        CalleeRule::Inactive(_) if is_of_numbers(inst, name, function) => escaping(inst),
        CalleeRule::Inactive(_) => Role::Nothing,
        CalleeRule::Row(_) | CalleeRule::Unknown => escaping(inst),
    }
}

/// Whether a function with a name that is a word gives a float, and takes one.
fn is_of_numbers(inst: &Inst, name: &str, function: &Function) -> bool {
    let takes = || inst.arguments().iter().any(|x| function.operand_type(x).is_real());
    !name.contains('.') && !name.starts_with('_') && inst.ty.is_real() && takes()
}

/// Whether the call can be of the row's function: as many results, and arguments of the kinds that the row names.
/// Another function may bear the same name.
fn fits(row: &Row, shape: Shape, inst: &Inst, function: &Function) -> bool {
    let results = match shape {
        Shape::Value => row.results.len() == 1,
        Shape::Struct => inst.ty.parts().is_some_and(|parts| parts.len() == row.results.len()),
        Shape::Stored { stored, .. } => {
            stored.iter().all(|(argument, _)| usize::from(*argument) < inst.arguments().len())
        }
    };
    let is_of = |kind: OperandKind, ty: &Type| match kind {
        OperandKind::Real => ty.is_real(),
        OperandKind::Int => matches!(ty.scalar(), Type::Int(_)),
        OperandKind::Bool => *ty.scalar() == Type::BOOL,
    };
    let arguments = inst.arguments();
    let kinds = row.operands.iter().zip(arguments).all(|(kind, x)| is_of(*kind, &function.operand_type(x)));
    results && kinds && arguments.len() >= row.operands.len()
}

/// The same floats in the same number, under a type that differs in shape only.
fn keeps_floats(inst: &Inst, function: &Function) -> bool {
    let floats = |ty: &Type| match ty {
        Type::Float(kind) => Some((*kind, 1, false)),
        Type::Vector(lanes, element) => match **element {
            Type::Float(kind) => Some((kind, lanes.count, lanes.scalable)),
            _ => None,
        },
        _ => None,
    };
    let from = inst.operands.first().and_then(|x| function.known_type(x)).and_then(|ty| floats(&ty));
    from.is_some() && from == floats(&inst.ty)
}

fn carry(moved: &[usize], steering: Option<usize>) -> Role<'static> {
    Role::Carry { moved: moved.to_vec(), steering }
}

fn unknown(inst: &Inst) -> Role<'static> {
    Role::Unknown { given: (0..inst.operands.len()).collect(), escapes: false }
}

fn escaping(inst: &Inst) -> Role<'static> {
    Role::Unknown { given: (0..inst.operands.len()).collect(), escapes: true }
}
