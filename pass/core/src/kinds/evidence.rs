//! What is known of bytes that are moved together.
//!
//! Web or copy + touches → for each part of its bytes what touches say it is, and whether they say so of every place that
//! may be moved. A place is known up to multiples of a stride, so a touch may meet a web's bytes here and not there.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::offsets::{Extent, gcd};
use crate::model::{BlockId, FloatKind, Function, Inst, Lanes, Op, Operand, Program, Type, ValueId};

use super::distance::Distance;
use super::hints::Hints;
use super::moved::Moved;
use super::names::Named;
use super::places::Place;
use super::reach::{find_counted, meetings};
use super::same::Same;
use super::touches::{Kind, Touch, Touches, is_declared};
use super::webs::Web;

#[derive(Debug, Default)]
pub struct Evidence {
    /// By first byte and number of bytes: what it is, and whether it is that wherever the web may be.
    parts: BTreeMap<(u64, u64), (Kind, bool)>,
    /// Some say one thing and some another, or speak of bytes beside these, too.
    conflict: bool,
    /// Parts that some touch as a float and some as an integer: the former stands in `parts`.
    mixed: BTreeSet<(u64, u64)>,
    /// Bytes that somebody touches without saying what they are.
    vague: BTreeSet<(u64, u64)>,
    /// Bytes that somebody looks at as an integer, which says nothing.
    looked: BTreeSet<(u64, u64)>,
    /// All the memory involved holds floats of one kind.
    uniform: Option<FloatKind>,
    places: BTreeSet<Place>,
    /// Nobody else touches the memory involved.
    own: bool,
    /// Other functions may touch it, of which it is not known what they say.
    shared: bool,
    /// All are known who touch what is moved here, wherever it comes from and goes to.
    followed: bool,
    /// The bytes of the smallest float that silent bytes may be.
    least_float: u64,
}

impl Evidence {
    /// `None` where a pointer cannot be followed.
    pub fn of_web(web: &Web, touches: &Touches) -> Option<Evidence> {
        let movers: Vec<ValueId> = web.values.iter().chain(&web.stores).copied().collect();
        let pointers = pointers_of(web, touches.function);
        let mut evidence = Evidence::of(pointers, Moved::by_web(web, touches), &movers, touches)?;
        for ty in &web.floats {
            evidence.add_float(ty, web.bytes);
        }
        Some(evidence)
    }

    /// The same where one store of the web is passed, whatever its loads are passed with.
    pub fn of_mover(web: &Web, store: ValueId, touches: &Touches) -> Option<Evidence> {
        Evidence::of(pointers_of(web, touches.function), Moved::by_web(web, touches), &[store], touches)
    }

    /// Whether a member is touched as what it is declared to be, an integer, and by none that is known as anything else.
    pub fn is_member(access: &Inst, touches: &Touches) -> bool {
        let mut evidence = Evidence::default();
        let Some(same) = Same::of(access, touches) else { return false };
        same.touches.iter().for_each(|touch| evidence.add(same.extent, touch));
        evidence.vague.is_empty() && evidence.only_kind() == Some(Kind::Integer)
    }

    /// Whether all who touch what a load reads say that it is an integer, as far as a store in that run is concerned.
    pub fn is_read(load: &Inst, store: ValueId, touches: &Touches) -> bool {
        let Some(bytes) = touches.layout().store_size(&load.ty) else { return false };
        let evidence = Evidence::of(vec![&load.operands[0]], Moved::by(&load.ty, touches), &[store], touches);
        let least = touches.least_float();
        let words = || (0..bytes).step_by(least as usize);
        evidence.is_some_and(|known| {
            known.holds_integers_only()
                && words().all(|word| known.is_counted(word, (word + least).min(bytes)))
        })
    }

    /// The same of a copy.
    pub fn of_copy(copy: ValueId, bytes: u64, touches: &Touches) -> Option<Evidence> {
        Evidence::of(ends_of(copy, touches)?, Moved::by_copy(bytes, 0), &[copy], touches)
    }

    /// The same of structs of that size, one behind the other.
    pub fn of_repeated(copy: ValueId, bytes: u64, touches: &Touches) -> Option<Evidence> {
        Evidence::of(ends_of(copy, touches)?, Moved::by_copy(bytes, bytes), &[copy], touches)
    }

