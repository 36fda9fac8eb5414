//! A float with its derivatives in several directions at once.
//!
//! Invariant: a tangent of zero stays zero whatever it is multiplied by (`0·inf = 0`): a path that
//! carries no derivative never makes a NaN.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use backsweep_core::model::FloatKind;

use crate::format::round;

/// How many directions one run carries.
pub const LANES: usize = 4;

/// The derivative in each direction.
pub type Tangent = [f64; LANES];

pub const NO_TANGENT: Tangent = [0.0; LANES];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    pub kind: FloatKind,
    /// Exact for kinds up to double; x87, quad and pairs of doubles are computed as double.
    pub primal: f64,
    pub tangent: Tangent,
}

impl Dual {
    /// The value rounded to the kind.
    pub fn new(kind: FloatKind, primal: f64, tangent: Tangent) -> Dual {
        Dual { kind, primal: round(kind, primal), tangent }
    }

    pub fn constant(kind: FloatKind, primal: f64) -> Dual {
        Dual::new(kind, primal, NO_TANGENT)
    }

    /// `y = f(x)` given `y` and `dy/dx`.
    pub fn chain(self, value: f64, slope: f64) -> Dual {
        Dual::new(self.kind, value, scale(&self.tangent, slope))
    }

    /// `z = f(x, y)` given `z` and both partials; the kind is that of `self`.
    pub fn chain2(self, other: Dual, value: f64, slopes: [f64; 2]) -> Dual {
        let tangent = sum(&scale(&self.tangent, slopes[0]), &scale(&other.tangent, slopes[1]));
        Dual::new(self.kind, value, tangent)
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual::new(self.kind, self.primal + other.primal, sum(&self.tangent, &other.tangent))
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, other: Dual) -> Dual {
        let tangent = sum(&self.tangent, &other.tangent.map(|t| -t));
        Dual::new(self.kind, self.primal - other.primal, tangent)
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        self.chain2(other, self.primal * other.primal, [other.primal, self.primal])
    }
}

impl Div for Dual {
    type Output = Dual;
    fn div(self, other: Dual) -> Dual {
        let quotient = self.primal / other.primal;
        let from_other = scale(&other.tangent, -(quotient / other.primal));
        let own = self.tangent.map(|t| if t == 0.0 { 0.0 } else { t / other.primal });
        Dual::new(self.kind, quotient, sum(&own, &from_other))
    }
}

impl Rem for Dual {
    type Output = Dual;
    /// The rest with the sign of the dividend: the dividend less a whole number of divisors.
    fn rem(self, other: Dual) -> Dual {
        let rest = self.primal % other.primal;
        let whole = ((self.primal - rest) / other.primal).round();
        self.chain2(other, rest, [1.0, -whole])
    }
}

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        Dual { kind: self.kind, primal: -self.primal, tangent: self.tangent.map(|t| -t) }
    }
}

/// A tangent times a slope, where zero stays zero.
pub fn scale(tangent: &Tangent, slope: f64) -> Tangent {
    tangent.map(|t| if t == 0.0 { 0.0 } else { t * slope })
}

pub fn sum(a: &Tangent, b: &Tangent) -> Tangent {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

/// The tangent that is one in direction `lane`.
pub fn direction(lane: usize) -> Tangent {
    let mut tangent = NO_TANGENT;
    tangent[lane] = 1.0;
    tangent
}
