//! An address as a sum: a pointer, some bytes, and multiples of integers.
//!
//! Pointer operand → [`Address`], read off the instructions, modulo 2^64. Two addresses with the same pointer and the
//! same multiples, computed while none of these values was computed anew, differ by exactly their bytes.
//! Safe error: a value taken as it is.

use std::collections::BTreeMap;

use crate::model::{CastOp, Constant, Flags, Function, Gep, Inst, IntOp, Op, Operand, Stride, Type, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub root: Operand,
    pub bytes: i128,
    /// How often each integer, read as signed, is added.
    pub terms: BTreeMap<ValueId, i128>,
    /// Whether a multiple may have left 64 bits on the way.
    wraps: bool,
}

/// Which bytes of an object, counted from its start: `bytes` many from `offset` on, and as many again at every multiple
/// of `stride` further on or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub offset: i128,
    /// 0 is one place, 1 is anywhere.
    pub stride: u128,
    /// `None` where the length is not known.
    pub bytes: Option<u64>,
}

/// Beyond so many instructions one behind the other a value is taken as it is.
const DEEPEST: usize = 16;

impl Address {
    pub fn of(function: &Function, pointer: &Operand) -> Address {
        let mut address = Address { root: pointer.clone(), bytes: 0, terms: BTreeMap::new(), wraps: false };
        for _ in 0..DEEPEST {
            match &address.root {
                Operand::Const(Constant::Offset { base, bytes }) => {
                    address.bytes += i128::from(*bytes);
                    address.root = Operand::Const((**base).clone());
                }
                Operand::Const(_) => break,
                Operand::Value(id) => match function.inst(*id) {
                    Some(inst) if address.add_steps(function, inst).is_some() => {
                        address.root = inst.operands[0].clone();
                    }
                    _ => break,
                },
            }
        }
        address.terms.retain(|_, factor| *factor != 0);
        address
    }

    /// What one address computation adds; nothing is added where part of it is not understood.
    fn add_steps(&mut self, function: &Function, inst: &Inst) -> Option<()> {
        let Op::Gep(Gep { strides, .. }) = &inst.op else { return None };
        let mut sum = self.clone();
        let promised = [Flags::INBOUNDS, Flags::NUSW, Flags::NUW].iter().any(|flag| inst.flags.has(*flag));
        sum.wraps |= !promised;
        for (stride, index) in strides.iter().zip(&inst.operands[1..]) {
            match stride {
                Stride::Unknown => return None,
                Stride::Field(bytes) => sum.bytes = sum.bytes.checked_add(i128::from(*bytes))?,
                Stride::Scale(bytes) => sum.add_multiple(function, index, i128::from(*bytes), DEEPEST)?,
            }
        }
        *self = sum;
        Some(())
    }

    /// Adds an integer, read as signed, so many times.
    fn add_multiple(
        &mut self,
        function: &Function,
        index: &Operand,
        factor: i128,
        fuel: usize,
    ) -> Option<()> {
        let id = match index {
            Operand::Const(constant) => {
                let bytes = constant.as_signed()?.checked_mul(factor)?;
                self.bytes = self.bytes.checked_add(bytes)?;
                return Some(());
            }
            Operand::Value(id) => *id,
        };
        let Type::Int(bits) = function.value_type(id) else { return None };
        if *bits > 64 {
            return None;
        }
        let expanded = function.inst(id).filter(|_| fuel > 0).and_then(|inst| {
            let mut sum = self.clone();
            sum.expand(function, inst, *bits, factor, fuel - 1)?;
            Some(sum)
        });
        match expanded {
            Some(sum) => *self = sum,
            None => {
                let slot = self.terms.entry(id).or_insert(0);
                *slot = slot.checked_add(factor)?;
            }
        }
        Some(())
    }

    /// A sum, difference or multiple, where the signed value is that of its parts modulo 2^64.
    fn expand(
        &mut self,
        function: &Function,
        inst: &Inst,
        bits: u32,
        factor: i128,
        fuel: usize,
    ) -> Option<()> {
        let exact = bits == 64 || inst.flags.has(Flags::NSW);
        let constant = |at: usize| match &inst.operands[at] {
            Operand::Const(constant) => constant.as_signed(),
            Operand::Value(_) => None,
        };
        match &inst.op {
            Op::Cast(CastOp::SExt) => self.add_multiple(function, &inst.operands[0], factor, fuel),
            Op::Cast(CastOp::ZExt) if inst.flags.has(Flags::NNEG) => {
                self.add_multiple(function, &inst.operands[0], factor, fuel)
            }
            Op::Int(IntOp::Add) if exact => self.add_both(function, inst, factor, factor, fuel),
            Op::Int(IntOp::Sub) if exact => self.add_both(function, inst, factor, -factor, fuel),
            Op::Int(IntOp::Or) if inst.flags.has(Flags::DISJOINT) => {
                self.add_both(function, inst, factor, factor, fuel)
            }
            Op::Int(IntOp::Mul) if exact => {
                self.wraps |= !inst.flags.has(Flags::NSW);
                let factor = factor.checked_mul(constant(1)?)?;
                self.add_multiple(function, &inst.operands[0], factor, fuel)
            }
            Op::Int(IntOp::Shl) if exact => {
                let shift = u32::try_from(constant(1)?).ok().filter(|shift| *shift < bits.min(62))?;
                self.add_multiple(function, &inst.operands[0], factor.checked_mul(1 << shift)?, fuel)
            }
            _ => None,
        }
    }

