//! Places as numbers, and sets of them as bits. Where thousands of pointers are found in memory, each of which may lead to any of
//! thousands of places, sets of names take minutes to unite.

use std::collections::{BTreeMap, BTreeSet};

use super::places::Place;

/// The places that were met, each with its number.
#[derive(Default)]
pub struct Numbers {
    numbers: BTreeMap<Place, usize>,
    places: Vec<Place>,
    /// What stands for memory that others may know by other names.
    open: Set,
}

impl Numbers {
    pub fn number(&mut self, place: &Place) -> usize {
        if let Some(number) = self.numbers.get(place) {
            return *number;
        }
        let number = self.numbers.len();
        self.numbers.insert(place.clone(), number);
        self.places.push(place.clone());
        if !matches!(place, Place::Slot(_) | Place::Made(_)) {
            self.open.insert(number);
        }
        number
    }

    pub fn number_all(&mut self, places: &BTreeSet<Place>) -> Set {
        let mut set = Set::default();
        for place in places {
            set.insert(self.number(place));
        }
        set
    }

    /// The numbers of those that were met before.
    pub fn known(&self, places: &BTreeSet<Place>) -> Set {
        let mut set = Set::default();
        for number in places.iter().filter_map(|place| self.numbers.get(place)) {
            set.insert(*number);
        }
        set
    }

    pub fn places<'b>(&'b self, set: &'b Set) -> impl Iterator<Item = Place> + 'b {
        set.iter().map(|number| self.places[number].clone())
    }

    /// Whether two pointers that lead to these may lead to the same memory.
    pub fn may_meet(&self, a: &Set, b: &Set) -> bool {
        a.meets(b) || a.meets(&self.open) && b.meets(&self.open)
    }
}

/// Numbers, one bit each.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Set {
    /// The last one is not zero.
    words: Vec<u64>,
}

impl Set {
    /// Returns whether the number is new.
    pub fn insert(&mut self, number: usize) -> bool {
        if self.words.len() <= number / 64 {
            self.words.resize(number / 64 + 1, 0);
        }
        let word = &mut self.words[number / 64];
        let new = *word & 1 << (number % 64) == 0;
        *word |= 1 << (number % 64);
        new
    }

    /// Returns whether one of these is new.
    pub fn unite(&mut self, more: &Set) -> bool {
        if self.words.len() < more.words.len() {
            self.words.resize(more.words.len(), 0);
        }
        let mut grew = false;
        for (word, more) in self.words.iter_mut().zip(&more.words) {
            grew |= *more & !*word != 0;
            *word |= more;
        }
        grew
    }

    pub fn meets(&self, other: &Set) -> bool {
        self.words.iter().zip(&other.words).any(|(word, other)| word & other != 0)
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 != 0);
        let filled = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        filled.flat_map(move |(at, word)| bits(*word).map(move |bit| at * 64 + bit))
    }
}
