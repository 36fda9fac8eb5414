//! Solves data-flow equations over the blocks of a function: any lattice, either direction.
//!
//! Analysis + function → [`Solution`]: the least states that satisfy, for every block, *entry = join over the edges that
//! lead there*, *exit = transfer(entry)*. Backwards, entry is the end of a block and edges are those that leave it.
//! Only the states at block entries are kept; what holds at an instruction is found by replaying its block.
//!
//! Invariant: transfer functions are monotone and lattices finite, so that this ends.

use std::collections::BTreeSet;

use super::flow::Flow;
use crate::model::{BlockId, Function, Inst, Op, ValueId};

/// A join semilattice. Every analysis here errs upwards.
pub trait Lattice: Clone {
    /// Becomes the least upper bound of both; returns whether it grew.
    fn join(&mut self, other: &Self) -> bool;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub from: BlockId,
    pub to: BlockId,
}

pub trait Analysis {
    type State: Lattice;
    const DIRECTION: Direction;

    /// What holds where nothing arrives.
    fn bottom(&self) -> Self::State;

    /// What holds where the function is entered; backwards, where it is left.
    fn boundary(&self) -> Self::State;

    /// One instruction, in the analysis's direction. Backwards a phi does nothing here: `cross` knows the edge.
    fn apply(&self, id: ValueId, inst: &Inst, state: &mut Self::State);

    /// One edge, in the analysis's direction.
    fn cross(&self, _edge: Edge, _state: &mut Self::State) {}
}

/// The states at the entries of blocks; bottom for those that control does not reach.
pub struct Solution<S> {
    entries: Vec<S>,
}

pub fn solve<A: Analysis>(analysis: &A, function: &Function, flow: &Flow) -> Solution<A::State> {
    let mut order = flow.dominator_order();
    if A::DIRECTION == Direction::Backward {
        order.reverse();
    }
    let mut place = vec![usize::MAX; function.blocks.len()];
    order.iter().enumerate().for_each(|(at, block)| place[block.0 as usize] = at);
    let mut entries = vec![analysis.bottom(); function.blocks.len()];
    for block in order.iter().filter(|block| is_border(function, **block, A::DIRECTION)) {
        entries[block.0 as usize].join(&analysis.boundary());
    }
    // In order, so that most of what a block depends on is done before it.
    let mut waiting: BTreeSet<usize> = (0..order.len()).collect();
    while let Some(at) = waiting.pop_first() {
        let block = order[at];
        let mut state = entries[block.0 as usize].clone();
        run_block(analysis, function, block, &mut state);
        let next = match A::DIRECTION {
            Direction::Forward => flow.successors(block),
            Direction::Backward => flow.predecessors(block),
        };
        for next in next.iter().filter(|next| flow.is_reachable(**next)) {
            let edge = match A::DIRECTION {
                Direction::Forward => Edge { from: block, to: *next },
                Direction::Backward => Edge { from: *next, to: block },
            };
            let mut arriving = state.clone();
            analysis.cross(edge, &mut arriving);
            if entries[next.0 as usize].join(&arriving) {
                waiting.insert(place[next.0 as usize]);
            }
        }
    }
    Solution { entries }
}

fn is_border(function: &Function, block: BlockId, direction: Direction) -> bool {
    match direction {
        Direction::Forward => block == BlockId(0),
        Direction::Backward => {
            let end = function.terminator(block).and_then(|id| function.inst(id));
            function.successors(block).is_empty()
                && end.is_none_or(|inst| !matches!(inst.op, Op::Unreachable))
        }
    }
}

fn run_block<A: Analysis>(analysis: &A, function: &Function, block: BlockId, state: &mut A::State) {
    let insts = &function.block(block).insts;
    let mut run = |id: &ValueId| {
        if let Some(inst) = function.inst(*id) {
            analysis.apply(*id, inst, state);
        }
    };
    match A::DIRECTION {
        Direction::Forward => insts.iter().for_each(&mut run),
        Direction::Backward => insts.iter().rev().for_each(&mut run),
    }
}

impl<S: Lattice> Solution<S> {
    /// The state at a block's entry; backwards, at its end.
    pub fn entry(&self, block: BlockId) -> &S {
        &self.entries[block.0 as usize]
    }

