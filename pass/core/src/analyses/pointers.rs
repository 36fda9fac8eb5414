//! Where pointers lead: for each pointer, the allocations it can point into.
//!
//! Function → [`Pointers`]. Lattice: sets of bases, by inclusion. Bottom: the empty set. Direction: with the flow of
//! values; no order of execution is looked at.
//! Safe error: too many bases. What cannot be followed is `Unknown`, which is never taken for "not active".

use std::collections::{BTreeMap, BTreeSet};

use super::memory_calls::{MemoryCall, memory_call};
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, ValueId};

/// An allocation, or the place where a pointer to one comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// What a pointer parameter points to.
    Param(ValueId),
    /// A stack slot of this function.
    Stack(ValueId),
    /// What an allocating call returned.
    Heap(ValueId),
    Global(String),
    /// What a pointer found in memory points to.
    Loaded(ValueId),
    /// What a pointer points to that a function returned whose derivative is called.
    Returned(ValueId),
    Null,
    Unknown,
}

#[derive(Default)]
pub struct Pointers {
    bases: BTreeMap<ValueId, BTreeSet<Base>>,
}

impl Pointers {
    pub fn of(function: &Function, program: &Program) -> Pointers {
        let mut pointers = Pointers { bases: BTreeMap::new() };
        for id in function.param_ids().filter(|id| function.value_type(*id).holds_pointer()) {
            pointers.bases.insert(id, BTreeSet::from([Base::Param(id)]));
        }
        // Phis make circles, so sets grow until none does.
        loop {
            let mut changed = false;
            for id in function.inst_ids().filter(|id| function.value_type(*id).holds_pointer()) {
                let found = pointers.find(function, program, id);
                changed |= pointers.bases.insert(id, found.clone()).as_ref() != Some(&found);
            }
            if !changed {
                return pointers;
            }
        }
    }

    fn find(&self, function: &Function, program: &Program, id: ValueId) -> BTreeSet<Base> {
        let Some(inst) = function.inst(id) else { return BTreeSet::from([Base::Unknown]) };
        let one = |base| BTreeSet::from([base]);
        match &inst.op {
            Op::Alloca(_) => one(Base::Stack(id)),
            Op::Load(_) => one(Base::Loaded(id)),
            Op::Gep(_) | Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => {
                self.of_operand(&inst.operands[0])
            }
            Op::Phi { .. }
            | Op::ExtractElement
            | Op::InsertElement
            | Op::ShuffleVector { .. }
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. } => {
                inst.operands.iter().flat_map(|operand| self.of_operand(operand)).collect()
            }
            Op::Select => inst.operands[1..].iter().flat_map(|operand| self.of_operand(operand)).collect(),
            Op::Call(_) | Op::Invoke { .. } => match memory_call(inst) {
                Some(MemoryCall::Allocate { .. }) => one(Base::Heap(id)),
                None if is_followed(program, inst) => one(Base::Returned(id)),
                _ => one(Base::Unknown),
            },
            _ => one(Base::Unknown),
        }
    }

    /// The bases of a pointer operand.
    pub fn of_operand(&self, operand: &Operand) -> BTreeSet<Base> {
        match operand {
            Operand::Value(value) => self.bases.get(value).cloned().unwrap_or_default(),
            Operand::Const(Constant::Null(_)) => BTreeSet::from([Base::Null]),
            Operand::Const(constant @ (Constant::Symbol { .. } | Constant::Offset { .. })) => {
                BTreeSet::from([constant.symbol().map_or(Base::Unknown, |name| Base::Global(name.into()))])
            }
            Operand::Const(Constant::Undef(_) | Constant::Poison(_)) => BTreeSet::new(),
            Operand::Const(_) => BTreeSet::from([Base::Unknown]),
        }
    }
}

fn is_followed(program: &Program, inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| program.is_followed(name))
}

impl Base {
    /// Whether the allocation belongs to one call of this function, so that we can make a shadow for it.
    pub fn is_local(&self) -> bool {
        matches!(self, Base::Stack(_) | Base::Heap(_))
    }
}
