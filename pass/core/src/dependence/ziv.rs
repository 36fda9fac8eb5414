//! Can a subscript without loop index ever meet?
//!
//! `low ≤ c + Σ symbols ≤ high`: no, where the range of the symbols lies outside the window, or the gcd of their
//! factors leaves no multiple in it. Safe error: it can.

use super::problem::{Problem, Subscript};
use super::verdict::{Test, Verdict};

pub fn test_ziv(problem: &Problem, subscript: &Subscript) -> Verdict {
    let normal = subscript.clone().normalised();
    let reach = problem.interval(&normal.form);
    let below = reach.high.is_some_and(|high| high < normal.low);
    let above = reach.low.is_some_and(|low| low > normal.high);
    if normal.is_void() || below || above {
        Verdict::Independent(Test::Ziv)
    } else {
        Verdict::Limits(Test::Ziv, Vec::new())
    }
}
