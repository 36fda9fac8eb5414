//! Static single assignment: every use is dominated by its definition. Unreachable uses are excepted.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::DiGraph;

use super::{Check, Place};
use crate::model::{BlockId, Function, Op, ValueId};

/// Blocks as intervals of a walk over the dominator tree: one contains what it dominates.
struct Dominance {
    /// `None` for unreachable blocks.
    spans: Vec<Option<(u32, u32)>>,
}

impl Check<'_> {
    pub fn check_dominance(&mut self) {
        if self.function.is_declaration() {
            return;
        }
        let dominance = Dominance::of(self.function);
        let homes = self.home_blocks();
        for (id, inst) in self.insts() {
            let home = homes[id.0 as usize - self.function.params.len()];
            for (index, value) in inst.operands.iter().enumerate() {
                let Some(value) = value.value().filter(|value| self.function.inst(*value).is_some()) else {
                    continue;
                };
                let defined = homes[value.0 as usize - self.function.params.len()];
                // A phi uses its operand at the end of the block that the operand comes from.
                let (used, before) = match &inst.op {
                    Op::Phi { from } => (from.get(index).copied().unwrap_or(home), true),
                    _ => (home, value < id),
                };
                let fine = !dominance.is_reachable(used)
                    || if used == defined { before } else { dominance.dominates(defined, used) };
                if !fine {
                    self.report(
                        Place::Value(id),
                        format!("A definition dominates its uses; {value} does not."),
                    );
                }
            }
        }
    }

    /// The block of each instruction.
    fn home_blocks(&self) -> Vec<BlockId> {
        let blocks = self.function.block_ids().zip(&self.function.blocks);
        blocks.flat_map(|(id, block)| block.insts.iter().map(move |_: &ValueId| id)).collect()
    }
}

impl Dominance {
    fn of(function: &Function) -> Dominance {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<_> = function.blocks.iter().map(|_| graph.add_node(())).collect();
        for block in function.block_ids() {
            for to in function.successors(block) {
                graph.add_edge(nodes[block.0 as usize], nodes[to.0 as usize], ());
            }
        }
        let dominators = simple_fast(&graph, nodes[0]);
        let mut children = vec![Vec::new(); nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            if let Some(parent) = dominators.immediate_dominator(*node) {
                children[parent.index()].push(index);
            }
        }
        Dominance { spans: number_tree(&children) }
    }

    fn is_reachable(&self, block: BlockId) -> bool {
        self.spans[block.0 as usize].is_some()
    }

    fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        match (self.spans[above.0 as usize], self.spans[below.0 as usize]) {
            (Some(above), Some(below)) => above.0 <= below.0 && below.1 <= above.1,
            _ => false,
        }
    }
}

/// When a walk from node 0 enters and leaves each node. A list of its own, as trees may be deeper than the stack.
fn number_tree(children: &[Vec<usize>]) -> Vec<Option<(u32, u32)>> {
    let mut spans = vec![None; children.len()];
    let mut clock = 0;
    let mut path = vec![(0, 0)];
    spans[0] = Some((0, 0));
    while let Some((node, next)) = path.last_mut() {
        clock += 1;
        if let Some(child) = children[*node].get(*next) {
            *next += 1;
            spans[*child] = Some((clock, clock));
            path.push((*child, 0));
        } else {
            if let Some(span) = &mut spans[*node] {
                span.1 = clock;
            }
            path.pop();
        }
    }
    spans
}
