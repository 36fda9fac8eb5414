//! Where numbers lie that somebody counts with, among bytes that are moved at every so many.
//!
//! Accesses + the places of what is moved → which parts hold a number wherever they are moved. Several accesses may share that
//! work: one counts with every second number, and one with the others.
//! Safe error: fewer parts.

use std::collections::BTreeMap;

use super::touches::Touch;
use crate::analyses::offsets::{Extent, Offset, gcd};

/// Of accesses that repeat themselves after more places than these no common account is made.
const MOST_TURNS: u128 = 64;

/// Bytes of what is moved: their first, and how many.
type Part = (i128, u64);

/// For each part whether every place of it is counted with. `unit` is the size of what is moved in one piece.
pub fn find_counted(web: Extent, unit: u128, touches: &[Touch]) -> BTreeMap<Part, bool> {
    let mut parts: BTreeMap<Part, Vec<Offset>> = BTreeMap::new();
    for touch in touches {
        for at in meetings(web, Extent { at: touch.exact, ..touch.extent }) {
            let told = parts.entry((at, touch.extent.bytes)).or_default();
            if touch.tells_of(web.at.stride.max(unit)) {
                told.push(touch.exact);
            }
        }
    }
    parts.into_iter().map(|(part, told)| (part, is_everywhere(web.at.moved_by(part.0), &told))).collect()
}

/// Whether each of the places is one of those that are told.
fn is_everywhere(part: Offset, told: &[Offset]) -> bool {
    let known = || told.iter().filter(|there| part.stride == 0 || there.stride > 0);
    let Some(all) = known().try_fold(1, |all, there| find_turns(all, part.stride, there.stride)) else {
        return known().any(|there| there.covers(part));
    };
    (0..all as i128).all(|turn| {
        let here = Offset { start: part.start + turn * part.stride as i128, stride: 0 };
        known().any(|there| there.covers(here))
    })
}

/// After how many places all repeats itself, with one more access.
fn find_turns(all: u128, step: u128, stride: u128) -> Option<u128> {
    if step == 0 {
        return Some(1);
    }
    let turns = stride / gcd(stride, step);
    Some(all / gcd(all, turns) * turns).filter(|all| *all <= MOST_TURNS)
}

/// Where in bytes that are moved an access may begin, from the first on.
pub fn meetings(web: Extent, touch: Extent) -> Vec<i128> {
    let (size, bytes) = (i128::from(web.bytes), i128::from(touch.bytes));
    let step = i128::try_from(gcd(web.at.stride, touch.at.stride)).unwrap_or(1);
    let apart = touch.at.start - web.at.start;
    if step == 0 {
        return Some(apart).filter(|at| *at < size && at + bytes > 0).into_iter().collect();
    }
    let first = apart.rem_euclid(step) - step * ((bytes + step - 1) / step);
    let all = (0..).map(|turn| first + turn * step).take_while(|at| *at < size);
    all.filter(|at| at + bytes > 0).collect()
}
