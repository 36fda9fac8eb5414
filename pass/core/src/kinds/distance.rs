//! How far one place is from another, in two ways.
//!
//! Floats lie wherever an array may be indexed. What is counted with is no number beside floats only if it is known which of the elements
//! somebody counts with, so for that it is kept as well how indices end.

use crate::analyses::offsets::Offset;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance {
    pub rough: Offset,
    pub exact: Offset,
}

impl Distance {
    pub fn roughly(rough: Offset) -> Distance {
        Distance { rough, exact: rough }
    }

    /// As seen from something that is so far away, or that far in the other direction.
    pub fn shifted(self, by: Distance, sign: i128) -> Distance {
        Distance { rough: self.rough.shifted(by.rough, sign), exact: self.exact.shifted(by.exact, sign) }
    }

    pub fn covers(self, other: Distance) -> bool {
        self.rough.covers(other.rough) && self.exact.covers(other.exact)
    }

    pub fn join(self, other: Distance) -> Distance {
        Distance { rough: self.rough.join(other.rough), exact: self.exact.join(other.exact) }
    }
}
