//! Webs that move integers, positively: somebody counts with what is there, and nobody takes it for a float.

use std::collections::BTreeSet;

use super::evidence::Evidence;
use super::touches::Touches;
use super::webs::find_webs;
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Layout, Program, ValueId};

pub fn find_integers(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let layout = Layout::parse(&program.layout);
    let webs = find_webs(function, &layout);
    if webs.is_empty() {
        return BTreeSet::new();
    }
    let pointers = Pointers::of(function, program);
    let touches = Touches::of(function, program, &pointers, &layout);
    let integers =
        webs.iter().filter(|web| Evidence::of_web(web, &touches).is_some_and(|known| known.is_integer(web)));
    integers.flat_map(|web| web.values.iter().copied()).collect()
}
