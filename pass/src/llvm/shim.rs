//! Declarations of `shim/shim.h`, in the same order, and closures for its callbacks.

use std::ffi::{c_char, c_int, c_uint, c_void};

use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};

/// The analyses of the running pass.
#[repr(C)]
pub struct Context {
    opaque: [u8; 0],
}

/// LLVM's answers about one function.
#[repr(C)]
pub struct Facts {
    opaque: [u8; 0],
}

#[repr(C)]
pub struct Callbacks {
    pub run: extern "C" fn(u32, u32, *const c_char, LLVMModuleRef, *mut Context) -> bool,
    pub print: extern "C" fn(*const c_char, LLVMModuleRef, *mut Context),
}

pub type EachBlock = extern "C" fn(*mut c_void, LLVMBasicBlockRef);
pub type EachValue = extern "C" fn(*mut c_void, LLVMValueRef);
pub type EachInt = extern "C" fn(*mut c_void, c_int);
pub type EachText = extern "C" fn(*mut c_void, *const c_char, usize);
pub type EachAnnotation = extern "C" fn(*mut c_void, LLVMValueRef, *const c_char, usize);

unsafe extern "C" {
    pub fn bs_shim_register(pass_builder: *mut c_void, callbacks: *const Callbacks);

    pub fn bs_shim_error(function: LLVMValueRef, instruction: LLVMValueRef, message: *const c_char);
    pub fn bs_shim_error_at_global(global: LLVMValueRef, function: LLVMValueRef, message: *const c_char);
    pub fn bs_shim_wants_remarks(function: LLVMValueRef) -> bool;
    pub fn bs_shim_remark(
        kind: u32,
        name: *const c_char,
        function: LLVMValueRef,
        instruction: LLVMValueRef,
        message: *const c_char,
    );
    pub fn bs_shim_print(text: *const c_char, length: usize);

    pub fn bs_shim_clone_function(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub fn bs_shim_inline_call(call: LLVMValueRef, seen: bool, each: EachValue, user: *mut c_void) -> bool;
    pub fn bs_shim_adopt_attributes(from: LLVMValueRef, to: LLVMValueRef);
    pub fn bs_shim_adopt_scope(from: LLVMValueRef, to: LLVMValueRef) -> bool;
    pub fn bs_shim_link_bodies(module: LLVMModuleRef, bitcode: *const c_char, size: usize) -> bool;
    pub fn bs_shim_list_rules(module: LLVMModuleRef);
    pub fn bs_shim_sever_told(function: LLVMValueRef);
    pub fn bs_shim_drop_groups(function: LLVMValueRef);
    pub fn bs_shim_strip_lifetimes(function: LLVMValueRef);
    pub fn bs_shim_count_walks(function: LLVMValueRef) -> bool;
    pub fn bs_shim_widen_counters(function: LLVMValueRef);
    pub fn bs_shim_read_chosen(function: LLVMValueRef) -> bool;
    pub fn bs_shim_make_tables(function: LLVMValueRef) -> bool;
    pub fn bs_shim_select_cheap(function: LLVMValueRef, floats: bool) -> bool;
    pub fn bs_shim_part_edges(function: LLVMValueRef) -> bool;
    pub fn bs_shim_forget_dummies(copy: LLVMValueRef, original: LLVMValueRef);
    pub fn bs_shim_fetch_pointers(function: LLVMValueRef) -> bool;
    pub fn bs_shim_write_out_short_loops(function: LLVMValueRef) -> bool;
    pub fn bs_shim_hoist_integers(function: LLVMValueRef);
    pub fn bs_shim_count_slot_numbers(function: LLVMValueRef) -> usize;
    pub fn bs_shim_fold_alignments(function: LLVMValueRef) -> bool;
    pub fn bs_shim_ask_for_null(function: LLVMValueRef);
    pub fn bs_shim_strip_places(function: LLVMValueRef);
    pub fn bs_shim_has_indirect_call(function: LLVMValueRef) -> bool;
    pub fn bs_shim_promote_calls(
        function: LLVMValueRef,
        is_known: extern "C" fn(*mut c_void, LLVMValueRef) -> bool,
        user: *mut c_void,
    ) -> bool;
    pub fn bs_shim_targets_of(
        call: LLVMValueRef,
        is_known: extern "C" fn(*mut c_void, LLVMValueRef) -> bool,
        user: *mut c_void,
        each: extern "C" fn(*mut c_void, LLVMValueRef),
        each_user: *mut c_void,
    );
    pub fn bs_shim_entry_alloca(
        entry: LLVMBasicBlockRef,
        first: LLVMTypeRef,
        second: LLVMTypeRef,
    ) -> LLVMValueRef;
    pub fn bs_shim_float_from_bits(ty: LLVMTypeRef, low: u64, high: u64) -> LLVMValueRef;
    pub fn bs_shim_invoke_to_call(invoke: LLVMValueRef) -> LLVMValueRef;
    pub fn bs_shim_split_arms(
        condition: LLVMValueRef,
        at: LLVMValueRef,
        yes_end: *mut LLVMValueRef,
        no_end: *mut LLVMValueRef,
    );
    pub fn bs_shim_sret_type(call: LLVMValueRef) -> LLVMTypeRef;
    pub fn bs_shim_run_passes(
        context: *mut Context,
        function: LLVMValueRef,
        pipeline: *const c_char,
        error: *mut *const c_char,
    ) -> bool;
    pub fn bs_shim_delete_function(context: *mut Context, function: LLVMValueRef);
    pub fn bs_shim_forget_analyses(context: *mut Context, module: LLVMModuleRef);
    pub fn bs_shim_strip_scopes(instruction: LLVMValueRef);
    pub fn bs_shim_mark_sum(store: LLVMValueRef);
    pub fn bs_shim_mark_nomerge(call: LLVMValueRef);
    pub fn bs_shim_append_used(module: LLVMModuleRef, global: LLVMValueRef);
    pub fn bs_shim_is_described(value: LLVMValueRef) -> bool;

    pub fn bs_shim_open_invokes(function: LLVMValueRef, each: EachValue, user: *mut c_void) -> bool;
    pub fn bs_shim_set_noreturn(function: LLVMValueRef);
    pub fn bs_shim_close_invokes(function: LLVMValueRef, primal: LLVMValueRef);
    pub fn bs_shim_mark_guarded(call: LLVMValueRef);
    pub fn bs_shim_mark_call(call: LLVMValueRef, mark: *const c_char);
    pub fn bs_shim_mark_integer(access: LLVMValueRef);
    pub fn bs_shim_part_dimensions(function: LLVMValueRef);
    pub fn bs_shim_is_typed(access: LLVMValueRef) -> bool;
    pub fn bs_shim_type_like(access: LLVMValueRef, function: LLVMValueRef);
    pub fn bs_shim_mark_member(access: LLVMValueRef);
    pub fn bs_shim_mark_stepped(access: LLVMValueRef);
    pub fn bs_shim_drop_markers(module: LLVMModuleRef);
    pub fn bs_shim_call_to_invoke(call: LLVMValueRef, like: LLVMValueRef) -> LLVMValueRef;
    pub fn bs_shim_copy_call(call: LLVMValueRef) -> LLVMValueRef;

    pub fn bs_shim_is_by_value(call: LLVMValueRef, index: c_uint) -> bool;
    pub fn bs_shim_takes_struct(function: LLVMValueRef, index: c_uint) -> bool;
    pub fn bs_shim_copy_arguments(call: LLVMValueRef);
    pub fn bs_shim_take_by_pointer(function: LLVMValueRef);
    pub fn bs_shim_follow_callee(call: LLVMValueRef);
    pub fn bs_shim_mark_inactive(call: LLVMValueRef);
    pub fn bs_shim_result_in_memory(function: LLVMValueRef) -> LLVMTypeRef;
    pub fn bs_shim_passed_in_memory(function: LLVMValueRef, index: c_uint) -> LLVMTypeRef;
    pub fn bs_shim_adapt_function(
        function: LLVMValueRef,
        result: LLVMTypeRef,
        name: *const c_char,
    ) -> LLVMValueRef;
    pub fn bs_shim_wrap_function(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub fn bs_shim_open_casts(function: LLVMValueRef) -> bool;
    pub fn bs_shim_forget_zeros(function: LLVMValueRef);
    pub fn bs_shim_carry_numbers(function: LLVMValueRef) -> bool;
    pub fn bs_shim_name_messages(function: LLVMValueRef);
    pub fn bs_shim_mark_members(function: LLVMValueRef, as_written: bool);
    pub fn bs_shim_share_marks(function: LLVMValueRef);
    pub fn bs_shim_promote_cells(function: LLVMValueRef);
    pub fn bs_shim_open_copies(function: LLVMValueRef, takes_bits: bool) -> bool;
    pub fn bs_shim_part_arrays(function: LLVMValueRef);
    pub fn bs_shim_open_cleared_results(function: LLVMValueRef) -> bool;
    pub fn bs_shim_open_rows(function: LLVMValueRef, takes_bits: bool) -> bool;
    pub fn bs_shim_is_integer_member(access: LLVMValueRef) -> bool;
    pub fn bs_shim_is_other_member(access: LLVMValueRef) -> bool;
    pub fn bs_shim_is_stepped_to(access: LLVMValueRef) -> bool;
    pub fn bs_shim_is_untyped(access: LLVMValueRef) -> bool;
    pub fn bs_shim_takes_bits(module: LLVMModuleRef) -> bool;
    pub fn bs_shim_has_short_floats(module: LLVMModuleRef) -> bool;
    pub fn bs_shim_mark_numbers(module: LLVMModuleRef);
    pub fn bs_shim_mark_copies(function: LLVMValueRef);
    pub fn bs_shim_find_misread_members(function: LLVMValueRef);
    pub fn bs_shim_overlays(module: LLVMModuleRef) -> bool;
    pub fn bs_shim_open_reallocs(function: LLVMValueRef, is_outermost: bool) -> bool;
    pub fn bs_shim_describe_allocators(function: LLVMValueRef);
    pub fn bs_shim_set_stack_aside(function: LLVMValueRef, aside: bool);
    pub fn bs_shim_drop_nowhere(function: LLVMValueRef) -> bool;
    pub fn bs_shim_drop_unread(function: LLVMValueRef) -> bool;
    pub fn bs_shim_end_at_unlaid(function: LLVMValueRef) -> bool;
    pub fn bs_shim_store_early(function: LLVMValueRef) -> bool;
    pub fn bs_shim_open_alignments(function: LLVMValueRef);
    pub fn bs_shim_open_headers(function: LLVMValueRef);
    pub fn bs_shim_open_packed(function: LLVMValueRef);
    pub fn bs_shim_open_assembly(function: LLVMValueRef);
    pub fn bs_shim_keep_error_number(call: LLVMValueRef, place: LLVMValueRef);
    pub fn bs_shim_step_by_elements(function: LLVMValueRef) -> bool;
    pub fn bs_shim_move_bytes(function: LLVMValueRef);
    pub fn bs_shim_name_neighbours(function: LLVMValueRef);
    pub fn bs_shim_name_rounding(function: LLVMValueRef);
    pub fn bs_shim_is_tied(function: LLVMValueRef) -> bool;
    pub fn bs_shim_free_copy(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub fn bs_shim_pass_addresses(call: LLVMValueRef, target: LLVMValueRef) -> LLVMValueRef;
    pub fn bs_shim_returns_address_in_struct(function: LLVMValueRef) -> bool;
    pub fn bs_shim_return_in_memory(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub fn bs_shim_call_in_memory(call: LLVMValueRef, copy: LLVMValueRef);
    pub fn bs_shim_pass_list(call: LLVMValueRef, target: LLVMValueRef) -> LLVMValueRef;
    pub fn bs_shim_allow_unrolling(function: LLVMValueRef);
    pub fn bs_shim_read_pieces(function: LLVMValueRef) -> bool;
    pub fn bs_shim_read_lanes(function: LLVMValueRef);
    pub fn bs_shim_part_shuffled_words(function: LLVMValueRef);
    pub fn bs_shim_open_packs(function: LLVMValueRef) -> bool;
    pub fn bs_shim_has_numbered_addresses(function: LLVMValueRef) -> bool;
    pub fn bs_shim_follow_addresses(function: LLVMValueRef);
    pub fn bs_shim_join_floats(function: LLVMValueRef) -> bool;
    pub fn bs_shim_start_filled_vectors(function: LLVMValueRef) -> bool;
    pub fn bs_shim_read_masks(function: LLVMValueRef) -> bool;
    pub fn bs_shim_move_by_halves(members: *mut LLVMValueRef, count: usize) -> bool;
    pub fn bs_shim_move_as_bytes(function: LLVMValueRef, integers: bool, everything: bool) -> bool;
    pub fn bs_shim_read_x86_moves(function: LLVMValueRef);
    pub fn bs_shim_open_moved_lanes(function: LLVMValueRef);
    pub fn bs_shim_mend_shifts(module: LLVMModuleRef);
    pub fn bs_shim_read_signs(function: LLVMValueRef) -> bool;
    pub fn bs_shim_returns_in_memory(function: LLVMValueRef) -> bool;
    pub fn bs_shim_return_by_value(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub fn bs_shim_takes_apart(function: LLVMValueRef) -> bool;
    pub fn bs_shim_is_before_full_link(module: LLVMModuleRef) -> bool;
    pub fn bs_shim_mark_noinline(function: LLVMValueRef);

    pub fn bs_shim_facts_new(context: *mut Context, function: LLVMValueRef) -> *mut Facts;
    pub fn bs_shim_facts_free(facts: *mut Facts);
    pub fn bs_shim_loop_count(facts: *mut Facts) -> c_uint;
    pub fn bs_shim_loop_header(facts: *mut Facts, loop_index: c_uint) -> LLVMBasicBlockRef;
    pub fn bs_shim_loop_parent(facts: *mut Facts, loop_index: c_uint) -> c_int;
    pub fn bs_shim_loop_preheader(facts: *mut Facts, loop_index: c_uint) -> LLVMBasicBlockRef;
    pub fn bs_shim_loop_blocks(
        facts: *mut Facts,
        loop_index: c_uint,
        which: u32,
        each: EachBlock,
        user: *mut c_void,
    );
    pub fn bs_shim_loop_back_edges(facts: *mut Facts, loop_index: c_uint) -> *mut c_char;
    pub fn bs_shim_address(facts: *mut Facts, pointer: LLVMValueRef, at: LLVMValueRef) -> *mut c_char;
    pub fn bs_shim_source_name(symbol: *const c_char) -> *mut c_char;
    pub fn bs_shim_text_free(text: *mut c_char);
    pub fn bs_shim_underlying_objects(pointer: LLVMValueRef, each: EachValue, user: *mut c_void);
    pub fn bs_shim_alias(facts: *mut Facts, first: LLVMValueRef, second: LLVMValueRef) -> c_uint;
    pub fn bs_shim_clobber(
        facts: *mut Facts,
        read: LLVMValueRef,
        instruction: *mut LLVMValueRef,
        merge: *mut LLVMBasicBlockRef,
    ) -> bool;
    pub fn bs_shim_reads_memory(instruction: LLVMValueRef) -> bool;
    pub fn bs_shim_writes_memory(instruction: LLVMValueRef) -> bool;
    pub fn bs_shim_is_library_call(facts: *mut Facts, call: LLVMValueRef) -> bool;

    pub fn bs_shim_shuffle_mask(shuffle: LLVMValueRef, each: EachInt, user: *mut c_void);
    pub fn bs_shim_integer_flags(instruction: LLVMValueRef) -> u32;
    pub fn bs_shim_gep_flags(instruction: LLVMValueRef) -> u32;
    pub fn bs_shim_float_bits(constant: LLVMValueRef, low: *mut u64, high: *mut u64) -> bool;
    pub fn bs_shim_integer_words(constant: LLVMValueRef, low: *mut u64, high: *mut u64) -> bool;
    pub fn bs_shim_constant_offset(constant: LLVMValueRef, base: *mut LLVMValueRef, bytes: *mut i64) -> bool;
    pub fn bs_shim_gep_stride(gep: LLVMValueRef, index: c_uint, bytes: *mut u64) -> u32;
    pub fn bs_shim_attributes(value: LLVMValueRef, index: c_int, each: EachText, user: *mut c_void);
    pub fn bs_shim_call_kind(call: LLVMValueRef) -> c_uint;
    pub fn bs_shim_switch_case_count(instruction: LLVMValueRef) -> u64;
    pub fn bs_shim_switch_case_value(instruction: LLVMValueRef, index: c_uint) -> LLVMValueRef;
    pub fn bs_shim_switch_case_block(instruction: LLVMValueRef, index: c_uint) -> LLVMBasicBlockRef;
    pub fn bs_shim_location(
        instruction: LLVMValueRef,
        directory: *mut *const c_char,
        file: *mut *const c_char,
        line: *mut c_uint,
        column: *mut c_uint,
    ) -> bool;
    pub fn bs_shim_function_location(
        function: LLVMValueRef,
        directory: *mut *const c_char,
        file: *mut *const c_char,
        line: *mut c_uint,
    ) -> bool;
    pub fn bs_shim_parameter_name(function: LLVMValueRef, index: c_uint) -> *const c_char;
    pub fn bs_shim_variable(value: LLVMValueRef, counted: *mut bool, first: *mut i64) -> *const c_char;
    pub fn bs_shim_type_bytes(module: LLVMModuleRef, ty: LLVMTypeRef) -> u64;
    pub fn bs_shim_store_bytes(module: LLVMModuleRef, ty: LLVMTypeRef, bytes: *mut u64) -> bool;
    pub fn bs_shim_metadata_text(value: LLVMValueRef, each: EachText, user: *mut c_void);
    pub fn bs_shim_annotations(module: LLVMModuleRef, each: EachAnnotation, user: *mut c_void);
}

/// Collects what a callback of the shim is given, converted by `Item::from_raw`.
pub extern "C" fn collect_block(user: *mut c_void, block: LLVMBasicBlockRef) {
    push(user, block);
}

pub extern "C" fn collect_value(user: *mut c_void, value: LLVMValueRef) {
    push(user, value);
}

pub extern "C" fn collect_int(user: *mut c_void, value: c_int) {
    push(user, value);
}

pub extern "C" fn collect_text(user: *mut c_void, bytes: *const c_char, length: usize) {
    push(user, super::text_of(bytes, length));
}

pub extern "C" fn collect_annotation(
    user: *mut c_void,
    value: LLVMValueRef,
    bytes: *const c_char,
    length: usize,
) {
    push(user, (value, super::text_of(bytes, length)));
}

fn push<T>(user: *mut c_void, item: T) {
    // SAFETY: `gather` passes a `Vec<T>` whose `T` is fixed by the collector it is called with.
    unsafe { (*user.cast::<Vec<T>>()).push(item) }
}

/// Runs a shim function that reports through a collector, and returns what it reported.
pub fn gather<T>(run: impl FnOnce(*mut c_void)) -> Vec<T> {
    let mut items: Vec<T> = Vec::new();
    run((&raw mut items).cast());
    items
}
