//! A private copy of the function to differentiate, brought into one canonical form, whatever the host did.
//!
//! Called functions are inlined into the copy and the copy is simplified by a pipeline of our own, the same at every
//! -O level. The primal itself is untouched.

use std::cell::Cell;

use llvm_sys::core::*;

use crate::aggregates::take_aggregates_apart;
use crate::canonicalise::canonicalise_calls;
use crate::complex_calls::take_complex_calls_apart;
use crate::copied_zeros::clear_by_copies;
use crate::descriptors::{drop_settled_marks, keep_descriptors, walks_beside_integers, write_integers};
use crate::error_numbers::{find_place, keep_error_numbers};
use crate::exceptions::{carry_numbers, catches, drop_markers, name_messages, open_invokes};
use crate::held::{hold_inactive_loads, release_loads};
use crate::indirect::resolve_pointers;
use crate::inline::{Round, inline_calls, inline_rest};
use crate::known::Known;
use crate::library_bodies::LibraryBodies;
use crate::llvm::{Module, Value, c_string, c_text, llvm, shim};
use crate::objects::open_objects;
use crate::pipelines::{
    CLEAN_UP, CLEAN_UP_BETWEEN, PREPARATION, SCALARS, SETTLED, TABLED, UNTAGGED, WIDENED,
};
use crate::pointer_vectors::open_pointer_vectors;
use crate::reductions::open_reductions;
use crate::remainders::free_remainders;
use crate::returned_structs::return_in_memory;
use crate::strides::write_strides;
use crate::tied::is_tied;
use crate::trampolines::hand_frames;
use crate::undefined_lanes::{define_lanes, drop_undefined_stores};
use crate::volatile_slots::quieten_slots;
use crate::written_out::{walks_through_words, write_out};

/// The copy of a function, and of each function that it still calls.
pub struct Prepared {
    pub copy: Value,
    /// Functions that could not be inlined (recursion), with their own copies.
    pub callees: Vec<(Value, Value)>,
    /// Whether they were changed once more when they were read, see `extract_prepared`.
    pub is_split: Cell<bool>,
}

/// Copies a function, and whatever it calls that is not inlined; the copies are the caller's to delete.
pub fn prepare_all(module: Module, context: *mut shim::Context, function: Value, known: &Known) -> Prepared {
    let name = c_string(&format!("{COPY}{}", function.name()));
    // What is asked for is then a function with one call: it is differentiated as the user or a rule tells, or it makes the copies
    // of structs, which no one outside sees, or what it calls is a copy that may be inlined.
    let wrapped = known.is_known_by_call(function) || takes_structs(function) || is_tied(function);
    let copy = match wrapped {
        true => Value(llvm!(shim::bs_shim_wrap_function(function.0, name.as_ptr()))),
        false => Value(llvm!(shim::bs_shim_clone_function(function.0, name.as_ptr()))),
    };
    let original = if wrapped { copy } else { function };
    let error_number = find_place(original, known);
    simplify(module, context, copy, original, known, error_number, Caller::TheUser);
    let mut prepared = Prepared { copy, callees: Vec::new(), is_split: Cell::new(false) };
    let mut waiting = vec![copy];
    while let Some(caller) = waiting.pop() {
        let insts = caller.blocks().into_iter().flat_map(|block| block.instructions());
        for callee in insts.filter(|inst| inst.is_call()).map(|call| call.callee()).collect::<Vec<_>>() {
            let met = prepared.callees.iter().any(|(original, _)| *original == callee);
            if met || !known.is_followed(callee) {
                continue;
            }
            if callee == function && !wrapped {
                prepared.callees.push((callee, copy));
                continue;
            }
            let name = c_string(&format!("{COPY}{}", callee.name()));
            let copy = Value(llvm!(shim::bs_shim_clone_function(callee.0, name.as_ptr())));
            llvm!(shim::bs_shim_take_by_pointer(copy.0));
            simplify(module, context, copy, callee, known, error_number, Caller::Another);
            prepared.callees.push((callee, copy));
            waiting.push(copy);
        }
    }
    prepared
}

impl Prepared {
    /// Every copy once.
    pub fn copies(&self) -> Vec<Value> {
        let others = self.callees.iter().map(|(_, copy)| *copy).filter(|copy| *copy != self.copy);
        std::iter::once(self.copy).chain(others).collect()
    }

    pub fn delete(&self, context: *mut shim::Context) {
        let module = Module(llvm!(LLVMGetGlobalParent(self.copy.0)));
        self.copies().into_iter().for_each(|copy| copy.delete_function(context));
        drop_markers(module);
    }
}

/// The names of copies begin so.
pub const COPY: &str = "backsweep.primal.";

/// Who calls the derivative of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caller {
    TheUser,
    /// A derivative, which may catch what the copy throws.
    Another,
}

