//! Where a pointer may lead: the checker's own walk over the values that pointers are made of.
//!
//! Safe error: too many places. What is not understood leads [`Place::Outside`].

use std::collections::{BTreeMap, BTreeSet};

use super::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, ValueId};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// What a parameter points to.
    Param(ValueId),
    /// A stack slot.
    Slot(ValueId),
    /// What an allocating call returned.
    Made(ValueId),
    /// What a pointer that was loaded points to.
    Found(ValueId),
    /// What a pointer points to that a function returned whose derivative is called.
    Returned(ValueId),
    Global(String),
    Outside,
}

#[derive(Default)]
pub struct Places(BTreeMap<ValueId, BTreeSet<Place>>);

impl Places {
    pub fn of(function: &Function, program: &Program) -> Places {
        let holds_pointer = |id: &ValueId| function.value_type(*id).holds_pointer();
        let params = function.param_ids().filter(holds_pointer);
        let mut places = Places(params.map(|id| (id, BTreeSet::from([Place::Param(id)]))).collect());
        let pointers: Vec<(ValueId, &Inst)> = function
            .inst_ids()
            .filter(holds_pointer)
            .filter_map(|id| Some((id, function.inst(id)?)))
            .collect();
        loop {
            let mut grew = false;
            for (id, inst) in &pointers {
                let found = places.made_by(*id, inst, program);
                let known = places.0.entry(*id).or_default();
                grew |= !found.is_subset(known);
                known.extend(found);
            }
            if !grew {
                return places;
            }
        }
    }

    fn made_by(&self, id: ValueId, inst: &Inst, program: &Program) -> BTreeSet<Place> {
        let through = |operands: &[Operand]| operands.iter().flat_map(|x| self.lead(x)).collect();
        match &inst.op {
            Op::Alloca(_) => BTreeSet::from([Place::Slot(id)]),
            Op::Load(_) => BTreeSet::from([Place::Found(id)]),
            Op::Gep(_) => through(&inst.operands[..1]),
            Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => through(&inst.operands),
            Op::Phi { .. } | Op::ExtractElement | Op::ExtractValue { .. } => through(&inst.operands),
            Op::InsertElement | Op::InsertValue { .. } | Op::ShuffleVector { .. } => through(&inst.operands),
            Op::Select => through(&inst.operands[1..]),
            _ if matches!(memory_call(inst), Some(MemoryCall::Allocate)) => BTreeSet::from([Place::Made(id)]),
            _ if inst.callee_name().is_some_and(|name| program.is_followed(name)) => BTreeSet::from([Place::Returned(id)]),
            _ => BTreeSet::from([Place::Outside]),
        }
    }

    /// Null and what is undefined lead nowhere.
    pub fn lead(&self, pointer: &Operand) -> BTreeSet<Place> {
        let constant = match pointer {
            Operand::Value(value) => return self.0.get(value).cloned().unwrap_or_default(),
            Operand::Const(constant) => constant,
        };
        match constant {
            Constant::Null(_) | Constant::Undef(_) | Constant::Poison(_) => BTreeSet::new(),
            Constant::Int { .. } | Constant::Float { .. } => BTreeSet::new(),
            _ => {
                BTreeSet::from([constant.symbol().map_or(Place::Outside, |name| Place::Global(name.into()))])
            }
        }
    }
}

impl Place {
    /// The plan's name for the place.
    pub fn base(&self) -> Base {
        match self {
            Place::Param(id) => Base::Param(*id),
            Place::Slot(id) => Base::Stack(*id),
            Place::Made(id) => Base::Heap(*id),
            Place::Found(id) => Base::Loaded(*id),
            Place::Returned(id) => Base::Returned(*id),
            Place::Global(name) => Base::Global(name.clone()),
            Place::Outside => Base::Unknown,
        }
    }
}
