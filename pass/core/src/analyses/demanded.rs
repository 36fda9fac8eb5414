//! Which bits of integers take part in what is made of them.
//!
//! Function + casts and calls that take integers → for each integer behind them, those of its bits that may change what is taken.
//! Backward over the instructions, which let through, shift, or mask what is asked of their results. Memory is not followed.
//! Safe error: demanded.

use std::collections::BTreeMap;

use crate::model::{CastOp, Constant, Function, Inst, IntOp, Op, Operand, Type, ValueId};

/// One bit for each bit of the integer, the lowest first. Integers wider than this are demanded whole.
pub type Demand = u128;

const WHOLE: Demand = Demand::MAX;

/// `takers` demand all of their operands, which `sources` names, as it names what an integer's bits may come from.
pub fn find_demanded(
    function: &Function,
    takers: &[ValueId],
    sources: fn(&Inst) -> &[Operand],
) -> BTreeMap<ValueId, Demand> {
    let mut demanded: BTreeMap<ValueId, Demand> = BTreeMap::new();
    let mut waiting: Vec<(ValueId, Demand)> = takers.iter().map(|taker| (*taker, WHOLE)).collect();
    while let Some((value, asked)) = waiting.pop() {
        let Some(inst) = function.inst(value) else { continue };
        let known = demanded.entry(value).or_default();
        if *known | asked == *known {
            continue;
        }
        *known |= asked;
        let all = *known;
        for operand in sources(inst) {
            let Some(of) = operand.value() else { continue };
            let through = demanded_of(function, inst, operand, all);
            if through != 0 {
                waiting.push((of, through));
            }
        }
    }
    demanded
}

fn demanded_of(function: &Function, inst: &Inst, operand: &Operand, asked: Demand) -> Demand {
    let (Some(width), Some(own)) = (width_of(&inst.ty), width_of(&function.operand_type(operand))) else {
        return WHOLE;
    };
    let asked = asked & ones(width);
    let through = match &inst.op {
        Op::Int(op) => through_arithmetic(*op, inst, asked, width),
        Op::Cast(CastOp::Trunc | CastOp::ZExt) | Op::Phi { .. } | Op::Freeze | Op::Select => asked,
        Op::Cast(CastOp::SExt) => asked | if asked >> (own - 1) != 0 { 1 << (own - 1) } else { 0 },
        _ => WHOLE,
    };
    through & ones(own)
}

/// Of the operand that is no constant, or of both.
fn through_arithmetic(op: IntOp, inst: &Inst, asked: Demand, width: u32) -> Demand {
    let constants = inst.operands.iter().map(|operand| match operand {
        Operand::Const(Constant::Int { value, .. }) => Some(*value),
        _ => None,
    });
    let [first, second] = constants.collect::<Vec<_>>()[..] else { return WHOLE };
    let by = second.filter(|by| *by < u128::from(width)).map(|by| by as u32);
    match (op, by) {
        (IntOp::And, _) => first.or(second).map_or(asked, |mask| asked & mask),
        (IntOp::Or, _) => first.or(second).map_or(asked, |mask| asked & !mask),
        (IntOp::Xor, _) => asked,
        // Carries go up.
        (IntOp::Add | IntOp::Sub | IntOp::Mul, _) => ones(Demand::BITS - asked.leading_zeros()),
        (IntOp::Shl, Some(by)) => asked >> by,
        (IntOp::LShr, Some(by)) => asked << by,
        (IntOp::AShr, Some(by)) if asked >> (width - 1 - by) == 0 => asked << by,
        (IntOp::AShr, Some(by)) => asked << by | 1 << (width - 1),
        _ => WHOLE,
    }
}

fn width_of(ty: &Type) -> Option<u32> {
    match ty {
        Type::Int(bits) => Some(*bits).filter(|bits| *bits > 0 && *bits <= Demand::BITS),
        _ => None,
    }
}

fn ones(bits: u32) -> Demand {
    if bits == 0 { 0 } else { WHOLE >> (Demand::BITS - bits) }
}
