//! Sets of small numbers, one bit each: what most states of data-flow analyses are.

use super::solver::Lattice;

/// Ordered by inclusion; joined by union.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub fn contains(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
    }

    /// Returns whether the bit is new.
    pub fn insert(&mut self, bit: usize) -> bool {
        if bit / 64 >= self.words.len() {
            self.words.resize(bit / 64 + 1, 0);
        }
        let word = &mut self.words[bit / 64];
        let new = *word >> (bit % 64) & 1 == 0;
        *word |= 1 << (bit % 64);
        new
    }

    /// Adds these; those that are new, ascending.
    pub fn take_in(&mut self, more: &Bits) -> Vec<usize> {
        let mut new = Bits { words: more.words.clone() };
        new.words.iter_mut().zip(&self.words).for_each(|(word, known)| *word &= !known);
        self.join(&new);
        new.iter().collect()
    }

    pub fn remove(&mut self, bit: usize) {
        if let Some(word) = self.words.get_mut(bit / 64) {
            *word &= !(1 << (bit % 64));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// The members within a range, ascending.
    pub fn within(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = usize> + '_ {
        range.filter(|bit| self.contains(*bit))
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Bits) -> bool {
        let (short, long) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let (common, rest) = long.words.split_at(short.words.len());
        common == short.words && rest.iter().all(|word| *word == 0)
    }
}

impl Lattice for Bits {
    fn join(&mut self, other: &Bits) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            grew |= *more & !*word != 0;
            *word |= more;
        }
        grew
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(bits: I) -> Bits {
        let mut set = Bits::default();
        set.extend(bits);
        set
    }
}

impl Extend<usize> for Bits {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, bits: I) {
        for bit in bits {
            self.insert(bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_and_tells_whether_it_grew() {
        let mut set: Bits = [1, 64, 200].into_iter().collect();
        assert!(!set.join(&[64].into_iter().collect()));
        assert!(set.join(&[65].into_iter().collect()));
        assert_eq!(set.take_in(&[1, 66, 200].into_iter().collect()), [66]);
        set.remove(66);
        set.remove(200);
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 64, 65]);
        assert_eq!(set.within(2..65).collect::<Vec<_>>(), [64]);
    }

    #[test]
    fn equality_does_not_see_capacity() {
        let mut set: Bits = [3, 300].into_iter().collect();
        set.remove(300);
        assert_eq!(set, [3].into_iter().collect());
        assert_ne!(set, Bits::default());
    }
}
