//! Long loops whose records would take much memory: in strips.
//!
//! What an iteration hands to the next is laid down where a strip of iterations begins, and the records of one strip alone
//! are kept, each over that of the strip before. In the reverse sweep a strip runs again from its beginning, as much of it
//! as the records take, before it is reversed; the last one is there still. A loop of `n` passes with records of `r` bytes
//! and `s` bytes to hand on takes `r·b + s·n/b` bytes in place of `r·n`, and one that is shorter than a strip what it took.
//!
//! For loops whose records lie in one array and hold numbers that the pass has computed, or the pass before. What they held
//! before the loop is not there any more, so where somebody may ask for that, because the loop is entered again, each block has
//! to record what it has put there itself. What runs again computes, or reads memory that is not overwritten.
//! Safe error: not in strips (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::effort::BYTE;
use super::recount::Recounts;
use super::storage::{StoragePlanner, Stored, decision};
use super::{AllRows, Fetch, Item, Plan, RecordArray, Storage, distinct_predecessors};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::later::Later;
use crate::model::{BlockId, Constant, Function, Layout, Op, Operand, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The passes in one; a power of two.
    pub passes: u64,
    /// A loop of so many passes is one strip as a whole: then nothing runs again.
    pub whole: u64,
    /// What the header hands on, and is laid down where a strip begins.
    pub state: BTreeSet<ValueId>,
    /// What it hands on beside that: counted back, so it is known where a strip began.
    pub counters: BTreeSet<ValueId>,
    pub blocks: BTreeSet<BlockId>,
    /// The instructions that run again, beside the branches.
    pub insts: BTreeSet<ValueId>,
    /// What they take from outside the loop.
    pub operands: BTreeSet<ValueId>,
}

pub type Strips = BTreeMap<BlockId, Strip>;

/// The records of a strip stay in the nearest cache, with as much again for the memory that is read.
const STRIP_BYTES: u64 = 32 << 10;

/// Running again takes up to half as long again as laying all records, wherever they lie: what is saved is memory, and of so
/// little nobody is short.
const WHOLE_BYTES: u64 = 32 << 20;

/// A number that is handed on is laid down in each pass, over itself.
const MOST_STATE: usize = 6;

/// However much room the user gives a strip.
const MOST_PASSES: u64 = 1 << 32;

/// What is handed on is waited for.
const WAIT: u64 = 8;

/// Running again has to be so much cheaper than storing what is far away: memory is not always far.
const GAIN: u64 = 2;

/// What was decided of a function, as far as strips are concerned.
pub struct Decided<'a> {
    pub planner: &'a StoragePlanner<'a>,
    pub later: &'a Later<'a>,
    pub records: &'a BTreeMap<BlockId, Vec<Item>>,
    pub arrays: &'a BTreeMap<BlockId, RecordArray>,
    pub fresh: &'a BTreeMap<Item, Fetch>,
    pub rows: &'a AllRows,
    pub recounts: &'a Recounts,
    /// The bytes of records in a strip, where the user says so.
    pub bytes: Option<u64>,
}

/// Finds the loops; what they take from outside gets a storage where it has none.
pub fn find_strips(decided: &Decided, storage: &mut Stored) -> Strips {
    let mut strips = Strips::new();
    for (header, array) in decided.arrays.iter().filter(|(header, _)| !decided.rows.contains_key(header)) {
        if let Some((strip, more)) = decided.find_strip(*header, array, storage) {
            storage.extend(more);
            strips.insert(*header, strip);
        }
    }
    strips
}

