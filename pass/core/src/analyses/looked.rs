//! Whether a function may look at, change or keep what lies behind a pointer that it is given: a pointer to a function is mostly
//! compared, called and passed on.
//!
//! Program + function + parameter → that. Safe error: it may.

use std::collections::BTreeSet;

use super::memory_calls::memory_call;
use crate::model::{CastOp, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::is_known_inactive;

/// The arguments of a call behind which the callee may look.
pub fn looked_behind<'a>(program: &Program, call: &'a Inst) -> impl Iterator<Item = &'a Operand> {
    let callee = call.callee_name().filter(|_| call.op.call().is_some());
    let looked: Vec<&Operand> = (0..)
        .zip(call.arguments())
        .filter(|(at, _)| callee.is_none_or(|name| looks(program, name, *at, &mut BTreeSet::new())))
        .map(|(_, argument)| argument)
        .collect();
    looked.into_iter()
}

fn looks<'a>(program: &'a Program, name: &'a str, at: usize, asked: &mut BTreeSet<(&'a str, usize)>) -> bool {
    // What the user gave a rule for is given shadows, whatever the rule does with them.
    let ruled = program.custom_rule(name).is_some();
    let followed = program.is_followed(name) && !ruled;
    let body = program.function(name).filter(|callee| followed && !callee.is_declaration());
    let Some(callee) = body.filter(|callee| at < callee.params.len()) else { return true };
    // Somebody is asking already.
    asked.insert((name, at)) && looks_at_param(program, callee, ValueId(at as u32), asked)
}

fn looks_at_param<'a>(
    program: &'a Program,
    callee: &'a Function,
    param: ValueId,
    asked: &mut BTreeSet<(&'a str, usize)>,
) -> bool {
    let (mut same, mut waiting) = (BTreeSet::from([param]), vec![param]);
    while let Some(pointer) = waiting.pop() {
        let is_it = |x: &Operand| x.value() == Some(pointer);
        for id in callee.inst_ids() {
            let Some(inst) = callee.inst(id).filter(|inst| inst.operands.iter().any(is_it)) else { continue };
            match &inst.op {
                Op::ICmp(_) => {}
                Op::Phi { .. } | Op::Select | Op::Freeze | Op::Cast(CastOp::BitCast) => {
                    waiting.extend(same.insert(id).then_some(id));
                }
                Op::Call(_) => {
                    let mut given = (0..).zip(inst.arguments()).filter(|(_, x)| is_it(x)).map(|(at, _)| at);
                    if given.any(|at| hands_over(program, inst, at, asked)) {
                        return true;
                    }
                }
                _ => return true,
            }
        }
    }
    false
}

fn hands_over<'a>(
    program: &'a Program,
    call: &'a Inst,
    at: usize,
    asked: &mut BTreeSet<(&'a str, usize)>,
) -> bool {
    let Some(name) = call.callee_name() else { return true };
    if program.function(name).is_some_and(|function| !function.is_declaration()) {
        return looks(program, name, at, asked);
    }
    // What it returns may be the pointer.
    memory_call(call).is_some() || call.ty.holds_pointer() || !is_known_inactive(program.known_name(name))
}
