//! Sets of what a value may carry, or memory hold.

use std::collections::BTreeMap;

use super::offsets::Offset;
use crate::model::ValueId;

/// A value, with the number of its function in the scope.
pub type Place = (usize, ValueId);

/// What is carried: an address of some memory, the bits of a float, or a number that is handed over, which may be an address. What comes
/// from outside may be any of these, but for addresses of functions and of constants without floats, from which nothing else is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    Own(Place),
    Float,
    Given,
    Bare,
    Outside,
}

impl Of {
    pub fn own(self) -> Option<Place> {
        if let Of::Own(id) = self { Some(id) } else { None }
    }
}

/// How far from the start of its memory an address is; of what is no address that says nothing.
pub type Carried = BTreeMap<Of, Offset>;

pub fn outside() -> Carried {
    Carried::from([(Of::Outside, Offset::default())])
}

pub fn bare() -> Carried {
    Carried::from([(Of::Bare, Offset::default())])
}

pub fn a_float() -> Carried {
    Carried::from([(Of::Float, Offset::default())])
}

pub fn grow(known: &mut Carried, found: Carried) -> bool {
    let mut grew = false;
    for (of, at) in found {
        // How far what is no address is from a start is one number for all.
        let at = if of.own().is_some() { at } else { Offset::default() };
        let joined = known.get(&of).map_or(at, |before| before.join(at));
        grew |= known.insert(of, joined) != Some(joined);
    }
    grew
}
