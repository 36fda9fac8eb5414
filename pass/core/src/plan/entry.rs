//! Which numbers of a function are known where it is entered: those made of its parameters, and of what it reads before it
//! writes anything. They can be computed there once more, by whoever is given the same arguments.
//!
//! Safe error: not known.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    BlockId, CastOp, Function, Inst, IntOp, Op, Operand, Ordering, Scev, Stride, Type, ValueId,
};

pub struct Entry<'a> {
    function: &'a Function,
    /// The loads that run before anything is written.
    early: BTreeSet<ValueId>,
    known: RefCell<BTreeMap<ValueId, bool>>,
}

impl<'a> Entry<'a> {
    pub fn of(function: &'a Function) -> Entry<'a> {
        Entry { function, early: find_early_loads(function), known: RefCell::default() }
    }

    pub fn is_operand_known(&self, operand: &Operand) -> bool {
        operand.value().is_none_or(|value| self.is_known(value))
    }

    pub fn is_known(&self, value: ValueId) -> bool {
        if let Some(known) = self.known.borrow().get(&value) {
            return *known;
        }
        // What is made of itself is not known.
        self.known.borrow_mut().insert(value, false);
        let known = self.function.inst(value).is_none_or(|inst| self.can_compute(value, inst));
        self.known.borrow_mut().insert(value, known);
        known
    }

    fn can_compute(&self, id: ValueId, inst: &Inst) -> bool {
        let computes = match &inst.op {
            Op::Int(IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem) => divides_safely(inst),
            Op::Int(_) | Op::ICmp(_) | Op::Select | Op::Freeze => true,
            Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc) => true,
            Op::Gep(gep) => !gep.strides.contains(&Stride::Unknown),
            Op::Load(_) => self.early.contains(&id),
            Op::Call(_) => inst.picks_integer(),
            _ => false,
        };
        let plain = inst.ty.is_pointer() || matches!(inst.ty, Type::Int(..=64));
        computes && plain && inst.operands.iter().all(|operand| self.is_operand_known(operand))
    }

    /// Whether the lowest and the highest value of an expression follow from what is known, over all passes of the loops in it.
    pub fn has_range(&self, scev: &Scev) -> bool {
        let ranges = |terms: &[Scev]| terms.iter().all(|term| self.has_range(term));
        match scev {
            Scev::Const { .. } => true,
            Scev::Value(Operand::Value(value)) => self.is_known(*value),
            Scev::Add(_, terms) | Scev::Mul(_, terms) => ranges(terms),
            Scev::SMax(terms) | Scev::SMin(terms) | Scev::UMax(terms) | Scev::UMin(terms) => ranges(terms),
            Scev::Rec { start, step, of, .. } => {
                let turns =
                    self.function.loops.get(of.0 as usize).and_then(|found| found.back_edges.as_ref());
                self.has_range(start)
                    && self.has_range(step)
                    && turns.is_some_and(|turns| self.has_range(turns))
            }
            Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) => self.has_range(x),
            Scev::Value(Operand::Const(_)) | Scev::UDiv(..) | Scev::PtrToInt(..) | Scev::Unknown => false,
        }
    }

    /// Whether some pass comes to the lowest value, and some pass to the highest: the counters in it go their ways whatever the
    /// others do.
    pub fn has_ends(&self, scev: &Scev) -> bool {
        let moving = |terms: &[Scev]| {
            let mut moving = terms.iter().filter(|term| term.moves());
            moving.next().is_none_or(|only| self.has_ends(only)) && moving.next().is_none()
        };
        match scev {
            Scev::Rec { start, step, of, .. } => {
                let turns =
                    self.function.loops.get(of.0 as usize).and_then(|found| found.back_edges.as_ref());
                self.has_ends(start) && !step.moves() && turns.is_some_and(|turns| !turns.moves())
            }
            Scev::Add(_, terms) | Scev::Mul(_, terms) => moving(terms),
            Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) => self.has_ends(x),
            still => !still.moves(),
        }
    }
}

/// By a positive constant: nothing else is sure not to trap where it would not have been computed.
fn divides_safely(inst: &Inst) -> bool {
    match &inst.operands[1] {
        Operand::Const(divisor) => divisor.as_signed().is_some_and(|divisor| divisor > 0),
        Operand::Value(_) => false,
    }
}

/// In the first block, as far as it only reads.
fn find_early_loads(function: &Function) -> BTreeSet<ValueId> {
    let mut early = BTreeSet::new();
    if function.is_declaration() {
        return early;
    }
    for id in &function.block(BlockId(0)).insts {
        let Some(inst) = function.inst(*id) else { continue };
        match &inst.op {
            Op::Load(access) if !access.volatile && access.ordering == Ordering::NotAtomic => {
                early.insert(*id);
            }
            Op::Call(_) if !is_quiet(inst) => break,
            Op::Store(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Load(_) => break,
            _ => {}
        }
    }
    early
}

/// Marks of the compiler's.
const MARKS: [&str; 4] = ["llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias"];

/// What is called and writes nothing that anybody reads.
pub fn is_quiet(inst: &Inst) -> bool {
    let is_mark = |name: &str| MARKS.iter().any(|mark| name.starts_with(mark));
    inst.picks_integer() || inst.callee_name().is_some_and(is_mark)
}
