//! Pointers that come from out of sight, and might lead into a global whose shadow is ours.
//!
//! The derivative of what lies behind such a pointer is where the pointer's shadow says; that of the global is in the
//! shadow that we made. Where both are the same memory and the shadows are not, a derivative would be lost. That cannot
//! be seen at compile time, so the derivative compares when it runs, and ends with a message.

use std::collections::{BTreeMap, BTreeSet};

use super::globals::GlobalShadow;
use super::{Decision, asks_shadow};
use crate::analyses::activity::Activity;
use crate::analyses::carriers::find_carriers;
use crate::analyses::descriptors::find_descriptors;
use crate::analyses::finds::given_pointers;
use crate::analyses::looked::looked_behind;
use crate::analyses::memory_calls::{memory_call, touched_pointers};
use crate::analyses::pointers::Base;
use crate::model::{Function, GlobalDerivative, Inst, Layout, Op, Operand, Program, Type, ValueId};

/// What is compared when a pointer arrives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrival {
    /// If it leads into this global, then its shadow leads to the same place in the global's.
    Belongs(String),
    /// It does not lead into this global, which has no shadow.
    Outside(String),
    /// It has a shadow, unless it is null.
    HasShadow,
    /// If it leads into an array that was found in a global when the outermost derivative began, then its shadow leads to the
    /// same place in what was made for that.
    Elements,
}

pub fn plan_arrivals(
    function: &Function,
    program: &Program,
    activity: &Activity,
    globals: &BTreeMap<String, Decision<GlobalShadow>>,
) -> BTreeMap<ValueId, Vec<Arrival>> {
    let made = |name: &&String| is_ours(&globals[*name].choice);
    let exposed = |name: &&String| program.global(name).is_some_and(|global| global.is_exposed());
    let mut exposed: Vec<Arrival> =
        globals.keys().filter(made).filter(exposed).cloned().map(Arrival::Belongs).collect();
    let described: BTreeSet<&String> =
        globals.keys().filter(made).filter(|name| holds_descriptors(program, name)).collect();
    if !described.is_empty() {
        exposed.push(Arrival::Elements);
    }
    let touched = find_touched(function, program, activity);
    let without = |id: ValueId| match activity.is_value_shadowed(id) {
        true => globals_without_shadow(program, activity, &touched),
        false => Vec::new(),
    };
    let arrivals = function.param_ids().chain(function.inst_ids());
    let arrivals = arrivals.filter(|id| function.value_type(*id).is_pointer()).filter_map(|id| {
        let arrivals = match function.inst(id) {
            None if touched.derived.contains(&Base::Param(id)) => [exposed.clone(), without(id)].concat(),
            Some(_) if touched.derived.contains(&Base::Returned(id)) => exposed.clone(),
            Some(inst) if matches!(inst.op, Op::Load(_)) => {
                compare_load(id, inst, activity, globals, &touched, (&exposed, &described))
            }
            _ => Vec::new(),
        };
        (!arrivals.is_empty()).then_some((id, arrivals))
    });
    arrivals.collect()
}

/// Whether a shadow is made for this call, here or by who calls. Others are the same wherever the global is found.
fn is_ours(shadow: &GlobalShadow) -> bool {
    !matches!(shadow, GlobalShadow::Declared(_) | GlobalShadow::Itself)
}

fn holds_descriptors(program: &Program, name: &str) -> bool {
    let layout = Layout::parse(&program.layout);
    program
        .global(name)
        .is_some_and(|global| !global.constant && !find_descriptors(global, &layout).is_empty())
}

/// Globals of floats that are used by name and not active: an argument with a shadow must not be one of them.
fn globals_without_shadow(program: &Program, activity: &Activity, touched: &Touched) -> Vec<Arrival> {
    let names =
        touched.derived.iter().filter(|base| !activity.has_shadow(base)).filter_map(|base| match base {
            Base::Global(name) => program.global(name),
            _ => None,
        });
    let used = names.filter(|global| {
        !global.constant && global.is_exposed() && global.derivative == GlobalDerivative::Made
    });
    used.map(|global| Arrival::Outside(global.name.clone())).collect()
}

fn compare_load(
    id: ValueId,
    inst: &Inst,
    activity: &Activity,
    globals: &BTreeMap<String, Decision<GlobalShadow>>,
    touched: &Touched,
    (exposed, described): (&[Arrival], &BTreeSet<&String>),
) -> Vec<Arrival> {
    let found = Base::Loaded(id);
    let places = activity.bases(&inst.operands[0]);
    let mut arrivals = Vec::new();
    // What this call put into memory of its own was compared when it arrived.
    if touched.derived.contains(&found) && places.iter().any(|place| !place.is_local()) {
        arrivals.extend_from_slice(exposed);
    }
    // What stands there was found on entry, or was compared when it arrived.
    let from_described = |place: &Base| match place {
        Base::Global(name) => described.contains(name),
        place => place.is_local(),
    };
    if places.iter().all(from_described) {
        arrivals.retain(|arrival| *arrival != Arrival::Elements);
    }
    let ours = |place: &Base| match place {
        Base::Global(name) => globals.get(name).is_some_and(|shadow| is_ours(&shadow.choice)),
        _ => false,
    };
    if touched.shadows.contains(&found) && activity.has_shadow(&found) && places.iter().any(ours) {
        arrivals.push(Arrival::HasShadow);
    }
    arrivals
}

/// The places that a function touches.
struct Touched {
    /// Where anything that may be derived is read or written.
    derived: BTreeSet<Base>,
    /// Whose shadows the derivative reads or writes.
    shadows: BTreeSet<Base>,
}

fn find_touched(function: &Function, program: &Program, activity: &Activity) -> Touched {
    let carriers = find_carriers(function, program);
    let mut touched = Touched { derived: BTreeSet::new(), shadows: BTreeSet::new() };
    for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
        let may_be_float = |ty: &Type, value: ValueId| {
            ty.holds_float() || matches!(ty.scalar(), Type::Int(_)) && carriers.contains(&value)
        };
        let (pointers, derived, shadows): (Vec<Operand>, bool, bool) = match &inst.op {
            Op::Load(_) => {
                let float = may_be_float(&inst.ty, id);
                let followed = inst.ty.holds_pointer() && activity.is_value_shadowed(id);
                (vec![inst.operands[0].clone()], float, float || followed)
            }
            Op::Store(_) => {
                let ty = function.operand_type(&inst.operands[0]);
                let float = asks_shadow(id, inst, function, activity);
                let followed = ty.holds_pointer() && activity.is_shadowed(&inst.operands[0]);
                (vec![inst.operands[1].clone()], float || !ty.holds_pointer(), float || followed)
            }
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } => (vec![inst.operands[0].clone()], true, true),
            _ => match memory_call(inst) {
                Some(call) => (touched_pointers(inst, call), true, true),
                // A callee takes what it is given as it is, where it looks behind it at all.
                None => {
                    let looked: Vec<&Operand> = looked_behind(program, inst).collect();
                    let mut given = given_pointers(function, program, inst);
                    given.retain(|pointer| looked.contains(&pointer));
                    (given, true, false)
                }
            },
        };
        for base in pointers.iter().flat_map(|pointer| activity.bases(pointer)) {
            if derived {
                touched.derived.insert(base.clone());
            }
            if shadows {
                touched.shadows.insert(base);
            }
        }
    }
    touched
}
