//! The numbers that these functions are about.

use core::ops::{Add, Div, Mul, Neg, Sub};

pub trait Number:
    Copy
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    /// Squares between these lose nothing.
    const SMALL: Self;
    const LARGE: Self;
    fn square_root(self) -> Self;
    fn magnitude(self) -> Self;
}

unsafe extern "C" {
    safe fn sqrt(x: f64) -> f64;
    safe fn sqrtf(x: f32) -> f32;
    safe fn fabs(x: f64) -> f64;
    safe fn fabsf(x: f32) -> f32;
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const SMALL: f64 = 1e-280;
    const LARGE: f64 = 1e300;
    fn square_root(self) -> f64 {
        sqrt(self)
    }
    fn magnitude(self) -> f64 {
        fabs(self)
    }
}

impl Number for f32 {
    const ZERO: f32 = 0.0;
    const SMALL: f32 = 1e-28;
    const LARGE: f32 = 1e36;
    fn square_root(self) -> f32 {
        sqrtf(self)
    }
    fn magnitude(self) -> f32 {
        fabsf(self)
    }
}
