//! The shape of control flow: predecessors, dominators, cycles, reachability.
//!
//! A function → [`Flow`]. Edges are counted, not only blocks: a switch may enter a block twice.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::{BlockId, Function, Op, ValueId};

pub struct Flow {
    predecessors: Vec<Vec<BlockId>>,
    successors: Vec<Vec<BlockId>>,
    dominators: Dominators<NodeIndex>,
    /// When a walk over the tree of dominators comes to a block, and when it has seen all below it.
    spans: Vec<(u32, u32)>,
    /// Components are numbered so that control goes from greater numbers to smaller ones only.
    component: Vec<u32>,
    cyclic: Vec<bool>,
    reachable: Vec<bool>,
    /// Which blocks can run after one has, of blocks that were asked about.
    behind: RefCell<BTreeMap<BlockId, Vec<u64>>>,
}

impl Flow {
    pub fn of(function: &Function) -> Flow {
        Flow::without(function, &BTreeSet::new())
    }

    /// The same as if some edges were not there.
    pub fn without(function: &Function, cut: &BTreeSet<(BlockId, BlockId)>) -> Flow {
        let count = function.blocks.len();
        let mut graph = DiGraph::<(), ()>::with_capacity(count, count);
        (0..count).for_each(|_| {
            graph.add_node(());
        });
        let mut predecessors = vec![Vec::new(); count];
        let mut successors = vec![Vec::new(); count];
        for block in function.block_ids() {
            for next in function.successors(block).into_iter().filter(|next| !cut.contains(&(block, *next))) {
                graph.add_edge(node(block), node(next), ());
                predecessors[next.0 as usize].push(block);
                successors[block.0 as usize].push(next);
            }
        }
        let (mut cyclic, mut component) = (vec![false; count], vec![0; count]);
        for (number, members) in (0u32..).zip(tarjan_scc(&graph)) {
            let alone = members.len() == 1 && !graph.contains_edge(members[0], members[0]);
            for member in members {
                cyclic[member.index()] = !alone;
                component[member.index()] = number;
            }
        }
        let dominators = simple_fast(&graph, NodeIndex::new(0));
        let spans = measure_spans(&dominators, count);
        let entry = BlockId(0);
        let reachable = (0..count as u32)
            .map(BlockId)
            .map(|block| block == entry || dominators.immediate_dominator(node(block)).is_some())
            .collect();
        let behind = RefCell::default();
        Flow { predecessors, successors, dominators, spans, component, cyclic, reachable, behind }
    }

    /// One entry for each edge into the block.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.0 as usize]
    }

    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.0 as usize]
    }

    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.immediate_dominator(node(block)).map(|node| BlockId(node.index() as u32))
    }

    /// Whether every way to `below` passes `above`; a block dominates itself.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let ((from, to), (at, _)) = (self.spans[above.0 as usize], self.spans[below.0 as usize]);
        above == below || from <= at && at < to
    }

    /// Whether control can come to `to` once it has left `from`.
    pub fn comes_to(&self, from: BlockId, to: BlockId) -> bool {
        let (first, second) = (self.component[from.0 as usize], self.component[to.0 as usize]);
        if first == second {
            return self.is_cyclic(from);
        }
        if first < second {
            return false;
        }
        if self.is_reachable(to) && self.dominates(from, to) {
            return true;
        }
        let mut behind = self.behind.borrow_mut();
        let bits = behind.entry(from).or_insert_with(|| self.walk_behind(from));
        bits[to.0 as usize / 64] >> (to.0 % 64) & 1 == 1
    }

    /// The blocks behind one, a bit for each: many may be asked about.
    fn walk_behind(&self, from: BlockId) -> Vec<u64> {
        let mut seen = vec![0; self.successors.len().div_ceil(64)];
        let mut waiting = self.successors(from).to_vec();
        while let Some(block) = waiting.pop() {
            let (word, bit) = (&mut seen[block.0 as usize / 64], 1 << (block.0 % 64));
            if *word & bit == 0 {
                *word |= bit;
                waiting.extend(self.successors(block));
            }
        }
        seen
    }

    /// Whether control can come back to the block.
    pub fn is_cyclic(&self, block: BlockId) -> bool {
        self.cyclic[block.0 as usize]
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.reachable[block.0 as usize]
    }

    /// Reachable blocks, every block after those that dominate it.
    pub fn dominator_order(&self) -> Vec<BlockId> {
        let mut seen = vec![false; self.successors.len()];
        let mut order = Vec::new();
        // An explicit stack: a function may have more blocks than the machine has stack frames.
        let mut stack = vec![(BlockId(0), 0usize)];
        seen[0] = true;
        while let Some((block, next)) = stack.pop() {
            match self.successors(block).get(next) {
                Some(successor) => {
                    stack.push((block, next + 1));
                    if !std::mem::replace(&mut seen[successor.0 as usize], true) {
                        stack.push((*successor, 0));
                    }
                }
                None => order.push(block),
            }
        }
        order.reverse();
        order
    }

    /// Blocks that can be reached from `start` (itself included) without entering any of `walls`.
    pub fn reach(&self, start: BlockId, walls: &[BlockId]) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![start];
        while let Some(block) = waiting.pop() {
            if !walls.contains(&block) && seen.insert(block) {
                waiting.extend(self.successors(block));
            }
        }
        seen
    }

    /// Blocks from which control may come to one of `ends`, these included.
    pub fn leading_to(&self, ends: impl IntoIterator<Item = BlockId>) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<BlockId> = ends.into_iter().collect();
        while let Some(block) = waiting.pop() {
            if seen.insert(block) {
                waiting.extend(self.predecessors(block));
            }
        }
        seen
    }
}

/// The blocks that end in a return, in order.
pub fn returning_blocks(function: &Function, flow: &Flow) -> Vec<BlockId> {
    let returns = |block: &BlockId| {
        let terminator = function.terminator(*block).and_then(|id| function.inst(id));
        flow.is_reachable(*block) && terminator.is_some_and(|inst| inst.op == Op::Ret)
    };
    function.block_ids().filter(returns).collect()
}

/// The spans of blocks in a walk over the tree of dominators: those of dominated blocks lie within. Unreachable blocks have
/// empty ones at the end.
fn measure_spans(dominators: &Dominators<NodeIndex>, count: usize) -> Vec<(u32, u32)> {
    let mut below = vec![Vec::new(); count];
    for block in 0..count {
        if let Some(above) = dominators.immediate_dominator(NodeIndex::new(block)) {
            below[above.index()].push(block);
        }
    }
    let mut spans = vec![(u32::MAX, u32::MAX); count];
    let mut clock = 0;
    let mut stack: Vec<(usize, usize)> = (0..count.min(1)).map(|entry| (entry, 0)).collect();
    while let Some((block, next)) = stack.pop() {
        if next == 0 {
            spans[block].0 = clock;
            clock += 1;
        }
        match below[block].get(next) {
            Some(inner) => {
                stack.push((block, next + 1));
                stack.push((*inner, 0));
            }
            None => spans[block].1 = clock,
        }
    }
    spans
}

fn node(block: BlockId) -> NodeIndex {
    NodeIndex::new(block.0 as usize)
}

/// The block of each instruction. Parameters are in none.
pub fn blocks_of_values(function: &Function) -> BTreeMap<ValueId, BlockId> {
    function
        .block_ids()
        .flat_map(|block| function.block(block).insts.iter().map(move |id| (*id, block)))
        .collect()
}
