//! Functions that derivatives need and no C library has: digamma ψ(x) = d/dx log Γ(x).
//!
//! Accuracy: a few units in the last place for x > 0, the root at 1.4616… included. For x < 0 reflection keeps
//! the error within a few units of the larger of ψ(1 - x) and π cot πx; between poles, where the two cancel,
//! that is an absolute promise. Poles (0, -1, -2, …) are NaN: the two sides disagree.

use std::f64::consts::PI;

/// Digamma in double.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_digamma(x: f64) -> f64 {
    digamma(x)
}

/// Digamma in single precision, rounded once from double.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_digammaf(x: f32) -> f32 {
    digamma(f64::from(x)) as f32
}

/// ψ, the logarithmic derivative of the gamma function.
pub fn digamma(x: f64) -> f64 {
    if x > 0.0 {
        return digamma_positive(x);
    }
    // Every float at or below -2^52 is an integer, hence a pole; so is -∞, of no limit.
    let from_pole = x - x.round_ties_even();
    if from_pole == 0.0 || from_pole.is_nan() {
        return f64::NAN;
    }
    // ψ(x) = ψ(1 - x) - π cot πx; the cotangent has period 1, and from_pole is exact.
    digamma_positive(1.0 - x) - PI / (PI * from_pole).tan()
}

fn digamma_positive(x: f64) -> f64 {
    let from_root = (x - ROOT) - ROOT_REST;
    if from_root.abs() <= 0.25 {
        return ROOT_SERIES.iter().rev().fold(0.0, |sum, term| (sum + term) * from_root);
    }
    // ψ(x) = ψ(x + 1) - 1/x, up to where the asymptotic series has converged.
    let (mut shifted, mut steps) = (x, 0.0);
    while shifted < ASYMPTOTIC {
        steps += 1.0 / shifted;
        shifted += 1.0;
    }
    let square = 1.0 / (shifted * shifted);
    let tail = BERNOULLI.iter().rev().fold(0.0, |sum, term| (sum + term) * square);
    (shifted.ln() - 0.5 / shifted - tail) - steps
}

/// The positive root, as the sum of two doubles.
const ROOT: f64 = 1.461_632_144_968_362_2;
const ROOT_REST: f64 = 9.549_995_429_965_697e-17;

/// Taylor coefficients at the root: (-1)^(k+1) ζ(k + 1, root) for k = 1, 2, …
const ROOT_SERIES: [f64; 23] = [
    0.967_672_245_447_621_2,
    -0.442_763_168_983_592_1,
    0.258_499_760_955_651,
    -0.163_942_705_442_406_52,
    0.107_824_050_691_262_37,
    -0.072_199_561_256_454_71,
    0.048_804_288_164_143_11,
    -0.033_161_126_474_847_36,
    0.022_597_648_232_218_104,
    -0.015_424_765_904_948_96,
    0.010_538_791_616_612_175,
    -0.007_204_534_386_356_869,
    0.004_926_781_395_729_853,
    -0.003_369_801_655_439_328,
    0.002_305_126_326_734_928,
    -0.001_576_936_771_430_197_2,
    0.001_078_825_201_916_296_7,
    -0.000_738_070_938_996_005_2,
    0.000_504_953_265_834_602,
    -0.000_345_468_025_106_307_7,
    0.000_236_356_015_640_270_53,
    -0.000_161_706_220_919_748_03,
    0.000_110_633_727_687_474_1,
];

/// From here on seven terms of the asymptotic series leave less than 1e-16.
const ASYMPTOTIC: f64 = 10.0;

/// B(2k) / 2k.
const BERNOULLI: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];

#[cfg(test)]
mod tests {
    use super::*;

    const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

    fn assert_close(found: f64, wanted: f64, tolerance: f64) {
        assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{found:e} is not {wanted:e}");
    }

    #[test]
    fn known_values() {
        assert_close(digamma(1.0), -EULER_GAMMA, 1e-15);
        assert_close(digamma(0.5), -EULER_GAMMA - 2.0 * 2f64.ln(), 1e-15);
        assert_close(digamma(2.0), 1.0 - EULER_GAMMA, 1e-15);
        assert_close(digamma(100.0), 4.600_161_852_738_087, 1e-15);
        assert_close(digamma(-0.5), 0.036_489_973_978_576_52, 1e-13);
        assert_close(digamma(1e-300), -1e300, 1e-15);
        assert_close(digamma(-1e-300), 1e300, 1e-15);
        assert_close(digamma(1e300), 300.0 * 10f64.ln(), 1e-15);
        assert!(digamma(f64::INFINITY).is_infinite());
    }

    #[test]
    fn near_the_root_no_digit_is_lost() {
        assert_close(digamma(ROOT), ROOT_SERIES[0] * -ROOT_REST, 1e-15);
        assert_close(digamma(ROOT + 1e-8), ROOT_SERIES[0] * ((ROOT + 1e-8) - ROOT), 2e-8);
    }

    #[test]
    fn poles_are_nan() {
        for pole in [0.0, -0.0, -1.0, -2.0, -1e6, -1e17, f64::NEG_INFINITY, f64::NAN] {
            assert!(digamma(pole).is_nan(), "{pole}");
        }
    }
}
