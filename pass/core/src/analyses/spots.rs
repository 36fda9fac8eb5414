//! Which bytes of which memory an access touches, in whatever pass of a loop it runs.
//!
//! Function + bases + offsets → [`Spot`]. Members of structs in an array, and columns of a small table, lie in one allocation and
//! never on each other: the distance between two accesses is known up to multiples of a stride. That counts only where all
//! pointers were made from the start of the allocation, by steps that stay in it, so that no product has wrapped.
//! Safe error: the whole memory of its bases.

use std::collections::{BTreeMap, BTreeSet};

use super::later::Bases;
use super::offsets::{Extent, Offsets};
use super::pointers::Base;
use crate::model::{CastOp, Constant, Flags, Function, Inst, Op, Operand, Type, ValueId};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub bases: BTreeSet<Base>,
    /// The bytes, where there is one base and they are counted from its start.
    extent: Option<Extent>,
}

impl Spot {
    /// All memory of some bases.
    pub fn all_of(bases: BTreeSet<Base>) -> Spot {
        Spot { bases, extent: None }
    }

    /// The bytes of one allocation that an access touches, by what makes it.
    pub fn part(&self) -> Option<(&Base, Extent)> {
        Some((self.bases.first()?, self.extent?))
    }

    /// Whether two spots lie in one allocation and have no byte in common.
    pub fn lies_beside(&self, other: &Spot) -> bool {
        let (Some(one), Some(two)) = (self.extent, other.extent) else { return false };
        self.bases == other.bases && !one.meets(two)
    }
}

/// In larger functions each access would be held against each.
const LARGEST: usize = 8_000;

pub struct Spots<'a> {
    bases: &'a Bases<'a>,
    offsets: Offsets,
    /// The pointers that are counted from the starts of allocations.
    counted: BTreeSet<ValueId>,
}

impl<'a> Spots<'a> {
    pub fn of(function: &Function, bases: &'a Bases<'a>) -> Spots<'a> {
        let mut spots = Spots { bases, offsets: Offsets::of(function), counted: BTreeSet::new() };
        if function.insts.len() > LARGEST {
            return spots;
        }
        let params = function.param_ids().filter(|id| function.value_type(*id).is_pointer());
        spots.counted.extend(params);
        let pointers: BTreeMap<ValueId, &Inst> = function
            .inst_ids()
            .filter(|id| function.value_type(*id).is_pointer())
            .filter_map(|id| Some((id, function.inst(id)?)))
            .collect();
        spots.counted.extend(pointers.keys());
        // Phis make circles, so the set shrinks until nothing in it rests on what is not.
        loop {
            let before = spots.counted.len();
            let lost = |(id, inst): (&ValueId, &&Inst)| (!spots.is_counted(*id, inst)).then_some(*id);
            let lost: Vec<ValueId> = pointers.iter().filter_map(lost).collect();
            spots.counted.retain(|id| !lost.contains(id));
            if spots.counted.len() == before {
                return spots;
            }
        }
    }

    pub fn bases_of(&self, pointer: &Operand) -> BTreeSet<Base> {
        (self.bases)(pointer)
    }

    pub fn of_access(&self, pointer: &Operand, ty: &Type) -> Spot {
        let mut bases = (self.bases)(pointer);
        // Nobody touches anything through a pointer that leads nowhere.
        if bases.len() > 1 {
            bases.remove(&Base::Null);
        }
        let [Base::Param(_) | Base::Stack(_) | Base::Heap(_) | Base::Global(_)] =
            bases.iter().collect::<Vec<_>>()[..]
        else {
            return Spot::all_of(bases);
        };
        let extent = self.operand_is_counted(pointer).then(|| self.offsets.extent(pointer, ty));
        Spot { bases, extent }
    }

    fn is_counted(&self, id: ValueId, inst: &Inst) -> bool {
        let all = |operands: &[Operand]| operands.iter().all(|x| self.operand_is_counted(x));
        match &inst.op {
            Op::Gep(_) => inst.flags.has(Flags::INBOUNDS) && all(&inst.operands[..1]),
            Op::Freeze | Op::Cast(CastOp::BitCast) => all(&inst.operands[..1]),
            Op::Phi { .. } => all(&inst.operands),
            Op::Select => all(&inst.operands[1..]),
            Op::Alloca(_) => true,
            _ => (self.bases)(&Operand::Value(id)) == BTreeSet::from([Base::Heap(id)]),
        }
    }

    /// Whether a constant is the start of a global; another name for one may stand for any place in it.
    fn is_whole(&self, constant: &Constant) -> bool {
        let Constant::Symbol { name, .. } = constant else { return false };
        (self.bases)(&Operand::Const(constant.clone())) == BTreeSet::from([Base::Global(name.clone())])
    }

    fn operand_is_counted(&self, pointer: &Operand) -> bool {
        match pointer {
            Operand::Value(id) => self.counted.contains(id),
            Operand::Const(constant) if constant.is_nowhere() => true,
            Operand::Const(Constant::Offset { base, .. }) => self.is_whole(base),
            Operand::Const(constant) => self.is_whole(constant),
        }
    }
}
