//! Pointers without a shadow that are stored into memory with one: the shadow of that place keeps what it held, and
//! who finds the pointer there later would take that for its shadow.
//!
//! Safe error: found again. What is not local may be the same memory under another name.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::carried::bare_place;
use super::globals::Globals;
use super::looked::looked_behind;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use super::standing::Standing;
use crate::model::{Function, Inst, Op, Operand, Program, ValueId};
use crate::request::Request;

/// Who finds pointers in memory. Nothing of it hangs on what is active, so it is found out once.
#[derive(Default)]
pub struct Finders {
    /// Loads of pointers behind which floats are accessed, by where they load from.
    loads: BTreeMap<Base, Vec<ValueId>>,
    /// Those of them that load from what is not local.
    open_loads: Vec<ValueId>,
    /// The memory that the callee of each call can find from its arguments: what it does there is not looked at.
    calls: BTreeMap<ValueId, BTreeSet<Base>>,
    /// What else pointers that are found may lead to.
    standing: Standing,
    /// Whether a derivative calls this one: it may look at whatever is left in memory.
    nested: bool,
    /// The places in records of halves at which pointers have shadows.
    carried: BTreeSet<String>,
    /// Globals from which no float can be reached, as tables of functions: nobody asks for their shadows.
    empty: BTreeSet<String>,
}

/// Whether a store puts a pointer where a load may find it, and floats are then accessed behind it.
pub fn is_found_again(function: &Function, activity: &Activity, store: &Inst) -> bool {
    let [value, pointer] = store.operands.as_slice() else { return false };
    if !function.operand_type(value).holds_pointer() || !activity.is_shadowed(pointer) {
        return false;
    }
    let (finders, places) = (activity.finders(), activity.bases(pointer));
    let places = finders.standing.with_names(places);
    // Who takes it back from there asks for no shadow.
    if bare_place(function, &finders.carried, store).is_some() {
        return false;
    }
    let found = |load: &ValueId| activity.has_shadow(&Base::Loaded(*load));
    places.iter().filter_map(|place| finders.loads.get(place)).flatten().any(found)
        || is_open(&places) && finders.open_loads.iter().any(found)
        || finders.calls.iter().any(|(call, reached)| activity.is_call(*call) && may_meet(&places, reached))
        || finders.nested && finders.may_be_missed(activity, value, &places)
}

impl Finders {
    /// `is_followed` says whether a call's callee has a derivative that is called in its place.
    pub fn of(
        (function, program): (&Function, &Program),
        pointers: &Pointers,
        is_followed: &dyn Fn(&Inst) -> bool,
        (request, globals): (&Request, &Globals),
    ) -> Finders {
        let mut finders = Finders {
            nested: request.nested,
            carried: request.carried.clone(),
            empty: globals.without_floats(),
            standing: Standing::of(function, pointers),
            ..Finders::default()
        };
        for load in find_float_loads(function, program, pointers, is_followed) {
            let Some(inst) = function.inst(load) else { continue };
            let places = finders.standing.with_names(pointers.of_operand(&inst.operands[0]));
            if is_open(&places) {
                finders.open_loads.push(load);
            }
            for place in places {
                finders.loads.entry(place).or_default().push(load);
            }
        }
        for call in function.inst_ids() {
            if let Some(inst) = function.inst(call).filter(|inst| is_followed(inst)) {
                let given = looked_behind(program, inst).flat_map(|argument| pointers.of_operand(argument));
                finders.calls.insert(call, finders.standing.reached_from(given.collect()));
            }
        }
        finders
    }

    /// Whether the caller may find a pointer in memory that outlasts the call, and want its shadow.
    fn may_be_missed(&self, activity: &Activity, value: &Operand, places: &BTreeSet<Base>) -> bool {
        let wanted = |base: &Base| match base {
            Base::Null => false,
            Base::Global(name) => !activity.has_shadow(base) && !self.empty.contains(name),
            _ => !activity.has_shadow(base),
        };
        let outlasts = places.iter().any(|place| !matches!(place, Base::Stack(_)));
        outlasts && activity.bases(value).iter().any(wanted)
    }
}

fn is_open(bases: &BTreeSet<Base>) -> bool {
    bases.iter().any(|base| !base.is_local())
}

fn may_meet(a: &BTreeSet<Base>, b: &BTreeSet<Base>) -> bool {
    !a.is_disjoint(b) || is_open(a) && is_open(b)
}

/// The loads behind whose pointers floats are accessed, here or by a callee, or that are freed, or behind pointers found
/// there.
fn find_float_loads(
    function: &Function,
    program: &Program,
    pointers: &Pointers,
    is_followed: &dyn Fn(&Inst) -> bool,
) -> BTreeSet<ValueId> {
    let (mut found, mut behind): (BTreeSet<ValueId>, BTreeMap<ValueId, Vec<ValueId>>) = Default::default();
    for id in function.inst_ids() {
        let Some(inst) = function.inst(id) else { continue };
        let some = |operands: &'_ [Operand]| operands.to_vec();
        let (accessed, floats) = match &inst.op {
            Op::Load(_) => (some(&inst.operands[..1]), inst.ty.holds_float()),
            Op::Store(_) => {
                (some(&inst.operands[1..2]), function.operand_type(&inst.operands[0]).holds_float())
            }
            Op::Call(_) if matches!(memory_call(inst), Some(MemoryCall::Copy)) => {
                (some(&inst.operands[..2]), true)
            }
            // What is freed is found by its shadow, too.
            Op::Call(_) if matches!(memory_call(inst), Some(MemoryCall::Fill | MemoryCall::Free { .. })) => {
                (some(&inst.operands[..1]), true)
            }
            Op::Call(_) if is_followed(inst) => (looked_behind(program, inst).cloned().collect(), true),
            _ => continue,
        };
        // What is put elsewhere is found there.
        if let Op::Store(_) = inst.op {
            let moved = pointers.of_operand(&inst.operands[0]).into_iter();
            found.extend(
                moved.filter_map(|base| if let Base::Loaded(load) = base { Some(load) } else { None }),
            );
        }
        for base in accessed.iter().flat_map(|pointer| pointers.of_operand(pointer)) {
            let Base::Loaded(load) = base else { continue };
            if floats {
                found.insert(load);
            } else if inst.ty.holds_pointer() {
                behind.entry(id).or_default().push(load);
            }
        }
    }
    let mut waiting: Vec<ValueId> = found.iter().copied().collect();
    while let Some(load) = waiting.pop() {
        waiting.extend(behind.get(&load).into_iter().flatten().filter(|above| found.insert(**above)));
    }
    found
}
