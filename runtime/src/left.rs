//! What the primal has left in memory that the reverse sweep puts back.
//!
//! Question answered: how does the user find his arrays as the primal left them, when the reverse sweep undoes what was stored
//! there? The forward sweep tells where it stores, row by row; between the sweeps what lies at these places is copied, and
//! behind the reverse sweep it is written back. A time loop tells the same rows over and over, and each place is copied
//! once.
//! Invariant: nothing is written but places that were told. A shadow may lie between two of them.

mod cells;

use std::collections::{BTreeMap, HashMap};

use crate::allocation;
use crate::function::Function;
use cells::Cells;

/// A row of places of equal size at equal distances.
#[derive(Clone, Copy)]
pub struct Row {
    pub last: usize,
    /// From one place to the next; the first lies so many steps before the last.
    pub step: isize,
    pub count: usize,
    pub size: usize,
}

/// Places that can lie in one row: `index * step + phase`, each of so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    step: usize,
    size: usize,
    phase: usize,
}

/// Bytes without gaps.
const BYTES: Shape = Shape { step: 1, size: 1, phase: 0 };

/// Places from one index up to another.
#[derive(Clone, Copy)]
struct Span {
    shape: Shape,
    start: usize,
    end: usize,
}

impl Span {
    fn of(row: Row) -> Span {
        let apart = row.step.unsigned_abs();
        let first = row.last.wrapping_sub_signed(row.step.wrapping_mul((row.count - 1).cast_signed()));
        let (low, high) = (first.min(row.last), first.max(row.last));
        // What is told once lies at no distance from another.
        if apart <= row.size || row.count == 1 {
            return Span { shape: BYTES, start: low, end: high + row.size };
        }
        let phase = low % apart;
        let shape = Shape { step: apart, size: row.size, phase };
        Span { shape, start: (low - phase) / apart, end: (high - phase) / apart + 1 }
    }

    fn holds(&self, other: &Span) -> bool {
        self.shape == other.shape && self.start <= other.start && other.end <= self.end
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        (self.end - self.start) * self.shape.size
    }

    /// The pieces without gaps, each with its length.
    fn pieces(self) -> impl Iterator<Item = (usize, usize)> {
        let Shape { step, size, phase } = self.shape;
        let (count, length) =
            if self.shape == BYTES { (1, self.end - self.start) } else { (self.end - self.start, size) };
        (0..count).map(move |at| ((self.start + at) * step + phase, length))
    }
}

/// Rows that were told before are found again in so many places: few at first, and as many as a grid may have rows.
const FEW: usize = 16;
const MANY: usize = 1024;

#[derive(Default)]
pub struct Left {
    cells: Cells,
    /// For each shape where spans begin, and where they end; no two of them meet.
    spans: HashMap<Shape, BTreeMap<usize, usize>>,
    /// Rows as they were told, each where its address says.
    known: Vec<Option<Span>>,
    /// How many were not found there.
    missed: usize,
    /// What lay at all places between the sweeps.
    kept: Option<*mut u8>,
}

impl Left {
    pub fn tell(&mut self, row: Row) {
        if row.count == 0 || row.size == 0 {
            return;
        }
        let span = Span::of(row);
        if span.shape == BYTES && Cells::take(span.start, span.end) {
            self.cells.tell(span.start, span.end);
            return;
        }
        let place = self.place_of(span);
        if self.known.get(place).is_some_and(|known| known.is_some_and(|known| known.holds(&span))) {
            return;
        }
        self.join(span);
        self.missed += 1;
        if self.known.is_empty() || self.known.len() == FEW && self.missed > FEW {
            let size = if self.known.is_empty() { FEW } else { MANY };
            self.known = vec![None; size];
        }
        let place = self.place_of(span);
        self.known[place] = Some(span);
    }

