//! Addresses as numbers: nobody follows them to where they are used.
//!
//! Function → the numbers that are addresses, or lie next to one, and the pointers they were made of. Lattice: how many
//! addresses have been added up in a number, with a top for what is no longer a sum. Bottom: not met. Direction: with the flow of
//! values. So the distance of two addresses is none, and neither is what a small mask leaves of one, in whatever order an optimiser
//! adds.
//! Safe error: address (is refused where others may use it).

use std::collections::{BTreeMap, BTreeSet};

use super::activity::{Activity, Pass};
use super::meaning::Meaning;
use super::memory_calls::memory_call;
use crate::model::{CastOp, Constant, Function, Inst, IntOp, Op, Operand, Type, ValueId};

/// Whether code that may take a number for an address is given one.
pub fn hands_over_address(pass: &Pass, inst: &Inst) -> bool {
    if !matches!(inst.op, Op::Call(_) | Op::Invoke { .. }) || memory_call(inst).is_some() {
        return false;
    }
    if !matches!(pass.meaning(inst), Meaning::Call(_) | Meaning::Foreign(_)) {
        return false;
    }
    inst.arguments().iter().any(|argument| !pass.numbers.find_pointers(pass.function, argument).is_empty())
}

/// Whether the address of active memory is put as a number where others may find it: into memory, or into the result.
pub fn keeps_address(pass: &Pass, inst: &Inst, activity: &Activity) -> bool {
    let kept: &[Operand] = match &inst.op {
        Op::Store(_) => &inst.operands[..1],
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } => &inst.operands[1..],
        Op::Ret => &inst.operands,
        _ => &[],
    };
    let pointers = kept.iter().flat_map(|number| pass.numbers.find_pointers(pass.function, number));
    pointers.into_iter().any(|pointer| activity.is_shadowed(&pointer))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    NotMet,
    Of(i8),
    Lost,
}

/// Nothing adds up so many addresses.
const MOST: i8 = 8;

pub struct NumberAddresses(BTreeMap<ValueId, Sum>);

impl NumberAddresses {
    pub fn of(function: &Function) -> NumberAddresses {
        let mut found = NumberAddresses(BTreeMap::new());
        let insts = || function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
        if !insts().any(|(_, inst)| is_number_made(inst) || inst.operands.iter().any(is_known_address)) {
            return found;
        }
        loop {
            let mut changed = false;
            for (id, inst) in insts().filter(|(_, inst)| !inst.ty.is_pointer() && inst.ty != Type::Void) {
                let sum = found.sum_of(id).join(found.add_up(function, inst));
                changed |= found.0.insert(id, sum) != Some(sum);
            }
            if !changed {
                return found;
            }
        }
    }

    /// The pointers whose address a number may be; none where it is no address.
    pub fn find_pointers(&self, function: &Function, number: &Operand) -> Vec<Operand> {
        let (mut pointers, mut waiting, mut seen) = (Vec::new(), vec![number.clone()], BTreeSet::new());
        while let Some(operand) = waiting.pop() {
            if !self.of_operand(&operand).is_address() {
                continue;
            }
            match operand {
                Operand::Const(constant) => collect_pointers(&constant, &mut pointers),
                Operand::Value(id) => match function.inst(id).filter(|_| seen.insert(id)) {
                    Some(inst) if is_number_made(inst) => pointers.push(inst.operands[0].clone()),
                    Some(inst) => waiting.extend(inst.operands.iter().cloned()),
                    None => {}
                },
            }
        }
        pointers
    }

    fn sum_of(&self, id: ValueId) -> Sum {
        self.0.get(&id).copied().unwrap_or(Sum::NotMet)
    }

    fn of_operand(&self, operand: &Operand) -> Sum {
        match operand {
            Operand::Value(id) => self.0.get(id).copied().unwrap_or(Sum::Of(0)),
            Operand::Const(constant) => Sum::of_constant(constant),
        }
    }

