//! What a straight-line program costs.

use std::fmt;
use std::ops::{Add, AddAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// Products that are not added to anything on the spot.
    pub multiplications: u64,
    /// Products added to a label as they are made: one instruction where the machine has it.
    pub fused: u64,
    pub additions: u64,
    pub divisions: u64,
    /// Calls of mathematical functions.
    pub calls: u64,
    /// Comparisons and choices: conditions inside partials, and factors of zero that must stay zero.
    pub guards: u64,
    /// Operands that are no longer in a register, and have to be read from memory.
    pub traffic: u64,
}

impl Cost {
    /// Multiplications in the sense of the literature, fused ones included.
    pub fn products(self) -> u64 {
        self.multiplications + self.fused
    }

    /// Time in units of one multiplication. Only used to choose between programs for the same thing.
    pub fn weight(self) -> u64 {
        self.products()
            + self.additions
            + self.guards
            + self.traffic
            + self.divisions * DIVISION
            + self.calls * CALL
    }
}

/// A division takes about as long as this many multiplications.
const DIVISION: u64 = 4;

/// A call of sin or exp takes about as long as this many multiplications.
const CALL: u64 = 20;

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            multiplications: self.multiplications + other.multiplications,
            fused: self.fused + other.fused,
            additions: self.additions + other.additions,
            divisions: self.divisions + other.divisions,
            calls: self.calls + other.calls,
            guards: self.guards + other.guards,
            traffic: self.traffic + other.traffic,
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = [
            (self.multiplications, "multiplications"),
            (self.fused, "multiply-adds"),
            (self.additions, "additions"),
            (self.divisions, "divisions"),
            (self.calls, "calls"),
            (self.guards, "guards"),
            (self.traffic, "reloads"),
        ];
        let named = figures.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = named.map(|(count, name)| format!("{count} {name}")).collect();
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}
