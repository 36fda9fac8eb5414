//! Does a copy of active memory move what lies there?
//!
//! The plan says where in each copy the floats are. That is right if others read or write such floats there, all of them, and
//! nothing else. An array that is copied whole has to be spoken of whole: of a struct of which only one member is touched the
//! others may be anything.

use std::collections::BTreeSet;

use super::counted::Near;
use super::{Obligation, Proof, memory::Varied};
use crate::kinds::Spaced;
use crate::model::{Constant, FloatKind, Inst, IntOp, Op, Operand, Type, ValueId};

/// What repeats at larger distances only is not counted out.
const FARTHEST: i128 = 4096;

impl<'a> Proof<'a> {
    pub fn find_copy_fault(
        &self,
        id: ValueId,
        copy: &'a Inst,
        varied: &Varied,
    ) -> Option<(Obligation, &'static str)> {
        let fault = |problem| Some((Obligation::Differentiable, problem));
        let Some(moved) = self.plan.copies.get(&id) else {
            return fault("copies what the plan does not know");
        };
        let right = match of_one_kind(moved) {
            _ if moved.sought => {
                self.copies_own_words(copy, moved.pointers, varied)
                    || moved.pointers && self.copies_shared_words(copy, varied)
            }
            Some(kind) => {
                self.copies_array(copy, &copy.operands[..2], kind)
                    || self.clears_array(copy, kind, varied)
                    || self.copies_own_array(copy, kind, varied)
                    || self.copies_known_array(copy, kind, varied)
                    || is_declared_array(copy, kind)
                        && (is_member_array(copy) || !self.is_taken_otherwise(copy, Some(kind)))
            }
            None if moved.floats.is_empty() && !moved.pointers => {
                self.copies_text(copy, varied) || self.copies_declared_numbers(copy, varied)
            }
            None if moved.pointers => moved.floats.is_empty() && self.copies_own_pointers(copy, varied),
            None => self.copies_structs(copy, moved, varied),
        };
        if right { None } else { fault("copies what others do not take for the floats in the plan") }
    }

    /// What a text, without floats and pointers, overwrites in memory of ours has no influence any more.
    fn copies_text(&self, copy: &'a Inst, varied: &Varied) -> bool {
        self.is_ours(&copy.operands[0]) && self.is_text(&copy.operands[1], varied)
    }

    /// Whether the program says that there are integers, and nobody here and behind calls touches anything else. A target that is
    /// cleared is ours.
    fn copies_declared_numbers(&self, copy: &'a Inst, varied: &Varied) -> bool {
        let kept = self.leads_to(&copy.operands[1], &varied.shadowed) || self.is_ours(&copy.operands[0]);
        kept && are_declared_numbers(copy) && !self.is_taken_otherwise(copy, None)
    }

    /// Every word is that of a float in the plan, or positively an integer's. A target that is cleared is ours.
    fn copies_structs(&self, copy: &Inst, moved: &Spaced, varied: &Varied) -> bool {
        let kept = self.leads_to(&copy.operands[1], &varied.shadowed) || self.is_ours(&copy.operands[0]);
        let kinds: BTreeSet<FloatKind> = moved.floats.iter().map(|(_, kind)| *kind).collect();
        let alone = kinds.first().filter(|_| kinds.len() == 1);
        kept && self.seeing().holds_structs(&copy.operands[..2], moved)
            && !alone.is_some_and(|kind| self.is_taken_otherwise(copy, Some(*kind)))
    }

    /// Whether all who are given the memory, and all who gave it, take it for such floats. A target that is cleared is ours.
    fn copies_known_array(&self, copy: &Inst, kind: FloatKind, varied: &Varied) -> bool {
        let kept = self.leads_to(&copy.operands[1], &varied.shadowed) || self.is_ours(&copy.operands[0]);
        let whole = signed(&copy.operands[2]).is_none_or(|bytes| bytes % i128::from(kind.bits() / 8) == 0);
        kept && whole
            && self.seeing().agrees_on_floats(&copy.operands[..2], kind)
            && !self.is_taken_otherwise(copy, Some(kind))
    }

