//! Where the reverse sweep comes back to a loop it knows how often that ran, and where its counters stood.
//!
//! It comes from one block, which is entered from the header alone: so each run of the loop is counted once. The bounds are
//! those of the loop's test, and at hand there; a counter goes from its start by its step, once in each pass. Nobody reads
//! such a counter but in the reverse of the loop: everywhere else its cell holds what some other run has left.

use std::collections::BTreeSet;

use super::reads::{Moment, Read, Reads};
use super::{Obligation, Proof};
use crate::model::{BlockId, Operand, ValueId};
use crate::plan::{Merge, Recount, Storage, start_of};

impl Proof<'_> {
    /// Bounds, and the starts of counters.
    pub fn find_recount_reads(&self) -> Vec<Read> {
        let mut reads = Vec::new();
        for (header, recount) in &self.plan.recounts {
            let starts =
                recount.counters.iter().filter_map(|counter| self.start_of_counter(*header, *counter));
            let bounds = [&recount.trips.start, &recount.trips.bound];
            let why = format!("the count of the passes of ^{}", header.0);
            let read = |value: ValueId| {
                let (at, moment) = (recount.exit, Moment::Leaving(recount.exit));
                Read { value, at, moment, why: why.clone() }
            };
            reads.extend(bounds.into_iter().chain(starts).filter_map(Operand::value).map(read));
        }
        reads
    }

    fn start_of_counter(&self, header: BlockId, counter: ValueId) -> Option<&Operand> {
        let Merge::Count { latch, .. } = self.plan.merges.get(&header)?.choice else { return None };
        start_of(self.function, counter, latch)
    }

    pub fn check_recounts(&mut self, reads: &Reads, shadows: &Reads) {
        let mut problems = Vec::new();
        for (header, recount) in &self.plan.recounts {
            let problem = self.find_miscounted(*header, recount).map(str::to_owned);
            let problem = problem.or_else(|| self.find_stray_counter(*header, recount, reads, shadows));
            problems.extend(problem.map(|problem| format!("^{} is counted anew, and {problem}", header.0)));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Recounts, problem));
    }

    fn find_miscounted(&self, header: BlockId, recount: &Recount) -> Option<&'static str> {
        let Some(Merge::Count { latch, .. }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return Some("its passes are not counted");
        };
        let arrivals = self.paths.arrivals();
        if arrivals.get(&recount.exit) != Some(&BTreeSet::from([header])) {
            return Some("the block behind it is entered from elsewhere");
        }
        self.find_wrong_trips(header, *latch, &recount.trips)
    }

    fn find_stray_counter(
        &self,
        header: BlockId,
        recount: &Recount,
        reads: &Reads,
        shadows: &Reads,
    ) -> Option<String> {
        let body = self.body_of(header);
        for counter in &recount.counters {
            let choice = self.plan.storage.get(counter).map(|decision| &decision.choice);
            if !matches!(choice, Some(Storage::Invert { header: of, .. }) if *of == header) {
                return Some(format!("{} is not counted back in it", self.describe(*counter)));
            }
            let (values, pointers) = self.find_repeated(BTreeSet::from([*counter]), BTreeSet::new());
            let mut read = reads.among(&values).chain(shadows.among(&pointers));
            let undone = self.plan.restored.iter().filter(|store| {
                let address = self.function.inst(**store).and_then(|inst| inst.operands[1].value());
                address.is_some_and(|address| values.contains(&address))
            });
            let inside = |block: Option<BlockId>| block.is_some_and(|block| body.contains(&block));
            if let Some(read) = read.find(|read| read.moment == Moment::End || !inside(Some(read.at))) {
                return Some(format!("{} is read outside of it, in {}", self.describe(*counter), read.why));
            }
            if undone.into_iter().any(|store| !inside(self.paths.home(*store))) {
                return Some(format!("{} tells an address outside of it", self.describe(*counter)));
            }
        }
        None
    }
}
