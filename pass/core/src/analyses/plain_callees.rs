//! Called functions that put no pointer into memory: they compute with numbers in what they are given, as a sort does that calls
//! itself, or also follow pointers there and free what they find, as who drops a tree does.
//!
//! Call + program → as what the callee, and all that it calls, reads and writes memory. One that reads no pointer comes to nothing
//! but what it was given. Where one of them stores a pointer, calls what is not seen with one, or copies from or to anything but what
//! it was given or has made, nothing is said.
//! Safe error: nothing.

use super::atomic_counts::counts_atomically;
use std::collections::BTreeSet;

use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{Function, Inst, Op, Program, Type};

/// Who is given a pointer and puts none anywhere, nor looks at a number: an end of the program with a message, where a pointer to a
/// function is none of those that are known, and who drops a text, as `free` drops memory.
const TOUCH_NOTHING: [&str; 3] = [
    "bs_rt_unknown_function",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED2Ev",
];

/// What is read or written, and at multiples of how many bytes.
pub type Touched = (Type, u64);

pub fn find_touched(call: &Inst, program: &Program) -> Option<Vec<Touched>> {
    let (mut seen, mut waiting, mut touched) = (BTreeSet::new(), vec![call.callee_name()?], Vec::new());
    while let Some(name) = waiting.pop() {
        if !seen.insert(name) {
            continue;
        }
        let body = program.function(name).filter(|body| !body.is_declaration());
        let body = body.filter(|_| program.custom_rule(name).is_none())?;
        let pointers = Pointers::of(body, program);
        for inst in &body.insts {
            waiting.extend(read(body, inst, program, &pointers, &mut touched)?);
        }
    }
    Some(touched)
}

/// The function that an instruction calls, if it is one to look into.
fn read<'a>(
    body: &Function,
    inst: &'a Inst,
    program: &Program,
    pointers: &Pointers,
    touched: &mut Vec<Touched>,
) -> Option<Option<&'a str>> {
    let (ty, align) = match &inst.op {
        Op::Load(access) => (inst.ty.clone(), access.align),
        Op::Store(access) => (body.operand_type(&inst.operands[0]), access.align),
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } if counts_atomically(body, inst) => {
            return Some(None);
        }
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. } => return None,
        op if op.call().is_some() => return read_call(body, inst, program, pointers),
        _ => return Some(None),
    };
    if ty.holds_pointer() && !(matches!(inst.op, Op::Load(_)) && ty.is_pointer()) {
        return None;
    }
    touched.push((ty, align));
    Some(None)
}

fn read_call<'a>(
    body: &Function,
    inst: &'a Inst,
    program: &Program,
    pointers: &Pointers,
) -> Option<Option<&'a str>> {
    let known = |base: &Base| matches!(base, Base::Param(_) | Base::Stack(_) | Base::Heap(_) | Base::Null);
    match memory_call(inst) {
        Some(MemoryCall::Copy) => {
            let clear = inst.operands[..2].iter().all(|x| pointers.of_operand(x).iter().all(known));
            return clear.then_some(None);
        }
        Some(MemoryCall::Fill | MemoryCall::Allocate { .. } | MemoryCall::Free { .. }) => return Some(None),
        None => {}
    }
    let name = inst.callee_name()?;
    if program.function(name).is_some_and(|callee| !callee.is_declaration()) {
        return Some(Some(name));
    }
    let given = inst.arguments().iter().any(|x| body.operand_type(x).holds_pointer());
    (!given || TOUCH_NOTHING.contains(&name)).then_some(None)
}
