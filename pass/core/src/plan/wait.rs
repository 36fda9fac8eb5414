//! How long the reverse of a pass waits for the adjoints that the loop carries.
//!
//! What goes from pass to pass and into itself again, as the state of an integrator, is known one pass after the other: each
//! multiplication on the way is waited for, while a processor does others beside it. A loop takes at least that long,
//! however little there is to compute. Partials wait for nobody, so a local Jacobian shortens the way to one product.
//!
//! Lattice: the longest way from a carried number, in the unit of [`super::effort::effort_of`]; joined by the longer.
//! Through memory a loop carries what one pass stores and the next one loads, as a solver of triangular equations does; only such
//! loads are seen. Safe error: any (costs time, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::Plan;
use crate::analyses::meaning::{Meaning, meaning, place_in_row};
use crate::dependence::access::collect_accesses;
use crate::dependence::finding::{Kind, test_pair};
use crate::dependence::nesting::Nesting;
use crate::model::{BlockId, Function, Inst, Loop, Op, Operand, Program, ValueId};
use crate::request::Mode;
use crate::rules::{BinaryOp, Expr, Rules};

/// Four turns of a processor's clock: so long a product, or a sum, is waited for.
pub const STEP: u64 = 16;
/// The same for a quotient, a comparison with the choice by it, and a function.
pub const DIVISION: u64 = 52;
pub const CHOICE: u64 = 24;
pub const CALL: u64 = 160;

/// A loop that carries more numbers than this is not followed.
const MOST_CARRIED: usize = 12;

/// Pairs of accesses of larger functions are not tested, nor are more pairs.
const LARGEST: usize = 600;
const MOST_TESTED: usize = 24;

pub struct Waits<'a> {
    plan: &'a Plan,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    /// For each load, the stores of which it finds what the pass before has stored.
    handed_on: Vec<(ValueId, ValueId)>,
    /// Of how many adjoints that of each value is the sum.
    users: BTreeMap<ValueId, usize>,
}

impl<'a> Waits<'a> {
    pub fn of(plan: &'a Plan, function: &'a Function, program: &'a Program, rules: &'a Rules) -> Waits<'a> {
        let users = count_users(plan, function);
        let mut waits = Waits { plan, function, program, rules, handed_on: Vec::new(), users };
        if plan.request.mode == Mode::Gradient && function.insts.len() <= LARGEST {
            waits.handed_on = find_handed_on(program, function);
        }
        waits
    }

    /// The longest wait in one pass of a loop that has no other in it.
    pub fn of_pass(&self, around: &Loop) -> u64 {
        let blocks: BTreeSet<BlockId> = around.blocks.iter().copied().collect();
        if !self.function.is_innermost(around.header, |block| blocks.contains(block)) {
            return 0;
        }
        let carried = self.find_carried(around.header, &blocks);
        if carried.is_empty() || carried.len() > MOST_CARRIED {
            return 0;
        }
        let ways: Vec<BTreeMap<ValueId, u64>> =
            carried.iter().map(|(from, _)| self.measure_ways(*from, around.header, &blocks)).collect();
        let step = |from: usize, to: usize| carried[to].1.and_then(|last| ways[from].get(&last).copied());
        let reached = reach(carried.len(), &|from, to| step(from, to).is_some());
        let pairs = (0..carried.len()).flat_map(|from| (0..carried.len()).map(move |to| (from, to)));
        pairs
            .filter(|(from, to)| reached[*to][*from])
            .filter_map(|(from, to)| step(from, to))
            .max()
            .unwrap_or(0)
    }

    /// The active numbers that a header carries, each with what the next pass is handed.
    fn find_carried(&self, header: BlockId, blocks: &BTreeSet<BlockId>) -> Vec<(ValueId, Option<ValueId>)> {
        let phis =
            self.function.block(header).insts.iter().filter_map(|id| Some((*id, self.function.inst(*id)?)));
        let mut found: Vec<_> = phis
            .filter_map(|(id, inst)| {
                let Op::Phi { from } = &inst.op else { return None };
                let last = from.iter().position(|block| blocks.contains(block))?;
                let counts = inst.ty.holds_float() && self.plan.activity.is_active(id);
                counts.then(|| (id, inst.operands[last].value()))
            })
            .collect();
        let home = |id: &ValueId| blocks.iter().any(|block| self.function.block(*block).insts.contains(id));
        for (load, store) in self.handed_on.iter().filter(|(load, store)| home(load) && home(store)) {
            let stored = self.function.inst(*store).and_then(|inst| inst.operands[0].value());
            if self.plan.activity.is_active(*load)
                && stored.is_some_and(|stored| self.plan.activity.is_active(stored))
            {
                found.push((*load, stored));
            }
        }
        found
    }

    /// The longest way of an adjoint from each value of a loop back to a carried number.
    fn measure_ways(
        &self,
        carried: ValueId,
        header: BlockId,
        blocks: &BTreeSet<BlockId>,
    ) -> BTreeMap<ValueId, u64> {
        let mut ways = BTreeMap::from([(carried, 0)]);
        // Where control goes round in yet another way, there is no longest way.
        for _ in 0..=blocks.len() {
            let mut changed = false;
            for block in blocks {
                for id in &self.function.block(*block).insts {
                    let Some(inst) = self.function.inst(*id) else { continue };
                    // What the header hands on begins a pass.
                    let begins = matches!(inst.op, Op::Phi { .. }) && *block == header;
                    if begins || !self.plan.activity.is_active(*id) {
                        continue;
                    }
                    let steps = (0..inst.operands.len()).filter_map(|at| {
                        let way = ways.get(&inst.operands[at].value()?)?;
                        Some(way + self.measure_step(inst, at))
                    });
                    let longest = steps.max();
                    if longest.is_some() && ways.get(id).copied() < longest {
                        changed = true;
                        ways.extend(longest.map(|way| (*id, way)));
                    }
                }
            }
            if !changed {
                break;
            }
        }
        ways
    }

    /// What the adjoint of an operand waits for, once that of the result is known.
    pub fn measure_step(&self, inst: &Inst, at: usize) -> u64 {
        let Meaning::Row { row, operands, .. } = meaning(inst, self.function, self.program, self.rules)
        else {
            return if matches!(inst.op, Op::Select) { CHOICE } else { 0 };
        };
        let Some(i) = place_in_row(row, &operands, &inst.operands[at]) else { return 0 };
        let guard = if row.is_singular() { CHOICE } else { 0 };
        let mut wait = guard;
        for form in (0..row.results.len()).map(|k| row.form(k, i)) {
            form.visit(&mut |expr| {
                if expr.mentions_d() {
                    wait += match expr {
                        Expr::Binary(BinaryOp::Div, ..) => DIVISION,
                        Expr::Binary(..) => STEP,
                        Expr::Call(..) => CALL,
                        Expr::If { .. } => CHOICE,
                        _ => 0,
                    };
                }
            });
        }
        let users = inst.operands[at].value().and_then(|value| self.users.get(&value));
        let shared = users.is_some_and(|count| *count > 1);
        wait + if shared { STEP } else { 0 }
    }
}

