//! The cursor and the tape's state block say the same wherever somebody else may look at the tape.
//!
//! The cursor is made at the entry, records are laid and taken through it alone, and it is stored before every call of
//! code that may have a tape in use, loaded behind it, and stored before the function returns.
//! Safe error: a callee that is not positively known to stay away from tapes is taken to use one.

use super::Derivative;
use super::backward::{POP, PUSH};
use crate::check::Obligation::Tape;
use crate::check::memory_calls::memory_call;
use crate::model::{BlockId, Inst, Op, Operand, Type, ValueId};

const OPEN: &str = "backsweep.cursor.open";
const LOAD: &str = "backsweep.cursor.load";
const STORE: &str = "backsweep.cursor.store";

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
        for block in self.derived.block_ids() {
            let effects: Vec<(ValueId, Option<Effect>)> =
                self.insts(block).map(|(id, inst)| (id, self.effect_of(inst))).collect();
            self.check_calls(block, &effects);
            self.check_return(block, &effects);
        }
        let cursors: Vec<Option<Operand>> = self
            .derived
            .insts
            .iter()
            .filter(|inst| self.effect_of(inst).is_some_and(|effect| effect != Effect::MayUseTape))
            .map(|inst| inst.operands.first().cloned())
            .collect();
        if cursors.windows(2).any(|pair| pair[0] != pair[1]) {
            self.report(Tape, "records are laid through several cursors");
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
        let prefixes = ["llvm.", "bs_tape_", "bs_rt_", "backsweep.move."];
        let library = || memory_call(inst).is_some() || self.rules.lookup(name).is_some();
        !body && (prefixes.iter().any(|prefix| name.starts_with(prefix)) || library())
    }

    /// Each call that may use the tape stands between a store and a load of the cursor.
    fn check_calls(&mut self, block: BlockId, effects: &[(ValueId, Option<Effect>)]) {
        for (at, (id, effect)) in effects.iter().enumerate() {
            let beside = |at: Option<usize>| at.and_then(|at| effects.get(at)?.1);
            let between = beside(at.checked_sub(1)) == Some(Effect::Stores)
                && beside(Some(at + 1)) == Some(Effect::Loads);
            let problem = match effect {
                Some(Effect::MayUseTape) if !self.plan.records.is_empty() && !between => {
                    "may use the tape, whose state block is not up to date"
                }
                Some(Effect::Opens) if block != BlockId(0) => "opens the tape behind the entry",
                Some(Effect::Loads) if beside(at.checked_sub(1)) != Some(Effect::MayUseTape) => {
                    "drops what the cursor holds"
                }
                _ => continue,
            };
            self.report(Tape, format!("%{} {problem}", id.0));
        }
    }

    /// Whoever comes after this function finds the tape's top.
    fn check_return(&mut self, block: BlockId, effects: &[(ValueId, Option<Effect>)]) {
        let returns = self.terminator(block).is_some_and(|inst| matches!(inst.op, Op::Ret));
        let last = effects.iter().rev().find_map(|(_, effect)| *effect);
        if returns && !self.plan.records.is_empty() && last != Some(Effect::Stores) {
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
