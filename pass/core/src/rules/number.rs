//! Numbers of the rules as constants of any float format, without the help of LLVM's APFloat.

use crate::model::{Constant, FloatKind};

/// A constant written by name because a double does not hold enough digits of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedConstant {
    Pi,
    Ln2,
    Ln10,
    /// 2/√π, the slope of erf at 0.
    TwoOverSqrtPi,
}

impl NamedConstant {
    pub const ALL: [(NamedConstant, &str); 4] = [
        (NamedConstant::Pi, "pi"),
        (NamedConstant::Ln2, "ln2"),
        (NamedConstant::Ln10, "ln10"),
        (NamedConstant::TwoOverSqrtPi, "two_over_sqrt_pi"),
    ];

    pub fn value(self) -> f64 {
        match self {
            NamedConstant::Pi => std::f64::consts::PI,
            NamedConstant::Ln2 => std::f64::consts::LN_2,
            NamedConstant::Ln10 => std::f64::consts::LN_10,
            NamedConstant::TwoOverSqrtPi => std::f64::consts::FRAC_2_SQRT_PI,
        }
    }

    /// The constant rounded to nearest in that format.
    pub fn constant(self, kind: FloatKind) -> Constant {
        let [x87, quad, pair] = self.wide_bits();
        match kind {
            FloatKind::X87 => Constant::Float { kind, bits: x87 },
            FloatKind::Quad => Constant::Float { kind, bits: quad },
            FloatKind::DoubleDouble => Constant::Float { kind, bits: pair },
            FloatKind::Half | FloatKind::BFloat | FloatKind::Single | FloatKind::Double => {
                float_constant(kind, self.value())
            }
        }
    }

    /// Bit patterns beyond double: x87, IEEE quad, pair of doubles (high part in the low word).
    fn wide_bits(self) -> [u128; 3] {
        match self {
            NamedConstant::Pi => [
                0x4000_c90f_daa2_2168_c235,
                0x4000_921f_b544_42d1_8469_898c_c517_01b8,
                0x3ca1_a626_3314_5c07_4009_21fb_5444_2d18,
            ],
            NamedConstant::Ln2 => [
                0x3ffe_b172_17f7_d1cf_79ac,
                0x3ffe_62e4_2fef_a39e_f357_93c7_6730_07e6,
                0x3c7a_bc9e_3b39_803f_3fe6_2e42_fefa_39ef,
            ],
            NamedConstant::Ln10 => [
                0x4000_935d_8ddd_aaa8_ac17,
                0x4000_26bb_1bbb_5551_582d_d4ad_ac57_05a6,
                0xbcaf_48ad_494e_a3e9_4002_6bb1_bbb5_5516,
            ],
            NamedConstant::TwoOverSqrtPi => [
                0x3fff_906e_ba82_14db_688d,
                0x3fff_20dd_7504_29b6_d11a_e3a9_14fe_d7fe,
                0x3c71_ae3a_914f_ed80_3ff2_0dd7_5042_9b6d,
            ],
        }
    }
}

/// A finite double as a constant of that format, rounded to nearest even where the format is narrower.
/// Wider formats hold it exactly.
pub fn float_constant(kind: FloatKind, value: f64) -> Constant {
    let bits = match kind {
        FloatKind::Double | FloatKind::DoubleDouble => u128::from(value.to_bits()),
        FloatKind::Single => u128::from((value as f32).to_bits()),
        FloatKind::Half => encode(value, Format { exponent: 5, fraction: 10, explicit_one: false }),
        FloatKind::BFloat => encode(value, Format { exponent: 8, fraction: 7, explicit_one: false }),
        FloatKind::X87 => encode(value, Format { exponent: 15, fraction: 63, explicit_one: true }),
        FloatKind::Quad => encode(value, Format { exponent: 15, fraction: 112, explicit_one: false }),
    };
    Constant::Float { kind, bits }
}

/// A binary format: bits of exponent, bits of fraction, and whether the leading one is stored as x87 does.
struct Format {
    exponent: u32,
    fraction: u32,
    explicit_one: bool,
}

