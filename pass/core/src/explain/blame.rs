//! Why values are recorded: what keeps them from being computed again where the reverse sweep needs them.
//!
//! From a recorded value the operands are followed, through arithmetic that could be done again, to what cannot be had again:
//! a read of memory that is overwritten, a value that another iteration has handed on, a call. Those are the obstacles.

use std::collections::BTreeSet;

use super::notes::place_of_merge;
use super::{Obstacle, ObstacleKind, Subject, elements, meeting, words};
use crate::analyses::later::{Later, Overwriting};
use crate::analyses::pointers::Base;
use crate::model::{Inst, IntOp, LoopId, Op, Operand, ValueId};
use crate::plan::{Item, Merge, Storage};
use crate::request::{Activity, Mode};

/// Values are followed so far; what is further away is not what the user has in mind.
const MOST_FOLLOWED: usize = 64;

pub fn find_obstacles(subject: &Subject) -> Vec<Obstacle> {
    if !subject.plan.request.mode.is_reverse() {
        return Vec::new();
    }
    let bases = |pointer: &Operand| subject.plan.activity.bases(pointer);
    let apart = subject.plan.apart.as_ref().map(|test| test.found()).unwrap_or_default();
    let put_off = |inst: &Inst| subject.plan.activity.frees_later(inst);
    let (flow, program) = (&subject.flow, subject.program);
    let later = Later::of(subject.function, flow, program, subject.rules, &bases, &put_off, &apart);
    let blame = Blame { subject, later: &later };
    let mut told = BTreeSet::new();
    let mut obstacles = Vec::new();
    for (value, decision) in &subject.plan.storage {
        if decision.choice != Storage::SaveOnOverwrite
            || subject.recording_block(Item::Value(*value)).is_none()
        {
            continue;
        }
        for cause in blame.find_causes(*value) {
            if told.insert(cause) {
                obstacles.extend(blame.describe(cause));
            }
        }
    }
    obstacles.extend(find_saved_memory(subject));
    obstacles.extend(find_recorded_edges(subject));
    obstacles
}

/// The stores in loops that save what they overwrite.
fn find_saved_memory(subject: &Subject) -> Vec<Obstacle> {
    let saved = subject.plan.restored.iter().filter(|id| subject.recording_block(Item::Old(**id)).is_some());
    let describe = |id: &ValueId| {
        let inst = subject.function.inst(*id)?;
        let memory = words::name_memory(subject, &inst.operands[1]);
        Some(Obstacle {
            at: words::place_of(subject, *id),
            of: subject.loop_of(*id),
            kind: ObstacleKind::Overwritten,
            text: format!(
                "what {memory} holds here is needed again, so it is saved before it is overwritten"
            ),
            remedy: Some("write to another place than the one that is read, where memory allows".into()),
        })
    };
    saved.filter_map(describe).collect()
}

/// The places where control meets again, in loops, and no branch tells where it came from.
fn find_recorded_edges(subject: &Subject) -> Vec<Obstacle> {
    let mut found = Vec::new();
    for (block, decision) in &subject.plan.merges {
        let at = place_of_merge(subject, *block).filter(|_| subject.plan.records_edge(*block));
        let Some(at) = at else { continue };
        found.push(Obstacle {
            at,
            of: subject.loop_of(at),
            kind: ObstacleKind::Branch,
            text: format!("which way control took is recorded each time: {}", decision.reason),
            remedy: Some(
                "where conditions are joined by `&&` or `||` and have no side effects, join them by `&` or `|`; leave loops at \
                 one place"
                    .into(),
            ),
        });
    }
    found
}

struct Blame<'s, 'a> {
    subject: &'s Subject<'a>,
    later: &'s Later<'s>,
}

impl Blame<'_, '_> {
    /// The values that cannot be had again, of which one is made.
    fn find_causes(&self, value: ValueId) -> BTreeSet<ValueId> {
        let (mut causes, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![value]);
        while let Some(id) = waiting.pop() {
            let Some(inst) = self.subject.function.inst(id) else { continue };
            if seen.len() > MOST_FOLLOWED || !seen.insert(id) || self.is_at_hand(id, inst) {
                continue;
            }
            match self.may_be_repeated(id, inst) {
                true => waiting.extend(inst.operands.iter().filter_map(Operand::value)),
                false => drop(causes.insert(id)),
            }
        }
        // It is made of nothing that is lost, and is recorded because that is cheapest.
        if causes.is_empty() { BTreeSet::from([value]) } else { causes }
    }

