//! How much longer the reverse of a pass takes than its instructions do, because each waits for the one before.
//!
//! A processor works at as many passes at a time as the instructions that it holds ([`HELD`]) make. While the longest way through a pass is
//! shorter than what it takes to work that off, nobody notices it; a longer one is what a pass takes. The adjoint of a result goes through
//! every step of the statement one after the other, a local Jacobian multiplies it once.
//!
//! Lattice: the time from the beginning of a pass, in the unit of [`super::effort::effort_of`]; joined by the later.
//! Safe error: any (costs time, never truth).

use std::collections::BTreeMap;

use super::wait::{CALL, CHOICE, DIVISION, STEP, Waits};
use super::{Plan, Storage};
use crate::analyses::meaning::{Meaning, meaning, place_in_row};
use crate::model::{BlockId, FloatOp, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::{BinaryOp, Expr, Rules};

/// The time in which a processor works off the arithmetic that waits in it: some hundred and sixty instructions.
const HELD: u64 = 192;

pub struct Depths<'a> {
    pub plan: &'a Plan,
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub waits: &'a Waits<'a>,
}

impl Depths<'_> {
    /// The time of the reverse of a block in a loop that has so many instructions.
    pub fn stretch(&self, block: BlockId, instructions: u64) -> u64 {
        let known = self.measure_known(block);
        let due = self.measure_due(block, &known);
        let longest = due.values().copied().max().unwrap_or(0) + STEP;
        instructions.max(instructions.saturating_mul(longest) / HELD)
    }

    /// When each number of a block is there that is computed again, or read.
    fn measure_known(&self, block: BlockId) -> BTreeMap<ValueId, u64> {
        let mut known = BTreeMap::new();
        for (id, inst) in self.insts_of(block) {
            let again = self.plan.storage.get(&id).is_some_and(|stored| stored.choice == Storage::Recompute);
            let begun = if again { latest(&known, inst.operands.iter()) } else { 0 };
            known.insert(id, begun + if again { self.step(inst) } else { STEP });
        }
        known
    }

    /// When the adjoint of each number of a block is known.
    fn measure_due(&self, block: BlockId, known: &BTreeMap<ValueId, u64>) -> BTreeMap<ValueId, u64> {
        let mut due: BTreeMap<ValueId, u64> = BTreeMap::new();
        let insts: Vec<(ValueId, &Inst)> = self.insts_of(block).collect();
        for (id, inst) in insts.into_iter().rev() {
            let own = due.get(&id).copied().unwrap_or(0);
            if matches!(inst.op, Op::Store(_)) {
                let read = latest(known, inst.operands[1..2].iter()) + STEP;
                self.put_off(&mut due, &inst.operands[0], read);
            } else if self.plan.activity.is_active(id) && !matches!(inst.op, Op::Load(_) | Op::Phi { .. }) {
                for at in 0..inst.operands.len() {
                    let when = own.max(self.partial(id, at, known)) + self.waits.measure_step(inst, at);
                    self.put_off(&mut due, &inst.operands[at], when);
                }
            }
        }
        due
    }

    fn put_off(&self, due: &mut BTreeMap<ValueId, u64>, operand: &Operand, when: u64) {
        let Some(value) = operand.value().filter(|value| self.plan.activity.is_active(*value)) else {
            return;
        };
        let known = due.entry(value).or_insert(0);
        *known = when.max(*known);
    }

    /// When the partial by an operand is known.
    fn partial(&self, id: ValueId, at: usize, known: &BTreeMap<ValueId, u64>) -> u64 {
        let Some(inst) = self.function.inst(id) else { return 0 };
        let Meaning::Row { row, operands, .. } = meaning(inst, self.function, self.program, self.rules)
        else {
            return 0;
        };
        let Some(i) = place_in_row(row, &operands, &inst.operands[at]) else { return 0 };
        let mut when = 0;
        for form in (0..row.results.len()).map(|k| row.form(k, i)) {
            let (mut steps, mut begun) = (0, 0);
            form.visit(&mut |expr| match expr {
                Expr::X(of) => begun = begun.max(latest(known, operands.get(usize::from(*of)).into_iter())),
                Expr::Y(_) => begun = begun.max(known.get(&id).copied().unwrap_or(0)),
                _ if expr.mentions_d() => {}
                Expr::Binary(BinaryOp::Div, ..) => steps += DIVISION,
                Expr::Binary(..) => steps += STEP,
                Expr::Call(..) => steps += CALL,
                Expr::If { .. } => steps += CHOICE,
                _ => {}
            });
            when = when.max(begun + steps);
        }
        when
    }

    fn step(&self, inst: &Inst) -> u64 {
        match (&inst.op, meaning(inst, self.function, self.program, self.rules)) {
            (Op::Float(FloatOp::Div), _) => DIVISION,
            (Op::Call(_), Meaning::Row { row, .. }) if !crate::rules::is_quick(row.name) => CALL,
            (Op::Load(_) | Op::Float(_) | Op::Call(_), _) => STEP,
            _ => 0,
        }
    }

    fn insts_of(&self, block: BlockId) -> impl Iterator<Item = (ValueId, &Inst)> {
        self.function.block(block).insts.iter().filter_map(|id| Some((*id, self.function.inst(*id)?)))
    }
}

fn latest<'a>(known: &BTreeMap<ValueId, u64>, operands: impl Iterator<Item = &'a Operand>) -> u64 {
    operands.filter_map(|operand| known.get(&operand.value()?)).copied().max().unwrap_or(0)
}
