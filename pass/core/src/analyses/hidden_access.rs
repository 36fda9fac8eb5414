//! Calls of code out of sight while globals are active: it may read or write them, and nobody would know.

use super::activity::{Activity, Pass};
use super::meaning::Meaning;
use super::memory_calls::memory_call;
use super::pointers::Base;
use crate::model::{GlobalDerivative, Inst, Program};
use crate::rules::only_reads_for_program;

/// An active global that a call may touch without being given a pointer to it.
pub fn find_hidden_access<'a>(pass: &Pass, inst: &Inst, activity: &'a Activity) -> Option<&'a str> {
    let mut globals = activity.memory().filter_map(|base| match base {
        Base::Global(name) => Some(name.as_str()),
        _ => None,
    });
    let first = globals.next()?;
    let unknown = match pass.meaning(inst) {
        Meaning::Call(_) => pass.effect_of(inst).is_none_or(|effect| effect.leaves),
        Meaning::Foreign(_) => memory_call(inst).is_none() && !keeps_to_arguments(pass.program, inst),
        _ => false,
    };
    if !unknown {
        return None;
    }
    // Nobody writes into a constant, so that whoever reads it, as what is known of a type, misses no derivative: unless the user has
    // declared one. A variable to which it leads is looked at by itself.
    let is_constant = |name: &str| {
        let known = pass.globals.get(name);
        known.is_some_and(|global| {
            global.constant && !matches!(global.derivative, GlobalDerivative::Declared(_))
        })
    };
    let bare = pass.globals.without_floats();
    // What nobody outside of this file can name, and whose address is kept nowhere, a library does not find.
    let in_library = only_reads_for_program(inst);
    let is_hidden =
        |name: &str| in_library && pass.globals.get(name).is_some_and(|global| !global.is_exposed());
    let is_met = |name: &&str| !is_constant(name) && !bare.contains(*name) && !is_hidden(name);
    std::iter::once(first).chain(globals).find(is_met)
}

/// Whether the attributes of a call say that it touches nothing but what its arguments point to, and memory that the
/// program cannot see.
pub fn keeps_to_arguments(program: &Program, inst: &Inst) -> bool {
    let of_callee = inst.callee_name().and_then(|name| program.function(name));
    let of_callee = of_callee.into_iter().flat_map(|function| &function.attributes);
    let of_call = inst.op.call().into_iter().flat_map(|call| &call.attributes);
    of_callee.chain(of_call).filter_map(|text| text.strip_prefix("memory(")?.strip_suffix(')')).any(
        |places| {
            places == "none"
                || places.split(", ").all(|place| place.contains(": ") && !place.starts_with("target_mem"))
        },
    )
}
