//! Which memory that a call allocates nobody can reach once it has returned, and which allocations a free may free.
//!
//! Function + pointers + the calls that are followed → [`Ownership`].
//! Lattice: for each allocation the allocations whose addresses may lie in it, by inclusion. Bottom: none. Neither order
//! nor offsets are looked at. Memory of others is one place, which may hold anything that is put there, and others; a
//! constant global is a place of its own.
//! Safe error: more contents, so that more leaves, and fewer frees are understood.

use super::atomic_counts::counts_atomically;
use std::collections::{BTreeMap, BTreeSet};

use super::effects::Effect;
use super::flow::Flow;
use super::globals::{Globals, is_of_type_information, is_table_of_class};
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{Constant, Function, Global, Inst, Op, Operand, Program, ValueId};

#[derive(Default)]
pub struct Ownership {
    /// What may lie in each allocation. What others hold is under [`Base::Unknown`].
    contents: BTreeMap<Base, BTreeSet<Base>>,
    /// Where each pointer found in memory may lead.
    found: BTreeMap<ValueId, BTreeSet<Base>>,
    /// The allocations that others may find, in the end or in between.
    leaving: BTreeSet<Base>,
    /// What lies in the globals that nobody writes to: no pointer to one is stored through or freed.
    constants: BTreeMap<String, BTreeSet<Base>>,
    /// Stack slots that are made more than once, or of a size known only when they are.
    remade: BTreeSet<ValueId>,
}

impl Ownership {
    pub fn of(
        (function, program): (&Function, &Program),
        flow: &Flow,
        pointers: &Pointers,
        calls: &BTreeMap<ValueId, Effect>,
    ) -> Ownership {
        let (constants, remade) = (read_constants(program), find_remade(function, flow));
        let mut ownership = Ownership { constants, remade, ..Ownership::default() };
        while function.inst_ids().fold(false, |grew, id| {
            let Some(inst) = function.inst(id) else { return grew };
            ownership.spread(function, pointers, calls.get(&id), id, inst) || grew
        }) {}
        let outside = BTreeSet::from([Base::Unknown]);
        ownership.leaving.extend(ownership.reach(&outside));
        ownership
    }

    /// Whether others may find what a call allocated.
    pub fn leaves(&self, allocation: ValueId) -> bool {
        self.leaving.contains(&Base::Heap(allocation))
    }

    /// The memory that can be found from pointers of these bases, and what these lead to.
    pub fn reached_from(&self, bases: &BTreeSet<Base>) -> BTreeSet<Base> {
        self.reach(&self.resolve(bases))
    }

    /// Whether a slot needs a shadow each time it is made.
    pub fn is_remade(&self, slot: ValueId) -> bool {
        self.remade.contains(&slot)
    }

    /// Where pointers of these bases lead, those that were found in memory included.
    pub fn resolve(&self, bases: &BTreeSet<Base>) -> BTreeSet<Base> {
        let mut resolved = BTreeSet::new();
        for base in bases {
            match base {
                Base::Stack(_) | Base::Heap(_) => drop(resolved.insert(base.clone())),
                Base::Null => {}
                Base::Global(name) if self.constants.contains_key(name) => {
                    resolved.insert(base.clone());
                }
                Base::Loaded(load) => resolved.extend(self.found.get(load).into_iter().flatten().cloned()),
                Base::Param(_) | Base::Global(_) | Base::Returned(_) | Base::Unknown => {
                    resolved.insert(Base::Unknown);
                }
            }
        }
        resolved
    }

    /// Whether these lead to nothing but memory of this call.
    pub fn is_own(&self, bases: &BTreeSet<Base>) -> bool {
        !self.resolve(bases).contains(&Base::Unknown)
    }

