//! What a processor computes at once, as far as prices of tangents ask for it.
//!
//! Read from the attributes that compilers give a function for its code generator. Nothing but prices depends on it.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Doubles in a vector.
    pub lanes: u64,
    /// Whether a product and a sum are one instruction.
    pub fuses: bool,
}

/// Of a function that says nothing.
const PLAIN: Machine = Machine { lanes: 2, fuses: false };

impl Machine {
    /// Of a function with these attributes.
    pub fn of(attributes: &[String]) -> Machine {
        let features = attributes.iter().find_map(|text| text.strip_prefix("\"target-features\"="));
        let Some(features) = features else { return PLAIN };
        let has = |name: &str| {
            features.trim_matches('"').split(',').any(|feature| feature.strip_prefix('+') == Some(name))
        };
        // Compilers take vectors of four on processors that have eight as well.
        Machine { lanes: if has("avx") { 4 } else { PLAIN.lanes }, fuses: has("fma") || has("neon") }
    }

    /// Instructions for one operation on so many numbers that stand abreast.
    pub fn instructions(self, numbers: u64) -> u64 {
        numbers.div_ceil(self.lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(features: &str) -> Machine {
        Machine::of(&[format!("\"target-features\"=\"{features}\"")])
    }

    #[test]
    fn features_tell_the_lanes() {
        assert_eq!(Machine::of(&[]), PLAIN);
        assert_eq!(with("+cx8,+sse2,-avx,-fma"), PLAIN);
        assert_eq!(with("+avx,+avx2,+fma"), Machine { lanes: 4, fuses: true });
        assert_eq!(with("+fp-armv8,+neon"), Machine { lanes: 2, fuses: true });
    }

    #[test]
    fn numbers_that_do_not_fill_a_vector_take_one() {
        assert_eq!(with("+avx").instructions(5), 2);
        assert_eq!(PLAIN.instructions(5), 3);
    }
}
