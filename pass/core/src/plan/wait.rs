//! How long the reverse of a pass waits for the adjoints that the loop carries.
//!
//! What goes from pass to pass and into itself again, as the state of an integrator, is known one pass after the other: each
//! multiplication on the way is waited for, while a processor does others beside it. A loop takes at least that long,
//! however little there is to compute. Partials wait for nobody, so a local Jacobian shortens the way to one product.
//!
//! Lattice: the longest way from a carried number, in the unit of [`super::effort::effort_of`]; joined by the longer.
//! What is carried through memory is not seen. Safe error: any (costs time, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::Plan;
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{BlockId, Function, Inst, Loop, Op, Operand, Program, ValueId};
use crate::rules::{BinaryOp, Expr, Rules};

/// Four turns of a processor's clock: so long a product, or a sum, is waited for.
const STEP: u64 = 16;
/// The same for a quotient, a choice, and a function.
const DIVISION: u64 = 52;
const CHOICE: u64 = 8;
const CALL: u64 = 160;

/// A loop that carries more numbers than this is not followed.
const MOST_CARRIED: usize = 12;

pub struct Waits<'a> {
    pub plan: &'a Plan,
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
}

impl Waits<'_> {
    /// The longest wait in one pass of a loop that has no other in it.
    pub fn of_pass(&self, around: &Loop) -> u64 {
        let blocks: BTreeSet<BlockId> = around.blocks.iter().copied().collect();
        let inner = |other: &Loop| other.header != around.header && blocks.contains(&other.header);
        if self.function.loops.iter().any(inner) {
            return 0;
        }
        let carried = self.find_carried(around.header, &blocks);
        if carried.is_empty() || carried.len() > MOST_CARRIED {
            return 0;
        }
        let ways: Vec<BTreeMap<ValueId, u64>> =
            carried.iter().map(|(phi, _)| self.measure_ways(*phi, &blocks)).collect();
        let step = |from: usize, to: usize| carried[to].1.and_then(|last| ways[from].get(&last).copied());
        let reached = reach(carried.len(), &|from, to| step(from, to).is_some());
        let pairs = (0..carried.len()).flat_map(|from| (0..carried.len()).map(move |to| (from, to)));
        pairs.filter(|(from, to)| reached[*to][*from]).filter_map(|(from, to)| step(from, to)).max().unwrap_or(0)
    }

    /// The active numbers that a header carries, each with what the next pass is handed.
    fn find_carried(&self, header: BlockId, blocks: &BTreeSet<BlockId>) -> Vec<(ValueId, Option<ValueId>)> {
        let phis = self.function.block(header).insts.iter().filter_map(|id| Some((*id, self.function.inst(*id)?)));
        let carried = phis.filter_map(|(id, inst)| {
            let Op::Phi { from } = &inst.op else { return None };
            let last = from.iter().position(|block| blocks.contains(block))?;
            let counts = inst.ty.holds_float() && self.plan.activity.is_active(id);
            counts.then(|| (id, inst.operands[last].value()))
        });
        carried.collect()
    }

    /// The longest way of an adjoint from each value of a loop back to a carried number.
    fn measure_ways(&self, phi: ValueId, blocks: &BTreeSet<BlockId>) -> BTreeMap<ValueId, u64> {
        let mut ways = BTreeMap::from([(phi, 0)]);
        let header = blocks.iter().find(|block| self.function.block(**block).insts.contains(&phi)).copied();
        loop {
            let mut changed = false;
            for block in blocks {
                for id in &self.function.block(*block).insts {
                    let Some(inst) = self.function.inst(*id) else { continue };
                    // What the header hands on begins a pass.
                    let begins = matches!(inst.op, Op::Phi { .. }) && Some(*block) == header;
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
                return ways;
            }
        }
    }

    /// What the adjoint of an operand waits for, once that of the result is known.
    fn measure_step(&self, inst: &Inst, at: usize) -> u64 {
        let Meaning::Row { row, operands, .. } = meaning(inst, self.function, self.program, self.rules) else {
            return if matches!(inst.op, Op::Select) { CHOICE } else { 0 };
        };
        let Some(i) = operands.iter().position(|operand| *operand == inst.operands[at]) else { return 0 };
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
        let shared = self.count_users(&inst.operands[at]) > 1;
        wait + if shared { STEP } else { 0 }
    }

    /// How many adjoints that of a value is the sum of.
    fn count_users(&self, operand: &Operand) -> usize {
        let uses = |inst: &Inst| inst.operands.contains(operand);
        let active = |id: &ValueId| self.plan.activity.is_active(*id) && self.function.inst(*id).is_some_and(uses);
        self.function.inst_ids().filter(active).take(2).count()
    }
}

/// Which of so many can be come to from which, by at least one step.
fn reach(count: usize, steps: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
    let mut reached: Vec<Vec<bool>> = (0..count).map(|from| (0..count).map(|to| steps(from, to)).collect()).collect();
    for by in 0..count {
        for from in 0..count {
            for to in 0..count {
                reached[from][to] |= reached[from][by] && reached[by][to];
            }
        }
    }
    reached
}
