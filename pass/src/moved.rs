//! What a prepared copy moves as bytes, where nobody else can tell what it is.

use crate::llvm::{llvm, shim};
use crate::prepare::Prepared;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    Integers,
    Everything,
}

impl Prepared {
    /// Makes copies of bytes of what is moved as an integer, or of all that is moved; whether there was anything.
    pub fn move_as_bytes(&self, what: Moved) -> bool {
        let (copies, everything) = (self.copies().into_iter(), what == Moved::Everything);
        copies.filter(|copy| llvm!(shim::bs_shim_move_as_bytes(copy.0, everything))).count() > 0
    }
}
