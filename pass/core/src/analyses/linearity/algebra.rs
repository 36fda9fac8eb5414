//! Which operations are sums, products, quotients and powers: the rows of table 2.
//!
//! By name of the row. A form that reads no primal value does not make an operation linear: the fraction of `modf` has
//! partial 1 and jumps. What is not listed here is nonlinear, so a name too few costs precision, never truth.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algebra {
    /// A sum of its real operands with fixed signs, or one of them in another format.
    Sum,
    Product,
    Quotient,
    /// `x0 x1 + x2`.
    ProductAndSum,
    /// The first operand to the power of the second.
    Power,
    /// The first operand times a function of the second.
    Scaling,
    /// One of the operands behind the first, which decides.
    Choice,
}

const ROWS: [(&str, Algebra); 17] = [
    ("fneg", Algebra::Sum),
    ("fadd", Algebra::Sum),
    ("fsub", Algebra::Sum),
    ("fpext", Algebra::Sum),
    ("fptrunc", Algebra::Sum),
    ("arithmetic_fence", Algebra::Sum),
    ("canonicalize", Algebra::Sum),
    ("fmul", Algebra::Product),
    ("fdiv", Algebra::Quotient),
    ("fma", Algebra::ProductAndSum),
    ("fmuladd", Algebra::ProductAndSum),
    ("powi", Algebra::Power),
    ("pow", Algebra::Power),
    ("ldexp", Algebra::Scaling),
    ("scalbn", Algebra::Scaling),
    ("scalbln", Algebra::Scaling),
    ("select", Algebra::Choice),
];

pub fn algebra_of(row: &str) -> Option<Algebra> {
    ROWS.iter().find(|(name, _)| *name == row).map(|(_, algebra)| *algebra)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn every_name_is_that_of_a_row_whose_forms_agree() {
        let rules = Rules::new();
        for (name, algebra) in ROWS {
            let row = rules.row(name).unwrap_or_else(|| panic!("there is no row `{name}`"));
            let fixed = |i: usize| row.is_constant_factor(0, i) && !row.form(0, i).is_zero();
            match algebra {
                Algebra::Sum => assert!((0..row.operands.len()).all(fixed), "`{name}` is no sum"),
                Algebra::Product => assert!(row.is_linear_in(0) && row.is_linear_in(1), "`{name}`"),
                Algebra::ProductAndSum => assert!(row.is_linear_in(0) && row.is_linear_in(1) && fixed(2)),
                Algebra::Scaling => assert!(row.is_linear_in(0), "`{name}`"),
                Algebra::Quotient => assert!(row.is_linear_in(0) && !row.is_linear_in(1), "`{name}`"),
                Algebra::Power | Algebra::Choice => {}
            }
        }
    }
}
