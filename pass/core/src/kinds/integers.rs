//! Integers in memory, positively: somebody counts with what is there, or it is a member that is declared to be one, and
//! nobody takes it for a float; or it has been an index before it is put anywhere.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::across::{Across, Heard, Joined, find_all_pointers};
use super::declared::{find_declared, spread};
use super::evidence::{Evidence, pointers_of};
use super::indices::Indices;
use super::places::Place;
use super::relayed::Relayed;
use super::touches::{Kind, Touches, is_declared};
use super::webs::{Web, find_webs};
use crate::analyses::carriers::find_movers;
use crate::analyses::pointers::Pointers;
use crate::analyses::whole_numbers::WholeNumbers;
use crate::model::{Function, Inst, Layout, Op, Program, Type, ValueId};

pub fn find_integers(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    program.once_of(function, || Integers(look_for_integers(function, program))).0.clone()
}

struct Integers(BTreeSet<ValueId>);

fn look_for_integers(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let layout = Layout::parse(&program.layout);
    let webs = find_webs(function, &layout);
    let is_stored = |inst: &Inst| {
        let Op::Store(_) = inst.op else { return false };
        inst.operands[0].value().is_some_and(|value| matches!(function.value_type(value), Type::Int(_)))
    };
    let declares = || function.insts.iter().any(is_declared);
    if webs.is_empty() && !declares() && !function.insts.iter().any(is_stored) {
        return BTreeSet::new();
    }
    let _remembering = (program.remember(), program.stand_in(function));
    let pointers = Pointers::shared(function, program);
    let mut touches = Touches::of(function, program, &pointers, &layout);
    if touches.has_others() {
        hear_others(&webs, &mut touches);
    }
    follow_moves(&webs, &mut touches);
    let integers =
        webs.iter().filter(|web| Evidence::of_web(web, &touches).is_some_and(|known| known.is_integer(web)));
    let mut found: BTreeSet<ValueId> = integers.flat_map(|web| web.values.iter().copied()).collect();
    // Where one is stored may be in an arm in which nobody counts with it.
    let indices = OnceCell::new();
    let each_store = |web: &Web| {
        web.stores.iter().all(|store| {
            let known = Evidence::of_mover(web, *store, &touches);
            known.is_some_and(|known| known.is_integer(web))
                || indices.get_or_init(|| Indices::of(function)).has_led(*store)
        })
    };
    let counted = touches.seen.counted_moves.iter().filter(|web| each_store(web));
    found.extend(counted.flat_map(|web| web.values.iter().copied()));
    if declares() {
        // Others may know better what lies there.
        if touches.has_others() {
            touches.hear(&Relayed::of(program, &layout));
        }
        let declared = find_declared(&touches);
        found.extend(spread(&declared, webs.iter().chain(&touches.seen.counted_moves), function));
        found.extend(declared);
    }
    let open: BTreeSet<ValueId> = find_movers(function, program).difference(&found).copied().collect();
    if !open.is_empty() {
        found.extend(open.intersection(WholeNumbers::of(function, program).all()));
    }
    found
}

/// Hears all who touch memory in which something is moved that may be an integer by what this function does with it.
fn hear_others(webs: &[Web], touches: &mut Touches) {
    let counts = |place: &Place| touches.at(place).any(|touch| touch.kind == Kind::Integer);
    let mut places: BTreeSet<Place> = BTreeSet::new();
    for web in webs.iter().chain(&touches.seen.counted_moves) {
        let pointers = pointers_of(web, touches.function);
        places.extend(pointers.into_iter().flat_map(|x| touches.places_of(x)));
    }
    places.retain(|place| !touches.is_own(place) && counts(place));
    let heard = ask_across(places, Joined::ByCopies, touches);
    heard.into_iter().for_each(|(place, heard)| touches.hear_all(&place, heard.touches));
}

/// Hears of what is moved, and may be an integer, from all who know it wherever it comes from and goes to.
pub(super) fn follow_moves(webs: &[Web], touches: &mut Touches) {
    // Where not all are seen from here who touch what is moved, it is open as well.
    let is_open = |web: &&Web| {
        !web.values.is_empty()
            && Evidence::of_web(web, touches)
                .is_none_or(|evidence| evidence.may_be_integer() && !evidence.is_integer(web))
    };
    let pointers = webs.iter().filter(is_open).flat_map(|web| pointers_of(web, touches.function));
    let places: BTreeSet<Place> = pointers.flat_map(|x| touches.places_of(x)).collect();
    for (place, heard) in ask_across(places, Joined::ByAllMoves, touches) {
        touches.hear_all(&place, heard.touches);
        if !heard.is_users {
            touches.follow(&place);
        }
    }
}

/// What others say of each place, where all of them are known.
pub(super) fn ask_across(places: BTreeSet<Place>, joined: Joined, touches: &Touches) -> Vec<(Place, Heard)> {
    if places.is_empty() {
        return Vec::new();
    }
    let (program, layout) = (touches.program, Layout::parse(&touches.program.layout));
    let all = find_all_pointers(program);
    let across = Across::of(program, &all, &layout);
    let ask = |place: Place| Some((across.at(&touches.function.name, &place, joined)?, place));
    places.into_iter().filter_map(ask).map(|(heard, place)| (place, heard)).collect()
}