/// Brings the copy of a function into canonical form.
fn simplify(
    module: Module,
    context: *mut shim::Context,
    copy: Value,
    function: Value,
    known: &Known,
    error_number: Option<Value>,
    caller: Caller,
) {
    llvm!(shim::bs_shim_sever_told(copy.0));
    let mut bodies = LibraryBodies::new(module);
    let left = inline_calls(context, copy, function, &mut bodies, known, Round::First);
    free_remainders(copy);
    quieten_slots(copy);
    llvm!(shim::bs_shim_promote_cells(copy.0));
    if left {
        inline_rest(module, context, copy, function, &mut bodies, known, Round::Later);
    }
    hold_inactive_loads(module, copy);
    if catches(copy) {
        name_messages(context, copy);
    }
    resolve_pointers(module, context, copy, function, &mut bodies, known);
    open_objects(module, context, copy, function, &mut bodies, known);
    hand_frames(module, copy, known);
    if walks_beside_integers(copy) {
        write_out(context, copy);
    }
    keep_descriptors(module, copy, known);
    bodies.describe_calls(copy);
    llvm!(shim::bs_shim_set_stack_aside(copy.0, false));
    return_in_memory(module, copy, known);
    let has_lists = bodies.untied.has_lists();
    bodies.drop_unused(context);
    llvm!(shim::bs_shim_end_at_unlaid(copy.0));
    if caller == Caller::TheUser {
        carry_numbers(context, copy);
    }
    let opened = open_invokes(copy);
    llvm!(shim::bs_shim_forget_zeros(copy.0));
    llvm!(shim::bs_shim_open_casts(copy.0));
    copy_arguments(copy, known);
    open_copies(context, copy, known);
    // Where slots are gone that held addresses of others, and steps into structs still tell what they step into.
    run_passes(context, copy, "sroa");
    llvm!(shim::bs_shim_part_arrays(copy.0));
    if let Some(place) = error_number {
        keep_error_numbers(copy, place, known);
    }
    canonicalise_calls(module, copy, &known.rules);
    open_reductions(module, copy);
    llvm!(shim::bs_shim_read_x86_moves(copy.0));
    llvm!(shim::bs_shim_open_moved_lanes(copy.0));
    open_pointer_vectors(context, copy);
    llvm!(shim::bs_shim_open_assembly(copy.0));
    llvm!(shim::bs_shim_open_packed(copy.0));
    take_complex_calls_apart(module, copy, &known.rules);
    llvm!(shim::bs_shim_store_early(copy.0));
    run_passes(context, copy, SCALARS);
    llvm!(shim::bs_shim_open_alignments(copy.0));
    llvm!(shim::bs_shim_open_headers(copy.0));
    llvm!(shim::bs_shim_ask_for_null(copy.0));
    settle_questions(context, copy);
    take_aggregates_apart(module, copy);
    if has_lists || walks_through_words(copy) {
        write_out(context, copy);
    }
    follow_addresses(context, copy);
    llvm!(shim::bs_shim_open_reallocs(copy.0, caller == Caller::TheUser));
    drop_undefined_stores(copy);
    clear_by_copies(module, copy);
    open_packs(context, copy);
    if llvm!(shim::bs_shim_start_filled_vectors(copy.0)) {
        run_passes(context, copy, "instsimplify");
    }
    llvm!(shim::bs_shim_read_pieces(copy.0));
    // A mask may choose what has lost its sign, and a sign may go from what a mask has chosen.
    while llvm!(shim::bs_shim_read_masks(copy.0)) | llvm!(shim::bs_shim_read_signs(copy.0)) {}
    llvm!(shim::bs_shim_read_lanes(copy.0));
    llvm!(shim::bs_shim_part_shuffled_words(copy.0));
    drop_settled_marks(copy);
    run_passes(context, copy, PREPARATION);
    if llvm!(shim::bs_shim_select_cheap(copy.0, known.as_written)) {
        run_passes(context, copy, PREPARATION);
    }
    if known.parts_edges && llvm!(shim::bs_shim_part_edges(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    if known.writes_out && llvm!(shim::bs_shim_write_out_short_loops(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    while settle_questions(context, copy) {
        run_passes(context, copy, PREPARATION);
    }
    while llvm!(shim::bs_shim_drop_nowhere(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    // Ways on which a record is laid may have turned out to be none.
    while llvm!(shim::bs_shim_end_at_unlaid(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    // What a sanitizer kept in a slot until now shows its bits only here.
    llvm!(shim::bs_shim_name_rounding(copy.0));
    llvm!(shim::bs_shim_name_neighbours(copy.0));
    open_packs(context, copy);
    if llvm!(shim::bs_shim_read_pieces(copy.0)) | llvm!(shim::bs_shim_read_signs(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    // Slots that held addresses beside other things are values by now.
    if llvm!(shim::bs_shim_has_numbered_addresses(copy.0)) {
        llvm!(shim::bs_shim_follow_addresses(copy.0));
        run_passes(context, copy, PREPARATION);
    }
    // What is an address on one way may be a number on another.
    if llvm!(shim::bs_shim_join_floats(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    if llvm!(shim::bs_shim_drop_unread(copy.0)) {
        run_passes(context, copy, PREPARATION);
    }
    drop_undefined_stores(copy);
    release_loads(module, copy);
    // What the forward sweep has put into a slot may be read again on the way back.
    llvm!(shim::bs_shim_strip_lifetimes(copy.0));
    if known.counts_walks && llvm!(shim::bs_shim_count_walks(copy.0)) {
        run_passes(context, copy, WIDENED);
    }
    llvm!(shim::bs_shim_widen_counters(copy.0));
    run_passes(context, copy, WIDENED);
    if llvm!(shim::bs_shim_fetch_pointers(copy.0)) {
        run_passes(context, copy, TABLED);
    }
    if known.reads_chosen && llvm!(shim::bs_shim_read_chosen(copy.0)) {
        run_passes(context, copy, TABLED);
    }
    if known.makes_tables && llvm!(shim::bs_shim_make_tables(copy.0)) {
        run_passes(context, copy, TABLED);
    }
    llvm!(shim::bs_shim_hoist_integers(copy.0));
    llvm!(shim::bs_shim_share_marks(copy.0));
    llvm!(shim::bs_shim_move_bytes(copy.0));
    llvm!(shim::bs_shim_find_misread_members(copy.0));
    if !known.takes_bits {
        // Two loads of one pointer are one by now, so more is known of what is stepped through.
        llvm!(shim::bs_shim_mark_copies(copy.0));
    }
    define_lanes(module, copy);
    write_integers(module, copy);
    write_strides(module, copy);
    opened.restore();
}

/// Rust's `Result` of a pointer or a size is an integer with a tag beside it.
fn follow_addresses(context: *mut shim::Context, copy: Value) {
    if llvm!(shim::bs_shim_has_numbered_addresses(copy.0)) {
        run_passes(context, copy, UNTAGGED);
        llvm!(shim::bs_shim_follow_addresses(copy.0));
    }
}

/// A slot that was touched as one integer may be taken apart once its members are touched one by one.
fn open_packs(context: *mut shim::Context, copy: Value) {
    /// Structs that lie in one another deeper than this stay what they are.
    const DEEPEST: usize = 4;
    for _ in 0..DEEPEST {
        if !llvm!(shim::bs_shim_open_packs(copy.0)) {
            return;
        }
        run_passes(context, copy, SETTLED);
    }
}

/// A sanitizer asks of every address whether it is null and whether it is aligned, and would tell it as a number, so that
/// stack slots stay in memory. Where the answer is known the question goes; what was in slots shows more addresses.
///
/// Returns whether there was such a question.
fn settle_questions(context: *mut shim::Context, copy: Value) -> bool {
    let mut asked = llvm!(shim::bs_shim_count_slot_numbers(copy.0));
    let mut settled = false;
    while asked > 0 {
        let answered = llvm!(shim::bs_shim_fold_alignments(copy.0));
        run_passes(context, copy, SETTLED);
        let left = llvm!(shim::bs_shim_count_slot_numbers(copy.0));
        if left >= asked && !answered {
            break;
        }
        (asked, settled) = (left, true);
    }
    settled
}

fn takes_structs(function: Value) -> bool {
    (0..function.params().len() as u32).any(|index| llvm!(shim::bs_shim_takes_struct(function.0, index)))
}

/// Structs that are passed by value to what stays a call are copied before it. The call itself stays as it is, for where
/// the function is called and not its derivative.
fn copy_arguments(copy: Value, known: &Known) {
    for inst in copy.blocks().into_iter().flat_map(|block| block.instructions()) {
        if inst.is_call() && known.is_followed(inst.callee()) {
            llvm!(shim::bs_shim_copy_arguments(inst.0));
        }
    }
}

pub fn clean_up(context: *mut shim::Context, function: Value) {
    llvm!(shim::bs_shim_promote_cells(function.0));
    run_passes(context, function, CLEAN_UP);
}

pub fn clean_up_between(context: *mut shim::Context, function: Value) {
    llvm!(shim::bs_shim_promote_cells(function.0));
    run_passes(context, function, CLEAN_UP_BETWEEN);
}

pub fn run_passes(context: *mut shim::Context, function: Value, pipeline: &str) {
    let mut error = std::ptr::null();
    let text = c_string(pipeline);
    if !llvm!(shim::bs_shim_run_passes(context, function.0, text.as_ptr(), &mut error)) {
        // The pipelines are ours; LLVM not knowing one of their passes is a fault of this build.
        panic!("LLVM does not take our pipeline: {}", c_text(error).unwrap_or_default());
    }
}

/// Before slots are taken apart, which merges members with the padding beside them. What a pointer leads to shows where it is
/// no longer kept in a slot.
pub fn open_copies(context: *mut shim::Context, copy: Value, known: &Known) {
    run_passes(context, copy, "mem2reg");
    llvm!(shim::bs_shim_open_copies(copy.0, known.takes_bits));
    llvm!(shim::bs_shim_open_rows(copy.0, known.takes_bits));
    if !known.takes_bits {
        llvm!(shim::bs_shim_open_cleared_results(copy.0));
        llvm!(shim::bs_shim_mark_copies(copy.0));
    }
}