/// How many active instructions use each value.
fn count_users(plan: &Plan, function: &Function) -> BTreeMap<ValueId, usize> {
    let mut users = BTreeMap::new();
    for inst in
        function.inst_ids().filter(|id| plan.activity.is_active(*id)).filter_map(|id| function.inst(id))
    {
        let used: BTreeSet<ValueId> = inst.operands.iter().filter_map(Operand::value).collect();
        used.into_iter().for_each(|value| *users.entry(value).or_insert(0) += 1);
    }
    users
}

/// Loads of what the pass before has stored, with the stores.
fn find_handed_on(program: &Program, function: &Function) -> Vec<(ValueId, ValueId)> {
    let likely = find_likely(function);
    if likely.is_empty() || likely.len() > MOST_TESTED {
        return Vec::new();
    }
    let nesting = Nesting::of(program, function);
    let accesses = collect_accesses(&nesting);
    let place = |id: ValueId| accesses.list.iter().position(|access| access.inst == id);
    let is_next = |(load, store): &(ValueId, ValueId)| {
        let (Some(load), Some(store)) = (place(*load), place(*store)) else { return false };
        let stands = |at: usize| (nesting.position(accesses.list[at].block), accesses.list[at].inst);
        let (first, second) = if stands(store) < stands(load) { (store, load) } else { (load, store) };
        let pair = test_pair(program, &nesting, &accesses, first, second);
        pair.edges.iter().any(|edge| {
            let inner = pair.common.len().checked_sub(1);
            let distance = inner.and_then(|level| edge.vector.distances.get(level).copied().flatten());
            edge.from == store && edge.kind == Kind::Flow && distance == Some(1)
        })
    };
    likely.into_iter().filter(is_next).collect()
}

/// The loads and stores of numbers that step on from the same address, in loops that have no other in them.
fn find_likely(function: &Function) -> Vec<(ValueId, ValueId)> {
    let mut likely = Vec::new();
    for around in &function.loops {
        if !function.is_innermost(around.header, |block| around.blocks.contains(block)) {
            continue;
        }
        let insts = around.blocks.iter().flat_map(|block| &function.block(*block).insts);
        let insts: Vec<(ValueId, &Inst)> = insts.filter_map(|id| Some((*id, function.inst(*id)?))).collect();
        let base = |pointer: &Operand| {
            let inst = function.inst(pointer.value()?)?;
            matches!(inst.op, Op::Gep(_)).then(|| inst.operands[0].clone())
        };
        for (load, read) in
            insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Load(_)) && inst.ty.holds_float())
        {
            let from = base(&read.operands[0]);
            let meets = |inst: &Inst| matches!(inst.op, Op::Store(_)) && base(&inst.operands[1]) == from;
            let stores = insts.iter().filter(|(_, inst)| from.is_some() && meets(inst));
            likely.extend(stores.map(|(store, _)| (*load, *store)));
        }
    }
    likely
}

/// Which of so many can be come to from which, by at least one step.
fn reach(count: usize, steps: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
    let mut reached: Vec<Vec<bool>> =
        (0..count).map(|from| (0..count).map(|to| steps(from, to)).collect()).collect();
    for by in 0..count {
        for from in 0..count {
            for to in 0..count {
                reached[from][to] |= reached[from][by] && reached[by][to];
            }
        }
    }
    reached
}