    fn add_up(&self, function: &Function, inst: &Inst) -> Sum {
        let of = |operand: &Operand| match operand {
            Operand::Value(id) if function.inst(*id).is_some_and(|made| !made.ty.is_pointer()) => {
                self.sum_of(*id)
            }
            _ => self.of_operand(operand),
        };
        let joined = |operands: &[Operand]| operands.iter().map(of).fold(Sum::NotMet, Sum::join);
        match &inst.op {
            _ if is_number_made(inst) => Sum::Of(1),
            Op::Int(IntOp::And | IntOp::URem) if inst.operands.iter().any(is_small) => Sum::Of(0),
            Op::Int(IntOp::Add) => of(&inst.operands[0]).plus(of(&inst.operands[1]), 1),
            Op::Int(IntOp::Sub) => of(&inst.operands[0]).plus(of(&inst.operands[1]), -1),
            Op::Int(_) => of(&inst.operands[0]).mixed(of(&inst.operands[1])),
            Op::Phi { .. } | Op::Freeze | Op::InsertElement | Op::InsertValue { .. } => {
                joined(&inst.operands)
            }
            Op::ExtractElement | Op::ExtractValue { .. } | Op::ShuffleVector { .. } => joined(&inst.operands),
            Op::Select => joined(&inst.operands[1..]),
            Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::BitCast) => joined(&inst.operands),
            // One of two addresses is an address, as where a walk ends at the larger one.
            Op::Call(_) if inst.callee_name().is_some_and(is_choice) => joined(inst.arguments()),
            // Rotations, checked arithmetic.
            Op::Call(_) if inst.callee_name().is_some_and(|name| name.starts_with("llvm.")) => {
                inst.arguments().iter().map(of).fold(Sum::Of(0), Sum::mixed)
            }
            _ => Sum::Of(0),
        }
    }
}

fn is_choice(name: &str) -> bool {
    ["umax", "umin", "smax", "smin"]
        .iter()
        .any(|choice| name.strip_prefix("llvm.").is_some_and(|name| name.split('.').next() == Some(choice)))
}

impl Sum {
    fn of_constant(constant: &Constant) -> Sum {
        let mixed = |parts: &[Constant]| parts.iter().map(Sum::of_constant).fold(Sum::Of(0), Sum::mixed);
        match constant {
            _ if is_number_constant(constant) => Sum::Of(1),
            Constant::Expr { mnemonic, operands, .. } => match (mnemonic.as_str(), operands.as_slice()) {
                ("add", [one, other]) => Sum::of_constant(one).plus(Sum::of_constant(other), 1),
                ("sub", [one, other]) => Sum::of_constant(one).plus(Sum::of_constant(other), -1),
                _ => mixed(operands),
            },
            Constant::Aggregate { parts, .. } => mixed(parts),
            _ => Sum::Of(0),
        }
    }

    fn is_address(self) -> bool {
        matches!(self, Sum::Lost | Sum::Of(1.. | ..=-1))
    }

    fn join(self, other: Sum) -> Sum {
        match (self, other) {
            (Sum::NotMet, known) | (known, Sum::NotMet) => known,
            (one, same) if one == same => one,
            _ => Sum::Lost,
        }
    }

    fn plus(self, other: Sum, times: i8) -> Sum {
        match (self, other) {
            (Sum::NotMet, _) | (_, Sum::NotMet) => Sum::NotMet,
            (Sum::Of(one), Sum::Of(more)) if (one + times * more).abs() <= MOST => {
                Sum::Of(one + times * more)
            }
            _ => Sum::Lost,
        }
    }

    /// What is left of numbers that are not added.
    fn mixed(self, other: Sum) -> Sum {
        match (self, other) {
            (Sum::NotMet, _) | (_, Sum::NotMet) => Sum::NotMet,
            (Sum::Of(0), Sum::Of(0)) => Sum::Of(0),
            _ => Sum::Lost,
        }
    }
}

fn is_number_made(inst: &Inst) -> bool {
    matches!(inst.op, Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr))
}

fn is_known_address(operand: &Operand) -> bool {
    matches!(operand, Operand::Const(constant) if Sum::of_constant(constant).is_address())
}

fn is_number_constant(constant: &Constant) -> bool {
    matches!(constant, Constant::Expr { mnemonic, .. } if ["ptrtoint", "ptrtoaddr"].contains(&mnemonic.as_str()))
}

fn collect_pointers(constant: &Constant, pointers: &mut Vec<Operand>) {
    let (Constant::Expr { operands, .. } | Constant::Aggregate { parts: operands, .. }) = constant else {
        return;
    };
    match is_number_constant(constant) {
        true => pointers.extend(operands.iter().cloned().map(Operand::Const)),
        false => operands.iter().for_each(|part| collect_pointers(part, pointers)),
    }
}

/// What is left of an address by such a mask says how it is aligned.
fn is_small(operand: &Operand) -> bool {
    const PAGE: u128 = 4096;
    matches!(operand, Operand::Const(Constant::Int { value, .. }) if *value <= PAGE)
}
