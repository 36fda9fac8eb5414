//! Does divisibility alone keep a subscript from meeting?
//!
//! `Σ a_k x_k` is a multiple of `g = gcd(a_k)`: independent where the window holds no multiple of `g`. Within one
//! iteration of a level source and sink have one counter, so its two factors count as their sum; that is left to the
//! Omega test. Bounds are ignored. Safe error: it can meet.

use super::problem::Subscript;
use super::verdict::{Test, Verdict};

pub fn test_gcd(subscript: &Subscript) -> Verdict {
    if subscript.clone().normalised().is_void() { Verdict::Independent(Test::Gcd) } else { Verdict::Open }
}
