//! Whatever the reverse sweep reads has a storage.
//!
//! Read is what stands in the forms of an active row beside active operands, what tells which part went where, and
//! the condition of each branch that is evaluated again.

use std::collections::{BTreeMap, BTreeSet};

use super::role::Role;
use super::{Obligation, Proof};
use crate::model::{BlockId, Inst, Operand, ValueId};
use crate::plan::{EXIT, Merge};
use crate::rules::{Condition, Expr, Row};

/// A primal value that the reverse of a block reads.
pub struct Read {
    pub value: ValueId,
    pub at: BlockId,
    pub moment: Moment,
    pub why: String,
}

/// All that is read, and who reads each value.
#[derive(Default)]
pub struct Reads {
    all: Vec<Read>,
    places: BTreeMap<ValueId, Vec<usize>>,
}

impl Reads {
    pub fn of(all: Vec<Read>) -> Reads {
        let mut places: BTreeMap<ValueId, Vec<usize>> = BTreeMap::new();
        all.iter().enumerate().for_each(|(at, read)| places.entry(read.value).or_default().push(at));
        Reads { all, places }
    }

    pub fn all(&self) -> &[Read] {
        &self.all
    }

    /// The reads of some values.
    pub fn among<'r, 'v>(
        &'r self,
        values: &'v BTreeSet<ValueId>,
    ) -> impl Iterator<Item = &'r Read> + use<'r, 'v> {
        values.iter().filter_map(|value| self.places.get(value)).flatten().map(|at| &self.all[*at])
    }
}

/// When in the reverse sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In the reverse of an instruction.
    Reverse(ValueId),
    /// When the reverse of a block is left.
    Leaving(BlockId),
    /// When the forward sweep has ended.
    End,
}

/// What an expression names of the primal.
#[derive(Default)]
struct Names {
    operands: BTreeSet<usize>,
    result: bool,
}

impl<'a> Proof<'a> {
    /// Reads of the blocks that are reversed: those that can lead to a return.
    pub fn find_reads(&self) -> Vec<Read> {
        let reversed = self.paths.returning();
        let mut reads = Vec::new();
        for (id, inst) in self.live_insts() {
            let Some(at) = self.paths.home(id).filter(|at| reversed.contains(at)) else { continue };
            if !self.is_active(id) {
                continue;
            }
            for value in self.read_by(id, inst) {
                let why = format!("the reverse of {}", self.describe(id));
                reads.push(Read { value, at, moment: Moment::Reverse(id), why });
            }
        }
        reads.extend(self.plan.merges.iter().filter_map(|(block, decision)| {
            let Merge::Reevaluate { at, .. } = decision.choice else { return None };
            let branch = self.function.blocks.get(at.0 as usize)?.insts.last()?;
            let value = self.function.inst(*branch)?.operands.first()?.value()?;
            let why = format!("the branch of ^{}, which tells how ^{} was entered", at.0, block.0);
            Some(match *block == EXIT {
                true => Read { value, at, moment: Moment::End, why },
                false => Read { value, at: *block, moment: Moment::Leaving(*block), why },
            })
        }));
        reads
    }

    pub fn check_reads(&mut self, reads: &[Read]) {
        for read in reads {
            if !self.plan.storage.contains_key(&read.value) {
                let message =
                    format!("{} is read by {} and has no storage", self.describe(read.value), read.why);
                self.report(Obligation::Reads, message);
            }
        }
    }

    fn read_by(&self, id: ValueId, inst: &'a Inst) -> BTreeSet<ValueId> {
        match self.role(inst) {
            Role::Row { row, operands, .. } => {
                let mut names = Names::default();
                let active = |i: &usize| operands[*i].value().is_some_and(|value| self.is_active(value));
                for i in (0..row.operands.len()).filter(active) {
                    (0..row.results.len()).for_each(|k| names.read(row.form(k, i)));
                }
                let named = names.operands.iter().filter_map(|x| operands[*x].value());
                named.chain(names.result.then_some(id)).collect()
            }
            Role::Carry { steering: Some(at), .. } => {
                inst.operands.get(at).and_then(Operand::value).into_iter().collect()
            }
            Role::Carry { .. }
            | Role::Memory
            | Role::Nothing
            | Role::Return
            | Role::Call
            | Role::Unknown { .. } => BTreeSet::new(),
        }
    }
}

/// The operands that a row's form for one of them names, unless it names the result.
pub fn named_by<'b>(row: &Row, operands: &'b [Operand], at: usize) -> Option<Vec<&'b Operand>> {
    let mut names = Names::default();
    (0..row.results.len()).for_each(|k| names.read(row.form(k, at)));
    (!names.result).then(|| names.operands.iter().map(|x| &operands[*x]).collect())
}

impl Names {
    fn read(&mut self, form: &Expr) {
        match form {
            Expr::X(i) => {
                self.operands.insert(usize::from(*i));
            }
            Expr::Y(_) => self.result = true,
            Expr::D(_) | Expr::Number(_) | Expr::Named(_) => {}
            Expr::Neg(inner) | Expr::Real(inner) | Expr::Convert(inner) => self.read(inner),
            Expr::Binary(_, left, right) => [left, right].into_iter().for_each(|side| self.read(side)),
            Expr::Call(_, arguments) => arguments.iter().for_each(|argument| self.read(argument)),
            Expr::If { test, yes, no } => {
                self.read_condition(test);
                [yes, no].into_iter().for_each(|arm| self.read(arm));
            }
        }
    }

    fn read_condition(&mut self, test: &Condition) {
        match test {
            Condition::Operand(i) => {
                self.operands.insert(usize::from(*i));
            }
            Condition::Float(_, left, right) | Condition::Int(_, left, right) => {
                [left, right].into_iter().for_each(|side| self.read(side));
            }
            Condition::And(left, right) | Condition::Or(left, right) => {
                [left, right].into_iter().for_each(|side| self.read_condition(side));
            }
        }
    }
}
