// Generic numbers with operators: a dual number inside a function that is itself differentiated.
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#![no_main]

use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy)]
struct Dual {
    value: f64,
    slope: f64,
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual { value: self.value + other.value, slope: self.slope + other.slope }
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, other: Dual) -> Dual {
        Dual { value: self.value - other.value, slope: self.slope - other.slope }
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        Dual { value: self.value * other.value, slope: self.value * other.slope + self.slope * other.value }
    }
}

trait Elementary {
    fn exponential(self) -> Self;
}

impl Elementary for Dual {
    fn exponential(self) -> Dual {
        let e = self.value.exp();
        Dual { value: e, slope: e * self.slope }
    }
}

fn equation<T>(u: T, a: T, b: T) -> T
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Elementary,
{
    a * u.exponential() + u * u - b * b
}

fn f(x: &[f64]) -> f64 {
    let constant = |value| Dual { value, slope: 0.0 };
    let mut root = 0.5 * x[2];
    for _ in 0..4 {
        let at = equation(Dual { value: root, slope: 1.0 }, constant(x[0]), constant(x[1]));
        root -= at.value / at.slope;
    }
    root * x[3] + root.powi(3)
}

include!("../Inputs/requests.rs");
