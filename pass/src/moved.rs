//! What a prepared copy moves as bytes, where nobody else can tell what it is.

use crate::llvm::{llvm, shim};
use crate::prepare::Prepared;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// Floats and pointers that are stored as integers, and nothing else: they are stored as themselves.
    Stores,
    Integers,
    Everything,
}

impl Prepared {
    /// Stores what is stored as an integer as itself, and makes copies of bytes of what is moved as an integer, or of all that is moved;
    /// whether there was anything.
    pub fn move_as_bytes(&self, what: Moved) -> bool {
        let (integers, all) = (what != Moved::Stores, what == Moved::Everything);
        let copies = self.copies().into_iter();
        copies.filter(|copy| llvm!(shim::bs_shim_move_as_bytes(copy.0, integers, all))).count() > 0
    }
}
