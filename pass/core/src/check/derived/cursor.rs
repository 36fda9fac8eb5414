//! The cursor and the tape's state block say the same wherever somebody else may look at the tape.
//!
//! The cursor is made once, in a block that is passed once; records are laid and taken through it alone; behind that block
//! it is stored before every call of code that may have a tape in use, loaded behind the call, and stored before the
//! function returns.
//! Safe error: a callee that is not positively known to stay away from tapes is taken to use one.

use std::collections::BTreeSet;

use super::Derivative;
use super::backward::{POP, PUSH};
use crate::check::Obligation::Tape;
use crate::check::memory_calls::memory_call;
use crate::model::{BlockId, Inst, Op, Type, ValueId};
use crate::request::Mode;

const OPEN: &str = "backsweep.cursor.open";
const LOAD: &str = "backsweep.cursor.load";
const STORE: &str = "backsweep.cursor.store";

/// What is to be called where an exception leaves the function.
const UNWINDING: &str = "backsweep.unwinding.";

/// Functions that come with derived code and are about memory, and words of the model about exceptions.
const HELPERS: [&str; 12] = [
    "backsweep.move.double",
    "backsweep.move.float",
    "backsweep.move.spaced.double",
    "backsweep.move.spaced.float",
    "backsweep.move.words",
    "backsweep.is_empty",
    "backsweep.end_numbers",
    "backsweep.belongs",
    "backsweep.has_shadow",
    "backsweep.threw",
    "backsweep.caught",
    "backsweep.resume",
];

/// What an instruction does to the cursor, or may do behind its back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Opens,
    Loads,
    Stores,
    Moves,
    MayUseTape,
}

