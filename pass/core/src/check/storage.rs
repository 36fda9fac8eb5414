//! Each storage holds, where it is read, the value it names.
//!
//! An argument is a parameter. A cell is written once at most between two reads: the value of an instruction that
//! may run again goes there only with the old one saved, and its definition dominates every block that reads it, so
//! that no cell is read unwritten.

use std::collections::BTreeMap;

use super::reads::Read;
use super::{Obligation, Proof};
use crate::model::{BlockId, Type, ValueId};
use crate::plan::Storage;

impl Proof<'_> {
    pub fn check_storage(&mut self, reads: &[Read]) {
        let plan = self.plan;
        let mut repeats = BTreeMap::new();
        for (value, decision) in &plan.storage {
            if let Some(problem) = self.find_misuse(*value, decision.choice, &mut repeats) {
                let message = format!("{} {problem}", self.describe(*value));
                self.report(Obligation::Storage, message);
            }
        }
        for read in reads.iter().filter(|read| plan.storage.contains_key(&read.value)) {
            let Some(home) = self.paths.home(read.value) else { continue };
            if !self.paths.dominates(home, read.at) {
                let message = format!(
                    "{} need not have been computed when the reverse of ^{} reads it, in {}",
                    self.describe(read.value),
                    read.at.0,
                    read.why
                );
                self.report(Obligation::Storage, message);
            }
        }
    }

    fn find_misuse(
        &self,
        value: ValueId,
        storage: Storage,
        repeats: &mut BTreeMap<BlockId, bool>,
    ) -> Option<&'static str> {
        if (value.0 as usize) < self.function.params.len() {
            return match storage {
                Storage::Argument => None,
                Storage::Keep | Storage::SaveOnOverwrite => {
                    Some("is a parameter, which no instruction writes to a cell")
                }
            };
        }
        let Some(inst) = self.function.inst(value) else { return Some("is stored and no value") };
        let home = self.paths.home(value).filter(|home| self.paths.is_live(*home));
        let Some(home) = home else { return Some("is stored and never computed") };
        if inst.ty == Type::Void || inst.op.is_terminator() {
            return Some("gives nothing that could be kept behind it");
        }
        match storage {
            Storage::Argument => Some("is computed, and stored as an argument"),
            Storage::SaveOnOverwrite => None,
            Storage::Keep => {
                let again = *repeats.entry(home).or_insert_with(|| self.paths.repeats(home));
                again.then_some("is kept in one cell, and computed again in a loop")
            }
        }
    }
}
