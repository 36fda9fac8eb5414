//! How are equalities removed without losing or gaining an integer solution?
//!
//! A variable with coefficient ±1 is substituted. Otherwise take the smallest coefficient `a_k` and `m = |a_k| + 1`;
//! with the symmetric modulus `â = a - m⌊a/m + 1/2⌋` there is an integer σ with `-sign(a_k)·m·σ = Σ (a_i mod^ m) x_i`,
//! in which `x_k` has coefficient `-sign(a_k)`: substitute that, and the coefficients of the equality shrink to at
//! most 5/6 of what they were (Pugh 1992). Exact.

use super::Budget;
use super::system::{Row, Stop, System, combine};
use crate::dependence::linear::floor_div;

/// Removes every equality. New columns may be appended.
pub fn eliminate_equalities(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    loop {
        system.normalise()?;
        let Some((row, column)) = pick(system) else { return Ok(()) };
        budget.spend(system.equal.len() + system.positive.len())?;
        if system.equal[row][column].abs() == 1 {
            let definition = system.equal.swap_remove(row);
            substitute(system, &definition, column)?;
        } else {
            reduce(system, row, column)?;
        }
    }
}

/// The equality and column with the smallest coefficient.
fn pick(system: &System) -> Option<(usize, usize)> {
    let mut best: Option<(u128, usize, usize)> = None;
    for (at, row) in system.equal.iter().enumerate() {
        for (column, value) in row.iter().enumerate().skip(1) {
            let size = value.unsigned_abs();
            if size != 0 && best.is_none_or(|(least, ..)| size < least) {
                best = Some((size, at, column));
                if size == 1 {
                    return Some((at, column));
                }
            }
        }
    }
    best.map(|(_, row, column)| (row, column))
}

/// Removes a column by an equality in which it has coefficient ±1.
pub fn substitute(system: &mut System, definition: &Row, column: usize) -> Result<(), Stop> {
    let sign = definition[column];
    for row in system.equal.iter_mut().chain(system.positive.iter_mut()) {
        if row[column] != 0 {
            let factor = row[column].checked_mul(-sign).ok_or(Stop::GaveUp)?;
            *row = combine(1, row, factor, definition)?;
        }
    }
    Ok(())
}

fn reduce(system: &mut System, row: usize, column: usize) -> Result<(), Stop> {
    let sigma = system.width;
    system.width += 1;
    system.equal.iter_mut().chain(system.positive.iter_mut()).for_each(|row| row.push(0));
    let pivot = system.equal[row][column];
    let modulus = pivot.checked_abs().and_then(|x| x.checked_add(1)).ok_or(Stop::GaveUp)?;
    let mut definition = Vec::with_capacity(system.width);
    for value in &system.equal[row] {
        definition.push(symmetric_modulus(*value, modulus).ok_or(Stop::GaveUp)?);
    }
    // Σ â_i x_i = -sign·m·σ, so Σ â_i x_i + sign·m·σ = 0.
    definition[sigma] = modulus.checked_mul(pivot.signum()).ok_or(Stop::GaveUp)?;
    substitute(system, &definition, column)
}

/// The representative of `x` modulo `m` in `(-m/2, m/2]`, rounded as Pugh rounds: `m-1` becomes `-1`.
fn symmetric_modulus(x: i128, m: i128) -> Option<i128> {
    let doubled = x.checked_mul(2)?.checked_add(m)?;
    x.checked_sub(m.checked_mul(floor_div(doubled, m.checked_mul(2)?))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pivot_becomes_a_unit() {
        for pivot in [2, 3, 7, 12, -5] {
            let modulus = i128::abs(pivot) + 1;
            assert_eq!(symmetric_modulus(pivot, modulus), Some(-pivot.signum()));
        }
    }

    #[test]
    fn pughs_example_is_solved() {
        // 7x + 12y + 31z = 17 and 3x + 5y + 14z = 7 with 1 ≤ x ≤ 40, -50 ≤ y ≤ 50: from the paper.
        let mut system = System::new(3);
        system.equal = vec![vec![-17, 7, 12, 31], vec![-7, 3, 5, 14]];
        system.positive = vec![vec![-1, 1, 0, 0], vec![40, -1, 0, 0], vec![50, 0, 1, 0], vec![50, 0, -1, 0]];
        eliminate_equalities(&mut system, &mut Budget::default()).expect("it has solutions");
        assert!(system.equal.is_empty());
    }
}