    /// The state at the other side of a block.
    pub fn exit<A: Analysis<State = S>>(&self, analysis: &A, function: &Function, block: BlockId) -> S {
        let mut state = self.entry(block).clone();
        run_block(analysis, function, block, &mut state);
        state
    }

    /// Visits the instructions of a block in program order, each with the states before and after it.
    pub fn replay<A: Analysis<State = S>>(
        &self,
        analysis: &A,
        function: &Function,
        block: BlockId,
        visit: &mut dyn FnMut(ValueId, &Inst, &S, &S),
    ) {
        let insts: Vec<(ValueId, &Inst)> =
            function.block(block).insts.iter().filter_map(|id| Some((*id, function.inst(*id)?))).collect();
        let mut state = self.entry(block).clone();
        let mut states = vec![state.clone()];
        let mut step = |(id, inst): &(ValueId, &Inst)| {
            analysis.apply(*id, inst, &mut state);
            states.push(state.clone());
        };
        match A::DIRECTION {
            Direction::Forward => insts.iter().for_each(&mut step),
            Direction::Backward => insts.iter().rev().for_each(&mut step),
        }
        if A::DIRECTION == Direction::Backward {
            states.reverse();
        }
        for ((id, inst), around) in insts.into_iter().zip(states.windows(2)) {
            visit(id, inst, &around[0], &around[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::Bits;
    use super::*;
    use crate::model::{Operand, parse_program};

    /// Classical liveness of values.
    struct Live;

    impl Analysis for Live {
        type State = Bits;
        const DIRECTION: Direction = Direction::Backward;

        fn bottom(&self) -> Bits {
            Bits::default()
        }

        fn boundary(&self) -> Bits {
            Bits::default()
        }

        fn apply(&self, id: ValueId, inst: &Inst, state: &mut Bits) {
            if !matches!(inst.op, Op::Phi { .. }) {
                state.remove(id.0 as usize);
                state.extend(inst.operands.iter().filter_map(Operand::value).map(|x| x.0 as usize));
            }
        }
    }

    /// Which values may have been computed.
    struct Computed;

    impl Analysis for Computed {
        type State = Bits;
        const DIRECTION: Direction = Direction::Forward;

        fn bottom(&self) -> Bits {
            Bits::default()
        }

        fn boundary(&self) -> Bits {
            Bits::default()
        }

        fn apply(&self, id: ValueId, _: &Inst, state: &mut Bits) {
            state.insert(id.0 as usize);
        }

        fn cross(&self, edge: Edge, state: &mut Bits) {
            if edge.to.0 == 3 {
                state.remove(3);
            }
        }
    }

    const TEXT: &str = "function @f(%x: double, %n: i1) -> double {
^entry:
  br ^loop
^loop:
  %a: double = fmul %x, %x
  br %n, ^loop, ^out
^out:
  %b: double = fadd %a, %x
  br ^end
^end:
  ret %b
^lost:
  %c: double = fadd %x, %x
  ret %c
}";

    fn members(state: &Bits) -> Vec<usize> {
        state.iter().collect()
    }

    #[test]
    fn runs_round_a_loop_in_both_directions() {
        let program = parse_program(TEXT).expect("it parses");
        let (function, flow) = (&program.functions[0], Flow::of(&program.functions[0]));
        let live = solve(&Live, function, &flow);
        assert_eq!(members(&live.exit(&Live, function, BlockId(0))), [0, 1]);
        assert_eq!(members(live.entry(BlockId(1))), [0, 1, 3], "the product is used behind the loop");
        let computed = solve(&Computed, function, &flow);
        assert_eq!(members(computed.entry(BlockId(1))), [2, 3, 4], "round the back edge");
        assert_eq!(members(computed.entry(BlockId(3))), [2, 4, 5, 6], "the edge took one away");
        assert_eq!(members(computed.entry(BlockId(4))), [], "control does not get there");
    }

    #[test]
    fn replays_in_program_order() {
        let program = parse_program(TEXT).expect("it parses");
        let (function, flow) = (&program.functions[0], Flow::of(&program.functions[0]));
        let live = solve(&Live, function, &flow);
        let mut seen = Vec::new();
        live.replay(&Live, function, BlockId(2), &mut |id, _, before, after| {
            seen.push((id.0, members(before), members(after)));
        });
        assert_eq!(seen, [(5, vec![0, 3], vec![5]), (6, vec![5], vec![5])]);
    }
}
