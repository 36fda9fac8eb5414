//! How far from the start of its allocation an access may be.
//!
//! Function → for each pointer an offset, known up to multiples of a stride.
//! Lattice: an offset modulo a stride, ordered by divisibility of strides; stride 0 is one offset, stride 1 is any.
//! Bottom: no offset yet. Transfer: address arithmetic adds; phis and selects join; whatever else makes a pointer makes
//! one to the start of what it leads to.
//! Safe error: a smaller stride.

use super::by_value::ByValue;
use super::low_bits::LowBits;
use crate::model::{CastOp, Constant, Function, Gep, Inst, Layout, Op, Operand, Stride, Type, ValueId};

/// An offset, and all that differ from it by multiples of the stride.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offset {
    pub start: i128,
    pub stride: u128,
}

/// Bytes of an allocation: that many from each of the offsets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    pub at: Offset,
    pub bytes: u64,
}

/// The offset of each pointer that an instruction makes; of one not reached yet there is none.
pub struct Offsets(ByValue<Option<Offset>>);

impl Offsets {
    pub fn of(function: &Function) -> Offsets {
        Offsets::with(function, None)
    }

    /// The same, where it counts as well how indices end: every second element is as far from the next as two are long.
    pub fn exactly(function: &Function) -> Offsets {
        Offsets::with(function, Some(&LowBits::of(function)))
    }

    fn with(function: &Function, indices: Option<&LowBits>) -> Offsets {
        let pointers: Vec<(ValueId, &Inst)> = function
            .inst_ids()
            .filter(|id| function.value_type(*id).is_pointer())
            .filter_map(|id| Some((id, function.inst(id)?)))
            .collect();
        let mut offsets = Offsets(ByValue::of(function, pointers.iter().map(|(id, _)| *id)));
        loop {
            let mut changed = false;
            for (id, inst) in &pointers {
                let found = offsets.find(inst, indices);
                changed |= offsets.0.replace(*id, found) != found;
            }
            if !changed {
                return offsets;
            }
        }
    }

    pub fn of_operand(&self, pointer: &Operand) -> Offset {
        self.known(pointer).unwrap_or_default()
    }

    /// What an access of this type touches; a type of unknown size is taken for a large one.
    pub fn extent(&self, pointer: &Operand, ty: &Type) -> Extent {
        Extent { at: self.of_operand(pointer), bytes: Layout::default().store_size(ty).unwrap_or(1 << 20) }
    }

    /// Nothing for a pointer that is not reached yet, or that nothing can be accessed through.
    fn known(&self, pointer: &Operand) -> Option<Offset> {
        match pointer {
            // A parameter is the start of what it leads to.
            Operand::Value(value) => self.0.get(*value).unwrap_or(Some(Offset::default())),
            Operand::Const(Constant::Undef(_) | Constant::Poison(_)) => None,
            Operand::Const(constant) if constant.is_nowhere() => None,
            Operand::Const(Constant::Offset { bytes, .. }) => {
                Some(Offset { start: i128::from(*bytes), stride: 0 })
            }
            Operand::Const(_) => Some(Offset::default()),
        }
    }

    fn find(&self, inst: &Inst, indices: Option<&LowBits>) -> Option<Offset> {
        let joined =
            |operands: &[Operand]| operands.iter().filter_map(|x| self.known(x)).reduce(Offset::join);
        match &inst.op {
            Op::Gep(gep) => Some(add_steps(self.known(&inst.operands[0])?, (gep, inst), indices)),
            Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => joined(&inst.operands[..1]),
            Op::Phi { .. } => joined(&inst.operands),
            Op::Select => joined(&inst.operands[1..]),
            _ => Some(Offset::default()),
        }
    }
}

impl Offset {
    pub fn join(self, other: Offset) -> Offset {
        let apart = self.start.abs_diff(other.start);
        Offset { start: self.start, stride: gcd(gcd(self.stride, other.stride), apart) }.reduced()
    }

    pub fn moved_by(self, bytes: i128) -> Offset {
        Offset { start: self.start + bytes, ..self }.reduced()
    }

    /// As seen from something that is so far away, or that far in the other direction.
    pub fn shifted(self, by: Offset, sign: i128) -> Offset {
        Offset { start: self.start + sign * by.start, stride: gcd(self.stride, by.stride) }.reduced()
    }

    /// The same where a product may have wrapped.
    pub fn by_powers_of_two(self) -> Offset {
        let stride = if self.stride == 0 { 0 } else { 1 << self.stride.trailing_zeros().min(u64::BITS) };
        Offset { stride, ..self }.reduced()
    }

