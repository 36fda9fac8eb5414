//! What the derivatives of a request leave on the tape together, and what their calls that run twice take for it: to choose between
//! calls that are inlined or record as they go, and calls that run twice.
//!
//! Variants of one request → [`Weight`]. How often loops go round is known where it follows from constants, also from those that calls
//! hand over; other loops are taken to go round so many times, which is said.
//! Safe error: any (costs time or tape, never truth). What is not known on either side is no reason to run anything twice.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::effort::{BYTE, effort_of};
use super::extents::{Extents, Known, TRIPS, same};
use super::joint::Joint;
use super::lanes::{LANES, Lanes};
use super::wait::Waits;
use super::{Plan, Variant, variant_name};
use crate::analyses::flow::blocks_of_values;
use crate::analyses::meaning::{Meaning, meaning};
use crate::derive::{measure_call, measure_record};
use crate::model::{BlockId, Layout, Loop, Program};
use crate::request::Mode;
use crate::rules::Rules;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Bytes that lie on the tape where the forward sweep ends.
    pub kept: u64,
    /// The most that the gradient of one call adds to them for a while.
    pub passing: u64,
    /// All bytes that are recorded, now or then.
    pub recorded: u64,
    /// The time of what runs once more, in the unit of [`effort_of`].
    pub again: u64,
    /// Whether some loop was taken to go round [`TRIPS`] times.
    pub guessed: bool,
    /// Whether something is recorded of which nobody knows how much it is.
    pub unknown: bool,
}

/// So much lies beyond what one core has of a cache. What is less is written and read nearly for nothing.
const FAR: u64 = 32 << 20;

/// So much less has to lie on the tape.
const PART: u64 = 8;

/// What is stored has to take so much longer than what runs again.
const GAIN: u64 = 2;

/// What the tape takes below this lies in the nearest caches, and is hardly noticed by anybody.
const LITTLE: u64 = 64 << 10;

/// Where calls leave only their partials, so much less has to lie on the tape: a callee that is reversed as soon as it has run waits
/// for its own numbers, which takes up to a tenth longer where the whole tape is in a cache.
const SHARE: u64 = 4;

/// Calls in calls are weighed down to here.
const DEEPEST: usize = 12;

/// So many calls are looked into; a recursion with several calls in it would have no end that anybody sees.
const MOST_CALLS: usize = 256;

impl Weight {
    /// `given` has the parameters of the function that are known.
    pub fn of(variants: &[Variant], given: &Known, program: &Program, rules: &Rules) -> Weight {
        let plans = variants.iter().map(|variant| (variant.name.as_str(), &variant.plan)).collect();
        let scale = Scale { plans, program, rules, left: Cell::new(MOST_CALLS), cells: RefCell::default() };
        // The version for parameters that are apart runs nearly always.
        let apart = variants.get(1).filter(|variant| variant.plan.apart.is_some());
        let usual = apart.or(variants.first());
        usual.map_or_else(Weight::default, |usual| scale.weigh(&usual.plan, given, DEEPEST))
    }

    /// Whether there is anything to be gained at all.
    pub fn is_far(&self) -> bool {
        self.kept >= FAR
    }

    /// Whether it is worth running again what this has run again, in place of what `alone` records.
    pub fn beats(&self, alone: &Weight) -> bool {
        let less = self.kept.saturating_add(self.passing).saturating_mul(PART) <= alone.kept;
        let saved = alone.kept.saturating_sub(self.kept).saturating_mul(BYTE);
        let cheap = self.again > 0 && self.again.saturating_mul(GAIN) <= saved;
        // A function that is seen without its caller may have to record more.
        let alike = self.recorded <= alone.recorded.saturating_add(alone.recorded / 2);
        alone.is_far() && less && cheap && alike && !self.unknown
    }

    /// Whether there may be anything to be gained by keeping partials of calls, which costs little.
    pub fn is_noticed(&self) -> bool {
        self.kept >= LITTLE
    }

    /// Whether it is worth leaving these calls as they are and keeping their partials, in place of what `alone` records: the callees
    /// run once forwards and once backwards, as they would have. What would be straight-line code is left to be inlined.
    pub fn is_share_of(&self, alone: &Weight) -> bool {
        let less = self.kept.saturating_mul(SHARE) <= alone.kept;
        alone.is_noticed() && less && self.passing > 0 && !self.unknown
    }

