//! Copies of structs that hold more than floats of one kind, as the members that are copied.
//!
//! Copy of a known length + touches → members: every byte once, in order. What members are is told by who else touches
//! them in the source or in the target.
//! A few bytes between members that nobody here touches are mostly padding. In memory that nobody else looks at they are dead,
//! and moved there as a float. In memory of others they may be a float that others read, or an integer in the user's shadow,
//! which is not to be added to: such copies stay as they are.

use std::collections::BTreeSet;

use super::evidence::Evidence;
use super::hints::Hints;
use super::places::Place;
use super::touches::{Kind, Touches};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::model::{Constant, FloatKind, Function, Inst, Op, Operand, Type, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub offset: u64,
    pub ty: Type,
    /// Nobody touches it here: the type is a guess.
    pub silent: bool,
}

/// Larger structs are copied as they are.
const MOST_BYTES: u64 = 512;

/// The bytes of a `float`, as which silent words are moved where the program knows no shorter one.
const WORD: u64 = 4;

/// The copies that can be taken apart, and are not of floats of one kind.
pub fn find_mixed_copies(touches: &Touches, hints: &Hints) -> Vec<(ValueId, Vec<Member>)> {
    let function = touches.function;
    let copies =
        function.inst_ids().filter_map(|id| Some((id, function.inst(id)?, copied_bytes(function, id)?)));
    let apart = copies.filter_map(|(id, inst, bytes)| {
        if is_undefined(function, touches, &inst.operands[1]) {
            return Some((id, Vec::new()));
        }
        let Some(evidence) = Evidence::of_copy(id, bytes, touches) else {
            let stored = find_stored_floats((id, inst), bytes, touches);
            let stored = stored.or_else(|| find_stored_integers((id, inst), bytes, touches, hints));
            return Some((id, stored?));
        };
        let whole = |kind: FloatKind| bytes % u64::from(kind.bits() / 8) == 0;
        match evidence.uniform(bytes) {
            Some(kind) if whole(kind) => None,
            _ => {
                let into_word = words_of(&inst.operands[..2], touches);
                Some((
                    id,
                    Members { evidence: &evidence, hints, inst, touches, bytes, into_word, onward: false }
                        .find()?,
                ))
            }
        }
    });
    apart.collect()
}

/// The floats in a copy from memory that only this function finds, and that it fills by storing floats of one kind and in no
/// other way. So they are floats wherever they go, whoever else knows of that place.
fn find_stored_floats((id, copy): (ValueId, &Inst), bytes: u64, touches: &Touches) -> Option<Vec<Member>> {
    let kind = evidence_of_stored((id, copy), bytes, touches)?.all_floats(bytes)?;
    let size = u64::from(kind.bits() / 8);
    let floats =
        (0..bytes / size).map(|at| Member { offset: at * size, ty: Type::Float(kind), silent: false });
    Some(floats.collect())
}

/// The same of a table of integers, where somebody counts with each that lies there, or computes it. A table holds nothing else, so
/// that what is read from it depends on no input; an integer beside floats had to be known where it goes to, too.
fn find_stored_integers(
    (id, copy): (ValueId, &Inst),
    bytes: u64,
    touches: &Touches,
    hints: &Hints,
) -> Option<Vec<Member>> {
    let evidence = evidence_of_stored((id, copy), bytes, touches)?;
    let least = touches.least_float();
    let counted = |word: u64| evidence.is_counted(word, (word + least).min(bytes));
    let holds_integers =
        |place: &Place| touches.at(place).all(|touch| matches!(touch.kind, Kind::Integer | Kind::Looked));
    let table = touches.places_of(&copy.operands[1]).iter().all(holds_integers);
    if !table || !evidence.may_be_integer() || !(0..bytes).step_by(least as usize).all(counted) {
        return None;
    }
    let into_word = words_of(&copy.operands[..2], touches);
    Members { evidence: &evidence, hints, inst: copy, touches, bytes, into_word, onward: false }.find()
}

/// What is known of the memory that a copy reads, where only this function finds it, and fills it by stores alone.
fn evidence_of_stored((id, copy): (ValueId, &Inst), bytes: u64, touches: &Touches) -> Option<Evidence> {
    let from = &copy.operands[1];
    let places = touches.places_of(from);
    let fills = |id: &ValueId| {
        let call = touches.function.inst(*id);
        call.is_some_and(|call| match memory_call(call) {
            Some(MemoryCall::Copy) => !touches.places_of(&call.operands[0]).is_disjoint(&places),
            Some(MemoryCall::Fill) => true,
            _ => false,
        })
    };
    let own = |place: &Place| touches.is_own(place) && !touches.calls_at(place).any(|id| fills(&id));
    let known = !places.is_empty() && places.iter().all(own);
    known.then(|| Evidence::of_source((id, from), bytes, touches)).flatten()
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

/// Whether a copy is of memory that nobody ever writes: padding that has become a slot of its own.
fn is_undefined(function: &Function, touches: &Touches, from: &Operand) -> bool {
    let places = touches.places_of(from);
    let slot = from.value().is_some_and(|id| places == [Place::Stack(id)].into());
    let leads = |x: &Operand| !touches.places_of(x).is_disjoint(&places);
    let may_know = |inst: &Inst| {
        let copied_from = memory_call(inst) == Some(MemoryCall::Copy) && !leads(&inst.operands[0]);
        !copied_from && !is_lifetime(inst) && inst.operands.iter().any(leads)
    };
    slot && !function.insts.iter().any(may_know)
}

fn is_lifetime(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.starts_with("llvm.lifetime."))
}

