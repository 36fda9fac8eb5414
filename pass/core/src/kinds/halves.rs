//! Integers of eight bytes that are only moved, and hold a single float beside something else: an integer, or what fills a struct up.
//!
//! Program → for each function the values and stores of such webs. Moved by halves, each half is what it is; who decides that
//! looks at the halves then, so that nothing is lost where this is wrong.
//! Safe error: more, or fewer.

use super::Relayed;
use super::evidence::Evidence;
use super::hints::Hints;
use super::integers::follow_moves;
use super::touches::Touches;
use super::webs::{Web, find_webs};
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Layout, Program, Type, ValueId};

/// What two of the halves are moved in.
const WHOLE: u64 = 8;

/// Webs by the names of their functions.
pub fn find_halves(program: &Program) -> Vec<(String, Vec<ValueId>)> {
    let layout = Layout::parse(&program.layout);
    let bodies = program.functions.iter().filter(|function| !function.is_declaration());
    let open = bodies.map(|function| (function, find_whole(function, &layout)));
    let open: Vec<(&Function, Vec<Web>)> = open.filter(|(_, webs)| !webs.is_empty()).collect();
    if open.is_empty() || !program.starts_with_lowest() {
        return Vec::new();
    }
    let _remembering = program.remember();
    let relayed = Relayed::of(program, &layout);
    let mut found = Vec::new();
    for (function, webs) in open {
        let pointers = Pointers::shared(function, program);
        let mut touches = Touches::of(function, program, &pointers, &layout);
        touches.hear(&relayed);
        follow_moves(&webs, &mut touches);
        let hints = Hints::of(&touches);
        let is_mixed = |web: &&Web| {
            let known = Evidence::of_web(web, &touches);
            known.is_some_and(|known| {
                known.holds_float_in_half() && known.carried(web, &hints, &touches).is_none()
            })
        };
        let members = |web: &Web| web.values.iter().chain(&web.stores).copied().collect::<Vec<_>>();
        let mixed = webs.iter().filter(is_mixed);
        found.extend(mixed.map(|web| (function.name.clone(), members(web))));
    }
    found
}

/// The webs of whole words.
fn find_whole(function: &Function, layout: &Layout) -> Vec<Web> {
    let is_whole = |web: &Web| {
        let plain = web.values.iter().all(|id| *function.value_type(*id) == Type::Int(64));
        web.bytes == WHOLE && !web.values.is_empty() && web.floats.is_empty() && plain
    };
    let mut webs = find_webs(function, layout);
    webs.retain(is_whole);
    webs
}
