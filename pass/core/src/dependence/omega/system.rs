//! What is a system, and what is plainly wrong or superfluous in it?
//!
//! Rows over columns `1..width`, column 0 the constant: equalities `row = 0` and inequalities `row ≥ 0`.
//! Normalising divides each row by the gcd of its coefficients (an equality whose constant it does not divide has no
//! solution; an inequality's constant is rounded down, which loses no integer point), keeps the tightest of parallel
//! inequalities, and turns opposite ones that touch into an equality. Exact in the integers.

use crate::dependence::linear::{floor_div, gcd};

pub type Row = Vec<i128>;

#[derive(Clone, Debug, Default)]
pub struct System {
    pub width: usize,
    pub equal: Vec<Row>,
    pub positive: Vec<Row>,
}

/// Why a step could not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The system has no integer solution.
    Empty,
    /// Numbers beyond 128 bits, or the budget is spent.
    GaveUp,
}

impl System {
    pub fn new(columns: usize) -> System {
        System { width: columns + 1, ..System::default() }
    }

    pub fn normalise(&mut self) -> Result<(), Stop> {
        let mut equal = Vec::with_capacity(self.equal.len());
        for mut row in std::mem::take(&mut self.equal) {
            let divisor = content(&row);
            if divisor == 0 {
                if row[0] != 0 {
                    return Err(Stop::Empty);
                }
                continue;
            }
            if row[0] % divisor != 0 {
                return Err(Stop::Empty);
            }
            if divisor > 1 {
                row.iter_mut().for_each(|x| *x /= divisor);
            }
            equal.push(row);
        }
        self.equal = equal;
        self.tighten()
    }

    /// Keeps the strongest of the inequalities that share a normal.
    fn tighten(&mut self) -> Result<(), Stop> {
        let mut seen: Vec<Normal> = Vec::with_capacity(self.positive.len());
        for mut row in std::mem::take(&mut self.positive) {
            let divisor = content(&row);
            if divisor == 0 {
                if row[0] < 0 {
                    return Err(Stop::Empty);
                }
                continue;
            }
            let mut constant = row[0];
            if divisor > 1 {
                constant = floor_div(constant, divisor);
                row.iter_mut().filter(|x| **x != 0).for_each(|x| *x /= divisor);
            }
            row[0] = 0;
            let negative = row.iter().find(|x| **x != 0).is_some_and(|x| *x < 0);
            if negative {
                negate(&mut row)?;
            }
            let mark = mark(&row);
            let at = seen.iter().position(|other| other.mark == mark && other.row == row);
            let at = at.unwrap_or_else(|| {
                seen.push(Normal { mark, row, bounds: [None, None] });
                seen.len() - 1
            });
            let slot = &mut seen[at].bounds[usize::from(negative)];
            *slot = Some(slot.map_or(constant, |old| old.min(constant)));
        }
        for Normal { row, bounds: [low, high], .. } in seen {
            self.keep(row, low, high)?;
        }
        Ok(())
    }

    /// `key + low ≥ 0` and `-key + high ≥ 0`.
    fn keep(&mut self, key: Row, low: Option<i128>, high: Option<i128>) -> Result<(), Stop> {
        if let (Some(low), Some(high)) = (low, high) {
            let gap = low.checked_add(high).ok_or(Stop::GaveUp)?;
            if gap < 0 {
                return Err(Stop::Empty);
            }
            if gap == 0 {
                let mut row = key;
                row[0] = low;
                self.equal.push(row);
                return Ok(());
            }
        }
        if let Some(high) = high {
            let mut row = key.clone();
            negate(&mut row)?;
            row[0] = high;
            self.positive.push(row);
        }
        if let Some(low) = low {
            let mut row = key;
            row[0] = low;
            self.positive.push(row);
        }
        Ok(())
    }
}

/// A normal with its first nonzero coefficient made positive, and the constants of `row + low ≥ 0`, `-row + high ≥ 0`.
struct Normal {
    mark: u64,
    row: Row,
    bounds: [Option<i128>; 2],
}

/// A cheap fingerprint, so that most rows are told apart by one comparison.
fn mark(row: &[i128]) -> u64 {
    row.iter().fold(0, |sum: u64, x| (sum.rotate_left(5) ^ *x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The greatest common divisor of the coefficients, without the constant.
pub fn content(row: &[i128]) -> i128 {
    let mut sum = 0;
    for value in &row[1..] {
        if *value != 0 {
            sum = gcd(sum, *value);
            if sum == 1 {
                break;
            }
        }
    }
    sum
}

pub fn negate(row: &mut [i128]) -> Result<(), Stop> {
    for value in row {
        *value = value.checked_neg().ok_or(Stop::GaveUp)?;
    }
    Ok(())
}

/// `a·x + b·y`, or giving up.
pub fn combine(a: i128, x: &[i128], b: i128, y: &[i128]) -> Result<Row, Stop> {
    let term = |(x, y): (&i128, &i128)| a.checked_mul(*x)?.checked_add(b.checked_mul(*y)?);
    x.iter().zip(y).map(|pair| term(pair).ok_or(Stop::GaveUp)).collect()
}