    /// The same of the memory that a copy reads, whatever is known of where it goes to.
    pub fn of_source((copy, from): (ValueId, &Operand), bytes: u64, touches: &Touches) -> Option<Evidence> {
        Evidence::of(vec![from], Moved::by_copy(bytes, 0), &[copy], touches)
    }

    fn of(
        pointers: Vec<&Operand>,
        Moved { bytes, period, unit }: Moved,
        movers: &[ValueId],
        touches: &Touches,
    ) -> Option<Evidence> {
        let mut evidence = Evidence { least_float: touches.least_float(), ..Evidence::default() };
        let (mut places, mut kept) = (BTreeSet::new(), BTreeSet::new());
        let beside = OnceCell::new();
        let counts = |touch: &Touch| {
            let is_beside =
                |block: BlockId| beside.get_or_init(|| touches.arms.beside(movers))[block.0 as usize];
            touch.block.is_none_or(is_beside)
        };
        for pointer in pointers {
            let here = touches.places_of(pointer);
            if here.is_empty() {
                return None;
            }
            let mut stands = touches.stands(pointer);
            // Structs may be copied one by one, whatever is smaller than they are and lies in them again and again.
            let unit = stands.exact.stride.max(unit.into());
            for at in [&mut stands.rough, &mut stands.exact] {
                at.stride = gcd(at.stride, period.into());
            }
            for place in &here {
                // What is not touched under this name may be touched under another.
                if touches.is_told(place) || touches.is_closed(place) {
                    let all: Vec<Touch> = touches.at(place).filter(|touch| counts(touch)).copied().collect();
                    evidence.add_all((stands, bytes), unit, &all);
                    continue;
                }
                let Named { places: all, step } = touches.all_names(place)?;
                let touching = all.iter().flat_map(|name| touches.at(name)).filter(|touch| counts(touch));
                let touching: Vec<Touch> = touching.map(|touch| touch.spread(step)).collect();
                // Under this name alone.
                let mut stands = stands;
                for at in [&mut stands.rough, &mut stands.exact] {
                    at.stride = gcd(at.stride, step);
                }
                evidence.add_all((stands, bytes), unit, &touching);
                kept.extend(all);
            }
            places.extend(here);
        }
        places.extend(kept.iter().cloned());
        evidence.uniform = find_uniform(places.clone(), touches);
        evidence.own = places.iter().all(|place| touches.is_own(place));
        let told = places.iter().all(|place| touches.is_told(place) || kept.contains(place));
        evidence.followed = places.iter().all(|place| touches.is_followed(place));
        evidence.shared = touches.has_others() && !evidence.own && !told;
        evidence.places = places;
        Some(evidence)
    }

    /// A touch says of each place of the web that it may meet what is there; of some of them only, if its own places are
    /// fewer.
    fn add(&mut self, web: Extent, touch: &Touch) {
        let (here, there) = (web.at, touch.extent.at);
        let everywhere = match there.stride {
            0 => here.stride == 0,
            stride => here.stride % stride == 0,
        };
        for at in meetings(web, touch.extent) {
            self.insert((at, touch.extent.bytes), web.bytes.into(), touch.kind, everywhere);
        }
    }

    /// What is counted with is told by all touches together.
    fn add_all(&mut self, (web, bytes): (Distance, u64), unit: u128, touches: &[Touch]) {
        let (integers, others): (Vec<_>, Vec<_>) =
            touches.iter().copied().partition(|touch| touch.kind == Kind::Integer);
        for touch in others {
            self.add(Extent { at: web.rough, bytes }, &touch);
        }
        for (part, everywhere) in find_counted(Extent { at: web.exact, bytes }, unit, &integers) {
            self.insert(part, bytes.into(), Kind::Integer, everywhere);
        }
    }

