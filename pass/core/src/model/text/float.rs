//! Float constants in decimal, exactly when decimal gives the same bits back.

use crate::model::FloatKind;

/// `-2.2250738585072014e-308` has this many characters; longer ones read no better than bits.
const LONGEST_DECIMAL: usize = 24;

/// The decimal form of a bit pattern, or `None` where only the pattern itself is exact.
pub fn to_decimal(kind: FloatKind, bits: u128) -> Option<String> {
    let text = match kind {
        FloatKind::Single => format!("{:?}", f32::from_bits(u32::try_from(bits).ok()?)),
        FloatKind::Double => format!("{:?}", f64::from_bits(u64::try_from(bits).ok()?)),
        FloatKind::Half => exact_decimal(narrow(bits, 5, 10)?),
        FloatKind::BFloat => exact_decimal(narrow(bits, 8, 7)?),
        FloatKind::X87 => exact_decimal(narrow(without_integer_bit(bits)?, 15, 63)?),
        FloatKind::Quad => exact_decimal(narrow(bits, 15, 112)?),
        FloatKind::DoubleDouble => return None,
    };
    let readable = text.len() <= LONGEST_DECIMAL;
    (readable && from_decimal(kind, &text) == Some(bits)).then_some(text)
}

/// The bit pattern of a decimal number, or `None` where it is none or its kind cannot hold it exactly. Single and
/// double round to nearest instead, as every compiler does.
pub fn from_decimal(kind: FloatKind, text: &str) -> Option<u128> {
    if !text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    match kind {
        FloatKind::Single => text.parse().ok().map(|value: f32| u128::from(value.to_bits())),
        FloatKind::Double => Some(u128::from(value.to_bits())),
        _ if exact_decimal(value).parse() != Ok(value) || !is_exact(text, value) => None,
        FloatKind::Half => widen(value, 5, 10),
        FloatKind::BFloat => widen(value, 8, 7),
        FloatKind::X87 => widen(value, 15, 63).map(with_integer_bit),
        FloatKind::Quad => widen(value, 15, 112),
        FloatKind::DoubleDouble => None,
    }
}

