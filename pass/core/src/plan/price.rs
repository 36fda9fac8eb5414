//! What a derivative costs, by its plan: bytes that are recorded and come back, and time of both sweeps.
//!
//! In the unit of [`effort_of`]. Only used to choose between plans for the same thing.

use std::collections::BTreeSet;

use super::depth::Depths;
use super::effort::{BYTE, effort_of, effort_of_function};
use super::runs::Runs;
use super::wait::Waits;
use super::{Plan, Storage};
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::meaning::{Meaning, meaning};
use crate::config::Switch;
use crate::derive::measure_record;
use crate::model::{BlockId, FloatOp, Function, Inst, Layout, Loop, Op, Operand, Program, ValueId};
use crate::preaccumulation::cost::Cost;
use crate::request::Mode;
use crate::rules::{BinaryOp, Expr, Rules};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// What goes on the tape, in bytes, where loops run as often as [`Runs`] says.
    pub bytes: u64,
    pub time: u64,
}

impl Price {
    pub fn of(plan: &Plan, function: &Function, program: &Program, rules: &Rules) -> Price {
        let flow = Flow::of(function);
        let layout = Layout::parse(&program.layout);
        let runs = Runs::of(function, &flow);
        let times = |block: BlockId| runs.of_block(block);
        let mut price = Price::default();
        for (block, items) in &plan.records {
            let bytes = measure_record(function, plan, &layout, Some(*block), items) + plan.row_bytes(*block);
            price.bytes += bytes * times(*block);
        }
        if plan.is_half() {
            price.bytes += kept_bytes(plan, function, &layout);
        }
        let constant = find_constant(function);
        let waits = Waits::of(plan, function, program, rules);
        let asked = Asked { plan, function, program, rules, constant, waits };
        for (id, block) in blocks_of_values(function) {
            if let Some(inst) = function.inst(id).filter(|_| flow.is_reachable(block)) {
                price.time += (asked.forward(id, inst) + asked.derivative(id, inst)) * times(block);
            }
        }
        for around in &function.loops {
            price.time += asked.idle_time(around) * times(around.header);
        }
        price
    }

    pub fn total(self) -> u64 {
        self.bytes * BYTE + self.time
    }
}

/// The blocks of loops whose reverse waits for the adjoints that they carry, and has nothing else to do.
pub fn find_waiting(plan: &Plan, function: &Function, program: &Program, rules: &Rules) -> BTreeSet<BlockId> {
    let waits = Waits::of(plan, function, program, rules);
    let asked = Asked { plan, function, program, rules, constant: BTreeSet::new(), waits };
    let waiting = function.loops.iter().filter(|around| asked.idle_time(around) > 0);
    waiting.flat_map(|around| around.blocks.iter().copied()).collect()
}

struct Asked<'a> {
    plan: &'a Plan,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    /// What follows from constants alone, which compilers compute.
    constant: BTreeSet<ValueId>,
    waits: Waits<'a>,
}

