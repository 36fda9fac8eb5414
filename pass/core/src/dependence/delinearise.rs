//! Which subscripts of several dimensions is a flat address made of?
//!
//! A difference of addresses `D = S·X + R`, to be met in a window `low ≤ D ≤ high`. Where it is *proved* that
//! `high - S < R < low + S` for every pair of instances, `X` must be zero and `R` alone in the window: two subscripts
//! instead of one. `S` is a constant (fixed extents) or a constant times a symbol (symbolic extents); for constants
//! ranges prove it, for symbols the Omega test over loop bounds and guards does. Exact; what is not proved stays flat.

use std::collections::{BTreeMap, BTreeSet};

use super::linear::{Interval, Var, ceil_div, floor_div, gcd};

/// A sum of products of variables of one problem.
pub type Terms = BTreeMap<Vec<Var>, i128>;

/// `low ≤ terms ≤ high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat {
    pub terms: Terms,
    pub low: i128,
    pub high: i128,
}

/// What a proof may use.
pub trait Knowledge {
    fn range(&self, var: Var) -> Interval;
    fn is_symbol(&self, var: Var) -> bool;
    /// Whether the terms are proved to be at least zero.
    fn proves(&mut self, terms: &Terms) -> bool;
}

/// One flat condition as several that say the same together.
pub fn delinearise(flat: Flat, knowledge: &mut dyn Knowledge) -> Vec<Flat> {
    let flat = flat.reduced();
    let parts = split_fixed(&flat, knowledge).or_else(|| split_symbolic(&flat, knowledge));
    match parts {
        Some(parts) => parts.into_iter().flat_map(|part| delinearise(part, knowledge)).collect(),
        None => vec![flat],
    }
}

impl Flat {
    /// Divided by the gcd of everything but the constant, which moves into the window.
    fn reduced(mut self) -> Flat {
        let constant = self.terms.remove(&Vec::new()).unwrap_or(0);
        let divisor = self.terms.values().fold(0, |sum, factor| gcd(sum, *factor)).max(1);
        let (Some(low), Some(high)) = (self.low.checked_sub(constant), self.high.checked_sub(constant))
        else {
            self.terms.insert(Vec::new(), constant);
            return self;
        };
        self.terms.values_mut().for_each(|factor| *factor /= divisor);
        Flat { terms: self.terms, low: ceil_div(low, divisor), high: floor_div(high, divisor) }
    }
}

pub fn interval_of(terms: &Terms, range: &dyn Fn(Var) -> Interval) -> Interval {
    terms.iter().fold(Interval::point(0), |sum, (product, factor)| {
        let product = product.iter().fold(Interval::point(1), |all, var| all.times(range(*var)));
        sum.plus(product.scale(*factor))
    })
}

/// By the largest constant stride whose remainder is small enough.
fn split_fixed(flat: &Flat, knowledge: &dyn Knowledge) -> Option<Vec<Flat>> {
    let strides: BTreeSet<i128> = flat.terms.values().map(|factor| factor.saturating_abs()).collect();
    if strides.len() < 2 {
        return None;
    }
    strides.into_iter().rev().filter(|stride| *stride > 1).find_map(|stride| {
        let (outer, inner): (Terms, Terms) =
            flat.terms.clone().into_iter().partition(|(_, factor)| factor % stride == 0);
        if outer.is_empty() || inner.is_empty() {
            return None;
        }
        let reach = interval_of(&inner, &|var| knowledge.range(var));
        let (least, most) = (reach.low?, reach.high?);
        // S·X is in [low - most, high - least]: at most one multiple of S may be there.
        let first = ceil_div(flat.low.checked_sub(most)?, stride);
        let last = floor_div(flat.high.checked_sub(least)?, stride);
        if last > first {
            return None;
        }
        let outer = outer.into_iter().map(|(product, factor)| (product, factor / stride)).collect();
        let shift = stride.checked_mul(first)?;
        let inner =
            Flat { terms: inner, low: flat.low.checked_sub(shift)?, high: flat.high.checked_sub(shift)? };
        // No multiple at all: the window of the outer part is empty, which is independence.
        Some(vec![Flat { terms: outer, low: first, high: last }, inner])
    })
}

/// By a symbol that divides some products, where the rest is proved smaller than it.
fn split_symbolic(flat: &Flat, knowledge: &mut dyn Knowledge) -> Option<Vec<Flat>> {
    let products = flat.terms.keys().filter(|product| product.len() > 1);
    let symbols: BTreeSet<Var> =
        products.flatten().copied().filter(|var| knowledge.is_symbol(*var)).collect();
    symbols.into_iter().find_map(|symbol| {
        let (outer, inner): (Terms, Terms) =
            flat.terms.clone().into_iter().partition(|(product, _)| product.contains(&symbol));
        if inner.keys().any(|product| product.len() > 1) {
            return None;
        }
        let factor = outer.values().fold(0, |sum, factor| gcd(sum, *factor));
        split_by(flat, outer, inner, symbol, factor, knowledge)
    })
}

fn split_by(
    flat: &Flat,
    outer: Terms,
    inner: Terms,
    symbol: Var,
    factor: i128,
    knowledge: &mut dyn Knowledge,
) -> Option<Vec<Flat>> {
    // The window's constant may hold a multiple of the symbol only by chance; multiples stand in `outer` as terms.
    let mut below = inner.clone(); // R - (high - S) - 1 ≥ 0
    below.insert(vec![symbol], factor.checked_add(*inner.get(&vec![symbol]).unwrap_or(&0))?);
    below.insert(Vec::new(), flat.high.checked_neg()?.checked_sub(1)?);
    let mut above: Terms = inner.iter().map(|(product, value)| (product.clone(), -value)).collect();
    above.insert(vec![symbol], factor.checked_sub(*inner.get(&vec![symbol]).unwrap_or(&0))?);
    above.insert(Vec::new(), flat.low.checked_sub(1)?); // low + S - 1 - R ≥ 0
    if !knowledge.proves(&below) || !knowledge.proves(&above) {
        return None;
    }
    let divide = |(mut product, value): (Vec<Var>, i128)| {
        let at = product.iter().position(|var| *var == symbol);
        if let Some(at) = at {
            product.remove(at);
        }
        (product, value / factor)
    };
    let outer = outer.into_iter().map(divide).collect();
    Some(vec![Flat { terms: outer, low: 0, high: 0 }, Flat { terms: inner, low: flat.low, high: flat.high }])
}
