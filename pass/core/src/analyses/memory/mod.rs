//! Memory as sets of places: what each instruction touches, what of it may be the same, and what is surely overwritten.

pub mod address;
pub mod apart;
pub mod body;
pub mod cover;
pub mod effects;
pub mod element;
pub mod region;
pub mod touch;
