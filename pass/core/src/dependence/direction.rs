//! Which orders of two iterations are possible, level by level?
//!
//! The distance of a level is `sink - source`. `<` means a positive distance, `=` zero, `>` a negative one: the reading
//! of the literature (`i < j`, the source's counter below the sink's). A [`Relation`] is a union of boxes, one set of
//! directions per level; that keeps a product of free levels as small as it is.

use std::fmt;

/// A set of directions, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Directions(pub u8);

impl Directions {
    pub const NONE: Directions = Directions(0);
    pub const LESS: Directions = Directions(1);
    pub const EQUAL: Directions = Directions(2);
    pub const GREATER: Directions = Directions(4);
    pub const ALL: Directions = Directions(7);
    pub const EACH: [Directions; 3] = [Directions::LESS, Directions::EQUAL, Directions::GREATER];

    pub fn meet(self, other: Directions) -> Directions {
        Directions(self.0 & other.0)
    }

    pub fn join(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }

    pub fn has(self, other: Directions) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The same pairs of iterations, seen from the other access.
    pub fn reversed(self) -> Directions {
        Directions(self.0 & 2 | (self.0 & 1) << 2 | (self.0 & 4) >> 2)
    }

    pub fn of_distance(distance: i128) -> Directions {
        match distance {
            0 => Directions::EQUAL,
            1.. => Directions::LESS,
            _ => Directions::GREATER,
        }
    }

    /// The signs that a distance between two ends can have.
    pub fn of_interval(low: Option<i128>, high: Option<i128>) -> Directions {
        let less = high.is_none_or(|high| high > 0);
        let greater = low.is_none_or(|low| low < 0);
        let equal = low.is_none_or(|low| low <= 0) && high.is_none_or(|high| high >= 0);
        Directions(u8::from(less) | u8::from(equal) << 1 | u8::from(greater) << 2)
    }
}

impl fmt::Display for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["none", "<", "=", "<=", ">", "!=", ">=", "*"][usize::from(self.0)])
    }
}

pub type Box = Vec<Directions>;

/// Every order of iterations in which the two accesses meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub boxes: Vec<Box>,
    /// Where the distance of a level is one number in all of them.
    pub distances: Vec<Option<i128>>,
}

/// One dependence: what stands first is executed first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    pub directions: Box,
    pub distances: Vec<Option<i128>>,
    /// The levels (from 0) that can carry it, ascending.
    pub carried: Vec<usize>,
    /// Whether it can hold within one iteration of all common loops.
    pub within: bool,
}

impl Relation {
    /// Where nothing is known.
    pub fn everything(levels: usize) -> Relation {
        Relation { boxes: vec![vec![Directions::ALL; levels]], distances: vec![None; levels] }
    }

    /// The part in which the source comes first; `within` says whether it does in the same iteration.
    pub fn forward(&self, within: bool) -> Option<Vector> {
        summarise(&self.boxes, &self.distances, within)
    }

    /// The part in which the sink comes first, seen from the sink.
    pub fn backward(&self, within: bool) -> Option<Vector> {
        let boxes: Vec<Box> =
            self.boxes.iter().map(|at| at.iter().map(|set| set.reversed()).collect()).collect();
        let distances: Vec<Option<i128>> =
            self.distances.iter().map(|distance| distance.and_then(i128::checked_neg)).collect();
        summarise(&boxes, &distances, within)
    }

    /// How many atomic direction vectors there are, up to a limit.
    pub fn count(&self) -> u64 {
        let size = |at: &Box| {
            at.iter().fold(1u64, |product, set| product.saturating_mul(u64::from(set.0.count_ones())))
        };
        self.boxes.iter().map(size).fold(0, u64::saturating_add)
    }

    pub fn admits(&self, vector: &[Directions]) -> bool {
        self.boxes.iter().any(|at| at.iter().zip(vector).all(|(set, one)| set.has(*one)))
    }
}

fn summarise(boxes: &[Box], distances: &[Option<i128>], within: bool) -> Option<Vector> {
    let levels = distances.len();
    let mut directions = vec![Directions::NONE; levels];
    let mut carried = Vec::new();
    let mut same = false;
    for at in boxes {
        for level in 0..=levels {
            let prefix = at[..level].iter().all(|set| set.has(Directions::EQUAL));
            let here = match at.get(level) {
                Some(set) => set.has(Directions::LESS),
                None => within,
            };
            if !prefix || !here {
                continue;
            }
            for (k, set) in directions.iter_mut().enumerate() {
                *set = set.join(match k.cmp(&level) {
                    std::cmp::Ordering::Less => Directions::EQUAL,
                    std::cmp::Ordering::Equal => Directions::LESS,
                    std::cmp::Ordering::Greater => at[k],
                });
            }
            if level < levels { carried.push(level) } else { same = true }
        }
    }
    carried.sort_unstable();
    carried.dedup();
    if carried.is_empty() && !same {
        return None;
    }
    let known = |(set, distance): (&Directions, &Option<i128>)| {
        if *set == Directions::EQUAL { Some(0) } else { *distance }
    };
    let distances = directions.iter().zip(distances).map(known).collect();
    Some(Vector { directions, distances, carried, within: same })
}

impl Vector {
    /// How many atomic direction vectors it stands for.
    pub fn count(&self) -> u64 {
        let later = |level: usize| {
            let rest = &self.directions[level + 1..];
            rest.iter().map(|set| u64::from(set.0.count_ones())).product::<u64>()
        };
        self.carried.iter().map(|level| later(*level)).sum::<u64>() + u64::from(self.within)
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |(set, distance): (&Directions, &Option<i128>)| match distance {
            Some(distance) => distance.to_string(),
            None => set.to_string(),
        };
        let parts: Vec<String> = self.directions.iter().zip(&self.distances).map(part).collect();
        write!(f, "[{}]", parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversing_swaps_less_and_greater() {
        for bits in 0..8 {
            let set = Directions(bits);
            assert_eq!(set.reversed().reversed(), set);
            assert_eq!(set.reversed().has(Directions::LESS), set.has(Directions::GREATER));
        }
    }

    #[test]
    fn a_leading_greater_belongs_to_the_other_access() {
        // The paper's `(>)`: a wrong assumption about which access comes first.
        let relation = Relation {
            boxes: vec![vec![Directions::GREATER, Directions::ALL]],
            distances: vec![Some(-2), None],
        };
        assert_eq!(relation.forward(true), None);
        assert_eq!(relation.backward(true).expect("it is the other way").to_string(), "[2 *]");
    }

    #[test]
    fn equal_everywhere_is_a_dependence_only_in_program_order() {
        let relation = Relation { boxes: vec![vec![Directions::EQUAL]], distances: vec![Some(0)] };
        assert_eq!(relation.forward(false), None);
        assert_eq!(relation.forward(true).expect("in one iteration").to_string(), "[0]");
    }
}
