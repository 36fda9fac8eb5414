//! What an instruction does. Every LLVM instruction has a variant, or is `Opaque` with the reason.

use super::constant::Constant;
use super::function::BlockId;
use super::layout::Layout;
use super::types::Type;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    FNeg,
    Float(FloatOp),
    Int(IntOp),
    Cast(CastOp),
    ICmp(IntPredicate),
    FCmp(FloatPredicate),
    Select,
    Freeze,
    /// The number of operand 0, under a derivative that a local Jacobian says. No program is written with it: the planner
    /// puts it behind what it has preaccumulated, and derivatives do not hold it.
    Attach(Link),
    /// Operand `i` arrives from block `from[i]`.
    Phi {
        from: Vec<BlockId>,
    },
    ExtractElement,
    InsertElement,
    /// `-1` in the mask is a lane whose content does not matter.
    ShuffleVector {
        mask: Vec<i32>,
    },
    ExtractValue {
        path: Vec<u32>,
    },
    InsertValue {
        path: Vec<u32>,
    },
    Alloca(Alloca),
    /// Operands: pointer.
    Load(Access),
    /// Operands: value, pointer.
    Store(Access),
    /// Operands: base, then the indices.
    Gep(Gep),
    /// Operands: pointer, value.
    AtomicRmw {
        op: AtomicOp,
        access: Access,
    },
    /// Operands: pointer, expected, new.
    CompareExchange {
        access: Access,
    },
    Fence {
        ordering: Ordering,
    },
    VaArg,
    Call(Call),
    LandingPad {
        cleanup: bool,
    },
    // Terminators.
    Ret,
    Br {
        to: BlockId,
    },
    /// Operand: the condition.
    CondBr {
        yes: BlockId,
        no: BlockId,
    },
    /// Operand: the value switched on.
    Switch {
        cases: Vec<(Constant, BlockId)>,
        default: BlockId,
    },
    IndirectBr {
        targets: Vec<BlockId>,
    },
    Invoke {
        call: Call,
        normal: BlockId,
        unwind: BlockId,
    },
    /// A call of inline assembly that may jump: on to `normal`, or to one of the others.
    CallBr {
        call: Call,
        normal: BlockId,
        others: Vec<BlockId>,
    },
    Resume,
    Unreachable,
    /// What the model has no place for. A terminator where `ends_block`; only then has it successors.
    Opaque {
        mnemonic: String,
        reason: String,
        ends_block: bool,
        successors: Vec<BlockId>,
    },
}

