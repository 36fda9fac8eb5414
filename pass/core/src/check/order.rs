//! Where the reverses of iterations run in the order of the iterations, no one finds what another has left.
//!
//! Loops inside are counted anew each time; the loop records nothing, writes nothing and calls nothing that does more than compute. What its header
//! carries of adjoints is handed on unchanged by each iteration: followed from the header through the loop, it has one user
//! after the other, and the rule of each gives it back what it took. All else that is added to is added up, in an order
//! that nobody has asked for. The header, whose reverse runs once more than the others, reads no counter.

use std::collections::{BTreeMap, BTreeSet};

use super::reads::Reads;
use super::role::{Role, role_of};
use super::{Obligation, Proof};
use crate::config::Switch;
use crate::model::{BlockId, Inst, Op, Operand, ValueId};
use crate::plan::{Merge, Order, Recount, Storage};
use crate::rules::{Expr, Row};

impl Proof<'_> {
    pub fn check_orders(&mut self, reads: &Reads, shadows: &Reads) {
        let mut problems = Vec::new();
        let mut inverted: BTreeMap<BlockId, BTreeSet<ValueId>> = BTreeMap::new();
        for (value, decision) in &self.plan.storage {
            if let Storage::Invert { header, .. } = decision.choice {
                inverted.entry(header).or_default().insert(*value);
            }
        }
        for (header, recount) in &self.plan.recounts {
            if recount.order == Order::Forwards {
                let problem = self
                    .find_tie(*header)
                    .or_else(|| self.find_late_counter(*header, recount, &inverted, reads, shadows));
                problems.extend(problem.map(|problem| format!("^{} runs forwards, and {problem}", header.0)));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Recounts, problem));
    }

    /// What ties one iteration to the next.
    fn find_tie(&self, header: BlockId) -> Option<String> {
        if self.plan.sums == Switch::Off {
            return Some("additions keep their order".into());
        }
        let body = self.body_of(header);
        for block in body.iter() {
            let merge = self.plan.merges.get(block).map(|merge| &merge.choice);
            if matches!(merge, Some(Merge::Count { .. })) && !self.plan.recounts.contains_key(block) {
                return Some(format!("^{} in it is not counted anew", block.0));
            }
            if self.plan.records.contains_key(block) {
                return Some(format!("^{} records", block.0));
            }
            for id in self.function.blocks.get(block.0 as usize).into_iter().flat_map(|block| &block.insts) {
                let tied =
                    self.function.inst(*id).is_none_or(|inst| !self.is_untied(*id, inst, header, &body));
                if tied {
                    return Some(format!("{} does more than compute, or is carried on", self.describe(*id)));
                }
            }
        }
        None
    }

    fn is_untied(&self, id: ValueId, inst: &Inst, header: BlockId, body: &BTreeSet<BlockId>) -> bool {
        let at_header = self.paths.home(id) == Some(header);
        match &inst.op {
            Op::Phi { .. } if at_header && self.is_active(id) => {
                self.is_handed_on_unchanged(id, inst, header, body)
            }
            Op::Phi { .. } | Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => true,
            _ if at_header && self.is_active(id) => false,
            Op::Call(_) => {
                let memory = super::memory_calls::memory_call(inst).is_some();
                !memory && !self.plan.calls.contains_key(&id) && self.leaves_memory_alone(inst)
            }
            Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => true,
            Op::Select | Op::Gep(_) | Op::Load(_) => true,
            _ => false,
        }
    }

    pub fn is_handed_on_unchanged(
        &self,
        phi: ValueId,
        inst: &Inst,
        header: BlockId,
        body: &BTreeSet<BlockId>,
    ) -> bool {
        let Some(Merge::Count { latch, .. }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return false;
        };
        let Op::Phi { from } = &inst.op else { return false };
        let last = from.iter().position(|block| block == latch).and_then(|at| inst.operands[at].value());
        let mut now = phi;
        // Longer ways than the loop has instructions go round.
        for _ in 0..self.function.insts.len() {
            let users = self.users_in(body, now);
            let [user] = users[..] else { return false };
            if user == phi {
                return Some(now) == last && now != phi;
            }
            let Some(next) = self.function.inst(user).filter(|next| self.gives_back(next, now)) else {
                return false;
            };
            let round = matches!(next.op, Op::Phi { .. });
            if round {
                return false;
            }
            now = user;
        }
        false
    }

    /// The active instructions of a loop that have a value as an operand.
    fn users_in(&self, body: &BTreeSet<BlockId>, value: ValueId) -> Vec<ValueId> {
        let live = body.iter().filter(|block| self.paths.is_live(**block));
        let inside = live.flat_map(|block| self.function.block(*block).insts.iter().copied());
        let uses = |inst: &Inst| inst.operands.contains(&Operand::Value(value));
        let using = inside.filter(|id| self.function.inst(*id).is_some_and(uses));
        using.filter(|id| self.is_active(*id)).collect()
    }

    /// Whether the rule of an instruction adds to the adjoint of that operand what it took, as it is.
    fn gives_back(&self, inst: &Inst, value: ValueId) -> bool {
        let Role::Row { row, operands, .. } = role_of(inst, self.function, self.program, self.rules) else {
            return false;
        };
        let places: Vec<usize> =
            (0..operands.len()).filter(|at| operands[*at] == Operand::Value(value)).collect();
        matches!(places[..], [at] if is_identity(row, at))
    }

    /// A counter read where the header is reversed, or one that is not computed anew.
    fn find_late_counter(
        &self,
        header: BlockId,
        recount: &Recount,
        inverted: &BTreeMap<BlockId, BTreeSet<ValueId>>,
        reads: &Reads,
        shadows: &Reads,
    ) -> Option<String> {
        let counted = inverted.get(&header).cloned().unwrap_or_default();
        if let Some(other) = counted.difference(&recount.counters).next() {
            return Some(format!("{} is counted back", self.describe(*other)));
        }
        let (values, pointers) = self.find_repeated(counted, BTreeSet::new());
        let mut all = reads.among(&values).chain(shadows.among(&pointers));
        all.find(|read| read.at == header).map(|read| format!("its header reads a counter, in {}", read.why))
    }
}

fn is_identity(row: &Row, at: usize) -> bool {
    at < row.operands.len() && row.results.len() == 1 && matches!(row.form(0, at), Expr::D(_))
}
