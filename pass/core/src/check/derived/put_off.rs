//! What is put off is freed, and once: it goes on the list of the tape that the function uses. A derivative of one call opens
//! that list where it opens the tape, and closes it before each return and where an exception leaves. A half does neither:
//! whoever frees the tape frees what is on its list.
//!
//! Where the reverse sweep need not come, every shadow that is made goes on the list and is freed by nobody else, and so does
//! what the primal frees of that.
//! Does not know: whether the primal's own memory is listed where it is made; forgotten, it is lost, and nothing is wrong.

use super::Derivative;
use crate::check::Obligation::Tape;
use crate::check::memory_calls::{MemoryCall, memory_call};
use crate::model::{BlockId, Inst, Op, Operand, ValueId};
use crate::plan::GlobalShadow;
use crate::request::Mode;

const OPEN: &str = "bs_rt_put_off_open";
const CLOSE: &str = "bs_rt_put_off_close";
const UNWINDING: &str = "backsweep.unwinding.bs_rt_put_off_close";
const ENTRIES: [&str; 2] = ["bs_rt_put_off", "bs_rt_put_off_sized"];

impl<'a> Derivative<'a> {
    pub fn check_put_off(&mut self) {
        let tape = self
            .find_calls("backsweep.cursor.open")
            .first()
            .map(|(home, _, inst)| (*home, inst.operands[1].clone()));
        let entries: Vec<&Inst> =
            ENTRIES.iter().flat_map(|name| self.find_calls(name)).map(|(_, _, inst)| inst).collect();
        let others = [OPEN, CLOSE, UNWINDING].map(|name| self.find_calls(name));
        let used = others.iter().flatten().map(|(_, _, inst)| *inst).chain(entries.iter().copied());
        let strange =
            used.filter(|inst| inst.operands.first() != tape.as_ref().map(|(_, tape)| tape)).count();
        if strange > 0 {
            self.report(Tape, "something is put off on the list of another tape");
        }
        let [opens, closes, unwinding] = others;
        let alone = self.plan.request.mode == Mode::Gradient && !self.plan.request.nested;
        let calls_halves = self.plan.calls.values().any(|call| call.custom.is_none());
        match (opens.as_slice(), &tape) {
            ([(home, open, _)], Some((opened, _))) if alone && home == opened => {
                let opened = Operand::Value(*open);
                self.check_closed(*home, &opened);
                let with = |inst: &Inst| inst.operands.get(1) == Some(&opened);
                let left = matches!(unwinding.as_slice(), [(at, _, inst)] if at == home && with(inst));
                if self.plan.may_be_left && !left {
                    self.report(
                        Tape,
                        "an exception that leaves the function does not close the list of what is put off",
                    );
                }
            }
            ([], _) if !alone && closes.is_empty() && unwinding.is_empty() => {}
            ([], _) if alone && entries.is_empty() && !calls_halves && closes.is_empty() => {}
            _ => self.report(Tape, "the list of what is put off is not opened once where the tape is"),
        }
        self.check_entries(&entries);
    }

    fn find_calls(&self, name: &str) -> Vec<(BlockId, ValueId, &'a Inst)> {
        let blocks = self.derived.block_ids();
        let calls = blocks.flat_map(|block| self.insts(block).map(move |(id, inst)| (block, id, inst)));
        calls.filter(|(_, _, inst)| inst.callee_name() == Some(name)).collect()
    }

    /// Every return behind the opening closes the list, and nothing is put off behind that.
    fn check_closed(&mut self, home: BlockId, opened: &Operand) {
        let mut waiting = vec![home];
        let mut seen = vec![false; self.derived.blocks.len()];
        let mut problems = 0;
        while let Some(block) = waiting.pop() {
            if std::mem::replace(&mut seen[block.0 as usize], true) {
                continue;
            }
            waiting.extend(self.derived.successors(block));
            let mut names = self.insts(block).filter_map(|(_, inst)| Some((inst.callee_name()?, inst)));
            let last = names.rfind(|(name, _)| *name == CLOSE || ENTRIES.contains(name));
            let closed =
                last.is_some_and(|(name, inst)| name == CLOSE && inst.operands.get(1) == Some(opened));
            let returns = self.terminator(block).is_some_and(|inst| matches!(inst.op, Op::Ret));
            problems += usize::from(returns && !closed);
        }
        if problems > 0 {
            self.report(Tape, "a return leaves the list of what is put off open");
        }
    }

    /// As many are put off as the primal frees, and as there are shadows whose end is not in the reverse sweep.
    fn check_entries(&mut self, entries: &[&Inst]) {
        let forward = matches!(self.plan.request.mode, Mode::Gradient | Mode::Augmented);
        let unsure = match self.plan.request.mode {
            Mode::Gradient => self.plan.may_be_left,
            Mode::Augmented | Mode::Reverse => true,
            Mode::Tangent => return,
        };
        let runs = |id: &&ValueId| {
            let live = self.paths.home(**id).is_some_and(|block| self.paths.is_live(block));
            forward && live && !self.plan.omitted.contains_key(id)
        };
        let lasting = self.plan.activity.lasting();
        let (freed, listed) =
            (lasting.freed.iter().filter(runs).count(), lasting.listed.iter().filter(runs).count());
        let heap = |shadow: &GlobalShadow| matches!(shadow, GlobalShadow::Heap { .. });
        let globals = self.plan.globals.values().filter(|shadow| heap(&shadow.choice)).count();
        let globals = if unsure && forward { globals } else { 0 };
        let kept =
            |id: &ValueId| self.function.inst(*id).is_some_and(|inst| self.plan.activity.frees_kept(inst));
        let kept = self.function.inst_ids().filter(kept).filter(|id| runs(&id)).count();
        let least = (freed + listed + globals) * self.plan.width() as usize + kept;
        if entries.len() < least || entries.len() > least + listed {
            let message =
                format!("{} are put off, and the plan has {least} and {listed} more", entries.len());
            self.report(Tape, message);
        }
        if !unsure {
            return;
        }
        let made = self.find_calls("calloc").into_iter().filter(|(_, _, inst)| inst.origin.is_none());
        let lost = made.filter(|(_, id, _)| {
            let held = |entry: &&&Inst| entry.operands.get(1) == Some(&Operand::Value(*id));
            entries.iter().filter(held).count() != 1
        });
        if lost.count() > 0 {
            self.report(Tape, "a shadow that is made is not put off once");
        }
        let insts = self.derived.insts.iter().filter(|inst| inst.origin.is_none());
        if insts.filter(|inst| memory_call(inst) == Some(MemoryCall::Free)).count() > 0 {
            self.report(Tape, "something is freed that is put off");
        }
    }
}
