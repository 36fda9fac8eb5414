//! Memory of a function whose pointers code out of sight leaves there: `get_workspace(&work)`, `sscanf(text, "%p", &at)`.
//!
//! Function + program → the allocations. Where such a pointer leads nobody knows. A variable that holds a pointer and nothing
//! else is handed over to be filled; larger memory is, where nobody here puts a pointer into it. Else what is handed over
//! holds what was put there: code that the user declared inactive leaves pointers to active memory as they are, and to
//! other code nothing active is handed.
//! Safe error: too many.

use std::collections::BTreeSet;

use super::memory_calls::{MemoryCall, memory_call};
use super::tape_records::record_call;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::is_known_inactive;

pub fn find_filled_outside(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let made_here = |id: &ValueId| function.inst(*id).is_some_and(is_made_here);
    let finds = |inst: &&Inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer();
    let found = function.insts.iter().filter(finds).flat_map(|load| roots(function, &load.operands[0]));
    let mut asked_of: BTreeSet<ValueId> = found.filter(made_here).collect();
    if asked_of.is_empty() {
        return asked_of;
    }
    let kept: BTreeSet<ValueId> =
        function.insts.iter().flat_map(|inst| filled_here(function, program, inst)).collect();
    asked_of.retain(|id| !kept.contains(id) || function.inst(*id).is_some_and(holds_one_pointer));
    let mut filled = BTreeSet::new();
    for inst in function.insts.iter().filter(|inst| inst.op.call().is_some()) {
        for (at, argument) in inst.arguments().iter().enumerate() {
            let mut given = roots(function, argument);
            given.retain(|id| asked_of.contains(id) && !filled.contains(id));
            if !given.is_empty() && fills(program, inst, at, &mut BTreeSet::new()) {
                filled.extend(given);
            }
        }
    }
    filled
}

fn is_made_here(inst: &Inst) -> bool {
    matches!(inst.op, Op::Alloca(_)) || matches!(memory_call(inst), Some(MemoryCall::Allocate { .. }))
}

fn holds_one_pointer(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Alloca(alloca) if alloca.allocated.is_pointer())
}

/// Whether code out of sight may leave a pointer in the memory that a call is given there.
pub(super) fn fills<'a>(
    program: &'a Program,
    call: &Inst,
    at: usize,
    asked: &mut BTreeSet<(&'a str, usize)>,
) -> bool {
    let Some(name) = call.callee_name() else { return true };
    if program.is_followed(name) && !program.is_declared_inactive(call) {
        return program.function(name).is_some_and(|callee| hands_on(program, callee, at, asked));
    }
    let of_library = memory_call(call).is_some() || record_call(call).is_some() || name.starts_with("llvm.");
    !of_library && !is_known_inactive(program.known_name(name)) && !only_reads(program, name, at)
}

/// Whether a function hands what it is given there to such code.
fn hands_on<'a>(
    program: &'a Program,
    callee: &'a Function,
    at: usize,
    asked: &mut BTreeSet<(&'a str, usize)>,
) -> bool {
    if !asked.insert((&callee.name, at)) {
        return false;
    }
    // What is given beyond the parameters is found by means of a list, which nobody follows.
    if at >= callee.params.len() {
        return true;
    }
    let param = ValueId(at as u32);
    callee.insts.iter().filter(|inst| inst.op.call().is_some()).any(|inst| {
        let given =
            (0..).zip(inst.arguments()).filter(|(_, argument)| roots(callee, argument).contains(&param));
        given.map(|(at, _)| at).collect::<Vec<usize>>().into_iter().any(|at| fills(program, inst, at, asked))
    })
}

fn only_reads(program: &Program, callee: &str, at: usize) -> bool {
    let param = program.function(callee).and_then(|function| function.params.get(at));
    param.is_some_and(|param| param.attributes.iter().any(|text| text == "readonly" || text == "readnone"))
}

/// The memory into which an instruction puts pointers that are seen here.
fn filled_here(function: &Function, program: &Program, inst: &Inst) -> BTreeSet<ValueId> {
    let null = |value: &Operand| matches!(value, Operand::Const(Constant::Null(_)));
    match &inst.op {
        Op::Store(_)
            if function.operand_type(&inst.operands[0]).holds_pointer() && !null(&inst.operands[0]) =>
        {
            roots(function, &inst.operands[1])
        }
        Op::Call(_) | Op::Invoke { .. } => {
            let copied = memory_call(inst) == Some(MemoryCall::Copy);
            let called = inst.callee_name().is_some_and(|name| program.is_followed(name));
            let places = if copied { &inst.arguments()[..1] } else { inst.arguments() };
            let places = places.iter().filter(|_| copied || called);
            places.flat_map(|place| roots(function, place)).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The values that an address is counted from.
fn roots(function: &Function, address: &Operand) -> BTreeSet<ValueId> {
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting: Vec<ValueId> = address.value().into_iter().collect();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let from: &[Operand] = match function.inst(id) {
            Some(Inst { op: Op::Gep(_), operands, .. }) => &operands[..1],
            Some(Inst { op: Op::Select, operands, .. }) => &operands[1..],
            Some(Inst { op: Op::Phi { .. } | Op::Freeze, operands, .. }) => operands,
            Some(Inst { op: Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast), operands, .. }) => operands,
            _ => {
                found.insert(id);
                continue;
            }
        };
        waiting.extend(from.iter().filter_map(Operand::value));
    }
    found
}
