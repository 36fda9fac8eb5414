//! Loops that the reverse sweep passes by where nothing is said about what they hand on.
//!
//! What a loop computes is often thrown away behind it: a unit of a network that is not active, an option that ends without
//! value, a pair that lies too far apart. Then the adjoints of all that it hands on are zero, and so is whatever its
//! reverse would add: one comparison saves the loop.
//!
//! What has to hold: the loop computes and reads, so that adjoints come to it through the values that it hands on
//! and no other way; and its reverse changes nothing beside adjoints and shadows that somebody finds. Its records lie in
//! arrays, which others take back. And the cells of its values are set anew before they are read again: all of them where
//! control does not come back before the reverse has, and its counters where they are counted anew.
//! Worth it only where a branch behind the loop, or a choice, may throw the values away.
//! Safe error: not passed by (costs time, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::laid::Laid;
use super::recount::Recounts;
use super::storage::{Question, Stored};
use super::{Decision, Item, Merge, Storage, Strip, distinct_predecessors};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::{Flow, blocks_of_values, returning_blocks};
use crate::analyses::later::only_computes;
use crate::analyses::trips::find_trips;
use crate::analyses::users::{Users, find_users};
use crate::model::{BlockId, Inst, Op, Operand, Type, ValueId};
use crate::request::Request;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    pub entry: BlockId,
    /// The block behind the loop.
    pub exit: BlockId,
    /// What the loop hands on, and whose adjoints are looked at.
    pub asked: BTreeSet<ValueId>,
}

/// A function, and what was decided of it.
pub struct Decided<'a> {
    pub question: &'a Question<'a>,
    pub request: &'a Request,
    pub merges: &'a BTreeMap<BlockId, Decision<Merge>>,
    /// Values and shadows.
    pub stored: (&'a Stored, &'a Stored),
    pub laid: &'a Laid,
    pub recounts: &'a Recounts,
    pub strips: &'a BTreeMap<BlockId, Strip>,
}

/// The same with what is asked of it for each loop.
struct Idling<'a> {
    decided: &'a Decided<'a>,
    home: BTreeMap<ValueId, BlockId>,
    users: Users,
    /// The control flow in which a pass that is reversed at once is by itself.
    once: Flow,
}

/// More comparisons than these are not saved by most loops.
const MOST_ASKED: usize = 4;

/// Shorter loops are written out, and whole vectors of their runs go the same way.
const SHORT: u64 = 8;

impl Decided<'_> {
    pub fn find(&self) -> BTreeMap<BlockId, Idle> {
        // Loops over scalars alone are short, and the checker follows their derivatives step by step.
        let touches_memory = self.question.activity.memory().next().is_some();
        let plain = self.request.mode.is_reverse() && self.strips.is_empty() && self.laid.rooms.is_empty();
        if !plain || !touches_memory {
            return BTreeMap::new();
        }
        let (function, flow) = (self.question.function, self.question.flow);
        let back = self.laid.fused.iter().map(|(header, fused)| (fused.latch, *header)).collect();
        let idling = Idling {
            decided: self,
            home: blocks_of_values(function),
            users: find_users(function),
            once: Flow::without(function, &back),
        };
        let counted = self.merges.iter().filter(|(_, merge)| matches!(merge.choice, Merge::Count { .. }));
        let cycles = counted
            .filter_map(|(header, _)| find_cycle(flow, *header, &distinct_predecessors(flow, *header)));
        cycles.filter_map(|cycle| Some((cycle.header, idling.judge(&cycle)?))).collect()
    }
}

