//! What a called function may do to the memory it is given.
//!
//! Program → [`Effects`], one [`Effect`] for each function with a body. Lattice: sets of parameters and a bit, by
//! inclusion. Bottom: touches nothing. Direction: from callees to callers, to a fixed point over recursion.
//! Safe error: too much. What cannot be followed counts as changing whatever the function was given.

use super::atomic_counts::counts_atomically;
use super::carried::bare_place;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::closed::find_fed;
use super::exceptions::is_of_exception;
use super::finds::{find_exposed, touches_found};
use super::globals::{Globals, is_table_of_class, is_thread_address};
use super::hidden_access::keeps_to_arguments;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use super::unfollowed::touches_unfollowed;
use crate::model::{Constant, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::{CalleeRule, Rules, Shape};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Parameters through which it may write, or whose pointer it may leave where others find it: in memory, or as
    /// its result.
    pub changed: BTreeSet<usize>,
    /// Those of them into whose memory it may put more than integers out of the memory of parameters, see `closed`.
    pub fed: BTreeSet<usize>,
    /// The parameters out of whose memory such integers come.
    pub tapped: BTreeSet<usize>,
    /// Globals it may touch, constants apart.
    pub globals: BTreeSet<String>,
    /// Those of them that it may write to, or whose address it may leave where others find it.
    pub written: BTreeSet<String>,
    /// Whether it runs code that is out of sight and may touch any global.
    pub leaves: bool,
    /// Whether it reads or writes pointers in memory.
    pub moves_pointers: bool,
    /// Whether it puts pointers into memory, other than those of virtual tables into members.
    pub stores_pointers: bool,
    /// Whether it allocates memory that it may leave.
    pub makes: bool,
    /// Whether it copies memory, whatever is in it.
    pub copies: bool,
    /// Whether it frees memory.
    pub frees: bool,
    /// Whether that may be memory that it has not made.
    pub frees_others: bool,
    /// Whether it touches memory that nobody follows.
    pub unfollowed: bool,
}

#[derive(Clone, Default)]
pub struct Effects(Arc<ByName>);

/// The effect of each function with a body.
type ByName = BTreeMap<String, Effect>;

impl Effect {
    /// A rule of the user's stands for all that its function does, and is handed a shadow for each pointer.
    pub fn of_rule(function: &Function) -> Effect {
        let pointers = (0..).zip(&function.params).filter(|(_, param)| param.ty.holds_pointer());
        Effect {
            changed: pointers.clone().map(|(at, _)| at).collect(),
            fed: pointers.map(|(at, _)| at).collect(),
            moves_pointers: true,
            stores_pointers: true,
            makes: true,
            copies: true,
            ..Effect::default()
        }
    }

    /// Whether a parameter is changed, and not fed.
    pub fn is_closed(&self, param: usize) -> bool {
        self.changed.contains(&param) && !self.fed.contains(&param)
    }

    fn join(mut self, other: &Effect) -> Effect {
        self.changed.extend(&other.changed);
        self.fed.extend(&other.fed);
        self.tapped.extend(&other.tapped);
        self.globals.extend(other.globals.iter().cloned());
        self.written.extend(other.written.iter().cloned());
        self.leaves |= other.leaves;
        self.moves_pointers |= other.moves_pointers;
        self.stores_pointers |= other.stores_pointers;
        self.makes |= other.makes;
        self.copies |= other.copies;
        self.frees |= other.frees;
        self.frees_others |= other.frees_others;
        self.unfollowed |= other.unfollowed;
        self
    }
}

impl Effects {
    /// The effects of what a function calls, directly or not.
    pub fn of_callees(
        function: &Function,
        program: &Program,
        rules: &Rules,
        carried: &BTreeSet<String>,
    ) -> Effects {
        let called = |inst: &Inst| inst.callee_name().and_then(|name| program.function(name));
        match function.insts.iter().filter_map(called).any(|callee| !callee.is_declaration()) {
            true => Effects(
                program.once(&format!("{rules:p} {carried:?}"), || find_effects(program, rules, carried)),
            ),
            false => Effects::default(),
        }
    }

    pub fn of_callee(&self, inst: &Inst) -> Option<&Effect> {
        self.0.get(inst.callee_name()?)
    }
}

