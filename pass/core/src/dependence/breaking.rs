//! For which values of the symbols do two accesses never meet, and where would cutting the loop help?
//!
//! The problem is projected onto its symbols: `∃ counters` becomes a conjunction of inequalities `f_k ≥ 0`. Rows that
//! the context (the loops run, guards) or the other rows imply are dropped; the negation of the rest, `f_1 < 0 or …`,
//! is the breaking condition. A projection may only be too large, so the condition may only be too strong: where it
//! holds there is no dependence. Where an address wraps for huge symbols, a range for them is part of the condition.

use std::collections::BTreeMap;
use std::fmt;

use super::access::{Access, Accesses, name_operand};
use super::atoms::Key;
use super::linear::{Linear, Var};
use super::nesting::Nesting;
use super::omega::{Answer, Budget, Row, System, decide, project};
use super::pair::{Question, build_question};
use super::problem::{Problem, Role};
use super::refine::build_system;
use super::solve::{Outcome, solve};
use super::split::{Split, find_split};
use crate::model::Type;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breaking {
    /// No dependence where one of these holds.
    pub clauses: Vec<Clause>,
    /// Each symbol named lies in ±this, or the clauses promise nothing.
    pub assumed: Option<(i128, Vec<String>)>,
    pub split: Option<Split>,
    pub names: BTreeMap<Var, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// The form is below zero.
    Negative(Linear),
    /// The form is not zero.
    NotZero(Linear),
    /// No more than what is assumed of the symbols.
    Assumed,
}

/// The ranges tried for symbols, widest first.
const ASSUMED: [u32; 4] = [60, 52, 40, 31];

pub fn find_breaking(
    nesting: &Nesting,
    accesses: &Accesses,
    a: &Access,
    b: &Access,
    question: &Question,
) -> Option<Breaking> {
    if question.problem.roles.iter().all(|role| *role != Role::Symbol) {
        return split_only(nesting, accesses, question);
    }
    if !question.wraps {
        return condition(nesting, accesses, question, None);
    }
    ASSUMED.into_iter().find_map(|bits| {
        let narrow =
            build_question(nesting, accesses, a, b, Some(1 << bits)).filter(|narrow| !narrow.wraps)?;
        condition(nesting, accesses, &narrow, Some(1 << bits))
    })
}

fn split_only(nesting: &Nesting, accesses: &Accesses, question: &Question) -> Option<Breaking> {
    let split = find_split(&question.problem)?;
    let names = names(nesting, accesses, question);
    Some(Breaking { clauses: Vec::new(), assumed: None, split: Some(split), names })
}

fn condition(
    nesting: &Nesting,
    accesses: &Accesses,
    question: &Question,
    most: Option<i128>,
) -> Option<Breaking> {
    let names = names(nesting, accesses, question);
    let mut clauses = break_problem(&question.problem, &|var| names.contains_key(&var)).unwrap_or_default();
    let budget = &mut Budget::for_size(question.problem.largest());
    if most.is_some() && matches!(solve(&question.problem, budget), Outcome::Independent { .. }) {
        clauses = vec![Clause::Assumed];
    }
    let split = find_split(&question.problem);
    if clauses.is_empty() && split.is_none() {
        return None;
    }
    // Addresses are not bounded, integers are.
    let bounded = |var: &Var| match &accesses.atoms.get(question.meaning[var]).key {
        Key::Value(operand) => matches!(nesting.function.known_type(operand), Some(Type::Int(_))),
        _ => false,
    };
    let assumed =
        most.map(|most| (most, names.iter().filter(|(v, _)| bounded(v)).map(|(_, n)| n.clone()).collect()));
    Some(Breaking { clauses, assumed, split, names })
}

fn names(nesting: &Nesting, accesses: &Accesses, question: &Question) -> BTreeMap<Var, String> {
    let symbols = question.meaning.iter().filter(|(var, _)| question.problem.role(**var) == Role::Symbol);
    let named = symbols.filter_map(|(var, atom)| match &accesses.atoms.get(*atom).key {
        Key::Value(operand) => Some((*var, name_operand(nesting.function, operand))),
        _ => None,
    });
    named.collect()
}

