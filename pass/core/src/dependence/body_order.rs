//! In which order do the blocks of a function run?
//!
//! Of two blocks that can both run in the same iteration of all loops around both, the one that runs first stands first;
//! all blocks of a loop stand together. Reverse postorder does not do that: what follows a loop may come before its body
//! there. So the loops directly inside a loop (or the function) are taken as one node each, which leaves a graph without
//! cycles, and that is sorted; then the same inside each of them.

use crate::analyses::flow::Flow;
use crate::model::{BlockId, Function, LoopId};

/// The reachable blocks in that order. `innermost` says which loop each block is in.
pub fn order_blocks(function: &Function, flow: &Flow, innermost: &[Option<LoopId>]) -> Vec<BlockId> {
    let mut sorter = Sorter { function, flow, innermost, order: Vec::new() };
    sorter.sort(None, BlockId(0));
    sorter.order
}

/// A block of a region, or a loop in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Block(BlockId),
    Loop(LoopId),
}

struct Sorter<'a> {
    function: &'a Function,
    flow: &'a Flow,
    innermost: &'a [Option<LoopId>],
    order: Vec<BlockId>,
}

impl Sorter<'_> {
    /// Sorts the function or the body of one loop.
    fn sort(&mut self, region: Option<LoopId>, entry: BlockId) {
        let mut seen = vec![false; self.function.blocks.len()];
        let mut done: Vec<Node> = Vec::new();
        let Some(first) = self.node(region, entry) else { return };
        let mut stack = vec![(first, self.successors(region, first), 0)];
        seen[self.name(first)] = true;
        while let Some((node, successors, next)) = stack.pop() {
            let Some(successor) = successors.get(next).copied() else {
                done.push(node);
                continue;
            };
            stack.push((node, successors, next + 1));
            if !std::mem::replace(&mut seen[self.name(successor)], true) {
                stack.push((successor, self.successors(region, successor), 0));
            }
        }
        for node in done.into_iter().rev() {
            match node {
                Node::Block(block) => self.order.push(block),
                Node::Loop(of) => self.sort(Some(of), self.function.loops[of.0 as usize].header),
            }
        }
    }

    /// The node of a region that a block is in, if it is in the region at all.
    fn node(&self, region: Option<LoopId>, block: BlockId) -> Option<Node> {
        let mut node = Node::Block(block);
        let mut at = self.innermost[block.0 as usize];
        while at != region {
            let of = at?;
            node = Node::Loop(of);
            at = self.function.loops[of.0 as usize].parent;
        }
        Some(node)
    }

    /// A block that names a node.
    fn name(&self, node: Node) -> usize {
        let block = match node {
            Node::Block(block) => block,
            Node::Loop(of) => self.function.loops[of.0 as usize].header,
        };
        block.0 as usize
    }

    /// Where control goes on in the same iteration of the region.
    fn successors(&self, region: Option<LoopId>, node: Node) -> Vec<Node> {
        let header = region.map(|of| self.function.loops[of.0 as usize].header);
        let one = [match node {
            Node::Block(block) => block,
            Node::Loop(_) => BlockId(0),
        }];
        let blocks = match node {
            Node::Block(_) => &one[..],
            Node::Loop(of) => &self.function.loops[of.0 as usize].blocks,
        };
        let next = blocks.iter().flat_map(|block| self.flow.successors(*block));
        next.filter(|next| Some(**next) != header)
            .filter_map(|next| self.node(region, *next))
            .filter(|next| *next != node)
            .collect()
    }
}