fn encode(value: f64, format: Format) -> u128 {
    assert!(value.is_finite(), "rules hold finite numbers only");
    let stored = format.fraction + u32::from(format.explicit_one);
    let sign = u128::from(value.is_sign_negative()) << (stored + format.exponent);
    if value == 0.0 {
        return sign;
    }
    let bias = (1i64 << (format.exponent - 1)) - 1;
    let (mantissa, exponent) = decompose(value.abs());
    // Below the smallest normal number the spacing stays that of the smallest normal number.
    let scale = (exponent + 52).max(1 - bias);
    let shift = i64::from(format.fraction) - (scale - exponent);
    let rounded = shift_rounding(mantissa, shift);
    let one = 1u128 << format.fraction;
    let (fraction, scale) = if rounded >= one << 1 { (rounded >> 1, scale + 1) } else { (rounded, scale) };
    let biased = if fraction < one { 0 } else { scale + bias };
    let infinite = (1i64 << format.exponent) - 1;
    if biased >= infinite {
        let lead = if format.explicit_one { one } else { 0 };
        return sign | (infinite as u128) << stored | lead;
    }
    let kept = if format.explicit_one { fraction } else { fraction & (one - 1) };
    sign | (biased as u128) << stored | kept
}

/// The 53-bit integer and power of two whose product is the positive value, normalised.
fn decompose(value: f64) -> (u128, i64) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    if field > 0 {
        return (u128::from(fraction | 1 << 52), field - 1075);
    }
    let lead = fraction.leading_zeros() as i64 - 11;
    (u128::from(fraction << lead), -1074 - lead)
}

fn shift_rounding(mantissa: u128, shift: i64) -> u128 {
    if shift >= 0 {
        return mantissa << shift;
    }
    let right = -shift as u32;
    if right > 120 {
        return 0;
    }
    let (whole, rest, half) = (mantissa >> right, mantissa & ((1 << right) - 1), 1u128 << (right - 1));
    let up = rest > half || (rest == half && whole & 1 == 1);
    whole + u128::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(kind: FloatKind, value: f64) -> u128 {
        let Constant::Float { bits, .. } = float_constant(kind, value) else { unreachable!() };
        bits
    }

    #[test]
    fn known_patterns() {
        assert_eq!(bits(FloatKind::Half, 1.0), 0x3c00);
        assert_eq!(bits(FloatKind::Half, -2.0), 0xc000);
        assert_eq!(bits(FloatKind::Half, 65520.0), 0x7c00);
        assert_eq!(bits(FloatKind::Half, 5.960_464_477_539_063e-8), 1);
        assert_eq!(bits(FloatKind::Half, 6.097_555_160_522_461e-5), 0x3ff);
        assert_eq!(bits(FloatKind::BFloat, 3.0), 0x4040);
        assert_eq!(bits(FloatKind::X87, 1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(bits(FloatKind::X87, 0.5), 0x3ffe_8000_0000_0000_0000);
        assert_eq!(bits(FloatKind::Quad, 1.0), 0x3fff << 112);
        assert_eq!(bits(FloatKind::Quad, -0.75), 0xbffe8 << 108);
        assert_eq!(bits(FloatKind::Quad, 5e-324), (0x3fff - 1074) << 112);
        assert_eq!(bits(FloatKind::Single, 0.1), u128::from(0.1f32.to_bits()));
    }

    /// Single and double have hardware to compare with: the encoder must agree on both sides of rounding.
    #[test]
    fn encoder_agrees_with_hardware() {
        let single = || Format { exponent: 8, fraction: 23, explicit_one: false };
        let double = || Format { exponent: 11, fraction: 52, explicit_one: false };
        let mut value = 1.1e-50;
        while value < 1e50 {
            assert_eq!(encode(value, single()), u128::from((value as f32).to_bits()), "{value}");
            assert_eq!(encode(-value, double()), u128::from((-value).to_bits()), "{value}");
            value *= 1.7;
        }
        assert_eq!(encode(3e-320, double()), u128::from(3e-320f64.to_bits()));
    }
}
