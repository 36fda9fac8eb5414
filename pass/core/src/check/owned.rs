//! Memory that is freed in the reverse sweep was made by this call, and nobody else can have found it.
//!
//! Two relations grow together until neither does: which memory lies, by its address, in which; and which memory a
//! pointer that was found leads to. All memory that this call did not make is one: [`Place::Outside`].

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::atomic_counts::is_atomic_count;
use super::globals::target_of;
use super::memory_calls::{MemoryCall, memory_call};
use super::numbered::{Numbers, Set};
use super::places::{Place, Places, is_own_copy};
use crate::model::{Constant, Function, Global, Inst, Op, Operand, Program, ValueId};
use crate::plan::Plan;
use crate::rules::{CalleeRule, Rules, Shape};

/// Places are numbers and sets of them bits, since there may be thousands of each.
#[derive(Default)]
pub struct Owned {
    numbers: Numbers,
    /// In each lie the addresses of these, from the start or later.
    holds: Vec<Set>,
    /// Globals that are never written to.
    fixed: BTreeSet<String>,
    /// What a load found may be the address of the place, for each load.
    found: BTreeMap<ValueId, Set>,
    /// What others can find.
    outside: Set,
}

/// Where a pointer leads: to memory that is known by its name, and to what loads found.
#[derive(Clone, Default)]
struct Lead {
    named: Set,
    found: Vec<ValueId>,
}

/// What an instruction does with addresses.
enum Step {
    /// Of what it finds the address, and where.
    Find(ValueId, Lead),
    /// What it puts, and where.
    Put(Lead, Lead),
    /// From where it copies, and where to.
    Copy(Lead, Lead),
    /// What is given to others who move these.
    Give(Moves, Lead),
}

/// What a callee may do with addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moves {
    Nothing,
    /// Those that lie in memory.
    Bytes,
    /// Those that it was given, too.
    Addresses,
}

impl Owned {
    pub fn of(function: &Function, program: &Program, rules: &Rules, places: &Places, plan: &Plan) -> Owned {
        let mut owned = Owned::default();
        let outside = owned.number(&Place::Outside);
        owned.holds[outside].insert(outside);
        for global in program.globals.iter().filter(|global| global.constant) {
            let holder = owned.number(&Place::Global(global.name.clone()));
            for held in named_in(program, global) {
                let held = owned.number(&held);
                owned.holds[holder].insert(held);
            }
            owned.fixed.insert(global.name.clone());
        }
        let mut moves: BTreeMap<Option<&str>, Moves> = BTreeMap::new();
        let mut steps = Vec::new();
        for id in function.inst_ids() {
            let Some(inst) = function.inst(id) else { continue };
            let step = match plan.calls.contains_key(&id) {
                true => {
                    // What the callee and all that it calls do is the same at every call.
                    let known = moves.entry(inst.callee_name());
                    let by_body = *known.or_insert_with(|| moved_by_callee(inst, program, rules));
                    let returned = inst.ty.holds_pointer();
                    let moves = if returned { Moves::Addresses } else { by_body };
                    Some(Step::Give(moves, owned.lead_all(inst.arguments(), places)))
                }
                false => owned.step(id, inst, function, places),
            };
            steps.extend(step);
        }
        while steps.iter().filter(|step| owned.take(step)).count() > 0 {}
        owned.outside = owned.all_inside(owned.only_outside());
        owned
    }

    fn number(&mut self, place: &Place) -> usize {
        let number = self.numbers.number(place);
        if self.holds.len() <= number {
            self.holds.resize_with(number + 1, Set::default);
        }
        number
    }

    /// Memory that this call did not make is the first that has a number.
    fn only_outside(&self) -> Set {
        self.numbers.known(&BTreeSet::from([Place::Outside]))
    }

    fn lead_all(&mut self, pointers: &[Operand], places: &Places) -> Lead {
        let mut lead = Lead::default();
        for place in pointers.iter().flat_map(|x| places.lead(x)) {
            match self.memory(&place) {
                Memory::Found(load) => lead.found.push(load),
                Memory::Outside => {
                    lead.named.unite(&self.only_outside());
                }
                Memory::Own => {
                    let number = self.number(&place);
                    lead.named.insert(number);
                }
            }
        }
        lead
    }

