//! One row: an operation or function, its partial derivatives, its singular points, and where it is tested.
//!
//! [`Entry`] is the text a table holds; [`Row`] is the checked and parsed form of it.

use super::expr::{Condition, Expr, Needs};
use super::parse::parse_form;
use super::validity::check_linear;

/// What an operand or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// A float, or lane by lane a vector of floats.
    Real,
    /// A signed integer; carries no derivative.
    Int,
    /// An `i1`.
    Bool,
}

/// A row as written in a table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// The function and its derivative as mathematics writes them, or why the derivative is zero.
    pub equation: &'static str,
    pub operands: &'static [OperandKind],
    pub results: &'static [OperandKind],
    /// For each result, one form for each real operand.
    pub forms: &'static [&'static str],
    /// What happens where the formula has no answer, and why. Empty where there is no such place.
    pub policy: &'static str,
    /// Some finite operands give a partial that is not finite; emission then guards `d == 0`.
    pub singular: bool,
    /// Places the policy speaks of, each with the expected partials (in the order of `forms`) at `d = 1`.
    pub edges: &'static [EdgePoint],
    /// For each operand the values to test at; the points are all combinations.
    pub samples: &'static [&'static [f64]],
}

#[derive(Clone, Copy, Debug)]
pub struct EdgePoint {
    pub at: &'static [f64],
    pub partials: &'static [f64],
}

#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    pub equation: &'static str,
    pub operands: &'static [OperandKind],
    pub results: &'static [OperandKind],
    pub edge: Option<Edge>,
    pub edges: &'static [EdgePoint],
    texts: &'static [&'static str],
    samples: &'static [&'static [f64]],
    /// One for each result and operand, zero where the operand is no real.
    forms: Vec<Expr>,
}

/// What a row does at its special points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub policy: &'static str,
    /// The contribution of a derivative that is exactly zero is exactly zero, whatever the partial.
    pub singular: bool,
}

/// A fault in a table: ours, never the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    pub row: String,
    pub problem: String,
}

impl Row {
    pub fn new(entry: &Entry) -> Result<Row, TableError> {
        let fail = |problem: String| TableError { row: entry.name.to_owned(), problem };
        if entry.singular && (entry.policy.is_empty() || entry.edges.is_empty()) {
            return Err(fail("singular, and no edge policy with points to test it at".into()));
        }
        if entry.samples.len() != entry.operands.len() {
            return Err(fail("one list of sample values for each operand".into()));
        }
        let reals = entry.operands.iter().filter(|kind| **kind == OperandKind::Real).count();
        if entry.forms.len() != reals * entry.results.len() {
            return Err(fail("one form for each result and real operand".into()));
        }
        let mut texts = entry.forms.iter();
        let mut forms = Vec::new();
        for (k, result) in entry.results.iter().enumerate() {
            for operand in entry.operands {
                forms.push(match (operand, texts.as_slice().first()) {
                    (OperandKind::Real, Some(text)) => {
                        texts.next();
                        read_form(text, k as u8, *result, entry).map_err(&fail)?
                    }
                    _ => Expr::Number(0.0),
                });
            }
        }
        let edge =
            (!entry.policy.is_empty()).then_some(Edge { policy: entry.policy, singular: entry.singular });
        let Entry { name, equation, operands, results, edges, samples, forms: texts, .. } = *entry;
        Ok(Row { name, equation, operands, results, edge, edges, texts, samples, forms })
    }

    /// The contribution to operand `operand` of the derivative of result `result`, and the other way round.
    pub fn form(&self, result: usize, operand: usize) -> &Expr {
        &self.forms[result * self.operands.len() + operand]
    }

    /// What that form reads of the primal. Derived, so that recording and emission cannot disagree.
    pub fn needs(&self, result: usize, operand: usize) -> Needs {
        self.form(result, operand).needs()
    }

    pub fn is_singular(&self) -> bool {
        self.edge.is_some_and(|edge| edge.singular)
    }

    /// The derivative is zero wherever it exists.
    pub fn is_inactive(&self) -> bool {
        self.forms.iter().all(Expr::is_zero)
    }

