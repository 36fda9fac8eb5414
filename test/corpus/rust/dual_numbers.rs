//! Generic numerics: one algorithm over f64, f32 and a number type of its own, with const generics and u128.

use std::ops::{Add, Div, Mul, Sub};

trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + From<f32> {}
impl Real for f64 {}
impl Real for f32 {}
impl Real for Interval {}

#[derive(Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
}

impl From<f32> for Interval {
    fn from(v: f32) -> Interval {
        Interval { low: v.into(), high: v.into() }
    }
}

macro_rules! interval_operator {
    ($($name:ident $method:ident $op:tt),*) => {$(
        impl $name for Interval {
            type Output = Interval;
            fn $method(self, y: Interval) -> Interval {
                let all = [self.low $op y.low, self.low $op y.high, self.high $op y.low, self.high $op y.high];
                Interval { low: all.into_iter().fold(all[0], f64::min), high: all.into_iter().fold(all[0], f64::max) }
            }
        }
    )*};
}
interval_operator!(Add add +, Sub sub -, Mul mul *, Div div /);

fn horner<T: Real, const N: usize>(coefficients: [T; N], at: T) -> T {
    coefficients.into_iter().rev().fold(T::from(0.0), |sum, c| sum * at + c)
}

fn newton<T: Real>(mut z: T, target: T) -> T {
    for _ in 0..5 {
        z = z - (z * z - target) / (z * T::from(2.0));
    }
    z
}

fn mix(seed: u64) -> u64 {
    let product = u128::from(seed.wrapping_add(0x9e37)) * 0xda94_2042_e4dd_58b5;
    (product >> 64) as u64 ^ product as u64
}

/// # Safety
/// `x` points to `n` readable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn f(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let wide = Interval { low: 2.0 + x[0], high: 2.5 + x[1] * x[1] };
    let root = newton(wide, Interval { low: 3.0, high: 3.0 + x[2] });
    let weight = (mix(n as u64) % 7) as f64;
    horner([x[0], x[1], x[2], 1.0], x[3]) + root.high - root.low + weight * x[0]
        + f64::from(newton(1.5_f32, x[3] as f32)) * 0.1
        + horner([x[1] as f32, 0.5], 0.25) as f64
}

fn main() {
    let x = [0.5, -0.25, 0.75, 1.25];
    println!("{:.6}", unsafe { f(x.as_ptr(), 4) });
}
