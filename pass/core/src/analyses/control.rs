//! Which branches decide whether a block runs: control dependence.
//!
//! Flow → for each block the blocks whose branch decides it, directly. A block is decided by a branch that has one way
//! on which it certainly runs and another on which it need not.
//! Blocks from which the function never returns count as if they could return at once.
//! Safe error: a branch too many.

use std::collections::BTreeSet;

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use super::flow::Flow;
use crate::model::{BlockId, Function};

pub struct Control {
    deciders: Vec<BTreeSet<BlockId>>,
}

impl Control {
    pub fn of(function: &Function, flow: &Flow) -> Control {
        let behind = post_dominators(function, flow);
        let mut deciders = vec![BTreeSet::new(); function.blocks.len()];
        for block in function.block_ids().filter(|block| flow.is_reachable(*block)) {
            let stop = behind.immediate_dominator(node(block));
            for next in flow.successors(block) {
                // From the way taken up to where all ways meet again.
                let mut at = Some(node(*next));
                while let Some(here) = at.filter(|here| Some(*here) != stop) {
                    if let Some(decided) = deciders.get_mut(here.index()) {
                        decided.insert(block);
                    }
                    at = behind.immediate_dominator(here);
                }
            }
        }
        Control { deciders }
    }

    /// The blocks whose branches decide directly whether a block runs.
    pub fn deciders(&self, block: BlockId) -> &BTreeSet<BlockId> {
        &self.deciders[block.0 as usize]
    }
}

fn node(block: BlockId) -> NodeIndex {
    NodeIndex::new(block.0 as usize)
}

/// Dominators of the reversed flow, from one exit that stands behind all others.
fn post_dominators(function: &Function, flow: &Flow) -> Dominators<NodeIndex> {
    let count = function.blocks.len();
    let mut graph = DiGraph::<(), ()>::with_capacity(count + 1, count);
    (0..=count).for_each(|_| {
        graph.add_node(());
    });
    let exit = NodeIndex::new(count);
    let mut ends: BTreeSet<BlockId> = BTreeSet::new();
    for block in function.block_ids() {
        for next in flow.successors(block) {
            graph.add_edge(node(*next), node(block), ());
        }
        if flow.successors(block).is_empty() {
            ends.insert(block);
        }
    }
    let mut returning = BTreeSet::new();
    let mut waiting: Vec<BlockId> = ends.iter().copied().collect();
    while let Some(block) = waiting.pop() {
        if returning.insert(block) {
            waiting.extend(flow.predecessors(block));
        }
    }
    let endless = function.block_ids().filter(|block| !returning.contains(block));
    for block in ends.iter().copied().chain(endless) {
        graph.add_edge(exit, node(block), ());
    }
    simple_fast(&graph, exit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_program;

    fn deciders(text: &str) -> Vec<Vec<u32>> {
        let program = parse_program(text).expect("it parses");
        let function = &program.functions[0];
        let control = Control::of(function, &Flow::of(function));
        let of = |block| control.deciders(block).iter().map(|by| by.0).collect();
        function.block_ids().map(of).collect()
    }

    #[test]
    fn a_branch_decides_its_arms_and_not_the_join() {
        let text = "function @f(%c: i1) -> void {
^entry:
  br %c, ^left, ^right
^left:
  br ^join
^right:
  br ^join
^join:
  ret
}";
        assert_eq!(deciders(text), [vec![], vec![0], vec![0], vec![]]);
    }

    #[test]
    fn a_loop_decides_itself() {
        let text = "function @f(%c: i1) -> void {
^entry:
  br ^head
^head:
  br %c, ^body, ^out
^body:
  br ^head
^out:
  ret
}";
        assert_eq!(deciders(text), [vec![], vec![1], vec![1], vec![]]);
    }

    #[test]
    fn an_endless_loop_has_an_end_all_the_same() {
        let text = "function @f(%c: i1) -> void {
^entry:
  br %c, ^round, ^out
^round:
  br ^round
^out:
  ret
}";
        assert_eq!(deciders(text), [vec![], vec![0, 1], vec![0]]);
    }
}
