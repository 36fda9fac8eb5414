//! Which primal values and shadow pointers the reverse sweep reads, and how each gets there.

use std::collections::{BTreeMap, BTreeSet};

use super::cut::Cut;
use super::effort::{BYTE, effort_of, find_computations};
use super::left::Told;
use super::needs::{Need, needed_by};
use super::omitted::Sweep;
use super::recount::Recounts;
use super::rerun::Rerun;
use super::restored::{Area, Consumers, find_areas};
use super::rows::AllRows;
use super::runs::Runs;
use super::ways::Way;
use super::{Decision, EXIT, Merge, Storage};
use crate::analyses::activity::Activity;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::globals::is_thread_address;
use crate::analyses::later::Later;
use crate::analyses::meaning::{Meaning, meaning};
use crate::config::{Analyses, PutBack, Switch};
use crate::model::{BlockId, Function, Inst, Layout, Op, Operand, Program, ValueId};
use crate::rules::Rules;

/// What a plan says of everything that is needed.
pub type Stored = BTreeMap<ValueId, Decision<Storage>>;

/// Everything that is decided of what the reverse sweep reads.
#[derive(Default)]
pub struct Chosen {
    /// How each value gets there, and how each shadow pointer does.
    pub storage: Stored,
    pub shadows: Stored,
    /// The stores whose memory is put back.
    pub restored: BTreeSet<ValueId>,
    /// What the runtime is told of those whose memory somebody looks at afterwards.
    pub left: BTreeMap<ValueId, Told>,
    /// The loops that run once more, by their headers.
    pub reruns: BTreeMap<BlockId, Rerun>,
    pub consumers: Consumers,
}

pub struct StoragePlanner<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub flow: &'a Flow,
    pub activity: &'a Activity,
    pub merges: &'a BTreeMap<BlockId, Decision<Merge>>,
    /// The loops whose passes the reverse sweep counts anew.
    pub recounts: &'a Recounts,
    /// Rows of which one copy may stand for all loads.
    pub rows: &'a AllRows,
    /// Which loads find the same again in the reverse sweep; none where somebody else runs between the sweeps.
    lasting: Option<&'a Later<'a>>,
    /// What the forward sweep computes for the reverse sweep alone, if at all.
    pub unneeded: BTreeSet<ValueId>,
    /// Where memory may be put back as it was.
    pub sweep: Option<&'a Sweep<'a>>,
    /// Whether that may be memory at which somebody looks afterwards.
    tells: bool,
    pub analyses: Analyses,
    pub layout: Layout,
    pub block_of: BTreeMap<ValueId, BlockId>,
    pub runs: &'a Runs,
    /// What decides something, and may round otherwise when it is computed again.
    pub decisive: &'a BTreeSet<ValueId>,
}

/// The time of writing a number where it was, from where it may be read at once.
const PUTTING_BACK: u64 = 2;

/// What a planner is asked about, before anything is decided.
pub struct Question<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub flow: &'a Flow,
    pub activity: &'a Activity,
    pub lasting: Option<&'a Later<'a>>,
    pub sweep: Option<&'a Sweep<'a>>,
    /// Whether memory may be put back at which somebody looks afterwards: no exception leaves the function.
    pub tells: bool,
    pub analyses: Analyses,
    pub runs: &'a Runs,
    /// What decides something, and may round otherwise when it is computed again.
    pub decisive: &'a BTreeSet<ValueId>,
}

impl Question<'_> {
    pub fn planner<'b>(
        &'b self,
        merges: &'b BTreeMap<BlockId, Decision<Merge>>,
        recounts: &'b Recounts,
        rows: &'b AllRows,
        unneeded: BTreeSet<ValueId>,
    ) -> StoragePlanner<'b> {
        StoragePlanner {
            function: self.function,
            program: self.program,
            rules: self.rules,
            flow: self.flow,
            activity: self.activity,
            merges,
            recounts,
            rows,
            lasting: self.lasting,
            unneeded,
            sweep: self.sweep,
            tells: self.tells,
            analyses: self.analyses,
            layout: Layout::parse(&self.program.layout),
            block_of: blocks_of_values(self.function),
            runs: self.runs,
            decisive: self.decisive,
        }
    }
}

