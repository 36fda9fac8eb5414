//! What is an affine form? An integer combination of variables plus a constant, exactly.
//!
//! `c + Σ a_v · v` over mathematical integers. Arithmetic is checked: where 128 bits do not suffice the answer is
//! `None`, and every caller turns that into "may depend". So no overflow can change an answer.

use std::fmt;

/// A variable of one problem: a counter of the source or the sink, a symbol, or an auxiliary integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// Sorted by variable; no coefficient is zero.
    pub terms: Vec<(Var, i128)>,
    pub constant: i128,
}

/// The integers between two ends; `None` is an end that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Linear {
    pub fn constant(value: i128) -> Linear {
        Linear { terms: Vec::new(), constant: value }
    }

    pub fn var(var: Var) -> Linear {
        Linear { terms: vec![(var, 1)], constant: 0 }
    }

    pub fn of(terms: &[(Var, i128)], constant: i128) -> Option<Linear> {
        terms.iter().try_fold(Linear::constant(constant), |sum, (var, factor)| {
            sum.add_scaled(&Linear::var(*var), *factor)
        })
    }

    pub fn coefficient(&self, var: Var) -> i128 {
        self.terms.binary_search_by_key(&var, |(at, _)| *at).map_or(0, |at| self.terms[at].1)
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// `self + factor · other`.
    pub fn add_scaled(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (var, value) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((v, _)), Some((w, _))) if v == w => {
                    let ((v, x), (_, y)) = (left.next()?, right.next()?);
                    (*v, x.checked_add(y.checked_mul(factor)?)?)
                }
                (Some((v, _)), right_term) if right_term.is_none_or(|(w, _)| v < w) => *left.next()?,
                _ => {
                    let (w, y) = right.next()?;
                    (*w, y.checked_mul(factor)?)
                }
            };
            if value != 0 {
                terms.push((var, value));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(Linear { terms, constant })
    }

    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.add_scaled(other, -1)
    }

    pub fn plus(&self, value: i128) -> Option<Linear> {
        Some(Linear { terms: self.terms.clone(), constant: self.constant.checked_add(value)? })
    }

    pub fn scale(&self, factor: i128) -> Option<Linear> {
        Linear::default().add_scaled(self, factor)
    }

    /// The greatest common divisor of the coefficients; 0 for a constant.
    pub fn gcd(&self) -> i128 {
        self.terms.iter().fold(0, |sum, (_, factor)| gcd(sum, *factor))
    }

    /// The least and greatest value, each variable ranging on its own.
    pub fn interval(&self, range: &dyn Fn(Var) -> Interval) -> Interval {
        self.terms
            .iter()
            .fold(Interval::point(self.constant), |sum, (var, factor)| sum.plus(range(*var).scale(*factor)))
    }
}

impl Interval {
    pub const ANY: Interval = Interval { low: None, high: None };

    pub fn point(value: i128) -> Interval {
        Interval { low: Some(value), high: Some(value) }
    }

    pub fn between(low: i128, high: i128) -> Interval {
        Interval { low: Some(low), high: Some(high) }
    }

