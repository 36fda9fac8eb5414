//! What the C library computes beside its mathematics.

mod sort; // qsort.
mod search; // bsearch.
