//! The messages for addresses and memory of which nobody knows where they lead.

use super::activity::{Activity, Pass};
use super::hidden_access::find_hidden_access;
use super::refusals::{ACTIVE, Found, name_of};
use crate::model::Inst;
use crate::refusal::Code;

pub(super) fn refuse_number_address(inst: &Inst) -> (Code, String) {
    let message = format!(
        "{} is given the address of memory as an integer, through which it may touch {ACTIVE}; pass a pointer, or mark the \
         function inactive if it has no derivative",
        name_of(inst)
    );
    (Code::ActiveMemory, message)
}

pub(super) fn refuse_kept_address(inst: &Inst) -> (Code, String) {
    let message = format!(
        "{} keeps the address of active memory as an integer, through which nobody follows it; keep a pointer",
        name_of(inst)
    );
    (Code::ActiveMemory, message)
}

pub(super) fn refuse_unfollowed(inst: &Inst) -> (Code, String) {
    let message =
        format!("{} touches memory that cannot be followed, while other memory is active", name_of(inst));
    (Code::ActiveMemory, message)
}

pub(super) fn refuse_hidden_access(pass: &Pass, inst: &Inst, activity: &Activity) -> Found {
    let global = find_hidden_access(pass, inst, activity)?;
    let message = format!(
        "{} may read or write the global `{global}`, which holds {ACTIVE}; make the body of what is called visible (same \
         file, or full LTO), or mark it __attribute__((annotate(\"backsweep_inactive\")))",
        name_of(inst)
    );
    Some((Code::UnknownCallee, message))
}

pub(super) fn refuse_misread(inst: &Inst) -> (Code, String) {
    let (read, put) = if inst.ty.is_pointer() { ("pointer", "float") } else { ("float", "pointer") };
    let message = format!(
        "{} reads a {read} where nothing but a {put} was put, so that nobody follows what is behind it; keep the pointer as one",
        name_of(inst)
    );
    (Code::ActiveMemory, message)
}
