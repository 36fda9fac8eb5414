//! Where library functions put texts, and read them: these bytes are integers, and no floats.
//!
//! Call → the pointers it is given to texts, each with how many bytes belong to it. A size that the call is told tells it, or the array
//! of characters that is stepped to by the type of its struct; where nobody tells it is the first byte only, which ends the text if none
//! stands before it.

use crate::model::{Function, Inst, Layout, Op, Operand, Stride, Type};
use crate::rules::texts_of;

/// Of longer ones nobody asks what stands at their end.
const LONGEST: u64 = 256;

/// The pointers to texts that a call is given, with the bytes that belong to these.
pub fn find_texts<'a>(function: &Function, inst: &'a Inst, layout: &Layout) -> Vec<(&'a Operand, u64)> {
    let arguments = inst.arguments();
    let texts = texts_of(inst).filter_map(|text| {
        let pointer = arguments.get(text.at)?;
        let told = text.size.and_then(|size| number(arguments.get(size)?));
        let bytes = told.or_else(|| characters_at(function, pointer, layout)).unwrap_or(1);
        Some((pointer, bytes.min(LONGEST)))
    });
    texts.collect()
}

/// How long the array of characters is that is stepped to as the member of a struct.
fn characters_at(function: &Function, pointer: &Operand, layout: &Layout) -> Option<u64> {
    let step = function.inst(pointer.value()?)?;
    let Op::Gep(gep) = &step.op else { return None };
    let (Some(Stride::Field(at)), Type::Struct { .. }) = (gep.strides.last(), &gep.source) else {
        return None;
    };
    let [.., field] = step.operands.as_slice() else { return None };
    let field = number(field)?;
    let known = layout.field_offset(&gep.source, field) == Some(*at) && gep.strides.len() == 2;
    match gep.source.parts()?.get(field as usize)? {
        Type::Array(count, element) if known && **element == Type::Int(8) => Some(*count),
        _ => None,
    }
}

fn number(operand: &Operand) -> Option<u64> {
    let Operand::Const(constant) = operand else { return None };
    u64::try_from(constant.as_signed()?).ok()
}
