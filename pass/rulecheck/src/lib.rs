//! Whether the rules are right: forms evaluated in double, both modes, against difference quotients in quad.

mod evaluate;
mod reference;

use backsweep_core::rules::{Expr, OperandKind, Row};

pub use evaluate::{Point, evaluate};
pub use reference::{Partial, partial, value};

/// The forms of a row, or what stands in for them in a test of the test.
pub struct Forms<'a> {
    pub row: &'a Row,
    /// For each result and operand.
    pub forms: Vec<Vec<Expr>>,
}

/// A disagreement.
#[derive(Debug)]
pub struct Mismatch {
    pub what: String,
    pub at: Vec<f64>,
    pub found: f64,
    pub wanted: f64,
}

impl<'a> Forms<'a> {
    pub fn of(row: &'a Row) -> Forms<'a> {
        let forms_of = |k: usize| (0..row.operands.len()).map(|i| row.form(k, i).clone()).collect();
        Forms { row, forms: (0..row.results.len()).map(forms_of).collect() }
    }

    /// Adjoints of the operands for adjoints of the results.
    pub fn reverse(&self, point: &Point, dy: &[f64]) -> Vec<f64> {
        let contribution = |k: usize, i: usize| self.contribution(point, k, i, dy[k]);
        (0..self.row.operands.len())
            .map(|i| (0..self.row.results.len()).map(|k| contribution(k, i)).sum())
            .collect()
    }

    /// Tangents of the results for tangents of the operands.
    pub fn forward(&self, point: &Point, dx: &[f64]) -> Vec<f64> {
        let contribution = |k: usize, i: usize| self.contribution(point, k, i, dx[i]);
        (0..self.row.results.len())
            .map(|k| (0..self.row.operands.len()).map(|i| contribution(k, i)).sum())
            .collect()
    }

    /// One form applied, with the guard that emission adds to singular rows.
    fn contribution(&self, point: &Point, k: usize, i: usize, d: f64) -> f64 {
        let flows = self.row.operands[i] == OperandKind::Real && self.row.results[k] == OperandKind::Real;
        if !flows || (self.row.is_singular() && d == 0.0) {
            return 0.0;
        }
        evaluate(&self.forms[k][i], point, d)
    }

    /// Everything that is wrong at one point, both modes.
    pub fn check_at(&self, x: &[f64]) -> Vec<Mismatch> {
        let point = Point::new(self.row, x);
        let (results, operands) = (self.row.results.len(), self.row.operands.len());
        let jacobian: Vec<Vec<Partial>> =
            (0..results).map(|k| (0..operands).map(|i| partial(self.row, x, k, i)).collect()).collect();
        let mut wrong = Vec::new();
        let mut compare = |what: String, found: f64, terms: &[(Partial, f64)]| {
            let wanted: f64 = terms.iter().map(|(partial, d)| partial.value * d).sum();
            let allowed: f64 =
                terms.iter().map(|(p, d)| (p.value.abs() * TOLERANCE + p.noise) * d.abs()).sum();
            let same = found == wanted || (found.is_nan() && wanted.is_nan());
            let near = (found - wanted).abs() <= allowed;
            if !same && !near {
                wrong.push(Mismatch { what, at: x.to_vec(), found, wanted });
            }
        };
        // Seeds of different size and sign, so that a swapped or missing term shows.
        let seeds = [0.75, -1.5, 3.0, -0.3125];
        for (i, found) in self.reverse(&point, &seeds[..results]).into_iter().enumerate() {
            let terms: Vec<_> = (0..results).map(|k| (jacobian[k][i], seeds[k])).collect();
            compare(format!("reverse, operand {i}"), found, &terms);
        }
        for (k, found) in self.forward(&point, &seeds[..operands]).into_iter().enumerate() {
            let terms: Vec<_> = (0..operands).map(|i| (jacobian[k][i], seeds[i])).collect();
            compare(format!("forward, result {k}"), found, &terms);
        }
        wrong
    }

    /// Everything that is wrong at the row's points.
    pub fn check(&self) -> Vec<Mismatch> {
        self.row.points().iter().flat_map(|x| self.check_at(x)).collect()
    }
}

/// The relative error allowed, for every row alike: a few roundings, and the result rounded to double where a form
/// reads it. A row that cannot hold this needs a better form, or samples where the function is well conditioned.
pub const TOLERANCE: f64 = 1e-13;
