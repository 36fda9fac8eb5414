//! The loop table against the control flow it speaks of.

use std::collections::BTreeSet;

use super::{Check, Place};
use crate::model::{BlockId, Loop, LoopId};

impl Check<'_> {
    pub fn check_loops(&mut self) {
        let mut headers = BTreeSet::new();
        for (index, found) in self.function.loops.iter().enumerate() {
            let id = LoopId(index as u32);
            let place = || Place::Loop(id);
            let all = [&found.blocks, &found.latches, &found.exiting, &found.exits];
            let named = all.into_iter().flatten().chain([&found.header]).chain(&found.preheader);
            let count = self.function.blocks.len() as u32;
            if named.into_iter().any(|block| block.0 >= count) {
                self.report(place(), "Every block named by a loop is a block of this function.");
                continue;
            }
            let strictly = found.blocks.is_sorted_by(|x, y| x < y);
            self.require(strictly, place(), "The blocks of a loop are sorted, each once.");
            self.require(
                found.blocks.contains(&found.header),
                place(),
                "The header is among the blocks of its loop.",
            );
            self.require(headers.insert(found.header), place(), "A block is the header of one loop only.");
            self.check_parent(id, found);
            self.check_edges(id, found);
            if let Some(count) = &found.back_edges {
                self.check_scev(place(), count);
            }
        }
    }

    fn check_parent(&mut self, id: LoopId, found: &Loop) {
        let Some(parent) = found.parent else { return };
        self.require(parent < id, Place::Loop(id), "An outer loop comes before the loops inside it.");
        let Some(outer) = self.function.loops.get(parent.0 as usize) else { return };
        let outer: BTreeSet<&BlockId> = outer.blocks.iter().collect();
        let inside = found.blocks.iter().all(|block| outer.contains(block));
        self.require(inside, Place::Loop(id), "A loop's parent contains its blocks.");
    }

    fn check_edges(&mut self, id: LoopId, found: &Loop) {
        let inside: BTreeSet<BlockId> = found.blocks.iter().copied().collect();
        let (mut latches, mut exiting, mut exits) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for block in &inside {
            for to in self.function.successors(*block) {
                if to == found.header {
                    latches.insert(*block);
                } else if !inside.contains(&to) {
                    exiting.insert(*block);
                    exits.insert(to);
                }
            }
        }
        let is = |listed: &[BlockId], found: BTreeSet<BlockId>| {
            listed.iter().copied().collect::<BTreeSet<_>>() == found
        };
        self.require(
            is(&found.latches, latches),
            Place::Loop(id),
            "Latches are the blocks of the loop with an edge to its header.",
        );
        self.require(
            is(&found.exiting, exiting),
            Place::Loop(id),
            "Exiting blocks are those of the loop with an edge out of it.",
        );
        self.require(
            is(&found.exits, exits),
            Place::Loop(id),
            "Exits are the blocks that edges out of the loop lead to.",
        );
        let enters =
            |block: &BlockId| !inside.contains(block) && self.function.successors(*block) == [found.header];
        let preheader = found.preheader.as_ref().is_none_or(enters);
        self.require(
            preheader,
            Place::Loop(id),
            "A preheader lies outside the loop and leads to its header only.",
        );
    }
}
