//! How are large coefficients made small without changing the question?
//!
//! Removing equalities leaves a basis of the solutions' lattice that may be badly skewed: coefficients of thousands
//! where short vectors exist, and as many splinters. Adding a multiple of one column to another is a unimodular change
//! of variables, so integer solutions correspond one to one. Columns are reduced pairwise (Gauss, Jacobi), each row
//! weighed by the width it allows. Floating point only *chooses* multiples; applying them is exact.

use std::collections::HashMap;

use super::Budget;
use super::system::{Row, Stop, System};

/// Rounds of pairwise reduction; each makes some column shorter, and few are ever needed.
const ROUNDS: usize = 24;

/// The system must have no equalities: a column's meaning changes.
pub fn reduce_columns(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    let columns: Vec<usize> =
        (1..system.width).filter(|c| system.positive.iter().any(|row| row[*c] != 0)).collect();
    let flat = system.positive.iter().all(|row| row[1..].iter().all(|x| x.unsigned_abs() <= 1));
    if flat || columns.len() < 2 {
        return Ok(());
    }
    let weights = weights(system);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for u in &columns {
            for v in &columns {
                changed |= u != v && shorten(system, &weights, *u, *v)?;
            }
        }
        budget.spend(system.positive.len())?;
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Takes from column `v` the multiple of `u` that makes it shortest.
fn shorten(system: &mut System, weights: &[f64], u: usize, v: usize) -> Result<bool, Stop> {
    let product = |x: usize, y: usize| {
        system
            .positive
            .iter()
            .zip(weights)
            .map(|(row, weight)| row[x] as f64 * row[y] as f64 * weight)
            .sum::<f64>()
    };
    let length = product(u, u);
    let multiple = if length > 0.0 { (product(u, v) / length).round() } else { 0.0 };
    if multiple == 0.0 || !multiple.is_finite() || multiple.abs() > 1e30 {
        return Ok(false);
    }
    let multiple = multiple as i128;
    let column: Option<Vec<i128>> =
        system.positive.iter().map(|row| row[v].checked_sub(multiple.checked_mul(row[u])?)).collect();
    let column = column.ok_or(Stop::GaveUp)?;
    let after: f64 = column.iter().zip(weights).map(|(x, weight)| *x as f64 * *x as f64 * weight).sum();
    // Only what makes it clearly shorter, so that rounding cannot go in circles.
    if after >= product(v, v) * 0.999 {
        return Ok(false);
    }
    system.positive.iter_mut().zip(column).for_each(|(row, value)| row[v] = value);
    Ok(true)
}

/// One over the square of the width between a row and its opposite; rows bounded on one side hardly count.
fn weights(system: &System) -> Vec<f64> {
    let mut constants: HashMap<&[i128], i128> = HashMap::with_capacity(system.positive.len());
    for row in &system.positive {
        constants.insert(&row[1..], row[0]);
    }
    let weight = |row: &Row| {
        let opposite: Vec<i128> = row[1..].iter().map(|x| x.wrapping_neg()).collect();
        match constants.get(&opposite[..]) {
            Some(constant) => {
                let width = (row[0] as f64 + *constant as f64).max(1.0);
                1.0 / (width * width)
            }
            None => {
                let size = (row[0] as f64).abs() + 1.0;
                0.01 / (size * size)
            }
        }
    };
    system.positive.iter().map(weight).collect()
}
