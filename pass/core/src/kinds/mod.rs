//! What bytes are that the program moves without saying.
//!
//! Optimisers copy eight bytes as an integer, whatever they are, and such an integer may go through phis and selects
//! before it is stored. Whole structs are copied by `memcpy`. What it is that is moved is told by who else touches the
//! places it comes from and goes to.
//!
//! Program → a program that does the same, where integers that only move floats or pointers are floats or pointers, and
//! copies of structs are loads and stores of their members. All that follows sees nothing but typed accesses.
//! Safe error: left as it is. Whether that can be differentiated is for `refusals` to say.

mod across;
mod arms;
mod beyond;
mod copies;
mod counted_moves;
mod declared;
mod disputed;
mod distance;
mod evidence;
mod expand;
mod halves;
mod hints;
mod indices;
mod integers;
mod misread;
mod moved;
mod names;
mod places;
mod reach;
mod relayed;
mod retype;
mod rows;
mod same;
mod scalars;
mod seen;
mod spaced;
mod sums;
mod taken;
mod texts;
mod touches;
mod walks;
mod webs;
mod word_moves;
mod word_webs;

use std::collections::BTreeMap;

pub use disputed::find_disputed;
pub use halves::find_halves;
pub use integers::find_integers;
pub use misread::find_misread;
pub use rows::is_array_of_floats;
pub use spaced::{Spaced, find_spaced};
pub use taken::takes_floats_for_integers;
pub use word_moves::move_words;

use crate::analyses::pointers::Pointers;
use crate::model::{Function, Layout, Program, ValueId};

use beyond::tell;
use copies::has_copies;
use expand::expand;
use relayed::Relayed;
use retype::retype;
use touches::Touches;
use webs::find_webs;

/// For each function whose values have other numbers now, the old numbers.
pub type Origins = BTreeMap<String, Vec<ValueId>>;

/// Whether every function says already what it moves.
pub fn is_settled(program: &Program) -> bool {
    let layout = Layout::parse(&program.layout);
    !program.functions.iter().any(|function| is_open(function, &layout))
}

/// Says what is moved, in every function of the program.
pub fn settle_kinds(program: &mut Program) -> Origins {
    let layout = Layout::parse(&program.layout);
    let mut origins = Origins::new();
    let is_open = |at: &usize| is_open(&program.functions[*at], &layout);
    let open: Vec<usize> = (0..program.functions.len()).filter(is_open).collect();
    if open.is_empty() {
        return origins;
    }
    // What functions tell each other is of the program as it was written.
    let relayed = {
        let _remembering = program.remember();
        Relayed::of(program, &layout)
    };
    for at in open {
        let mut settling = Settling { function: program.functions[at].clone(), origins: None };
        {
            let _remembering = program.remember();
            // What became known of one copy may tell what another one moves.
            while settling.advance(program, &relayed, &layout) {}
        }
        if let Some(old) = settling.origins {
            origins.insert(settling.function.name.clone(), old);
        }
        program.functions[at] = settling.function;
    }
    origins
}

/// Whether a function moves something without saying what.
fn is_open(function: &Function, layout: &Layout) -> bool {
    !find_webs(function, layout).is_empty() || has_copies(function)
}

struct Settling {
    function: Function,
    /// The old numbers of its values, where they have new ones.
    origins: Option<Vec<ValueId>>,
}

impl Settling {
    /// Whether anything changed.
    fn advance(&mut self, program: &Program, relayed: &Relayed, layout: &Layout) -> bool {
        let webs = find_webs(&self.function, layout);
        let pointers = Pointers::of(&self.function, program);
        let mut touches = Touches::of(&self.function, program, &pointers, layout);
        touches.hear(relayed);
        let told = tell(&webs, &mut touches);
        let mut next = self.function.clone();
        if told.carried.iter().filter(|(web, ty)| retype(&mut next, web, ty)).count() > 0 {
            self.function = next;
            return true;
        }
        if told.copies.is_empty() {
            return false;
        }
        let expanded = expand(&self.function, &told.copies, layout);
        let old = self.origins.take();
        let first = |id: ValueId| old.as_ref().map_or(id, |old| old[id.0 as usize]);
        self.origins = Some(expanded.origins.into_iter().map(first).collect());
        self.function = expanded.function;
        true
    }
}