    fn insert(&mut self, (at, bytes): (i128, u64), size: i128, kind: Kind, everywhere: bool) {
        let end = at + i128::from(bytes);
        if kind == Kind::Looked {
            self.looked.insert((at.max(0) as u64, (end.min(size) - at.max(0)) as u64));
            return;
        }
        if matches!(kind, Kind::Unclear | Kind::Given) {
            self.vague.insert((at.max(0) as u64, (end.min(size) - at.max(0)) as u64));
            return;
        }
        if at < 0 || end > size {
            self.conflict = true;
            return;
        }
        let part = (at as u64, bytes);
        let known = self.parts.entry(part).or_insert((kind, false));
        match (known.0, kind) {
            (Kind::Float(_), Kind::Integer) => drop(self.mixed.insert(part)),
            (Kind::Integer, Kind::Float(_)) => {
                self.mixed.insert(part);
                *known = (kind, false);
            }
            (before, now) => self.conflict |= before != now,
        }
        known.1 |= everywhere;
    }

    fn add_float(&mut self, ty: &Type, size: u64) {
        let Type::Float(kind) = ty.scalar() else { return self.conflict = true };
        let bytes = u64::from(kind.bits() / 8);
        let lanes = if let Type::Vector(lanes, _) = ty { u64::from(lanes.count) } else { 1 };
        for lane in 0..lanes {
            self.insert(((lane * bytes).into(), bytes), size.into(), Kind::Float(*kind), true);
        }
    }

    /// The type of what a web moves, where that is floats of one kind or a pointer. Of what nobody touches it is the float
    /// that it may be by the types that the program was written with.
    pub fn carried(&self, web: &Web, hints: &Hints, touches: &Touches) -> Option<Type> {
        if self.is_silent(0, web.bytes) {
            // A constant brings no derivative, and as a float it would be evidence that there is one: it may be any member of
            // a descriptor that nobody reads.
            if web.values.is_empty() {
                return None;
            }
            return match hints.only_float(&self.places).filter(|_| self.own) {
                Some(kind) => floats(kind, web.bytes),
                None => hinted(web, hints, touches).filter(|_| self.own),
            };
        }
        // What is declared to be an integer is no word of a union; an index into an array beside it may seem to meet it.
        let movers = || web.values.iter().chain(&web.stores).filter_map(|id| touches.function.inst(*id));
        if let Some(kind) = self.shared_word(0, web.bytes).filter(|_| !movers().any(is_declared)) {
            return floats(kind, web.bytes);
        }
        match self.only_kind()? {
            Kind::Float(kind) if self.covers(web.bytes) || self.is_dead_beside(web.bytes) => {
                floats(kind, web.bytes)
            }
            Kind::Pointer if web.bytes == 8 && self.covers(8) => Some(Type::PTR),
            _ => None,
        }
    }

    /// Whether no byte can be a float's: every word holds a part of an integer, or nothing. What fills a struct up, and is moved in pieces
    /// that are shorter than any float of the program, is nothing as well where all who touch it are known.
    pub fn is_integer(&self, web: &Web) -> bool {
        let least = self.least_float;
        if self.followed && !self.shared && web.bytes < least && self.is_silent(0, web.bytes) {
            return true;
        }
        let words = || (0..web.bytes).step_by(least as usize);
        let counted = |word: u64| self.is_counted(word, (word + least).min(web.bytes));
        let nothing = |word: u64| self.followed && self.is_silent(word, word + least);
        !self.shared && self.holds_integers_only() && words().all(|word| counted(word) || nothing(word))
    }

    fn holds_integers_only(&self) -> bool {
        self.vague.is_empty() && self.only_kind() == Some(Kind::Integer)
    }

    /// Whether nobody says that there is anything but integers.
    pub fn may_be_integer(&self) -> bool {
        !self.conflict && self.vague.is_empty() && self.parts.values().all(|(kind, _)| *kind == Kind::Integer)
    }

    /// Whether an integer lies in these bytes wherever they may be, and nothing that is not told.
    pub fn is_counted(&self, from: u64, to: u64) -> bool {
        let touching = |(at, bytes): &(u64, u64)| *at < to && from < at + bytes;
        let integer = |(part, (kind, everywhere)): (&(u64, u64), &(Kind, bool))| {
            touching(part) && *kind == Kind::Integer && *everywhere
        };
        !self.shared && self.parts.iter().any(integer) && !self.vague.iter().any(touching)
    }

    /// Whether somebody touches a part without saying what it is.
    pub fn is_vague(&self) -> bool {
        !self.vague.is_empty()
    }

