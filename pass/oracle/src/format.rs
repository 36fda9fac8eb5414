//! Float formats: rounding to a kind, and bits to value and back.
//!
//! Invariant: a value of kind half, bfloat or float is always one that its format can hold; x87 and quad
//! values are those that a double can hold.

use backsweep_core::model::FloatKind;

/// An IEEE format by its field widths; `explicit` is the visible leading bit of x87.
struct Format {
    exponent: u32,
    fraction: u32,
    explicit: bool,
}

fn format_of(kind: FloatKind) -> Format {
    let (exponent, fraction) = match kind {
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::Single => (8, 23),
        FloatKind::Double | FloatKind::DoubleDouble => (11, 52),
        FloatKind::X87 => (15, 63),
        FloatKind::Quad => (15, 112),
    };
    Format { exponent, fraction, explicit: kind == FloatKind::X87 }
}

/// The nearest value that the kind can hold, ties to even.
#[inline]
pub fn round(kind: FloatKind, x: f64) -> f64 {
    match kind {
        FloatKind::Single => f64::from(x as f32),
        FloatKind::Half | FloatKind::BFloat => round_small(&format_of(kind), x),
        FloatKind::Double | FloatKind::X87 | FloatKind::Quad | FloatKind::DoubleDouble => x,
    }
}

fn round_small(format: &Format, x: f64) -> f64 {
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let bias = (1i32 << (format.exponent - 1)) - 1;
    let exponent = libm::ilogb(x).max(1 - bias);
    let quantum = libm::ldexp(1.0, exponent - format.fraction as i32);
    let rounded = (x / quantum).round_ties_even() * quantum;
    if libm::ilogb(rounded) > bias && rounded != 0.0 { f64::INFINITY.copysign(x) } else { rounded }
}

/// The bits of a value in the format's own width.
pub fn to_bits(kind: FloatKind, x: f64) -> u128 {
    match kind {
        FloatKind::Single => u128::from((x as f32).to_bits()),
        FloatKind::Double | FloatKind::DoubleDouble => u128::from(x.to_bits()),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => pack(&format_of(kind), x),
    }
}

fn pack(format: &Format, x: f64) -> u128 {
    let width = format.fraction + u32::from(format.explicit);
    let sign = u128::from(x.is_sign_negative()) << (width + format.exponent);
    let top = (1u128 << format.exponent) - 1;
    let leading = if format.explicit { 1u128 << format.fraction } else { 0 };
    if x.is_nan() {
        return sign | top << width | leading | 1 << (format.fraction - 1);
    }
    if x.is_infinite() {
        return sign | top << width | leading;
    }
    if x == 0.0 {
        return sign;
    }
    let bias = (1i32 << (format.exponent - 1)) - 1;
    let exponent = libm::ilogb(x).max(1 - bias);
    // Exact: a rounded value is a whole number of units in the last place of a double or of its own format.
    let keep = format.fraction.min(60);
    let significand = libm::ldexp(x.abs(), keep as i32 - exponent) as u128;
    let significand = significand << (format.fraction - keep);
    if significand >> format.fraction == 0 {
        return sign | significand;
    }
    let fraction = significand & ((1u128 << format.fraction) - 1);
    sign | ((exponent + bias) as u128) << width | leading | fraction
}

/// The value of bits in the format's own width.
pub fn from_bits(kind: FloatKind, bits: u128) -> f64 {
    match kind {
        FloatKind::Single => f64::from(f32::from_bits(bits as u32)),
        FloatKind::Double | FloatKind::DoubleDouble => f64::from_bits(bits as u64),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => {
            unpack(&format_of(kind), bits)
        }
    }
}

fn unpack(format: &Format, bits: u128) -> f64 {
    let width = format.fraction + u32::from(format.explicit);
    let top = (1u128 << format.exponent) - 1;
    let exponent = bits >> width & top;
    let fraction = bits & ((1u128 << format.fraction) - 1);
    let sign = if bits >> (width + format.exponent) & 1 == 1 { -1.0 } else { 1.0 };
    if exponent == top {
        return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN };
    }
    let leading = if exponent == 0 { 0 } else { 1u128 << format.fraction };
    let bias = (1i32 << (format.exponent - 1)) - 1;
    let power = (exponent.max(1) as i32) - bias - format.fraction as i32;
    sign * libm::ldexp((leading | fraction) as f64, power)
}

/// Bytes that a load or store of the kind touches.
pub fn store_bytes(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 2,
        FloatKind::Single => 4,
        FloatKind::Double => 8,
        FloatKind::X87 => 10,
        FloatKind::Quad | FloatKind::DoubleDouble => 16,
    }
}
