//! What a caller gives a function, as sources, and what it gets back.
//!
//! Unlike variables these are one thing each: an input is what a parameter holds, or leads to, on entry.

use std::collections::BTreeSet;

use super::depends::{Depends, Source};
use super::trace::{Seed, Seeds, Trace};
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Spot, TouchId};
use crate::analyses::pointers::Base;
use crate::model::ValueId;

/// Makes a parameter a source: its value, or what it leads to, by whatever other way that is reached.
pub fn add_input(body: &Body, param: ValueId, source: Source, seeds: &mut Seeds) {
    let mut add = |seed: Seed| {
        seeds.entry(seed).or_default().insert(source);
    };
    if !body.function.value_type(param).holds_pointer() {
        return add(Seed::Value(param));
    }
    let own: Vec<TouchId> =
        around(body, Spot::Entry).filter(|touch| leads_from(body, *touch, param)).collect();
    for touch in around(body, Spot::Entry) {
        if own.iter().any(|other| *other == touch || body.may_meet(*other, touch)) {
            add(Seed::Touch(touch));
        }
    }
}

/// How what a parameter leads to, and the function touches, depends on the sources when it has returned.
pub fn left_behind(traced: &Trace, param: ValueId) -> Depends {
    let body = traced.body();
    let last: BTreeSet<TouchId> =
        around(body, Spot::Exit).filter(|touch| leads_from(body, *touch, param)).collect();
    last.into_iter().fold(Depends::default(), |all, read| all.or(&traced.at_exit(read)))
}

/// The touches of callers.
fn around<'b>(body: &'b Body, spot: Spot) -> impl Iterator<Item = TouchId> + 'b {
    body.touch_ids().filter(move |touch| body.touch(*touch).spot == spot)
}

fn leads_from(body: &Body, touch: TouchId, param: ValueId) -> bool {
    body.touch(touch).bases.contains(&Base::Param(param))
}
