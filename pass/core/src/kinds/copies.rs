//! Copies of structs that hold more than floats of one kind, as the members that are copied.
//!
//! Copy of a known length + touches → members: every byte once, in order. What members are is told by who else touches
//! them in the source or in the target.
//! A few bytes between members that nobody here touches are mostly padding. They may be a float that others read, and are
//! moved as one: if it is one then that is right, and if it is not then nobody asks for its derivative.

use super::evidence::Evidence;
use super::hints::Hints;
use super::touches::{Kind, Touches};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::model::{Constant, FloatKind, Function, Inst, Operand, Type, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub offset: u64,
    pub ty: Type,
}

/// Larger structs are copied as they are.
const MOST_BYTES: u64 = 512;

/// The bytes of the smallest float that silent bytes may be. Those that share such a word with an integer are none.
pub const WORD: u64 = 4;

/// The copies that can be taken apart, and are not of floats of one kind.
pub fn find_mixed_copies(touches: &Touches, hints: &Hints) -> Vec<(ValueId, Vec<Member>)> {
    let function = touches.function;
    let copies = function.inst_ids().filter_map(|id| Some((id, function.inst(id)?, copied_bytes(function, id)?)));
    let apart = copies.filter_map(|(id, inst, bytes)| {
        let evidence = Evidence::of_copy(&inst.operands[..2], bytes, touches)?;
        let whole = |kind: FloatKind| bytes % u64::from(kind.bits() / 8) == 0;
        match evidence.uniform() {
            Some(kind) if whole(kind) => None,
            _ => Some((id, Members { evidence: &evidence, hints, inst, touches, bytes }.find()?)),
        }
    });
    apart.collect()
}

/// How many bytes a copy moves; `None` for what is no copy, or one of unknown length.
fn copied_bytes(function: &Function, id: ValueId) -> Option<u64> {
    let inst = function.inst(id).filter(|inst| inst.ty == Type::Void)?;
    let (Some(MemoryCall::Copy), [_, _, bytes, volatile]) = (memory_call(inst), inst.arguments()) else {
        return None;
    };
    let constant = |operand: &Operand| match operand {
        Operand::Const(constant) => constant.as_signed(),
        Operand::Value(_) => None,
    };
    let plain = *volatile == Operand::Const(Constant::bool(false));
    u64::try_from(constant(bytes)?).ok().filter(|bytes| plain && (1..=MOST_BYTES).contains(bytes))
}

pub fn has_copies(function: &Function) -> bool {
    function.inst_ids().any(|id| copied_bytes(function, id).is_some())
}

struct Members<'a> {
    evidence: &'a Evidence,
    hints: &'a Hints,
    inst: &'a Inst,
    touches: &'a Touches<'a>,
    bytes: u64,
}

impl Members<'_> {
    fn find(&self) -> Option<Vec<Member>> {
        let mut members = Vec::new();
        let mut offset = 0;
        while offset < self.bytes {
            let ty = self.member_at(offset)?;
            let bytes = self.touches.layout().store_size(&ty)?;
            // What reaches into the next member, or beyond the end, is not understood.
            let overlaps = self.evidence.is_cut(offset, offset + bytes);
            if overlaps || offset + bytes > self.bytes {
                return None;
            }
            members.push(Member { offset, ty });
            offset += bytes;
        }
        Some(members)
    }

    fn member_at(&self, offset: u64) -> Option<Type> {
        if let Some((bytes, kind)) = self.evidence.starting_at(offset)? {
            match kind {
                Kind::Float(kind) => return Some(Type::Float(kind)),
                Kind::Pointer => return Some(Type::PTR),
                Kind::Integer if bytes > WORD => return Some(Type::Int(bytes as u32 * 8)),
                _ => {}
            }
        }
        let word = (offset / WORD + 1) * WORD;
        let rest = word.min(self.bytes) - offset;
        if self.evidence.is_silent(offset, word) && rest == WORD {
            return self.silent_at(offset);
        }
        // The integers of one word, with what is between them.
        match rest {
            WORD => Some(Type::I32),
            2 if offset % 2 == 0 => Some(Type::Int(16)),
            _ => Some(Type::Int(8)),
        }
    }

    /// Nobody touches a word. If it stands alone it can be no more than one float; of two that might be a double, the
    /// types that the program is written with tell which.
    fn silent_at(&self, offset: u64) -> Option<Type> {
        let pair = offset - offset % (2 * WORD);
        let alone = pair + 2 * WORD > self.bytes || !self.evidence.is_silent(pair, pair + 2 * WORD);
        if alone {
            return Some(Type::Float(FloatKind::Single));
        }
        let hinted = self.inst.operands[..2].iter().find_map(|x| self.hints.scalar_at(self.touches, x, offset))?;
        Some(match hinted {
            Type::Ptr(_) => Type::PTR,
            wide if self.touches.layout().store_size(&wide)? == 2 * WORD && offset == pair => Type::DOUBLE,
            _ => Type::Float(FloatKind::Single),
        })
    }
}
