//! Whose bits an integer may be that a called function returns.
//!
//! Function with a body → the parameters that its result is computed from, or nothing where memory, an address or code out
//! of sight has a part in it. A count, as of a run that a sort has found, is made of constants and lengths.
//! Safe error: nothing (the result varies).

use std::collections::BTreeSet;

use crate::model::{CastOp, Function, Inst, Op, Operand, Program, Type, ValueId};

/// Calls lead this far; what is returned through more of them is not followed.
const MOST_CALLS: usize = 4;

pub fn find_returned_params(program: &Program, callee: &str) -> Option<BTreeSet<usize>> {
    find_in(program, callee, MOST_CALLS)
}

fn find_in(program: &Program, callee: &str, calls: usize) -> Option<BTreeSet<usize>> {
    let function = program.function(callee).filter(|function| !function.is_declaration())?;
    if program.custom_rule(callee).is_some() || calls == 0 {
        return None;
    }
    let rets = function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret));
    let mut waiting: Vec<ValueId> = rets.flat_map(|ret| &ret.operands).filter_map(Operand::value).collect();
    let (mut seen, mut params) = (BTreeSet::new(), BTreeSet::new());
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        match function.inst(value) {
            None => drop(params.insert(value.0 as usize)),
            Some(inst) => waiting.extend(sources(program, function, inst, calls)?),
        }
    }
    Some(params)
}

/// The values that an integer is computed from.
fn sources(program: &Program, function: &Function, inst: &Inst, calls: usize) -> Option<Vec<ValueId>> {
    let values = |operands: &[Operand]| operands.iter().filter_map(Operand::value).collect();
    match &inst.op {
        // What is asked of numbers has no derivative.
        Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => Some(Vec::new()),
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
            find_in(program, name, calls - 1)?;
            let integers =
                inst.arguments().iter().filter(|x| matches!(function.operand_type(x).scalar(), Type::Int(_)));
            Some(integers.filter_map(Operand::value).collect())
        }
        _ => None,
    }
}

/// Integers of integers, and nothing else.
fn is_arithmetic(name: &str) -> bool {
    let families = ["umin.", "umax.", "smin.", "smax.", "abs.", "ctlz.", "cttz.", "ctpop."];
    let checked = name.contains(".with.overflow.") || name.contains(".sat.") && !name.starts_with("llvm.f");
    name.strip_prefix("llvm.").is_some_and(|rest| checked || families.iter().any(|f| rest.starts_with(f)))
}