    /// The partial is a fixed number, read from no primal value.
    pub fn is_constant_factor(&self, result: usize, operand: usize) -> bool {
        self.needs(result, operand).is_empty()
    }

    /// Linear in all real operands together: every partial is a fixed number.
    pub fn is_linear(&self) -> bool {
        self.forms.iter().all(|form| form.needs().is_empty())
    }

    /// Linear in that operand while the others stand still, as a product is in each factor.
    pub fn is_linear_in(&self, operand: usize) -> bool {
        (0..self.results.len()).all(|result| {
            let needs = self.needs(result, operand);
            !needs.operands.contains(operand as u8) && needs.results.is_empty()
        })
    }

    /// The operands of which some form asks whether their bits are the result's.
    pub fn equated(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for form in &self.forms {
            form.visit_conditions(&mut |condition| {
                if let Condition::Float(_, left, right) = condition
                    && let (Expr::X(operand), Expr::Y(_)) | (Expr::Y(_), Expr::X(operand)) =
                        (&**left, &**right)
                {
                    found.push(*operand as usize);
                }
            });
        }
        found
    }

    pub fn is_real_operand(&self, operand: usize) -> bool {
        self.operands[operand] == OperandKind::Real
    }

    /// The forms as the table has them, for each result one for each real operand.
    pub fn texts(&self) -> &'static [&'static str] {
        self.texts
    }

    /// Every combination of the sample values.
    pub fn points(&self) -> Vec<Vec<f64>> {
        self.samples.iter().fold(vec![Vec::new()], |points, values| {
            let extend = |point: &Vec<f64>, value: f64| point.iter().copied().chain([value]).collect();
            points.iter().flat_map(|point| values.iter().map(move |value| extend(point, *value))).collect()
        })
    }
}

fn read_form(text: &str, result: u8, kind: OperandKind, entry: &Entry) -> Result<Expr, String> {
    let named = |problem| format!("`{text}`: {problem}");
    let form = parse_form(text, entry.operands, entry.results).map_err(named)?;
    check_linear(&form, result).map_err(named)?;
    if kind != OperandKind::Real && !form.is_zero() {
        return Err(named("a result that is no real has derivative 0".into()));
    }
    Ok(form)
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule `{}`: {}", self.row, self.problem)
    }
}

/// How tables write rows: `unary("sin", "sin' x = cos x", "d * cos(x)").at(CIRCLE)`.
pub(super) mod write {
    use super::{EdgePoint, Entry, OperandKind};

    pub const REAL: OperandKind = OperandKind::Real;
    pub const INT: OperandKind = OperandKind::Int;
    pub const BOOL: OperandKind = OperandKind::Bool;

    type Kinds = &'static [OperandKind];

    pub const fn unary(name: &'static str, equation: &'static str, forms: &'static [&'static str]) -> Entry {
        general(name, equation, &[REAL], &[REAL], forms)
    }

    pub const fn binary(name: &'static str, equation: &'static str, forms: &'static [&'static str]) -> Entry {
        general(name, equation, &[REAL, REAL], &[REAL], forms)
    }

    pub const fn general(
        name: &'static str,
        equation: &'static str,
        operands: Kinds,
        results: Kinds,
        forms: &'static [&'static str],
    ) -> Entry {
        let (policy, singular) = ("", false);
        Entry { name, equation, operands, results, forms, policy, singular, edges: &[], samples: &[] }
    }

    pub const fn edge(at: &'static [f64], partials: &'static [f64]) -> EdgePoint {
        EdgePoint { at, partials }
    }

    impl Entry {
        pub const fn at(mut self, samples: &'static [&'static [f64]]) -> Entry {
            self.samples = samples;
            self
        }

        /// Special points where the partials stay finite.
        pub const fn edge(mut self, policy: &'static str, edges: &'static [EdgePoint]) -> Entry {
            self.policy = policy;
            self.edges = edges;
            self
        }

        /// Special points where a partial, before the guard of a zero derivative, may be infinite or NaN.
        pub const fn singular(self, policy: &'static str, edges: &'static [EdgePoint]) -> Entry {
            let mut entry = self.edge(policy, edges);
            entry.singular = true;
            entry
        }
    }
}