    pub fn plus(self, other: Interval) -> Interval {
        let sum = |x: Option<i128>, y: Option<i128>| x?.checked_add(y?);
        Interval { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    pub fn scale(self, factor: i128) -> Interval {
        let times = |x: Option<i128>| x?.checked_mul(factor);
        match factor {
            0 => Interval::point(0),
            1.. => Interval { low: times(self.low), high: times(self.high) },
            _ => Interval { low: times(self.high), high: times(self.low) },
        }
    }

    /// All products of a number of each.
    pub fn times(self, other: Interval) -> Interval {
        let ends = || Some([self.low?, self.high?, other.low?, other.high?]);
        if let Some([a, b, c, d]) = ends() {
            let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
            if let [Some(p), Some(q), Some(r), Some(s)] = products {
                return Interval::between(p.min(q).min(r).min(s), p.max(q).max(r).max(s));
            }
        }
        let both_natural = self.low.is_some_and(|x| x >= 0) && other.low.is_some_and(|x| x >= 0);
        Interval { low: both_natural.then_some(0), high: None }
    }

    pub fn meet(self, other: Interval) -> Interval {
        let pick = |x: Option<i128>, y: Option<i128>, best: fn(i128, i128) -> i128| match (x, y) {
            (Some(x), Some(y)) => Some(best(x, y)),
            (x, y) => x.or(y),
        };
        Interval { low: pick(self.low, other.low, i128::max), high: pick(self.high, other.high, i128::min) }
    }

    pub fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    pub fn contains(self, value: i128) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }

    /// Whether every number of this lies in the other.
    pub fn is_within(self, low: i128, high: i128) -> bool {
        self.low.is_some_and(|x| x >= low) && self.high.is_some_and(|x| x <= high)
    }
}

pub fn gcd(x: i128, y: i128) -> i128 {
    let (mut x, mut y) = (x.unsigned_abs(), y.unsigned_abs());
    // Nearly always both fit 64 bits, where division is many times faster.
    if let (Ok(mut small), Ok(mut other)) = (u64::try_from(x), u64::try_from(y)) {
        while other != 0 {
            (small, other) = (other, small % other);
        }
        return i128::from(small);
    }
    while y != 0 {
        (x, y) = (y, x % y);
    }
    // 2^127 itself does not fit; 2^126 divides it too, and a smaller divisor only makes a test weaker.
    i128::try_from(x).unwrap_or(1 << 126)
}

/// `(g, s, t)` with `s·x + t·y = g`.
pub fn extended_gcd(x: i128, y: i128) -> Option<(i128, i128, i128)> {
    let (mut r, mut s, mut t) = ((x, y), (1i128, 0i128), (0i128, 1i128));
    while r.1 != 0 {
        let quotient = r.0.checked_div(r.1)?;
        let next = |pair: (i128, i128)| Some((pair.1, pair.0.checked_sub(quotient.checked_mul(pair.1)?)?));
        (r, s, t) = (next(r)?, next(s)?, next(t)?);
    }
    if r.0 < 0 {
        Some((r.0.checked_neg()?, s.0.checked_neg()?, t.0.checked_neg()?))
    } else {
        Some((r.0, s.0, t.0))
    }
}

/// Rounds towards minus infinity; the divisor is positive.
pub fn floor_div(x: i128, y: i128) -> i128 {
    x.div_euclid(y)
}

/// Rounds towards plus infinity; the divisor is positive.
pub fn ceil_div(x: i128, y: i128) -> i128 {
    x.div_euclid(y) + i128::from(x.rem_euclid(y) != 0)
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_merge_and_vanish() {
        let x = Linear::of(&[(Var(1), 2), (Var(0), 3)], 5).expect("small");
        let y = Linear::of(&[(Var(1), 2), (Var(3), 1)], 1).expect("small");
        assert_eq!(x.minus(&y), Linear::of(&[(Var(0), 3), (Var(3), -1)], 4));
    }

    #[test]
    fn overflow_is_told() {
        let x = Linear::of(&[(Var(0), i128::MAX)], 0).expect("fits");
        assert_eq!(x.add_scaled(&x, 2), None);
        assert_eq!(Interval::point(i128::MAX).plus(Interval::point(1)).high, None);
    }

    #[test]
    fn the_extended_gcd_certifies_itself() {
        for (x, y) in [(6, 4), (-6, 4), (0, 5), (7, 0), (-3, -9), (1 << 64, 48)] {
            let (g, s, t) = extended_gcd(x, y).expect("small");
            assert_eq!((s * x + t * y, g), (g, gcd(x, y)));
        }
    }

    #[test]
    fn division_rounds_as_named() {
        assert_eq!((floor_div(-7, 2), ceil_div(-7, 2), floor_div(7, 2), ceil_div(7, 2)), (-4, -3, 3, 4));
    }
}
