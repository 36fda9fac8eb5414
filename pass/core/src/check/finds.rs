//! A function that touches numbers behind pointers from out of sight may touch whatever variable such a pointer may lead into.

use std::collections::BTreeSet;

use super::elements::holds_descriptor;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use crate::model::{Function, GlobalDerivative, Inst, Linkage, Op, Operand, Program, ValueId};

/// Those variables, where there is such an instruction; none where there is not.
pub fn reached_by_finding(function: &Function, program: &Program, places: &Places) -> BTreeSet<String> {
    let insts = || function.inst_ids().filter_map(|id| function.inst(id));
    let from_outside = |load: ValueId| {
        let own = |place: &Place| matches!(place, Place::Slot(_) | Place::Made(_));
        function.inst(load).is_some_and(|load| !places.lead(&load.operands[0]).iter().all(own))
    };
    let unseen = |place: Place| match place {
        Place::Found(load) => from_outside(load),
        Place::Returned(_) | Place::Outside => true,
        _ => false,
    };
    let finds = |inst: &Inst| {
        touched_by(function, program, inst).iter().any(|x| places.lead(x).into_iter().any(unseen))
    };
    if !insts().any(finds) {
        return BTreeSet::new();
    }
    let open = program.globals.iter().filter(|global| {
        let named = global.linkage != Linkage::Local || global.address_taken;
        let made = !global.constant && global.derivative == GlobalDerivative::Made;
        made && (named && global.ty.holds_float() || holds_descriptor(program, global))
    });
    open.map(|global| global.name.clone()).collect()
}

/// The pointers behind which numbers are read or written, here or by what is called.
fn touched_by<'a>(function: &Function, program: &Program, inst: &'a Inst) -> &'a [Operand] {
    match (&inst.op, memory_call(inst)) {
        (Op::Load(_), _) if inst.ty.holds_float() => &inst.operands[..1],
        (Op::Store(_), _) if function.operand_type(&inst.operands[0]).holds_float() => &inst.operands[1..2],
        (_, Some(MemoryCall::Copy)) => &inst.operands[..2],
        (_, Some(MemoryCall::Fill)) => &inst.operands[..1],
        _ if calls_body(program, inst) => inst.arguments(),
        _ => &[],
    }
}

/// Whether an instruction calls a function that is seen, and that the user did not declare inactive.
pub fn calls_body(program: &Program, inst: &Inst) -> bool {
    let body = inst.callee_name().and_then(|name| program.function(name));
    body.is_some_and(|body| !body.blocks.is_empty() && program.is_followed(&body.name))
        && !program.is_declared_inactive(inst)
}
