//! Memory made here in which code that nobody sees may leave a pointer of its own, as the checker knows it.
//!
//! Follows each allocation to where it is handed over, into the functions that are called, too.

use std::collections::BTreeSet;

use super::memory_calls::{MemoryCall, memory_call};
use super::taped::is_record;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::is_known_inactive;

/// What becomes of an address.
#[derive(Clone, Copy, Default)]
struct Fate {
    /// Code out of sight has it.
    left: bool,
    /// Pointers are put there in sight.
    kept: bool,
}

/// Whether what a load finds in that memory may have been left there.
pub fn is_left_outside(function: &Function, program: &Program, memory: ValueId) -> bool {
    let fate = fate(function, program, memory, &mut BTreeSet::new());
    let pointer = |inst: &Inst| matches!(&inst.op, Op::Alloca(slot) if slot.allocated.is_pointer());
    fate.left && (!fate.kept || function.inst(memory).is_some_and(pointer))
}

fn fate<'a>(
    function: &'a Function,
    program: &'a Program,
    from: ValueId,
    walked: &mut BTreeSet<(&'a str, ValueId)>,
) -> Fate {
    let mut fate = Fate::default();
    if !walked.insert((&function.name, from)) {
        return fate;
    }
    let addresses = addresses(function, from);
    let is_address = |x: &Operand| x.value().is_some_and(|id| addresses.contains(&id));
    for inst in &function.insts {
        match &inst.op {
            Op::Store(_) if is_address(&inst.operands[1]) => {
                let nothing = matches!(inst.operands[0], Operand::Const(Constant::Null(_)));
                fate.kept |= !nothing && function.operand_type(&inst.operands[0]).holds_pointer();
            }
            _ if inst.op.call().is_none() => {}
            _ if memory_call(inst) == Some(MemoryCall::Copy) => fate.kept |= is_address(&inst.operands[0]),
            _ => {
                let given = inst.arguments().iter().enumerate().filter(|(_, x)| is_address(x));
                for (at, _) in given {
                    let seen = inst.callee_name().filter(|name| program.is_followed(name));
                    fate.kept |= seen.is_some();
                    fate.left |= match seen.and_then(|name| program.function(name)) {
                        Some(callee) if !program.is_declared_inactive(inst) => {
                            fate_of_param(callee, program, at, walked)
                        }
                        _ => is_out_of_sight(inst, program, at),
                    };
                }
            }
        }
    }
    fate
}

fn fate_of_param<'a>(
    callee: &'a Function,
    program: &'a Program,
    at: usize,
    walked: &mut BTreeSet<(&'a str, ValueId)>,
) -> bool {
    at < callee.params.len() && fate(callee, program, ValueId(at as u32), walked).left
}

/// The values that are an address in the same memory.
fn addresses(function: &Function, from: ValueId) -> BTreeSet<ValueId> {
    let mut found = BTreeSet::from([from]);
    loop {
        let count = found.len();
        for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            let goes_on = match &inst.op {
                Op::Gep(_) => &inst.operands[..1],
                Op::Phi { .. }
                | Op::Select
                | Op::Freeze
                | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => &inst.operands[..],
                _ => &[],
            };
            if goes_on.iter().any(|x| x.value().is_some_and(|id| found.contains(&id))) {
                found.insert(id);
            }
        }
        if found.len() == count {
            return found;
        }
    }
}

/// Whether nobody sees what a call does to the memory that it is given there, and it is not known to leave no pointers.
fn is_out_of_sight(call: &Inst, program: &Program, at: usize) -> bool {
    let Some(name) = call.callee_name() else { return true };
    let attributes =
        program.function(name).and_then(|callee| callee.params.get(at)).map(|param| &param.attributes);
    let read = attributes.is_some_and(|all| all.iter().any(|text| text == "readonly" || text == "readnone"));
    let known = memory_call(call).is_some() || is_record(call) || name.starts_with("llvm.");
    !read && !known && !is_known_inactive(program.known_name(name))
}