/// The clauses, or `None` where nothing on the kept symbols breaks the dependence.
pub fn break_problem(problem: &Problem, keep: &dyn Fn(Var) -> bool) -> Option<Vec<Clause>> {
    let budget = &mut Budget::for_size(problem.largest());
    let mut tied = problem.clone();
    tied.ties.clear();
    let full = build_system(&tied)?;
    tied.subscripts.clear();
    let context = build_system(&tied)?;
    let kept: Vec<bool> = (0..full.width).map(|column| column > 0 && keep(Var(column as u32 - 1))).collect();
    let shadow = project(full, &kept, budget).ok()?;
    let equal: Vec<Row> = shadow.system.equal;
    let mut rows: Vec<Row> = shadow.system.positive;
    // Long conditions first, so that the simple ones survive.
    rows.sort_by_key(|row| std::cmp::Reverse(row.iter().skip(1).filter(|x| **x != 0).count()));
    let mut at = 0;
    while at < rows.len() {
        let row = rows.remove(at);
        if !is_implied(&context, &equal, &rows, &row, budget) {
            rows.insert(at, row);
            at += 1;
        }
    }
    rows.reverse();
    rows.sort_by_key(|row| row.iter().skip(1).filter(|x| **x != 0).count());
    let clauses: Vec<Clause> = equal
        .iter()
        .map(|row| Clause::NotZero(form_of(row)))
        .chain(rows.iter().map(|row| Clause::Negative(form_of(row))))
        .collect();
    (!clauses.is_empty()).then_some(clauses)
}

/// Whether a row holds wherever the context and the other rows do.
fn is_implied(context: &System, equal: &[Row], others: &[Row], row: &Row, budget: &mut Budget) -> bool {
    let mut system = context.clone();
    let widen = |row: &Row| {
        let mut row = row.clone();
        row.resize(system.width, 0);
        row
    };
    let negated: Option<Row> = widen(row).into_iter().map(i128::checked_neg).collect();
    let Some(mut negated) = negated else { return false };
    negated[0] -= 1;
    let more: Vec<Row> = others.iter().map(widen).collect();
    let same: Vec<Row> = equal.iter().map(widen).collect();
    system.positive.extend(more);
    system.positive.push(negated);
    system.equal.extend(same);
    decide(system, budget) == Answer::Infeasible
}

fn form_of(row: &Row) -> Linear {
    let terms = row.iter().enumerate().skip(1).filter(|(_, factor)| **factor != 0);
    Linear { terms: terms.map(|(at, factor)| (Var(at as u32 - 1), *factor)).collect(), constant: row[0] }
}

impl Clause {
    pub fn describe(&self, name: &dyn Fn(Var) -> String) -> String {
        let (form, not_zero) = match self {
            Clause::Negative(form) => (form, false),
            Clause::NotZero(form) => (form, true),
            Clause::Assumed => return "true".into(),
        };
        let side = |sign: i128| {
            let terms = form.terms.iter().filter(move |(_, factor)| factor.signum() == sign);
            let part = |(var, factor): &(Var, i128)| match factor.abs() {
                1 => name(*var),
                size => format!("{size}*{}", name(*var)),
            };
            terms.map(part).collect::<Vec<String>>().join(" + ")
        };
        let (plus, minus, c) = (side(1), side(-1), form.constant);
        // plus + c - minus is below zero: plus + c < minus. The symbol that came up first stands on the left.
        let swapped = form.terms.first().is_some_and(|(_, factor)| *factor < 0);
        let (left, right, c, less) = if swapped { (minus, plus, -c, false) } else { (plus, minus, c, true) };
        compare(&left, &right, c, less, not_zero)
    }
}

/// `left + c < right`, or `>`, or `!=`, without a needless constant.
fn compare(left: &str, right: &str, c: i128, less: bool, not_zero: bool) -> String {
    let (strict, loose, near) = if less { ("<", "<=", -1) } else { (">", ">=", 1) };
    let (word, c) = match (not_zero, right.is_empty()) {
        (true, _) => ("!=", c),
        // left - 1 < right is left ≤ right; left < 1 reads better than left ≤ 0.
        (false, false) if c == near => (loose, 0),
        (false, _) => (strict, c),
    };
    match (right.is_empty(), c) {
        (true, _) => format!("{left} {word} {}", -c),
        (false, 0) => format!("{left} {word} {right}"),
        (false, 1..) => format!("{left} + {c} {word} {right}"),
        (false, _) => format!("{left} {word} {right} + {}", -c),
    }
}

impl fmt::Display for Breaking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |var: Var| self.names.get(&var).cloned().unwrap_or_else(|| var.to_string());
        let parts: Vec<String> = self.clauses.iter().map(|clause| clause.describe(&name)).collect();
        match (&self.clauses[..], &self.assumed) {
            ([], _) => {}
            ([Clause::Assumed], Some((most, names))) => write!(f, "breaks if {}", within(*most, names))?,
            (_, None) => write!(f, "breaks if {}", parts.join(" or "))?,
            (_, Some((most, names))) => {
                write!(f, "breaks if {} (for {})", parts.join(" or "), within(*most, names))?;
            }
        }
        if let Some(split) = &self.split {
            let comma = if self.clauses.is_empty() { "" } else { "; " };
            write!(f, "{comma}{}", split.describe(&name))?;
        }
        Ok(())
    }
}

fn within(most: i128, names: &[String]) -> String {
    format!("|{}| <= {most}", names.join("|, |"))
}
