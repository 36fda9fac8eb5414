//! May the integer that a called function returns be the bits of a float that varies?
//!
//! Not where all that it is computed from, up to the start of the function and through what that calls, is constants and
//! arguments that do not vary: neither is memory read on the way, nor a float or an address taken for a number.

use std::collections::BTreeMap;

use super::Proof;
use super::memory::Varied;
use crate::model::{CastOp, Function, Inst, Op, Operand, Program, Type, ValueId};

impl Proof<'_> {
    pub(super) fn hands_bits_back(&self, call: &Inst, varied: &Varied) -> bool {
        let given: Vec<bool> = call
            .arguments()
            .iter()
            .map(|x| x.value().is_some_and(|id| varied.values.contains(&id)))
            .collect();
        let Some(callee) = call.callee_name().and_then(|name| self.program.function(name)) else {
            return true;
        };
        !is_plain_result(self.program, callee, &given, 0)
    }
}

const DEEPEST: usize = 4;

/// `varies` says it of each argument.
fn is_plain_result(program: &Program, function: &Function, varies: &[bool], depth: usize) -> bool {
    let body = !function.blocks.is_empty() && program.custom_rule(&function.name).is_none();
    let mut known = BTreeMap::new();
    body && depth < DEEPEST
        && function
            .insts
            .iter()
            .filter(|inst| inst.op == Op::Ret)
            .all(|ret| ret.operands.iter().all(|x| is_plain(program, function, x, varies, depth, &mut known)))
}

/// A circle through phis brings nothing in that does not come in elsewhere.
fn is_plain(
    program: &Program,
    function: &Function,
    operand: &Operand,
    varies: &[bool],
    depth: usize,
    known: &mut BTreeMap<ValueId, bool>,
) -> bool {
    let Operand::Value(id) = operand else { return true };
    if let Some(answer) = known.get(id) {
        return *answer;
    }
    let Some(inst) = function.inst(*id) else {
        return varies.get(id.0 as usize) == Some(&false);
    };
    known.insert(*id, true);
    let mut plain = |x: &Operand| is_plain(program, function, x, varies, depth, known);
    let answer = match &inst.op {
        Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => plain(&inst.operands[0]),
        Op::Select => plain(&inst.operands[1]) && plain(&inst.operands[2]),
        Op::Int(_) | Op::Phi { .. } | Op::Freeze | Op::InsertValue { .. } | Op::ExtractValue { .. } => {
            inst.operands.iter().all(plain)
        }
        Op::Call(_) => match inst.callee_name() {
            Some(name) if computes_integers(name) => inst.arguments().iter().all(plain),
            Some(name) => {
                let given = vec![false; inst.arguments().len()];
                let callee = program.function(name);
                let number = |x: &&Operand| matches!(function.operand_type(x).scalar(), Type::Int(_));
                inst.arguments().iter().filter(number).all(plain)
                    && callee.is_some_and(|callee| is_plain_result(program, callee, &given, depth + 1))
            }
            None => false,
        },
        _ => false,
    };
    known.insert(*id, answer);
    answer
}

fn computes_integers(name: &str) -> bool {
    let words: Vec<&str> = name.split('.').collect();
    match words.as_slice() {
        ["llvm", "umin" | "umax" | "smin" | "smax" | "abs" | "ctlz" | "cttz" | "ctpop", ..] => true,
        ["llvm", _, "with", "overflow" | "sat", ..] | ["llvm", _, "sat", ..] => !words[1].starts_with('f'),
        _ => false,
    }
}
