//! What the C library computes beside its mathematics.

mod aligned; // posix_memalign.
mod sort; // qsort.
mod search; // bsearch.
