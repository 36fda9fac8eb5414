//! Who touches bytes where they come from and where they go to, in one function.
//!
//! Function + touches → for a place what is touched, as something positive, in all places that copies and integers that are only
//! moved join with it, told from where it starts. It proves nothing, since callers and callees are not asked: a word that nobody
//! touches where it is moved is only kept from being guessed by it.
//! Safe error: less is heard, and guessed as before.

use std::collections::{BTreeMap, BTreeSet};

use super::across::{MOST_DISTANCES, join_all};
use super::copies::Member;
use super::copies::find_mixed_copies;
use super::distance::Distance;
use super::evidence::{Evidence, pointers_of};
use super::hints::Hints;
use super::places::Place;
use super::touches::{Kind, Touch, Touches};
use super::webs::Web;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::model::{Inst, Operand, Type, ValueId};

/// A walk that comes to more places than these is broken off: what is so far away is not heard.
const MOST_PLACES: usize = 256;

/// What webs carry, and what copies move by members.
pub struct Told<'w> {
    pub carried: Vec<(&'w Web, Type)>,
    pub copies: BTreeMap<ValueId, Vec<Member>>,
}

/// Tells what is moved by who touches it there, and of silent words by who touches them elsewhere, before anything is guessed.
pub fn tell<'w>(webs: &'w [Web], touches: &mut Touches) -> Told<'w> {
    let hints = Hints::of(touches);
    let carried = |web: &Web, touches: &Touches| {
        Evidence::of_web(web, touches).and_then(|known| known.carried(web, &hints, touches))
    };
    let mut types: Vec<Option<Type>> = webs.iter().map(|web| carried(web, touches)).collect();
    let mut copies: BTreeMap<_, _> = find_mixed_copies(touches, &hints).into_iter().collect();
    let guessed =
        |web: &Web| Evidence::of_web(web, touches).is_some_and(|known| known.is_silent(0, web.bytes));
    let silent_webs: Vec<usize> =
        (0..webs.len()).filter(|at| types[*at].is_some() && guessed(&webs[*at])).collect();
    let is_silent = |members: &Vec<Member>| members.iter().any(|member| member.silent);
    let silent_copies: Vec<ValueId> =
        copies.iter().filter(|(_, members)| is_silent(members)).map(|(id, _)| *id).collect();
    let mut pointers: Vec<&Operand> =
        silent_webs.iter().flat_map(|at| pointers_of(&webs[*at], touches.function)).collect();
    let insts = silent_copies.iter().filter_map(|id| touches.function.inst(*id));
    pointers.extend(insts.flat_map(|copy| &copy.operands[..2]));
    let places: BTreeSet<Place> = pointers.into_iter().flat_map(|x| touches.places_of(x)).collect();
    if hear_beyond(places, webs, touches) {
        for at in silent_webs {
            let known = Evidence::of_web(&webs[at], touches);
            let known = known.filter(|known| !known.is_silent(0, webs[at].bytes));
            if let Some(known) = known {
                let better = known.carried(&webs[at], &hints, touches);
                if better.is_some() || known.may_be_integer() {
                    types[at] = better;
                }
            }
        }
        let mut better: BTreeMap<_, _> = find_mixed_copies(touches, &hints).into_iter().collect();
        copies.extend(silent_copies.iter().filter_map(|id| better.remove_entry(id)));
    }
    let carried = webs.iter().zip(types).filter_map(|(web, ty)| Some((web, ty?))).collect();
    Told { carried, copies }
}

/// Whether anything was heard.
fn hear_beyond(places: BTreeSet<Place>, webs: &[Web], touches: &mut Touches) -> bool {
    if places.is_empty() {
        return false;
    }
    let beyond = Beyond::of(webs, touches);
    let heard: Vec<_> = places.into_iter().map(|place| (beyond.at(&place), place)).collect();
    let any = heard.iter().any(|(heard, _)| !heard.is_empty());
    heard.into_iter().for_each(|(heard, place)| touches.hear_more(&place, heard));
    any
}

struct Beyond<'t, 'a> {
    touches: &'t Touches<'a>,
    /// For each copy and each web where its pointers lead, and how far behind the start of what is there they stand.
    movers: Vec<Vec<(Place, Distance)>>,
    by_place: BTreeMap<Place, Vec<(usize, Distance)>>,
}

impl<'t, 'a> Beyond<'t, 'a> {
    fn of(webs: &[Web], touches: &'t Touches<'a>) -> Beyond<'t, 'a> {
        let mut beyond = Beyond { touches, movers: Vec::new(), by_place: BTreeMap::new() };
        for web in webs.iter().filter(|web| !web.values.is_empty()) {
            beyond.add(pointers_of(web, touches.function));
        }
        let is_copy = |inst: &&Inst| memory_call(inst) == Some(MemoryCall::Copy);
        for copy in touches.function.insts.iter().filter(is_copy) {
            beyond.add(copy.operands[..2].iter().collect());
        }
        beyond
    }

    fn add(&mut self, pointers: Vec<&Operand>) {
        let mut ends = Vec::new();
        for pointer in pointers {
            let at = self.touches.stands(pointer);
            for place in self.touches.places_of(pointer) {
                self.by_place.entry(place.clone()).or_default().push((self.movers.len(), at));
                ends.push((place, at));
            }
        }
        self.movers.push(ends);
    }

    fn at(&self, place: &Place) -> BTreeSet<Touch> {
        let mut found = BTreeSet::new();
        let mut met: BTreeMap<&Place, BTreeSet<Distance>> = BTreeMap::new();
        let mut waiting = vec![(place, Distance::default())];
        while let Some((here, at)) = waiting.pop() {
            // The place itself knows its own.
            let is_first = met.is_empty();
            if met.len() == MOST_PLACES && !met.contains_key(here) {
                continue;
            }
            let distances = met.entry(here).or_default();
            if distances.iter().any(|known| known.covers(at)) {
                continue;
            }
            let at = if distances.len() < MOST_DISTANCES { at } else { join_all(distances, at) };
            distances.insert(at);
            if !is_first {
                let positive =
                    |touch: &&Touch| matches!(touch.kind, Kind::Float(_) | Kind::Pointer | Kind::Integer);
                found.extend(self.touches.at(here).filter(positive).map(|touch| touch.moved(at, 1)));
            }
            for (mover, stands) in self.by_place.get(here).into_iter().flatten() {
                for (there, end) in &self.movers[*mover] {
                    waiting.push((there, at.shifted(*stands, 1).shifted(*end, -1)));
                }
            }
        }
        found
    }
}
