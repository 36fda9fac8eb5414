//! May the integer that a called function returns be the bits of a float that varies?
//!
//! Not where all that it is computed from, up to the start of the function and through what that calls, is constants, lengths and
//! arguments that do not vary: no memory is read on the way but what is counted with there, nor a float or an address taken for a number.

use std::collections::BTreeMap;

use super::Proof;
use super::memory::Varied;
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Type, ValueId};

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
        !self.is_plain_result(callee, &given, &mut Vec::new())
    }
}

const DEEPEST: usize = 4;

/// What a function is asked about.
struct Asked<'a> {
    function: &'a Function,
    /// Whether each argument varies.
    varies: &'a [bool],
    known: BTreeMap<ValueId, bool>,
}

impl Proof<'_> {
    /// `outer` are the functions that ask. What one gets of itself it has from elsewhere.
    fn is_plain_result(&self, function: &Function, varies: &[bool], outer: &mut Vec<String>) -> bool {
        if outer.contains(&function.name) {
            return true;
        }
        let body = !function.blocks.is_empty() && self.program.custom_rule(&function.name).is_none();
        if !body || outer.len() == DEEPEST {
            return false;
        }
        outer.push(function.name.clone());
        let mut asked = Asked { function, varies, known: BTreeMap::new() };
        let mut rets = function.insts.iter().filter(|inst| inst.op == Op::Ret);
        let plain = rets.all(|ret| ret.operands.iter().all(|x| self.is_plain(&mut asked, x, outer)));
        outer.pop();
        plain
    }

    /// A circle through phis brings nothing in that does not come in elsewhere.
    fn is_plain(&self, asked: &mut Asked, operand: &Operand, outer: &mut Vec<String>) -> bool {
        let Operand::Value(id) = operand else { return true };
        if let Some(answer) = asked.known.get(id) {
            return *answer;
        }
        let function = asked.function;
        let Some(inst) = function.inst(*id) else {
            return asked.varies.get(id.0 as usize) == Some(&false);
        };
        asked.known.insert(*id, true);
        let mut plain = |x: &Operand| self.is_plain(asked, x, outer);
        let answer = match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => plain(&inst.operands[0]),
            Op::Select => plain(&inst.operands[1]) && plain(&inst.operands[2]),
            Op::Int(IntOp::Sub) if are_addresses(function, &inst.operands) => true,
            Op::Int(_) | Op::Phi { .. } | Op::Freeze | Op::InsertValue { .. } | Op::ExtractValue { .. } => {
                inst.operands.iter().all(plain)
            }
            Op::Load(_) => self.seeing().counts_in(function, *id),
            Op::Call(_) => match inst.callee_name() {
                Some(name) if computes_integers(name) => inst.arguments().iter().all(plain),
                Some(name) => {
                    let given = vec![false; inst.arguments().len()];
                    let callee = self.program.function(name);
                    let number = |x: &&Operand| matches!(function.operand_type(x).scalar(), Type::Int(_));
                    inst.arguments().iter().filter(number).all(plain)
                        && callee.is_some_and(|callee| self.is_plain_result(callee, &given, outer))
                }
                None => false,
            },
            _ => false,
        };
        asked.known.insert(*id, answer);
        answer
    }
}

fn are_addresses(function: &Function, operands: &[Operand]) -> bool {
    let is_address = |made: &Inst| matches!(made.op, Op::Cast(CastOp::PtrToInt));
    operands.iter().all(|x| x.value().and_then(|id| function.inst(id)).is_some_and(is_address))
}

fn computes_integers(name: &str) -> bool {
    let words: Vec<&str> = name.split('.').collect();
    match words.as_slice() {
        ["llvm", "umin" | "umax" | "smin" | "smax" | "abs" | "ctlz" | "cttz" | "ctpop", ..] => true,
        ["llvm", _, "with", "overflow" | "sat", ..] | ["llvm", _, "sat", ..] => !words[1].starts_with('f'),
        _ => false,
    }
}
