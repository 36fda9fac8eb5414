//! What is seen of memory in one function, before anybody says what lies there: how far its pointers are from the start of what they
//! lead to, which of them lead to one place, whose addresses are kept and who is given them.
//!
//! It follows from the function and its program alone, and many ask: so it is shared, with what the function itself says of each
//! place. What others say is added to a copy.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::names::Names;
use super::places::{Place, Places, find_first};
use super::relayed::ByPlace;
use super::touches::Reader;
use super::webs::Web;
use crate::analyses::offsets::Offsets;
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Inst, Layout, Op, Operand, Program, ValueId};

pub struct Seen {
    pub offsets: Offsets,
    pub(super) exactly: Offsets,
    /// For a load of a pointer the first one that reads the same slot.
    first: Arc<BTreeMap<ValueId, ValueId>>,
    /// Calls that are given a pointer, by the place it leads to.
    pub(super) calls: BTreeMap<Place, BTreeSet<ValueId>>,
    /// What is moved and counted with.
    pub counted_moves: Vec<Web>,
    /// Places whose addresses lie in memory, so that they have other names.
    pub(super) stored: BTreeSet<Place>,
    /// Found when somebody asks.
    pub(super) names: OnceLock<Names>,
    /// Whether another function stores pointers, found when somebody asks.
    pub(super) others_store_pointers: OnceLock<bool>,
}

/// What a function says of memory, where these integers may be bits of floats.
pub(super) struct Said {
    pub carriers: BTreeSet<ValueId>,
    pub seen: Arc<Seen>,
    pub by_place: ByPlace,
}

impl Seen {
    pub(super) fn of(
        (function, program): (&Function, &Program),
        pointers: &Pointers,
        layout: &Layout,
        reader: &mut Reader,
    ) -> Seen {
        let offsets = Offsets::of(function);
        let first = Arc::new(find_first(function, pointers, &offsets));
        let counted_moves = reader.find_counted_moves(program, layout);
        let mut seen = Seen {
            offsets,
            exactly: Offsets::exactly(function),
            first,
            calls: BTreeMap::new(),
            counted_moves,
            stored: BTreeSet::new(),
            names: OnceLock::new(),
            others_store_pointers: OnceLock::new(),
        };
        seen.follow_addresses(function, pointers);
        seen
    }

    pub(super) fn places<'a>(&self, pointers: &'a Pointers) -> Places<'a> {
        Places { pointers, first: self.first.clone() }
    }

    /// Where addresses go: into memory, and to those who are called.
    fn follow_addresses(&mut self, function: &Function, pointers: &Pointers) {
        let places = self.places(pointers);
        let placed = function.blocks.iter().flat_map(|block| &block.insts);
        for (id, inst) in placed.filter_map(|id| Some((*id, function.inst(*id)?))) {
            match &inst.op {
                Op::Store(_) => self.stored.extend(places.of_pointer(&inst.operands[0])),
                Op::Call(_) | Op::Invoke { .. } if !touches_nothing(inst) => {
                    let given: Vec<&Operand> = inst.arguments().iter().collect();
                    for place in given.into_iter().flat_map(|x| places.of_pointer(x)) {
                        self.calls.entry(place).or_default().insert(id);
                    }
                }
                _ => {}
            }
        }
    }
}

/// What says something of memory, or keeps how much of it there is, and does nothing with it.
fn touches_nothing(call: &Inst) -> bool {
    const MARKS: [&str; 5] = ["llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.prefetch", "bs_rt_block"];
    call.callee_name().is_some_and(|name| MARKS.iter().any(|mark| name.starts_with(mark)))
}
