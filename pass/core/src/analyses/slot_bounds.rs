//! Addresses that were made from a stack slot's and cannot lie in it: they would lead behind its end. One in front of it may
//! come back, as in programs that count from 1, whatever is said of its bounds.
//!
//! A list's head that stands in a slot is taken for one of its nodes where a walk ends, and what only nodes have, as a value behind the
//! links, is as far from it as in a node. Who reaches for that has a node: an address is said to stay in bounds, and nothing is ever read
//! or written by one that does not. Where such an address is made into another that may lead back into the slot, what is said of bounds is
//! not believed: some programs go behind an array's end and return.
//!
//! Function → for each slot how far from its start the pointers lead that were made from its address, each by one way or several.
//! Lattice and transfer: those of [`Offset`]; what was made otherwise may lead anywhere.
//! Safe error: an address may lie in the slot.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::offsets::{Offset, steps_of};
use crate::model::{CastOp, Flags, Function, Inst, Op, Operand, ValueId};

/// What is known of the slots that were asked about.
pub struct SlotBounds<'a> {
    function: &'a Function,
    /// Who makes a pointer of each.
    readers: &'a HashMap<ValueId, Vec<ValueId>>,
    offsets: BTreeMap<ValueId, BTreeMap<ValueId, Offset>>,
}

impl SlotBounds<'_> {
    pub fn of<'a>(function: &'a Function, readers: &'a HashMap<ValueId, Vec<ValueId>>) -> SlotBounds<'a> {
        SlotBounds { function, readers, offsets: BTreeMap::new() }
    }

    /// Whether the address that an instruction makes does not lie in a slot, as far as it was made from that one's.
    pub fn is_out_of(&mut self, slot: ValueId, address: ValueId) -> bool {
        let stays = self.function.inst(address).is_some_and(|inst| inst.flags.has(Flags::INBOUNDS));
        let Some(bytes) = bytes_of(slot, self.function).filter(|_| stays) else { return false };
        if !self.offsets.contains_key(&slot) {
            let found = self.find_offsets(slot);
            self.offsets.insert(slot, found);
        }
        self.stays_behind(bytes, &self.offsets[&slot], address)
    }

    /// Whether an address leads behind the end of a slot of so many bytes, and all that are made from it do.
    fn stays_behind(&self, bytes: i128, offsets: &BTreeMap<ValueId, Offset>, address: ValueId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![address]);
        while let Some(id) = waiting.pop() {
            // What has no offset was not made from the slot's address.
            let Some(offset) = offsets.get(&id).filter(|_| seen.insert(id)) else { continue };
            if offset.stride != 0 || offset.start <= bytes {
                return false;
            }
            waiting.extend(self.readers.get(&id).into_iter().flatten());
        }
        seen.contains(&address)
    }

    fn find_offsets(&self, slot: ValueId) -> BTreeMap<ValueId, Offset> {
        let mut offsets = BTreeMap::from([(slot, Offset::default())]);
        let readers = |id: ValueId| self.readers.get(&id).into_iter().flatten().copied();
        let mut waiting: Vec<ValueId> = readers(slot).collect();
        while let Some(id) = waiting.pop() {
            let found = self.function.inst(id).and_then(|inst| offset_of(inst, &offsets));
            if let Some(found) = found
                && offsets.insert(id, found) != Some(found)
            {
                waiting.extend(readers(id));
            }
        }
        offsets
    }
}

/// The bytes of a slot, where their number is known.
fn bytes_of(slot: ValueId, function: &Function) -> Option<i128> {
    let inst = function.inst(slot)?;
    let (Op::Alloca(alloca), Operand::Const(count)) = (&inst.op, &inst.operands[0]) else { return None };
    i128::from(alloca.bytes).checked_mul(count.as_signed()?)
}

/// Nothing for what was not made from the slot's address.
fn offset_of(inst: &Inst, offsets: &BTreeMap<ValueId, Offset>) -> Option<Offset> {
    let joined = |operands: &[Operand]| {
        let known = operands.iter().filter_map(|x| offsets.get(&x.value()?).copied());
        known.reduce(Offset::join)
    };
    match &inst.op {
        Op::Gep(_) => Some(joined(&inst.operands[..1])?.shifted(steps_of(inst)?, 1)),
        Op::Phi { .. } | Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => {
            joined(&inst.operands)
        }
        Op::Select => joined(&inst.operands[1..]),
        // A pointer that is found was put there by somebody, and is asked about under a name of its own.
        Op::Load(_) => None,
        _ => joined(&inst.operands).map(|_| Offset { start: 0, stride: 1 }),
    }
}
