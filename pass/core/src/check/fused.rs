//! A pass that is reversed as soon as it has run says what it would have said later.
//!
//! The loop is entered once, and left at its header alone. From it on nothing is written, so memory is what it will be in
//! the end, and shadows are added to and nothing else; what is read again was not overwritten before, either. The header
//! hands on sums whose adjoints each pass gives back as it took them. And their adjoints are the same before the loop as behind it: each instruction that they come through runs once, whenever the function
//! returns, and its factor is computed from what is at hand before.

use std::collections::BTreeSet;

use super::memory_calls::memory_call;
use super::reads::named_by;
use super::role::{Role, numbers_of, role_of};
use super::{Obligation, Proof};
use crate::config::Switch;
use crate::model::{BlockId, Inst, Op, Operand, Ordering, ValueId};
use crate::plan::{Fused, Merge, Storage};
use crate::request::Mode;

impl Proof<'_> {
    pub fn check_fused(&mut self) {
        let mut problems = Vec::new();
        for (header, fused) in &self.plan.fused {
            let problem = self
                .find_interruption()
                .or_else(|| self.find_other_loop(*header, fused))
                .map(str::to_owned)
                .or_else(|| self.find_noise(*header))
                .or_else(|| self.find_reread(*header))
                .or_else(|| self.find_other_tie(*header, fused))
                .or_else(|| self.find_late(*header, fused));
            problems.extend(
                problem.map(|problem| format!("^{} reverses each pass at once, and {problem}", header.0)),
            );
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Fused, problem));
    }

    /// Whether control may enter a block again before its reverse has run.
    pub fn comes_again(&self, block: BlockId) -> bool {
        let fused = self.plan.fused.iter().find(|(_, fused)| fused.blocks.contains(&block));
        let Some((header, fused)) = fused else { return self.paths.repeats(block) };
        let pass = fused.blocks.iter().copied().filter(|block| block != header).collect();
        self.paths.circling(&pass).contains(&block)
    }

    fn find_interruption(&self) -> Option<&'static str> {
        let request = &self.plan.request;
        if request.mode != Mode::Gradient || request.nested || self.plan.may_be_left {
            return Some("others may look at the shadows in between");
        }
        if self.plan.sums == Switch::Off {
            return Some("additions keep their order");
        }
        if !self.plan.rooms.is_empty() || !self.plan.strips.is_empty() || !self.plan.restored.is_empty() {
            return Some("shadows or memory hold something else in between");
        }
        None
    }

    fn find_other_loop(&self, header: BlockId, fused: &Fused) -> Option<&'static str> {
        match self.plan.merges.get(&header).map(|merge| &merge.choice) {
            Some(Merge::Count { entry, latch }) if *entry == fused.entry && *latch == fused.latch => {}
            _ => return Some("is entered or goes round elsewhere"),
        }
        let leaves = |block: &BlockId| {
            let out = self.paths.successors(*block).iter().filter(|to| !fused.blocks.contains(to));
            out.copied().collect::<Vec<_>>()
        };
        let arrivals = self.paths.arrivals();
        let from_header = arrivals.get(&fused.exit).is_some_and(|from| *from == BTreeSet::from([header]));
        let stays = fused.blocks.iter().all(|block| *block == header || leaves(block).is_empty());
        if *self.body_of(header) != fused.blocks || leaves(&header) != [fused.exit] || !stays || !from_header
        {
            return Some("its blocks are not the loop's, or it is left elsewhere than at its header");
        }
        if self.paths.repeats(fused.entry) || self.paths.successors(fused.entry) != [header] {
            return Some("it is entered more than once");
        }
        let inside = |block: &BlockId| {
            *block == header || arrivals.get(block).is_some_and(|from| from.is_subset(&fused.blocks))
        };
        let round = self.function.terminator(fused.latch).and_then(|id| self.function.inst(id));
        let plain = fused.latch != header && round.is_some_and(|inst| matches!(inst.op, Op::Br { .. }));
        (!plain || !fused.blocks.iter().all(inside)).then_some("does not go round by one way")
    }

    /// What does more than compute and read, from the loop on.
    fn find_noise(&self, header: BlockId) -> Option<String> {
        let later = self.paths.walk(&[header], None);
        let mut insts = self.live_insts().into_iter();
        let noise = insts.find(|(id, inst)| {
            self.paths.home(*id).is_some_and(|home| later.contains(&home)) && !self.is_still(*id, inst)
        });
        noise.map(|(id, _)| format!("{} does more than compute", self.describe(id)))
    }

    /// Whether an instruction computes or reads, and does nothing else.
    pub fn is_still(&self, id: ValueId, inst: &Inst) -> bool {
        match &inst.op {
            Op::Load(access) => !access.volatile && access.ordering == Ordering::NotAtomic,
            Op::Call(_) => {
                let memory = memory_call(inst).is_some();
                !memory && !self.plan.calls.contains_key(&id) && self.leaves_memory_alone(inst)
            }
            Op::Phi { .. } | Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } | Op::Ret => true,
            Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => true,
            Op::Select | Op::Freeze | Op::Attach(_) | Op::Gep(_) => true,
            Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => true,
            Op::ExtractValue { .. } | Op::InsertValue { .. } => true,
            _ => false,
        }
    }

    /// A load that is done again, and that stands before the loop and may have been overwritten since.
    fn find_reread(&self, header: BlockId) -> Option<String> {
        let later = self.paths.walk(&[header], None);
        let again = self.plan.storage.iter().chain(&self.plan.shadows);
        let mut again = again.filter(|(_, decision)| decision.choice == Storage::Recompute);
        let found = again.find(|(id, _)| {
            let stands = self.paths.home(**id).is_some_and(|home| later.contains(&home));
            let load = self.function.inst(**id).filter(|inst| matches!(inst.op, Op::Load(_)));
            load.is_some_and(|inst| !stands && !self.is_found_again(**id, inst))
        });
        found.map(|(id, _)| format!("{} may read something else again", self.describe(*id)))
    }

    /// What passes of the loop, or what is behind it, have of a pass, beside the sums.
    fn find_other_tie(&self, header: BlockId, fused: &Fused) -> Option<String> {
        let insts = self.live_insts();
        let home = |id: ValueId| self.paths.home(id);
        for (id, inst) in insts.iter().filter(|(id, _)| home(*id) == Some(header) && self.is_active(*id)) {
            let phi = matches!(inst.op, Op::Phi { .. }) && fused.sums.contains(id);
            if !phi || !self.is_handed_on_unchanged(*id, inst, header, &fused.blocks) {
                return Some(format!("{} is no sum", self.describe(*id)));
            }
        }
        let inside = |id: ValueId| home(id).is_some_and(|home| fused.blocks.contains(&home));
        let mut behind = insts.iter().filter(|(id, _)| !inside(*id));
        let takes = |inst: &Inst| {
            let mut values = inst.operands.iter().filter_map(Operand::value);
            values.any(|value| inside(value) && self.is_active(value) && !fused.sums.contains(&value))
        };
        let taker = behind.find(|(_, inst)| takes(inst));
        taker.map(|(id, _)| format!("{} takes something else of it", self.describe(*id)))
    }

    /// An instruction through which the adjoints of sums come, and whose factor is not known before the loop.
    fn find_late(&self, header: BlockId, fused: &Fused) -> Option<String> {
        let insts = self.live_insts();
        let inside = |id: ValueId| self.paths.home(id).is_some_and(|home| fused.blocks.contains(&home));
        let mut through: BTreeSet<ValueId> = fused.sums.clone();
        loop {
            let uses =
                |inst: &Inst| inst.operands.iter().filter_map(Operand::value).any(|x| through.contains(&x));
            let outer =
                insts.iter().filter(|(id, inst)| !inside(*id) && (self.is_active(*id) || inst.op == Op::Ret));
            let more: Vec<ValueId> =
                outer.filter(|(id, inst)| uses(inst) && !through.contains(id)).map(|(id, _)| *id).collect();
            if more.is_empty() {
                break;
            }
            through.extend(more);
        }
        let behind: BTreeSet<ValueId> = through.difference(&fused.sums).copied().collect();
        if behind != fused.early {
            return Some("the adjoints of its sums come through more or less than that".into());
        }
        let late = insts.iter().filter(|(id, _)| behind.contains(id));
        let mut late =
            late.filter(|(id, inst)| !self.is_once(*id) || !self.is_known_before(inst, fused, &through));
        late.next().map(|(id, _)| format!("{} is not known before ^{}", self.describe(*id), header.0))
    }

    fn is_once(&self, id: ValueId) -> bool {
        let returns = self.paths.returns();
        self.paths.home(id).is_some_and(|home| {
            !self.paths.repeats(home) && returns.iter().all(|end| self.paths.dominates(home, *end))
        })
    }

    fn is_known_before(&self, inst: &Inst, fused: &Fused, through: &BTreeSet<ValueId>) -> bool {
        let late = |x: &Operand| x.value().is_some_and(|value| through.contains(&value));
        let known = |x: &Operand| !late(x) && self.is_had_before(x, fused.entry);
        match role_of(inst, self.function, self.program, self.rules) {
            Role::Return => true,
            Role::Row { row, operands, .. } => {
                let mut places = (0..row.operands.len()).filter(|at| late(&operands[*at]));
                places.all(|at| named_by(row, operands, at).is_some_and(|named| named.into_iter().all(known)))
            }
            Role::Carry { .. } if matches!(inst.op, Op::Phi { .. }) => {
                inst.operands.windows(2).all(|pair| pair[0] == pair[1])
            }
            Role::Carry { steering, .. } => steering.is_none_or(|at| known(&inst.operands[at])),
            Role::Memory | Role::Nothing | Role::Call | Role::Unknown { .. } => false,
        }
    }

    /// Whether a value is in its cell at the end of a block, or computed again from such.
    fn is_had_before(&self, operand: &Operand, entry: BlockId) -> bool {
        let Some(value) = operand.value() else { return true };
        match self.plan.storage.get(&value).map(|decision| &decision.choice) {
            Some(Storage::Argument) => true,
            Some(Storage::Keep) => {
                self.paths.home(value).is_some_and(|home| self.paths.dominates(home, entry))
            }
            Some(Storage::Recompute) => {
                let inst = self.function.inst(value);
                inst.is_some_and(|inst| numbers_of(inst).iter().all(|x| self.is_had_before(x, entry)))
            }
            _ => false,
        }
    }
}