    fn spread(
        &mut self,
        function: &Function,
        pointers: &Pointers,
        call: Option<&Effect>,
        id: ValueId,
        inst: &Inst,
    ) -> bool {
        let lead = |ownership: &Ownership, x: &Operand| ownership.resolve(&pointers.of_operand(x));
        match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) if inst.ty.holds_pointer() => {
                let places = lead(self, &inst.operands[0]);
                let held = self.held(&places);
                let known = self.found.entry(id).or_default();
                extend(known, held)
            }
            (Op::Store(_), _) if function.operand_type(&inst.operands[0]).holds_pointer() => {
                let (stored, places) = (lead(self, &inst.operands[0]), lead(self, &inst.operands[1]));
                self.put(&places, &stored)
            }
            (_, Some(MemoryCall::Copy)) => {
                let (from, to) = (lead(self, &inst.operands[1]), lead(self, &inst.operands[0]));
                let held = self.held(&from);
                self.put(&to, &held)
            }
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) if counts_atomically(function, inst) => {
                false
            }
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Ret, _) => {
                let moved: BTreeSet<Base> = inst.operands.iter().flat_map(|x| lead(self, x)).collect();
                self.put(&BTreeSet::from([Base::Unknown]), &moved)
            }
            _ => call.is_some_and(|effect| {
                let given = inst.arguments().iter().flat_map(|x| lead(self, x)).collect();
                self.hand_over(&given, effect, inst.ty.holds_pointer())
            }),
        }
    }

    /// A callee may put what it finds, what it was given if it stores pointers or returns one, and then what it has made or found in
    /// globals, wherever it gets.
    fn hand_over(&mut self, given: &BTreeSet<Base>, effect: &Effect, returns: bool) -> bool {
        if !effect.stores_pointers && !effect.copies && !returns {
            return false;
        }
        let reached = self.reach(given);
        let mut moved = if effect.stores_pointers || returns { reached.clone() } else { self.held(&reached) };
        if effect.stores_pointers && (effect.makes || effect.leaves || !effect.globals.is_empty()) {
            moved.insert(Base::Unknown);
        }
        let mut places = reached;
        places.insert(Base::Unknown);
        self.put(&places, &moved)
    }

    fn put(&mut self, places: &BTreeSet<Base>, what: &BTreeSet<Base>) -> bool {
        let mut grew = false;
        for place in places {
            let held = self.contents.entry(place.clone()).or_default();
            what.iter().for_each(|base| grew |= !held.contains(base) && held.insert(base.clone()));
        }
        grew
    }

    /// What may lie in these places.
    fn held(&self, places: &BTreeSet<Base>) -> BTreeSet<Base> {
        let mut held: BTreeSet<Base> =
            places.iter().filter_map(|place| self.contents.get(place)).flatten().cloned().collect();
        if places.contains(&Base::Unknown) {
            held.insert(Base::Unknown);
        }
        for place in places {
            let Base::Global(name) = place else { continue };
            held.extend(self.constants.get(name).cloned().unwrap_or(BTreeSet::from([Base::Unknown])));
        }
        held
    }

    /// These places and all that can be found from them.
    fn reach(&self, from: &BTreeSet<Base>) -> BTreeSet<Base> {
        let (mut reached, mut waiting) = (from.clone(), Vec::from_iter(from.iter().cloned()));
        while let Some(place) = waiting.pop() {
            let held = self.held(&BTreeSet::from([place]));
            waiting.extend(held.into_iter().filter(|base| reached.insert(base.clone())));
        }
        reached
    }
}

/// The constant globals, each with those whose addresses stand in it, in whatever form.
fn read_constants(program: &Program) -> BTreeMap<String, BTreeSet<Base>> {
    let globals = Globals::of(program);
    let is_constant = |name: &str| globals.get(name).is_some_and(|global| global.constant);
    let read = |global: &Global| {
        // A table of functions leads to code, wherever it is defined.
        let Some(initial) = &global.initial else {
            let outside = (!is_table_of_class(&global.name)).then_some(Base::Unknown);
            return outside.into_iter().collect();
        };
        let mut held = BTreeSet::new();
        initial.walk(&mut |part| match part {
            Constant::Symbol { name, .. } if program.function(name).is_some() => {}
            Constant::Symbol { .. } => match globals.resolve(part) {
                Some((name, _)) if is_constant(&name) => drop(held.insert(Base::Global(name))),
                Some((name, _)) if is_of_type_information(&name) => {}
                _ => drop(held.insert(Base::Unknown)),
            },
            Constant::Opaque { .. } => drop(held.insert(Base::Unknown)),
            _ => {}
        });
        held
    };
    let constants = program.globals.iter().filter(|global| global.constant);
    constants.map(|global| (global.name.clone(), read(global))).collect()
}

fn extend(set: &mut BTreeSet<Base>, more: BTreeSet<Base>) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}

fn find_remade(function: &Function, flow: &Flow) -> BTreeSet<ValueId> {
    let mut remade = BTreeSet::new();
    for block in function.block_ids() {
        let slots = function.block(block).insts.iter().filter(|id| {
            let slot = function.inst(**id).filter(|inst| matches!(inst.op, Op::Alloca(_)));
            slot.is_some_and(|slot| flow.is_cyclic(block) || slot.operands[0].value().is_some())
        });
        remade.extend(slots);
    }
    remade
}
