//! How are the loops and blocks of a function nested?
//!
//! Invariant: a chain of loops starts with the outermost. Blocks on a cycle that is no natural loop are *wild*: how
//! often they run in an iteration is not known, so nothing is concluded about accesses in them.

use std::collections::BTreeMap;

use crate::analyses::flow::{Flow, blocks_of_values};
use crate::model::{BlockId, Function, LoopId, Scev, ValueId};

pub struct Nesting<'a> {
    pub function: &'a Function,
    pub flow: Flow,
    innermost: Vec<Option<LoopId>>,
    homes: BTreeMap<ValueId, BlockId>,
    wild: bool,
    order: Vec<usize>,
    most: Vec<Option<i128>>,
}

impl<'a> Nesting<'a> {
    pub fn of(function: &'a Function) -> Nesting<'a> {
        let flow = Flow::of(function);
        let mut innermost: Vec<Option<LoopId>> = vec![None; function.blocks.len()];
        // Outer loops come before inner ones, so that the last to claim a block is the innermost.
        for (at, inside) in function.loops.iter().enumerate() {
            for block in &inside.blocks {
                innermost[block.0 as usize] = Some(LoopId(at as u32));
            }
        }
        let mut order = vec![usize::MAX; function.blocks.len()];
        for (at, block) in flow.dominator_order().into_iter().enumerate() {
            order[block.0 as usize] = at;
        }
        let homes = blocks_of_values(function);
        let mut nesting = Nesting {
            function,
            flow,
            innermost,
            homes,
            wild: false,
            order,
            most: bound_by_addresses(function),
        };
        nesting.wild = nesting.find_wild_cycle();
        nesting
    }

    /// Whether control can go round without taking the back edge of a loop.
    pub fn is_wild(&self) -> bool {
        self.wild
    }

    /// How often a back edge can be taken at most, because an address of the loop grows without wrapping.
    pub fn most_back_edges(&self, of: LoopId) -> Option<i128> {
        self.most[of.0 as usize]
    }

    /// In reverse postorder a forward edge goes up; whatever goes down must be a back edge of a loop we know.
    fn find_wild_cycle(&self) -> bool {
        let reachable = self.function.block_ids().filter(|block| self.flow.is_reachable(*block));
        let mut edges =
            reachable.flat_map(|from| self.flow.successors(from).iter().map(move |to| (from, *to)));
        edges.any(|(from, to)| {
            let back = self.order[to.0 as usize] <= self.order[from.0 as usize];
            let known = self.function.loops.iter().any(|at| at.header == to && at.blocks.contains(&from));
            back && !known
        })
    }

    /// A position such that what is executed earlier within an iteration has the smaller one.
    pub fn position(&self, block: BlockId) -> usize {
        self.order[block.0 as usize]
    }

    pub fn home(&self, value: ValueId) -> Option<BlockId> {
        self.homes.get(&value).copied()
    }

    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.0 as usize]
    }

    pub fn chain(&self, block: BlockId) -> Vec<LoopId> {
        let mut chain = Vec::new();
        let mut at = self.innermost(block);
        while let Some(id) = at {
            chain.push(id);
            at = self.function.loops[id.0 as usize].parent;
        }
        chain.reverse();
        chain
    }

    pub fn depth(&self, of: LoopId) -> usize {
        let mut depth = 1;
        let mut at = self.function.loops[of.0 as usize].parent;
        while let Some(id) = at {
            depth += 1;
            at = self.function.loops[id.0 as usize].parent;
        }
        depth
    }

    /// The innermost loop around a value's definition that is also around a block.
    pub fn varies(&self, value: ValueId, seen_from: BlockId) -> Option<LoopId> {
        let mut at = self.home(value).and_then(|home| self.innermost(home));
        while let Some(id) = at {
            let inside = &self.function.loops[id.0 as usize];
            if inside.blocks.binary_search(&seen_from).is_ok() {
                return Some(id);
            }
            at = inside.parent;
        }
        None
    }

    pub fn encloses(&self, of: LoopId, block: BlockId) -> bool {
        self.function.loops[of.0 as usize].blocks.binary_search(&block).is_ok()
    }

    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let mut at = Some(below);
        while let Some(block) = at {
            if block == above {
                return true;
            }
            at = self.flow.immediate_dominator(block);
        }
        false
    }

    /// From the entry to the block, every dominator.
    pub fn dominators(&self, block: BlockId) -> Vec<BlockId> {
        let mut path = vec![block];
        while let Some(next) = self.flow.immediate_dominator(path[path.len() - 1]) {
            path.push(next);
        }
        path.reverse();
        path
    }
}

/// LLVM puts `nuw` on a recurrence only where it holds in every iteration the loop runs: with a constant step `s` and
/// an address below 2^64 there are at most `(2^64 - 1)/s` back edges.
fn bound_by_addresses(function: &Function) -> Vec<Option<i128>> {
    let mut most: Vec<Option<i128>> = vec![None; function.loops.len()];
    for address in function.memory.values().filter_map(|fact| fact.address.as_ref()) {
        address.walk(&mut |part| {
            if let Scev::Rec { wrap, step, of, .. } = part
                && let Scev::Const { bits: 64, value } = **step
                && wrap.nuw
                && value > 0
            {
                let bound = ((1i128 << 64) - 1) / value;
                let slot = &mut most[of.0 as usize];
                *slot = Some(slot.map_or(bound, |old| old.min(bound)));
            }
        });
    }
    most
}
