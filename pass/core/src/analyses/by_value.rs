//! A fact about each of some values of a function, found by their numbers: equations that are gone through again and again until
//! nothing changes look up and replace far more often than they are set up.

use crate::model::{Function, ValueId};

pub struct ByValue<T> {
    /// Where the fact of each value of the function stands, if there is one about it.
    places: Vec<Option<u32>>,
    facts: Vec<T>,
}

impl<T: Copy + Default> ByValue<T> {
    /// Nothing is known of these yet, and there is no fact about any other.
    pub fn of(function: &Function, values: impl Iterator<Item = ValueId>) -> ByValue<T> {
        let (mut places, mut count) = (vec![None; function.params.len() + function.insts.len()], 0);
        for value in values {
            places[value.0 as usize] = Some(count);
            count += 1;
        }
        ByValue { places, facts: vec![T::default(); count as usize] }
    }

    /// `None` where there is no fact about a value.
    pub fn get(&self, value: ValueId) -> Option<T> {
        let place = (*self.places.get(value.0 as usize)?)?;
        Some(self.facts[place as usize])
    }

    /// The fact that was known before. There has to be one about the value.
    pub fn replace(&mut self, value: ValueId, fact: T) -> T {
        let Some(place) = self.places[value.0 as usize] else {
            unreachable!("there is a fact about this value")
        };
        std::mem::replace(&mut self.facts[place as usize], fact)
    }
}
