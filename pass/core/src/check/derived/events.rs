//! What happens to adjoints in one block of the reverse sweep: taken, or added to, in order.

use std::collections::{BTreeMap, BTreeSet};

use super::Derivative;
use super::cells::Cell;
use crate::check::Obligation::Adjoints;
use crate::model::{BlockId, Constant, Operand, ValueId};
use crate::request::Part;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The adjoint is read and zero is left. `load` is what was read.
    Take { value: ValueId, lane: u32, load: ValueId },
    /// Something is added to the adjoint. `sum` is what is then in the cell.
    Add { value: ValueId, lane: u32, sum: Operand },
}

impl Derivative<'_> {
    /// Pairs each load of an adjoint cell with the store behind it.
    pub fn find_events(&mut self, block: BlockId) -> Vec<Event> {
        let ids: Vec<ValueId> = self.insts(block).map(|(id, _)| id).collect();
        // By the load, which is where an event begins.
        let (mut events, mut open) = (BTreeMap::new(), BTreeMap::new());
        let mut touched = BTreeSet::new();
        for id in ids {
            let Some((Cell::Adjoint(value, lane), stored)) = self.touched(id) else { continue };
            let first = touched.insert((value, lane));
            match (stored.cloned(), open.remove(&(value, lane))) {
                // An adjoint that lives in this block alone starts here.
                (Some(stored), None) if first && is_zero(&stored) => {}
                (None, None) => {
                    open.insert((value, lane), id);
                }
                (None, Some(load)) => {
                    open.insert((value, lane), id);
                    self.report_unzeroed(value, block);
                    events.insert(load, Event::Take { value, lane, load });
                }
                (Some(stored), Some(load)) if is_zero(&stored) => {
                    events.insert(load, Event::Take { value, lane, load });
                }
                (Some(sum), Some(load)) if self.depends(&sum, load) => {
                    events.insert(load, Event::Add { value, lane, sum });
                }
                (Some(_), _) => {
                    let message = format!("the adjoint of %{} is overwritten in ^{}", value.0, block.0);
                    self.report(Adjoints, message);
                }
            }
        }
        for ((value, lane), load) in open {
            self.report_unzeroed(value, block);
            events.insert(load, Event::Take { value, lane, load });
        }
        events.into_values().collect()
    }

    fn report_unzeroed(&mut self, value: ValueId, block: BlockId) {
        let message = format!("the adjoint of %{} is taken in ^{} and not zeroed", value.0, block.0);
        self.report(Adjoints, message);
    }

    /// Every adjoint is zero before the reverse sweep; at its end only those of parameters are read, as results.
    pub fn check_ends(&mut self, finish: BlockId) {
        for (cell, uses) in self.find_uses() {
            let Cell::Adjoint(value, lane) = cell else { continue };
            let started = uses.first().is_some_and(|first| {
                let alone = uses.iter().all(|place| place.block == first.block);
                (first.block == BlockId(0) || alone) && first.stored.as_ref().is_some_and(is_zero)
            });
            if !started {
                self.report(Adjoints, format!("the adjoint of %{} does not start at zero", value.0));
            }
            let forward = |block: BlockId| block == BlockId(0) || self.copies.contains(&block);
            let early = uses.iter().skip(1).any(|place| forward(place.block));
            if early {
                self.report(
                    Adjoints,
                    format!("the adjoint of %{} is touched before the reverse sweep", value.0),
                );
            }
            let result = Part::Gradient { param: value.0 as usize, lane };
            let read = uses.iter().filter(|place| place.block == finish).count();
            if read != usize::from(self.plan.results.contains(&result)) {
                self.report(Adjoints, format!("the adjoint of %{} is no result, or not returned", value.0));
            }
        }
    }

    /// Whether an operand is computed from a value, through instructions and not through memory.
    pub fn depends(&self, operand: &Operand, on: ValueId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), Vec::from_iter(operand.value()));
        while let Some(value) = waiting.pop() {
            if value == on {
                return true;
            }
            if let Some(inst) = self.derived.inst(value).filter(|_| seen.insert(value)) {
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            }
        }
        false
    }
}

pub fn is_zero(operand: &Operand) -> bool {
    match operand {
        Operand::Const(constant) => is_zero_constant(constant),
        Operand::Value(_) => false,
    }
}

/// Of either sign.
fn is_zero_constant(constant: &Constant) -> bool {
    match constant {
        Constant::Int { value: 0, .. } | Constant::Null(_) | Constant::Zero(_) => true,
        Constant::Float { kind, bits } => *bits == 0 || *bits == 1 << (kind.bits() - 1),
        Constant::Aggregate { parts, .. } => parts.iter().all(is_zero_constant),
        _ => false,
    }
}