    fn add(&mut self, other: Weight, times: u64) {
        self.kept = self.kept.saturating_add(other.kept.saturating_mul(times));
        self.recorded = self.recorded.saturating_add(other.recorded.saturating_mul(times));
        self.again = self.again.saturating_add(other.again.saturating_mul(times));
        self.passing = self.passing.max(other.passing);
        self.guessed |= other.guessed;
        self.unknown |= other.unknown;
    }
}

/// Writes into the plans why the calls of a function run twice. Returns whether all of them do.
pub fn tell_gain(variants: &mut [Variant], callee: &str, alone: &Weight, jointly: &Weight) -> bool {
    let about = say_guessed(&[alone, jointly]);
    let reason = format!(
        "by cost, it runs once more before it is reversed: {} bytes on the tape and {} in passing, in place of {}{about}",
        jointly.kept, jointly.passing, alone.kept
    );
    let calls = variants.iter_mut().flat_map(|variant| variant.plan.calls.values_mut());
    let mut all = true;
    for call in calls.filter(|call| call.callee == callee && call.request.mode != Mode::Tangent) {
        match &mut call.joint {
            Some(joint) if joint.choice => joint.reason = reason.clone(),
            _ => all = false,
        }
    }
    all
}

/// Whether the reverse sweep may pass by loops of which nothing is asked: what is reversed at once is reversed for nothing there.
pub fn may_pass_by(variants: &[Variant]) -> bool {
    variants.iter().any(|variant| !variant.plan.idle.is_empty())
}

/// Whether a function is called, and all its calls are contracted.
pub fn contracts_all(variants: &[Variant], callee: &str) -> bool {
    let plans = || variants.iter().map(|variant| &variant.plan);
    let contracted = |plan: &Plan| {
        let calls = plan.local.iter().flat_map(|local| &local.contracted);
        calls.into_iter().any(|call| call.request.function == callee)
    };
    let called = |plan: &Plan| plan.calls.values().any(|call| call.callee == callee);
    plans().any(contracted) && !plans().any(called)
}

/// Writes into the plans why the calls of a function are contracted.
pub fn tell_share(variants: &mut [Variant], callee: &str, alone: &Weight, contracted: &Weight) {
    let reason = format!(
        "by cost, its gradient runs at once, and its partial derivatives are what is kept of it: {} bytes on the tape in place of {}{}",
        contracted.kept,
        alone.kept,
        say_guessed(&[alone, contracted])
    );
    let locals = variants.iter_mut().filter_map(|variant| variant.plan.local.as_mut());
    let calls = locals.flat_map(|local| &mut local.contracted);
    calls.filter(|call| call.request.function == callee).for_each(|call| call.reason = reason.clone());
}

fn say_guessed(weights: &[&Weight]) -> String {
    match weights.iter().any(|weight| weight.guessed) {
        true => format!(", if loops go round {TRIPS} times of which that is not known"),
        false => String::new(),
    }
}

struct Scale<'a> {
    plans: BTreeMap<&'a str, &'a Plan>,
    program: &'a Program,
    rules: &'a Rules,
    /// How many more calls are looked into.
    left: Cell<usize>,
    /// What is known of the calls of a plan.
    cells: RefCell<BTreeMap<*const Plan, u64>>,
}

