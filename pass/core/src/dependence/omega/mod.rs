//! The Omega test: does a set of linear equalities and inequalities have an integer solution? (Pugh 1992)
//!
//! [`System`] → [`Answer`]. Exact within the budget and 128 bits; beyond either the answer is `Unknown`, never a guess.
//! Safe error: `Unknown`, which callers read as "may depend".

mod equality;
mod fourier;
mod lattice;
mod project;
mod search;
mod system;

use equality::eliminate_equalities;
pub use project::{Projection, project, reduce_to};
pub use search::settle;
pub use system::{Row, Stop, System};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Feasible,
    Infeasible,
    /// Not decided: numbers too large or budget spent.
    Unknown,
}

/// How much work one pair of accesses may cost, in rows touched and nested inexact eliminations.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    rows: usize,
    depth: usize,
    spent: bool,
}

/// Rows touched for one pair, at well under a microsecond each: keeps the slowest pair far below 50 ms.
const ROWS: usize = 20_000;

/// The same where values may have wrapped: such systems rarely get decided by working longer.
const ROWS_WRAPPED: usize = 2_000;

/// New rows of one removal.
const MOST_PAIRS: usize = 300;

/// Nested inexact eliminations before giving up.
const INEXACT: usize = 400;

impl Default for Budget {
    fn default() -> Budget {
        Budget { rows: ROWS, depth: INEXACT, spent: false }
    }
}

impl Budget {
    pub fn of_rows(rows: usize) -> Budget {
        Budget { rows, ..Budget::default() }
    }

    /// What a pair may cost, given its largest coefficient.
    pub fn for_size(largest: u128) -> Budget {
        if largest >= 1 << 40 { Budget::of_rows(ROWS_WRAPPED) } else { Budget::default() }
    }

    /// Whether some question had to be left open.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    fn spend(&mut self, rows: usize) -> Result<(), Stop> {
        match self.rows.checked_sub(rows) {
            Some(left) => {
                self.rows = left;
                Ok(())
            }
            None => self.fail(),
        }
    }

    /// Removing a variable that brings more rows than this rarely leads anywhere.
    fn spend_removal(&mut self, pairs: usize, rows: usize) -> Result<(), Stop> {
        if pairs > MOST_PAIRS { self.fail() } else { self.spend(pairs + rows) }
    }

    fn deepen(&mut self) -> Result<(), Stop> {
        match self.depth.checked_sub(1) {
            Some(left) => {
                self.depth = left;
                Ok(())
            }
            None => self.fail(),
        }
    }

    fn fail(&mut self) -> Result<(), Stop> {
        self.spent = true;
        Err(Stop::GaveUp)
    }
}

/// Decides a system.
pub fn decide(system: System, budget: &mut Budget) -> Answer {
    match search::solve(system, budget) {
        Ok(()) => Answer::Feasible,
        Err(Stop::Empty) => Answer::Infeasible,
        Err(Stop::GaveUp) => Answer::Unknown,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