    /// One name for one set of offsets, so that a fixed point is seen.
    fn reduced(mut self) -> Offset {
        if let Ok(stride @ 1..) = i128::try_from(self.stride) {
            self.start = self.start.rem_euclid(stride);
        }
        self
    }
}

impl Offset {
    /// Whether all offsets of another are among those of this one.
    pub fn covers(self, other: Offset) -> bool {
        self.join(other) == self.reduced()
    }

    /// Whether this is known at least as well as another. An index into an array in a struct is known up to multiples of an
    /// element, which may as well be anywhere in the struct.
    pub fn is_as_exact_as(self, other: Offset) -> bool {
        if other.stride == 0 { self.stride == 0 } else { self.stride.is_multiple_of(other.stride) }
    }
}

impl Extent {
    /// Whether two extents in one allocation may have a byte in common.
    pub fn meets(self, other: Extent) -> bool {
        let stride = gcd(self.at.stride, other.at.stride);
        let apart = other.at.start - self.at.start;
        let Ok(stride @ 1..) = i128::try_from(stride) else {
            return apart < i128::from(self.bytes) && -apart < i128::from(other.bytes);
        };
        let ahead = apart.rem_euclid(stride);
        ahead < i128::from(self.bytes) || stride - ahead < i128::from(other.bytes)
    }

    /// The same, where it is known to lie among that many bytes from 0 on, or to overlap with them.
    pub fn within(self, bytes: u64) -> Extent {
        let Ok(stride @ 1..) = i128::try_from(self.at.stride) else { return self };
        let start = self.at.start.rem_euclid(stride);
        let (length, bytes) = (i128::from(self.bytes), i128::from(bytes));
        let alone = start < bytes && start + stride >= bytes && start - stride + length <= 0;
        if alone { Extent { at: Offset { start, stride: 0 }, ..self } } else { self }
    }

    /// Whether two extents that have bytes in common begin with the same one.
    pub fn meets_at_start(self, other: Extent) -> bool {
        let apart = other.at.start - self.at.start;
        match i128::try_from(gcd(self.at.stride, other.at.stride)) {
            Ok(0) => apart == 0,
            Ok(stride) => apart % stride == 0 && stride >= i128::from(self.bytes.max(other.bytes)),
            Err(_) => false,
        }
    }
}

/// How far a step leads from where it begins; nothing for what is no step.
pub fn steps_of(inst: &Inst) -> Option<Offset> {
    let Op::Gep(gep) = &inst.op else { return None };
    Some(add_steps(Offset::default(), (gep, inst), None))
}

fn add_steps(mut at: Offset, (gep, inst): (&Gep, &Inst), indices: Option<&LowBits>) -> Offset {
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        let known = match index {
            Operand::Const(constant) => constant.as_signed(),
            Operand::Value(_) => None,
        };
        match (stride, known) {
            (Stride::Field(bytes), _) => at.start += i128::from(*bytes),
            (Stride::Scale(bytes), Some(index)) => at.start += index * i128::from(*bytes),
            (Stride::Scale(bytes), None) => {
                let (start, step) = indices.map_or((0, 1), |indices| indices.of_operand(index).steps());
                at.start += i128::from(start) * i128::from(*bytes);
                at.stride = gcd(at.stride, u128::from(*bytes) * u128::from(step));
            }
            (Stride::Unknown, _) => at.stride = 1,
        }
    }
    at.reduced()
}

/// How many bytes from the start of its allocation an array lies that an address is in, as far as steps of a known length tell:
/// those of a loop's counter are none. `None` where it is one of several addresses.
pub fn find_start(function: &Function, pointer: &Operand) -> Option<i128> {
    let Some(inst) = pointer.value().and_then(|id| function.inst(id)) else { return Some(0) };
    let gep = match &inst.op {
        Op::Gep(gep) => gep,
        Op::Phi { .. } | Op::Select | Op::Freeze | Op::Cast(_) => return None,
        _ => return Some(0),
    };
    let mut start = find_start(function, &inst.operands[0])?;
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        let known = if let Operand::Const(constant) = index { constant.as_signed() } else { None };
        start += match (stride, known) {
            (Stride::Field(bytes), _) => i128::from(*bytes),
            (Stride::Scale(bytes), Some(index)) => index * i128::from(*bytes),
            (Stride::Scale(_), None) => 0,
            (Stride::Unknown, _) => return None,
        };
    }
    Some(start)
}

pub fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