impl Scale<'_> {
    fn weigh(&self, plan: &Plan, known: &Known, deepest: usize) -> Weight {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        let Some(body) = plan.body(self.program).filter(|_| deepest > 0 && left > 0) else {
            return Weight { unknown: true, ..Weight::default() };
        };
        let layout = Layout::parse(&self.program.layout);
        let extents = Extents { function: body, known, guess: TRIPS };
        let mut weight = Weight::default();
        for (block, items) in &plan.records {
            let bytes = measure_record(body, plan, &layout, Some(*block), items) + plan.row_bytes(*block);
            let (times, guessed) = self.count(plan, &extents, *block);
            weight.add(Weight { kept: bytes, recorded: bytes, guessed, ..Weight::default() }, times);
        }
        let homes = blocks_of_values(body);
        for (id, planned) in plan.calls.iter().filter(|(_, planned)| planned.custom.is_none()) {
            let (Some(inst), Some(home)) = (body.inst(*id), homes.get(id)) else { continue };
            let given = (0..).zip(inst.arguments());
            let given =
                given.filter_map(|(at, x)| Some((at, extents.of_operand(x).and_then(same)?))).collect();
            let Some(half) = self.plans.get(variant_name(&planned.augmented()).as_str()) else {
                weight.unknown = true;
                continue;
            };
            let (times, guessed) = self.count(plan, &extents, *home);
            let call = match &half.joint {
                Some(joint) => self.weigh_joint(joint, half, &given, deepest - 1),
                None => self.weigh_half(half, &given, deepest - 1),
            };
            weight.add(Weight { guessed: call.guessed | guessed, ..call }, times);
        }
        for contracted in plan.local.iter().flat_map(|local| &local.contracted) {
            let whole = self.plans.get(variant_name(&contracted.request).as_str());
            let (Some(whole), Some(home)) = (whole, homes.get(&contracted.at.call)) else {
                weight.unknown = true;
                continue;
            };
            let inner = self.weigh(whole, &Known::new(), deepest - 1);
            let (times, guessed) = self.count(plan, &extents, *home);
            // What its gradient records goes again before the caller goes on.
            let passing = inner.kept.saturating_add(inner.passing);
            weight
                .add(Weight { kept: 0, passing, guessed: inner.guessed | guessed, again: 0, ..inner }, times);
        }
        weight
    }

    fn weigh_half(&self, half: &Plan, given: &Known, deepest: usize) -> Weight {
        let mut weight = self.weigh(half, given, deepest);
        if let Some(body) = half.body(self.program) {
            let mut known = self.cells.borrow_mut();
            let measure = || measure_call(half, body, self.program, self.rules);
            let cells = *known.entry(std::ptr::from_ref(half)).or_insert_with(measure);
            weight.add(Weight { kept: cells, recorded: cells, ..Weight::default() }, 1);
        }
        weight
    }

    /// A snapshot stays, and what the gradient records goes again.
    fn weigh_joint(&self, joint: &Joint, half: &Plan, given: &Known, deepest: usize) -> Weight {
        let whole = self.plans.get(variant_name(&joint.gradient).as_str());
        let (Some(whole), Some(body)) = (whole, half.body(self.program)) else {
            return Weight { unknown: true, ..Weight::default() };
        };
        let inner = self.weigh(whole, given, deepest);
        let saved = Extents { function: body, known: given, guess: TRIPS }.of_snapshot(joint);
        let kept = saved.unwrap_or(0).saturating_add(FLAG);
        let (time, guessed) = self.time(whole, given);
        Weight {
            kept,
            passing: inner.kept.saturating_add(inner.passing),
            recorded: inner.recorded.saturating_add(kept),
            again: inner.again.saturating_add(time),
            guessed: inner.guessed || guessed,
            unknown: inner.unknown || saved.is_none(),
        }
    }

    /// What it takes to run the primal of a plan once.
    fn time(&self, plan: &Plan, known: &Known) -> (u64, bool) {
        let Some(body) = plan.body(self.program) else { return (u64::MAX, false) };
        let extents = Extents { function: body, known, guess: TRIPS };
        let waits = Waits::of(plan, body, self.program, self.rules);
        let lanes = Lanes::of(body, self.program, self.rules);
        let abreast: BTreeSet<BlockId> = body
            .loops
            .iter()
            .filter(|around| lanes.fit(around))
            .flat_map(|around| around.blocks.iter().copied())
            .collect();
        let (mut time, mut guesses) = (0u64, false);
        for block in body.block_ids() {
            let insts = body.block(block).insts.iter().filter_map(|id| body.inst(*id));
            let effort: u64 = insts
                .map(|inst| match meaning(inst, body, self.program, self.rules) {
                    Meaning::Row { row, .. } => effort_of(inst, Some(row.name)),
                    _ => effort_of(inst, None),
                })
                .sum();
            let header = body.loops.iter().find(|around| around.header == block);
            let (times, guessed) = extents.count(block, &|_| true);
            let wait = header.map_or(0, |around| waits.of_pass(around));
            let effort = if abreast.contains(&block) { effort.div_ceil(LANES) } else { effort };
            time = time.saturating_add(effort.max(wait).saturating_mul(times));
            guesses |= guessed;
        }
        (time, guesses)
    }

    /// How often a block leaves a record that stays.
    fn count(&self, plan: &Plan, extents: &Extents, block: BlockId) -> (u64, bool) {
        // What a pass records that is reversed as soon as it has run lies where that of the pass before has lain.
        let stays = |around: &Loop| !plan.fused.contains_key(&around.header);
        let (times, guessed) = extents.count(block, &stays);
        let strips = plan.strips.iter().filter(|(_, strip)| strip.blocks.contains(&block));
        (strips.fold(times, |times, (_, strip)| times.min(strip.whole)), guessed)
    }
}

/// The word of each call that tells whether it runs twice, and what goes with it.
const FLAG: u64 = 16;
