//! How far the address of each memory gets: through which values it goes, and in which memory it lies. And how far the bits of floats
//! get, since an integer to which none of either comes is a number.
//!
//! An address goes on with its distance from where its memory begins, and what lies somewhere keeps its distance where it is copied.
//! Whenever more is learnt of a value, its users are looked at again, and whenever more is learnt of a memory, whoever reads it.
//! A trail that leaves the function's own memory is one of those outside: what code does that is not seen, nobody follows.
//! Safe error: trails cross.

use std::collections::{BTreeMap, BTreeSet};

use super::places::Place;
use super::stands::{Stand, advance, divisor, join, meetings};
use crate::model::{Constant, Flags, Inst, IntOp, Op, Operand, ValueId};

/// What goes a way: the address of memory of the function's own, by the value that leads to it first; the bits of a float; a number that
/// the function was given, which may have been made of an address; or anything at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Own(ValueId),
    Bits,
    Handed,
    /// The address of a function, or of a constant from which no float is found, nor anything but the like.
    Fixed,
    Unseen,
}

/// An address stands so far from the start of its memory.
pub(super) type Origins = BTreeMap<Origin, Stand>;

/// Where in a memory something was put, and how many bytes of it; anywhere where that is not known.
type Part = Option<(Stand, i128)>;

/// Bytes of memory as they are seen in a copy: more of them are not told apart.
const MOST_TURNS: i128 = 8;

/// In memory with more parts they are not told apart, and in larger functions none are.
const MOST_PARTS: usize = 256;
pub(super) const LARGEST: usize = 10_000;

#[derive(Default)]
pub struct Trails {
    pub(super) through: BTreeMap<ValueId, Origins>,
    pub(super) lying: BTreeMap<ValueId, BTreeMap<Part, Origins>>,
    pub(super) out: BTreeSet<ValueId>,
    /// Where whoever goes on behind the function may come.
    pub(super) met: BTreeSet<ValueId>,
    pub(super) memory_grew: bool,
    /// What is to be looked at again.
    pub(super) waiting: BTreeSet<ValueId>,
    /// The function is too large to tell parts apart.
    pub(super) is_large: bool,
    /// What each function gives back.
    pub(super) returned: BTreeMap<usize, Origins>,
    /// What the numbers of the function begin with that is followed.
    pub(super) base: u32,
    /// Functions, and constants from which no float is found.
    pub(super) fixed: BTreeSet<String>,
}

pub(super) fn one(origin: Origin) -> Origins {
    Origins::from([(origin, Stand::default())])
}

impl Origin {
    pub(super) fn own(self) -> Option<ValueId> {
        if let Origin::Own(id) = self { Some(id) } else { None }
    }
}

impl Trails {
    /// Where pointers to a place come from, by the memory of the function's own; that nothing is known comes from outside.
    pub(super) fn ends(&self, place: &Place) -> BTreeSet<Option<ValueId>> {
        let own = |id: &ValueId| self.lying.contains_key(id).then(|| BTreeSet::from([Some(*id)]));
        // A float is no address.
        let addresses = |through: &Origins| {
            let all = through.keys().filter(|origin| **origin != Origin::Bits);
            all.map(|origin| origin.own()).collect::<BTreeSet<_>>()
        };
        let known = match place {
            Place::Param(id) | Place::Slot(id) | Place::Made(id) => own(id),
            Place::Found(id) => self.through.get(id).map(addresses).filter(|found| !found.is_empty()),
            Place::Returned(_) | Place::Global(_) | Place::Outside => None,
        };
        let mut ends = known.unwrap_or(BTreeSet::from([None]));
        if ends.iter().flatten().any(|own| self.out.contains(own)) {
            ends.insert(None);
        }
        ends
    }

    pub(super) fn begin(&mut self, id: ValueId) -> bool {
        self.lying.entry(id).or_default();
        self.pass(id, one(Origin::Own(id)))
    }

    pub(super) fn pass(&mut self, id: ValueId, origins: Origins) -> bool {
        // Of what nothing comes there is no trail.
        !origins.is_empty() && add_all(self.through.entry(id).or_default(), &origins)
    }