/// One link in the chain of what a number's derivative is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Link {
    /// None yet.
    Start,
    /// What operand 0 has, and operand 1 times the derivative of operand 2. Guarded: where what is multiplied is exactly
    /// zero, nothing is added, whatever operand 1 is.
    Term { guarded: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    PtrToAddr,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

impl IntPredicate {
    /// Whether it holds of two integers of so many bits.
    pub fn holds_of(self, bits: u32, x: i128, y: i128) -> bool {
        let shift = 128 - bits.clamp(1, 128);
        let unsigned = |x: i128| ((x as u128) << shift) >> shift;
        let signed = |x: i128| (x << shift) >> shift;
        let ((a, b), (x, y)) = ((unsigned(x), unsigned(y)), (signed(x), signed(y)));
        match self {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Sgt => x > y,
            IntPredicate::Sge => x >= y,
            IntPredicate::Slt => x < y,
            IntPredicate::Sle => x <= y,
        }
    }

    /// What holds where this does not.
    pub fn inverse(self) -> IntPredicate {
        match self {
            IntPredicate::Eq => IntPredicate::Ne,
            IntPredicate::Ne => IntPredicate::Eq,
            IntPredicate::Ugt => IntPredicate::Ule,
            IntPredicate::Uge => IntPredicate::Ult,
            IntPredicate::Ult => IntPredicate::Uge,
            IntPredicate::Ule => IntPredicate::Ugt,
            IntPredicate::Sgt => IntPredicate::Sle,
            IntPredicate::Sge => IntPredicate::Slt,
            IntPredicate::Slt => IntPredicate::Sge,
            IntPredicate::Sle => IntPredicate::Sgt,
        }
    }

    /// The same of exchanged operands.
    pub fn swapped(self) -> IntPredicate {
        match self {
            IntPredicate::Eq | IntPredicate::Ne => self,
            IntPredicate::Ugt => IntPredicate::Ult,
            IntPredicate::Uge => IntPredicate::Ule,
            IntPredicate::Ult => IntPredicate::Ugt,
            IntPredicate::Ule => IntPredicate::Uge,
            IntPredicate::Sgt => IntPredicate::Slt,
            IntPredicate::Sge => IntPredicate::Sle,
            IntPredicate::Slt => IntPredicate::Sgt,
            IntPredicate::Sle => IntPredicate::Sge,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alloca {
    pub allocated: Type,
    /// Bytes of one element; the operand counts the elements.
    pub bytes: u64,
    pub align: u64,
}

/// How memory is touched by one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Bytes touched, `None` for scalable vectors.
    pub bytes: Option<u64>,
    pub align: u64,
    pub volatile: bool,
    pub ordering: Ordering,
    /// What is touched is a member of a struct that the program declares to be an integer.
    pub integer: bool,
    /// The same of a float or a pointer.
    pub member: bool,
    /// A pointer in a struct, or a float in an array there, that was stepped to by the type of the struct. Nobody who keeps the rules
    /// of the language finds the one where the other is declared, whatever number chooses the float.
    pub stepped: bool,
    /// Bytes were copied here: the program does not say that they are of the type they are touched with.
    pub untyped: bool,
    /// The language says that what is accessed as a number of this type is not accessed as a pointer, or the other way.
    pub typed: bool,
    /// A word of a derivative's record: an integer whose bits mean a float to nobody, wherever the derivative takes it from there.
    pub number: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ordering {
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

/// Address arithmetic in bytes: `base + offset + Σ index·scale`, summed over the index operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gep {
    /// The type the indices step over, kept so that the text reads like LLVM's.
    pub source: Type,
    pub strides: Vec<Stride>,
}

/// What one index operand contributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// The index times that many bytes.
    Scale(u64),
    /// A constant field number: that many bytes, whatever the operand.
    Field(u64),
    /// A step over a type whose size is known at run time only.
    Unknown,
}

/// A call's operands are the arguments, then operand bundles, then the callee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// How many of the operands are arguments.
    pub arguments: u32,
    /// Whether the target's library is known to mean what its name says (a user's own `sin` is not).
    pub library: bool,
    /// Attributes of the call site and of a declared callee, by their LLVM spelling, sorted.
    pub attributes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AtomicOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    /// One of the rarer ones, which no derivative needs told apart.
    Other,
}

impl AtomicOp {
    /// Whether it counts: only integers are added to, or compared by size, in this way.
    pub fn counts(self) -> bool {
        matches!(
            self,
            AtomicOp::Add | AtomicOp::Sub | AtomicOp::Max | AtomicOp::Min | AtomicOp::UMax | AtomicOp::UMin
        )
    }
}

impl Alloca {
    /// One element of a type, sized and aligned as the layout says.
    pub fn usual(allocated: &Type, layout: &Layout) -> Alloca {
        let (bytes, align) = (layout.size_of(allocated), layout.align_of(allocated));
        Alloca { allocated: allocated.clone(), bytes: bytes.unwrap_or(0), align: align.unwrap_or(1) }
    }
}

impl Access {
    /// An ordinary access to a value of a type, sized and aligned as the layout says.
    pub fn usual(accessed: Option<Type>, layout: &Layout) -> Access {
        let bytes = accessed.as_ref().and_then(|ty| layout.store_size(ty));
        let align = accessed.as_ref().and_then(|ty| layout.align_of(ty)).unwrap_or(1);
        Access {
            bytes,
            align,
            volatile: false,
            ordering: Ordering::NotAtomic,
            integer: false,
            member: false,
            stepped: false,
            untyped: false,
            typed: false,
            number: false,
        }
    }
}

impl Op {
    pub fn is_terminator(&self) -> bool {
        match self {
            Op::Ret
            | Op::Br { .. }
            | Op::CondBr { .. }
            | Op::Switch { .. }
            | Op::IndirectBr { .. }
            | Op::Invoke { .. }
            | Op::CallBr { .. }
            | Op::Resume
            | Op::Unreachable => true,
            Op::Opaque { ends_block, .. } => *ends_block,
            Op::FNeg
            | Op::Float(_)
            | Op::Int(_)
            | Op::Cast(_)
            | Op::ICmp(_)
            | Op::FCmp(_)
            | Op::Select
            | Op::Freeze
            | Op::Attach(_)
            | Op::Phi { .. }
            | Op::ExtractElement
            | Op::InsertElement
            | Op::ShuffleVector { .. }
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::Alloca(_)
            | Op::Load(_)
            | Op::Store(_)
            | Op::Gep(_)
            | Op::AtomicRmw { .. }
            | Op::CompareExchange { .. }
            | Op::Fence { .. }
            | Op::VaArg
            | Op::Call(_)
            | Op::LandingPad { .. } => false,
        }
    }

    /// Where control may go next, in operand order; a block may stand twice.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Op::Br { to } => vec![*to],
            Op::CondBr { yes, no } => vec![*yes, *no],
            Op::Switch { cases, default } => {
                std::iter::once(*default).chain(cases.iter().map(|(_, block)| *block)).collect()
            }
            Op::IndirectBr { targets } => targets.clone(),
            Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            Op::CallBr { normal, others, .. } => {
                std::iter::once(*normal).chain(others.iter().copied()).collect()
            }
            Op::Opaque { successors, .. } => successors.clone(),
            _ => Vec::new(),
        }
    }

    /// How memory is touched, for the operations that say.
    pub fn access(&self) -> Option<&Access> {
        match self {
            Op::Load(access)
            | Op::Store(access)
            | Op::AtomicRmw { access, .. }
            | Op::CompareExchange { access } => Some(access),
            _ => None,
        }
    }

    pub fn access_mut(&mut self) -> Option<&mut Access> {
        match self {
            Op::Load(access)
            | Op::Store(access)
            | Op::AtomicRmw { access, .. }
            | Op::CompareExchange { access } => Some(access),
            _ => None,
        }
    }

    /// The call inside a `call`, `invoke` or `callbr`.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Op::Call(call) | Op::Invoke { call, .. } | Op::CallBr { call, .. } => Some(call),
            _ => None,
        }
    }
}
