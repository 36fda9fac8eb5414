//! Snapshots: the contents of memory ranges, put aside and put back.
//!
//! Layout: one record with the contents of all ranges, each padded to the grain, then their descriptors; above
//! it a record of two words, the bytes of the first and the number of ranges, from which a restore finds all.

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use crate::region::round_up;
use crate::stack::GRAIN;
use crate::state::{Stack, State};
use crate::tag::RecordKind;
use crate::thread::enter;
use std::ffi::{c_char, c_void};

/// One range of memory; `struct bs_tape_range` in the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Range {
    start: *mut c_void,
    bytes: usize,
}

/// What stands above a snapshot.
#[repr(C)]
#[derive(Clone, Copy)]
struct Summary {
    bytes: usize,
    count: usize,
}

/// Whether a restored snapshot stays on the tape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    Gone,
    Kept,
}

/// # Safety
/// `tape` is a live tape that this thread may use; `ranges` has `count` readable ranges.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_save(
    tape: *mut State,
    ranges: *const Range,
    count: usize,
    function: *const c_char,
) {
    // SAFETY: the caller's contract.
    let mut stack = unsafe { enter(tape, Function::new(function)) };
    // SAFETY: as above; a null pointer with no ranges is allowed in C and not in Rust.
    let ranges = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(ranges, count) } };
    // SAFETY: as above.
    unsafe { save(&mut stack, ranges) };
}

/// # Safety
/// The ranges are readable, and lie outside the free part of the tape.
unsafe fn save(stack: &mut Stack<'_>, ranges: &[Range]) {
    let count = ranges.len();
    let bytes = ranges
        .iter()
        .try_fold(size_of_val(ranges), |sum, range| sum.checked_add(round_up(range.bytes, GRAIN)?));
    let Some(bytes) = bytes else { refuse_size(stack.function) };
    let mut at = stack.push(bytes, RecordKind::Snapshot);
    for range in ranges {
        // SAFETY: `bytes` counted this range; the ranges lie outside the free part of the tape.
        unsafe { std::ptr::copy_nonoverlapping(range.start.cast::<u8>(), at, range.bytes) };
        at = at.wrapping_add((range.bytes + GRAIN - 1) & !(GRAIN - 1));
    }
    // SAFETY: the rest of the record is as long as the descriptors, and aligned.
    unsafe { std::ptr::copy_nonoverlapping(ranges.as_ptr(), at.cast::<Range>(), count) };
    push_summary(stack, Summary { bytes, count });
}

/// # Safety
/// As `bs_tape_save`; the newest record is a snapshot whose ranges are still alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_restore(tape: *mut State, function: *const c_char) {
    // SAFETY: the caller's contract.
    unsafe { restore(enter(tape, Function::new(function)), Afterwards::Gone) };
}

/// # Safety
/// As `bs_tape_restore`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_restore_keep(tape: *mut State, function: *const c_char) {
    // SAFETY: the caller's contract.
    unsafe { restore(enter(tape, Function::new(function)), Afterwards::Kept) };
}

/// # Safety
/// As `bs_tape_restore`; `aside` is a live tape that this thread may use, the same or another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_recall(tape: *mut State, aside: *mut State, function: *const c_char) {
    let (summary, start) = {
        // SAFETY: the caller's contract.
        let mut stack = unsafe { enter(tape, Function::new(function)) };
        let summary = pop_summary(&mut stack);
        let start = stack.peek(summary.bytes, RecordKind::Snapshot);
        push_summary(&mut stack, summary);
        (summary, start)
    };
    // SAFETY: the caller's contract; the record stays where it is while another is pushed above it.
    unsafe {
        save(&mut enter(aside, Function::new(function)), descriptors(start, summary));
        write_back(start, summary);
    }
}

/// # Safety
/// The newest record is a snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_forget(tape: *mut State, function: *const c_char) {
    // SAFETY: the caller's contract.
    let mut stack = unsafe { enter(tape, Function::new(function)) };
    let summary = pop_summary(&mut stack);
    stack.pop(summary.bytes, RecordKind::Snapshot);
}

/// # Safety
/// The newest record is a snapshot whose ranges are writable.
unsafe fn restore(mut stack: Stack<'_>, afterwards: Afterwards) {
    let summary = pop_summary(&mut stack);
    let start = match afterwards {
        Afterwards::Gone => stack.pop(summary.bytes, RecordKind::Snapshot),
        Afterwards::Kept => stack.peek(summary.bytes, RecordKind::Snapshot),
    };
    // SAFETY: the caller's contract.
    unsafe { write_back(start, summary) };
    if afterwards == Afterwards::Kept {
        push_summary(&mut stack, summary);
    }
}

/// # Safety
/// `start` is where the record of that snapshot begins.
unsafe fn descriptors<'a>(start: *const u8, summary: Summary) -> &'a [Range] {
    // SAFETY: `save` put the descriptors at the end of the record.
    unsafe {
        let first = start.add(summary.bytes - summary.count * size_of::<Range>()).cast::<Range>();
        std::slice::from_raw_parts(first, summary.count)
    }
}

/// # Safety
/// As `descriptors`, and the ranges are writable.
unsafe fn write_back(start: *const u8, summary: Summary) {
    let mut at = start;
    // SAFETY: the contents lie before the descriptors, in their order.
    unsafe {
        for range in descriptors(start, summary) {
            std::ptr::copy_nonoverlapping(at, range.start.cast::<u8>(), range.bytes);
            at = at.wrapping_add((range.bytes + GRAIN - 1) & !(GRAIN - 1));
        }
    }
}

fn pop_summary(stack: &mut Stack<'_>) -> Summary {
    let place = stack.pop(size_of::<Summary>(), RecordKind::Snapshot).cast::<Summary>();
    // SAFETY: written by `push_summary`.
    unsafe { place.read() }
}

fn push_summary(stack: &mut Stack<'_>, summary: Summary) {
    let place = stack.push(size_of::<Summary>(), RecordKind::Snapshot);
    // SAFETY: just pushed, and aligned to the grain.
    unsafe { place.cast::<Summary>().write(summary) };
}

fn refuse_size(function: Function) -> ! {
    fail(
        FailureKind::Memory,
        function,
        usize::MAX,
        format_args!("{function} saves ranges that are larger together than there are addresses"),
    )
}
