//! Rounding to integers: piecewise constant, so the derivative is zero wherever there is one.

use crate::rules::row::write::{INT, REAL, edge, general, unary};
use crate::rules::row::{EdgePoint, Entry};

const BETWEEN: &[f64] = &[-1e6 - 0.3, -2.7, -0.2, 0.4, 1.9, 33.1];

const STEP: &str = "At a jump 0 as beside it.";
const JUMPS: &[EdgePoint] = &[edge(&[0.0], &[0.0]), edge(&[0.5], &[0.0]), edge(&[2.0], &[0.0])];

const fn step(name: &'static str, equation: &'static str) -> Entry {
    unary(name, equation, &["0"]).at(&[BETWEEN]).edge(STEP, JUMPS)
}

const fn step_to_int(name: &'static str, equation: &'static str) -> Entry {
    general(name, equation, &[REAL], &[INT], &["0"]).at(&[BETWEEN]).edge(STEP, JUMPS)
}

pub const ROWS: &[Entry] = &[
    step("floor", "constant between integers"),
    step("ceil", "constant between integers"),
    step("trunc", "constant between integers"),
    step("round", "constant between half-integers"),
    step("roundeven", "constant between half-integers"),
    step("rint", "constant between the steps of the rounding mode"),
    step("nearbyint", "constant between the steps of the rounding mode"),
    step_to_int("lround", "an integer, constant between half-integers"),
    step_to_int("llround", "an integer, constant between half-integers"),
    step_to_int("lrint", "an integer, constant between the steps of the rounding mode"),
    step_to_int("llrint", "an integer, constant between the steps of the rounding mode"),
];