    /// Neighbouring rows are told one after the other, and go to different places.
    fn place_of(&self, span: Span) -> usize {
        let mixed = (span.start ^ span.shape.phase).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) & self.known.len().wrapping_sub(1)
    }

    /// Joins a span with those that it meets or touches.
    fn join(&mut self, span: Span) {
        let known = self.spans.entry(span.shape).or_default();
        let (mut start, mut end) = (span.start, span.end);
        while let Some((from, to)) = known.range(..=end).next_back().map(|(from, to)| (*from, *to)) {
            if to < start {
                break;
            }
            known.remove(&from);
            (start, end) = (start.min(from), end.max(to));
        }
        known.insert(start, end);
    }

    fn list(&self) -> Vec<Span> {
        let of_shape = |(shape, spans): (&Shape, &BTreeMap<usize, usize>)| {
            let shape = *shape;
            spans.iter().map(move |(start, end)| Span { shape, start: *start, end: *end }).collect::<Vec<_>>()
        };
        self.spans.iter().flat_map(of_shape).collect()
    }

    /// Some places are among the cells and on a row of the list as well, and are copied twice.
    fn pieces(&self) -> impl Iterator<Item = (usize, usize)> {
        self.cells.pieces().chain(self.list().into_iter().flat_map(Span::pieces))
    }

    /// Copies what lies at all places that were told.
    ///
    /// # Safety
    /// Each of them may be read, and nobody writes there meanwhile.
    pub unsafe fn keep(&mut self, function: Function) {
        let bytes: usize = self.pieces().map(|(_, length)| length).sum();
        if bytes == 0 {
            return;
        }
        let copy = allocation::allocate(bytes, function);
        let mut to = copy;
        for (from, length) in self.pieces() {
            // SAFETY: the caller's contract; the copy has room for all pieces.
            unsafe {
                std::ptr::copy_nonoverlapping(std::ptr::with_exposed_provenance(from), to, length);
                to = to.add(length);
            }
        }
        self.kept = Some(copy);
    }

    /// Writes it back.
    ///
    /// # Safety
    /// Each place may be written, and nobody uses it meanwhile.
    pub unsafe fn write_back(self) {
        let Some(copy) = self.kept else { return };
        let mut from = copy.cast_const();
        for (to, length) in self.pieces() {
            // SAFETY: the caller's contract; the places are those that were copied, in their order.
            unsafe {
                std::ptr::copy_nonoverlapping(from, std::ptr::with_exposed_provenance_mut(to), length);
                from = from.add(length);
            }
        }
        // SAFETY: it was allocated by `keep`, and owns nothing.
        unsafe { allocation::free(copy) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(places: &[f64], last: usize, step: isize, count: usize) -> Row {
        let last = (&raw const places[last]).expose_provenance();
        Row { last, step: step * 8, count, size: 8 }
    }

    fn undo_all(left: Left, places: &mut [f64]) {
        let mut left = left;
        // SAFETY: the rows of these tests lie in `places`.
        unsafe { left.keep(Function::unknown()) };
        places.fill(-1.0);
        // SAFETY: the same.
        unsafe { left.write_back() };
    }

    fn numbers() -> Vec<f64> {
        (0u8..32).map(f64::from).collect()
    }

    #[test]
    fn what_was_told_is_written_back_and_nothing_beside() {
        let mut places = numbers();
        let mut left = Left::default();
        left.tell(row(&places, 4, 1, 3));
        left.tell(row(&places, 20, -1, 2));
        left.tell(row(&places, 9, 0, 1));
        undo_all(left, &mut places);
        let stands: Vec<usize> = (0..32).filter(|at| places[*at] == *at as f64).collect();
        assert_eq!(stands, [2, 3, 4, 9, 20, 21]);
    }

    #[test]
    fn gaps_stay_gaps() {
        let mut places = numbers();
        let mut left = Left::default();
        left.tell(row(&places, 13, 4, 4));
        left.tell(row(&places, 6, -2, 3));
        undo_all(left, &mut places);
        let stands: Vec<usize> = (0..32).filter(|at| places[*at] == *at as f64).collect();
        assert_eq!(stands, [1, 5, 6, 8, 9, 10, 13]);
    }

    /// Long rows are no cells.
    const LONG: usize = 1000;

    fn long_row(places: &[f64], last: usize, count: usize) -> Row {
        row(places, last * LONG + LONG - 1, 1, count * LONG)
    }

    fn bytes_of(left: &Left) -> usize {
        left.pieces().map(|(_, length)| length).sum()
    }

    #[test]
    fn rows_that_are_told_again_or_touch_are_one() {
        let places = vec![0.0; 32 * LONG];
        let (mut short, mut long) = (Left::default(), Left::default());
        for _ in 0..3 {
            for (last, count) in [(7, 4), (20, 4), (12, 5), (12, 0)] {
                short.tell(row(&places, last, 1, count));
                long.tell(long_row(&places, last, count));
            }
        }
        assert_eq!(bytes_of(&short), 13 * 8);
        assert_eq!(bytes_of(&long), 13 * 8 * LONG);
        assert_eq!(long.list().len(), 2);
        assert!(short.list().is_empty());
    }

    #[test]
    fn many_rows_are_each_kept_once() {
        let mut places = vec![0.0; 40_000];
        let mut left = Left::default();
        for _ in 0..2 {
            for at in 0..2_000 {
                left.tell(row(&places, 20 * at + 9, 2, 3));
            }
        }
        assert_eq!(left.list().len(), 2_000);
        undo_all(left, &mut places);
        assert_eq!(places.iter().filter(|place| **place == 0.0).count(), 6_000);
    }

    #[test]
    fn a_span_that_reaches_over_several_swallows_them() {
        let places = vec![0.0; 32 * LONG];
        let mut left = Left::default();
        for at in [2, 5, 9, 30] {
            left.tell(long_row(&places, at, 1));
        }
        left.tell(long_row(&places, 12, 12));
        let spans = left.list();
        assert_eq!(spans.iter().map(Span::bytes).collect::<Vec<_>>(), [12 * 8 * LONG, 8 * LONG]);
    }
}
