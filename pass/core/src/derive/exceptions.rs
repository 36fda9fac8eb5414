//! What an exception leaves behind: the tape as it was.
//!
//! A call of `backsweep.unwinding.F` means that from there on, whatever leaves the function by an exception calls `F` with
//! these arguments first. Emission makes a landing pad of it. What the program itself cleans up is in the forward sweep,
//! as the primal has it.

use super::Source;
use super::builder::Builder;
use super::tape::{call_runtime, function_name};
use crate::model::{Operand, Type};
use crate::request::Mode;

pub const UNWINDING: &str = "backsweep.unwinding.";

/// The thread's tape is brought back to where it stood on entry; one that was made here for another half is freed.
pub fn give_back_on_exception(source: &Source, builder: &mut Builder, tape: &Operand) {
    if !source.plan.gives_back() {
        return;
    }
    let name = Operand::Const(function_name(source));
    let (function, operands) = match source.plan.request.mode {
        Mode::Gradient => {
            let mark = call_runtime(builder, "bs_tape_mark", Type::PTR, vec![tape.clone()]);
            ("bs_tape_release", vec![tape.clone(), mark, name])
        }
        Mode::Augmented => ("bs_tape_free", vec![tape.clone(), name]),
        Mode::Reverse | Mode::Tangent => return,
    };
    call_runtime(builder, &format!("{UNWINDING}{function}"), Type::Void, operands);
}

/// The tape that a second half was handed goes with the exception, as it would have gone with the return. One that the caller
/// keeps stays theirs, and is marked: part of the derivative may be in shadows that it leads to.
pub fn give_up_on_exception(source: &Source, builder: &mut Builder, tape: &Operand) {
    let Some(function) = source.plan.gives_up() else { return };
    call_runtime(builder, &format!("{UNWINDING}{function}"), Type::Void, vec![tape.clone()]);
}

/// A tangent has no list of what it makes for itself, and no tape.
pub fn free_on_exception(source: &Source, builder: &mut Builder, made: &Operand) {
    if source.plan.may_be_left && source.plan.request.mode == Mode::Tangent {
        call_runtime(builder, &format!("{UNWINDING}free"), Type::Void, vec![made.clone()]);
    }
}
