//! Copies of many structs, as many as are known only when the program runs.
//!
//! Copy + touches → the size of a struct, and where in each there are floats. Every other word is positively an integer's.
//! Of structs with pointers nothing is said: their shadow pointers would have to be copied one by one.

use std::collections::{BTreeMap, BTreeSet};

use super::across::Joined;
use super::copies::{Members, words_of};
use super::evidence::Evidence;
use super::hints::Hints;
use super::integers::ask_across;
use super::places::Place;
use super::touches::Touches;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::offsets::gcd;
use crate::analyses::pointers::Pointers;
use crate::model::{FloatKind, Function, Inst, Layout, Operand, Program, Type, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spaced {
    /// From one struct to the next, in bytes.
    pub period: u64,
    /// Offsets in a struct, in order.
    pub floats: Vec<(u64, FloatKind)>,
    /// Pointers lie between them, which the forward sweep copies in the shadows: there are no numbers in these by then.
    pub pointers: bool,
    /// Which words are floats shows in the reverse sweep: those with a number in the shadow of the target.
    pub sought: bool,
}

impl Spaced {
    /// Nothing but floats of one kind, one behind the other.
    pub fn array(kind: FloatKind) -> Spaced {
        Spaced { period: u64::from(kind.bits() / 8), floats: vec![(0, kind)], pointers: false, sought: false }
    }

    /// Doubles among other words, wherever they are.
    pub fn sought(pointers: bool) -> Spaced {
        Spaced { pointers, sought: true, ..Spaced::array(FloatKind::Double) }
    }

    /// Pointers, and no floats.
    pub fn pointers() -> Spaced {
        Spaced { period: 1, floats: Vec::new(), pointers: true, sought: false }
    }

    /// Neither floats nor pointers, as in a text.
    pub fn text() -> Spaced {
        Spaced { period: 1, floats: Vec::new(), pointers: false, sought: false }
    }

    /// The kind of the floats where they are all of one, whatever is between them.
    pub fn float_of_all(&self) -> Option<FloatKind> {
        let kind = self.floats.first()?.1;
        self.floats.iter().all(|(_, other)| *other == kind).then_some(kind)
    }

    /// The kind of the floats where there is nothing else.
    pub fn one_kind(&self) -> Option<FloatKind> {
        let kind = self.floats.first()?.1;
        (*self == Spaced::array(kind)).then_some(kind)
    }
}

const LARGEST: u64 = 512;

pub fn find_spaced(
    function: &Function,
    program: &Program,
    copies: &[(ValueId, &Inst)],
) -> BTreeMap<ValueId, Spaced> {
    let plain = |copy: &Inst| {
        memory_call(copy) == Some(MemoryCall::Copy)
            && copy.ty == Type::Void
            && function.known_type(&copy.operands[2]) == Some(Type::I64)
    };
    let copies: Vec<(ValueId, &Inst)> = copies.iter().copied().filter(|(_, copy)| plain(copy)).collect();
    if copies.is_empty() {
        return BTreeMap::new();
    }
    let (layout, pointers) = (Layout::parse(&program.layout), Pointers::shared(function, program));
    let mut touches = Touches::of(function, program, &pointers, &layout);
    let mut found = find_repeated_all(&copies, &touches);
    // Who is given the memory may say more of it, or keep to it so that nothing else is said.
    let open: Vec<(ValueId, &Inst)> = copies.into_iter().filter(|(id, _)| !found.contains_key(id)).collect();
    if hear_of_ends(&open, &mut touches) {
        found.extend(find_repeated_all(&open, &touches));
    }
    found
}

/// Hears all who touch what copies read and write; whether anybody was heard.
fn hear_of_ends(copies: &[(ValueId, &Inst)], touches: &mut Touches) -> bool {
    if !touches.has_others() {
        return false;
    }
    let ends = copies.iter().flat_map(|(_, copy)| &copy.operands[..2]);
    let mut places: BTreeSet<Place> = ends.flat_map(|x| touches.places_of(x)).collect();
    places.retain(|place| !touches.is_own(place));
    let heard = ask_across(places, Joined::ByCopies, touches);
    let any = !heard.is_empty();
    heard.into_iter().for_each(|(place, heard)| touches.hear_all(&place, heard.touches));
    any
}

fn find_repeated_all(copies: &[(ValueId, &Inst)], touches: &Touches) -> BTreeMap<ValueId, Spaced> {
    let hints = Hints::of(touches);
    copies.iter().filter_map(|copy| Some((copy.0, find_repeated(*copy, touches, &hints)?))).collect()
}

fn find_repeated((id, copy): (ValueId, &Inst), touches: &Touches, hints: &Hints) -> Option<Spaced> {
    let (layout, least) = (touches.layout(), touches.least_float());
    let period = find_period(copy, touches)?;
    let operands = &copy.operands[..2];
    let evidence = Evidence::of_repeated(id, period, touches)?;
    let into_word = words_of(operands, touches)?;
    if into_word != 0 || evidence.is_vague() {
        return None;
    }
    let members = Members {
        evidence: &evidence,
        hints,
        inst: copy,
        touches,
        bytes: period,
        into_word: Some(into_word),
        onward: true,
    };
    let mut floats = Vec::new();
    for member in members.find()? {
        match member.ty {
            Type::Float(kind @ (FloatKind::Single | FloatKind::Double)) => floats.push((member.offset, kind)),
            ty @ Type::Int(16 | 32 | 64) => {
                let end = member.offset + layout.store_size(&ty)?;
                let mut words = (member.offset..end).step_by(least as usize);
                if !words.all(|word| evidence.is_counted(word, (word + least).min(end))) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    let spaced = Spaced { period, floats, pointers: false, sought: false };
    // A part of a float at the end is none that an array holds.
    let length = if let Operand::Const(length) = &copy.operands[2] { length.as_signed() } else { None };
    let cut = length.is_some_and(|length| length % i128::from(period) != 0);
    (!cut || spaced.one_kind().is_none()).then_some(spaced)
}

/// What all known distances at both ends have in common.
fn find_period(copy: &Inst, touches: &Touches) -> Option<u64> {
    let mut common = 0;
    for pointer in &copy.operands[..2] {
        common = gcd(common, touches.seen.offsets.of_operand(pointer).stride);
        for place in touches.places_of(pointer) {
            for touch in touches.at(&place) {
                common = gcd(common, touch.extent.at.stride);
            }
        }
    }
    let least = touches.least_float();
    u64::try_from(common).ok().filter(|period| (least..=LARGEST).contains(period) && period % least == 0)
}
