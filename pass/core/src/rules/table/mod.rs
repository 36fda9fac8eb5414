//! The tables, one topic a file.

mod arithmetic;
mod bessel;
mod complex;
mod complex_trigonometric;
mod conversion;
mod exponential;
mod fortran;
mod hyperbolic;
mod magnitude;
mod remainder;
mod roots;
mod rounding;
mod scaling;
mod special;
mod trigonometric;

use super::row::Entry;

/// Every table under its heading, in the order of the documentation.
pub const TABLES: [(&str, &[Entry]); 15] = [
    ("Arithmetic", arithmetic::ROWS),
    ("Conversion", conversion::ROWS),
    ("Magnitude", magnitude::ROWS),
    ("Roots", roots::ROWS),
    ("Exponential", exponential::ROWS),
    ("Trigonometric", trigonometric::ROWS),
    ("Hyperbolic", hyperbolic::ROWS),
    ("Rounding", rounding::ROWS),
    ("Remainder", remainder::ROWS),
    ("Scaling", scaling::ROWS),
    ("Special", special::ROWS),
    ("Bessel", bessel::ROWS),
    ("Fortran", fortran::ROWS),
    ("Complex", complex::ROWS),
    ("Complex trigonometric", complex_trigonometric::ROWS),
];
