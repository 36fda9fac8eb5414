//! Which memory of several functions is one: what was found in one slot, or put there, handed over, or handed back.
//!
//! Functions with their pointers → for each name of memory an object, and how far from its start the name's memory begins; and links
//! between objects that have bytes in common at distances that are not known exactly, or that one name has not always.
//! Objects become one where pointers to them were in one slot (Steensgaard's way, with distances); what is handed to a function is only
//! linked, since a function may be handed parts of one object.
//! Safe error: too many names of one object, too many links.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::offsets::{Extent, Offset, gcd};
use crate::analyses::pointers::Base;

/// Memory by one of its names: that of a function, by the number of its body. Globals have one name for all.
pub type Name = (usize, Base);

/// An object, and a distance from its start.
pub type Place = (usize, Offset);

/// What is at one place is also at another, from there on.
pub type Link = (Place, Place);

const POINTER: u64 = 8;

/// An object with more slots than these has one.
const MOST_SLOTS: usize = 256;

const ANYWHERE: Offset = Offset { start: 0, stride: 1 };

#[derive(Default)]
pub struct Objects {
    numbers: BTreeMap<Name, usize>,
    /// For each object the one that it is part of, and where it begins there.
    wholes: Vec<(usize, i128)>,
    /// How many objects are part of each.
    sizes: Vec<usize>,
    /// For each object that is whole, what is found at places in it.
    slots: Vec<BTreeMap<Offset, (usize, i128)>>,
    links: BTreeSet<Link>,
}

impl Objects {
    /// The memory of that name begins here.
    pub fn named(&mut self, name: &Name) -> (usize, i128) {
        let object = match self.numbers.get(name) {
            Some(object) => *object,
            None => {
                let object = self.add();
                self.numbers.insert(name.clone(), object);
                object
            }
        };
        self.start(object)
    }

    /// The same, when nothing more is learnt.
    pub fn known(&self, name: &Name) -> Option<(usize, i128)> {
        self.numbers.get(name).map(|object| self.start(*object))
    }

    fn start(&self, object: usize) -> (usize, i128) {
        let (whole, at) = self.whole((object, Offset::default()));
        (whole, at.start)
    }

    /// All links between whole objects.
    pub fn links(&self) -> BTreeSet<Link> {
        self.links.iter().map(|(from, to)| (self.whole(*from), self.whole(*to))).collect()
    }

    /// The objects to which pointers are found in memory.
    pub fn findable(&self) -> BTreeSet<usize> {
        let is_found = |base: &Base| matches!(base, Base::Loaded(_) | Base::Returned(_) | Base::Unknown);
        let found = self.numbers.iter().filter(|((_, base), _)| is_found(base));
        found.map(|(_, object)| self.start(*object).0).collect()
    }

    fn add(&mut self) -> usize {
        self.wholes.push((self.wholes.len(), 0));
        self.sizes.push(1);
        self.slots.push(BTreeMap::new());
        self.wholes.len() - 1
    }

    fn whole(&self, (mut object, mut at): Place) -> Place {
        while self.wholes[object].0 != object {
            let (whole, start) = self.wholes[object];
            (object, at) = (whole, at.moved_by(start));
        }
        (object, at)
    }

    /// Where the memory begins that a pointer leads to which is found at a place.
    pub fn found(&mut self, place: Place) -> Place {
        let (object, at) = self.slot(place);
        if !self.slots[object].contains_key(&at) {
            let new = (self.add(), 0);
            self.put((object, at), new);
        }
        let (object, at) = self.slot((object, at));
        self.whole(exactly(self.slots[object][&at]))
    }

    /// The place by which what is found there is known.
    fn slot(&self, place: Place) -> Place {
        let (object, at) = self.whole(place);
        let slots = &self.slots[object];
        let is_full = slots.len() >= MOST_SLOTS && !slots.contains_key(&at);
        (object, if is_full || slots.contains_key(&ANYWHERE) { ANYWHERE } else { at })
    }

    /// Says what is found at a place; slots that may be the same hold the same.
    fn put(&mut self, place: Place, found: (usize, i128)) {
        let (object, at) = self.slot(place);
        let slot = Extent { at, bytes: POINTER };
        let is_met = |other: &Offset| slot.meets(Extent { at: *other, bytes: POINTER });
        let slots = &mut self.slots[object];
        let met: Vec<_> = slots.iter().filter(|(other, _)| is_met(other)).map(|(_, x)| *x).collect();
        if at == ANYWHERE {
            slots.clear();
        }
        slots.insert(at, found);
        met.into_iter().for_each(|other| self.unite(exactly(found), exactly(other)));
    }

    /// Says that two places are one.
    pub fn unite(&mut self, one: Place, other: Place) {
        let ((one, here), (other, there)) = (self.whole(one), self.whole(other));
        if (one, here) == (other, there) {
            return;
        }
        if one == other || here.stride != 0 || there.stride != 0 {
            self.link((one, here), (other, there));
            self.link((other, there), (one, here));
            return;
        }
        let less = self.sizes[one] < self.sizes[other];
        let (part, start, whole) = match less {
            true => (one, there.start - here.start, other),
            false => (other, here.start - there.start, one),
        };
        self.wholes[part] = (whole, start);
        self.sizes[whole] += self.sizes[part];
        for (at, found) in std::mem::take(&mut self.slots[part]) {
            self.put((part, at), found);
        }
    }

    /// Says that what is at one place is also at another.
    pub fn link(&mut self, from: Place, to: Place) {
        self.links.insert((from, to));
    }

    /// What is found in one object is found in those that it is linked to. Whether anything was new.
    pub fn spread(&mut self) -> bool {
        let before = (self.wholes.len(), self.parts(), self.links.len());
        for (from, to) in self.links() {
            let apart = (from.0 == to.0, from.1, to.1);
            for (at, found) in self.slots[from.0].clone() {
                let slot = moved(Extent { at, bytes: POINTER }, apart).at;
                self.put_once((to.0, slot), found);
            }
        }
        before != (self.wholes.len(), self.parts(), self.links.len())
    }

    fn put_once(&mut self, place: Place, found: (usize, i128)) {
        let (object, at) = self.slot(place);
        match self.slots[object].get(&at) {
            Some(known) => self.unite(exactly(*known), exactly(found)),
            None => self.put((object, at), found),
        }
    }

    fn parts(&self) -> (usize, usize) {
        let parts = self.wholes.iter().enumerate().filter(|(object, (whole, _))| object != whole).count();
        (parts, self.slots.iter().map(BTreeMap::len).sum())
    }
}

pub fn exactly((object, start): (usize, i128)) -> Place {
    (object, Offset { start, stride: 0 })
}

/// Part of an object as seen from another that it is linked to, or from itself at another distance, which may be so again and again.
pub fn moved(part: Extent, (again, from, to): (bool, Offset, Offset)) -> Extent {
    let steps = if again { from.start.abs_diff(to.start) } else { 0 };
    let stride = gcd(gcd(part.at.stride, steps), gcd(from.stride, to.stride));
    let at = Offset { start: part.at.start, stride }.moved_by(to.start - from.start);
    Extent { at, bytes: part.bytes }
}
