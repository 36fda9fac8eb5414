//! Functions of two floats: value and both partials at a point.
//!
//! Singular points: hypot and atan2 at the origin and pow at x = 0 give 0 (but `pow(x, 1)` is `x`, and a negative
//! power of 0 is a pole with the IEEE limit); a tie of minimum or maximum follows the first operand; copysign at 0 gives 0, like fabs.

type Triple = [f64; 3];

pub fn hypot(x: f64, y: f64) -> Triple {
    let h = x.hypot(y);
    let toward = |part: f64| match (h == 0.0, h.is_infinite()) {
        (true, _) => 0.0,
        (_, true) => {
            if part.is_infinite() {
                part.signum()
            } else {
                0.0
            }
        }
        (false, false) => part / h,
    };
    [h, toward(x), toward(y)]
}

pub fn atan2(y: f64, x: f64) -> Triple {
    let h = x.hypot(y);
    if h == 0.0 || h.is_infinite() {
        return [y.atan2(x), 0.0, 0.0];
    }
    [y.atan2(x), x / h / h, -(y / h / h)]
}

pub fn pow(x: f64, y: f64) -> Triple {
    let value = x.powf(y);
    if x == 0.0 {
        return if y < 0.0 {
            [value, y * x.powf(y - 1.0), value * x.abs().ln()]
        } else {
            [value, if y == 1.0 { 1.0 } else { 0.0 }, 0.0]
        };
    }
    // Of a negative base only whole powers exist, so there is no slope in the exponent.
    [value, power_slope(x, y, value), value * x.ln()]
}

/// `y·xʸ/x`, or the product of two halves where `xʸ` leaves the range.
fn power_slope(x: f64, y: f64, value: f64) -> f64 {
    let slope = y * (value / x);
    if slope.is_finite() && value.abs() > f64::MIN_POSITIVE { slope } else { y * x.powf(y - 1.0) }
}

fn first(value: f64) -> Triple {
    [value, 1.0, 0.0]
}

fn second(value: f64) -> Triple {
    [value, 0.0, 1.0]
}

/// NaN loses against a number.
pub fn fmax(x: f64, y: f64) -> Triple {
    if y > x || x.is_nan() { second(y) } else { first(x.max(y)) }
}

pub fn fmin(x: f64, y: f64) -> Triple {
    if y < x || x.is_nan() { second(y) } else { first(x.min(y)) }
}

/// NaN wins against a number, and +0 against -0.
pub fn maximum(x: f64, y: f64) -> Triple {
    if x.is_nan() || y.is_nan() {
        return if x.is_nan() { first(x) } else { second(y) };
    }
    let tie = if x.is_sign_positive() { x } else { y };
    if y > x { second(y) } else { first(if x == y { tie } else { x }) }
}

pub fn minimum(x: f64, y: f64) -> Triple {
    if x.is_nan() || y.is_nan() {
        return if x.is_nan() { first(x) } else { second(y) };
    }
    let tie = if x.is_sign_negative() { x } else { y };
    if y < x { second(y) } else { first(if x == y { tie } else { x }) }
}

pub fn maximumnum(x: f64, y: f64) -> Triple {
    if x.is_nan() || y.is_nan() { fmax(x, y) } else { maximum(x, y) }
}

pub fn minimumnum(x: f64, y: f64) -> Triple {
    if x.is_nan() || y.is_nan() { fmin(x, y) } else { minimum(x, y) }
}

pub fn fdim(x: f64, y: f64) -> Triple {
    if x.is_nan() || y.is_nan() {
        return [f64::NAN; 3];
    }
    if x > y { [x - y, 1.0, -1.0] } else { [0.0; 3] }
}

pub fn fmod(x: f64, y: f64) -> Triple {
    let rest = libm::fmod(x, y);
    [rest, 1.0, -((x - rest) / y).round()]
}

pub fn remainder(x: f64, y: f64) -> Triple {
    let rest = libm::remainder(x, y);
    [rest, 1.0, -((x - rest) / y).round()]
}

pub fn copysign(x: f64, y: f64) -> Triple {
    let value = x.copysign(y);
    let same = x.is_sign_negative() == y.is_sign_negative();
    let slope = if x == 0.0 {
        0.0
    } else if same {
        1.0
    } else {
        -1.0
    };
    [value, slope, 0.0]
}

/// A step of one unit in the last place moves along with `x`.
pub fn nextafter(x: f64, y: f64) -> Triple {
    first(libm::nextafter(x, y))
}
