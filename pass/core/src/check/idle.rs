//! A loop that is passed by on the way back where nothing is said about what it hands on would have added nothing.
//!
//! It is left at its header alone, for one block, and its instructions compute and read: no adjoint reaches it but through its
//! values, and all that are active and taken behind it are asked. Its reverse adds to shadows and nothing else that lasts: what it takes
//! off the tape lies in arrays, which are given back elsewhere. The cells of its values are not read again before they are
//! written: either control does not come again before the reverse sweep has been there, or they are counters that are
//! counted anew, or recorded as their block ends, so that its reverse alone reads them and fetches them first.

use std::collections::BTreeSet;

use super::{Obligation, Proof};
use crate::model::{BlockId, Inst, Operand, Type, ValueId};
use crate::plan::{Decision, Idle, Item, Merge, Storage};

impl Proof<'_> {
    pub fn check_idle(&mut self) {
        let mut problems = Vec::new();
        for (header, idle) in &self.plan.idle {
            let body = self.body_of(*header);
            let problem = self
                .find_side_way(*header, &body, idle)
                .map(str::to_owned)
                .or_else(|| self.find_unasked(&body, idle))
                .or_else(|| self.find_trace(&body, idle));
            problems.extend(problem.map(|problem| format!("^{} may be passed by, and {problem}", header.0)));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Idle, problem));
    }

    /// Another way in or out, for control.
    fn find_side_way(&self, header: BlockId, body: &BTreeSet<BlockId>, idle: &Idle) -> Option<&'static str> {
        match self.plan.merges.get(&header).map(|merge| &merge.choice) {
            Some(Merge::Count { entry, .. }) if *entry == idle.entry => {}
            _ => return Some("is entered elsewhere"),
        }
        let arrivals = self.paths.arrivals();
        let leaves = |block: &BlockId| self.paths.successors(*block).iter().any(|to| !body.contains(to));
        let alone = body.iter().all(|block| *block == header || !leaves(block));
        let behind = self.paths.successors(header).iter().filter(|to| !body.contains(to));
        if !alone || behind.copied().collect::<BTreeSet<_>>() != BTreeSet::from([idle.exit]) {
            return Some("is left elsewhere");
        }
        if arrivals.get(&idle.exit) != Some(&BTreeSet::from([header])) {
            return Some("the block behind it is entered from elsewhere");
        }
        if self.plan.fused.contains_key(&header)
            || !self.plan.strips.is_empty()
            || !self.plan.rooms.is_empty()
        {
            return Some("its reverse does not run behind it, or does more than add");
        }
        None
    }

    /// What is active of the loop, and goes on behind it without being asked.
    fn find_unasked(&self, body: &BTreeSet<BlockId>, idle: &Idle) -> Option<String> {
        let inside = |id: ValueId| self.paths.home(id).is_some_and(|home| body.contains(&home));
        let takes = |inst: &Inst| {
            let values = inst.operands.iter().filter_map(Operand::value);
            let mut active = values.filter(|value| inside(*value) && self.is_active(*value));
            active.any(|value| !idle.asked.contains(&value))
        };
        let insts = self.live_insts();
        if let Some((id, _)) = insts.iter().find(|(id, inst)| !inside(*id) && takes(inst)) {
            return Some(format!("{} takes what is not asked", self.describe(*id)));
        }
        let number = |value: &ValueId| matches!(self.function.value_type(*value), Type::Float(_));
        let odd = idle.asked.iter().find(|value| !number(value) || !self.is_active(**value));
        odd.map(|value| format!("{} is no active float", self.describe(*value)))
    }

    /// What the reverse of the loop changes beside adjoints and shadows.
    fn find_trace(&self, body: &BTreeSet<BlockId>, idle: &Idle) -> Option<String> {
        let inside = |id: ValueId| self.paths.home(id).is_some_and(|home| body.contains(&home));
        let noisy = |id: ValueId, inst: &Inst| !self.is_still(id, inst) || self.plan.restored.contains(&id);
        let insts = self.live_insts();
        if let Some((id, _)) = insts.iter().find(|(id, inst)| inside(*id) && noisy(*id, inst)) {
            return Some(format!("{} does more than compute", self.describe(*id)));
        }
        let recorded: Vec<BlockId> =
            self.plan.records.keys().copied().filter(|block| body.contains(block)).collect();
        let arrays = || self.plan.arrays.values();
        let loose = recorded.iter().find(|block| !arrays().any(|array| array.blocks.contains(block)));
        if let Some(block) = loose {
            return Some(format!("the records of ^{} are taken off the tape by its reverse", block.0));
        }
        if arrays().any(|array| body.contains(&array.entry) && array.in_frame.is_none()) {
            return Some("an array inside it is taken off the tape by its reverse".into());
        }
        if !self.comes_again(idle.entry) {
            return None;
        }
        let fresh = |item: &Item| self.plan.fresh.contains_key(item);
        let old = recorded.iter().find(|block| !self.plan.records[block].iter().all(fresh));
        if let Some(block) = old {
            return Some(format!("what ^{} has recorded would not come back", block.0));
        }
        let recounts = self.plan.recounts.iter().filter(|(header, _)| body.contains(header));
        let anew: BTreeSet<ValueId> = recounts.flat_map(|(_, recount)| recount.counters.clone()).collect();
        let stale = |id: &ValueId, decision: &Decision<Storage>, item: Item| {
            let cell = !matches!(decision.choice, Storage::Argument | Storage::Recompute);
            cell && inside(*id) && !anew.contains(id) && !fresh(&item)
        };
        let value = self.plan.storage.iter().find(|(id, cell)| stale(id, cell, Item::Value(**id)));
        let shadow = || self.plan.shadows.iter().find(|(id, cell)| stale(id, cell, Item::Shadow(**id)));
        let stale = value.or_else(shadow);
        stale.map(|(id, _)| format!("the cell of {} is not what it was before the loop", self.describe(*id)))
    }
}
