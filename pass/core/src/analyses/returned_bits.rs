//! Whose bits an integer may be that a called function returns.
//!
//! Function with a body → the parameters that its result is computed from, or nothing where memory, an address or code out
//! of sight has a part in it. A count, as of a run that a sort has found, is made of constants and lengths, and of what is positively
//! an integer in memory, as the number of the next node. What a function gets of itself brings nothing in that it does not get elsewhere.
//! Safe error: nothing (the result varies).

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::kinds::find_integers;
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Program, Type, ValueId};

/// Calls lead this far; what is returned through more of them is not followed.
const MOST_CALLS: usize = 4;

/// What was found out, by the names of functions: it is asked for again and again, and does not change.
#[derive(Default)]
pub struct ReturnedBits {
    known: RefCell<BTreeMap<String, Option<BTreeSet<usize>>>>,
}

impl ReturnedBits {
    pub fn find_params(&self, program: &Program, callee: &str) -> Option<BTreeSet<usize>> {
        if let Some(known) = self.known.borrow().get(callee) {
            return known.clone();
        }
        let found = find_in(program, callee, &mut Vec::new());
        self.known.borrow_mut().insert(callee.into(), found.clone());
        found
    }
}

/// The calls that return a struct of integers from which one is taken that may be a float's bits.
pub fn find_in_numbers(function: &Function, carriers: &BTreeSet<ValueId>) -> BTreeSet<ValueId> {
    let is_part =
        |id: &&ValueId| function.inst(**id).is_some_and(|inst| matches!(inst.op, Op::ExtractValue { .. }));
    let mut waiting: Vec<ValueId> = carriers.iter().filter(is_part).copied().collect();
    let (mut seen, mut calls) = (BTreeSet::new(), BTreeSet::new());
    while let Some(value) = waiting.pop() {
        let Some(inst) = function.inst(value).filter(|_| seen.insert(value)) else { continue };
        match &inst.op {
            Op::Call(_) => drop(calls.insert(value)),
            Op::Phi { .. } | Op::Freeze | Op::ExtractValue { .. } | Op::InsertValue { .. } | Op::Select => {
                let structs = inst.operands.iter().filter(|x| function.operand_type(x).holds_numbers_only());
                waiting.extend(structs.filter_map(Operand::value));
            }
            _ => {}
        }
    }
    calls
}

/// `open` are the functions that are asked for on the way here.
fn find_in(program: &Program, callee: &str, open: &mut Vec<String>) -> Option<BTreeSet<usize>> {
    let function = program.function(callee).filter(|function| !function.is_declaration())?;
    if open.iter().any(|name| name == callee) {
        return Some(BTreeSet::new());
    }
    if program.custom_rule(callee).is_some() || open.len() == MOST_CALLS {
        return None;
    }
    open.push(callee.into());
    let found = follow_back(program, function, open);
    open.pop();
    found
}

fn follow_back(program: &Program, function: &Function, open: &mut Vec<String>) -> Option<BTreeSet<usize>> {
    let integers = OnceCell::new();
    let rets = function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret));
    let mut waiting: Vec<ValueId> = rets.flat_map(|ret| &ret.operands).filter_map(Operand::value).collect();
    let (mut seen, mut params) = (BTreeSet::new(), BTreeSet::new());
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        match function.inst(value) {
            None => drop(params.insert(value.0 as usize)),
            Some(Inst { op: Op::Load(_), .. }) => {
                integers.get_or_init(|| find_integers(function, program)).get(&value)?;
            }
            Some(inst) => waiting.extend(sources(program, function, inst, open)?),
        }
    }
    Some(params)
}

/// The values that an integer is computed from.
fn sources(
    program: &Program,
    function: &Function,
    inst: &Inst,
    open: &mut Vec<String>,
) -> Option<Vec<ValueId>> {
    let values = |operands: &[Operand]| operands.iter().filter_map(Operand::value).collect();
    match &inst.op {
        // What is asked of numbers has no derivative.
        Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => Some(Vec::new()),
        // How far two addresses are apart is a length.
        Op::Int(IntOp::Sub) if inst.operands.iter().all(|x| is_address(function, x)) => Some(Vec::new()),
        Op::Int(_) | Op::Phi { .. } | Op::Freeze | Op::ExtractValue { .. } | Op::InsertValue { .. } => {
            Some(values(&inst.operands))
        }
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => Some(values(&inst.operands)),
        Op::Select => Some(values(&inst.operands[1..])),
        Op::Call(_) => {
            let name = inst.callee_name()?;
            if is_arithmetic(name) {
                return Some(values(inst.arguments()));
            }
            find_in(program, name, open)?;
            let integers =
                inst.arguments().iter().filter(|x| matches!(function.operand_type(x).scalar(), Type::Int(_)));
            Some(integers.filter_map(Operand::value).collect())
        }
        _ => None,
    }
}

fn is_address(function: &Function, operand: &Operand) -> bool {
    let made = operand.value().and_then(|id| function.inst(id));
    made.is_some_and(|made| matches!(made.op, Op::Cast(CastOp::PtrToInt)))
}

/// Integers of integers, and nothing else.
fn is_arithmetic(name: &str) -> bool {
    let families = ["umin.", "umax.", "smin.", "smax.", "abs.", "ctlz.", "cttz.", "ctpop."];
    let checked = name.contains(".with.overflow.") || name.contains(".sat.") && !name.starts_with("llvm.f");
    name.strip_prefix("llvm.").is_some_and(|rest| checked || families.iter().any(|f| rest.starts_with(f)))
}
