//! What a derivative costs, by its plan: bytes that are recorded and come back, and time of both sweeps.
//!
//! In the unit of [`effort_of`]. Only used to choose between plans for the same thing.

use std::collections::BTreeSet;

use super::depth::Depths;
use super::effort::{BYTE, effort_of, effort_of_function};
use super::machine::Machine;
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
use crate::rules::{BinaryOp, Expr, Row, Rules};

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
            Op::Float(FloatOp::Div) => self.division(),
            _ if self.constant.contains(&id) => 0,
            Op::Call(_) => self.call(effort_of(inst, row)),
            // Products are taken away as well as added.
            Op::FNeg if self.is_tangent() && Machine::of(&self.function.attributes).fuses => 0,
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

    fn derivative(&self, id: ValueId, inst: &Inst) -> u64 {
        let meaning = meaning(inst, self.function, self.program, self.rules);
        let Meaning::Row { row, operands, .. } = meaning else { return 0 };
        if !self.plan.activity.is_active(id) {
            return 0;
        }
        let work = self.work_of(row, &operands);
        if self.is_tangent() { self.time_of_tangents(&work) } else { self.time_of_adjoints(&work) }
    }

    /// What holds the derivative is computed in each direction, the rest once.
    fn work_of(&self, row: &Row, operands: &[Operand]) -> Work {
        let active = |i: &usize| self.plan.activity.is_operand_active(&operands[*i]);
        let mut work = Work::default();
        for i in (0..row.operands.len()).filter(active) {
            for form in (0..row.results.len()).map(|k| row.form(k, i)).filter(|form| !form.is_zero()) {
                work.parts += 1;
                // A derivative that goes on as it is needs no guard.
                work.guards += u64::from(row.is_singular() && !matches!(form, Expr::D(_)));
                form.visit(&mut |expr| match expr {
                    _ if !expr.mentions_d() => work.once += self.own_time(expr),
                    Expr::Binary(BinaryOp::Div, ..) => work.divisions += 1,
                    Expr::Binary(BinaryOp::Mul, ..) => work.products += 1,
                    _ => work.others += self.own_time(expr),
                });
            }
        }
        work
    }

    /// They are added to what they are of.
    fn time_of_adjoints(&self, work: &Work) -> u64 {
        let Work { once, guards, divisions, products, others, parts } = *work;
        let each = guards * GUARD + divisions * DIVISION + products + others + parts;
        once + each * u64::from(self.plan.width())
    }

    /// They are added up where there are two, which many processors do with the product.
    fn time_of_tangents(&self, work: &Work) -> u64 {
        let Work { once, guards, divisions, products, others, parts } = *work;
        let width = u64::from(self.plan.width());
        let machine = Machine::of(&self.function.attributes);
        let sums = if machine.fuses && products > 0 { 0 } else { parts.saturating_sub(1) };
        let each = guards * GUARD + products + others + sums;
        match self.plan.abreast {
            Switch::On => {
                once + divisions * DIVIDED * width.div_ceil(AT_ONCE) + each * machine.instructions(width)
            }
            Switch::Off => once + (divisions * DIVIDED + each) * width,
        }
    }

    fn own_time(&self, expr: &Expr) -> u64 {
        match expr {
            Expr::Binary(BinaryOp::Div, ..) => self.division(),
            Expr::Binary(..) => 1,
            Expr::Call(name, _) => self.call(effort_of_function(name)),
            Expr::If { .. } => GUARD,
            Expr::X(_) | Expr::Y(_) | Expr::D(_) | Expr::Number(_) | Expr::Named(_) => 0,
            Expr::Neg(_) | Expr::Real(_) | Expr::Convert(_) => 0,
        }
    }

    fn is_tangent(&self) -> bool {
        self.plan.request.mode == Mode::Tangent
    }

    fn division(&self) -> u64 {
        if self.is_tangent() { DIVIDED } else { DIVISION }
    }

    /// [`effort_of`] takes it that LLVM makes vectors of what is not called. It makes none of the passes where tangents stand abreast,
    /// so that the same function takes the time of fewer instructions.
    fn call(&self, effort: u64) -> u64 {
        if self.is_tangent() { effort.div_ceil(BESIDE_TANGENTS) } else { effort }
    }
}

/// What the derivative of one instruction takes: operations on derivatives, and the time of the others.
#[derive(Default)]
struct Work {
    once: u64,
    guards: u64,
    divisions: u64,
    products: u64,
    others: u64,
    /// How many derivatives are summed up.
    parts: u64,
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

/// The same of what an elimination writes.
pub fn weigh(cost: Cost) -> u64 {
    cost.multiplications
        + 2 * cost.fused
        + cost.additions
        + cost.guards * GUARD
        + cost.divisions * DIVISION
        + cost.calls * CALL
}

/// A comparison and a choice, which only one part of a processor does.
const GUARD: u64 = 4;

/// Beside other work, which goes on.
const DIVISION: u64 = 4;
const CALL: u64 = 80;

/// Where many follow each other, as they do in tangents: one divider does them all, so many numbers at a time.
const DIVIDED: u64 = 8;
const AT_ONCE: u64 = 2;

/// See [`Asked::call`].
const BESIDE_TANGENTS: u64 = 3;
