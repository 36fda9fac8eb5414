//! The shape of control flow: predecessors, dominators, cycles, reachability.
//!
//! A function → [`Flow`]. Edges are counted, not only blocks: a switch may enter a block twice.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::{BlockId, Function, ValueId};

pub struct Flow {
    predecessors: Vec<Vec<BlockId>>,
    successors: Vec<Vec<BlockId>>,
    dominators: Dominators<NodeIndex>,
    cyclic: Vec<bool>,
    reachable: Vec<bool>,
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
        let mut cyclic = vec![false; count];
        for component in tarjan_scc(&graph) {
            let alone = component.len() == 1 && !graph.contains_edge(component[0], component[0]);
            component.into_iter().for_each(|member| cyclic[member.index()] = !alone);
        }
        let dominators = simple_fast(&graph, NodeIndex::new(0));
        let entry = BlockId(0);
        let reachable = (0..count as u32)
            .map(BlockId)
            .map(|block| block == entry || dominators.immediate_dominator(node(block)).is_some())
            .collect();
        Flow { predecessors, successors, dominators, cyclic, reachable }
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
        let mut at = Some(below);
        while let Some(block) = at {
            if block == above {
                return true;
            }
            at = self.immediate_dominator(block);
        }
        false
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
