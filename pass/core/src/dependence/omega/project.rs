//! Which values of some variables leave a solution for the rest?
//!
//! Removes all but the kept columns. Real shadows only: the result contains every kept point that has a solution, and
//! `exact` says that it contains no other. Safe error: too large (the negation, a breaking condition, stays right).

use super::Budget;
use super::equality::substitute;
use super::fourier::{Shade, examine, shadow};
use super::system::{Stop, System, negate};

pub struct Projection {
    pub system: System,
    pub exact: bool,
}

/// `keep[c]` says whether column `c` stays; column 0 is the constant.
pub fn project(mut system: System, keep: &[bool], budget: &mut Budget) -> Result<Projection, Stop> {
    let kept = |column: usize| keep.get(column).copied().unwrap_or(false);
    let mut exact = true;
    loop {
        system.normalise()?;
        budget.spend(system.equal.len() + system.positive.len())?;
        let unit = |row: &Vec<i128>| (1..row.len()).find(|c| !kept(*c) && row[*c].unsigned_abs() == 1);
        if let Some((at, column)) =
            (0..system.equal.len()).find_map(|at| Some((at, unit(&system.equal[at])?)))
        {
            let definition = system.equal.swap_remove(at);
            substitute(&mut system, &definition, column)?;
            continue;
        }
        // Without a unit the equality is a congruence on the kept variables. Dropping it only enlarges the result.
        let foreign = |row: &Vec<i128>| (1..row.len()).any(|c| !kept(c) && row[c] != 0);
        if let Some(at) = system.equal.iter().position(foreign) {
            exact = false;
            let row = system.equal.swap_remove(at);
            let mut opposite = row.clone();
            negate(&mut opposite)?;
            return finish(system, vec![row, opposite], keep, exact, budget);
        }
        let choice = (1..system.width).filter(|c| !kept(*c)).filter_map(|c| examine(&system, c));
        let Some(choice) = choice.min_by_key(|at| (!at.exact, at.pairs)) else {
            return Ok(Projection { system, exact });
        };
        budget.spend_removal(choice.pairs, system.positive.len())?;
        exact &= choice.exact;
        system = shadow(&system, choice.column, Shade::Real)?;
    }
}

/// The congruence's two inequalities are kept, but must not be merged back into an equality: project them by shadow.
fn finish(
    mut system: System,
    pair: Vec<Vec<i128>>,
    keep: &[bool],
    exact: bool,
    budget: &mut Budget,
) -> Result<Projection, Stop> {
    let column = (1..system.width).find(|c| !keep.get(*c).copied().unwrap_or(false) && pair[0][*c] != 0);
    system.positive.extend(pair);
    if let Some(column) = column {
        system.equal.retain(|row| row[column] == 0);
        system = shadow(&system, column, Shade::Real)?;
    }
    let rest = project(system, keep, budget)?;
    Ok(Projection { system: rest.system, exact: exact && rest.exact })
}

/// Removes columns that are not kept as long as that is exact and does not grow the system.
pub fn reduce_to(mut system: System, keep: &[bool], budget: &mut Budget) -> Result<System, Stop> {
    loop {
        system.normalise()?;
        budget.spend(system.equal.len() + system.positive.len())?;
        let unit = |row: &Vec<i128>| (1..row.len()).find(|c| !keep[*c] && row[*c].unsigned_abs() == 1);
        if let Some((at, column)) =
            (0..system.equal.len()).find_map(|at| Some((at, unit(&system.equal[at])?)))
        {
            let definition = system.equal.swap_remove(at);
            substitute(&mut system, &definition, column)?;
            continue;
        }
        let used = |column: usize| system.equal.iter().any(|row| row[column] != 0);
        let choice = (1..system.width).filter(|c| !keep[*c] && !used(*c)).filter_map(|c| examine(&system, c));
        let best = choice.filter(|at| at.exact && at.pairs <= GROWTH).min_by_key(|at| at.pairs);
        let Some(choice) = best else { return Ok(system) };
        system = shadow(&system, choice.column, Shade::Real)?;
    }
}

/// New rows that one removal may bring; the questions asked afterwards pay for each of them.
const GROWTH: usize = 16;
