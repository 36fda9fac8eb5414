//! What a single test may answer.

use std::fmt;

use super::direction::Directions;

/// The tests, cheapest first: of several that took part, the last in this order settled the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    Ziv,
    StrongSiv,
    WeakZeroSiv,
    WeakCrossingSiv,
    ExactSiv,
    Rdiv,
    Gcd,
    Banerjee,
    Delta,
    Omega,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The subscript can never meet.
    Independent(Test),
    /// What it leaves of some levels.
    Limits(Test, Vec<Limit>),
    /// The test says nothing.
    Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub level: usize,
    pub directions: Directions,
    pub distance: Option<i128>,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Test::Ziv => "ZIV",
            Test::StrongSiv => "strong SIV",
            Test::WeakZeroSiv => "weak-zero SIV",
            Test::WeakCrossingSiv => "weak-crossing SIV",
            Test::ExactSiv => "exact SIV",
            Test::Rdiv => "RDIV",
            Test::Gcd => "GCD",
            Test::Banerjee => "Banerjee",
            Test::Delta => "Delta",
            Test::Omega => "Omega",
        })
    }
}
