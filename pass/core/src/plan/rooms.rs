//! Shadows as room for what a loop would record.
//!
//! The caller has said of `bs_dup_fresh` that the shadow holds zeros. Until the reverse of a pass adds the adjoint of `x[i]`
//! there, nobody looks at the cell: so a number of that pass, `exp(x[i])`, is kept in it between the sweeps, and nothing
//! goes on the tape. The reverse of the pass begins by taking the number out and leaving a zero.
//!
//! What has to hold: the pass reads `x[i]` whatever happens, so that there is such a cell; no two passes have the same one,
//! and the loop runs once; and whatever runs from the loop on touches neither this nor any other cell behind that
//! parameter, but for what the same block does with its own: its reverse comes before that of the loop.
//! Safe error: on the tape.

use std::collections::BTreeMap;

use super::storage::Stored;
use super::{Fetch, Item, RecordArray, Storage};
use crate::analyses::activity::Activity;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::later::{Later, is_pure};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::analyses::trips::Trips;
use crate::model::{
    Access, BlockId, CastOp, Function, Inst, IntOp, Op, Operand, Ordering, Program, Stride, Type, ValueId,
};
use crate::request::{Activity as Asked, Mode, Request};
use crate::rules::Rules;

/// Where a number is kept: the shadow of what a load of the same block reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    pub header: BlockId,
    pub load: ValueId,
    pub trips: Trips,
}

/// A function, and what was decided of it.
pub struct Rooms<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub request: &'a Request,
    pub flow: &'a Flow,
    pub activity: &'a Activity,
    pub later: &'a Later<'a>,
    pub shadows: &'a Stored,
}

/// The records of a function, from which numbers are taken that have room elsewhere.
pub struct Records<'a> {
    pub items: &'a mut BTreeMap<BlockId, Vec<Item>>,
    pub arrays: &'a mut BTreeMap<BlockId, RecordArray>,
    pub fresh: &'a mut BTreeMap<Item, Fetch>,
}

