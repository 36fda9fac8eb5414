//! What the C library computes beside its mathematics.

mod aligned; // posix_memalign.
mod array; // reallocarray.
mod sort; // qsort.
mod search; // bsearch.