    fn step(&mut self, id: ValueId, inst: &Inst, function: &Function, places: &Places) -> Option<Step> {
        let mut lead = |operands: &[Operand]| self.lead_all(operands, places);
        match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) if inst.ty.holds_pointer() => Some(Step::Find(id, lead(&inst.operands[..1]))),
            (Op::Store(_), _) => Some(Step::Put(lead(&inst.operands[..1]), lead(&inst.operands[1..2]))),
            (_, Some(MemoryCall::Copy)) => {
                Some(Step::Copy(lead(&inst.operands[1..2]), lead(&inst.operands[..1])))
            }
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) if is_atomic_count(function, inst) => None,
            (Op::Ret | Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) => {
                let put = lead(&inst.operands);
                Some(Step::Put(put, Lead { named: self.only_outside(), found: Vec::new() }))
            }
            _ => None,
        }
    }

    /// Whether anything was found or put somewhere that was not known.
    fn take(&mut self, step: &Step) -> bool {
        match step {
            Step::Find(load, from) => {
                let inside = self.inside(&self.memories(from));
                self.found.entry(*load).or_default().unite(&inside)
            }
            Step::Put(what, to) => self.put(&self.memories(what), &self.memories(to)),
            Step::Copy(from, to) => self.put(&self.inside(&self.memories(from)), &self.memories(to)),
            Step::Give(Moves::Nothing, _) => false,
            Step::Give(moves, given) => {
                let mut given = self.all_inside(self.memories(given));
                let moved = if *moves == Moves::Bytes { self.inside(&given) } else { given.clone() };
                given.unite(&self.only_outside());
                self.put(&moved, &given)
            }
        }
    }

    fn put(&mut self, what: &Set, to: &Set) -> bool {
        to.iter().filter(|place| self.holds[*place].unite(what)).count() > 0
    }

    /// The memory behind a pointer: this call's own, or everybody else's.
    fn memories(&self, lead: &Lead) -> Set {
        let mut memories = lead.named.clone();
        for found in lead.found.iter().filter_map(|load| self.found.get(load)) {
            memories.unite(found);
        }
        memories
    }

    fn memory(&self, name: &Place) -> Memory {
        match name {
            Place::Slot(_) | Place::Made(_) => Memory::Own,
            Place::Found(load) => Memory::Found(*load),
            Place::Global(global) if self.fixed.contains(global) => Memory::Own,
            Place::Param(_) | Place::Returned(_) | Place::Global(_) | Place::Outside => Memory::Outside,
        }
    }

    fn inside(&self, places: &Set) -> Set {
        let mut inside = Set::default();
        for place in places.iter() {
            inside.unite(&self.holds[place]);
        }
        inside
    }

    fn all_inside(&self, places: Set) -> Set {
        let mut all = places;
        let mut waiting: Vec<usize> = all.iter().collect();
        while let Some(place) = waiting.pop() {
            waiting.extend(self.holds[place].iter().filter(|held| all.insert(*held)));
        }
        all
    }
}

/// Whose memory there is behind a name.
enum Memory {
    Own,
    Outside,
    Found(ValueId),
}

impl Proof<'_> {
    /// Whether others may find what an allocating call made.
    pub fn is_found_by_others(&self, made: ValueId) -> bool {
        let made = BTreeSet::from([Place::Made(made)]);
        self.owned.outside.meets(&self.owned.numbers.known(&made))
    }

    /// The memory that can be found from these places, and they themselves.
    pub fn reached_from(&self, places: &BTreeSet<Place>) -> BTreeSet<Place> {
        let owned = &self.owned;
        let reached = owned.all_inside(owned.numbers.known(places));
        places.iter().cloned().chain(owned.numbers.places(&reached)).collect()
    }

    /// Whether a pointer leads to this call's memory only.
    pub fn is_ours(&self, pointer: &Operand) -> bool {
        !self.made_behind(pointer).contains(&Place::Outside)
    }

    /// The memory that a pointer may lead to.
    pub fn made_behind(&self, pointer: &Operand) -> BTreeSet<Place> {
        let (owned, mut memories) = (&self.owned, BTreeSet::new());
        for name in self.places.lead(pointer) {
            match owned.memory(&name) {
                Memory::Own => drop(memories.insert(name)),
                Memory::Outside => drop(memories.insert(Place::Outside)),
                Memory::Found(load) => {
                    let found = owned.found.get(&load).into_iter();
                    memories.extend(found.flat_map(|found| owned.numbers.places(found)));
                }
            }
        }
        memories
    }

    /// A slot that each pass of a loop makes, or whose size is not known before.
    pub fn is_made_anew(&self, slot: ValueId) -> bool {
        let inst = self.function.inst(slot).filter(|inst| matches!(inst.op, Op::Alloca(_)));
        let again = self.paths.home(slot).is_some_and(|home| self.paths.repeats(home));
        inst.is_some_and(|inst| again || inst.operands[0].value().is_some())
    }
}

