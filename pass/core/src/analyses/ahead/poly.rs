//! Polynomials with whole coefficients, and a proof that one is never below a number.

use std::collections::BTreeMap;

use crate::model::{LoopId, ValueId};

/// Of which of two accesses a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Of both: they run in one pass of the loop.
    Both,
    Early,
    Late,
}

/// Counters and slacks are never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Var {
    /// The passes of a loop before this one.
    Counter(LoopId, Side),
    /// A number that is the same wherever the function is.
    Symbol(ValueId),
    /// Where the global of this number lies.
    Global(usize),
    /// What one side of an inequality has more than the other.
    Slack(u32),
}

/// A sum of products; no coefficient is zero, the factors of each product are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly(pub BTreeMap<Vec<Var>, i128>);

/// Larger numbers are not counted with.
const MOST: i128 = 1 << 60;
const MOST_TERMS: usize = 64;
const MOST_FACTORS: usize = 3;

impl Poly {
    pub fn number(value: i128) -> Poly {
        Poly::default().with(Vec::new(), value)
    }

    pub fn var(var: Var) -> Poly {
        Poly::default().with(vec![var], 1)
    }

    fn with(mut self, factors: Vec<Var>, by: i128) -> Poly {
        self.add(factors, by);
        self
    }

    fn add(&mut self, factors: Vec<Var>, by: i128) {
        let sum = self.0.get(&factors).copied().unwrap_or(0) + by;
        match sum {
            0 => self.0.remove(&factors),
            _ => self.0.insert(factors, sum),
        };
    }

    pub fn plus(&self, other: &Poly) -> Poly {
        other.0.iter().fold(self.clone(), |sum, (factors, by)| sum.with(factors.clone(), *by))
    }

    pub fn minus(&self, other: &Poly) -> Poly {
        other.0.iter().fold(self.clone(), |sum, (factors, by)| sum.with(factors.clone(), -*by))
    }

    /// None where it grows beyond what is worth following.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut factors = [left.as_slice(), right].concat();
                factors.sort();
                let by = a.checked_mul(*b).filter(|by| by.abs() < MOST)?;
                if factors.len() > MOST_FACTORS {
                    return None;
                }
                product.add(factors, by);
            }
        }
        (product.0.len() <= MOST_TERMS).then_some(product)
    }

    /// The same with a variable written in terms of others.
    pub fn put(&self, var: Var, value: &Poly) -> Option<Poly> {
        let mut sum = Poly::default();
        for (factors, by) in &self.0 {
            if !factors.contains(&var) {
                // Most terms. They are as before, within the limits that hold for the others.
                let follows = factors.is_empty() || by.abs() < MOST && factors.len() <= MOST_FACTORS;
                sum.add(follows.then(|| factors.clone())?, *by);
                continue;
            }
            let mut product = Poly::number(*by);
            for factor in factors {
                product = product.times(&if *factor == var { value.clone() } else { Poly::var(*factor) })?;
            }
            product.0.into_iter().for_each(|(factors, by)| sum.add(factors, by));
        }
        (sum.0.len() <= MOST_TERMS).then_some(sum)
    }

    pub fn has(&self, var: Var) -> bool {
        self.0.keys().any(|factors| factors.contains(&var))
    }

    fn constant(&self) -> i128 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// The symbols that stand alone.
    pub fn symbols(&self) -> impl Iterator<Item = ValueId> {
        self.0.keys().filter_map(|factors| match factors[..] {
            [Var::Symbol(id)] => Some(id),
            _ => None,
        })
    }

    /// Whether no value of the variables makes it more.
    pub fn is_at_most(&self, most: i128) -> bool {
        Poly::default().minus(self).is_at_least(-most)
    }

    /// Whether no value of the variables makes it less: all of its terms but the constant only add to it.
    pub fn is_at_least(&self, least: i128) -> bool {
        let adds = |(factors, by): (&Vec<Var>, &i128)| {
            factors.is_empty()
                || *by > 0 && factors.iter().all(|factor| matches!(factor, Var::Counter(..) | Var::Slack(_)))
        };
        self.0.iter().all(adds) && self.constant() >= least
    }
}

