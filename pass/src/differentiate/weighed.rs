//! Which calls are contracted, or run twice, though nobody has asked for it: where what they would record is far more than their
//! partial derivatives, or than what they read.
//!
//! A request is planned as the user tells. Where that leaves anything to speak of on the tape, it is planned anew with each of the
//! functions that it calls and that have a small interface left a call that is contracted, and those that are worth it stay so.
//! Where no cache holds what is left, it is planned with one of the others left a call that runs twice, and the first that is worth
//! it stays so. Another program is not planned twice.

use std::collections::BTreeMap;

use backsweep_core::config::{Config, Preaccumulate, Switch};
use backsweep_core::plan::{Refused, Variant, Weight, contracts_all, may_pass_by, tell_gain, tell_share};
use backsweep_core::request::{CallWay, Mode};

use super::interfaces::has_small_interface;
use super::{is_whole, reachable_functions};
use crate::call_graph::size_of;
use crate::extract::Extraction;
use crate::known::Known;
use crate::llvm::{Value, shim};
use crate::prepare::Prepared;

/// The first three stages of one request.
pub struct Attempt {
    pub prepared: Prepared,
    pub extraction: Extraction,
    pub variants: Result<Vec<Variant>, Refused>,
    /// What the function is handed where it is known.
    pub given: BTreeMap<u32, i128>,
}

pub struct Asked<'a> {
    pub context: *mut shim::Context,
    pub function: Value,
    pub mode: Mode,
    pub config: &'a Config,
}

/// Each takes as long as the whole request.
const MOST_TRIED: usize = 4;

/// Smaller functions are left to be inlined.
const SMALL: usize = 30;

/// Of more instructions than this a program is planned once: compiling would take several times as long.
const LARGEST: usize = 20_000;

impl Asked<'_> {
    /// The plans of a request, by the way of calling that does best.
    pub fn plan(&self, known: &mut Known, plan: &dyn Fn(&Known) -> Attempt) -> Attempt {
        let mut first = plan(known);
        if first.variants.is_err() && is_whole(self.mode) && known.strategies.set_aside() {
            first.prepared.delete(self.context);
            first = plan(known);
        }
        if self.mode != Mode::Gradient || !known.strategies.may_choose() {
            return first;
        }
        let (first, shares) = self.contract_calls(first, known, plan);
        let mut last = self.run_calls_twice(first, known, plan);
        last.tell(&shares);
        last
    }

    /// The same with calls contracted where that is worth it, and what it is worth.
    fn contract_calls(
        &self,
        first: Attempt,
        known: &mut Known,
        plan: &dyn Fn(&Known) -> Attempt,
    ) -> (Attempt, Vec<Share>) {
        let analyses = &self.config.analyses;
        let off = analyses.contract == Switch::Off || analyses.preaccumulate == Preaccumulate::Never;
        let mut shares = Vec::new();
        let Some(mut alone) = first.weigh(known).filter(|alone| alone.is_noticed() && !off) else {
            return (first, shares);
        };
        let mut candidates = self.find_free(known, 1);
        candidates.retain(|callee| has_small_interface(*callee));
        candidates.truncate(MOST_TRIED);
        let in_vain = first.variants.as_ref().is_ok_and(|variants| may_pass_by(variants)) && !alone.is_far();
        if candidates.is_empty() || first.is_large() || in_vain {
            return (first, shares);
        }
        let mut best = Some(first);
        // Of a caller and its callee the caller comes first: it has the fewer calls.
        for callee in candidates {
            best.take().into_iter().for_each(|best| best.prepared.delete(self.context));
            known.strategies.choose(callee, CallWay::Contract);
            let tried = plan(known);
            match tried.weigh(known).filter(|weight| weight.is_share_of(&alone) && tried.contracts(callee)) {
                Some(weight) => {
                    shares.push(Share { callee: callee.name(), alone, weight });
                    (alone, best) = (weight, Some(tried));
                }
                None => {
                    tried.prepared.delete(self.context);
                    known.strategies.leave(callee);
                }
            }
        }
        (best.unwrap_or_else(|| plan(known)), shares)
    }

    /// The same with the calls of one function run twice, where that is worth it.
    fn run_calls_twice(
        &self,
        first: Attempt,
        known: &mut Known,
        plan: &dyn Fn(&Known) -> Attempt,
    ) -> Attempt {
        let off = self.config.analyses.joint == Switch::Off;
        let Some(alone) = first.weigh(known).filter(|alone| alone.is_far() && !alone.unknown && !off) else {
            return first;
        };
        let mut candidates = self.find_free(known, SMALL);
        candidates.truncate(MOST_TRIED);
        if candidates.is_empty() || first.is_large() {
            return first;
        }
        first.prepared.delete(self.context);
        for callee in candidates {
            known.strategies.choose(callee, CallWay::Joint);
            let mut tried = plan(known);
            if tried.is_worth_it(callee, &alone, known) {
                return tried;
            }
            tried.prepared.delete(self.context);
            known.strategies.leave(callee);
        }
        plan(known)
    }

    /// The functions larger than that of which nobody has said how they are called, those that are called first before those that
    /// they call.
    fn find_free(&self, known: &Known, small: usize) -> Vec<Value> {
        let called = reachable_functions(self.function).into_iter().skip(1);
        let free = |callee: &Value| {
            known.is_followed(*callee) && !known.is_told(*callee) && !known.strategies.has_way(*callee)
        };
        called.filter(free).filter(|callee| size_of(*callee) > small).collect()
    }
}

/// What it is worth to contract the calls of a function.
struct Share {
    callee: String,
    alone: Weight,
    weight: Weight,
}

impl Attempt {
    fn is_worth_it(&mut self, callee: Value, alone: &Weight, known: &Known) -> bool {
        let Some(weight) = self.weigh(known).filter(|weight| weight.beats(alone)) else { return false };
        let Ok(variants) = &mut self.variants else { return false };
        tell_gain(variants, &callee.name(), alone, &weight)
    }

    /// Whether all calls of a function are contracted.
    fn contracts(&self, callee: Value) -> bool {
        self.variants.as_ref().is_ok_and(|variants| contracts_all(variants, &callee.name()))
    }

    /// Writes into the plans why calls are contracted.
    fn tell(&mut self, shares: &[Share]) {
        let Ok(variants) = &mut self.variants else { return };
        for Share { callee, alone, weight } in shares {
            tell_share(variants, callee, alone, weight);
        }
    }

    /// Whether planning takes long.
    fn is_large(&self) -> bool {
        self.prepared.copies().into_iter().map(size_of).sum::<usize>() > LARGEST
    }

    fn weigh(&self, known: &Known) -> Option<Weight> {
        let variants = self.variants.as_ref().ok()?;
        Some(Weight::of(variants, &self.given, &self.extraction.program, &known.rules))
    }
}