/// How far into a word both pointers lead, where that is known and the same. A slot that need not be aligned may begin anywhere in a word, as
/// one for the rest of a struct, and then lies as what is copied to it.
pub fn words_of(pointers: &[Operand], touches: &Touches) -> Option<u64> {
    let fixed = pointers.iter().filter(|pointer| !lies_anywhere(pointer, touches));
    let word = touches.least_float();
    let mut phases = fixed.map(|pointer| {
        let at = touches.seen.offsets.of_operand(pointer);
        at.stride.is_multiple_of(u128::from(word)).then(|| at.start.rem_euclid(i128::from(word)) as u64)
    });
    let first = phases.next()??;
    phases.all(|phase| phase == Some(first)).then_some(first)
}

fn lies_anywhere(pointer: &Operand, touches: &Touches) -> bool {
    let is_loose = |place: &Place| match place {
        Place::Stack(id) => {
            let slot = touches.function.inst(*id).map(|inst| &inst.op);
            matches!(slot, Some(Op::Alloca(slot)) if slot.align < touches.least_float())
        }
        _ => false,
    };
    let places = touches.places_of(pointer);
    !places.is_empty() && places.iter().all(is_loose)
}

pub struct Members<'a> {
    pub evidence: &'a Evidence,
    pub hints: &'a Hints,
    pub inst: &'a Inst,
    pub touches: &'a Touches<'a>,
    pub bytes: u64,
    pub into_word: Option<u64>,
    /// Whether nothing is guessed either of what is copied on to memory of others. Where copies are taken apart it is: records with a
    /// name are exchanged through a slot.
    pub onward: bool,
}

impl Members<'_> {
    pub fn find(&self) -> Option<Vec<Member>> {
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
            let silent = self.evidence.is_silent(offset, offset + bytes);
            members.push(Member { offset, ty, silent });
            offset += bytes;
        }
        Some(members)
    }

    fn member_at(&self, offset: u64) -> Option<Type> {
        let least = self.touches.least_float();
        if let Some((bytes, kind)) = self.evidence.starting_at(offset)? {
            match kind {
                Kind::Float(kind) => return Some(Type::Float(kind)),
                Kind::Pointer => return Some(Type::PTR),
                Kind::Integer if bytes > least => return Some(Type::Int(bytes as u32 * 8)),
                _ => {}
            }
        }
        let into_word = self.into_word?;
        let word = ((offset + into_word) / least + 1) * least - into_word;
        let rest = word.min(self.bytes) - offset;
        if self.evidence.is_silent(offset, word) && rest == least {
            return self.silent_at(offset);
        }
        // The integers of one word, with what is between them.
        match rest {
            4 => Some(Type::I32),
            2 if (offset + into_word).is_multiple_of(2) => Some(Type::Int(16)),
            _ => Some(Type::Int(8)),
        }
    }

    /// Nobody touches a word. If it stands alone it can be no more than one float; of two that might be a double, the
    /// types that the program is written with tell which.
    fn silent_at(&self, offset: u64) -> Option<Type> {
        // Two halves are no float: their shadows are not added as one.
        if self.touches.least_float() < WORD {
            return None;
        }
        // Where only this function looks at the target it is dead. In memory of others somebody may know what it is.
        let is_dead = |place: &Place| {
            if self.onward { self.stays_own(place) } else { self.touches.is_own(place) }
        };
        if !self.touches.places_of(&self.inst.operands[0]).iter().all(is_dead) {
            return None;
        }
        let silent = |from: u64| from < self.bytes && self.evidence.is_silent(from, from + WORD);
        let before = offset >= WORD && silent(offset - WORD);
        if !before && !silent(offset + WORD) {
            return Some(Type::Float(FloatKind::Single));
        }
        let hinted =
            self.inst.operands[..2].iter().find_map(|x| self.hints.scalar_at(self.touches, x, offset))?;
        let wide = |ty: &Type| self.touches.layout().store_size(ty) == Some(2 * WORD);
        Some(match hinted {
            Some(Type::Ptr(_)) => Type::PTR,
            Some(ty) if wide(&ty) && silent(offset + WORD) => Type::DOUBLE,
            _ => Type::Float(FloatKind::Single),
        })
    }

    /// Whether nobody but this function looks at the memory, nor at what is copied from it.
    fn stays_own(&self, place: &Place) -> bool {
        let touches = self.touches;
        let mut known: BTreeSet<Place> = BTreeSet::new();
        let mut waiting = vec![place.clone()];
        while let Some(place) = waiting.pop() {
            if !touches.is_own(&place) {
                return false;
            }
            let calls = touches.calls_at(&place).filter_map(|id| touches.function.inst(id));
            let copies = calls.filter(|call| memory_call(call) == Some(MemoryCall::Copy));
            let onward = copies.filter(|copy| touches.places_of(&copy.operands[1]).contains(&place));
            let targets: Vec<Place> = onward.flat_map(|copy| touches.places_of(&copy.operands[0])).collect();
            if known.insert(place) {
                waiting.extend(targets);
            }
        }
        true
    }
}
