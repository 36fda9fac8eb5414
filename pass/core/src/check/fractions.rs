//! Does an integer that is made of a float's bits hand on part of the float's fraction?
//!
//! Which bits of each value may differ where the fraction differs, forward from where the bits come from. What becomes of them behind
//! anything but shifts, masks, sums and choices is anything. The lower half of a double is all integers in every neighbourhood: it
//! follows the number nowhere, and is what a program reads that keeps integers and doubles in the same words.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::counted::Seen;
use crate::model::{CastOp, Constant, FloatKind, Inst, IntOp, Op, Operand, Type, ValueId};

const ALL: u128 = u128::MAX;

impl Proof<'_> {
    /// Whether of what varies nothing comes to an integer but signs and exponents, which are the same in a whole neighbourhood.
    pub fn holds_no_fraction(&self, integer: &Operand, varied: &BTreeSet<ValueId>) -> bool {
        let carried = |leaf: ValueId| {
            if !varied.contains(&leaf) {
                return 0;
            }
            let cast = self.function.inst(leaf).filter(|inst| matches!(inst.op, Op::Cast(CastOp::BitCast)));
            match cast.map(|inst| self.function.operand_type(&inst.operands[0])) {
                Some(Type::Float(kind)) => fraction_of(kind),
                _ => ALL,
            }
        };
        self.find_carried(integer, &carried) == 0
    }

    /// Whether where a load reads there is certainly a float of its width, and nothing of its fraction comes to a number, or a double
    /// of which it reads no more than the lower half.
    pub fn reads_no_fraction(&self, load: ValueId, integer: &Operand) -> bool {
        let Some(inst) = self.function.inst(load) else { return false };
        let Type::Int(width) = inst.ty else { return false };
        if width <= 32 && self.begins_with_doubles(&inst.operands[0], u64::from(width.div_ceil(8))) {
            return true;
        }
        let (seeing, bytes) = (self.seeing(), u64::from(width.div_ceil(8)));
        let kind_of = |seen: &Seen| match seen.ty {
            Some(Type::Float(kind)) if kind.bits() == width => Some(kind),
            _ => None,
        };
        let alone = |kind: FloatKind| {
            let other = |seen: &Seen, at: i128| is_float(seen) && (at != 0 || kind_of(seen) != Some(kind));
            !seeing.meets(&inst.operands[0], bytes, &other)
        };
        let kinds =
            [FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double, FloatKind::Quad];
        let is = |kind: &FloatKind| {
            seeing.meets(&inst.operands[0], bytes, &|seen, at| at == 0 && kind_of(seen) == Some(*kind))
        };
        let found = kinds.into_iter().find(|kind| is(kind) && alone(*kind));
        found.is_some_and(|kind| {
            self.find_carried(integer, &|leaf| if leaf == load { fraction_of(kind) } else { 0 }) == 0
        })
    }

    /// Whether each float, of what lies in so many bytes behind a pointer, is a double that begins there.
    fn begins_with_doubles(&self, pointer: &Operand, bytes: u64) -> bool {
        let double = Some(Type::Float(FloatKind::Double));
        !self.seeing().meets(pointer, bytes, &|seen, at| is_float(seen) && (at != 0 || seen.ty != double))
    }

    /// The bits of an integer that change with those of the values that it is computed from.
    fn find_carried(&self, integer: &Operand, leaf: &dyn Fn(ValueId) -> u128) -> u128 {
        let Some(last) = integer.value() else { return 0 };
        let (mut carried, mut computed) = (BTreeMap::new(), Vec::new());
        let mut waiting = vec![last];
        while let Some(value) = waiting.pop() {
            if carried.contains_key(&value) {
                continue;
            }
            match self.function.inst(value).filter(|inst| computes(inst)) {
                Some(inst) => {
                    carried.insert(value, 0);
                    computed.push((value, inst));
                    waiting.extend(inst.operands.iter().filter_map(Operand::value));
                }
                None => drop(carried.insert(value, leaf(value))),
            }
        }
        let mut grew = true;
        while grew {
            grew = false;
            for (value, inst) in &computed {
                let of = |operand: &Operand| {
                    operand.value().and_then(|value| carried.get(&value).copied()).unwrap_or(0)
                };
                let all = carried[value] | self.change(inst, &of);
                grew |= carried.insert(*value, all) != Some(all);
            }
        }
        carried[&last]
    }

    fn change(&self, inst: &Inst, moved: &dyn Fn(&Operand) -> u128) -> u128 {
        let Type::Int(width @ 1..=128) = inst.ty else { return ALL };
        let here = ALL >> (128 - width);
        let any = inst.operands.iter().fold(0, |any, operand| any | moved(operand));
        if any == 0 {
            return 0;
        }
        let fixed = |at: usize| match inst.operands.get(at) {
            Some(Operand::Const(Constant::Int { value, .. })) => Some(*value),
            _ => None,
        };
        let sign_of = |operand: &Operand| match self.function.operand_type(operand) {
            Type::Int(width @ 1..=128) => moved(operand) >> (width - 1) & 1 != 0,
            _ => true,
        };
        let above = |bits: u128| if bits == 0 { 0 } else { ALL << bits.trailing_zeros() };
        let changed = match inst.op {
            Op::Int(IntOp::And) => any & fixed(0).or(fixed(1)).unwrap_or(ALL),
            Op::Int(IntOp::Or) => any & !fixed(0).or(fixed(1)).unwrap_or(0),
            Op::Int(IntOp::Xor) | Op::Phi { .. } | Op::Freeze => any,
            Op::Int(IntOp::Add | IntOp::Sub) => above(any),
            Op::Int(IntOp::Shl) if fixed(1).is_some_and(|by| by < 128) => any << fixed(1).unwrap_or(0),
            Op::Int(IntOp::LShr) if fixed(1).is_some_and(|by| by < 128) => any >> fixed(1).unwrap_or(0),
            Op::Int(IntOp::AShr) if fixed(1).is_some_and(|by| by < 128) && !sign_of(&inst.operands[0]) => {
                any >> fixed(1).unwrap_or(0)
            }
            Op::Cast(CastOp::Trunc | CastOp::ZExt) => any,
            Op::Cast(CastOp::SExt) if !sign_of(&inst.operands[0]) => any,
            // Which way a comparison goes is the same in a neighbourhood, too.
            Op::Select => moved(&inst.operands[1]) | moved(&inst.operands[2]),
            _ => ALL,
        };
        changed & here
    }
}

/// A number of any kind. What is read where an address lies is made of that, and has no derivative.
fn is_float(seen: &Seen) -> bool {
    seen.ty.as_ref().is_some_and(Type::holds_float)
}

/// What is followed: all else is where bits come from.
fn computes(inst: &Inst) -> bool {
    matches!(
        inst.op,
        Op::Int(_)
            | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
            | Op::Phi { .. }
            | Op::Freeze
            | Op::Select
    )
}

/// The bits that follow a float within a neighbourhood.
fn fraction_of(kind: FloatKind) -> u128 {
    let digits = match kind {
        FloatKind::Half => 11,
        FloatKind::BFloat => 8,
        FloatKind::Single => 24,
        FloatKind::Double => 53,
        FloatKind::X87 => 65,
        FloatKind::Quad => 113,
        FloatKind::DoubleDouble => return ALL,
    };
    let whole = (1 << (digits - 1)) - 1;
    if kind == FloatKind::Double { whole & (ALL << 32) } else { whole }
}
