//! A cell is counted or taken back in the reverse of the block that overwrote it; what is computed again is computed
//! from what is at hand.

use std::collections::{BTreeMap, BTreeSet};

use super::Derivative;
use super::cells::{Cell, Use};
use crate::check::Obligation::{Backward, Cells};
use crate::model::{BlockId, Constant, IntOp, Op, Operand, ValueId};
use crate::plan::{Item, Merge, Storage};

impl Derivative<'_> {
    /// What is computed again has the operands of the primal, each by its storage.
    pub fn check_again(&mut self) {
        for (id, origin) in self.again.clone() {
            let (Some(primal), Some(copy)) = (self.function.inst(origin), self.derived.inst(id)) else {
                continue;
            };
            let same = primal.operands.len() == copy.operands.len()
                && primal.operands.iter().zip(&copy.operands).all(|(x, at)| self.is_primal(at, x));
            if !same {
                let message = format!("%{}, which computes %{} again, has other operands", id.0, origin.0);
                self.report(Backward, message);
            }
        }
    }

    /// Whether an operand of the reverse sweep is that primal value, by its storage.
    pub fn is_primal(&self, operand: &Operand, primal: &Operand) -> bool {
        let Operand::Value(value) = primal else { return operand == primal };
        match self.plan.storage.get(value).map(|decision| &decision.choice) {
            Some(Storage::Argument) => self.image(primal).as_ref() == Some(operand),
            Some(Storage::Recompute) => {
                let inst = self.function.inst(*value);
                if let Some(inst) = inst.filter(|inst| matches!(inst.op, Op::Attach(_))) {
                    return self.is_primal(operand, &inst.operands[0]);
                }
                operand.value().is_some_and(|again| self.again.contains(&(again, *value)))
            }
            Some(
                Storage::Keep
                | Storage::SaveOnOverwrite
                | Storage::Rerun
                | Storage::Invert { .. }
                | Storage::Uncompute { .. },
            ) => self.is_load_of(operand, Cell::Kept(*value)),
            None => false,
        }
    }

    pub fn is_load_of(&self, operand: &Operand, cell: Cell) -> bool {
        operand
            .value()
            .and_then(|load| self.touched(load))
            .is_some_and(|(touched, stored)| touched == cell && stored.is_none())
    }

    /// The loop whose header counts a value, and the step.
    pub fn inverted(&self, value: ValueId) -> Option<(BlockId, &Constant)> {
        match &self.plan.storage.get(&value)?.choice {
            Storage::Invert { header, step } => Some((*header, step)),
            Storage::Argument
            | Storage::Keep
            | Storage::SaveOnOverwrite
            | Storage::Recompute
            | Storage::Rerun
            // Only of functions with active memory, of which this is not proved here.
            | Storage::Uncompute { .. } => None,
        }
    }

    /// In the forward sweep a counted cell is written by its value alone, and read where its loop is entered, to be
    /// saved.
    pub fn check_inverted(&self, value: ValueId, stores: &[Use], loads: &[Use]) -> Option<&'static str> {
        let forward: Vec<Use> = stores.iter().filter(|at| self.copies.contains(&at.block)).cloned().collect();
        let (header, _) = self.inverted(value)?;
        let entry = match self.plan.merges.get(&header).map(|merge| &merge.choice) {
            Some(Merge::Count { entry, .. }) => self.blocks.get(entry),
            _ => None,
        };
        let elsewhere = |load: &&Use| self.copies.contains(&load.block) && Some(&load.block) != entry;
        let problem = self.check_kept(value, &forward);
        problem.or(loads.iter().find(elsewhere).map(|_| "is read in the forward sweep inside its loop"))
    }

    /// The cells that the reverse of a block gives back the value of the time before.
    fn expected_restores(&self, block: BlockId) -> BTreeMap<Cell, Restore> {
        let mut expected = BTreeMap::new();
        for item in self.plan.records.get(&block).into_iter().flatten() {
            let cell = match item {
                Item::Value(value) => Cell::Kept(*value),
                Item::Counter { header } => Cell::Counter(*header),
                Item::Old(_) | Item::Shadow(_) | Item::Edge | Item::Array { .. } => continue,
            };
            expected.insert(cell, Restore::Record);
        }
        for value in self.plan.storage.keys() {
            if let Some((_, step)) = self.inverted(*value).filter(|(header, _)| *header == block) {
                expected.insert(Cell::Kept(*value), Restore::Subtract(step.clone()));
            }
        }
        let merge = self.plan.merges.get(&block).map(|merge| &merge.choice);
        if matches!(merge, Some(Merge::Count { .. })) {
            expected.insert(Cell::Counter(block), Restore::Subtract(Constant::int(64, 1)));
        }
        expected
    }

    /// Each such cell is restored once, as planned, and not read afterwards; no other is written.
    pub fn check_restores(&mut self, block: BlockId, reverse: BlockId) {
        let mut expected = self.expected_restores(block);
        let mut restored = BTreeSet::new();
        let touches: Vec<(ValueId, Cell, Option<Operand>)> = self
            .insts(reverse)
            .filter_map(|(id, _)| self.touched(id).map(|(cell, stored)| (id, cell, stored.cloned())))
            .filter(|(_, cell, _)| is_carried(*cell))
            .collect();
        for (_, cell, stored) in touches {
            let problem = match stored {
                None => restored.contains(&cell).then_some("is read after it was taken back"),
                Some(stored) => {
                    restored.insert(cell);
                    let right =
                        expected.remove(&cell).is_some_and(|how| self.is_restored(cell, &stored, &how));
                    (!right).then_some("is not given back what it held before")
                }
            };
            if let Some(problem) = problem {
                self.report(Cells, format!("in the reverse of ^{} {cell:?} {problem}", block.0));
            }
        }
        for cell in expected.keys() {
            self.report(Cells, format!("the reverse of ^{} does not take back {cell:?}", block.0));
        }
    }

    fn is_restored(&self, cell: Cell, stored: &Operand, how: &Restore) -> bool {
        match how {
            Restore::Record => self.is_from_record(stored),
            Restore::Subtract(step) => {
                let inst = stored.value().and_then(|id| self.derived.inst(id));
                inst.is_some_and(|inst| {
                    matches!(inst.op, Op::Int(IntOp::Sub))
                        && self.is_load_of(&inst.operands[0], cell)
                        && inst.operands.get(1) == Some(&Operand::Const(step.clone()))
                })
            }
        }
    }

    /// Outside the forward sweep and the reverses of blocks no such cell is written, but for its start.
    pub fn check_strays(&mut self, reversed: &BTreeMap<BlockId, BlockId>) {
        let known: BTreeSet<BlockId> = reversed.values().chain(&self.copies).copied().collect();
        for (cell, uses) in self.find_uses() {
            let stray =
                |at: &&Use| at.stored.is_some() && at.block != BlockId(0) && !known.contains(&at.block);
            if let Some(stray) = uses.iter().find(stray).filter(|_| is_carried(cell)) {
                self.report(
                    Cells,
                    format!("{cell:?} is written in ^{}, which reverses no block", stray.block.0),
                );
            }
        }
    }
}

/// How a cell gets its value of the time before.
enum Restore {
    Record,
    Subtract(Constant),
}

/// Whether a cell holds something of the primal that a loop overwrites.
fn is_carried(cell: Cell) -> bool {
    match cell {
        Cell::Kept(_) | Cell::Counter(_) => true,
        Cell::Tape | Cell::Cursor | Cell::Edge(_) | Cell::Returned | Cell::Adjoint(..) => false,
    }
}
