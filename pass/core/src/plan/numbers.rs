//! Integers on the tape that are a float's bits to nobody.
//!
//! Function + what lies in cells, which go on the tape → the integers among it whose bits nobody of this function hands on: they are counted with, compared and
//! used as indices. The reverse sweep does nothing else with what it takes from the tape, so that the record says what it is, and
//! whoever differentiates the derivative has nothing to fear of it. An integer of which a float is made by its value, here or in a callee, is
//! left out unless it was counted here: it might be a float's bits that were read, and only the forward sweep shows who read them.
//! Safe error: left out (the derivative of the derivative is refused).

use std::collections::{BTreeMap, BTreeSet};

use super::{Decision, Storage, Strip};
use crate::analyses::bit_numbers::sources;
use crate::analyses::carriers::find_movers;
use crate::analyses::demanded::find_demanded;
use crate::analyses::memory_calls::memory_call;
use crate::model::{BlockId, CastOp, Function, Inst, Op, Operand, Program, Type, ValueId};

pub fn find_numbers(
    function: &Function,
    program: &Program,
    storage: &BTreeMap<ValueId, Decision<Storage>>,
    strips: &BTreeMap<BlockId, Strip>,
) -> BTreeSet<ValueId> {
    let has_cell =
        |decision: &Decision<Storage>| !matches!(decision.choice, Storage::Argument | Storage::Recompute);
    let recorded = storage.iter().filter(|(_, how)| has_cell(how)).map(|(value, _)| *value);
    let states = strips.values().flat_map(|strip| strip.state.iter().copied());
    let is_integer = |value: &ValueId| matches!(function.value_type(*value), Type::Int(_));
    let integers: BTreeSet<ValueId> = recorded.chain(states).filter(is_integer).collect();
    if integers.is_empty() {
        return integers;
    }
    let movers = find_movers(function, program);
    let makers = find_makers(program);
    let takes = |id: &ValueId| function.inst(*id).is_some_and(|inst| makes_number(function, inst, &makers));
    let takers: Vec<ValueId> = function.inst_ids().filter(takes).collect();
    let taken = find_demanded(function, &takers, sources);
    let is_number =
        |id: &ValueId| !movers.contains(id) && (!taken.contains_key(id) || is_counted(function, *id));
    integers.into_iter().filter(is_number).collect()
}

/// What makes a float of an integer by its value, or may: a call of a function that does, or an integer given to one out of sight. What
/// allocates, copies and fills memory takes lengths, and makes no floats of them.
fn makes_number(function: &Function, inst: &Inst, makers: &Makers) -> bool {
    let gives = || inst.arguments().iter().any(|x| matches!(function.operand_type(x).scalar(), Type::Int(_)));
    match &inst.op {
        Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => true,
        Op::Call(_) | Op::Invoke { .. } if memory_call(inst).is_some() => false,
        Op::Call(_) | Op::Invoke { .. } => match inst.callee_name() {
            Some(name) => !name.starts_with("llvm.") && makers.get(name).copied().unwrap_or_else(gives),
            None => gives(),
        },
        _ => false,
    }
}

/// Whether a function with a body makes a float of some integer by its value, or calls one that may.
type Makers<'a> = BTreeMap<&'a str, bool>;

fn find_makers(program: &Program) -> Makers<'_> {
    let bodies = || program.functions.iter().filter(|function| !function.is_declaration());
    let mut makers: Makers = bodies().map(|function| (function.name.as_str(), false)).collect();
    loop {
        let made = |function: &&Function| {
            !makers[function.name.as_str()]
                && function.insts.iter().any(|inst| makes_number(function, inst, &makers))
        };
        let more: Vec<&str> = bodies().filter(made).map(|function| function.name.as_str()).collect();
        if more.is_empty() {
            return makers;
        }
        makers.extend(more.into_iter().map(|name| (name, true)));
    }
}

/// Whether an integer is made of nothing but constants, comparisons, rounded numbers, and members that are declared to be integers.
fn is_counted(function: &Function, integer: ValueId) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![integer]);
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(inst) = function.inst(value) else { return false };
        match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => {}
            Op::Load(access) if access.integer => {}
            Op::Int(_) | Op::Phi { .. } | Op::Freeze | Op::Select => {
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            }
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => {
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            }
            _ => return false,
        }
    }
    true
}
