//! Memory that is freed in the reverse sweep was made by this call, and nobody else can have found it.
//!
//! Two relations grow together until neither does: which memory lies, by its address, in which; and which memory a
//! pointer that was found leads to. All memory that this call did not make is one: [`Place::Outside`].

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::atomic_counts::is_atomic_count;
use super::globals::target_of;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places, is_own_copy};
use crate::model::{Constant, Function, Global, Inst, Op, Operand, Program, ValueId};
use crate::plan::Plan;
use crate::rules::{CalleeRule, Rules, Shape};

#[derive(Default)]
pub struct Owned {
    /// In the first lies the address of the second.
    holds: BTreeSet<(Place, Place)>,
    /// Globals that are never written to, and the memory that they name.
    fixed: BTreeMap<String, BTreeSet<Place>>,
    /// What a load found may be the address of the place, for each load.
    found: BTreeMap<ValueId, BTreeSet<Place>>,
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
        let outside = (Place::Outside, Place::Outside);
        let fixed = program.globals.iter().filter(|global| global.constant);
        let fixed = fixed.map(|global| (global.name.clone(), named_in(program, global))).collect();
        let mut owned = Owned { holds: BTreeSet::from([outside]), fixed, ..Owned::default() };
        let insts: Vec<(ValueId, &Inst)> = function
            .inst_ids()
            .filter_map(|id| Some((id, function.inst(id)?)))
            .filter(|(_, inst)| matches!(inst.op, Op::Load(_) if inst.ty.holds_pointer()) || passes_on(inst))
            .collect();
        // By the name of the callee: what it and all that it calls do is the same at every call.
        let mut moves: BTreeMap<Option<&str>, Moves> = BTreeMap::new();
        for (_, call) in insts.iter().filter(|(id, _)| plan.calls.contains_key(id)) {
            moves.entry(call.callee_name()).or_insert_with(|| moved_by_callee(call, program, rules));
        }
        loop {
            let mut grew = false;
            for (id, inst) in &insts {
                let lead = |x: &Operand| owned.memories(&places.lead(x));
                if let Op::Load(_) = inst.op {
                    let inside = owned.inside(&lead(&inst.operands[0]));
                    let found = owned.found.entry(*id).or_default();
                    let before = found.len();
                    found.extend(inside);
                    grew |= found.len() > before;
                    continue;
                }
                let (what, to) = match plan.calls.contains_key(id) {
                    true => owned.moved_by_call(inst, moves[&inst.callee_name()], &lead),
                    false => owned.moved(inst, function, &lead),
                };
                for place in &to {
                    for what in &what {
                        grew |= owned.holds.insert((place.clone(), what.clone()));
                    }
                }
            }
            if !grew {
                return owned;
            }
        }
    }

    /// What an instruction puts where.
    fn moved(
        &self,
        inst: &Inst,
        function: &Function,
        lead: &dyn Fn(&Operand) -> BTreeSet<Place>,
    ) -> (BTreeSet<Place>, BTreeSet<Place>) {
        match (&inst.op, memory_call(inst)) {
            (Op::Store(_), _) => (lead(&inst.operands[0]), lead(&inst.operands[1])),
            (_, Some(MemoryCall::Copy)) => (self.inside(&lead(&inst.operands[1])), lead(&inst.operands[0])),
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) if is_atomic_count(function, inst) => {
                Default::default()
            }
            (Op::Ret | Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) => {
                (inst.operands.iter().flat_map(lead).collect(), BTreeSet::from([Place::Outside]))
            }
            _ => Default::default(),
        }
    }

    fn moved_by_call(
        &self,
        call: &Inst,
        moves: Moves,
        lead: &dyn Fn(&Operand) -> BTreeSet<Place>,
    ) -> (BTreeSet<Place>, BTreeSet<Place>) {
        let moves = match call.ty.holds_pointer() {
            true => Moves::Addresses,
            false => moves,
        };
        let mut given = self.all_inside(&call.arguments().iter().flat_map(lead).collect());
        let moved = match moves {
            Moves::Nothing => return Default::default(),
            Moves::Bytes => self.inside(&given),
            Moves::Addresses => given.clone(),
        };
        given.insert(Place::Outside);
        (moved, given)
    }

    /// The memory behind names: this call's own, or everybody else's.
    fn memories(&self, names: &BTreeSet<Place>) -> BTreeSet<Place> {
        let mut memories = BTreeSet::new();
        for name in names {
            match name {
                Place::Slot(_) | Place::Made(_) => drop(memories.insert(name.clone())),
                Place::Found(load) => memories.extend(self.found.get(load).into_iter().flatten().cloned()),
                Place::Global(global) if self.fixed.contains_key(global) => {
                    memories.insert(name.clone());
                }
                Place::Param(_) | Place::Returned(_) | Place::Global(_) | Place::Outside => {
                    memories.insert(Place::Outside);
                }
            }
        }
        memories
    }

    fn inside(&self, places: &BTreeSet<Place>) -> BTreeSet<Place> {
        let held = |place: &Place| self.holds.range((place.clone(), Place::Param(ValueId(0)))..);
        let mut inside: BTreeSet<Place> = places
            .iter()
            .flat_map(|place| held(place).take_while(move |(holder, _)| holder == place))
            .map(|(_, what)| what.clone())
            .collect();
        for place in places {
            if let Place::Global(name) = place {
                inside.extend(self.fixed.get(name).into_iter().flatten().cloned());
            }
        }
        inside
    }

    fn all_inside(&self, places: &BTreeSet<Place>) -> BTreeSet<Place> {
        let mut all = places.clone();
        loop {
            let before = all.len();
            all.extend(self.inside(&all));
            if all.len() == before {
                return all;
            }
        }
    }
}

impl Proof<'_> {
    /// Whether others may find what an allocating call made.
    pub fn is_found_by_others(&self, made: ValueId) -> bool {
        let outside = BTreeSet::from([Place::Outside]);
        self.owned.all_inside(&outside).contains(&Place::Made(made))
    }

    /// The memory that can be found from these places, and they themselves.
    pub fn reached_from(&self, places: &BTreeSet<Place>) -> BTreeSet<Place> {
        self.owned.all_inside(places)
    }

    /// Whether a pointer leads to this call's memory only.
    pub fn is_ours(&self, pointer: &Operand) -> bool {
        !self.made_behind(pointer).contains(&Place::Outside)
    }

    /// The memory that a pointer may lead to.
    pub fn made_behind(&self, pointer: &Operand) -> BTreeSet<Place> {
        self.owned.memories(&self.places.lead(pointer))
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

/// Whether an instruction may put addresses somewhere.
fn passes_on(inst: &Inst) -> bool {
    let stores =
        matches!(inst.op, Op::Store(_) | Op::Ret | Op::AtomicRmw { .. } | Op::CompareExchange { .. });
    stores || inst.op.call().is_some()
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
