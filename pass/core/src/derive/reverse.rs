//! The reverse sweep: every block's reverse, in control flow turned round.
//!
//! The reverse of a block runs the reverses of its instructions last to first, hands the adjoints of its phis to the
//! edge that was taken, and continues with the block that edge came from.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Source;
use super::adjoint::{AdjointWriter, Primals};
use super::arrays::drop_arrays;
use super::builder::Builder;
use super::cells::{Cells, load, store};
use super::copies::insts_of;
use super::fused::{Turn, Turns, write_turns};
use super::idle::pass_by;
use super::memory::load_like;
use super::records::{fetch_fresh, pop_record};
use super::recount::count_anew;
use super::rerun::run_again;
use super::rooms::fetch_rooms;
use super::rows::{fetch_rows, find_rows};
use super::signature::slot_operand;
use super::strip::{find_mask, run_strip};
use super::uncompute::take_back;
use crate::analyses::flow::{Flow, returning_blocks};
use crate::analyses::globals::is_thread_address;
use crate::analyses::memory_calls::memory_call;
use crate::model::{
    BlockId, Constant, Flags, Function, Inst, IntOp, IntPredicate, Op, Operand, Type, ValueId,
};
use crate::plan::{EXIT, Merge, Order, Plan, Slot, Storage, distinct_predecessors};

pub struct ReverseWriter<'a> {
    pub source: &'a Source<'a>,
    pub flow: &'a Flow,
    pub cells: &'a Cells,
    /// The primal parameters, in the function being written.
    pub params: &'a [Operand],
    /// The derivative of the result, in each direction.
    pub seeds: Vec<Operand>,
    /// Where the passes of loops turn round that are reversed in the forward sweep.
    pub turns: &'a Turns,
    /// What was computed again in the block being written: values, and shadows by direction. It holds as long as no
    /// cell changes.
    pub again: RefCell<BTreeMap<(ValueId, Option<u32>), Operand>>,
    /// The values that each pass of a loop changes by a step, by the header of the loop.
    pub stepped: BTreeMap<BlockId, Vec<ValueId>>,
}

/// What is counted back, or taken back, at each header.
pub fn stepped(plan: &Plan) -> BTreeMap<BlockId, Vec<ValueId>> {
    let mut stepped: BTreeMap<BlockId, Vec<ValueId>> = BTreeMap::new();
    for (value, decision) in &plan.storage {
        if let Storage::Invert { header, .. } | Storage::Uncompute { header } = decision.choice {
            stepped.entry(header).or_default().push(*value);
        }
    }
    stepped
}

/// Reads kept values from their cells, and computes the others again.
impl Primals for ReverseWriter<'_> {
    fn primal(&self, builder: &mut Builder, operand: &Operand) -> Operand {
        let Operand::Value(value) = operand else { return operand.clone() };
        let decision = self.source.plan.storage.get(value).map(|decision| &decision.choice);
        match decision {
            Some(Storage::Argument) => self.params[value.0 as usize].clone(),
            Some(
                Storage::Keep
                | Storage::SaveOnOverwrite
                | Storage::Rerun
                | Storage::Invert { .. }
                | Storage::Uncompute { .. },
            ) => {
                let ty = self.source.function.value_type(*value).clone();
                load(builder, &self.cells.kept[value], ty)
            }
            Some(Storage::Recompute) => {
                self.compute_before(builder, *value);
                self.once((*value, None), || {
                    self.recompute(builder, *value, &|builder, _, x| self.primal(builder, x))
                })
            }
            // The checker has proved that whatever the reverse reads is stored.
            None => unreachable!("%{} is read in the reverse sweep and has no storage", value.0),
        }
    }

    fn shadow(&self, builder: &mut Builder, operand: &Operand, lane: u32) -> Operand {
        let null = Operand::Const(Constant::Null(Type::PTR));
        let value = match operand {
            Operand::Value(value) => value,
            Operand::Const(address) => return self.cells.globals.of(address, lane).cloned().unwrap_or(null),
        };
        match self.source.plan.shadows.get(value).map(|decision| &decision.choice) {
            Some(Storage::Argument) => match self.cells.stack_shadows.get(&(*value, lane)) {
                Some(slot) => slot.clone(),
                None => {
                    let slot = Slot::Shadow { param: value.0 as usize, lane };
                    slot_operand(self.source, builder, slot).unwrap_or(null)
                }
            },
            Some(
                Storage::Keep
                | Storage::SaveOnOverwrite
                | Storage::Rerun
                | Storage::Invert { .. }
                | Storage::Uncompute { .. },
            ) => load(builder, &self.cells.kept_shadows[&(*value, lane)], Type::PTR),
            Some(Storage::Recompute) => {
                self.once((*value, Some(lane)), || self.compute_shadow(builder, *value, lane))
            }
            // A pointer without a shadow beside one that has: null on one arm of a select.
            None => null,
        }
    }
}

