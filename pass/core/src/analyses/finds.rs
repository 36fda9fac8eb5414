//! Functions that touch numbers behind pointers which they find in memory: a module's pointer, a member of what they are given.
//!
//! Function + program → whether, and the globals that such a pointer may lead into. Who knows these by name, and has made shadows
//! for them, cannot see what the pointer leads to: so the callee is handed the shadows and compares.
//! Safe error: too many.

use std::collections::BTreeSet;

use super::descriptors::find_descriptors;
use super::memory_calls::{memory_call, touched_pointers};
use super::pointers::{Base, Pointers};
use crate::model::{Function, GlobalDerivative, Inst, Layout, Op, Operand, Program};

pub fn touches_found(function: &Function, program: &Program, pointers: &Pointers) -> bool {
    let found = |pointer: &Operand| {
        let bases = pointers.of_operand(pointer);
        bases.iter().any(|base| matches!(base, Base::Loaded(_) | Base::Returned(_) | Base::Unknown))
    };
    let touches = |inst: &Inst| number_pointers(function, program, inst).iter().any(found);
    function.inst_ids().filter_map(|id| function.inst(id)).any(touches)
}

/// The pointers behind which an instruction, or what it calls, may touch numbers.
fn number_pointers(function: &Function, program: &Program, inst: &Inst) -> Vec<Operand> {
    match &inst.op {
        Op::Load(_) if inst.ty.holds_float() => inst.operands[..1].to_vec(),
        Op::Store(_) if function.operand_type(&inst.operands[0]).holds_float() => {
            inst.operands[1..2].to_vec()
        }
        _ => match memory_call(inst) {
            Some(call) => touched_pointers(inst, call),
            None => given_pointers(function, program, inst),
        },
    }
}

/// The pointers that a function with a body is called with.
pub fn given_pointers(function: &Function, program: &Program, call: &Inst) -> Vec<Operand> {
    let followed = call.callee_name().is_some_and(|name| program.is_followed(name));
    if !followed || program.is_declared_inactive(call) {
        return Vec::new();
    }
    let is_pointer = |x: &&Operand| function.operand_type(x).holds_pointer();
    call.arguments().iter().filter(is_pointer).cloned().collect()
}

/// The variables that a pointer found in memory may lead into, or into the elements of an array that they describe.
pub fn find_exposed(program: &Program) -> BTreeSet<String> {
    let layout = Layout::parse(&program.layout);
    let exposed = program.globals.iter().filter(|global| {
        !global.constant
            && global.derivative == GlobalDerivative::Made
            && (global.ty.holds_float() && global.is_exposed()
                || !find_descriptors(global, &layout).is_empty())
    });
    exposed.map(|global| global.name.clone()).collect()
}
