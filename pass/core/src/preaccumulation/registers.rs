//! A guess at memory traffic: operands that a small register file no longer holds.

use std::collections::{BTreeSet, VecDeque};

use super::terms::TermId;

/// Floating-point registers that a compiler may use freely, on the machines we care for.
const REGISTERS: usize = 16;

/// The terms touched last, the latest at the back.
#[derive(Default)]
pub struct Registers {
    held: VecDeque<TermId>,
    seen: BTreeSet<TermId>,
    reloads: u64,
}

impl Registers {
    /// Reads a term; one that is read before it was written is computed at that moment.
    pub fn read(&mut self, term: TermId) {
        let held = self.held.iter().position(|known| *known == term);
        if let Some(at) = held {
            self.held.remove(at);
        } else if !self.seen.insert(term) {
            self.reloads += 1;
        }
        self.hold(term);
    }

    pub fn write(&mut self, term: TermId) {
        self.seen.insert(term);
        self.hold(term);
    }

    pub fn reloads(&self) -> u64 {
        self.reloads
    }

    fn hold(&mut self, term: TermId) {
        if self.held.len() == REGISTERS {
            self.held.pop_front();
        }
        self.held.push_back(term);
    }
}
