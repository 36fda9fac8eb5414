//! How one value depends on another: not at all, linearly, or how else.
//!
//! Lattice: independent (the paper's ⊤, figure 7) below fractions of two polynomials, ordered by both degrees, below
//! nonlinear. *Linear*, affine included, is the fraction of degree 1 over a constant; a polynomial is one over a constant.
//! A degree is that of whole products: `x*y` has degree 2 in `x` and in `y`, as table 2 has both nonlinear there.
//! Degrees are bounds from above. Safe error: upwards.

use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    #[default]
    Independent,
    /// Degrees of numerator and denominator.
    Fraction {
        over: u8,
        under: u8,
    },
    Nonlinear,
}

/// Beyond that degree no polynomial is told from another function. A loop that multiplies ends here.
const MOST_DEGREE: u8 = 8;

impl Class {
    pub const LINEAR: Class = Class::polynomial(1);

    pub const fn polynomial(degree: u8) -> Class {
        Class::Fraction { over: degree, under: 0 }
    }

    fn fraction(over: u8, under: u8) -> Class {
        if over > MOST_DEGREE || under > MOST_DEGREE {
            return Class::Nonlinear;
        }
        Class::Fraction { over, under }
    }

    /// Linear, or nothing at all.
    pub fn is_linear(self) -> bool {
        matches!(self, Class::Independent | Class::Fraction { over: 0 | 1, under: 0 })
    }

    pub fn is_polynomial(self) -> bool {
        matches!(self, Class::Independent | Class::Fraction { under: 0, .. })
    }

    /// The paper's meet: one or the other.
    pub fn join(self, other: Class) -> Class {
        match (self.degrees(), other.degrees()) {
            _ if self == Class::Independent => other,
            _ if other == Class::Independent => self,
            (Some((p, q)), Some((r, s))) => Class::fraction(p.max(r), q.max(s)),
            _ => Class::Nonlinear,
        }
    }

    /// `p/q + r/s = (p s + r q)/(q s)`. What depends on nothing is a constant here.
    pub fn plus(self, other: Class) -> Class {
        match (self.degrees(), other.degrees()) {
            (Some((p, q)), Some((r, s))) => Class::fraction((p + s).max(r + q), q + s),
            _ => Class::Nonlinear,
        }
    }

    pub fn times(self, other: Class) -> Class {
        match (self.degrees(), other.degrees()) {
            (Some((p, q)), Some((r, s))) => Class::fraction(p + r, q + s),
            _ => Class::Nonlinear,
        }
    }

    pub fn reciprocal(self) -> Class {
        match self.degrees() {
            Some((p, q)) => Class::fraction(q, p),
            None => Class::Nonlinear,
        }
    }

    /// `None` where there are none.
    fn degrees(self) -> Option<(u8, u8)> {
        match self {
            Class::Independent => Some((0, 0)),
            Class::Fraction { over, under } => Some((over, under)),
            Class::Nonlinear => None,
        }
    }

    /// The degree of a polynomial.
    pub fn degree(self) -> Option<u8> {
        self.degrees().filter(|(_, under)| *under == 0).map(|(over, _)| over)
    }
}

/// The paper's words, and behind them what it does not tell apart.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Class::Independent => f.pad("⊤"),
            class if class.is_linear() => f.pad("linear"),
            Class::Fraction { over, under: 0 } => f.pad(&format!("nonlinear (degree {over})")),
            Class::Fraction { over, under } => f.pad(&format!("nonlinear (rational {over}/{under})")),
            Class::Nonlinear => f.pad("nonlinear"),
        }
    }
}
