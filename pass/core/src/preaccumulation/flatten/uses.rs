//! Who uses what a step computed or wrote, beyond the straight-line code it stands in (du-chains, section 6.2)?
//!
//! Safe error: used. A cell is unused where it lies in a stack slot whose address stays in sight, and no read of the
//! slot can follow.

use std::collections::{BTreeMap, BTreeSet};

use super::region::{Reader, Region};
use crate::analyses::flow::Flow;
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{BlockId, Inst, Op, Operand, ValueId};

pub struct Uses<'a> {
    reader: &'a Reader<'a>,
    flow: &'a Flow,
    block_of: BTreeMap<ValueId, BlockId>,
    users: BTreeMap<ValueId, Vec<ValueId>>,
}

impl<'a> Uses<'a> {
    pub fn of(reader: &'a Reader<'a>, flow: &'a Flow) -> Uses<'a> {
        let function = reader.function;
        let mut users: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        let mut block_of = BTreeMap::new();
        for block in function.block_ids().filter(|block| flow.is_reachable(*block)) {
            for id in &function.block(block).insts {
                block_of.insert(*id, block);
                let operands = function.inst(*id).map(|inst| inst.operands.as_slice()).unwrap_or_default();
                for value in operands.iter().filter_map(Operand::value) {
                    users.entry(value).or_default().push(*id);
                }
            }
        }
        Uses { reader, flow, block_of, users }
    }

    /// Whether the derivative of a value is asked for by something that is no step of a region: a later block, a phi,
    /// a return. `steps` are the instructions that became steps.
    pub fn is_value_used(&self, value: ValueId, steps: &BTreeSet<ValueId>) -> bool {
        let users = self.users.get(&value).map(Vec::as_slice).unwrap_or_default();
        users.iter().filter(|user| !steps.contains(user)).any(|user| self.is_differentiated(*user))
    }

    /// Instructions whose reverse adds to the adjoints of their operands.
    fn is_differentiated(&self, user: ValueId) -> bool {
        let Reader { function, program, rules, activity, .. } = *self.reader;
        if activity.is_active(user) {
            return true;
        }
        let Some(inst) = function.inst(user) else { return true };
        match inst.op {
            Op::Ret => true,
            Op::Store(_) => activity.is_shadowed(&inst.operands[1]),
            _ => {
                inst.op.call().is_some()
                    && !matches!(
                        meaning(inst, function, program, rules),
                        Meaning::Inactive(_) | Meaning::Row { .. }
                    )
            }
        }
    }

    /// Whether what a store leaves in memory may be read once control has left the region, by its next run for one.
    pub fn is_cell_used(&self, store: ValueId, region: &Region) -> bool {
        let Some(slot) =
            self.reader.function.inst(store).and_then(|inst| self.slot_behind(&inst.operands[1]))
        else {
            return true;
        };
        let Some(reads) = self.reads_of(slot) else { return true };
        let last = region.blocks[region.blocks.len() - 1];
        let after: BTreeSet<BlockId> =
            self.flow.successors(last).iter().flat_map(|next| self.flow.reach(*next, &[])).collect();
        reads.iter().filter_map(|read| self.block_of.get(read)).any(|block| after.contains(block))
    }

    fn slot_behind(&self, pointer: &Operand) -> Option<ValueId> {
        let mut at = pointer.value()?;
        loop {
            let inst = self.reader.function.inst(at)?;
            match inst.op {
                Op::Alloca(_) => return Some(at),
                Op::Gep(_) => at = inst.operands[0].value()?,
                _ => return None,
            }
        }
    }

    /// The loads from a slot; `None` where its address goes out of sight.
    fn reads_of(&self, slot: ValueId) -> Option<Vec<ValueId>> {
        let mut reads = Vec::new();
        let mut pointers = vec![slot];
        while let Some(pointer) = pointers.pop() {
            for user in self.users.get(&pointer).map(Vec::as_slice).unwrap_or_default() {
                let inst = self.reader.function.inst(*user)?;
                match inst.op {
                    Op::Load(_) => reads.push(*user),
                    Op::Gep(_) => pointers.push(*user),
                    Op::Store(_) if inst.operands[0] != Operand::Value(pointer) => {}
                    _ if is_lifetime(inst) => {}
                    _ => return None,
                }
            }
        }
        Some(reads)
    }
}

fn is_lifetime(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.starts_with("llvm.lifetime."))
}
