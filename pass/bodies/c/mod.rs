//! What the C library computes beside its mathematics, and what its mathematics lacks.

mod aligned; // posix_memalign.
mod array; // reallocarray.
mod gamma; // Digamma, of our runtime.
mod sort; // qsort.
mod search; // bsearch.