impl Asked<'_> {
    /// Where the forward sweep computes it, and where the reverse sweep does again.
    fn forward(&self, id: ValueId, inst: &Inst) -> u64 {
        let row = match meaning(inst, self.function, self.program, self.rules) {
            Meaning::Row { row, .. } => Some(row.name),
            _ => None,
        };
        let again = self.plan.storage.get(&id).is_some_and(|stored| stored.choice == Storage::Recompute);
        let runs = u64::from(!self.plan.omitted.contains_key(&id)) + u64::from(again);
        let time = match inst.op {
            Op::FCmp(_) | Op::Select => GUARD / 2,
            Op::Float(FloatOp::Div) => DIVISION,
            _ if self.constant.contains(&id) => 0,
            _ => effort_of(inst, row),
        };
        time * runs
    }

    /// How long the reverse of one pass of a loop waits: for what the pass before hands on, or for its own steps.
    fn idle_time(&self, around: &Loop) -> u64 {
        if self.plan.request.mode != Mode::Gradient {
            return 0;
        }
        // What is handed on from pass to pass is what they wait for, if anything is.
        match self.waits.of_pass(around) {
            0 => self.stretch(around),
            wait => {
                let back: u64 = around.blocks.iter().map(|block| self.back_through(*block)).sum();
                wait.saturating_sub(back)
            }
        }
    }

    /// How much longer the passes of a loop that has no other in it take than their instructions.
    fn stretch(&self, around: &Loop) -> u64 {
        let Asked { plan, function, program, rules, ref waits, .. } = *self;
        if !function.is_innermost(around.header, |block| around.blocks.contains(block)) {
            return 0;
        }
        let depths = Depths { plan, function, program, rules, waits };
        let longer = |block: &BlockId| {
            let back = self.back_through(*block);
            depths.stretch(*block, back) - back
        };
        around.blocks.iter().map(longer).sum()
    }

    fn back_through(&self, block: BlockId) -> u64 {
        let insts = self.function.block(block).insts.iter();
        insts.filter_map(|id| Some(self.backward(*id, self.function.inst(*id)?))).sum()
    }

    /// What the reverse sweep computes.
    fn backward(&self, id: ValueId, inst: &Inst) -> u64 {
        let once = u64::from(!self.plan.omitted.contains_key(&id));
        let again = self.plan.storage.get(&id).is_some_and(|stored| stored.choice == Storage::Recompute);
        let both = once + u64::from(again);
        self.derivative(id, inst) + if again { self.forward(id, inst) / both } else { 0 }
    }

    /// What holds the derivative is computed in each direction, the rest once.
    fn derivative(&self, id: ValueId, inst: &Inst) -> u64 {
        let activity = &self.plan.activity;
        let meaning = meaning(inst, self.function, self.program, self.rules);
        let Meaning::Row { row, operands, .. } = meaning else { return 0 };
        if !activity.is_active(id) {
            return 0;
        }
        let width = u64::from(self.plan.width());
        let (mut once, mut each, mut divided, mut parts) = (0, 0, 0, 0u64);
        for i in (0..row.operands.len()).filter(|i| activity.is_operand_active(&operands[*i])) {
            for form in (0..row.results.len()).map(|k| row.form(k, i)).filter(|form| !form.is_zero()) {
                parts += 1;
                each += if row.is_singular() { GUARD } else { 0 };
                form.visit(&mut |expr| {
                    let time = own_time(expr);
                    *match expr {
                        _ if !expr.mentions_d() => &mut once,
                        Expr::Binary(BinaryOp::Div, ..) => &mut divided,
                        _ => &mut each,
                    } += time;
                });
            }
        }
        // Tangents are added up where there are two; adjoints are added to what they are of.
        let sums = if self.plan.request.mode == Mode::Tangent { parts.saturating_sub(1) } else { parts };
        let lanes = if self.plan.abreast == Switch::On { LANES } else { 1 };
        // A vector is divided as slowly as its numbers one after the other.
        once + divided * width + ((each + sums) * width).div_ceil(lanes)
    }
}

/// What one half leaves for the other in its cells.
fn kept_bytes(plan: &Plan, function: &Function, layout: &Layout) -> u64 {
    let is_kept = |stored: &Storage| matches!(stored, Storage::Keep | Storage::SaveOnOverwrite);
    let kept = plan.storage.iter().filter(|(_, stored)| is_kept(&stored.choice));
    kept.map(|(value, _)| layout.size_of(function.value_type(*value)).unwrap_or(0)).sum()
}

fn find_constant(function: &Function) -> BTreeSet<ValueId> {
    let mut constant = BTreeSet::new();
    for (id, _) in blocks_of_values(function) {
        let Some(inst) = function.inst(id) else { continue };
        let known = |operand: &Operand| operand.value().is_none_or(|value| constant.contains(&value));
        if matches!(inst.op, Op::Float(_) | Op::FNeg) && inst.operands.iter().all(known) {
            constant.insert(id);
        }
    }
    constant
}

fn own_time(expr: &Expr) -> u64 {
    match expr {
        Expr::Binary(BinaryOp::Div, ..) => DIVISION,
        Expr::Binary(..) => 1,
        Expr::Call(name, _) => effort_of_function(name),
        Expr::If { .. } => GUARD,
        Expr::X(_) | Expr::Y(_) | Expr::D(_) | Expr::Number(_) | Expr::Named(_) => 0,
        Expr::Neg(_) | Expr::Real(_) | Expr::Convert(_) => 0,
    }
}

/// The same of what an elimination writes.
pub fn weigh(cost: Cost) -> u64 {
    cost.multiplications
        + 2 * cost.fused
        + cost.additions
        + cost.guards * GUARD
        + cost.divisions * DIVISION
        + cost.calls * CALL
}

/// Directions that are computed at a time where all are computed abreast, on whatever machine.
const LANES: u64 = 2;

/// A comparison and a choice, which only one part of a processor does.
const GUARD: u64 = 4;

/// Beside other work, which goes on.
const DIVISION: u64 = 4;
const CALL: u64 = 80;