fn find_effects(program: &Program, rules: &Rules, carried: &BTreeSet<String>) -> ByName {
    let bodies: Vec<(&Function, Pointers)> = program
        .functions
        .iter()
        .filter(|function| !function.is_declaration())
        .map(|function| (function, Pointers::of(function, program)))
        .collect();
    let globals = Globals::of(program);
    let exposed = find_exposed(program);
    let mut effects: ByName =
        bodies.iter().map(|(function, _)| (function.name.clone(), Effect::default())).collect();
    // A mode without a rule goes by the body, so what is called from further away may do either.
    let ruled = program.rules.iter().filter_map(|rule| program.function(&rule.function));
    let rules_of_user: BTreeMap<&str, Effect> =
        ruled.map(|function| (function.name.as_str(), Effect::of_rule(function))).collect();
    effects.extend(rules_of_user.iter().map(|(name, effect)| ((*name).to_owned(), effect.clone())));
    loop {
        let mut changed = false;
        for (function, pointers) in &bodies {
            let (globals, exposed) = (&globals, &exposed);
            let walk =
                Walk { function, program, globals, rules, pointers, exposed, effects: &effects, carried };
            let least = rules_of_user.get(function.name.as_str());
            let found = walk.run().join(least.unwrap_or(&Effect::default()));
            changed |= effects.insert(function.name.clone(), found.clone()).as_ref() != Some(&found);
        }
        if !changed {
            find_fed(&bodies, &mut effects, program, rules);
            return effects;
        }
    }
}

/// One walk over one function.
struct Walk<'a> {
    function: &'a Function,
    program: &'a Program,
    globals: &'a Globals<'a>,
    rules: &'a Rules,
    pointers: &'a Pointers,
    /// The globals that pointers may lead into which are found in memory.
    exposed: &'a BTreeSet<String>,
    effects: &'a ByName,
    /// The places in records of halves at which pointers have shadows.
    carried: &'a BTreeSet<String>,
}