    /// Whether what comes from memory without a shadow, whatever it is, ends derivatives in an array of ours.
    fn clears_array(&self, copy: &Inst, kind: FloatKind, varied: &Varied) -> bool {
        self.has_no_shadow(&copy.operands[1], &varied.shadowed)
            && self.is_ours(&copy.operands[0])
            && self.copies_array(copy, &copy.operands[..1], kind)
    }

    /// Whether one end of a copy, or both, are touched as such floats alone, all that is moved.
    pub fn copies_array(&self, copy: &Inst, ends: &[Operand], kind: FloatKind) -> bool {
        let element = Type::Float(kind);
        let contents = self.contents(ends);
        if contents.is_empty() || !contents.iter().all(|ty| ty.is_real() && *ty.scalar() == element) {
            return false;
        }
        if self.is_taken_otherwise(copy, Some(kind)) {
            return false;
        }
        let size = i128::from(kind.bits() / 8);
        if signed(&copy.operands[2]).is_some_and(|bytes| bytes % size != 0) {
            return false;
        }
        let near: Vec<Near> = ends.iter().flat_map(|x| self.seeing().near(x)).collect();
        // Nothing is known of the distance of a step of one byte, which is that between elements of a section of an array.
        let aligned = |near: &Near| near.step == 1 || near.step % size == 0 && near.at % size == 0;
        if !near.iter().all(aligned) {
            return false;
        }
        let steps = near.iter().map(|near| near.step).filter(|step| *step > 1);
        let period = steps.fold(1, least_multiple);
        let everywhere = near.iter().any(|near| near.step == 1);
        let (range, known) = match (&copy.operands[2], period) {
            (_, 2..) => (period, period <= FARTHEST),
            _ if everywhere => return true,
            (Operand::Const(bytes), _) => match bytes.as_signed() {
                Some(bytes) => (bytes, bytes <= FARTHEST),
                None => (0, false),
            },
            (Operand::Value(bytes), _) => (size, self.counts(*bytes, size)),
        };
        let spoken = |at: i128| near.iter().any(|near| near.is_at(at));
        known && (0..range / size).all(|element| spoken(element * size))
    }

    /// Whether a number of bytes is a number of elements, times their size.
    fn counts(&self, bytes: ValueId, size: i128) -> bool {
        let Some(inst) = self.function.inst(bytes) else { return false };
        let known = |operand: &Operand| matches!(operand, Operand::Const(Constant::Int { .. }));
        let constants: Vec<i128> = inst.operands.iter().filter(|x| known(x)).filter_map(signed).collect();
        match (&inst.op, &constants[..]) {
            (Op::Int(IntOp::Mul), [times]) => *times == size,
            (Op::Int(IntOp::Shl), [places]) => {
                known(&inst.operands[1]) && size == 1 << (*places).clamp(0, 16)
            }
            _ => false,
        }
    }
}

/// Whether the program steps through the source or the target by such floats.
fn is_declared_array(copy: &Inst, kind: FloatKind) -> bool {
    let mark = match kind {
        FloatKind::Double => "\"backsweep.doubles\"",
        FloatKind::Single => "\"backsweep.singles\"",
        _ => return false,
    };
    matches!(&copy.op, Op::Call(call) if call.attributes.iter().any(|text| text == mark))
}

/// Whether the program steps through the memory by integers.
fn are_declared_numbers(copy: &Inst) -> bool {
    matches!(&copy.op, Op::Call(call) if call.attributes.iter().any(|text| text == "\"backsweep.integers\""))
}

/// Whether that is by the type of a struct of which the array is a member, beside whatever else.
fn is_member_array(copy: &Inst) -> bool {
    matches!(&copy.op, Op::Call(call) if call.attributes.iter().any(|text| text == "\"backsweep.member\""))
}

fn signed(operand: &Operand) -> Option<i128> {
    match operand {
        Operand::Const(constant) => constant.as_signed(),
        Operand::Value(_) => None,
    }
}

/// The kind of the floats where the plan says that there is nothing else.
fn of_one_kind(moved: &Spaced) -> Option<FloatKind> {
    match moved.floats[..] {
        [(0, kind @ (FloatKind::Single | FloatKind::Double))]
            if moved.period == u64::from(kind.bits() / 8) =>
        {
            Some(kind)
        }
        _ => None,
    }
}

fn least_multiple(a: i128, b: i128) -> i128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
