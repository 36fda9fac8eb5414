//! Characters that library functions put into memory or read there are numbers, and no bytes of floats.
//!
//! A text is as long as the call is told it may be, or as the array of characters in a struct that it stands in; else at least one
//! character, which may be its end.

use super::counted::{Seeing, Seen};
use super::stands::Stand;
use crate::model::{Inst, Layout, Op, Operand, Stride, Type, ValueId};
use crate::rules::texts_of;

/// The end of longer ones is not asked for.
const MOST_CHARACTERS: i128 = 256;

impl Seeing<'_> {
    /// What a call says of the memory that it is given texts in, character by character.
    pub(super) fn find_characters(&self, by: ValueId, inst: &Inst, layout: &Layout) -> Vec<Seen> {
        let arguments = inst.arguments();
        let number = |operand: &Operand| match operand {
            Operand::Const(constant) => constant.as_signed(),
            _ => None,
        };
        let mut all = Vec::new();
        for text in texts_of(inst) {
            let Some(pointer) = arguments.get(text.at) else { continue };
            let told = text.size.and_then(|size| number(arguments.get(size)?));
            let count = told.or_else(|| self.count_characters(pointer, layout)).unwrap_or(1);
            for offset in 0..count.min(MOST_CHARACTERS) {
                let stand = self.stand_of(pointer);
                let stand = Stand { start: stand.start + offset, ..stand };
                let places = self.named(pointer);
                let (exact, ty) = (stand, None);
                all.push(Seen {
                    by,
                    places,
                    stand,
                    exact,
                    walks: false,
                    bytes: 1,
                    counted: true,
                    ty,
                    member: false,
                });
            }
        }
        all
    }

    /// The length of an array of characters in a struct, if a pointer leads to its start.
    fn count_characters(&self, pointer: &Operand, layout: &Layout) -> Option<i128> {
        let Op::Gep(step) = &self.function.inst(pointer.value()?)?.op else { return None };
        let ([_, Stride::Field(at)], Type::Struct { fields, .. }) = (step.strides.as_slice(), &step.source)
        else {
            return None;
        };
        let starts_there = |index: usize| layout.field_offset(&step.source, index as u64) == Some(*at);
        let lengths = fields.iter().enumerate().filter(|(index, _)| starts_there(*index));
        lengths
            .filter_map(|(_, field)| match field {
                Type::Array(length, element) if **element == Type::Int(8) => Some(i128::from(*length)),
                _ => None,
            })
            .next()
    }
}