impl Walk<'_> {
    fn run(&self) -> Effect {
        let mut effect = Effect::default();
        for inst in self.function.inst_ids().filter_map(|id| self.function.inst(id)) {
            effect.globals.extend(inst.operands.iter().flat_map(|operand| self.named_globals(operand)));
            effect.unfollowed |= touches_unfollowed(self.function, self.pointers, inst);
            match &inst.op {
                // Nobody but its handlers finds an exception, and they know nothing of whose memory it is.
                Op::Store(_) if self.fills_exception(inst) => {}
                // Who takes a pointer without a shadow back from the tape puts nothing active behind it.
                Op::Store(_) if bare_place(self.function, self.carried, inst).is_some() => {
                    effect.moves_pointers = true;
                    effect.stores_pointers = true;
                }
                Op::Store(access) => {
                    let pointer = self.function.operand_type(&inst.operands[0]).holds_pointer();
                    effect.moves_pointers |= pointer;
                    // Null is the address of nothing.
                    let null = matches!(&inst.operands[0], Operand::Const(Constant::Null(_)));
                    let table = access.member && self.leads_to_table(&inst.operands[0]);
                    effect.stores_pointers |= pointer && !null && !table;
                    self.change(&mut effect, &inst.operands[..2]);
                }
                Op::Load(_) => effect.moves_pointers |= inst.ty.holds_pointer(),
                Op::AtomicRmw { .. } | Op::CompareExchange { .. }
                    if counts_atomically(self.function, inst) =>
                {
                    self.change(&mut effect, &inst.operands[..1]);
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. } => {
                    effect.stores_pointers = true;
                    self.change(&mut effect, &inst.operands);
                }
                Op::Ret => self.change(&mut effect, &inst.operands),
                Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => self.call(&mut effect, inst),
                _ => {}
            }
        }
        if touches_found(self.function, self.program, self.pointers) {
            effect.globals.extend(self.exposed.iter().cloned());
        }
        effect
    }

    /// Whether a number, or the address of constant memory, is put into an exception that is about to be thrown.
    fn fills_exception(&self, inst: &Inst) -> bool {
        let [value, pointer] = inst.operands.as_slice() else { return false };
        let constant = |name: &str| self.globals.get(name).is_some_and(|global| global.constant);
        let plain = match value {
            Operand::Const(known) => {
                !known.ty().holds_pointer()
                    || self.globals.resolve(known).is_some_and(|(name, _)| constant(&name))
            }
            Operand::Value(_) => !self.function.operand_type(value).holds_pointer(),
        };
        plain && is_of_exception(self.function, pointer)
    }

    /// The globals that an operand names, and what can be found through their initial values.
    fn named_globals(&self, operand: &Operand) -> BTreeSet<String> {
        let Operand::Const(constant) = operand else { return BTreeSet::new() };
        let Some((name, _)) = self.globals.resolve(constant) else { return BTreeSet::new() };
        let mut named = self.globals.reachable(&name);
        named.insert(name);
        named.retain(|name| self.globals.get(name).is_some_and(|global| !global.constant));
        named
    }

    /// Whether an address is that of a table of functions, behind which there is nobody's memory.
    fn leads_to_table(&self, address: &Operand) -> bool {
        let constant = |name: &String| self.program.global(name).is_some_and(|global| global.constant);
        let is_table = |base: &Base| match base {
            Base::Global(name) => is_table_of_class(name) && constant(name),
            _ => false,
        };
        let bases = self.pointers.of_operand(address);
        matches!(address, Operand::Const(_)) && !bases.is_empty() && bases.iter().all(is_table)
    }

    fn call(&self, effect: &mut Effect, inst: &Inst) {
        if let Some(callee) = inst.callee_name().and_then(|name| self.effects.get(name)) {
            if self.program.is_declared_inactive(inst) {
                return;
            }
            effect.globals.extend(callee.globals.iter().cloned());
            effect.written.extend(callee.written.iter().cloned());
            effect.leaves |= callee.leaves;
            effect.moves_pointers |= callee.moves_pointers;
            effect.stores_pointers |= callee.stores_pointers;
            effect.makes |= callee.makes;
            effect.copies |= callee.copies;
            effect.frees |= callee.frees;
            effect.frees_others |= callee.frees_others;
            effect.unfollowed |= callee.unfollowed;
            let given = callee.changed.iter().filter_map(|at| inst.arguments().get(*at));
            for operand in given {
                self.change(effect, std::slice::from_ref(operand));
            }
            return;
        }
        match memory_call(inst) {
            Some(call @ (MemoryCall::Copy | MemoryCall::Fill)) => {
                effect.copies |= call == MemoryCall::Copy;
                self.change(effect, &inst.operands[..1]);
            }
            Some(MemoryCall::Free { .. }) => {
                let own = |base: &Base| matches!(base, Base::Heap(_) | Base::Stack(_) | Base::Null);
                effect.frees = true;
                effect.frees_others |= !self.pointers.of_operand(&inst.operands[0]).iter().all(own);
                self.change(effect, &inst.operands[..1]);
            }
            Some(MemoryCall::Allocate { .. }) => effect.makes = true,
            None => match self.callee_rule(inst) {
                Some(CalleeRule::Inactive(_) | CalleeRule::Reduction(_)) => {}
                Some(CalleeRule::Row(found)) if !matches!(found.shape, Shape::Stored { .. }) => {}
                _ => {
                    effect.stores_pointers = true;
                    effect.makes = true;
                    effect.leaves |= !is_thread_address(inst) && !keeps_to_arguments(self.program, inst);
                    self.change(effect, inst.arguments());
                }
            },
        }
    }

    fn callee_rule(&self, inst: &Inst) -> Option<CalleeRule<'_>> {
        inst.callee_name().map(|name| self.rules.lookup_callee(self.program.known_name(name)))
    }

    /// Whatever these values lead to may be changed.
    fn change(&self, effect: &mut Effect, values: &[Operand]) {
        let mut seen = BTreeSet::new();
        for value in values.iter().filter(|value| self.function.operand_type(value).holds_pointer()) {
            find_roots((self.function, self.pointers), value, &mut seen, &mut effect.changed);
            let bases = self.pointers.of_operand(value).into_iter();
            effect.written.extend(bases.filter_map(|base| match base {
                Base::Global(name) => Some(name),
                _ => None,
            }));
        }
    }
}

/// The parameters from which a pointer was reached.
pub fn find_roots(
    of: (&Function, &Pointers),
    pointer: &Operand,
    seen: &mut BTreeSet<ValueId>,
    roots: &mut BTreeSet<usize>,
) {
    let (function, pointers) = of;
    for base in pointers.of_operand(pointer) {
        match base {
            Base::Param(id) => drop(roots.insert(id.0 as usize)),
            Base::Loaded(id) | Base::Returned(id) if seen.insert(id) => {
                let Some(inst) = function.inst(id) else { continue };
                for operand in inst.operands.iter().filter(|x| x.value().is_some()) {
                    find_roots(of, operand, seen, roots);
                }
            }
            Base::Unknown => roots.extend(0..function.params.len()),
            Base::Loaded(_) | Base::Returned(_) => {}
            // A pointer stored in a local place was counted as changed where it was stored.
            Base::Stack(_) | Base::Heap(_) | Base::Global(_) | Base::Null => {}
        }
    }
}
