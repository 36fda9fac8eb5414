//! What Rust's `catch_unwind` finds of a panic: a boxed value, of which nobody here knows more than its table.
//!
//! Instruction → whether it is the address of that table. The table of a trait object is a constant of addresses of functions and of the size
//! of the value, so there is nothing to differentiate behind it and nobody writes there. The value itself stays memory that nobody
//! follows.
//! Safe error: it is none.

use crate::model::{Function, Inst, Op};

pub fn is_table_of_panic(function: &Function, inst: &Inst) -> bool {
    let Op::ExtractValue { path } = &inst.op else { return false };
    let maker = inst.operands[0].value().and_then(|id| function.inst(id));
    path[..] == [1] && maker.and_then(Inst::callee_name).is_some_and(takes_panic)
}

/// `std::panicking::catch_unwind::cleanup`, which returns the value and its table, in both of Rust's manglings.
fn takes_panic(name: &str) -> bool {
    let path = "3std9panicking12catch_unwind7cleanup";
    let after_crate = name.strip_prefix("_RNvNvNtC").and_then(|rest| rest.split_once('_'));
    after_crate.is_some_and(|(_, rest)| rest == path)
        || name.strip_prefix("_ZN").is_some_and(|rest| rest.starts_with(path))
}