impl Derivative<'_> {
    pub fn check_cursor(&mut self) {
        let cursors: BTreeSet<Option<String>> = self
            .derived
            .insts
            .iter()
            .filter(|inst| self.effect_of(inst).is_some_and(|effect| effect != Effect::MayUseTape))
            .map(|inst| inst.operands.first().map(|cursor| format!("{cursor:?}")))
            .collect();
        if cursors.len() > 1 {
            self.report(Tape, "records are laid through several cursors");
        }
        let opens = |block: &BlockId| {
            self.insts(*block).filter(|(_, inst)| self.effect_of(inst) == Some(Effect::Opens)).count()
        };
        let homes: Vec<BlockId> =
            self.derived.block_ids().flat_map(|block| std::iter::repeat_n(block, opens(&block))).collect();
        match homes.as_slice() {
            [] if cursors.is_empty() => {}
            [home] => {
                self.check_behind(*home);
                self.check_given_back(*home);
            }
            _ => self.report(Tape, "the tape is not opened exactly once"),
        }
        self.check_given_up();
    }

    /// Where an exception may leave a half that was handed a tape, that goes with it, or is marked where the caller keeps it: from
    /// where the tape is known to be one. Nothing that may throw stands before that.
    fn check_given_up(&mut self) {
        let request = &self.plan.request;
        if !self.plan.may_be_left || request.nested || request.mode != Mode::Reverse {
            return;
        }
        let end = if request.keep_tape { "bs_rt_tape_spoil" } else { "bs_rt_tape_free" };
        let end = format!("{UNWINDING}{end}");
        let of = |inst: &Inst, name: &str| {
            (inst.callee_name() == Some(name)).then(|| inst.operands.first().cloned()).flatten()
        };
        let (mut looked, mut given_up, mut early) = (None, None, false);
        for (_, inst) in self.insts(BlockId(0)) {
            looked = looked.or_else(|| of(inst, "bs_rt_tape_check"));
            given_up = given_up.or_else(|| of(inst, &end));
            early |= given_up.is_none() && self.effect_of(inst) == Some(Effect::MayUseTape);
        }
        if given_up != looked || looked.is_some() && early {
            self.report(Tape, "an exception that leaves the function loses the tape that it was handed");
        }
    }

    /// Looks at every block that control can come to, by whether the tape is open there.
    fn check_behind(&mut self, home: BlockId) {
        let behind = self.blocks_behind(home);
        if behind.contains(&home) {
            self.report(Tape, "the tape is opened in a loop");
        }
        let mut reached = self.blocks_behind(BlockId(0));
        reached.insert(BlockId(0));
        for block in reached {
            let effects: Vec<(ValueId, Option<Effect>)> =
                self.insts(block).map(|(id, inst)| (id, self.effect_of(inst))).collect();
            if block == home {
                self.check_home(&effects);
            } else if behind.contains(&block) {
                self.check_calls(&effects);
            } else {
                self.check_before(&effects);
                continue;
            }
            self.check_return(block, &effects);
        }
    }

    fn blocks_behind(&self, block: BlockId) -> BTreeSet<BlockId> {
        let (mut behind, mut waiting) = (BTreeSet::new(), self.derived.successors(block));
        while let Some(block) = waiting.pop() {
            if behind.insert(block) {
                waiting.extend(self.derived.successors(block));
            }
        }
        behind
    }

    /// Nothing is done to the cursor before it is made, and no call behind that may use the tape.
    fn check_home(&mut self, effects: &[(ValueId, Option<Effect>)]) {
        let opened = effects.iter().position(|(_, effect)| *effect == Some(Effect::Opens)).unwrap_or(0);
        let (before, behind) = effects.split_at(opened);
        self.check_before(before);
        self.check_calls(behind);
    }

    fn check_before(&mut self, effects: &[(ValueId, Option<Effect>)]) {
        let early =
            effects.iter().find(|(_, effect)| effect.is_some_and(|effect| effect != Effect::MayUseTape));
        if let Some((id, _)) = early {
            self.report(Tape, format!("%{} uses a cursor that is not open", id.0));
        }
    }

    /// Where an exception may leave, the tape that is opened is given back: brought to a mark taken before, or freed.
    fn check_given_back(&mut self, home: BlockId) {
        if !self.plan.may_be_left || self.plan.request.nested || self.plan.request.mode == Mode::Reverse {
            return;
        }
        let named = |wanted: &'static str| {
            let is = move |(_, inst): &(ValueId, &Inst)| inst.callee_name() == Some(wanted);
            self.insts(home).find(is)
        };
        let tape = |call: Option<(ValueId, &Inst)>, at: usize| {
            call.and_then(|(_, inst)| inst.operands.get(at).cloned())
        };
        let opened = tape(named(OPEN), 1);
        let given_back = match self.plan.request.mode {
            Mode::Gradient => {
                let (release, mark) = (named("backsweep.unwinding.bs_tape_release"), named("bs_tape_mark"));
                let to = release.and_then(|(_, inst)| inst.operands.get(1)?.value());
                tape(mark, 0) == opened
                    && to.is_some()
                    && to == mark.map(|(id, _)| id)
                    && tape(release, 0) == opened
            }
            _ => tape(named("backsweep.unwinding.bs_tape_free"), 0) == opened,
        };
        if opened.is_none() || !given_back {
            self.report(Tape, "an exception that leaves the function does not leave the tape as it was");
        }
    }

    fn effect_of(&self, inst: &Inst) -> Option<Effect> {
        match (&inst.op, inst.callee_name()) {
            (Op::Call(_), Some(OPEN)) => Some(Effect::Opens),
            (Op::Call(_), Some(LOAD)) => Some(Effect::Loads),
            (Op::Call(_), Some(STORE)) => Some(Effect::Stores),
            (Op::Call(_), Some(PUSH | POP)) => Some(Effect::Moves),
            (Op::Call(_), Some(name)) => (!self.stays_away(inst, name)).then_some(Effect::MayUseTape),
            (Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } | Op::Opaque { .. }, _) => {
                Some(Effect::MayUseTape)
            }
            _ => None,
        }
    }

    pub fn loads_cursor(&self, id: ValueId) -> bool {
        self.derived.inst(id).and_then(|inst| self.effect_of(inst)) == Some(Effect::Loads)
    }

    fn stays_away(&self, inst: &Inst, name: &str) -> bool {
        let body = self.program.functions.iter().any(|known| known.name == name && !known.blocks.is_empty());
        let prefixes = ["llvm.", "bs_tape_", "bs_rt_", UNWINDING];
        let helper = HELPERS.contains(&name);
        let library = || memory_call(inst).is_some() || self.rules.lookup(name).is_some();
        !body && (helper || prefixes.iter().any(|prefix| name.starts_with(prefix)) || library())
    }

    /// Each call that may use the tape stands between a store and a load of the cursor.
    fn check_calls(&mut self, effects: &[(ValueId, Option<Effect>)]) {
        for (at, (id, effect)) in effects.iter().enumerate() {
            let beside = |at: Option<usize>| at.and_then(|at| effects.get(at)?.1);
            let before = beside(at.checked_sub(1));
            let between = before == Some(Effect::Stores) && beside(Some(at + 1)) == Some(Effect::Loads);
            let problem = match effect {
                Some(Effect::MayUseTape) if !between => {
                    "may use the tape, whose state block is not up to date"
                }
                Some(Effect::Loads) if before != Some(Effect::MayUseTape) => "drops what the cursor holds",
                _ => continue,
            };
            self.report(Tape, format!("%{} {problem}", id.0));
        }
    }

    /// Whoever comes after this function finds the tape's top.
    fn check_return(&mut self, block: BlockId, effects: &[(ValueId, Option<Effect>)]) {
        let returns = self.terminator(block).is_some_and(|inst| matches!(inst.op, Op::Ret));
        let last = effects.iter().rev().find_map(|(_, effect)| *effect);
        if returns && last != Some(Effect::Stores) {
            self.report(Tape, format!("^{} returns without storing the cursor", block.0));
        }
    }
}

/// The fields of `struct bs_tape_cursor` in the runtime's header.
pub fn cursor_type() -> Type {
    let (pointer, word) = (Type::PTR, Type::I64);
    let fields = vec![pointer.clone(), pointer.clone(), pointer.clone(), pointer.clone(), word, pointer];
    Type::Struct { fields, packed: false }
}
