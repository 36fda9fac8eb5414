//! How are the loops and blocks of a function nested?
//!
//! Invariant: a chain of loops starts with the outermost. Blocks on a cycle that is no natural loop are *wild*: how
//! often they run in an iteration is not known, so nothing is concluded about accesses in them.

use std::collections::{BTreeMap, HashMap};

use super::body_order::order_blocks;
use super::unchanging::find_unchanging;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::model::{BlockId, Function, Inst, LoopId, Op, Operand, Program, Scev, ValueId};

pub struct Nesting<'a> {
    pub function: &'a Function,
    pub flow: Flow,
    innermost: Vec<Option<LoopId>>,
    homes: BTreeMap<ValueId, BlockId>,
    unchanging: HashMap<ValueId, ValueId>,
    wild: bool,
    order: Vec<usize>,
    most: Vec<Option<i128>>,
}

impl<'a> Nesting<'a> {
    pub fn of(program: &Program, function: &'a Function) -> Nesting<'a> {
        let flow = Flow::of(function);
        let mut innermost: Vec<Option<LoopId>> = vec![None; function.blocks.len()];
        // Outer loops come before inner ones, so that the last to claim a block is the innermost.
        for (at, inside) in function.loops.iter().enumerate() {
            for block in &inside.blocks {
                innermost[block.0 as usize] = Some(LoopId(at as u32));
            }
        }
        let mut order = vec![usize::MAX; function.blocks.len()];
        for (at, block) in order_blocks(function, &flow, &innermost).into_iter().enumerate() {
            order[block.0 as usize] = at;
        }
        let homes = blocks_of_values(function);
        let unchanging = find_unchanging(program, function);
        let (wild, most) = (false, Vec::new());
        let mut nesting = Nesting { function, flow, innermost, homes, unchanging, wild, order, most };
        nesting.wild = nesting.find_wild_cycle();
        nesting.most =
            if nesting.wild { vec![None; function.loops.len()] } else { bound_by_addresses(&nesting) };
        nesting
    }

    /// Whether control can go round without taking the back edge of a loop.
    pub fn is_wild(&self) -> bool {
        self.wild
    }

    /// Whether a loop, once begun, ends by its exits, so that its number of back edges is reached: nothing inside leaves
    /// the function or goes on forever.
    pub fn counts_out(&self, of: LoopId) -> bool {
        let inside = &self.function.loops[of.0 as usize];
        inside.blocks.iter().all(|block| self.goes_through(*block))
    }

    /// Whether a call in a loop may leave the function or never return.
    pub fn may_leave(&self, of: LoopId) -> bool {
        let blocks = &self.function.loops[of.0 as usize].blocks;
        let insts = blocks.iter().flat_map(|block| &self.function.block(*block).insts);
        insts.filter_map(|id| self.function.inst(*id)).any(|inst| match &inst.op {
            Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => !goes_on(inst),
            _ => false,
        })
    }

    /// Whether control that enters a block surely leaves it at its end, and does not come back to it forever.
    pub fn goes_through(&self, block: BlockId) -> bool {
        let loops = self.function.loops.iter();
        let ends = loops.filter(|at| at.header == block).all(|at| at.back_edges.is_some());
        let insts = &self.function.block(block).insts;
        ends && insts.iter().all(|id| self.function.inst(*id).is_none_or(goes_on))
    }

    /// Whether a block runs in every iteration of a loop that takes the back edge.
    fn runs_always(&self, block: BlockId, of: LoopId) -> bool {
        let latches = &self.function.loops[of.0 as usize].latches;
        self.encloses(of, block) && latches.iter().all(|latch| self.dominates(block, *latch))
    }

    /// How often a back edge can be taken at most, because an address of the loop grows without wrapping.
    pub fn most_back_edges(&self, of: LoopId) -> Option<i128> {
        self.most[of.0 as usize]
    }

    /// In the order of the body a forward edge goes up; whatever goes down must be a back edge of a loop we know.
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

    /// The place in the order of the body: what is executed earlier within an iteration has the smaller one.
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

    /// The value that stands for this one and all that are the same number whenever they are computed.
    pub fn representative(&self, value: ValueId) -> ValueId {
        self.unchanging.get(&value).copied().unwrap_or(value)
    }

    /// Whether an operand is the same in all iterations of a loop.
    pub fn is_invariant(&self, operand: &Operand, of: LoopId) -> bool {
        let Some(id) = operand.value() else { return true };
        self.unchanging.contains_key(&id) || self.home(id).is_none_or(|home| !self.encloses(of, home))
    }

    /// The innermost loop around a value's definition that is also around a block.
    pub fn varies(&self, value: ValueId, seen_from: BlockId) -> Option<LoopId> {
        if self.unchanging.contains_key(&value) {
            return None;
        }
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

/// Whether control surely comes out of an instruction the usual way, unless its behaviour is undefined.
fn goes_on(inst: &Inst) -> bool {
    match &inst.op {
        Op::Call(call) => {
            ["nounwind", "willreturn"].iter().all(|word| call.attributes.iter().any(|at| at == word))
        }
        // A volatile access may do anything, and what we do not know too.
        Op::Load(access)
        | Op::Store(access)
        | Op::AtomicRmw { access, .. }
        | Op::CompareExchange { access } => !access.volatile,
        Op::Invoke { .. } | Op::CallBr { .. } | Op::Resume | Op::Opaque { .. } => false,
        Op::Ret | Op::Unreachable | Op::IndirectBr { .. } => false,
        Op::FNeg
        | Op::Float(_)
        | Op::Int(_)
        | Op::Cast(_)
        | Op::ICmp(_)
        | Op::FCmp(_)
        | Op::Select
        | Op::Freeze
        | Op::Attach(_)
        | Op::Phi { .. }
        | Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::Alloca(_)
        | Op::Gep(_)
        | Op::Fence { .. }
        | Op::VaArg
        | Op::LandingPad { .. }
        | Op::Br { .. }
        | Op::CondBr { .. }
        | Op::Switch { .. } => true,
    }
}

/// How often back edges can be taken at most, by what the addresses of a loop say.
///
/// LLVM puts `nuw` on a recurrence only where it holds in every iteration the loop runs: with a constant step `s` and an
/// address below 2^64 there are at most `(2^64 - 1)/s` back edges. And an access that runs in every iteration stays in
/// one object: neighbouring addresses differ by `s` modulo 2^64 and by less than 2^63 (no object is larger), so they
/// differ by exactly `s`, and the first and the last of them, at most one iteration before the end, by at most what an
/// object of 2^63 - 1 bytes leaves beside the bytes accessed.
fn bound_by_addresses(nesting: &Nesting) -> Vec<Option<i128>> {
    let function = nesting.function;
    let mut most: Vec<Option<i128>> = vec![None; function.loops.len()];
    let mut note = |of: LoopId, bound: i128| {
        let slot = &mut most[of.0 as usize];
        *slot = Some(slot.map_or(bound, |old| old.min(bound)));
    };
    for (id, fact) in &function.memory {
        let Some(address) = &fact.address else { continue };
        address.walk(&mut |part| {
            if let Some((of, step)) = constant_step(part).filter(|(_, step)| *step > 0)
                && matches!(part, Scev::Rec { wrap, .. } if wrap.nuw)
            {
                note(of, ((1i128 << 64) - 1) / step);
            }
        });
        if let Some((of, step)) = constant_step(address)
            && nesting.home(*id).is_some_and(|block| nesting.runs_always(block, of))
            && fact.objects.len() == 1
        {
            // Left at its latch only, the loop runs the access in its last iteration too.
            let inside = &function.loops[of.0 as usize];
            let whole = inside.exiting == inside.latches && inside.latches.len() == 1;
            let bytes = function.inst(*id).and_then(|inst| inst.op.access()?.bytes).unwrap_or(1);
            let last = ((1i128 << 63) - 1 - i128::from(bytes)) / step.abs();
            note(of, if whole { last } else { last + 1 });
        }
    }
    most
}

fn constant_step(scev: &Scev) -> Option<(LoopId, i128)> {
    let Scev::Rec { step, of, .. } = scev else { return None };
    match **step {
        Scev::Const { bits: 64, value } if value != 0 && value != i128::from(i64::MIN) => Some((*of, value)),
        _ => None,
    }
}
