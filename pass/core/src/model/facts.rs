//! What LLVM's analyses answered about a function, written down once so that nobody needs to ask again.
//!
//! Invariant: an alias answer holds for one moment of execution. It says nothing about two iterations of a
//! loop; `later_overwrite` in the analyses is the place that may conclude more.

use super::function::{BlockId, Operand, ValueId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub header: BlockId,
    pub parent: Option<LoopId>,
    pub preheader: Option<BlockId>,
    /// Sorted; the header and the blocks of inner loops are among them.
    pub blocks: Vec<BlockId>,
    pub latches: Vec<BlockId>,
    /// Blocks inside the loop that have a successor outside.
    pub exiting: Vec<BlockId>,
    pub exits: Vec<BlockId>,
    /// How often the back edge is taken, in terms known on entry.
    pub back_edges: Option<Scev>,
}

/// A symbolic integer or address. Arithmetic wraps at `bits` unless the flag on an `Add`, `Mul` or `Rec` says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scev {
    Const {
        bits: u32,
        value: i128,
    },
    Value(Operand),
    Add(Wrap, Vec<Scev>),
    Mul(Wrap, Vec<Scev>),
    UDiv(Box<Scev>, Box<Scev>),
    /// `start` on entry to the loop, `step` more at each iteration.
    Rec {
        wrap: Wrap,
        start: Box<Scev>,
        step: Box<Scev>,
        of: LoopId,
    },
    ZExt(u32, Box<Scev>),
    SExt(u32, Box<Scev>),
    Trunc(u32, Box<Scev>),
    SMax(Vec<Scev>),
    UMax(Vec<Scev>),
    SMin(Vec<Scev>),
    UMin(Vec<Scev>),
    PtrToInt(u32, Box<Scev>),
    /// What LLVM could not express.
    Unknown,
}

impl Scev {
    /// Whether it changes from pass to pass of some loop.
    pub fn moves(&self) -> bool {
        let mut found = false;
        self.walk(&mut |inner| found |= matches!(inner, Scev::Rec { .. }));
        found
    }

    /// Visits this expression and every one inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Scev)) {
        visit(self);
        match self {
            Scev::Add(_, terms) | Scev::Mul(_, terms) => terms.iter().for_each(|term| term.walk(visit)),
            Scev::SMax(terms) | Scev::UMax(terms) | Scev::SMin(terms) | Scev::UMin(terms) => {
                terms.iter().for_each(|term| term.walk(visit));
            }
            Scev::UDiv(x, y) | Scev::Rec { start: x, step: y, .. } => {
                x.walk(visit);
                y.walk(visit);
            }
            Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) | Scev::PtrToInt(_, x) => x.walk(visit),
            Scev::Const { .. } | Scev::Value(_) | Scev::Unknown => {}
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wrap {
    pub nuw: bool,
    pub nsw: bool,
}

/// Accesses in different classes never overlap within one moment of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AliasClass(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFact {
    pub reads: bool,
    pub writes: bool,
    /// `None` for calls and fences, which touch more than one place.
    pub pointer: Option<Operand>,
    /// The objects the pointer can lead into, sorted; empty where that is unknown.
    pub objects: Vec<Object>,
    /// The address as a function of the loops around it.
    pub address: Option<Scev>,
    pub class: AliasClass,
    /// For a read: what last wrote there.
    pub clobber: Option<Clobber>,
}

/// The allocation a pointer leads into.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// A stack slot or the result of an allocating call.
    Local(ValueId),
    /// What a pointer parameter points to.
    Param(ValueId),
    Global(String),
    /// What a pointer value of unknown source (loaded, returned, computed) points to.
    Through(ValueId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Clobber {
    /// As it was when the function was entered.
    Entry,
    Inst(ValueId),
    /// Different writes on different ways into the block.
    Merge(BlockId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AliasPair {
    pub first: ValueId,
    pub second: ValueId,
    pub answer: AliasAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AliasAnswer {
    No,
    Partial,
    Must,
}
