//! What the program says of what it reads and writes by the types it steps through.

use crate::model::{Access, Inst, Op, Ordering};

/// The member of a struct that is declared to be an integer.
pub fn is_declared(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.integer)
}

/// One that is declared to be a float or a pointer.
pub fn is_other_member(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.member)
}

/// Whether nobody else reads or writes there meanwhile.
pub fn is_plain(access: &Access) -> bool {
    !access.volatile && access.ordering == Ordering::NotAtomic
}