impl StoragePlanner<'_> {
    pub fn plan(&self) -> Chosen {
        let (needed, shadows) = self.follow_shadows();
        let mut consumers = self.find_consumers();
        let reruns = self.find_reruns(&needed, &consumers);
        for rerun in reruns.values() {
            // The run comes first in the reverse of its block.
            let first = self.function.terminator(rerun.exit);
            consumers.at.entry(first.unwrap_or(ValueId(u32::MAX))).or_default().extend(&rerun.operands);
        }
        let areas = self.find_areas(&consumers);
        let chosen = self.choose_areas(&needed, &areas, (&consumers, &reruns));
        let loads = chosen.iter().flat_map(|area| &area.loads).copied().collect();
        let restored: BTreeSet<ValueId> = chosen.iter().flat_map(|area| &area.stores).copied().collect();
        let addresses = restored.iter().filter_map(|store| self.function.inst(*store)?.operands[1].value());
        let needed = needed.into_iter().chain(addresses).collect();
        consumers.add_addresses(self.function, &restored);
        let storage = self.decide_values(needed, &loads, (&consumers, &reruns));
        let reruns = self.join_reruns(&storage, reruns);
        let left =
            self.find_left(restored.iter()).into_iter().map(|(store, left)| (store, left.told)).collect();
        Chosen { storage, shadows, restored, left, reruns, consumers }
    }

    /// Memory that could be put back as it was.
    fn find_areas(&self, consumers: &Consumers) -> Vec<Area> {
        let Some(sweep) = self.sweep.filter(|_| self.analyses.mincut == Switch::On) else {
            return Vec::new();
        };
        let mut consumers = consumers.clone();
        let may_be_undone = |inst: &Inst| match self.tells {
            true => sweep.may_be_undone(inst),
            false => sweep.is_deferrable(inst),
        };
        let undone = sweep.insts().filter(|(_, inst)| may_be_undone(inst)).map(|(id, _)| id);
        consumers.add_addresses(self.function, &undone.collect());
        let computes = |id, inst: &Inst| self.is_recomputable(id, inst);
        find_areas(sweep, &may_be_undone, &consumers, &computes, &|load| self.lasts(load))
    }

    /// Where the reverse sweep reads what.
    fn find_consumers(&self) -> Consumers {
        let mut consumers = Consumers::default();
        for block in self.function.block_ids().filter(|block| self.flow.is_reachable(*block)) {
            for id in &self.function.block(block).insts {
                let Some(inst) = self.function.inst(*id) else { continue };
                let needs = self.needs_of(*id, inst).into_iter();
                let values = needs.map(|(Need::Primal(value) | Need::Shadow(value))| value);
                consumers.at.insert(*id, values.collect());
            }
        }
        for (block, merge) in self.merges {
            if let Merge::Reevaluate { at, .. } = merge.choice
                && let Some(branch) = self.function.terminator(at).and_then(|id| self.function.inst(id))
            {
                let values = match *block == EXIT {
                    true => &mut consumers.at_end,
                    false => consumers.before.entry(*block).or_default(),
                };
                values.extend(branch.operands[0].value());
            }
        }
        for header in self.merges.keys().filter(|header| **header != EXIT) {
            let by = self.find_updates_of(*header);
            if !by.is_empty() {
                consumers.before.entry(*header).or_default().extend(by);
            }
        }
        for (header, recount) in self.recounts {
            let starts = self.starts_of(*header);
            let values = consumers.before.entry(recount.exit).or_default();
            values.extend(recount.operands().chain(starts));
        }
        consumers
    }

    /// What the counters of a header start from.
    fn starts_of(&self, header: BlockId) -> Vec<ValueId> {
        let insts = self.function.block(header).insts.iter();
        insts.filter_map(|id| self.start_of_counter(*id)).flatten().collect()
    }

    /// The areas that are cheaper to put back than what is read in them to store.
    fn choose_areas<'b>(
        &self,
        needed: &BTreeSet<ValueId>,
        areas: &'b [Area],
        (consumers, reruns): (&Consumers, &BTreeMap<ValueId, Rerun>),
    ) -> Vec<&'b Area> {
        if areas.is_empty() {
            return Vec::new();
        }
        let lefts = self.find_left(areas.iter().flat_map(|area| &area.stores));
        let loads: BTreeSet<ValueId> = areas.iter().flat_map(|area| &area.loads).copied().collect();
        let reached = self.find_operands(needed, &loads, reruns);
        let ways = self.find_ways(&reached, &loads, reruns);
        let mut cut = self.ask(needed, &reached, &ways, consumers);
        let in_rows = self.add_rows(&mut cut, &|load| loads.contains(&load) && reached.contains(&load));
        // What an area holds is one more thing that could be stored, and its loads come from there.
        let number = |at: usize| ValueId(u32::MAX - 1 - at as u32);
        for (at, area) in areas.iter().enumerate() {
            let put_back =
                |store: &ValueId| self.price_of_stored(*store) + PUTTING_BACK * self.trips_of(*store);
            let stores: u64 = area.stores.iter().map(put_back).sum();
            let price = match self.analyses.put_back {
                PutBack::Cheaper => stores + self.price_of_telling(area, &lefts),
                PutBack::Always => 0,
            };
            cut.price.insert(number(at), price);
            cut.roots.push(number(at));
            let read = area.loads.iter().filter(|load| reached.contains(load));
            let read: BTreeSet<ValueId> = read.map(|load| *in_rows.get(load).unwrap_or(load)).collect();
            cut.feeds.extend(read.into_iter().map(|read| (number(at), read)));
        }
        let kept: BTreeSet<ValueId> = cut.solve().into_iter().collect();
        (0..areas.len()).filter(|at| kept.contains(&number(*at))).map(|at| &areas[at]).collect()
    }

    /// Everything the reverse sweep reads: what the reverse of each instruction does, and the conditions of branches
    /// that are evaluated again.
    fn needs(&self) -> BTreeSet<Need> {
        let mut needs = BTreeSet::new();
        for block in self.function.block_ids().filter(|block| self.flow.is_reachable(*block)) {
            for id in &self.function.block(block).insts {
                if let Some(inst) = self.function.inst(*id) {
                    needs.extend(self.needs_of(*id, inst));
                }
            }
        }
        for merge in self.merges.values() {
            if let Merge::Reevaluate { at, .. } = merge.choice
                && let Some(branch) = self.function.terminator(at).and_then(|id| self.function.inst(id))
            {
                needs.extend(branch.operands[0].value().map(Need::Primal));
            }
        }
        needs.extend(self.recounts.values().flat_map(|recount| recount.operands()).map(Need::Primal));
        needs
    }

    fn needs_of(&self, id: ValueId, inst: &Inst) -> Vec<Need> {
        let mut needs = needed_by(id, inst, self.function, self.program, self.rules, self.activity);
        if self.analyses.tbr == Switch::Off {
            needs.extend(self.computed_with(id, inst));
        }
        needs
    }

    /// Every number that an active instruction computes or computes with.
    fn computed_with(&self, id: ValueId, inst: &Inst) -> Vec<Need> {
        if !self.activity.is_active(id) || !inst.ty.holds_float() {
            return Vec::new();
        }
        let values = inst.operands.iter().filter_map(Operand::value).chain([id]);
        let floats = values.filter(|value| self.function.value_type(*value).holds_float());
        floats.map(Need::Primal).collect()
    }

    /// Decides for the shadow pointers; the primal values that are needed come back, those behind shadows included.
    fn follow_shadows(&self) -> (BTreeSet<ValueId>, Stored) {
        let (mut primals, mut shadows) = (BTreeSet::new(), Stored::new());
        let mut waiting: Vec<Need> = self.needs().into_iter().collect();
        while let Some(need) = waiting.pop() {
            match need {
                Need::Primal(value) => drop(primals.insert(value)),
                Need::Shadow(value) if shadows.contains_key(&value) => {}
                Need::Shadow(value) => {
                    let (decision, more) = self.decide_shadow(value);
                    shadows.insert(value, decision);
                    waiting.extend(more);
                }
            }
        }
        (primals, shadows)
    }

    /// Stores what is cheapest to store; the rest is computed again from that.
    fn decide_values(
        &self,
        needed: BTreeSet<ValueId>,
        reread: &BTreeSet<ValueId>,
        (consumers, reruns): (&Consumers, &BTreeMap<ValueId, Rerun>),
    ) -> Stored {
        let reached = self.find_operands(&needed, reread, reruns);
        let ways = self.find_ways(&reached, reread, reruns);
        let mut cut = self.ask(&needed, &reached, &ways, consumers);
        let in_rows = self.add_rows(&mut cut, &|_| false);
        let kept: BTreeSet<ValueId> = match self.analyses.mincut {
            Switch::On => {
                let mut kept: BTreeSet<ValueId> = cut.solve().into_iter().collect();
                kept.extend(
                    in_rows
                        .iter()
                        .filter(|(_, row)| kept.contains(row))
                        .map(|(load, _)| *load)
                        .collect::<Vec<_>>(),
                );
                kept
            }
            Switch::Off => {
                let numbers = needed.iter().map(|value| self.function.number_of(*value));
                numbers.filter(|value| !matches!(ways[value], Way::Free(_))).collect()
            }
        };
        let mut stored = Stored::new();
        let mut waiting: Vec<ValueId> = needed.into_iter().collect();
        while let Some(value) = waiting.pop() {
            if stored.contains_key(&value) {
                continue;
            }
            let choice = match &ways[&value] {
                _ if kept.contains(&value) => self.keep(value),
                Way::Free(choice) => choice.clone(),
                Way::Again(operands) => {
                    waiting.extend(operands);
                    self.again(value, reruns)
                }
                // The cut lies between this and every need.
                Way::Never => unreachable!("%{} is needed, and neither stored nor computed again", value.0),
            };
            stored.insert(value, choice);
        }
        stored
    }

    fn ask(
        &self,
        needed: &BTreeSet<ValueId>,
        reached: &BTreeSet<ValueId>,
        ways: &BTreeMap<ValueId, Way>,
        consumers: &Consumers,
    ) -> Cut {
        let mut cut = Cut { needed: needed.iter().copied().collect(), ..Cut::default() };
        let from = |value: ValueId| match &ways[&value] {
            Way::Again(operands) => operands.clone(),
            Way::Free(_) | Way::Never => Vec::new(),
        };
        let blocks = find_computations(self.function, consumers, &self.in_order(reached), &from);
        for value in reached {
            cut.price.insert(*value, self.price(*value));
            match &ways[value] {
                Way::Free(_) => {}
                Way::Again(operands) => {
                    cut.feeds.extend(operands.iter().map(|operand| (*operand, *value)));
                    cut.effort.insert(
                        *value,
                        self.effort(*value, blocks.get(value).map_or(1, |blocks| blocks.len() as u64)),
                    );
                }
                Way::Never => cut.roots.push(*value),
            }
        }
        cut
    }

    /// Values in an order in which operands that are computed again come first: dominators before what they dominate.
    pub fn in_order(&self, values: &BTreeSet<ValueId>) -> Vec<ValueId> {
        let params = values.iter().copied().filter(|value| self.function.inst(*value).is_none());
        let blocks = self.flow.dominator_order();
        let insts = blocks.iter().flat_map(|block| self.function.block(*block).insts.iter().copied());
        params.chain(insts.filter(|id| values.contains(id))).collect()
    }

    /// The time of computing a value again in the reverse of so many blocks.
    pub fn effort(&self, value: ValueId, times: u64) -> u64 {
        let Some(inst) = self.function.inst(value) else { return 0 };
        let row = match meaning(inst, self.function, self.program, self.rules) {
            Meaning::Row { row, .. } => Some(row.name),
            _ => None,
        };
        // A run of a loop was looked at as a whole.
        if matches!(inst.op, Op::Phi { .. }) {
            return 0;
        }
        let more = if self.unneeded.contains(&value) { times.saturating_sub(1) } else { times };
        effort_of(inst, row) * more * self.trips_of(value)
    }

    /// Bytes, times how often they are stored.
    pub fn price(&self, value: ValueId) -> u64 {
        if self.function.inst(value).is_some_and(|inst| matches!(inst.op, Op::Alloca(_))) {
            // The address of a slot is a fixed place in the frame.
            return 1;
        }
        // What derivatives are attached to is the number that it is attached to, and that is stored.
        let number = self.function.number_of(value);
        let more = if number == value { 1 } else { 2 };
        self.price_of(self.layout.size_of(self.function.value_type(value)), number) * more
    }

    /// So many bytes, stored whenever an instruction runs.
    pub fn price_of(&self, bytes: Option<u64>, value: ValueId) -> u64 {
        bytes.unwrap_or(64).max(1) * BYTE * self.trips_of(value)
    }

    /// The same of what a store writes.
    pub fn price_of_stored(&self, store: ValueId) -> u64 {
        let value = self.function.inst(store).map(|inst| inst.operands[0].clone());
        let ty = value.map(|value| self.function.operand_type(&value));
        self.price_of(ty.and_then(|ty| self.layout.size_of(&ty)), store)
    }

    /// How often an instruction runs.
    pub fn trips_of(&self, value: ValueId) -> u64 {
        self.block_of.get(&value).map_or(1, |block| self.runs.of_block(*block))
    }

    fn decide_shadow(&self, value: ValueId) -> (Decision<Storage>, Vec<Need>) {
        let Some(inst) = self.function.inst(value) else {
            return (decision(Storage::Argument, "both sweeps are given it"), Vec::new());
        };
        let primal = |operand: &Operand| operand.value().map(Need::Primal);
        let shadow = |operand: &Operand| {
            operand.value().filter(|value| self.activity.is_value_shadowed(*value)).map(Need::Shadow)
        };
        let recompute =
            |more: Vec<Need>| (decision(Storage::Recompute, "follows from what is at hand"), more);
        match &inst.op {
            Op::Alloca(_) if !self.activity.is_remade(value) => {
                (decision(Storage::Argument, "the shadow of a stack slot has a place of its own"), Vec::new())
            }
            Op::Gep(_) => {
                let indices = inst.operands[1..].iter().filter_map(primal);
                recompute(shadow(&inst.operands[0]).into_iter().chain(indices).collect())
            }
            Op::Load(_) if self.lasts(value) => recompute(shadow(&inst.operands[0]).into_iter().collect()),
            Op::Freeze | Op::Cast(_) => recompute(shadow(&inst.operands[0]).into_iter().collect()),
            Op::Call(_) if is_thread_address(inst) => {
                recompute(shadow(&inst.operands[0]).into_iter().collect())
            }
            Op::Select => {
                let arms = inst.operands[1..].iter().filter_map(shadow);
                recompute(primal(&inst.operands[0]).into_iter().chain(arms).collect())
            }
            _ => (self.keep(value), Vec::new()),
        }
    }

    fn keep(&self, value: ValueId) -> Decision<Storage> {
        let cyclic = self.block_of.get(&value).is_some_and(|block| self.flow.is_cyclic(*block));
        if cyclic {
            decision(Storage::SaveOnOverwrite, "computed anew in each iteration")
        } else {
            decision(Storage::Keep, "computed once in each call")
        }
    }

    pub fn lasts(&self, load: ValueId) -> bool {
        self.lasting.as_ref().is_some_and(|later| later.lasts(load))
    }
}

/// Whether something is computed again only because the forward sweep was thought to leave it out.
pub fn counts_on(function: &Function, chosen: &Chosen, left_out: &BTreeSet<ValueId>) -> bool {
    let takes_time = |value: &ValueId| function.inst(*value).is_some_and(|inst| effort_of(inst, None) > 0);
    let again = chosen.storage.iter().filter(|(_, decision)| decision.choice == Storage::Recompute);
    let values = again.map(|(value, _)| value);
    let mut values = values.chain(chosen.reruns.values().flat_map(|rerun| &rerun.insts));
    values.any(|value| takes_time(value) && left_out.contains(value))
}

pub fn decision(choice: Storage, reason: &str) -> Decision<Storage> {
    Decision { choice, reason: reason.into() }
}
