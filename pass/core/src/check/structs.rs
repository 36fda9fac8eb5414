//! Are structs what their copies are said to move: floats where they are listed, and numbers that somebody counts with everywhere else?
//! Where nobody here does, everybody else who knows the memory has to be seen, and takes it for such structs.

use std::collections::BTreeSet;

use super::counted::{Seeing, Seen};
use super::places::Place;
use super::stands::{Stand, divisor, meetings};
use super::tellers::{Moved, find_told};
use crate::kinds::Spaced;
use crate::model::{FloatKind, Operand, Type};

impl Seeing<'_> {
    /// Whether memory holds structs whose floats are those listed, and nothing else that could be one.
    pub fn holds_structs(&self, pointers: &[Operand], spaced: &Spaced) -> bool {
        let (period, word) = (i128::from(spaced.period), self.least_float());
        let size = |kind: &FloatKind| i128::from(kind.bits() / 8);
        let mut known: BTreeSet<i128> = BTreeSet::new();
        for (at, kind) in &spaced.floats {
            known.extend(self.words(i128::from(*at), size(kind)));
        }
        let mut all_moved = Vec::new();
        for pointer in pointers {
            let places = self.named(pointer);
            let in_struct = |stand: Stand| Stand { step: divisor(stand.step, period), ..stand };
            let (stand, exact) = (in_struct(self.stand_of(pointer)), in_struct(self.exactly(pointer)));
            if places.is_empty() || places.contains(&Place::Outside) || stand.plain().start % word != 0 {
                return false;
            }
            let mut tellers = Vec::new();
            for seen in self.seen.iter().filter(|seen| !seen.places.is_disjoint(&places)) {
                let stand = if seen.counted { exact } else { stand };
                for at in meetings(stand, period, (seen.exact, seen.bytes)) {
                    if !fits_struct(seen, at, spaced) {
                        return false;
                    }
                }
                tellers.extend(seen.counted.then(|| seen.teller()));
            }
            let moved = Moved { stand: exact, bytes: period, piece: self.exactly(pointer).step };
            known.extend(find_told(moved, &tellers, |at, bytes| self.words(at, bytes)));
            all_moved.push((pointer, moved));
        }
        let whole = |known: &BTreeSet<i128>| (0..period / word).all(|word| known.contains(&word));
        if whole(&known) {
            return true;
        }
        let mut tellers = Vec::new();
        for (pointer, moved) in all_moved {
            if !self.others_hold_structs(pointer, moved, spaced, &mut tellers) {
                return false;
            }
            known.extend(find_told(moved, &tellers, |at, bytes| self.words(at, bytes)));
            tellers.clear();
        }
        whole(&known)
    }
}

/// Whether somebody takes what lies there for what it is in such a struct. It may begin in the struct before.
pub(super) fn fits_struct(seen: &Seen, at: i128, spaced: &Spaced) -> bool {
    let size = |kind: &FloatKind| i128::from(kind.bits() / 8);
    let beside = |(there, kind): &(u64, FloatKind)| {
        at + seen.bytes <= i128::from(*there) || i128::from(*there) + size(kind) <= at
    };
    let listed = |at: i128, ty: &Type| {
        spaced.floats.iter().any(|(there, kind)| i128::from(*there) == at && Type::Float(*kind) == *ty)
    };
    match &seen.ty {
        Some(ty) => listed(at.rem_euclid(i128::from(spaced.period)), ty),
        None => seen.counted && spaced.floats.iter().all(beside),
    }
}
