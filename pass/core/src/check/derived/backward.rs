//! The reverse sweep: walked against the primal, block after block, along the edges that the plan names.

use std::collections::{BTreeMap, BTreeSet};

use super::Derivative;
use super::cells::Cell;
use super::events::{Event, is_zero};
use crate::check::Obligation::{Adjoints, Backward};
use crate::check::role::{Role, role_of};
use crate::model::{BlockId, CastOp, Constant, Inst, IntOp, IntPredicate, Op, Operand, Type, ValueId};
use crate::plan::{EXIT, Item, Merge, Slot};
use crate::request::Mode;
use crate::rules::OperandKind;

/// The calls that lay a record on the tape and take it back.
pub const PUSH: &str = "backsweep.push";
pub const POP: &str = "backsweep.pop";

impl Derivative<'_> {
    pub fn check_backward(&mut self) {
        let start = if self.plan.request.mode == Mode::Reverse { Some(BlockId(0)) } else { self.seam };
        let Some(start) = start else { return };
        let mut arrivals = self.paths.arrivals().clone();
        arrivals.insert(EXIT, self.paths.returns().iter().copied().collect());
        let mut reversed: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        let mut waiting: Vec<(BlockId, BlockId)> = self.follow(EXIT, start, &arrivals);
        while let Some((block, reverse)) = waiting.pop() {
            match reversed.insert(block, reverse) {
                Some(before) if before == reverse => continue,
                Some(_) => self.report(Backward, format!("^{} is reversed in two places", block.0)),
                None => {}
            }
            let taken = self.check_block(block, reverse);
            self.check_balance(block, reverse);
            self.check_restores(block, reverse);
            for (from, edge) in self.follow(block, reverse, &arrivals) {
                self.check_edge_adds(block, from, edge, &taken);
                match self.terminator(edge).map(|inst| &inst.op) {
                    Some(Op::Br { to }) => waiting.push((from, *to)),
                    _ => self
                        .report(Backward, format!("^{} does not lead to the reverse of ^{}", edge.0, from.0)),
                }
            }
        }
        if reversed.keys().copied().collect::<BTreeSet<_>>() != self.paths.returning() {
            self.report(Backward, "the blocks reversed are not those that can have run");
        }
        let finish =
            reversed.get(&BlockId(0)).and_then(|entry| self.derived.successors(*entry).first().copied());
        if let Some(finish) = finish {
            self.check_ends(finish);
        }
        self.check_strays(&reversed);
    }

    /// Where control goes behind the reverse of a block, for each block that control may have come from.
    fn follow(
        &mut self,
        block: BlockId,
        at: BlockId,
        arrivals: &BTreeMap<BlockId, BTreeSet<BlockId>>,
    ) -> Vec<(BlockId, BlockId)> {
        let from: Vec<BlockId> = arrivals.get(&block).into_iter().flatten().copied().collect();
        let Some(end) = self.terminator(at) else { return Vec::new() };
        let places = end.op.successors();
        let merge = self.plan.merges.get(&block).map(|decision| &decision.choice);
        let edges = match (from.as_slice(), merge) {
            ([], _) => Some(Vec::new()),
            ([only], _) if matches!(end.op, Op::Br { .. }) => Some(vec![(*only, places[0])]),
            ([_], _) | (_, None) => None,
            (_, Some(Merge::Record { predecessors })) => self.follow_number(block, end, predecessors),
            (_, Some(Merge::Count { entry, latch })) => self.follow_count(block, end, *entry, *latch),
            (_, Some(Merge::Reevaluate { at, from })) => self.follow_branch(*at, end, from),
        };
        edges.unwrap_or_else(|| {
            self.report(Backward, format!("^{} does not go back by the planned edge, to {from:?}", at.0));
            Vec::new()
        })
    }

    /// A switch on the recorded number, whose default is number 0.
    fn follow_number(&self, block: BlockId, end: &Inst, from: &[BlockId]) -> Option<Vec<(BlockId, BlockId)>> {
        let Op::Switch { cases, default } = &end.op else { return None };
        let number = end.operands.first()?;
        let recorded = self.is_on_tape(block, Item::Edge) && self.is_from_record(number);
        (recorded || self.is_load_of(number, Cell::Edge(block))).then_some(())?;
        let mut edges = vec![(*from.first()?, *default)];
        for (number, block) in (0..).zip(from).skip(1) {
            let number = Constant::int(32, number);
            edges.push((*block, cases.iter().find(|(value, _)| *value == number)?.1));
        }
        (edges.len() == cases.len() + 1).then_some(edges)
    }

    /// A branch on the passes that are left: none means that the loop was entered.
    fn follow_count(
        &self,
        header: BlockId,
        end: &Inst,
        entry: BlockId,
        latch: BlockId,
    ) -> Option<Vec<(BlockId, BlockId)>> {
        let Op::CondBr { yes, no } = end.op else { return None };
        let test = self.derived.inst(end.operands.first()?.value()?)?;
        let fewer = self.derived.inst(test.operands.first()?.value()?)?;
        let counted = self.is_load_of(fewer.operands.first()?, Cell::Counter(header));
        let none = matches!(test.op, Op::ICmp(IntPredicate::Eq)) && is_zero(test.operands.get(1)?);
        let one = Operand::Const(Constant::int(64, 1));
        let less = matches!(fewer.op, Op::Int(IntOp::Sub)) && fewer.operands.get(1) == Some(&one);
        (counted && none && less).then_some(vec![(entry, yes), (latch, no)])
    }

    /// Whether an operand was read from the record that was just taken back, where truth values are whole bytes.
    pub fn is_from_record(&self, operand: &Operand) -> bool {
        let inst = |x: &Operand| self.derived.inst(x.value()?);
        let cut =
            inst(operand).filter(|cut| matches!(cut.op, Op::Cast(CastOp::Trunc)) && cut.ty == Type::BOOL);
        let whole = cut.map_or(operand, |cut| &cut.operands[0]);
        let load = inst(whole).filter(|load| matches!(load.op, Op::Load(_)));
        let place = load.and_then(|load| inst(load.operands.first()?));
        let record = place.and_then(|place| inst(place.operands.first()?));
        record.is_some_and(|record| record.callee_name() == Some(POP))
    }

    /// A block that lays a record forwards takes one back, and no other does.
    fn check_balance(&mut self, block: BlockId, reverse: BlockId) {
        let calls =
            |of: BlockId, name: &str| self.insts(of).filter(|(_, x)| x.callee_name() == Some(name)).count();
        let wanted = usize::from(self.plan.records.contains_key(&block));
        let pushed = self.blocks.get(&block).is_none_or(|copy| calls(*copy, PUSH) == wanted);
        if !pushed || calls(reverse, POP) != wanted {
            self.report(Backward, format!("^{} does not take back the record that it laid", block.0));
        }
    }

    /// The same branch on the same value, successor by successor.
    fn follow_branch(
        &self,
        at: BlockId,
        end: &Inst,
        from: &[Option<BlockId>],
    ) -> Option<Vec<(BlockId, BlockId)>> {
        let branch = self.function.terminator(at).and_then(|id| self.function.inst(id))?;
        let same = match (&branch.op, &end.op) {
            (Op::CondBr { .. }, Op::CondBr { .. }) => true,
            (Op::Switch { cases, .. }, Op::Switch { cases: again, .. }) => {
                cases.iter().map(|(value, _)| value).eq(again.iter().map(|(value, _)| value))
            }
            _ => false,
        };
        let on_same = self.is_primal(end.operands.first()?, branch.operands.first()?);
        let targets = end.op.successors();
        let edges = from.iter().zip(targets).filter_map(|(from, place)| Some(((*from)?, place)));
        (same && on_same).then(|| edges.collect())
    }

    /// The reverse of one block, and what it took of each phi: last to first, each adding to its operands only.
    fn check_block(&mut self, block: BlockId, reverse: BlockId) -> Vec<Event> {
        let events = self.find_events(reverse);
        let is_take = |event: &Event| matches!(event, Event::Take { .. });
        let (seeds, rest) = events.split_at(events.iter().position(is_take).unwrap_or(events.len()));
        self.check_seeds(block, seeds);
        let found: Vec<(ValueId, u32)> = rest
            .iter()
            .filter_map(|event| match event {
                Event::Take { value, lane, .. } => Some((*value, *lane)),
                Event::Add { .. } => None,
            })
            .collect();
        let expected = self.expected_takes(block);
        if found != expected {
            let message =
                format!("^{} takes adjoints of %{found:?} where %{expected:?} are to be taken", reverse.0);
            self.report(Backward, message.replace("ValueId", ""));
        }
        for segment in rest.chunk_by(|_, next| !is_take(next)) {
            self.check_adds(segment);
        }
        rest.iter().filter(|event| is_take(event)).cloned().collect()
    }

    fn expected_takes(&self, block: BlockId) -> Vec<(ValueId, u32)> {
        let active = self.function.block(block).insts.iter().filter(|id| self.plan.activity.is_active(**id));
        let (phis, rest): (Vec<ValueId>, Vec<ValueId>) = active.partition(|id| self.is_phi(**id));
        let order = rest.into_iter().rev().chain(phis);
        order.flat_map(|id| (0..self.plan.request.width).map(move |lane| (id, lane))).collect()
    }

    fn is_phi(&self, id: ValueId) -> bool {
        self.function.inst(id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. }))
    }

    /// The derivative of the result is added to the adjoint of what was returned, once in each direction.
    fn check_seeds(&mut self, block: BlockId, seeds: &[Event]) {
        let ret = self.function.terminator(block).and_then(|id| self.function.inst(id));
        let ret = ret.filter(|ret| matches!(ret.op, Op::Ret) && self.plan.request.active_return);
        let value = ret.and_then(|ret| ret.operands.first()?.value());
        let lanes =
            value.filter(|value| self.plan.activity.is_active(*value)).map_or(0, |_| self.plan.request.width);
        let right = seeds.len() == lanes as usize
            && (0..).zip(seeds).all(|(wanted, event)| match event {
                Event::Add { value: to, lane, sum } => {
                    Some(*to) == value && *lane == wanted && self.has_seed(sum, wanted)
                }
                Event::Take { .. } => false,
            });
        if !right {
            self.report(
                Adjoints,
                format!("the seeds are not added to the result in the reverse of ^{}", block.0),
            );
        }
    }

    fn has_seed(&self, sum: &Operand, lane: u32) -> bool {
        let given = self.plan.params.iter().position(|slot| *slot == Slot::Seed { lane });
        given.is_none_or(|at| self.depends(sum, ValueId(at as u32)))
    }

    /// What an instruction took is added to the adjoints of its operands, and of nothing else.
    fn check_adds(&mut self, segment: &[Event]) {
        let Some((Event::Take { value, lane, load }, adds)) = segment.split_first() else { return };
        let Some(inst) = self.function.inst(*value) else {
            return self.report(Adjoints, format!("the adjoint of %{} is taken and is a result", value.0));
        };
        let (may, must) = self.expected_adds(inst);
        let mut added = BTreeSet::new();
        for add in adds {
            let Event::Add { value: to, lane: into, sum } = add else { continue };
            let real = self.function.value_type(*to).is_real();
            if !may.contains(to) || into != lane || real && !self.depends(sum, *load) {
                let message = format!("the reverse of %{} adds to %{} what it did not take", value.0, to.0);
                self.report(Adjoints, message);
            }
            added.insert(*to);
        }
        for missing in must.difference(&added) {
            let message = format!("the reverse of %{} adds nothing to %{}", value.0, missing.0);
            self.report(Adjoints, message);
        }
    }

    /// The operands whose adjoints an instruction may add to, and those it has to. Phis add on the edges.
    fn expected_adds(&self, inst: &Inst) -> (BTreeSet<ValueId>, BTreeSet<ValueId>) {
        let active = |x: &Operand| x.value().filter(|value| self.plan.activity.is_active(*value));
        let operands = match role_of(inst, self.function, self.program, self.rules) {
            _ if matches!(inst.op, Op::Phi { .. }) => Vec::new(),
            Role::Row { row, operands, .. } => {
                let flows = |i: &usize| {
                    row.operands[*i] == OperandKind::Real
                        && (0..row.results.len()).any(|k| !row.form(k, *i).is_zero())
                };
                (0..row.operands.len()).filter(flows).filter_map(|i| active(&operands[i])).collect()
            }
            Role::Carry { moved, .. } => {
                moved.into_iter().filter_map(|at| active(&inst.operands[at])).collect()
            }
            Role::Memory | Role::Nothing | Role::Return | Role::Call | Role::Unknown { .. } => Vec::new(),
        };
        let may: BTreeSet<ValueId> = operands.into_iter().collect();
        // A shuffle may leave an operand out.
        let must = if matches!(inst.op, Op::ShuffleVector { .. }) { BTreeSet::new() } else { may.clone() };
        (may, must)
    }

    /// On the edge back to a block, each phi's adjoint goes to the operand that came from there.
    fn check_edge_adds(&mut self, block: BlockId, from: BlockId, edge: BlockId, taken: &[Event]) {
        let mut expected = Vec::new();
        for take in taken {
            let Event::Take { value, lane, load } = take else { continue };
            let Some(inst) = self.function.inst(*value) else { continue };
            let Op::Phi { from: blocks } = &inst.op else { continue };
            let operand =
                blocks.iter().position(|block| *block == from).and_then(|at| inst.operands[at].value());
            if let Some(to) = operand.filter(|to| self.plan.activity.is_active(*to)) {
                expected.push((to, *lane, *load));
            }
        }
        let events = self.find_events(edge);
        let right = events.len() == expected.len()
            && events.iter().zip(&expected).all(|(event, (to, into, load))| match event {
                Event::Add { value, lane, sum } => (value, lane) == (to, into) && self.depends(sum, *load),
                Event::Take { .. } => false,
            });
        if !right {
            let message =
                format!("the edge from ^{} back to ^{} does not pass on what phis took", block.0, from.0);
            self.report(Adjoints, message);
        }
    }
}
