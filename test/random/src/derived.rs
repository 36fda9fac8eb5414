//! A derived function with the plan it was made from, and what is made of its end.

use std::collections::BTreeSet;

use backsweep_core::model::Function;
use backsweep_core::plan::Plan;
use backsweep_oracle::{Fault, Trap};

use crate::Verdict;

pub struct Derived {
    pub plan: Plan,
    pub function: Function,
    /// The derivatives of functions that it calls.
    pub called: Vec<Function>,
    /// Globals that may have two shadows, because one for all who use them was refused.
    pub parted: BTreeSet<String>,
}

impl Derived {
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        std::iter::once(&self.function).chain(&self.called)
    }

    /// A derivative that finds two shadows of one memory refuses, when it runs; but only where the plan could not do without.
    pub fn judge(&self, trap: &Trap) -> Verdict {
        let lost = matches!(&trap.fault, Fault::Aborted(what) if what == "bs_rt_no_shadow");
        match lost && !self.parted.is_empty() {
            true => Verdict::Refused(format!("two shadows of one memory: {:?}", self.parted)),
            false => Verdict::Wrong(format!("{trap}\n{}", self.function)),
        }
    }
}
