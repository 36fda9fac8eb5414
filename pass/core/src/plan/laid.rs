//! What goes on the tape, for what was decided of values and of control, and which loops need none.

use std::collections::{BTreeMap, BTreeSet};

use super::fused::{Fused, Fusing};
use super::order::Ordering;
use super::recount::{Recounts, entry_of};
use super::restored::Consumers;
use super::rooms::{Records, Room, Rooms};
use super::rows::{AllRows, keep_laid, keep_stored};
use super::storage::{Question, Stored};
use super::{Decision, Fetch, Item, Merge, Order, RecordArray, arrays, fresh, records};
use crate::analyses::flow::Flow;
use crate::analyses::later::Later;
use crate::config::{Config, Switch};
use crate::model::{BlockId, Layout, ValueId};
use crate::request::{Mode, Request};

/// What was decided so far.
pub struct Decided<'a> {
    pub question: &'a Question<'a>,
    pub request: &'a Request,
    pub later: Option<&'a Later<'a>>,
    pub storage: &'a Stored,
    pub shadows: &'a Stored,
    pub restored: &'a BTreeSet<ValueId>,
    pub consumers: &'a Consumers,
    pub merges: &'a BTreeMap<BlockId, Decision<Merge>>,
    pub may_be_left: bool,
}

/// The records, and who does without.
#[derive(Default)]
pub struct Laid {
    pub records: BTreeMap<BlockId, Vec<Item>>,
    pub arrays: BTreeMap<BlockId, RecordArray>,
    pub fresh: BTreeMap<Item, Fetch>,
    pub fused: BTreeMap<BlockId, Fused>,
    pub rooms: BTreeMap<ValueId, Room>,
    pub rows: AllRows,
}

impl Decided<'_> {
    /// Lays records, and turns the loops that may be reversed in the order of their passes.
    pub fn lay(&self, config: &Config, recounts: &mut Recounts, rows: AllRows) -> Laid {
        let (function, whole) = (self.question.function, self.question.flow);
        let may_turn = config.sums == Switch::On && config.analyses.fuse == Switch::On;
        let mut laid = Laid { records: self.plan_records(whole, recounts), ..Laid::default() };
        if may_turn {
            laid.fused = self.find_fused(&laid.records);
        }
        // A pass that is reversed before the next one begins is by itself.
        let back = laid.fused.iter().map(|(header, fused)| (fused.latch, *header)).collect();
        let flow = &Flow::without(function, &back);
        if !laid.fused.is_empty() {
            recounts.retain(|header, _| !laid.fused.contains_key(header));
            laid.records = self.plan_records(flow, recounts);
        }
        // Loops over scalars alone are short, and the checker follows their records one by one.
        if self.question.activity.memory().next().is_some() {
            laid.arrays = arrays::plan_arrays(function, flow, self.merges, &mut laid.records);
            arrays::keep_in_frame(&mut laid.arrays, &laid.fused, flow);
        }
        let (storage, shadows) = (self.storage, self.shadows);
        laid.fresh = fresh::find_fresh(
            function,
            flow,
            (storage, shadows),
            self.consumers,
            &laid.records,
            &laid.arrays,
        );
        if config.analyses.notape == Switch::On && laid.fused.is_empty() {
            laid.rooms = self.find_rooms(&mut laid);
        }
        laid.rows = self.find_rows(&laid, rows);
        if may_turn {
            self.ordering(&laid.records).choose(recounts);
        }
        recounts.retain(|header, recount| {
            let once = entry_of(self.merges, *header).is_none_or(|entry| !flow.is_cyclic(entry));
            !once || recount.order == Order::Forwards
        });
        laid
    }

    /// Of all rows those that stand for what is recorded.
    fn find_rows(&self, laid: &Laid, mut rows: AllRows) -> AllRows {
        let Question { function, program, .. } = *self.question;
        let layout = Layout::parse(&program.layout);
        keep_stored(&mut rows, function, &layout, self.storage);
        keep_laid(&mut rows, function, &layout, laid);
        rows
    }

    fn plan_records(&self, flow: &Flow, recounts: &Recounts) -> BTreeMap<BlockId, Vec<Item>> {
        let stored = (self.storage, self.shadows);
        records::plan_records(self.question.function, flow, stored, self.restored, self.merges, recounts)
    }

    fn ordering<'a>(&'a self, records: &'a BTreeMap<BlockId, Vec<Item>>) -> Ordering<'a> {
        let Question { function, program, rules, flow, activity, .. } = *self.question;
        let (storage, merges) = (self.storage, self.merges);
        Ordering { function, program, rules, flow, activity, storage, merges, records }
    }

    fn find_fused(&self, records: &BTreeMap<BlockId, Vec<Item>>) -> BTreeMap<BlockId, Fused> {
        let whole = self.request.mode == Mode::Gradient && !self.request.nested && !self.may_be_left;
        match self.later {
            Some(later) if whole && self.question.activity.memory().next().is_some() => {
                Fusing::of(self.ordering(records), later, self.shadows, self.restored).find()
            }
            _ => BTreeMap::new(),
        }
    }

    fn find_rooms(&self, laid: &mut Laid) -> BTreeMap<ValueId, Room> {
        let Some(later) = self.later else { return BTreeMap::new() };
        let Question { function, program, rules, flow, activity, .. } = *self.question;
        let (request, shadows) = (self.request, self.shadows);
        let rooms = Rooms { function, program, rules, request, flow, activity, later, shadows };
        let Laid { records, arrays, fresh, .. } = laid;
        rooms.take(Records { items: records, arrays, fresh })
    }
}