    fn add_both(
        &mut self,
        function: &Function,
        inst: &Inst,
        first: i128,
        second: i128,
        fuel: usize,
    ) -> Option<()> {
        self.add_multiple(function, &inst.operands[0], first, fuel)?;
        self.add_multiple(function, &inst.operands[1], second, fuel)
    }

    /// So many bytes further on.
    pub fn moved(self, bytes: i128) -> Option<Address> {
        Some(Address { bytes: self.bytes.checked_add(bytes)?, ..self })
    }

    /// The values it is made of.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.root.value().into_iter().chain(self.terms.keys().copied())
    }

    /// How many bytes the other address lies further on, where both are made of the same values.
    pub fn distance(&self, other: &Address) -> Option<i128> {
        (self.root == other.root && self.terms == other.terms).then(|| other.bytes.checked_sub(self.bytes))?
    }

    /// The bytes touched, counted from the pointer it starts with.
    pub fn span(&self, bytes: Option<u64>) -> Span {
        let stride = self.terms.values().fold(0, |sum, factor| gcd(sum, factor.unsigned_abs()));
        // Modulo 2^64 only what divides that stays a divisor.
        let stride = if self.wraps && stride != 0 { 1 << stride.trailing_zeros().min(64) } else { stride };
        Span { offset: self.bytes, stride, bytes }
    }
}

impl Span {
    /// Anywhere in the object.
    pub const ANY: Span = Span { offset: 0, stride: 1, bytes: None };

    /// Whether two spans of one object may have a byte in common.
    pub fn meets(&self, other: &Span) -> bool {
        let (Some(own), Some(others)) = (self.bytes, other.bytes) else { return true };
        let Some(apart) = other.offset.checked_sub(self.offset) else { return true };
        let stride = gcd(self.stride, other.stride);
        if stride == 0 {
            return apart < i128::from(own) && -apart < i128::from(others);
        }
        let Ok(stride) = i128::try_from(stride) else { return true };
        let ahead = apart.rem_euclid(stride);
        ahead < i128::from(own) || stride - ahead < i128::from(others)
    }

    /// The same bytes, counted from the start of the object into which its own start lies at `outer`.
    pub fn shifted(&self, outer: &Span) -> Span {
        match outer.offset.checked_add(self.offset) {
            Some(offset) => Span { offset, stride: gcd(self.stride, outer.stride), bytes: self.bytes },
            None => Span { bytes: self.bytes, ..Span::ANY },
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_program;

    const TEXT: &str = "function @f(%p: ptr, %i: i32, %k: i64) -> void {
^entry:
  %w: i64 = sext %i
  %j: i64 = add nsw %w, i64 3
  %a: ptr = gep inbounds %p, %j over double by(8)
  %m: i32 = add nsw %i, i32 1
  %mw: i64 = sext %m
  %b: ptr = gep inbounds %p, %mw over double by(8)
  %t: i64 = mul %k, i64 3
  %c: ptr = gep %p, %t over double by(8)
  %d: ptr = gep inbounds %a, i64 2 over double by(8)
  %n: i32 = add %i, i32 1
  %nw: i64 = sext %n
  %e: ptr = gep inbounds %p, %nw over double by(8)
  ret
}";

    fn address(function: &Function, name: u32) -> Address {
        Address::of(function, &Operand::Value(ValueId(name)))
    }

    #[test]
    fn sums_are_compared_by_what_they_are_made_of() {
        let program = parse_program(TEXT).expect("it parses");
        let function = &program.functions[0];
        let (a, b, d, e) =
            (address(function, 5), address(function, 8), address(function, 11), address(function, 14));
        assert_eq!(a.distance(&b), Some(-16));
        assert_eq!(a.distance(&d), Some(16));
        assert_eq!(a.distance(&e), None, "32 bits may have wrapped");
        assert_eq!(a.span(Some(8)), Span { offset: 24, stride: 8, bytes: Some(8) });
    }

    #[test]
    fn a_multiple_that_may_wrap_divides_by_powers_of_two_only() {
        let program = parse_program(TEXT).expect("it parses");
        let span = address(&program.functions[0], 10).span(Some(8));
        assert_eq!(span, Span { offset: 0, stride: 8, bytes: Some(8) });
    }

    #[test]
    fn fields_of_an_array_of_structures_are_apart() {
        let field = |offset, bytes| Span { offset, stride: 24, bytes: Some(bytes) };
        assert!(!field(0, 8).meets(&field(8, 16)));
        assert!(field(0, 9).meets(&field(8, 16)));
        assert!(field(0, 8).meets(&field(-24, 4)));
        let cell = |offset| Span { offset, stride: 0, bytes: Some(8) };
        assert!(!cell(0).meets(&cell(8)));
        assert!(cell(0).meets(&cell(7)));
        assert!(cell(0).meets(&Span { bytes: None, ..cell(-100) }));
        assert_eq!(field(8, 8).shifted(&cell(100)), Span { offset: 108, stride: 24, bytes: Some(8) });
    }
}
