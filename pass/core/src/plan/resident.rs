//! What is kept for the reverse sweep in memory, in long functions.
//!
//! Function + what is kept → the cells that are not to become registers.
//! A kept value lives from where it is computed to the reverse of its users. Once LLVM has made a value of its cell it does so in each of
//! the blocks between, and in a phi wherever ways meet; LLVM's code generation takes a time of values times blocks for that, to put most of
//! them into the stack frame in the end. A cell that stays in memory is stored where its value is computed and loaded where it is read, and
//! is nothing to the code between.
//! Invariant: only what is stored once in each call, outside loops.
//! Safe error: any. A cell says the same wherever it lies, so that nothing here has to be proved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::print::name_block;
use super::{Decision, Merge, RecordArray, Storage};
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::config::InMemory;
use crate::model::{BlockId, Function, ValueId};

/// Below so many cells times instructions all are left to LLVM. Measured with clang -O2 -g, seconds of compiling without and with, and time of the
/// gradient with over without: 100 branches (0.2 million) 0.43, 0.33, 1.05; 250 (1.4 million) 1.4, 1.1, 1.03; 500 3.9, 2.7, 0.99; 1000 12.9, 7.0,
/// 1.01; 2000 50, 18, 1.01; 200 loops (2.3 million) 12.6, 5.6, 0.97. No program of `bench` comes near.
const MANY: usize = 1_000_000;

/// From so many instructions on, what the forward sweep has no use for is nevertheless computed there, and kept, where that costs little
/// more. Else it is computed in the reverse of its block, all of it before the first of it is used, and lives in registers that are not
/// there. Straight code, seconds of compiling without and with, and time of the gradient: 11,000 instructions 6.1, 4.5, 1.1; 15,000 9.6, 6.7, 1.0;
/// 21,000 17.0, 10.1, 1.0.
const LONG: usize = 10_000;

#[derive(Clone, Debug, Default)]
pub struct Resident {
    pub values: BTreeSet<ValueId>,
    /// Shadow pointers, by the primal pointer they belong to.
    pub shadows: BTreeSet<ValueId>,
    /// What memory held before these stores.
    pub old: BTreeSet<ValueId>,
    /// The numbers of the edges into these blocks.
    pub edges: BTreeSet<BlockId>,
    /// Where the records of these loops lie, by their headers.
    pub arrays: BTreeSet<BlockId>,
}

impl Resident {
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        let blocks = self.edges.len() + self.arrays.len();
        self.values.len() + self.shadows.len() + self.old.len() + blocks
    }
}

impl fmt::Display for Resident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.iter().map(|id| format!("%{}", id.0));
        let shadows = self.shadows.iter().map(|id| format!("the shadow of %{}", id.0));
        let old = self.old.iter().map(|id| format!("what %{} overwrites", id.0));
        let edges = self.edges.iter().map(|block| format!("the edge into {}", name_block(*block)));
        let arrays =
            self.arrays.iter().map(|block| format!("the place of the records of {}", name_block(*block)));
        let all: Vec<String> = values.chain(shadows).chain(old).chain(edges).chain(arrays).collect();
        f.write_str(&all.join(", "))
    }
}

/// What a plan keeps, and how.
pub struct Kept<'a> {
    pub storage: &'a BTreeMap<ValueId, Decision<Storage>>,
    pub shadows: &'a BTreeMap<ValueId, Decision<Storage>>,
    pub restored: &'a BTreeSet<ValueId>,
    pub merges: &'a BTreeMap<BlockId, Decision<Merge>>,
    pub arrays: &'a BTreeMap<BlockId, RecordArray>,
}

pub fn find_resident(function: &Function, flow: &Flow, kept: &Kept, wanted: InMemory) -> Resident {
    let homes = blocks_of_values(function);
    let outside = |block: &BlockId| *block != super::EXIT && !flow.is_cyclic(*block);
    let once = |id: &ValueId| homes.get(id).is_some_and(outside);
    let values = |stored: &BTreeMap<ValueId, Decision<Storage>>| {
        let kept = stored.iter().filter(|(id, how)| how.choice == Storage::Keep && once(id));
        kept.map(|(id, _)| *id).collect()
    };
    let recorded = kept.merges.iter().filter(|(_, how)| matches!(how.choice, Merge::Record { .. }));
    let on_tape = |array: &RecordArray| array.in_frame.is_none() && outside(&array.entry);
    let resident = Resident {
        values: values(kept.storage),
        shadows: values(kept.shadows),
        old: kept.restored.iter().copied().filter(once).collect(),
        edges: recorded.map(|(block, _)| *block).filter(outside).collect(),
        arrays: kept.arrays.iter().filter(|(_, array)| on_tape(array)).map(|(header, _)| *header).collect(),
    };
    let stays = match wanted {
        InMemory::Never => false,
        InMemory::Long => resident.len() * function.insts.len() >= MANY,
        InMemory::Always => true,
    };
    if stays { resident } else { Resident::default() }
}

/// Takes what stands outside loops of a long function from what the forward sweep is thought to leave out, so that to compute it again has a price.
pub fn keep_long(function: &Function, flow: &Flow, unneeded: &mut BTreeSet<ValueId>) {
    if function.insts.len() < LONG {
        return;
    }
    let homes = blocks_of_values(function);
    unneeded.retain(|id| homes.get(id).is_some_and(|home| flow.is_cyclic(*home)));
}
