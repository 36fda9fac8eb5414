//! Addresses that a function is given as numbers: nobody follows them into it.
//!
//! Instruction → whether it hands a number to code that may take it for an address of memory here.
//! Safe error: it does (is refused).

use std::collections::BTreeSet;

use super::activity::Pass;
use super::meaning::Meaning;
use super::memory_calls::memory_call;
use crate::model::{CastOp, Constant, Function, Inst, IntOp, Op, Operand, Type, ValueId};

pub fn hands_over_address(pass: &Pass, inst: &Inst) -> bool {
    if !matches!(inst.op, Op::Call(_) | Op::Invoke { .. }) || memory_call(inst).is_some() {
        return false;
    }
    if !matches!(pass.meaning(inst), Meaning::Call(_) | Meaning::Foreign(_)) {
        return false;
    }
    inst.arguments().iter().any(|argument| {
        let number = matches!(pass.function.operand_type(argument).scalar(), Type::Int(_));
        let known =
            matches!(argument, Operand::Const(Constant::Expr { mnemonic, .. }) if mnemonic == "ptrtoint");
        number && (known || is_address(pass.function, argument, &mut BTreeSet::new()))
    })
}

/// Whether a number is an address, or lies next to one. The distance between two is none, nor is a remainder.
fn is_address(function: &Function, number: &Operand, seen: &mut BTreeSet<ValueId>) -> bool {
    let Some(id) = number.value().filter(|id| seen.insert(*id)) else { return false };
    let Some(inst) = function.inst(id) else { return false };
    let mut any = |operands: &[Operand]| operands.iter().any(|operand| is_address(function, operand, seen));
    match &inst.op {
        Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) => true,
        Op::Int(IntOp::Sub) => {
            let taken = is_address(function, &inst.operands[1], &mut BTreeSet::new());
            !taken && any(&inst.operands[..1])
        }
        Op::Int(IntOp::And) if inst.operands.iter().any(is_low_mask) => false,
        Op::Int(IntOp::Add | IntOp::And | IntOp::Or | IntOp::Xor) | Op::Phi { .. } | Op::Freeze => {
            any(&inst.operands)
        }
        Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::BitCast) => any(&inst.operands),
        Op::Select => any(&inst.operands[1..]),
        Op::InsertElement | Op::ExtractElement | Op::ShuffleVector { .. } => any(&inst.operands),
        Op::InsertValue { .. } | Op::ExtractValue { .. } => any(&inst.operands),
        _ => false,
    }
}

/// What is left of an address under such a mask says how it is aligned.
fn is_low_mask(operand: &Operand) -> bool {
    const PAGE: u128 = 4096;
    matches!(operand, Operand::Const(Constant::Int { value, .. }) if *value < PAGE)
}
