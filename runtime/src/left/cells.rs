//! Single cells and short rows that were told, as bits of the pages that they lie in.
//!
//! Question answered: how is a store told of that runs alone each time, or in a row of a few, without a search among all that
//! was told before? Words of four bytes are bits; the pages that were told of last are found at once.
//! Invariant: a page is listed once.

use std::collections::HashMap;

const PAGE: usize = 4096;
const WORD: usize = 4;
const WORDS: usize = PAGE / WORD;

/// Pages that are found at once.
const NEAR: usize = 64;

struct Page {
    number: usize,
    told: [u64; WORDS / 64],
}

#[derive(Default)]
pub struct Cells {
    pages: Vec<Page>,
    places: HashMap<usize, usize>,
    /// Where pages are listed, by the last bits of their numbers; none at first.
    near: Vec<usize>,
}

impl Cells {
    /// Whether the bytes from one address up to another are told of here: few, and whole words.
    pub fn take(start: usize, end: usize) -> bool {
        end - start <= PAGE && start.is_multiple_of(WORD) && end.is_multiple_of(WORD)
    }

    pub fn tell(&mut self, start: usize, end: usize) {
        let (first, last) = (start / PAGE, (end - 1) / PAGE);
        for number in first..=last {
            let page = self.page(number);
            let (from, to) = (start.max(number * PAGE) % PAGE, end.min((number + 1) * PAGE) - number * PAGE);
            mark(&mut page.told, from / WORD, to / WORD);
        }
    }

    fn page(&mut self, number: usize) -> &mut Page {
        let near = self.near.get(number % NEAR).copied().unwrap_or(usize::MAX);
        if self.pages.get(near).is_some_and(|page| page.number == number) {
            return &mut self.pages[near];
        }
        let next = self.pages.len();
        let place = *self.places.entry(number).or_insert(next);
        if place == next {
            self.pages.push(Page { number, told: [0; WORDS / 64] });
        }
        self.near.resize(NEAR, usize::MAX);
        self.near[number % NEAR] = place;
        &mut self.pages[place]
    }

    /// The pieces without gaps within pages, each with its length.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pages.iter().flat_map(|page| {
            let runs = runs_of(&page.told);
            runs.map(|(from, to)| (page.number * PAGE + from * WORD, (to - from) * WORD))
        })
    }
}

/// Sets the bits from one up to another.
fn mark(bits: &mut [u64; WORDS / 64], from: usize, to: usize) {
    let (first, last) = (from / 64, (to - 1) / 64);
    for (at, bits) in (first..).zip(&mut bits[first..=last]) {
        let low = from.max(at * 64) - at * 64;
        let high = to.min((at + 1) * 64) - at * 64;
        *bits |= (u64::MAX >> (64 - (high - low))) << low;
    }
}

/// Where bits are set: from the first of a run up to behind its last.
fn runs_of(bits: &[u64; WORDS / 64]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = find(bits, at, true)?;
        let to = find(bits, from, false).unwrap_or(WORDS);
        at = to;
        Some((from, to))
    })
}

/// The first bit from there on that is set, or is not.
fn find(bits: &[u64; WORDS / 64], from: usize, set: bool) -> Option<usize> {
    let mut at = from;
    while at < WORDS {
        let word = if set { bits[at / 64] } else { !bits[at / 64] } >> (at % 64);
        if word != 0 {
            return Some(at + word.trailing_zeros() as usize);
        }
        at = (at / 64 + 1) * 64;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(cells: &Cells) -> Vec<usize> {
        let mut all: Vec<usize> = cells.pieces().flat_map(|(start, length)| start..start + length).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn what_was_told_is_listed_once_and_nothing_beside() {
        let told = [(8, 16), (4, 8), (8, 16), (4088, 4104), (2 * PAGE, 3 * PAGE), (PAGE + 252, PAGE + 516)];
        let mut cells = Cells::default();
        told.iter().for_each(|(start, end)| cells.tell(*start, *end));
        let mut expected: Vec<usize> = told.iter().flat_map(|(start, end)| *start..*end).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(bytes_of(&cells), expected);
    }

    #[test]
    fn pages_that_share_their_last_bits_stay_apart() {
        let mut cells = Cells::default();
        for _ in 0..2 {
            for page in [1, 1 + NEAR, 1 + 2 * NEAR] {
                cells.tell(page * PAGE, page * PAGE + 8);
            }
        }
        assert_eq!(cells.pages.len(), 3);
        assert_eq!(bytes_of(&cells).len(), 24);
    }

    #[test]
    fn what_is_long_or_no_whole_words_is_for_others() {
        assert!(Cells::take(12, 20));
        assert!(!Cells::take(10, 18));
        assert!(!Cells::take(8, 9));
        assert!(!Cells::take(0, PAGE + 4));
    }
}
