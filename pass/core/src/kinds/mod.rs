//! What bytes are that the program moves without saying.
//!
//! Optimisers copy eight bytes as an integer, whatever they are, and such an integer may go through phis and selects
//! before it is stored. Whole structs are copied by `memcpy`. What it is that is moved is told by who else touches the
//! places it comes from and goes to.
//!
//! Program → a program that does the same, where integers that only move floats or pointers are floats or pointers, and
//! copies of structs are loads and stores of their members. All that follows sees nothing but typed accesses.
//! Safe error: left as it is. Whether that can be differentiated is for `refusals` to say.

mod copies;
mod evidence;
mod expand;
mod hints;
mod integers;
mod places;
mod retype;
mod touches;
mod webs;

use std::collections::BTreeMap;

pub use integers::find_integers;

use crate::analyses::pointers::Pointers;
use crate::model::{Function, Layout, Program, ValueId};

use copies::find_mixed_copies;
use evidence::Evidence;
use expand::expand;
use hints::Hints;
use retype::retype;
use touches::Touches;
use webs::find_webs;

/// For each function whose values have other numbers now, the old numbers.
pub type Origins = BTreeMap<String, Vec<ValueId>>;

/// Says what is moved, in every function of the program.
pub fn settle_kinds(program: &mut Program) -> Origins {
    let layout = Layout::parse(&program.layout);
    let mut origins = Origins::new();
    for at in 0..program.functions.len() {
        let mut settling = Settling { function: program.functions[at].clone(), origins: None };
        // What became known of one copy may tell what another one moves.
        while settling.advance(program, &layout) {}
        if let Some(old) = settling.origins {
            origins.insert(settling.function.name.clone(), old);
        }
        program.functions[at] = settling.function;
    }
    origins
}

struct Settling {
    function: Function,
    origins: Option<Vec<ValueId>>,
}

impl Settling {
    /// Whether anything changed.
    fn advance(&mut self, program: &Program, layout: &Layout) -> bool {
        let webs = find_webs(&self.function, layout);
        if webs.is_empty() && !copies::has_copies(&self.function) {
            return false;
        }
        let pointers = Pointers::of(&self.function, program);
        let touches = Touches::of(&self.function, program, &pointers, layout);
        let carried: Vec<_> = webs
            .iter()
            .filter_map(|web| Some((web, Evidence::of_web(web, &touches)?.carried(web)?)))
            .collect();
        let mut next = self.function.clone();
        let retyped = carried.iter().filter(|(web, ty)| retype(&mut next, web, ty)).count();
        if retyped == 0 {
            let copies: BTreeMap<_, _> =
                find_mixed_copies(&touches, &Hints::of(&touches)).into_iter().collect();
            if copies.is_empty() {
                return false;
            }
            let expanded = expand(&self.function, &copies, layout);
            let old = self.origins.take();
            let first = |id: ValueId| old.as_ref().map_or(id, |old| old[id.0 as usize]);
            self.origins = Some(expanded.origins.into_iter().map(first).collect());
            next = expanded.function;
        }
        self.function = next;
        true
    }
}
