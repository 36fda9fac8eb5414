//! Where each operation of the model has its derivative: in a row, in emission, or nowhere for a reason.
//!
//! Invariant: total, and every `match` exhaustive. A new `Op` breaks the build here until someone decides.

use crate::model::{AtomicOp, CastOp, FloatOp, Link, Op};

use super::row::Row;

/// What the rules say of one operation.
#[derive(Clone, Copy, Debug)]
pub enum OpRule<'a> {
    /// A row, where the result is real; on other types (`select` of pointers) the operation only moves values.
    Row(&'a Row),
    /// Moves values or memory about: the derivative moves the same way, and the structure of the program decides how.
    Structural(&'static str),
    /// Carries no derivative, and why.
    Inactive(&'static str),
    /// Decides where control goes; the reverse sweep retraces it.
    Control(&'static str),
    /// A call: the callee decides.
    Callee,
    /// The model does not know what it does: refused when active.
    Opaque,
}

/// An operation's place, by the name of the row where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Row(&'static str),
    /// A row that no program is written with.
    Link(Link),
    Structural(&'static str),
    Inactive(&'static str),
    Control(&'static str),
    Callee,
    Opaque,
}

pub fn place_of(op: &Op) -> Place {
    use Place::{Control, Inactive, Structural};
    match op {
        Op::FNeg => Place::Row("fneg"),
        Op::Float(op) => Place::Row(float_row(*op)),
        Op::Int(_) => Inactive("integers carry no derivative"),
        Op::Cast(cast) => place_of_cast(*cast),
        Op::ICmp(_) | Op::FCmp(_) => Inactive("a truth value is constant between jumps"),
        Op::Select => Place::Row("select"),
        Op::Freeze => Structural("a copy"),
        Op::Attach(link) => Place::Link(*link),
        Op::Phi { .. } => Structural("the adjoint goes back along the edge that was taken"),
        Op::ExtractElement | Op::ExtractValue { .. } => Structural("a part of a value"),
        Op::InsertElement | Op::InsertValue { .. } => Structural("a value with one part replaced"),
        Op::ShuffleVector { .. } => Structural("lanes in another order"),
        Op::Alloca(_) => Structural("memory with a shadow"),
        Op::Load(_) => Structural("a read, whose adjoint is added to the shadow"),
        Op::Store(_) => Structural("a write, whose adjoint is taken from the shadow, which is zeroed"),
        Op::Gep(_) => Structural("an address; the shadow's is computed alike"),
        Op::AtomicRmw { op, .. } => place_of_atomic(*op),
        Op::CompareExchange { .. } => Structural("an exchange of memory for a value"),
        Op::Fence { .. } => Inactive("orders memory and computes nothing"),
        Op::VaArg => Structural("a read from the argument list"),
        Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => Place::Callee,
        Op::LandingPad { .. } => Inactive("an exception object is no number"),
        Op::Ret => Structural("hands the result to the caller"),
        Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } | Op::IndirectBr { .. } => {
            Control("the edge taken is re-evaluated or recorded")
        }
        Op::Resume => Control("leaves the function by an exception"),
        Op::Unreachable => Control("never reached"),
        Op::Opaque { .. } => Place::Opaque,
    }
}

pub fn float_row(op: FloatOp) -> &'static str {
    match op {
        FloatOp::Add => "fadd",
        FloatOp::Sub => "fsub",
        FloatOp::Mul => "fmul",
        FloatOp::Div => "fdiv",
        FloatOp::Rem => "frem",
    }
}

/// The instruction that computes a row, for forms that name one.
pub fn instruction_of(row: &str) -> Option<Op> {
    match row {
        "fneg" => Some(Op::FNeg),
        "fadd" => Some(Op::Float(FloatOp::Add)),
        "fsub" => Some(Op::Float(FloatOp::Sub)),
        "fmul" => Some(Op::Float(FloatOp::Mul)),
        "fdiv" => Some(Op::Float(FloatOp::Div)),
        "frem" => Some(Op::Float(FloatOp::Rem)),
        "fpext" => Some(Op::Cast(CastOp::FpExt)),
        "fptrunc" => Some(Op::Cast(CastOp::FpTrunc)),
        "select" => Some(Op::Select),
        _ => None,
    }
}

fn place_of_cast(cast: CastOp) -> Place {
    match cast {
        CastOp::FpExt => Place::Row("fpext"),
        CastOp::FpTrunc => Place::Row("fptrunc"),
        CastOp::FpToUi | CastOp::FpToSi => Place::Inactive("an integer, constant between jumps"),
        CastOp::UiToFp | CastOp::SiToFp => Place::Inactive("from an integer, which carries no derivative"),
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt => Place::Inactive("integers carry no derivative"),
        // A float may travel through these as bytes: the kinds of bytes decide, not the rule.
        CastOp::BitCast => Place::Structural("the same bits under another type"),
        CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr => {
            Place::Structural("an address as a number, and back")
        }
        CastOp::AddrSpaceCast => Place::Structural("an address; the shadow's is cast alike"),
    }
}

fn place_of_atomic(op: AtomicOp) -> Place {
    match op {
        AtomicOp::FAdd | AtomicOp::FSub | AtomicOp::FMax | AtomicOp::FMin => {
            Place::Structural("reads memory and writes a float computed from it")
        }
        AtomicOp::Exchange => Place::Structural("an exchange of memory for a value"),
        AtomicOp::Add
        | AtomicOp::Sub
        | AtomicOp::And
        | AtomicOp::Nand
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Max
        | AtomicOp::Min
        | AtomicOp::UMax
        | AtomicOp::UMin => Place::Inactive("integers carry no derivative"),
        AtomicOp::Other => Place::Opaque,
    }
}