/// The memory whose addresses are in a global that is never written to; functions are none.
fn named_in(program: &Program, global: &Global) -> BTreeSet<Place> {
    let Some(value) = &global.initial else {
        // Compilers lay out tables of functions elsewhere as they do here.
        let of_functions =
            ["_ZTV", "_ZTI", "_ZTT", "_ZTC"].iter().any(|start| global.name.starts_with(start));
        return (!of_functions).then_some(Place::Outside).into_iter().collect();
    };
    let mut named = BTreeSet::new();
    let mut waiting = vec![value];
    while let Some(part) = waiting.pop() {
        match part {
            Constant::Aggregate { parts, .. } | Constant::Expr { operands: parts, .. } => {
                waiting.extend(parts)
            }
            Constant::Offset { base, .. } => waiting.push(base),
            Constant::Symbol { name, .. } => {
                let target = target_of(program, part).map(|(name, _)| name);
                let other = target.as_ref().and_then(|name| program.global(name));
                named.extend(match (program.function(name), other) {
                    (Some(_), _) => None,
                    (None, Some(other)) if other.constant => Some(Place::Global(other.name.clone())),
                    // The runtime's own tables of types lead to code.
                    (None, Some(other)) if other.name.starts_with("_ZTVN10__cxxabiv1") => None,
                    _ => Some(Place::Outside),
                });
            }
            Constant::Opaque { .. } => drop(named.insert(Place::Outside)),
            Constant::Int { .. } | Constant::Float { .. } | Constant::Null(_) => {}
            Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_) => {}
        }
    }
    named
}

/// Whether an address is that of a table of functions that a compiler has made.
fn is_address_of_table(program: &Program, address: &Operand) -> bool {
    let Operand::Const(constant) = address else { return false };
    let table = |name: &str| {
        let made = ["_ZTV", "_ZTI", "_ZTT", "_ZTC"].iter().any(|start| name.starts_with(start));
        made && program.global(name).is_some_and(|global| global.constant)
    };
    let target = target_of(program, constant).map(|(name, _)| name);
    target.is_some_and(|name| table(&name))
}

/// What a callee and all that it calls may do with addresses.
fn moved_by_callee(call: &Inst, program: &Program, rules: &Rules) -> Moves {
    let (mut seen, mut waiting, mut moves) = (BTreeSet::new(), vec![call.callee_name()], Moves::Nothing);
    while let Some(name) = waiting.pop() {
        let body =
            name.filter(|name| program.custom_rule(name).is_none()).and_then(|name| program.function(name));
        let Some(body) = body.filter(|body| !body.blocks.is_empty()) else { return Moves::Addresses };
        if !seen.insert(&body.name) {
            continue;
        }
        for inst in &body.insts {
            let found = match (&inst.op, memory_call(inst)) {
                (Op::Store(_), _) if !body.operand_type(&inst.operands[0]).holds_pointer() => Moves::Nothing,
                // Null is the address of nothing.
                (Op::Store(_), _) if matches!(&inst.operands[0], Operand::Const(Constant::Null(_))) => {
                    Moves::Nothing
                }
                (Op::Store(access), _)
                    if access.member && is_address_of_table(program, &inst.operands[0]) =>
                {
                    Moves::Nothing
                }
                (Op::Store(_) | Op::VaArg | Op::Opaque { .. }, _) => Moves::Addresses,
                (Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) if is_atomic_count(body, inst) => {
                    Moves::Nothing
                }
                (Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) => Moves::Addresses,
                (_, Some(MemoryCall::Copy)) => Moves::Bytes,
                (_, Some(_)) => Moves::Nothing,
                _ if inst.op.call().is_none() || is_harmless(inst, program, rules) => Moves::Nothing,
                _ => {
                    waiting.push(inst.callee_name());
                    Moves::Nothing
                }
            };
            moves = moves.max(found);
        }
    }
    moves
}

fn is_harmless(inst: &Inst, program: &Program, rules: &Rules) -> bool {
    let Some(name) = inst.callee_name() else { return false };
    let known = || match rules.lookup_callee(program.known_name(name)) {
        CalleeRule::Row(row) => !matches!(row.shape, Shape::Stored { .. }),
        CalleeRule::Inactive(_) | CalleeRule::Reduction(_) => true,
        CalleeRule::Unknown => false,
    };
    is_own_copy(inst) || program.is_declared_inactive(inst) || !program.is_followed(name) && known()
}
