//! Proves a plan right.