impl Decided<'_> {
    fn find_strip(&self, header: BlockId, array: &RecordArray, storage: &Stored) -> Option<(Strip, Stored)> {
        let (function, flow) = (self.planner.function, self.planner.flow);
        let cycle = find_cycle(flow, header, &distinct_predecessors(flow, header))?;
        let round = function.inst(function.terminator(cycle.latch)?)?;
        if cycle.latch == header || !matches!(round.op, Op::Br { .. }) {
            return None;
        }
        let recorded = self.find_recorded(&cycle, array)?;
        let mut strip = self.find_slice(&cycle, &recorded, storage)?;
        let mut more = Stored::new();
        for operand in &strip.operands {
            if !self.is_at_hand(*operand, &cycle, storage) {
                more.insert(*operand, self.bring(*operand)?);
            }
        }
        (strip.passes, strip.whole) = self.choose_passes(&strip, array, &recorded)?;
        Some((strip, more))
    }

    /// The values that the records of a loop hold, if they hold nothing but what its passes have computed.
    fn find_recorded(&self, cycle: &Cycle, array: &RecordArray) -> Option<BTreeSet<ValueId>> {
        let mut recorded = BTreeSet::new();
        let once = !self.planner.flow.is_cyclic(array.entry);
        for block in &cycle.blocks {
            for item in self.records.get(block).into_iter().flatten() {
                let known = once || self.fresh.contains_key(item);
                match item {
                    // What a block saves for a loop that it enters, no pass of this one computes there.
                    Item::Value(value)
                        if known
                            && array.blocks.contains(block)
                            && self.planner.block_of.get(value) == Some(block) =>
                    {
                        recorded.insert(*value);
                    }
                    _ => return None,
                }
            }
        }
        Some(recorded)
    }

    /// What has to run for the records, if all of it can.
    fn find_slice(&self, cycle: &Cycle, recorded: &BTreeSet<ValueId>, storage: &Stored) -> Option<Strip> {
        let planner = self.planner;
        let mut strip = Strip {
            passes: 0,
            whole: 0,
            state: BTreeSet::new(),
            counters: BTreeSet::new(),
            blocks: cycle.blocks.clone(),
            insts: BTreeSet::new(),
            operands: BTreeSet::new(),
        };
        let mut waiting: Vec<ValueId> = recorded.iter().copied().collect();
        for block in cycle.blocks.iter().filter(|block| **block != cycle.header) {
            let branch = planner.function.inst(planner.function.terminator(*block)?)?;
            if !matches!(branch.op, Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. }) {
                return None;
            }
            waiting.extend(branch.operands.iter().filter_map(Operand::value));
        }
        while let Some(value) = waiting.pop() {
            let home = planner.block_of.get(&value);
            if !home.is_some_and(|home| cycle.blocks.contains(home)) {
                strip.operands.insert(value);
                continue;
            }
            if !strip.insts.insert(value) {
                continue;
            }
            let inst = planner.function.inst(value)?;
            match &inst.op {
                Op::Phi { from } if home == Some(&cycle.header) => {
                    let counted = storage.get(&value).is_some_and(|decision| match &decision.choice {
                        Storage::Invert { header, .. } => *header == cycle.header,
                        _ => false,
                    });
                    let known = if counted { &mut strip.counters } else { &mut strip.state };
                    known.insert(value);
                    let latch = from.iter().position(|block| *block == cycle.latch)?;
                    waiting.extend(inst.operands[latch].value());
                }
                Op::Phi { .. } => waiting.extend(inst.operands.iter().filter_map(Operand::value)),
                Op::Load(_) if !self.later.lasts(value) => return None,
                _ if planner.is_recomputable(value, inst) => {
                    waiting.extend(inst.number_operands().iter().filter_map(Operand::value));
                }
                _ => return None,
            }
        }
        // Without anything handed on a pass is computed again by itself, where that is worth it.
        let carried = !strip.state.is_empty() && strip.state.len() <= MOST_STATE;
        let plain = |value: &ValueId| {
            let ty = planner.function.value_type(*value);
            ty.is_real() || matches!(ty, crate::model::Type::Int(_))
        };
        (carried && strip.state.iter().all(plain)).then_some(strip)
    }

    /// Whether a value from outside of the loop is there wherever a pass of it is reversed.
    fn is_at_hand(&self, value: ValueId, cycle: &Cycle, storage: &Stored) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![value]);
        while let Some(value) = waiting.pop() {
            if !seen.insert(value) {
                continue;
            }
            let there = match storage.get(&value).map(|decision| &decision.choice) {
                Some(Storage::Argument | Storage::Keep | Storage::Uncompute { .. }) => true,
                Some(Storage::SaveOnOverwrite) => !self.fresh.contains_key(&Item::Value(value)),
                // A cell that is right only for the reverse of some block.
                None | Some(Storage::Rerun) => false,
                Some(Storage::Invert { header, .. }) => self.counts_around(value, *header, cycle),
                Some(Storage::Recompute) => {
                    let inst = self.planner.function.inst(value);
                    waiting.extend(
                        inst.iter().flat_map(|inst| inst.number_operands()).filter_map(Operand::value),
                    );
                    inst.is_some_and(|inst| !matches!(inst.op, Op::Load(_)) || self.later.lasts(value))
                }
            };
            if !there {
                return false;
            }
        }
        true
    }

    /// Whether a counter is right in a loop: counted anew, it is in its own alone.
    fn counts_around(&self, counter: ValueId, header: BlockId, cycle: &Cycle) -> bool {
        let anew = self.recounts.get(&header).is_some_and(|found| found.counters.contains(&counter));
        let flow = self.planner.flow;
        let own = find_cycle(flow, header, &distinct_predecessors(flow, header));
        !anew || own.is_some_and(|own| own.blocks.contains(&cycle.header))
    }

    /// A storage for what has none yet, and runs once.
    fn bring(&self, value: ValueId) -> Option<super::Decision<Storage>> {
        match self.planner.block_of.get(&value) {
            None => Some(decision(Storage::Argument, "both sweeps are given it")),
            Some(block) if !self.planner.flow.is_cyclic(*block) => {
                Some(decision(Storage::Keep, "a strip of a loop takes it, which runs again"))
            }
            Some(_) => None,
        }
    }

    /// How long the strips are, where it is worth it.
    fn choose_passes(
        &self,
        strip: &Strip,
        array: &RecordArray,
        recorded: &BTreeSet<ValueId>,
    ) -> Option<(u64, u64)> {
        let planner = self.planner;
        let size = |value: &ValueId| {
            let bytes = planner.layout.size_of(planner.function.value_type(*value));
            bytes.unwrap_or(64).max(1)
        };
        let bytes: u64 = recorded.iter().map(size).sum();
        let (storing, per_pass) = (planner.price(*recorded.first()?), size(recorded.first()?) * BYTE);
        let often = (storing / per_pass).max(1);
        let computing: u64 = strip.insts.iter().map(|value| planner.effort(*value, 1)).sum();
        let effort = computing + WAIT * often * strip.state.len() as u64;
        let state: u64 = strip.state.iter().map(size).sum();
        let most = self.bytes.unwrap_or(STRIP_BYTES);
        let passes: u64 = (most / bytes).clamp(1, MOST_PASSES);
        let passes = 1 << passes.ilog2();
        let whole = self.bytes.unwrap_or(WHOLE_BYTES) / bytes;
        let long = |known: u64| known > whole;
        // What is laid down has to be little beside the records.
        let worth = effort * GAIN <= bytes * BYTE * often && state * 16 <= bytes * passes;
        (known_passes(array).is_none_or(long) && (worth || self.bytes.is_some()))
            .then_some((passes, whole.max(passes)))
    }
}

/// How often a loop between constant bounds runs.
fn known_passes(array: &RecordArray) -> Option<u64> {
    match (&array.trips.start, &array.trips.bound) {
        (Operand::Const(start @ Constant::Int { .. }), Operand::Const(bound @ Constant::Int { .. })) => {
            Some((bound.as_signed()? - start.as_signed()?).unsigned_abs().try_into().unwrap_or(u64::MAX))
        }
        _ => None,
    }
}

impl Plan {
    /// The bytes that are laid down where a strip begins, and where among them each value lies.
    pub fn lay_state(
        &self,
        function: &Function,
        layout: &Layout,
        strip: &Strip,
    ) -> (Vec<(ValueId, u64)>, u64) {
        let (mut places, mut bytes) = (Vec::new(), 0u64);
        for value in &strip.state {
            places.push((*value, bytes));
            bytes += layout.size_of(function.value_type(*value)).unwrap_or(8).next_multiple_of(8);
        }
        (places, bytes)
    }
}