/// All digits of a value, without exponent.
fn exact_decimal(value: f64) -> String {
    // 40 places hold every value that is short enough to be worth writing; the others fail `is_exact`.
    let text = format!("{value:.40}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_string() }
}

/// Whether the decimal text is the very value, not merely nearest to it.
fn is_exact(text: &str, value: f64) -> bool {
    let exact = exact_decimal(value);
    let written = if text.contains('.') { text.trim_end_matches('0') } else { text };
    written.trim_end_matches('.') == exact.trim_end_matches('0').trim_end_matches('.')
}

/// A normal number or zero of the IEEE format with these widths as a double of the same value.
fn narrow(bits: u128, exponent_bits: u32, fraction_bits: u32) -> Option<f64> {
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    let sign = (bits >> (fraction_bits + exponent_bits)) as u64 & 1;
    if exponent == 0 && fraction == 0 {
        return Some(f64::from_bits(sign << 63));
    }
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let rebased = exponent as i64 - bias + 1023;
    let infinite = exponent == (1 << exponent_bits) - 1;
    if exponent == 0 || infinite || !(1..=2046).contains(&rebased) {
        return None;
    }
    let fraction = if fraction_bits <= 52 {
        fraction << (52 - fraction_bits)
    } else {
        let dropped = fraction_bits - 52;
        (fraction & ((1 << dropped) - 1) == 0).then_some(fraction >> dropped)?
    };
    Some(f64::from_bits(sign << 63 | (rebased as u64) << 52 | fraction as u64))
}

/// The inverse of `narrow`.
fn widen(value: f64, exponent_bits: u32, fraction_bits: u32) -> Option<u128> {
    let bits = u128::from(value.to_bits());
    let (sign, fraction) = (bits >> 63, bits & ((1 << 52) - 1));
    let exponent = (bits >> 52) as i64 & 0x7ff;
    let sign = sign << (exponent_bits + fraction_bits);
    if value == 0.0 {
        return Some(sign);
    }
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let rebased = exponent - 1023 + bias;
    if exponent == 0 || exponent == 0x7ff || rebased < 1 || rebased >= (1 << exponent_bits) - 1 {
        return None;
    }
    let fraction = if fraction_bits >= 52 {
        fraction << (fraction_bits - 52)
    } else {
        let dropped = 52 - fraction_bits;
        (fraction & ((1 << dropped) - 1) == 0).then_some(fraction >> dropped)?
    };
    Some(sign | (rebased as u128) << fraction_bits | fraction)
}

/// x87 writes the leading one of its significand down; other formats do not.
fn without_integer_bit(bits: u128) -> Option<u128> {
    let (high, low) = (bits >> 64, bits & ((1 << 63) - 1));
    let stated = bits >> 63 & 1 == 1;
    (stated == (high & 0x7fff != 0)).then_some(high << 63 | low)
}

fn with_integer_bit(bits: u128) -> u128 {
    let (high, low) = (bits >> 63, bits & ((1 << 63) - 1));
    let stated = u128::from(high & 0x7fff != 0);
    high << 64 | stated << 63 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit patterns as the standards and LLVM write them.
    const KNOWN: &[(FloatKind, &str, u128)] = &[
        (FloatKind::Half, "1.0", 0x3c00),
        (FloatKind::Half, "-2.25", 0xc080),
        (FloatKind::Half, "65504.0", 0x7bff),
        (FloatKind::BFloat, "1.0", 0x3f80),
        (FloatKind::BFloat, "3.140625", 0x4049),
        (FloatKind::Single, "0.1", 0x3dcc_cccd),
        (FloatKind::Single, "1e-45", 1),
        (FloatKind::Double, "0.1", 0x3fb9_9999_9999_999a),
        (FloatKind::Double, "-0.0", 1 << 63),
        (FloatKind::X87, "1.0", 0x3fff_8000_0000_0000_0000),
        (FloatKind::X87, "-2.5", 0xc000_a000_0000_0000_0000),
        (FloatKind::X87, "0.0", 0),
        (FloatKind::Quad, "1.0", 0x3fff << 112),
        (FloatKind::Quad, "-2.25", 0xc0002 << 108),
    ];

    #[test]
    fn known_numbers_have_their_known_bits() {
        for (kind, text, bits) in KNOWN {
            assert_eq!(to_decimal(*kind, *bits).as_deref(), Some(*text), "{kind}");
            assert_eq!(from_decimal(*kind, text), Some(*bits), "{kind} {text}");
        }
    }

    #[test]
    fn what_decimal_would_falsify_stays_bits() {
        let x87_third = 0x3ffd_aaaa_aaaa_aaaa_aaab;
        // A double's 0.1 is not the long double 0.1, though its shortest decimal says so.
        let tenth = widen(0.1, 15, 63).map(with_integer_bit);
        assert_eq!(to_decimal(FloatKind::X87, x87_third), None);
        assert_eq!(to_decimal(FloatKind::X87, tenth.unwrap_or_default()), None);
        // An unnormal: the integer bit is missing.
        assert_eq!(to_decimal(FloatKind::X87, 0x3fff_0000_0000_0000_0000), None);
        assert_eq!(to_decimal(FloatKind::Double, f64::NAN.to_bits().into()), None);
        assert_eq!(to_decimal(FloatKind::Half, 0x7c00), None);
        assert_eq!(to_decimal(FloatKind::DoubleDouble, 0), None);
        assert_eq!(from_decimal(FloatKind::Half, "0.1"), None);
        assert_eq!(from_decimal(FloatKind::Half, "65536.0"), None);
        assert_eq!(from_decimal(FloatKind::X87, "0.1"), None);
        assert_eq!(from_decimal(FloatKind::Double, "inf"), None);
    }
}