    /// The one kind of float that all these bytes are, as somebody says of every one.
    pub fn uniform(&self, bytes: u64) -> Option<FloatKind> {
        self.uniform.filter(|_| self.covers(bytes))
    }

    /// The one kind of float that all these bytes are said to be, everywhere and by all who touch them.
    pub fn all_floats(&self, bytes: u64) -> Option<FloatKind> {
        let unseen = self.vague.is_empty() && self.looked.is_empty();
        match self.only_kind()? {
            Kind::Float(kind @ (FloatKind::Single | FloatKind::Double)) if unseen && self.covers(bytes) => {
                Some(kind)
            }
            _ => None,
        }
    }

    /// What starts there: its bytes and its kind, or nothing. The outer `None` says that it cannot be told.
    pub fn starting_at(&self, offset: u64) -> Option<Option<(u64, Kind)>> {
        let mut found = self.parts.range((offset, 0)..=(offset, u64::MAX));
        match (found.next(), found.next()) {
            _ if self.conflict || !self.mixed.is_empty() => None,
            (None, _) => Some(None),
            (Some(((_, bytes), (kind, true))), None) => Some(Some((*bytes, *kind))),
            _ => None,
        }
    }

    /// The float in a word of a union that also holds integers, in memory that nobody else looks at: nothing is ever added to
    /// its shadow while it is an integer, so it may be moved as the float.
    pub fn shared_word(&self, from: u64, to: u64) -> Option<FloatKind> {
        let here = || self.parts.iter().filter(|((at, bytes), _)| *at < to && from < at + bytes);
        let kind = match self.parts.get(&(from, to - from)) {
            Some((Kind::Float(kind), _)) if !self.conflict && self.own => *kind,
            _ => return None,
        };
        let inside = |(at, bytes): (u64, u64)| from <= at && at + bytes <= to;
        let beside = here().all(|(part, (kind, _))| match kind {
            Kind::Float(_) => *part == (from, to - from),
            kind => *kind == Kind::Integer && inside(*part),
        });
        let shared = here().count() > 1 || self.mixed.contains(&(from, to - from));
        (beside && shared).then_some(kind)
    }

    /// Whether a single float lies in one of two words, and nothing across both.
    pub fn holds_float_in_half(&self) -> bool {
        let single = (Kind::Float(FloatKind::Single), true);
        const WORD: u64 = 4;
        let within = |(at, bytes): &(u64, u64)| at / WORD == (at + bytes - 1) / WORD;
        !self.conflict
            && self.parts.keys().chain(&self.vague).all(within)
            && self.parts.values().any(|x| *x == single)
    }

    /// Whether a part lies across one end of these bytes, or two parts overlap in them.
    pub fn is_cut(&self, from: u64, to: u64) -> bool {
        if self.shared_word(from, to).is_some() {
            return false;
        }
        let inside: Vec<_> = self.parts.keys().filter(|(at, bytes)| *at < to && from < at + bytes).collect();
        let across = inside.iter().any(|(at, bytes)| *at < from || at + bytes > to);
        across || inside.windows(2).any(|two| two[0].0 + two[0].1 > two[1].0)
    }

    /// Whether nobody touches these bytes.
    pub fn is_silent(&self, from: u64, to: u64) -> bool {
        let mut touched = self.parts.keys().chain(&self.vague).chain(&self.looked);
        !self.conflict && !touched.any(|(at, bytes)| *at < to && from < at + bytes)
    }

    fn only_kind(&self) -> Option<Kind> {
        let mut kinds = self.parts.values().map(|(kind, _)| *kind);
        let first = kinds.next().filter(|_| !self.conflict && self.mixed.is_empty())?;
        kinds.all(|kind| kind == first).then_some(first)
    }

    /// Whether parts lie side by side, without a gap, everywhere.
    fn covers(&self, bytes: u64) -> bool {
        self.parts.values().all(|(_, everywhere)| *everywhere) && self.are_whole(bytes)
    }

