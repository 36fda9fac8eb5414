//! Which calls run twice though nobody has asked for it: where what they would record is far more than what they read.
//!
//! A request is planned as the user tells. Where that leaves on the tape what no cache holds, it is planned anew with one of the
//! functions that it calls left a call that runs twice, and the first that is worth it stays so. Another program is not planned twice.

use std::collections::BTreeMap;

use backsweep_core::config::{Config, Switch};
use backsweep_core::plan::{Refused, Variant, Weight, tell_gain};
use backsweep_core::request::{CallWay, Mode};

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
        let may_choose = self.mode == Mode::Gradient
            && self.config.analyses.joint == Switch::On
            && known.strategies.may_choose();
        let alone = match &first.variants {
            Ok(variants) if may_choose => first.weigh(variants, known),
            _ => return first,
        };
        let candidates = self.find_candidates(known);
        let size: usize = first.prepared.copies().into_iter().map(size_of).sum();
        if !alone.is_far() || alone.unknown || candidates.is_empty() || size > LARGEST {
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
            known.strategies.choose_none();
        }
        plan(known)
    }

    /// The functions that may run twice, those that are called first before those that they call.
    fn find_candidates(&self, known: &Known) -> Vec<Value> {
        let called = reachable_functions(self.function).into_iter().skip(1);
        let free = |callee: &Value| {
            known.is_followed(*callee) && !known.is_told(*callee) && !known.strategies.tells_of(*callee)
        };
        called.filter(free).filter(|callee| size_of(*callee) > SMALL).take(MOST_TRIED).collect()
    }
}

impl Attempt {
    fn is_worth_it(&mut self, callee: Value, alone: &Weight, known: &Known) -> bool {
        let Ok(variants) = &self.variants else { return false };
        let weight = self.weigh(variants, known);
        let Ok(variants) = &mut self.variants else { return false };
        weight.beats(alone) && tell_gain(variants, &callee.name(), alone, &weight)
    }

    fn weigh(&self, variants: &[Variant], known: &Known) -> Weight {
        Weight::of(variants, &self.given, &self.extraction.program, &known.rules)
    }
}