/// What variables are known not to exceed.
#[derive(Clone, Default)]
pub struct Bounds {
    pub most: Vec<(Var, Poly)>,
    slacks: u32,
}

/// So many inequalities are used for one proof.
const DEEPEST: usize = 5;

impl Bounds {
    pub fn new_slack(&mut self) -> Var {
        self.slacks += 1;
        Var::Slack(self.slacks)
    }

    /// Whether a polynomial is never less than a number: one variable after the other is written as what it cannot exceed less
    /// something, until nothing is left that takes anything away.
    pub fn prove(&self, poly: &Poly, least: i128) -> bool {
        self.search(poly, least, DEEPEST)
    }

    fn search(&self, poly: &Poly, least: i128, depth: usize) -> bool {
        if poly.is_at_least(least) {
            return true;
        }
        let slack = Poly::var(Var::Slack(self.slacks + 1));
        let helps = |var: Var| poly.has(var);
        depth > 0
            && self.most.iter().enumerate().any(|(at, (var, most))| {
                let step = |var: Var, value: &Poly| {
                    let Some(poly) = poly.put(var, value) else { return false };
                    // Most of the search are its last steps, which need no inequalities any more.
                    poly.is_at_least(least)
                        || depth > 1 && self.put(at, var, value).search(&poly, least, depth - 1)
                };
                let lowered = helps(*var) && step(*var, &most.minus(&slack));
                lowered || {
                    // A symbol alone on its side of the inequality can be told by the counter.
                    let alone = |(factors, by): (&Vec<Var>, &i128)| match (factors.as_slice(), by) {
                        ([symbol @ Var::Symbol(_)], 1) if helps(*symbol) => Some(*symbol),
                        _ => None,
                    };
                    most.0.iter().filter_map(alone).any(|symbol| {
                        let others = most.minus(&Poly::var(symbol));
                        !others.has(symbol) && step(symbol, &Poly::var(*var).minus(&others).plus(&slack))
                    })
                }
            })
    }

    /// What is known besides one inequality, where a variable was written in terms of others and of a new slack.
    fn put(&self, used: usize, var: Var, value: &Poly) -> Bounds {
        let others = self.most.iter().enumerate().filter(|(at, (bounded, _))| *at != used && *bounded != var);
        let most =
            others.filter_map(|(_, (bounded, most))| Some((*bounded, most.put(var, value)?))).collect();
        Bounds { most, slacks: self.slacks + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Poly, Side, Var};
    use crate::model::{LoopId, ValueId};

    const I: Var = Var::Counter(LoopId(0), Side::Both);
    const J: Var = Var::Counter(LoopId(1), Side::Early);
    const N: Var = Var::Symbol(ValueId(0));

    fn sum(terms: &[(i128, Option<Var>)]) -> Poly {
        let term = |(by, var): &(i128, Option<Var>)| {
            Poly::number(*by).times(&var.map_or(Poly::number(1), Poly::var)).expect("small numbers")
        };
        terms.iter().map(term).fold(Poly::default(), |sum, term| sum.plus(&term))
    }

    #[test]
    fn a_counter_is_below_its_bound() {
        let bounds = Bounds { most: vec![(J, sum(&[(62, None), (-1, Some(I))]))], ..Bounds::default() };
        assert!(bounds.prove(&sum(&[(512, None), (-8, Some(J))]), 16));
        assert!(!bounds.prove(&sum(&[(512, None), (-8, Some(J))]), 17));
        assert!(!bounds.prove(&sum(&[(512, None), (-9, Some(J))]), 1));
    }

    #[test]
    fn a_symbol_is_above_the_counter_that_it_bounds() {
        let bounds = Bounds { most: vec![(J, sum(&[(-1, None), (1, Some(N))]))], ..Bounds::default() };
        assert!(bounds.prove(&sum(&[(8, Some(N)), (-8, Some(J))]), 8));
        assert!(!bounds.prove(&sum(&[(8, Some(N)), (-8, Some(J))]), 9));
        assert!(!Bounds::default().prove(&sum(&[(8, Some(N))]), 0));
    }
}