impl Rooms<'_> {
    /// Finds rooms for numbers that blocks record as they end; their records are gone then.
    pub fn take(&self, mut records: Records) -> BTreeMap<ValueId, Room> {
        let mut rooms = BTreeMap::new();
        if self.request.mode != Mode::Gradient || self.request.nested || self.request.width != 1 {
            return rooms;
        }
        for (param, id) in self.function.param_ids().enumerate() {
            if self.request.activity(param) == Asked::DupFresh
                && let Some((value, block, room)) = self.find_room(id, &records)
            {
                records.drop(value, block, room.header);
                rooms.insert(value, room);
            }
        }
        rooms
    }

    /// One number for one parameter: two might want the same cell.
    fn find_room(&self, param: ValueId, records: &Records) -> Option<(ValueId, BlockId, Room)> {
        records.arrays.iter().filter(|(_, array)| !self.flow.is_cyclic(array.entry)).find_map(
            |(header, array)| {
                let mut blocks = array.blocks.iter().filter(|block| *block != header);
                blocks.find_map(|block| {
                    let (value, load) = self.find_cell(param, *header, *block, array, records)?;
                    Some((value, *block, Room { header: *header, load, trips: array.trips.clone() }))
                })
            },
        )
    }

    fn find_cell(
        &self,
        param: ValueId,
        header: BlockId,
        block: BlockId,
        array: &RecordArray,
        records: &Records,
    ) -> Option<(ValueId, ValueId)> {
        let items = records
            .items
            .get(&block)?
            .iter()
            .filter(|item| records.fresh.get(item) == Some(&Fetch::WithBlock));
        let values: Vec<ValueId> = items
            .filter_map(|item| match item {
                Item::Value(value) if self.function.value_type(*value).is_real() => Some(*value),
                _ => None,
            })
            .collect();
        let loads = self.function.block(block).insts.iter().copied();
        loads.filter(|load| self.is_cell(param, *load, header, &array.trips)).find_map(|load| {
            let ty = self.function.value_type(load);
            let value = values.iter().find(|value| self.function.value_type(**value) == ty)?;
            self.is_left_alone(param, load, header, block).then_some((*value, load))
        })
    }

    /// Whether each pass of the loop reads its own cell there, at an address that its reverse computes again.
    fn is_cell(&self, param: ValueId, load: ValueId, header: BlockId, trips: &Trips) -> bool {
        let Some(inst) = self.function.inst(load) else { return false };
        let Op::Load(Access { volatile: false, ordering: Ordering::NotAtomic, .. }) = &inst.op else {
            return false;
        };
        let Some(address) = inst.operands[0].value() else { return false };
        let Some(gep) = self.function.inst(address) else { return false };
        let (Op::Gep(form), [base, index]) = (&gep.op, gep.operands.as_slice()) else { return false };
        let bytes = match inst.ty {
            Type::Float(kind) => u64::from(kind.bits()) / 8,
            _ => return false,
        };
        let again = |decision: &super::Decision<Storage>| decision.choice == Storage::Recompute;
        *base == Operand::Value(param)
            && matches!(form.strides[..], [Stride::Scale(stride)] if stride >= bytes)
            && self.activity.is_active(load)
            && self.shadows.get(&address).is_some_and(again)
            && self.counts_passes(index, header, trips)
    }

    /// Whether an index is another one in each pass: a counter of the header, moved by a number, in no fewer bits than
    /// there are passes.
    fn counts_passes(&self, index: &Operand, header: BlockId, trips: &Trips) -> bool {
        let Some((id, inst)) = index.value().and_then(|id| Some((id, self.function.inst(id)?))) else {
            return false;
        };
        let number = |x: &Operand| matches!(x, Operand::Const(_));
        match &inst.op {
            Op::Cast(CastOp::SExt | CastOp::ZExt) => self.counts_passes(&inst.operands[0], header, trips),
            Op::Int(IntOp::Add | IntOp::Sub) if number(&inst.operands[1]) => {
                self.counts_passes(&inst.operands[0], header, trips)
            }
            Op::Phi { .. } => {
                let steps = |x: &Operand| self.steps_from(x, id);
                let at_header = self.function.block(header).insts.contains(&id);
                let wide = matches!(inst.ty, Type::Int(bits) if bits >= trips.bits);
                at_header && wide && inst.operands.iter().filter(|x| steps(x)).count() == 1
            }
            _ => false,
        }
    }

    /// Whether a value is a counter one further.
    fn steps_from(&self, next: &Operand, counter: ValueId) -> bool {
        let Some(inst) = next.value().and_then(|id| self.function.inst(id)) else { return false };
        let by_one = |x: &Operand| matches!(x, Operand::Const(step) if step.as_signed().is_some_and(|step| step.abs() == 1));
        matches!(inst.op, Op::Int(IntOp::Add | IntOp::Sub))
            && inst.operands[0] == Operand::Value(counter)
            && by_one(&inst.operands[1])
    }

    /// Whether nothing from the loop on touches memory behind a parameter, but for reads of that very cell in that block.
    fn is_left_alone(&self, param: ValueId, load: ValueId, header: BlockId, block: BlockId) -> bool {
        let home = blocks_of_values(self.function);
        let later = self.flow.reach(header, &[]);
        let own = self.cell_of(load);
        self.function.inst_ids().filter(|id| home.get(id).is_some_and(|at| later.contains(at))).all(|id| {
            let Some(inst) = self.function.inst(id) else { return false };
            let same = home.get(&id) == Some(&block) && self.cell_of(id) == own;
            same && matches!(inst.op, Op::Load(_)) || !self.touches(param, id, inst)
        })
    }

    /// The address that an instruction loads from.
    fn cell_of(&self, load: ValueId) -> Option<(&Op, &[Operand])> {
        let address = self.function.inst(load)?.operands.first()?.value()?;
        self.function.inst(address).map(|inst| (&inst.op, inst.operands.as_slice()))
    }

    /// Whether an instruction, or its reverse, may touch the shadow of memory behind a parameter.
    fn touches(&self, param: ValueId, id: ValueId, inst: &Inst) -> bool {
        let meets = |pointer: &Operand| {
            let bases = self.activity.bases(pointer);
            bases.is_empty() || bases.iter().any(|base| self.later.may_meet(base, &Base::Param(param)))
        };
        match &inst.op {
            Op::Load(_) if !self.activity.is_active(id) && !inst.ty.holds_pointer() => false,
            Op::Load(_) => meets(&inst.operands[0]),
            Op::Store(_) => meets(&inst.operands[1]),
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Fence { .. } => true,
            Op::VaArg | Op::Opaque { .. } => true,
            _ if inst.op.call().is_none() => false,
            _ => match memory_call(inst) {
                Some(MemoryCall::Copy) => meets(&inst.operands[0]) || meets(&inst.operands[1]),
                Some(MemoryCall::Fill | MemoryCall::Free { .. }) => meets(&inst.operands[0]),
                Some(MemoryCall::Allocate { .. }) => false,
                None => !is_pure(inst, self.program, self.rules),
            },
        }
    }
}

impl Records<'_> {
    fn drop(&mut self, value: ValueId, block: BlockId, header: BlockId) {
        let item = Item::Value(value);
        self.fresh.remove(&item);
        let empty = self.items.get_mut(&block).is_some_and(|items| {
            items.retain(|known| *known != item);
            items.is_empty()
        });
        if !empty {
            return;
        }
        self.items.remove(&block);
        if let Some(array) = self.arrays.get_mut(&header) {
            array.blocks.retain(|known| *known != block);
            if array.blocks.is_empty() {
                self.arrays.remove(&header);
            }
        }
    }
}
