//! Which bytes of one piece of memory an access touches, whatever pass it is of: the checker's own walk up the steps by
//! which its address was made.
//!
//! Steps that stay within the memory add up without wrapping. A step by an unknown number of elements leaves the address known
//! up to multiples of their size; so does a pointer that moves from pass to pass, by how far it moves.
//! Safe error: no region.

use std::collections::BTreeMap;

use super::Proof;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use crate::model::{CastOp, Constant, Flags, Gep, Inst, Layout, Op, Operand, Stride, ValueId};

/// The bytes `at + k * step` and so many behind each, for any `k`; a step of zero is one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    place: Place,
    at: i128,
    step: i128,
    bytes: i128,
}

impl Region {
    pub fn is_apart_from(&self, other: &Region) -> bool {
        let between = other.at - self.at;
        let apart = |distance: i128| distance >= self.bytes || -distance >= other.bytes;
        match common(self.step, other.step) {
            0 => self.place == other.place && apart(between),
            step => {
                let ahead = between.rem_euclid(step);
                self.place == other.place && apart(ahead) && apart(ahead - step)
            }
        }
    }
}

const LARGEST: usize = 10_000;

/// What was found on the way up so far.
#[derive(Default)]
struct Walk {
    from: Option<(Place, i128)>,
    step: i128,
    /// How far behind each choice of a pointer the access lies.
    choices: BTreeMap<ValueId, i128>,
}

impl Walk {
    /// One more distance at which the access may lie.
    fn differ(&mut self, one: i128, other: i128) {
        self.step = common(self.step, one - other);
    }
}

impl Proof<'_> {
    /// Of a load or a store. In very large functions each would be held against each.
    pub fn region_of(&self, inst: &Inst) -> Option<Region> {
        if self.function.insts.len() > LARGEST {
            return None;
        }
        let (pointer, ty) = match &inst.op {
            Op::Load(_) => (&inst.operands[0], inst.ty.clone()),
            Op::Store(_) => (&inst.operands[1], self.function.operand_type(&inst.operands[0])),
            _ => return None,
        };
        let bytes = i128::from(Layout::parse(&self.program.layout).store_size(&ty)?);
        let mut walk = Walk::default();
        if !self.walk_up(pointer, 0, &mut walk) {
            return None;
        }
        let (place, at) = walk.from?;
        Some(Region { place, at, step: walk.step, bytes })
    }

    /// Whether all ways up from a pointer end where some memory begins; the access lies so many bytes behind it.
    fn walk_up(&self, pointer: &Operand, behind: i128, walk: &mut Walk) -> bool {
        let id = match pointer {
            // Nothing is there to be touched.
            Operand::Const(constant) if constant.is_nowhere() => return true,
            Operand::Const(constant) => {
                return begins_global(constant).is_some_and(|(place, at)| arrive(walk, place, at + behind));
            }
            Operand::Value(id) => *id,
        };
        let Some(inst) = self.function.inst(id) else { return arrive(walk, Place::Param(id), behind) };
        match &inst.op {
            Op::Alloca(_) => arrive(walk, Place::Slot(id), behind),
            _ if memory_call(inst) == Some(MemoryCall::Allocate) => arrive(walk, Place::Made(id), behind),
            Op::Gep(gep) if inst.flags.has(Flags::INBOUNDS) => {
                let Some((fixed, step)) = step_of(gep, inst) else { return false };
                walk.step = common(walk.step, step);
                self.walk_up(&inst.operands[0], behind + fixed, walk)
            }
            Op::Freeze | Op::Cast(CastOp::BitCast) => self.walk_up(&inst.operands[0], behind, walk),
            Op::Phi { .. } | Op::Select => {
                if let Some(before) = walk.choices.insert(id, behind) {
                    walk.differ(before, behind);
                    return true;
                }
                let first = usize::from(inst.op == Op::Select);
                inst.operands[first..].iter().all(|operand| self.walk_up(operand, behind, walk))
            }
            _ => false,
        }
    }
}

fn arrive(walk: &mut Walk, place: Place, behind: i128) -> bool {
    match walk.from.clone() {
        None => walk.from = Some((place, behind)),
        Some((known, at)) if known == place => walk.differ(at, behind),
        Some(_) => return false,
    }
    true
}

fn begins_global(constant: &Constant) -> Option<(Place, i128)> {
    match constant {
        Constant::Symbol { name, .. } => Some((Place::Global(name.clone()), 0)),
        Constant::Offset { base, bytes } => {
            let (place, at) = begins_global(base)?;
            Some((place, at + i128::from(*bytes)))
        }
        _ => None,
    }
}

/// How far an address step leads for certain, and what it leads further by any number of times.
fn step_of(gep: &Gep, inst: &Inst) -> Option<(i128, i128)> {
    let (mut fixed, mut step) = (0, 0);
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        match (stride, index) {
            (Stride::Field(bytes), _) => fixed += i128::from(*bytes),
            (Stride::Scale(bytes), Operand::Const(number)) => {
                fixed += number.as_signed()? * i128::from(*bytes);
            }
            (Stride::Scale(bytes), Operand::Value(_)) => step = common(step, i128::from(*bytes)),
            (Stride::Unknown, _) => return None,
        }
    }
    Some((fixed, step))
}

fn common(one: i128, other: i128) -> i128 {
    let (mut one, mut other) = (one.abs(), other.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