    fn is_at_hand(&self, id: ValueId, inst: &Inst) -> bool {
        let outside = self.subject.loop_of(id).is_none();
        let stored = self.subject.decision(id).map(|decision| &decision.choice);
        outside
            || matches!(stored, Some(Storage::Invert { .. } | Storage::Uncompute { .. } | Storage::Keep))
            || self.counts(inst)
    }

    /// A counter that goes by a constant.
    fn counts(&self, inst: &Inst) -> bool {
        let steps = |operand: &Operand| {
            let next = operand.value().and_then(|id| self.subject.function.inst(id));
            next.is_some_and(|next| {
                next.op == Op::Int(IntOp::Add) && matches!(next.operands[1], Operand::Const(_))
            })
        };
        matches!(inst.op, Op::Phi { .. }) && !inst.ty.holds_float() && inst.operands.iter().any(steps)
    }

    /// The arithmetic that the planner computes again, and reads of what is still there.
    fn may_be_repeated(&self, id: ValueId, inst: &Inst) -> bool {
        match inst.op {
            Op::Load(_) => self.is_one_half() && self.later.lasts(id),
            Op::Phi { .. } | Op::Call(_) | Op::Invoke { .. } | Op::Freeze | Op::AtomicRmw { .. } => false,
            _ => true,
        }
    }

    fn is_one_half(&self) -> bool {
        self.subject.plan.request.mode == Mode::Gradient
    }

    fn describe(&self, id: ValueId) -> Option<Obstacle> {
        let inst = self.subject.function.inst(id)?;
        let (kind, text, remedy) = match &inst.op {
            Op::Load(_) if !self.is_one_half() => (
                ObstacleKind::Halves,
                format!(
                    "{} may have changed by the time the second half runs",
                    words::name_inst(self.subject, id)
                ),
                Some("use the combined gradient where nothing has to run between the halves".to_string()),
            ),
            Op::Load(_) => self.describe_load(id),
            Op::Phi { .. } => self.describe_phi(id),
            Op::Call(_) | Op::Invoke { .. } if self.subject.plan.calls.contains_key(&id) => (
                ObstacleKind::Call,
                format!(
                    "{} ({}) is recorded: a call that is not inlined is not run again",
                    words::name_inst(self.subject, id),
                    words::name_line(self.subject, id)
                ),
                Some(format!("let {} be inlined, where it is no recursion", words::name_callee(inst))),
            ),
            Op::Call(_) | Op::Invoke { .. } => (
                ObstacleKind::Cost,
                format!(
                    "{} is recorded: computing it again costs more than storing it",
                    words::name_inst(self.subject, id)
                ),
                None,
            ),
            _ => (
                ObstacleKind::Cost,
                format!(
                    "{} could be computed again, and recording it takes least",
                    words::name_inst(self.subject, id)
                ),
                None,
            ),
        };
        let at = words::place_of(self.subject, id);
        Some(Obstacle { at, of: self.subject.loop_of(id), kind, text, remedy })
    }

    fn describe_phi(&self, id: ValueId) -> (ObstacleKind, String, Option<String>) {
        let nesting = &self.subject.dependences.nesting;
        let name = self.subject.function.names.get(&id).map(|name| format!("`{}`", name.text));
        let block = nesting.home(id);
        let mut loops = self.subject.function.loops.iter();
        if let Some(of) = loops.position(|known| Some(known.header) == block) {
            let text = format!(
                "{} is handed on from one iteration of {} to the next{}, and each one is needed",
                name.unwrap_or("the value".into()),
                meeting::name_loop(self.subject, LoopId(of as u32)),
                self.describe_next(id, LoopId(of as u32))
            );
            return (
                ObstacleKind::Carried,
                text,
                Some("compute it from the loop's counter, if that can be done".into()),
            );
        }
        let merge = block.and_then(|block| self.subject.plan.merges.get(&block));
        let recorded = merge.is_some_and(|found| matches!(found.choice, Merge::Record { .. }));
        let decided = match block.and_then(|block| place_of_merge(self.subject, block)) {
            Some(branch) => format!("the branch at {}", words::name_line(self.subject, branch)),
            None => "a branch".into(),
        };
        let which =
            name.map_or("which of several values it is".into(), |name| format!("which value {name} has"));
        let text = match recorded {
            true => {
                format!("{which} is decided by {decided}, and the way control took there is itself recorded")
            }
            false => format!("{which} is decided by {decided}"),
        };
        // An index or a flag is no number that `fmin` could choose.
        let is_number = self.subject.function.value_type(id).holds_float();
        let remedy = "write a choice between two numbers as `c ? a : b`, `fmin` or `fmax` (Fortran: `merge`, `min`, `max`)";
        (ObstacleKind::Branch, text, is_number.then(|| remedy.into()))
    }

