//! Whether a copy is of floats of one kind, as far as those tell who touch the memory.
//!
//! Copy + function + activity → whether accesses speak of every float that is copied. Of structs of which only one member
//! is touched here, the others may be anything: two floats, an integer, a pointer.
//! An access whose distance from the next is not known (Fortran's strides are run-time values) contradicts nothing.
//! Safe error: not covered.

use super::activity::Activity;
use super::offsets::gcd;
use super::pointers::Base;
use crate::model::{Constant, Function, Inst, IntOp, Layout, Op, Operand, ValueId};

/// Longer copies, and structs, are taken for not covered where it would have to be counted.
const LONGEST: i128 = 4096;

/// Floats that an access speaks of: so many bytes behind the start of the copy, and at all multiples of `step` from there.
struct Spoken {
    at: i128,
    bytes: i128,
    step: i128,
}

pub fn is_covered(function: &Function, activity: &Activity, copy: &Inst, size: u64) -> bool {
    let (spoken, size) = (find_spoken(function, activity, copy), i128::from(size));
    // A step of one byte is one that is not known.
    if !spoken.iter().all(|access| access.step == 1 || access.step % size == 0 && access.at % size == 0) {
        return false;
    }
    if spoken.iter().any(|access| access.step == size) {
        return true;
    }
    let structs =
        spoken.iter().filter(|access| access.step > size).fold(1, |all, access| lcm(all, access.step));
    if structs > 1 {
        return structs <= LONGEST && are_spoken_of(&spoken, structs, size);
    }
    if spoken.iter().any(|access| access.step != 0) {
        return true;
    }
    match &copy.operands[2] {
        Operand::Const(length) => {
            length.as_signed().is_some_and(|length| length <= LONGEST && are_spoken_of(&spoken, length, size))
        }
        Operand::Value(length) => counts_by(function, *length) == Some(size),
    }
}

fn find_spoken(function: &Function, activity: &Activity, copy: &Inst) -> Vec<Spoken> {
    let (accessed, layout) = (activity.accessed(function), Layout::default());
    let mut spoken = Vec::new();
    for pointer in &copy.operands[..2] {
        let (start, mut places) = (accessed.offsets.of_operand(pointer), activity.bases(pointer));
        places.remove(&Base::Null);
        for (touched, ty) in accessed.at(function, &places) {
            let there = accessed.offsets.of_operand(touched);
            let step = i128::try_from(gcd(there.stride, start.stride)).unwrap_or(1);
            let bytes = layout.store_size(&ty).map_or(0, i128::from);
            spoken.push(Spoken { at: there.start - start.start, bytes, step });
        }
    }
    spoken
}

/// Whether each float in so many bytes is spoken of.
fn are_spoken_of(spoken: &[Spoken], bytes: i128, size: i128) -> bool {
    let says = |access: &Spoken, at: i128| {
        let apart = at - access.at;
        let into = if access.step == 0 { apart } else { apart.rem_euclid(access.step) };
        (0..access.bytes).contains(&into) && into % size == 0
    };
    (0..bytes / size).all(|float| spoken.iter().any(|access| says(access, float * size)))
}

/// The constant by which a length is multiplied.
fn counts_by(function: &Function, length: ValueId) -> Option<i128> {
    let inst = function.inst(length)?;
    let [left, right] = inst.operands.as_slice() else { return None };
    let constant = |operand: &Operand| match operand {
        Operand::Const(constant @ Constant::Int { .. }) => constant.as_signed(),
        _ => None,
    };
    match inst.op {
        Op::Int(IntOp::Mul) => constant(right).or_else(|| constant(left)),
        Op::Int(IntOp::Shl) => constant(right).filter(|by| (0..64).contains(by)).map(|by| 1 << by),
        _ => None,
    }
}

fn lcm(a: i128, b: i128) -> i128 {
    a / i128::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).unwrap_or(1) * b
}
