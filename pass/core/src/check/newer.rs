//! What is written behind a load goes to memory that was allocated when the pointer was there that is loaded through.
//!
//! Lattice: the sets of pointers that lead to such memory, by inclusion, those of all ways into a block met. Transfer: as the
//! pointer is computed nothing does; an allocation does, and what is made from pointers that do, or from none; whatever else gives
//! a pointer does not. This walks forwards from the pointer, where the planner walks back from the write.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::memory_calls::{MemoryCall, memory_call};
use crate::model::{BlockId, Constant, Inst, Op, Operand, ValueId};

type Fresh = BTreeSet<ValueId>;

impl Proof<'_> {
    /// Whether a writer, whenever it comes behind the load, writes to what did not exist when the pointer of that was computed.
    pub fn is_made_behind(&self, load: ValueId, writer: ValueId) -> bool {
        let written = self.function.inst(writer).and_then(|inst| match (&inst.op, memory_call(inst)) {
            (Op::Store(_), _) => inst.operands[1].value(),
            (_, Some(MemoryCall::Copy | MemoryCall::Fill | MemoryCall::Free)) => inst.operands[0].value(),
            _ => None,
        });
        let Some(root) = self.function.inst(load).and_then(|load| self.root_of(&load.operands[0])) else {
            return false;
        };
        let places = (self.paths.place(root), self.paths.place(writer));
        let (Some(pointer), (Some((from, at)), Some((home, end)))) = (written, places) else { return false };
        let mut fresh = Fresh::new();
        self.walk(from, at + 1..usize::MAX, &mut fresh);
        let mut starts: BTreeMap<BlockId, Fresh> = BTreeMap::new();
        let mut waiting = vec![(from, fresh)];
        while let Some((block, fresh)) = waiting.pop() {
            for next in self.paths.successors(block) {
                let arriving = self.arrive(block, *next, &fresh);
                let known = starts.get(next);
                let met: Fresh = match known {
                    Some(known) => known.intersection(&arriving).copied().collect(),
                    None => arriving,
                };
                if known != Some(&met) {
                    let mut leaving = met.clone();
                    starts.insert(*next, met);
                    self.walk(*next, 0..usize::MAX, &mut leaving);
                    waiting.push((*next, leaving));
                }
            }
        }
        let found = |block: BlockId, from: usize, mut fresh: Fresh| {
            self.walk(block, from..end, &mut fresh);
            fresh.contains(&pointer)
        };
        let soon = from != home || end < at || found(from, at + 1, Fresh::new());
        soon && starts.get(&home).is_none_or(|fresh| found(home, 0, fresh.clone()))
    }

    fn root_of(&self, pointer: &Operand) -> Option<ValueId> {
        let id = pointer.value()?;
        match self.function.inst(id) {
            Some(Inst { op: Op::Gep(_) | Op::Freeze, operands, .. }) => self.root_of(&operands[0]),
            _ => Some(id),
        }
    }

    /// What leads to fresh memory on an edge, the phis of its end among it.
    fn arrive(&self, from: BlockId, to: BlockId, fresh: &Fresh) -> Fresh {
        let mut arriving = fresh.clone();
        for id in &self.function.block(to).insts {
            let Some(Inst { op: Op::Phi { from: edges }, operands, .. }) = self.function.inst(*id) else {
                continue;
            };
            let mut taken = edges.iter().zip(operands).filter(|(edge, _)| **edge == from);
            let good = taken.all(|(_, operand)| is_fresh(operand, fresh));
            if good {
                arriving.insert(*id)
            } else {
                arriving.remove(id)
            };
        }
        arriving
    }

    fn walk(&self, block: BlockId, range: std::ops::Range<usize>, fresh: &mut Fresh) {
        let insts = &self.function.block(block).insts;
        let end = range.end.min(insts.len());
        for id in insts.get(range.start..end).unwrap_or_default() {
            let Some(inst) = self.function.inst(*id) else { continue };
            let good = match &inst.op {
                Op::Phi { .. } => continue,
                Op::Gep(_) | Op::Freeze => is_fresh(&inst.operands[0], fresh),
                Op::Select => inst.operands[1..3].iter().all(|x| is_fresh(x, fresh)),
                _ => matches!(memory_call(inst), Some(MemoryCall::Allocate)),
            };
            if good {
                fresh.insert(*id)
            } else {
                fresh.remove(id)
            };
        }
    }
}

fn is_fresh(operand: &Operand, fresh: &Fresh) -> bool {
    match operand {
        Operand::Value(id) => fresh.contains(id),
        Operand::Const(constant) => matches!(constant, Constant::Null(_)),
    }
}