    /// A step that stays in its memory leads as far as it says; one that may wrap around leads as far as powers of two tell.
    pub(super) fn step(&mut self, id: ValueId, inst: &Inst) -> bool {
        let mut origins = self.of(&inst.operands[0]);
        for stand in origins.values_mut() {
            *stand = advance(*stand, inst, &|_| Stand { start: 0, step: 1 });
            if !inst.ty.is_pointer() {
                *stand = Stand::ANYWHERE;
            } else if !inst.flags.has(Flags::INBOUNDS) && stand.step != 0 {
                *stand = Stand { step: stand.step & -stand.step, ..*stand }.plain();
            }
        }
        self.pass(id, origins)
    }

    /// The difference of two addresses in the same memory: it leads to it from nowhere else.
    pub(super) fn is_distance(&self, inst: &Inst) -> bool {
        let memory = |at: usize| -> Option<BTreeSet<ValueId>> {
            self.of(&inst.operands[at]).keys().map(|origin| origin.own()).collect()
        };
        inst.op == Op::Int(IntOp::Sub)
            && memory(0).is_some_and(|own| !own.is_empty() && Some(own) == memory(1))
    }

    pub(super) fn of(&self, operand: &Operand) -> Origins {
        match operand {
            Operand::Value(id) => self.through.get(&ValueId(self.base + id.0)).cloned().unwrap_or_default(),
            Operand::Const(constant) => self.of_constant(constant),
        }
    }

    fn of_constant(&self, constant: &Constant) -> Origins {
        match constant {
            Constant::Int { .. } | Constant::Float { .. } => Origins::new(),
            Constant::Zero(_) | Constant::Undef(_) | Constant::Poison(_) => Origins::new(),
            Constant::Aggregate { parts, .. } => {
                parts.iter().flat_map(|part| self.of_constant(part)).collect()
            }
            _ if constant.is_nowhere() => Origins::new(),
            _ if constant.symbol().is_some_and(|name| self.fixed.contains(name)) => one(Origin::Fixed),
            _ => one(Origin::Unseen),
        }
    }

    pub(super) fn of_all(&self, operands: &[Operand]) -> Origins {
        let mut all = Origins::new();
        for operand in operands {
            add_all(&mut all, &self.of(operand));
        }
        all
    }

    /// The same of what is computed with them, so that addresses lead anywhere.
    pub(super) fn made_of(&self, operands: &[Operand]) -> Origins {
        let origins = operands.iter().flat_map(|operand| self.of(operand));
        origins.map(|(origin, _)| (origin, Stand::ANYWHERE)).collect()
    }

    /// The memory a pointer leads to, if it is the function's own, and where it stands there.
    fn behind(&self, pointer: &Operand) -> Vec<(Option<ValueId>, Stand)> {
        let memory = |origin: &Origin| !matches!(origin, Origin::Bits | Origin::Fixed);
        let origins = self.of(pointer).into_iter().filter(|(origin, _)| memory(origin));
        origins.map(|(origin, stand)| (origin.own(), stand)).collect()
    }

    /// What is read in a constant from which no float is found.
    fn fixed_behind(&self, pointer: &Operand) -> Origins {
        if self.of(pointer).contains_key(&Origin::Fixed) { one(Origin::Fixed) } else { Origins::new() }
    }

    fn is_told(&self, stand: Stand) -> bool {
        !self.is_large && stand.step != 1
    }

    pub(super) fn read(&self, pointer: &Operand, bytes: i128, float: bool) -> Origins {
        let mut found = if float { Origins::new() } else { self.fixed_behind(pointer) };
        for (own, stand) in self.behind(pointer) {
            let Some(own) = own else {
                add_all(&mut found, &one(if float { Origin::Bits } else { Origin::Unseen }));
                continue;
            };
            for (part, origins) in self.lying.get(&own).into_iter().flatten() {
                let missed = part.filter(|_| self.is_told(stand));
                if missed.is_none_or(|put| !meetings(stand, bytes, put).is_empty()) {
                    add_all(&mut found, origins);
                }
            }
        }
        // A part of an address of something fixed leads nowhere.
        if bytes < 8 {
            found.remove(&Origin::Fixed);
        }
        found
    }