    /// Where an iteration computes what it hands on.
    fn describe_next(&self, phi: ValueId, of: LoopId) -> String {
        let known = &self.subject.function.loops[of.0 as usize];
        let Some(inst) = self.subject.function.inst(phi) else { return String::new() };
        let Op::Phi { from } = &inst.op else { return String::new() };
        let handed = from.iter().zip(&inst.operands).find(|(block, _)| known.blocks.contains(block));
        let next = handed.and_then(|(_, operand)| operand.value()).filter(|next| {
            self.subject.function.inst(*next).is_some_and(|inst| inst.loc.is_some_and(|loc| loc.line > 0))
        });
        next.map_or(String::new(), |next| format!(" (computed at {})", words::name_line(self.subject, next)))
    }

    fn describe_load(&self, id: ValueId) -> (ObstacleKind, String, Option<String>) {
        let what = words::name_inst(self.subject, id);
        let Some(Overwriting { write, read, written }) = self.find_overwriting(id) else {
            let text = format!(
                "{what} may be gone when the reverse sweep comes: it is volatile, or of a slot in a loop"
            );
            return (ObstacleKind::Memory, text, Some("move the variable out of the loop".into()));
        };
        let line = words::name_line(self.subject, write);
        let store = self.subject.function.inst(write).is_some_and(|inst| matches!(inst.op, Op::Store(_)));
        let by = match elements::name_element(self.subject, write).filter(|_| store) {
            Some(element) => format!("the store to {element} at {line}"),
            None => line.clone(),
        };
        let (a, b) = (words::name_base(self.subject, &read), words::name_base(self.subject, &written));
        if !store {
            return self.describe_call(&what, &b, write);
        }
        if read == written {
            let when = meeting::describe_meeting(self.subject, id, write);
            let text = format!("{what} is overwritten later, by {by}{when}");
            return (ObstacleKind::Overwritten, text, Some(self.advise_overwritten(&read, &line)));
        }
        let text = format!("{a} and {b} may be the same memory: {what} is read here, and {by} writes to {b}");
        let remedy = match (&read, &written) {
            (Base::Param(_), Base::Param(_)) => format!(
                "declare the parameter {b}, or {a}, `restrict` (C++: `__restrict`): that promises that no other name leads there"
            ),
            (_, Base::Param(_)) => format!("declare the parameter {b} `restrict` (C++: `__restrict`)"),
            (Base::Param(_), _) => format!("declare the parameter {a} `restrict` (C++: `__restrict`)"),
            _ => format!("pass {a} as a parameter of its own, declared `restrict` (C++: `__restrict`)"),
        };
        (ObstacleKind::Alias, text, Some(remedy))
    }

    /// Of the writes that may overwrite what was read, one that is known to before one that is not.
    fn find_overwriting(&self, load: ValueId) -> Option<Overwriting> {
        let found = self.later.find_overwriting(load, &self.subject.flow);
        let meeting = |at: &Overwriting| meeting::find_meeting(self.subject, load, at.write);
        found.into_iter().min_by_key(|at| (at.read != at.written, meeting(at)))
    }

    fn describe_call(
        &self,
        what: &str,
        given: &str,
        call: ValueId,
    ) -> (ObstacleKind, String, Option<String>) {
        let inst = self.subject.function.inst(call);
        let callee = inst.map_or("a call".into(), words::name_callee);
        let line = words::name_line(self.subject, call);
        let text = format!(
            "{what} may be overwritten by the call of {callee} at {line}, which can write to {given}"
        );
        let body =
            inst.and_then(Inst::callee_name).is_some_and(|name| self.subject.program.is_followed(name));
        let remedy = match body {
            true => format!(
                "read from an array of its own what {callee} does not need to change, or let it write to another"
            ),
            false => format!(
                "let the body of {callee} be seen (same file, or `--lto`), so that it can be inlined, or give it another array"
            ),
        };
        (ObstacleKind::Call, text, Some(remedy))
    }

    fn advise_overwritten(&self, read: &Base, line: &str) -> String {
        let elsewhere = format!(
            "write the results to another array than the one that is read ({line}): what is never overwritten is read again"
        );
        let Base::Param(param) = read else { return elsewhere };
        match self.subject.plan.request.activity(param.0 as usize) {
            Activity::Dup | Activity::DupFresh => format!(
                "{elsewhere}; or pass {} as `bs_dup_noneed` where nobody looks at it after the gradient: then it may be put back instead",
                words::name_param(self.subject, *param)
            ),
            Activity::Const | Activity::DupNoNeed | Activity::Out => elsewhere,
        }
    }
}
