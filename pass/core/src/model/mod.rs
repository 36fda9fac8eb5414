//! What the program is: a closed, typed, printable picture of LLVM IR.
//!
//! `extract` makes a [`Program`] from LLVM; `derive` makes new [`Function`]s in the same
//! language; `emit` turns those back into LLVM IR. Analyses, plans and interpreters see nothing else.
//!
//! Invariant: operand `i` of an instruction is operand `i` of the LLVM instruction it stands for.
//! Labels are not operands; they live in the [`Op`].
//! Invariant: knows nothing of LLVM's C or C++ interface, and nothing of derivatives.

mod constant;
mod custom;
mod facts;
mod flags;
mod function;
mod functions;
mod layout;
mod op;
mod program;
mod remembered;
mod renumbered;
mod text;
mod types;
mod verify;

pub use constant::Constant;
pub use custom::{CustomHalves, CustomRule};
pub use facts::{AliasAnswer, AliasClass, AliasPair, Clobber, Loop, LoopId, MemoryFact, Object, Scev, Wrap};
pub use flags::Flags;
pub use function::{Block, BlockId, Function, Inst, Linkage, Loc, Name, Operand, Param, ValueId};
pub use functions::Functions;
pub use layout::Layout;
pub use op::{
    Access, Alloca, AtomicOp, Call, CastOp, FloatOp, FloatPredicate, Gep, IntOp, IntPredicate, Link, Op,
    Ordering, Stride,
};
pub use program::{
    Alias, BEHAVES_LIKE, CALLED_CONTRACTED, CALLED_JOINTLY, CALLED_SPLIT, DECLARED_INACTIVE, GIVES_PARTIALS,
    Global, GlobalDerivative, PASSES_STRUCTS, Program, Stands,
};
pub use remembered::{Remembered, Remembering};
pub use renumbered::Renumbered;
pub use text::{ParseError, parse_program};
pub use types::{FloatKind, Lanes, Type};
pub use verify::{Place, Violation, verify};