    /// Copies what lies behind one pointer to behind another.
    pub(super) fn bring(&mut self, from: &Operand, to: &Operand, length: Option<i128>) {
        let everywhere = length.map(|length| (Stand::default(), length));
        self.leave(&self.fixed_behind(from), to, everywhere);
        for (own, stand) in self.behind(from) {
            let Some(own) = own else {
                self.leave(&one(Origin::Unseen), to, everywhere);
                continue;
            };
            for (part, origins) in self.lying.get(&own).cloned().unwrap_or_default() {
                match part.filter(|_| self.is_told(stand)) {
                    Some(part) => {
                        for part in seen_from(stand, part, length) {
                            self.leave(&origins, to, Some(part));
                        }
                    }
                    None => self.leave(&origins, to, everywhere),
                }
            }
        }
    }

    /// Leaves something behind a pointer: so far from it, so many bytes.
    pub(super) fn leave(&mut self, origins: &Origins, pointer: &Operand, part: Part) {
        if origins.is_empty() {
            return;
        }
        for (own, stand) in self.behind(pointer) {
            if let Some(own) = own {
                let told = part.filter(|_| self.is_told(stand)).map(|(at, bytes)| (shift(stand, at), bytes));
                self.lay(own, told.filter(|(stand, _)| self.is_told(*stand)), origins);
            }
            if own.is_none_or(|own| self.out.contains(&own)) {
                self.let_out(origins.clone());
            }
        }
    }

    fn lay(&mut self, own: ValueId, part: Part, origins: &Origins) {
        let lying = self.lying.entry(own).or_default();
        let has_room = lying.len() < MOST_PARTS || lying.contains_key(&part);
        self.memory_grew |= add_all(lying.entry(part.filter(|_| has_room)).or_default(), origins);
    }

    pub(super) fn meet(&mut self, origins: Origins) {
        for own in origins.into_keys().filter_map(Origin::own) {
            if self.met.insert(own) {
                self.meet(self.all_in(own));
            }
        }
    }

    pub(super) fn let_out(&mut self, origins: Origins) {
        for own in origins.into_keys().filter_map(Origin::own) {
            if self.out.insert(own) {
                self.memory_grew = true;
                add_all(self.lying.entry(own).or_default().entry(None).or_default(), &one(Origin::Unseen));
                self.let_out(self.all_in(own));
            }
        }
    }

    fn all_in(&self, own: ValueId) -> Origins {
        let mut all = Origins::new();
        self.lying.get(&own).into_iter().flat_map(BTreeMap::values).for_each(|x| _ = add_all(&mut all, x));
        all
    }
}

/// Whether anything is new.
pub(super) fn add_all(known: &mut Origins, found: &Origins) -> bool {
    let mut grew = false;
    for (origin, stand) in found {
        let joined = match known.get(origin) {
            // Where something stands that is no address says nothing.
            _ if origin.own().is_none() => Stand::default(),
            Some(before) => join(*before, *stand),
            None => *stand,
        };
        grew |= known.insert(*origin, joined) != Some(joined);
    }
    grew
}

/// A distance further.
fn shift(stand: Stand, by: Stand) -> Stand {
    Stand { start: stand.start + by.start, step: divisor(stand.step, by.step).abs() }.plain()
}

/// Where a part lies as seen from a pointer, as far as it is among so many bytes from there on.
fn seen_from(pointer: Stand, (part, bytes): (Stand, i128), length: Option<i128>) -> Vec<(Stand, i128)> {
    let step = divisor(pointer.step, part.step).abs();
    let any = (Stand { start: part.start - pointer.start, step }.plain(), bytes);
    match length {
        Some(length) if step == 0 || length / step < MOST_TURNS => {
            let places = meetings(pointer, length, (part, bytes)).into_iter();
            places.map(|at| (Stand { start: at, step: 0 }, bytes)).collect()
        }
        _ => vec![any],
    }
}
