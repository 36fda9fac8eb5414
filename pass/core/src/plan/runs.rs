//! How often each block runs: what prices of storage and of plans are multiplied by.
//!
//! Known where loops go round as often as constants say. Of others it is a guess: at least [`TRIPS`], and as often as the longest that is
//! known, so that what lies in loops of one size is compared by how deep it lies.
//! Safe error: any (costs time or tape, never truth).

use std::collections::BTreeMap;

use super::extents::{Extents, Known, TRIPS};
use crate::analyses::flow::Flow;
use crate::model::{BlockId, Function, Loop};

/// Longer loops are no evidence of how long others are.
const LIKELY: u64 = 256;

/// More than this nobody waits for, and prices stay numbers.
const MOST: u64 = 1 << 36;

pub struct Runs {
    times: BTreeMap<BlockId, u64>,
    turns: BTreeMap<BlockId, u64>,
}

impl Runs {
    pub fn of(function: &Function, flow: &Flow) -> Runs {
        let known = Known::new();
        let guess = guess(function, &known);
        let extents = Extents { function, known: &known, guess };
        let times = |block: BlockId| {
            let (times, _) = extents.count(block, &|_| true);
            // What goes round without being a loop does so as often as one.
            let around = function.loops.iter().any(|around| around.blocks.contains(&block));
            let least = if flow.is_cyclic(block) && !around { guess } else { 1 };
            times.clamp(least, MOST)
        };
        let turns = |around: &Loop| turns_of(&extents, around).unwrap_or(guess);
        Runs {
            times: function.block_ids().map(|block| (block, times(block))).collect(),
            turns: function.loops.iter().map(|around| (around.header, turns(around))).collect(),
        }
    }

    /// How often a block runs in one call.
    pub fn of_block(&self, block: BlockId) -> u64 {
        self.times.get(&block).copied().unwrap_or(1)
    }

    /// How often the loop of a header goes round each time it is entered.
    pub fn turns_of(&self, header: BlockId) -> u64 {
        self.turns.get(&header).copied().unwrap_or(TRIPS)
    }
}

fn guess(function: &Function, known: &Known) -> u64 {
    let extents = Extents { function, known, guess: TRIPS };
    let longest = function.loops.iter().filter_map(|around| turns_of(&extents, around)).max();
    longest.unwrap_or(TRIPS).clamp(TRIPS, LIKELY)
}

fn turns_of(extents: &Extents, around: &Loop) -> Option<u64> {
    let (low, high) = extents.turns(around)?;
    Some(((low + high) / 2 + 1).clamp(1, i128::from(MOST)) as u64)
}
