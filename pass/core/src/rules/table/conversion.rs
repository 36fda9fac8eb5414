//! Between float formats, and operations that hand a float through.

use crate::rules::row::Entry;
use crate::rules::row::write::unary;

const A: &[f64] = &[-1e5, -0.75, 0.0, 0.5, 3.0];

pub const ROWS: &[Entry] = &[
    unary("fpext", "y = x in a wider format", &["convert(d)"]).at(&[A]),
    unary("fptrunc", "y = x rounded to a narrower format, taken as exact", &["convert(d)"]).at(&[A]),
    unary("canonicalize", "y = x", &["d"]).at(&[A]),
    unary("arithmetic_fence", "y = x", &["d"]).at(&[A]),
];