    /// Whether parts lie side by side in some of the places, and nobody looks at the others, as where elements of an array are
    /// moved in a loop and read by constant indices: what is there is only moved, and nothing is ever added to its shadow.
    fn is_dead_beside(&self, bytes: u64) -> bool {
        let unseen = self.vague.is_empty() && self.looked.is_empty();
        self.own && unseen && self.are_whole(bytes)
    }

    fn are_whole(&self, bytes: u64) -> bool {
        let mut end = 0;
        for (at, size) in self.parts.keys() {
            if *at != end {
                return false;
            }
            end = at + size;
        }
        end == bytes
    }
}

/// The pointers of a copy.
fn ends_of<'a>(copy: ValueId, touches: &Touches<'a>) -> Option<Vec<&'a Operand>> {
    Some(touches.function.inst(copy)?.operands[..2].iter().collect())
}

/// What a web may be that moves one member of a struct: an integer is moved as the float of its size.
fn hinted(web: &Web, hints: &Hints, touches: &Touches) -> Option<Type> {
    let pointers = pointers_of(web, touches.function);
    let scalar = pointers.into_iter().find_map(|pointer| hints.scalar_at(touches, pointer, 0))??;
    match (&scalar, web.bytes) {
        (Type::Ptr(_), 8) => Some(Type::PTR),
        _ if touches.layout().store_size(&scalar) != Some(web.bytes) => None,
        (_, 4) => Some(Type::Float(FloatKind::Single)),
        (_, 8) => Some(Type::DOUBLE),
        _ => None,
    }
}

/// So many bytes of floats.
fn floats(kind: FloatKind, bytes: u64) -> Option<Type> {
    let (count, element) = (bytes as u32 * 8 / kind.bits(), Type::Float(kind));
    let whole = count * kind.bits() == bytes as u32 * 8;
    whole.then(|| match count {
        1 => element,
        count => Type::Vector(Lanes { count, scalable: false }, Box::new(element)),
    })
}

/// The pointers through which a web loads and stores.
pub fn pointers_of<'a>(web: &Web, function: &'a Function) -> Vec<&'a Operand> {
    let ids = web.values.iter().chain(&web.stores);
    let accesses = ids.filter_map(|id| function.inst(*id)).filter_map(|inst| match inst.op {
        Op::Load(_) => inst.operands.first(),
        Op::Store(_) => inst.operands.get(1),
        _ => None,
    });
    accesses.collect()
}

/// The one kind of float that some memory holds, with all that is copied to and from there.
fn find_uniform(mut places: BTreeSet<Place>, touches: &Touches) -> Option<FloatKind> {
    let mut waiting: Vec<Place> = places.iter().cloned().collect();
    let mut only = None;
    while let Some(place) = waiting.pop() {
        if place == Place::Unknown {
            return None;
        }
        for touch in touches.at(&place) {
            let Kind::Float(kind) = touch.kind else { return None };
            if *only.get_or_insert(kind) != kind {
                return None;
            }
        }
        for call in touches.calls_at(&place) {
            let inst = touches.function.inst(call)?;
            match memory_call(inst) {
                Some(MemoryCall::Copy) => {
                    for more in inst.operands[..2].iter().flat_map(|x| touches.places_of(x)) {
                        if places.insert(more.clone()) {
                            waiting.push(more);
                        }
                    }
                }
                Some(_) => {}
                None => {
                    let callee = inst.callee_name().unwrap_or_default();
                    if !touches_only(touches.program, callee, &mut only, &mut BTreeSet::new()) {
                        return None;
                    }
                }
            }
        }
    }
    only
}

/// Whether a function, and all that it calls, touches no memory as anything but floats of one kind. One without a body
/// is not given a derivative, so what it does with memory is not told here.
fn touches_only(
    program: &Program,
    name: &str,
    only: &mut Option<FloatKind>,
    seen: &mut BTreeSet<String>,
) -> bool {
    let Some(function) = program.function(name) else { return true };
    if !seen.insert(name.into()) {
        return true;
    }
    function.insts.iter().all(|inst| {
        if let Some(callee) = inst.callee_name() {
            return touches_only(program, callee, only, seen);
        }
        match function.accessed_type(inst) {
            None => true,
            Some(ty) => match ty.scalar() {
                Type::Float(kind) => *only.get_or_insert(*kind) == *kind,
                _ => false,
            },
        }
    })
}
