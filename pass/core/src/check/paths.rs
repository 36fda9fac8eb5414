//! Which blocks control can go through, by plain search: what the checker knows of control flow.
//!
//! Dominance and cycles are asked of every block, so that a search for each would take longer than all the rest in a large
//! function: [`Shape`] finds them once. It has nothing in common with the trees and components of `analyses::flow`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::shape::Shape;
use crate::model::{BlockId, Function, Op, ValueId};

pub struct Paths {
    successors: Vec<Vec<BlockId>>,
    predecessors: BTreeMap<BlockId, Vec<BlockId>>,
    live: BTreeSet<BlockId>,
    /// The block of each instruction, and its place there.
    homes: BTreeMap<ValueId, (BlockId, usize)>,
    returns: Vec<BlockId>,
    /// For each block the live ones that control can enter it from.
    arrivals: BTreeMap<BlockId, BTreeSet<BlockId>>,
    shape: Shape,
    /// The blocks that control can come to from the end of some, a bit for each.
    behind: RefCell<BTreeMap<BlockId, Vec<u64>>>,
}

impl Paths {
    pub fn of(function: &Function) -> Paths {
        let successors: Vec<Vec<BlockId>> =
            function.block_ids().map(|block| function.successors(block)).collect();
        let mut predecessors: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for (from, to) in function.block_ids().zip(&successors) {
            to.iter().for_each(|to| predecessors.entry(*to).or_default().push(from));
        }
        let mut homes = BTreeMap::new();
        for block in function.block_ids() {
            let insts = function.block(block).insts.iter().enumerate();
            homes.extend(insts.map(|(at, id)| (*id, (block, at))));
        }
        let shape = Shape::of(&successors);
        let mut paths = Paths {
            successors,
            predecessors,
            live: BTreeSet::new(),
            homes,
            returns: Vec::new(),
            arrivals: BTreeMap::new(),
            shape,
            behind: RefCell::default(),
        };
        if !function.is_declaration() {
            paths.live = paths.walk(&[BlockId(0)], None);
        }
        let returns = |block: &BlockId| {
            let last = function.terminator(*block).and_then(|id| function.inst(id));
            last.is_some_and(|inst| matches!(inst.op, Op::Ret))
        };
        for from in &paths.live {
            for to in &paths.successors[from.0 as usize] {
                paths.arrivals.entry(*to).or_default().insert(*from);
            }
        }
        paths.returns = paths.live.iter().copied().filter(returns).collect();
        paths
    }

    /// Blocks reached from `starts`, these included; `wall` is not entered.
    pub fn walk(&self, starts: &[BlockId], wall: Option<BlockId>) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut waiting = starts.to_vec();
        while let Some(block) = waiting.pop() {
            if Some(block) != wall && seen.insert(block) {
                waiting.extend(self.successors(block));
            }
        }
        seen
    }

    /// Blocks reached from `starts`, these included, of some alone.
    pub fn walk_within(&self, starts: &[BlockId], among: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut waiting = starts.to_vec();
        while let Some(block) = waiting.pop() {
            if among.contains(&block) && seen.insert(block) {
                waiting.extend(self.successors(block));
            }
        }
        seen
    }

    /// Blocks from which `end` is reached, it included, without going through `wall`.
    pub fn walk_back(&self, end: BlockId, wall: BlockId) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![end];
        while let Some(block) = waiting.pop() {
            if block != wall && seen.insert(block) {
                waiting.extend(self.predecessors.get(&block).into_iter().flatten());
            }
        }
        seen
    }

    /// The blocks among those given that control comes back to without leaving them.
    pub fn circling(&self, among: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
        // What nothing leads to, or what leads nowhere, lies on no circle; most blocks are found so.
        let mut left = among.clone();
        let ends = |left: &BTreeSet<BlockId>, block: &BlockId| {
            let before = self.predecessors.get(block).into_iter().flatten();
            !self.successors(*block).iter().any(|to| left.contains(to))
                || !before.into_iter().any(|from| left.contains(from))
        };
        let mut waiting: Vec<BlockId> = left.iter().copied().collect();
        while let Some(block) = waiting.pop() {
            if left.contains(&block) && ends(&left, &block) {
                left.remove(&block);
                waiting.extend(self.successors(block));
                waiting.extend(self.predecessors.get(&block).into_iter().flatten());
            }
        }
        let comes_back = |block: &BlockId| {
            let (mut seen, mut waiting) = (BTreeSet::new(), self.successors(*block).to_vec());
            while let Some(next) = waiting.pop() {
                if left.contains(&next) && seen.insert(next) {
                    waiting.extend(self.successors(next));
                }
            }
            seen.contains(block)
        };
        left.iter().copied().filter(comes_back).collect()
    }

    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.get(block.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub fn is_live(&self, block: BlockId) -> bool {
        self.live.contains(&block)
    }

    /// `None` for parameters.
    pub fn home(&self, value: ValueId) -> Option<BlockId> {
        self.place(value).map(|(block, _)| block)
    }

    /// The block of an instruction, and where it stands there.
    pub fn place(&self, value: ValueId) -> Option<(BlockId, usize)> {
        self.homes.get(&value).copied()
    }

    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Live blocks that end in a return.
    pub fn returns(&self) -> &[BlockId] {
        &self.returns
    }

    /// For each block the live ones that control can enter it from.
    pub fn arrivals(&self) -> &BTreeMap<BlockId, BTreeSet<BlockId>> {
        &self.arrivals
    }

    /// Blocks that ran, maybe, when the function has returned.
    pub fn returning(&self) -> BTreeSet<BlockId> {
        let arrivals = self.arrivals();
        let mut seen = BTreeSet::new();
        let mut waiting = self.returns.clone();
        while let Some(block) = waiting.pop() {
            if seen.insert(block) {
                waiting.extend(arrivals.get(&block).into_iter().flatten());
            }
        }
        seen
    }

    /// Whether every path from the entry to `block` goes through `through`; every block dominates itself.
    pub fn dominates(&self, through: BlockId, block: BlockId) -> bool {
        self.is_live(block) && self.shape.dominates(through, block)
    }

    /// Whether control can come back to the block.
    pub fn repeats(&self, block: BlockId) -> bool {
        match self.is_live(block) {
            true => self.shape.repeats(block),
            false => self.walk(self.successors(block), None).contains(&block),
        }
    }

    /// Whether control can come to `to` once it has left `from`.
    pub fn leads(&self, from: BlockId, to: BlockId) -> bool {
        if let Some(known) = self.shape.leads(from, to) {
            return known;
        }
        let mut behind = self.behind.borrow_mut();
        let bits = behind.entry(from).or_insert_with(|| {
            let mut bits = vec![0u64; self.successors.len().div_ceil(64)];
            let mut waiting = self.successors(from).to_vec();
            while let Some(block) = waiting.pop() {
                let (word, bit) = (&mut bits[block.0 as usize / 64], 1 << (block.0 % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    waiting.extend(self.successors(block));
                }
            }
            bits
        });
        bits.get(to.0 as usize / 64).is_some_and(|word| word >> (to.0 % 64) & 1 == 1)
    }
}