impl Idling<'_> {
    fn judge(&self, cycle: &Cycle) -> Option<Idle> {
        let Question { function, flow, program, rules, .. } = *self.decided.question;
        let exit = cycle.only_exit(flow)?;
        let computes =
            |id: ValueId| function.inst(id).is_some_and(|inst| only_computes(inst, program, rules));
        let fused = self.decided.laid.fused.contains_key(&cycle.header);
        if fused || !self.insts(cycle).all(computes) {
            return None;
        }
        let asked = self.find_handed_on(cycle)?;
        let thrown_away = || asked.iter().all(|id| self.may_be_thrown_away(cycle, exit, *id));
        let worth = self.takes_long(cycle) && thrown_away();
        (worth && self.leaves_nothing(cycle)).then_some(Idle { entry: cycle.entry, exit, asked })
    }

    fn insts<'a>(&'a self, cycle: &'a Cycle) -> impl Iterator<Item = ValueId> + 'a {
        cycle
            .blocks
            .iter()
            .flat_map(|block| self.decided.question.function.block(*block).insts.iter().copied())
    }

    fn is_inside(&self, cycle: &Cycle, id: ValueId) -> bool {
        self.home.get(&id).is_some_and(|block| cycle.blocks.contains(block))
    }

    fn users(&self, value: ValueId) -> impl Iterator<Item = ValueId> {
        self.users.get(&value).into_iter().flatten().map(|(user, _)| *user)
    }

    /// What is active of the loop and read behind it, if that is a few floats.
    fn find_handed_on(&self, cycle: &Cycle) -> Option<BTreeSet<ValueId>> {
        let Question { function, activity, .. } = *self.decided.question;
        let taken = |id: &ValueId| self.users(*id).any(|user| !self.is_inside(cycle, user));
        let asked: BTreeSet<ValueId> =
            self.insts(cycle).filter(|id| activity.is_active(*id) && taken(id)).collect();
        let few = !asked.is_empty() && asked.len() * self.decided.request.width as usize <= MOST_ASKED;
        let floats = asked.iter().all(|value| matches!(function.value_type(*value), Type::Float(_)));
        (few && floats).then_some(asked)
    }

    fn takes_long(&self, cycle: &Cycle) -> bool {
        let Question { function, flow, .. } = *self.decided.question;
        let trips = find_trips(function, flow, &self.home, cycle);
        let short = trips.and_then(|trips| trips.passes()).is_some_and(|passes| passes <= SHORT);
        let calls = |id: ValueId| function.inst(id).is_some_and(|inst| inst.op.call().is_some());
        !short || self.insts(cycle).any(calls)
    }

    /// Whether every way that a value of a loop goes on may come to nothing: what takes it may not run, or may choose
    /// something else.
    fn may_be_thrown_away(&self, cycle: &Cycle, exit: BlockId, value: ValueId) -> bool {
        let Question { function, activity, .. } = *self.decided.question;
        let (mut seen, mut waiting) = (BTreeSet::from([value]), vec![value]);
        while let Some(value) = waiting.pop() {
            for id in self.users(value).filter(|id| !self.is_inside(cycle, *id)) {
                let (Some(inst), Some(block)) = (function.inst(id), self.home.get(&id)) else { continue };
                let leaves = matches!(inst.op, Op::Ret | Op::Store(_));
                let counts = leaves || activity.is_active(id);
                if !counts || self.may_come_to_nothing(exit, *block, inst, value) {
                    continue;
                }
                if leaves || matches!(inst.op, Op::Phi { .. }) && self.goes_round(*block) {
                    return false;
                }
                if seen.insert(id) {
                    waiting.push(id);
                }
            }
        }
        true
    }

    fn may_come_to_nothing(&self, exit: BlockId, block: BlockId, inst: &Inst, value: ValueId) -> bool {
        let other = |x: &Operand| *x != Operand::Value(value);
        match &inst.op {
            Op::Select => inst.operands[1..].iter().any(other),
            Op::Phi { .. } => inst.operands.iter().any(other) && !self.goes_round(block),
            _ => self.may_be_missed(exit, block) || inst.callee_name().is_some_and(is_choice),
        }
    }

    /// Whether a block is the header of a loop: its phis lose nothing.
    fn goes_round(&self, block: BlockId) -> bool {
        let flow = self.decided.question.flow;
        flow.predecessors(block).iter().any(|from| flow.dominates(block, *from))
    }

    /// Whether control may go on from a block, to a return or round again, without coming to another. A loop that comes
    /// after is believed to run.
    fn may_be_missed(&self, exit: BlockId, block: BlockId) -> bool {
        let Question { function, flow, .. } = *self.decided.question;
        let comes_back = |next: &BlockId| flow.reach(*next, &[exit]).contains(&block);
        if block == exit || flow.successors(block).iter().any(comes_back) {
            return false;
        }
        let around = flow.reach(exit, &[block]);
        let again = flow.immediate_dominator(exit).is_some_and(|above| around.contains(&above));
        again || returning_blocks(function, flow).iter().any(|end| around.contains(end))
    }

    /// Whether nobody misses what the reverse of the loop does beside adding up.
    fn leaves_nothing(&self, cycle: &Cycle) -> bool {
        let Decided { stored: (storage, shadows), recounts, .. } = *self.decided;
        let Laid { records, arrays, fresh, .. } = self.decided.laid;
        let inside = |block: &BlockId| cycle.blocks.contains(block);
        let recorded: Vec<&BlockId> = records.keys().filter(|block| inside(block)).collect();
        let laid = |block: &&BlockId| arrays.values().any(|array| array.blocks.contains(block));
        let own_array = arrays.values().any(|array| inside(&array.entry) && array.in_frame.is_none());
        if !recorded.iter().all(laid) || own_array {
            return false;
        }
        let counted = recounts.iter().filter(|(header, _)| inside(header));
        let counters: BTreeSet<ValueId> = counted.flat_map(|(_, recount)| recount.counters.clone()).collect();
        let stays = |(value, decision): (&ValueId, &Decision<Storage>), item: Item| {
            let cell = !matches!(decision.choice, Storage::Argument | Storage::Recompute);
            cell && self.is_inside(cycle, *value) && !counters.contains(value) && !fresh.contains_key(&item)
        };
        let all_fresh =
            || recorded.iter().flat_map(|block| &records[block]).all(|item| fresh.contains_key(item));
        let stale = || {
            storage.iter().any(|entry| stays(entry, Item::Value(*entry.0)))
                || shadows.iter().any(|entry| stays(entry, Item::Shadow(*entry.0)))
        };
        !self.once.is_cyclic(cycle.entry) || all_fresh() && !stale()
    }
}

/// Functions that hand on one of their arguments.
fn is_choice(name: &str) -> bool {
    let intrinsics = ["llvm.maxnum.", "llvm.minnum.", "llvm.maximum.", "llvm.minimum."];
    ["fmax", "fmin", "fmaxf", "fminf"].contains(&name)
        || intrinsics.iter().any(|start| name.starts_with(start))
}
