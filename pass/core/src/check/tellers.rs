//! Which words of bytes that are moved are told by those who count with what is there.
//!
//! Bytes may be moved at every so many, and each of these times somebody has to tell; not always the same one. Who jumps from number to
//! number, farther than these are long, says nothing of where the bytes lie in what it jumps over.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::stands::{Stand, divisor, is_everywhere, meetings};

/// More times than these are not looked at one by one.
const MOST_TIMES: i128 = 256;

/// Bytes that are moved, and how long the pieces of them are that are moved whole.
#[derive(Clone, Copy)]
pub struct Moved {
    pub stand: Stand,
    pub bytes: i128,
    pub piece: i128,
}

/// One who tells.
#[derive(Clone, Copy)]
pub struct Teller {
    pub stand: Stand,
    pub bytes: i128,
    /// The step it makes where it is seen from itself.
    pub jump: i128,
    /// It goes from each to the one beside it.
    pub walks: bool,
}

impl Teller {
    fn is_heard_by(&self, moved: Moved) -> bool {
        let far = self.stand.step.max(self.bytes);
        let known = self.stand.step >= self.jump && far >= moved.stand.step.max(moved.piece);
        self.walks || self.stand.step == 0 || known
    }
}

/// `words` says which words some bytes lie in.
pub fn find_told(
    moved: Moved,
    tellers: &[Teller],
    words: impl Fn(i128, i128) -> RangeInclusive<i128>,
) -> BTreeSet<i128> {
    let step = moved.stand.step;
    let heard: Vec<&Teller> = tellers
        .iter()
        .filter(|teller| teller.is_heard_by(moved) && (step == 0 || teller.stand.step != 0))
        .collect();
    let told_at = |stand: Stand, teller: &Teller| {
        let met = meetings(stand, moved.bytes, (teller.stand, teller.bytes));
        let inside = met.into_iter().filter(|at| *at >= 0 && is_everywhere(stand, teller.stand));
        inside.flat_map(|at| words(at, teller.bytes)).collect::<Vec<_>>()
    };
    let Some(times) = count_times(step, &heard) else {
        return heard.iter().flat_map(|teller| told_at(moved.stand, teller)).collect();
    };
    let at_time = |time: i128| {
        let stand = Stand { start: moved.stand.start + time * step, step: 0 };
        let met = |teller: &Teller| {
            let met = meetings(stand, moved.bytes, (teller.stand, teller.bytes));
            met.into_iter().filter(|at| *at >= 0).flat_map(|at| words(at, teller.bytes)).collect::<Vec<_>>()
        };
        heard.iter().flat_map(|teller| met(teller)).collect::<BTreeSet<_>>()
    };
    (1..times).fold(at_time(0), |all, time| all.intersection(&at_time(time)).copied().collect())
}

/// After how many times all stand to each other as they did; `None` after too many, or where they stand anywhere.
fn count_times(step: i128, heard: &[&Teller]) -> Option<i128> {
    if step == 0 {
        return None;
    }
    let mut all = 1;
    for teller in heard {
        let times = teller.stand.step / divisor(teller.stand.step, step);
        all = all / divisor(all, times) * times;
        if all > MOST_TIMES {
            return None;
        }
    }
    Some(all)
}
