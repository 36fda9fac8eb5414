//! The Basic Linear Algebra Subprograms over real numbers, by their C and by their Fortran names.
//!
//! A body does what the reference implementation does, except that it looks at no factor to save work: a factor that is
//! zero here may still be asked for its derivative. Where `beta` is zero, what it would scale is not read, as documented.

mod copies; // LACPY.
mod elimination; // GETRF, GETRS, GESV, GTSV, TRTRS.
mod factor; // POTRF, POTRS, POSV.
mod matrix; // Matrices, as they are described to these functions.
mod number; // Single and double precision.
mod products; // GEMV, GER, GEMM, SYMV, SYMM, SYR, SYRK.
mod triangles; // TRMV, TRSV, TRMM, TRSM.
mod vectors; // DOT, AXPY, SCAL, COPY, SWAP, ROT, NRM2, ASUM, IAMAX.
