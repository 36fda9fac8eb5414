//! Do two accesses meet, in which orders of iterations, and which test says so?
//!
//! The steps of the paper: partition; cheap tests on separable subscripts, Delta on coupled groups; stop at the first
//! proof of independence; merge what is left of each level; let the exact test confirm or refine.
//! Safe error: dependent, in every order. [`Outcome::Dependent`] says with `open` that a budget ran out.

use super::banerjee::test_banerjee;
use super::delta::test_delta;
use super::direction::{Directions, Relation};
use super::gcd::test_gcd;
use super::omega::Budget;
use super::partition::{indices, partition};
use super::problem::{Problem, Subscript};
use super::rdiv::test_rdiv;
use super::refine::{Orders, refine_orders};
use super::siv::{Siv, test_siv};
use super::verdict::{Limit, Test, Verdict};
use super::ziv::test_ziv;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Independent {
        by: Test,
    },
    Dependent {
        relation: Relation,
        by: Test,
        /// Whether the exact test had to stop at its budget, so that this is "may depend".
        open: bool,
    },
}

pub fn solve(problem: &Problem, budget: &mut Budget) -> Outcome {
    let levels = problem.levels.len();
    let mut allowed = vec![Directions::ALL; levels];
    let mut distances = vec![None; levels];
    let mut settled = Test::Ziv;
    for group in partition(problem) {
        match test_group(problem, &group) {
            Verdict::Independent(by) => return Outcome::Independent { by },
            Verdict::Limits(by, limits) => {
                settled = settled.max(by);
                for Limit { level, directions, distance } in limits {
                    allowed[level] = allowed[level].meet(directions);
                    distances[level] = distances[level].or(distance);
                }
            }
            Verdict::Open => settled = settled.max(Test::Gcd),
        }
    }
    let cheap: u64 = allowed.iter().map(|set| u64::from(set.0.count_ones())).product();
    match refine_orders(problem, &allowed, budget) {
        Orders::None => Outcome::Independent { by: Test::Omega },
        Orders::Some { boxes, distances: exact } => {
            let news = exact.iter().zip(&distances).any(|(exact, cheap)| exact.is_some() && cheap.is_none());
            let distances = exact.into_iter().zip(distances).map(|(exact, cheap)| exact.or(cheap)).collect();
            let relation = Relation { boxes, distances };
            let by = if news || relation.count() < cheap { Test::Omega } else { settled };
            Outcome::Dependent { relation, by, open: budget.is_spent() }
        }
    }
}

fn test_group(problem: &Problem, group: &[usize]) -> Verdict {
    let [only] = group[..] else { return test_coupled(problem, group) };
    test_separable(problem, &problem.subscripts[only])
}

/// Each subscript alone first: cheaper, and it names the simpler reason.
fn test_coupled(problem: &Problem, group: &[usize]) -> Verdict {
    for position in group {
        if let Verdict::Independent(by) = test_separable(problem, &problem.subscripts[*position]) {
            return Verdict::Independent(by);
        }
    }
    test_delta(problem, group)
}

fn test_separable(problem: &Problem, subscript: &Subscript) -> Verdict {
    let subscript = subscript.clone().normalised();
    if subscript.form.terms.is_empty() || indices(problem, &subscript).is_empty() {
        return test_ziv(problem, &subscript);
    }
    if let Some(siv) = Siv::of(problem, &subscript) {
        return test_siv(problem, &siv);
    }
    if let Verdict::Independent(by) = test_gcd(&subscript) {
        return Verdict::Independent(by);
    }
    match test_rdiv(problem, &subscript) {
        Verdict::Open => test_banerjee(problem, &subscript),
        verdict => verdict,
    }
}