pub type OperandReader<'a> = dyn Fn(&mut Builder, usize, &Operand) -> Operand + 'a;

impl ReverseWriter<'_> {
    /// The instruction once more, on operands that are at hand here.
    pub fn recompute(&self, builder: &mut Builder, value: ValueId, read: &OperandReader) -> Operand {
        let Some(inst) = self.source.function.inst(value) else {
            unreachable!("only instructions are computed again")
        };
        if let Op::Attach(_) = inst.op {
            return read(builder, 0, &inst.operands[0]);
        }
        let operands = inst.operands.iter().enumerate().map(|(index, x)| read(builder, index, x)).collect();
        builder.push_inst(Inst { operands, origin: Some(value), ..inst.clone() })
    }

    /// Computes again what a value is computed again from, in the order in which it is asked for. Chains may be longer than the
    /// stack of whoever goes down them is deep.
    fn compute_before(&self, builder: &mut Builder, value: ValueId) {
        let known = |id: ValueId| self.again.borrow().contains_key(&(id, None));
        let mut waiting = vec![(value, false)];
        while let Some((id, is_ready)) = waiting.pop() {
            match is_ready {
                _ if known(id) => {}
                true if id != value => drop(self.primal(builder, &Operand::Value(id))),
                true => {}
                false => {
                    waiting.push((id, true));
                    let missing = self.computed_from(id).into_iter().filter(|id| !known(*id)).rev();
                    waiting.extend(missing.map(|id| (id, false)));
                }
            }
        }
    }

    /// The operands of a value that are computed again with it.
    fn computed_from(&self, value: ValueId) -> Vec<ValueId> {
        let Some(inst) = self.source.function.inst(value) else { return Vec::new() };
        let read = if let Op::Attach(_) = inst.op { &inst.operands[..1] } else { &inst.operands };
        let stored = |id: &ValueId| self.source.plan.storage.get(id).map(|decision| &decision.choice);
        let again = |id: &ValueId| stored(id) == Some(&Storage::Recompute);
        read.iter().filter_map(Operand::value).filter(again).collect()
    }

    /// The shadow of a pointer, made like the pointer itself.
    fn compute_shadow(&self, builder: &mut Builder, value: ValueId, lane: u32) -> Operand {
        let inst = self.source.function.inst(value);
        if let Some(inst) = inst.filter(|inst| matches!(inst.op, Op::Load(_))) {
            let place = self.shadow(builder, &inst.operands[0], lane);
            return load_like(builder, &inst.op, &place, &inst.ty);
        }
        if let Some(inst) = inst.filter(|inst| is_thread_address(inst)) {
            return self.shadow(builder, &inst.operands[0], lane);
        }
        let select = inst.is_some_and(|inst| inst.op == Op::Select);
        self.recompute(builder, value, &|builder, index, x| {
            let pointer = if select { index > 0 } else { index == 0 };
            if pointer { self.shadow(builder, x, lane) } else { self.primal(builder, x) }
        })
    }

    fn once(&self, key: (ValueId, Option<u32>), compute: impl FnOnce() -> Operand) -> Operand {
        if let Some(known) = self.again.borrow().get(&key) {
            return known.clone();
        }
        let value = compute();
        self.again.borrow_mut().insert(key, value.clone());
        value
    }

    /// Writes the sweep from the builder's place to `finish`.
    pub fn write(&self, builder: &mut Builder, finish: BlockId) {
        let reversed = self.returning_cone();
        let blocks: BTreeMap<BlockId, BlockId> = reversed
            .iter()
            .map(|block| (*block, builder.add_block(format!("reverse.{}", self.label(*block)))))
            .collect();
        let returns = returning_blocks(self.source.function, self.flow);
        match returns.as_slice() {
            [] => {
                // The function never returns, so neither does this place come to be.
                builder.push(Op::Unreachable, Type::Void, Vec::new());
            }
            [only] => {
                builder.push(Op::Br { to: blocks[only] }, Type::Void, Vec::new());
            }
            several => self.dispatch(builder, EXIT, None, several, &|from| blocks[&from]),
        }
        for block in &reversed {
            builder.move_to(blocks[block]);
            self.write_block(builder, *block, &blocks, finish);
        }
        write_turns(self, builder, &blocks);
    }

    /// Blocks from which a return can be reached: only those ran when the reverse sweep begins.
    fn returning_cone(&self) -> Vec<BlockId> {
        let cone = self.flow.leading_to(returning_blocks(self.source.function, self.flow));
        cone.into_iter().filter(|block| self.flow.is_reachable(*block)).collect()
    }

    fn label(&self, block: BlockId) -> String {
        self.source.function.block(block).name.clone().unwrap_or_else(|| format!("b{}", block.0))
    }

    fn write_block(
        &self,
        builder: &mut Builder,
        block: BlockId,
        blocks: &BTreeMap<BlockId, BlockId>,
        finish: BlockId,
    ) {
        let adjoints = AdjointWriter { source: self.source, cells: self.cells, primals: self };
        self.again.borrow_mut().clear();
        drop_arrays(self.source, builder, self.cells, block);
        fetch_fresh(self.source, builder, self.cells, block);
        fetch_rows(self.source, builder, self.cells, block);
        fetch_rooms(self, builder, block);
        run_again(self, builder, block);
        self.cells.start_local(self.source, builder, block);
        for (id, inst) in insts_of(self.source.function, block).rev() {
            match inst.op {
                Op::Ret => self.seed_result(builder, &adjoints, inst.operands.first()),
                Op::Phi { .. } => {}
                _ if self.source.plan.calls.contains_key(&id) => adjoints.call_second_half(builder, id, inst),
                Op::Store(_) => {
                    self.put_back(builder, id, inst);
                    adjoints.reverse_store(builder, id, inst);
                }
                Op::Alloca(_) if self.source.plan.activity.is_remade(id) => {
                    adjoints.release_slot(builder, id)
                }
                Op::Load(_) if self.source.plan.activity.is_active(id) => {
                    adjoints.reverse_load(builder, id, inst)
                }
                Op::Call(_) if memory_call(inst).is_some() => adjoints.reverse_memory_call(builder, id, inst),
                _ if self.source.plan.activity.is_active(id) => adjoints.write_inst(builder, id, inst),
                _ => {}
            }
        }
        self.leave_block(builder, &adjoints, block, blocks, finish);
    }

    /// What a store has overwritten comes back; what was read before from there is not read anew by accident.
    fn put_back(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let (Some(cell), Op::Store(access)) = (self.cells.old.get(&id), &inst.op) else { return };
        let old = load(builder, cell, self.source.function.operand_type(&inst.operands[0]));
        let place = self.primal(builder, &inst.operands[1]);
        builder.push(Op::Store(access.clone()), Type::Void, vec![old, place]);
        self.again.borrow_mut().clear();
    }

    pub fn seed_result(&self, builder: &mut Builder, adjoints: &AdjointWriter, result: Option<&Operand>) {
        let Some(result) = result else { return };
        for (lane, seed) in (0..).zip(&self.seeds) {
            adjoints.add_to(builder, result, lane, seed.clone());
        }
    }

    /// Reads all phi adjoints before adding any: a phi may feed another across the edge.
    fn leave_block(
        &self,
        builder: &mut Builder,
        adjoints: &AdjointWriter,
        block: BlockId,
        blocks: &BTreeMap<BlockId, BlockId>,
        finish: BlockId,
    ) {
        let predecessors = self.left_for(block);
        let mut phis: Vec<(ValueId, Vec<Operand>)> = Vec::new();
        for (id, inst) in insts_of(self.source.function, block) {
            if matches!(inst.op, Op::Phi { .. }) && self.source.plan.activity.is_active(id) {
                let lanes = 0..self.source.plan.width();
                phis.push((id, lanes.map(|lane| adjoints.take_adjoint(builder, id, lane)).collect()));
            }
        }
        let recorded = pop_record(self.source, builder, self.cells, block);
        self.again.borrow_mut().clear();
        let here = builder.here();
        let mut edges = BTreeMap::new();
        for from in &predecessors {
            let edge = builder.add_block(format!("reverse.{}.to.{}", self.label(block), self.label(*from)));
            builder.move_to(edge);
            self.pass_phis(builder, adjoints, &phis, *from);
            pass_by(self, adjoints, builder, (block, *from), blocks);
            count_anew(self, builder, block, *from);
            take_back(self, builder, block, *from);
            find_mask(self, builder, block, *from);
            find_rows(self.source, builder, self.cells, block, *from);
            let to = self.way_back(block, *from, blocks);
            builder.push(Op::Br { to }, Type::Void, Vec::new());
            edges.insert(*from, edge);
        }
        builder.move_to(here);
        match predecessors.as_slice() {
            [] => {
                builder.push(Op::Br { to: finish }, Type::Void, Vec::new());
            }
            [only] => {
                builder.push(Op::Br { to: edges[only] }, Type::Void, Vec::new());
            }
            several => self.dispatch(builder, block, recorded, several, &|from| edges[&from]),
        }
    }

    /// The blocks for which the reverse of a block is left: where the passes of a loop were reversed before, not the last of it.
    fn left_for(&self, block: BlockId) -> Vec<BlockId> {
        let mut from = distinct_predecessors(self.flow, block);
        if let Some(fused) = self.source.plan.fused.get(&block) {
            from.retain(|from| *from != fused.latch);
        }
        from
    }

    /// Where a pass ends that is reversed as soon as it has run.
    fn turn_between(&self, block: BlockId, header: BlockId) -> Option<&Turn> {
        let fused = self.source.plan.fused.get(&header)?;
        fused.blocks.contains(&block).then(|| &self.turns[&header])
    }

    /// Where the reverse sweep goes from the reverse of a block to that of one before.
    pub fn way_back(&self, block: BlockId, from: BlockId, blocks: &BTreeMap<BlockId, BlockId>) -> BlockId {
        self.turn_between(block, from).map_or(blocks[&from], |turn| turn.back)
    }

    fn pass_phis(
        &self,
        builder: &mut Builder,
        adjoints: &AdjointWriter,
        phis: &[(ValueId, Vec<Operand>)],
        from: BlockId,
    ) {
        for (id, lanes) in phis {
            let Some(inst) = self.source.function.inst(*id) else { continue };
            let Op::Phi { from: blocks } = &inst.op else { continue };
            let Some(at) = blocks.iter().position(|block| *block == from) else { continue };
            builder.loc = inst.loc;
            builder.flags = super::derived_flags(inst.flags);
            for (lane, d) in (0..).zip(lanes) {
                adjoints.add_to(builder, &inst.operands[at], lane, d.clone());
            }
        }
    }

    /// Goes to the place of the predecessor that control came from.
    fn dispatch(
        &self,
        builder: &mut Builder,
        block: BlockId,
        recorded: Option<Operand>,
        predecessors: &[BlockId],
        place: &dyn Fn(BlockId) -> BlockId,
    ) {
        match self.source.plan.merges.get(&block).map(|decision| &decision.choice) {
            Some(Merge::Reevaluate { at, from }) => self.reevaluate(builder, *at, from, place),
            Some(Merge::Count { entry, latch }) => {
                let counter = &self.cells.counters[&block];
                let passes = load(builder, counter, Type::I64);
                let one = Operand::Const(Constant::int(64, 1));
                let fewer = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![passes, one]);
                store(builder, counter, fewer.clone());
                self.count_back(builder, block);
                let none = Operand::Const(Constant::int(64, 0));
                let first = builder.push(Op::ICmp(IntPredicate::Eq), Type::BOOL, vec![fewer.clone(), none]);
                let strip = self.source.plan.strips.get(&block);
                let no = match strip {
                    Some(_) => builder.add_block(format!("reverse.{}.strip", self.label(block))),
                    None => place(*latch),
                };
                builder.push(Op::CondBr { yes: place(*entry), no }, Type::Void, vec![first]);
                if let Some(strip) = strip {
                    builder.move_to(no);
                    run_strip(self, builder, block, strip, &fewer, place(*latch));
                }
            }
            _ => {
                let number = match recorded {
                    Some(number) => number,
                    None => load(builder, &self.cells.edges[&block], Type::I32),
                };
                let cases = (1..)
                    .zip(&predecessors[1..])
                    .map(|(number, from)| (Constant::int(32, number), place(*from)))
                    .collect();
                let switch = Op::Switch { cases, default: place(predecessors[0]) };
                builder.push(switch, Type::Void, vec![number]);
            }
        }
    }

    /// Takes back what the header of a loop added: in the reverse of a pass, the values of the pass before.
    fn count_back(&self, builder: &mut Builder, header: BlockId) {
        for value in self.stepped.get(&header).into_iter().flatten() {
            if let Storage::Invert { step, .. } = &self.source.plan.storage[value].choice {
                let cell = &self.cells.kept[value];
                let ty = self.source.function.value_type(*value).clone();
                let now = load(builder, cell, ty.clone());
                let recount = self.source.plan.recounts.get(&header);
                let forwards = recount.is_some_and(|recount| recount.order == Order::Forwards);
                let way = if forwards { IntOp::Add } else { IntOp::Sub };
                let next = builder.push(Op::Int(way), ty, vec![now, Operand::Const(step.clone())]);
                // Back where it was, it is a number that it was before; forwards it comes from before its start.
                let known = !forwards || starts_within(self.source.function, *value, step);
                if known && never_wraps(self.source.function, *value) {
                    builder.flag_last(Flags::NSW);
                }
                store(builder, cell, next);
            }
        }
    }

    /// Branches on the condition of the branch at the end of `at`, to the edges its successors lead to. A successor
    /// that never leads here shares the place of another.
    fn reevaluate(
        &self,
        builder: &mut Builder,
        at: BlockId,
        from: &[Option<BlockId>],
        place: &dyn Fn(BlockId) -> BlockId,
    ) {
        let Some(branch) = self.source.function.terminator(at).and_then(|id| self.source.function.inst(id))
        else {
            return;
        };
        let fallback = from.iter().flatten().next().copied().unwrap_or(at);
        let target = |index: usize| place(from[index].unwrap_or(fallback));
        let condition = self.primal(builder, &branch.operands[0]);
        let op = match &branch.op {
            Op::Switch { cases, .. } => Op::Switch {
                cases: cases
                    .iter()
                    .enumerate()
                    .map(|(index, (value, _))| (value.clone(), target(index + 1)))
                    .collect(),
                default: target(0),
            },
            _ => Op::CondBr { yes: target(0), no: target(1) },
        };
        builder.push(op, Type::Void, vec![condition]);
    }
}

/// Whether a counter starts from a small number, so that there is a number before it.
fn starts_within(function: &Function, counter: ValueId, step: &Constant) -> bool {
    let small = |number: &Constant| number.as_signed().is_some_and(|number| number.abs() < 1 << 16);
    let start = |x: &Operand| matches!(x, Operand::Const(start) if small(start));
    let wide = matches!(function.value_type(counter), Type::Int(bits) if *bits >= 32);
    wide && small(step) && function.inst(counter).is_some_and(|phi| phi.operands.iter().any(start))
}

/// Whether the addition by which a loop counts is known not to wrap.
fn never_wraps(function: &Function, counter: ValueId) -> bool {
    let Some(phi) = function.inst(counter) else { return false };
    let mut sources = phi.operands.iter().filter_map(Operand::value).filter_map(|id| function.inst(id));
    sources.any(|next| {
        matches!(next.op, Op::Int(IntOp::Add))
            && next.operands[0] == Operand::Value(counter)
            && next.flags.has(Flags::NSW)
    })
}
