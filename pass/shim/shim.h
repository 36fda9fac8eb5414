// The C boundary to what LLVM offers in C++ only. Each function is a query or one edit; decisions are made in Rust.
// Values cross as the opaque pointers of LLVM's C interface; `Context` stands for the analyses of the running pass.
#pragma once
#include <cstddef>
#include <cstdint>

#include "llvm-c/Types.h"

extern "C" {

// --- plugin.cpp: where in a host's pipeline we stand -------------------------------------------------------
struct BsContext;  // the ModuleAnalysisManager of the pass that is running

enum BsStage : uint32_t { BsStart = 0, BsMiddle = 1, BsLinkTime = 2, BsExplicit = 3 };
enum BsLink : uint32_t { BsNoLink = 0, BsThinPreLink = 1, BsThinPostLink = 2, BsFullPreLink = 3, BsFullPostLink = 4 };

struct BsCallbacks {
  // Returns whether the module was changed.
  bool (*run)(uint32_t stage, uint32_t link, const char *options, LLVMModuleRef module, BsContext *context);
  void (*print)(const char *what, LLVMModuleRef module, BsContext *context);
};
void bs_shim_register(void *pass_builder, const BsCallbacks *callbacks);

// --- report.cpp: what the user reads ------------------------------------------------------------------------
// An error at the location of `instruction` (or of `function` where that is null). The host fails.
void bs_shim_error(LLVMValueRef function, LLVMValueRef instruction, const char *message);
// The same at the line of a global; `function` is one that has to do with it.
void bs_shim_error_at_global(LLVMValueRef global, LLVMValueRef function, const char *message);
// A C++ function's name as its source has it, without parameters; null for other symbols. Freed by
// `bs_shim_text_free`.
char *bs_shim_source_name(const char *symbol);
// Whether anybody asked for remarks of ours: `-Rpass=backsweep` and the like, or an optimisation record.
bool bs_shim_wants_remarks(LLVMValueRef function);
enum BsRemarkKind { BsRemarkPassed, BsRemarkMissed, BsRemarkAnalysis };
// A remark about `function`, at the location of `instruction`, or of the function where that is null.
void bs_shim_remark(uint32_t kind, const char *name, LLVMValueRef function, LLVMValueRef instruction,
                    const char *message);
void bs_shim_print(const char *text, size_t length);

// --- transform.cpp: edits -----------------------------------------------------------------------------------
// A copy of `function` under a new name, with local linkage, `optnone` and `noinline` gone.
LLVMValueRef bs_shim_clone_function(LLVMValueRef function, const char *name);
// Replaces the call by the callee's body, reporting the calls that came with it; false where LLVM refuses. `seen` says that
// something was inlined into its block before.
bool bs_shim_inline_call(LLVMValueRef call, bool seen, void (*each)(void *, LLVMValueRef), void *user);
// Gives `to` the target attributes, sanitizers and calling environment of `from`.
void bs_shim_adopt_attributes(LLVMValueRef from, LLVMValueRef to);
// Gives `to` the debug scope of `from`, which loses it; false where `from` has none.
bool bs_shim_adopt_scope(LLVMValueRef from, LLVMValueRef to);
// Links in the functions of a bitcode file that the module declares, and what they call; false where it does not fit.
bool bs_shim_link_bodies(LLVMModuleRef module, const char *bitcode, size_t size);
void bs_shim_hoist_integers(LLVMValueRef function);
// Slots live from one end of the function to the other: nothing says where they begin and end.
void bs_shim_strip_lifetimes(LLVMValueRef function);
// What loads of a group have in common is forgotten, and with it what parts one group from another, which are names of one address.
void bs_shim_drop_groups(LLVMValueRef function);
// --- told.cpp -------------------------------------------------------------------------------------------------
// Rules that functions name in metadata become lists of them.
void bs_shim_list_rules(LLVMModuleRef module);
// What instructions are said to carry no derivative pass it through a call that carries none.
void bs_shim_sever_told(LLVMValueRef function);
// Pointers that loops walk with become steps from where they began (walked.cpp); whether there was any.
bool bs_shim_count_walks(LLVMValueRef function);
// Counters that are used as indices become as wide as addresses (widen.cpp).
void bs_shim_widen_counters(LLVMValueRef function);
// What a loop only chooses among numbers, as a maximum, is read again behind it (chosen.cpp); whether there was any.
bool bs_shim_read_chosen(LLVMValueRef function);
// What an outer loop computes anew in each pass though it does not change there is computed in front of it (tables.cpp); whether
// there was any.
bool bs_shim_make_tables(LLVMValueRef function);
// Integers, and sums of floats, that depend on the way by which control came are selected (selected.cpp); whether there were any.
bool bs_shim_select_cheap(LLVMValueRef function, bool floats);
// First and last passes that are unlike the others leave their loop (edges.cpp); whether there were any.
bool bs_shim_part_edges(LLVMValueRef function);

// What Fortran says of arguments of procedures that were inlined holds for one run of them (dummies.cpp).
void bs_shim_forget_dummies(LLVMValueRef copy, LLVMValueRef original);
// Pointers that a loop looks up in each pass are looked up in front of it (fetched.cpp); whether there was any.
bool bs_shim_fetch_pointers(LLVMValueRef function);

// Loops of a few passes that compute with numbers are written out (short_loops.cpp); whether there was any.
bool bs_shim_write_out_short_loops(LLVMValueRef function);
// How often the address of a stack slot is made a number.
size_t bs_shim_count_slot_numbers(LLVMValueRef function);
// Replaces what masks take of an address by its value, where the alignment tells it; whether there was any.
bool bs_shim_fold_alignments(LLVMValueRef function);
// Turns questions whether the number of an address is zero into those whether the address is null: see `null_questions.cpp`.
void bs_shim_ask_for_null(LLVMValueRef function);
void bs_shim_strip_places(LLVMValueRef function);
bool bs_shim_has_indirect_call(LLVMValueRef function);
bool bs_shim_promote_calls(LLVMValueRef function, bool (*isKnown)(void *, LLVMValueRef), void *user);
// The functions that a call through a pointer may lead to; none for other calls.
void bs_shim_targets_of(LLVMValueRef call, bool (*isKnown)(void *, LLVMValueRef), void *user,
                        void (*each)(void *, LLVMValueRef), void *eachUser);
// A stack slot large and aligned enough for both types, at the start of the entry block.
LLVMValueRef bs_shim_entry_alloca(LLVMBasicBlockRef entry, LLVMTypeRef first, LLVMTypeRef second);
LLVMValueRef bs_shim_float_from_bits(LLVMTypeRef type, uint64_t low, uint64_t high);
// An invoke of something that cannot throw becomes a call; the call is returned.
LLVMValueRef bs_shim_invoke_to_call(LLVMValueRef invoke);
// Splits before `at` into two arms on `condition`, which meet again at `at`.
void bs_shim_split_arms(LLVMValueRef condition, LLVMValueRef at, LLVMValueRef *yes_end, LLVMValueRef *no_end);
// The type behind an `sret` parameter of a call; null where it has none.
LLVMTypeRef bs_shim_sret_type(LLVMValueRef call);
// Runs a function pass pipeline in its textual form on one function.
bool bs_shim_run_passes(BsContext *context, LLVMValueRef function, const char *pipeline, const char **error);
void bs_shim_delete_function(BsContext *context, LLVMValueRef function);
void bs_shim_forget_analyses(BsContext *context, LLVMModuleRef module);
void bs_shim_strip_scopes(LLVMValueRef instruction);
void bs_shim_mark_nomerge(LLVMValueRef call);
// Keeps a global alive through the host's passes.
void bs_shim_append_used(LLVMModuleRef module, LLVMValueRef global);
// Whether debug information names it.
bool bs_shim_is_described(LLVMValueRef value);

// --- byval.cpp: structs passed by value ---------------------------------------------------------------------
// Whether an argument of a call is a struct that is passed by value in memory.
bool bs_shim_is_by_value(LLVMValueRef call, unsigned index);
bool bs_shim_takes_struct(LLVMValueRef function, unsigned index);
// What a call passes by value in memory is copied before it; the callee gets the copy.
void bs_shim_copy_arguments(LLVMValueRef call);
// A function takes pointers where it took structs by value: whoever calls it has made the copies.
void bs_shim_take_by_pointer(LLVMValueRef function);

// --- custom.cpp: between derivatives and the user's own -----------------------------------------------------
// A call passes its arguments as the callee takes them.
void bs_shim_follow_callee(LLVMValueRef call);
// A call that carries no derivative, and stays a call.
void bs_shim_mark_inactive(LLVMValueRef call);
// The type that a function returns through its first parameter; null where it does not.
LLVMTypeRef bs_shim_result_in_memory(LLVMValueRef function);
// The type of a struct that is passed by value in memory; null where the parameter is passed as itself.
LLVMTypeRef bs_shim_passed_in_memory(LLVMValueRef function, unsigned index);
// A function that calls another, takes and returns structs as values where that does so in memory, and returns the
// result as a type of the same bytes.
LLVMValueRef bs_shim_adapt_function(LLVMValueRef function, LLVMTypeRef result, const char *name);
// A function that does nothing but call another.
LLVMValueRef bs_shim_wrap_function(LLVMValueRef function, const char *name);
// `dynamic_cast` becomes address arithmetic beside a call that only tells how far; whether there was one.
bool bs_shim_open_casts(LLVMValueRef function);
// Derivatives that the program has already are made fit to be differentiated where they are zero.
void bs_shim_forget_zeros(LLVMValueRef function);
bool bs_shim_carry_numbers(LLVMValueRef function);
void bs_shim_name_messages(LLVMValueRef function);

// Marks accesses of members that the program declares to be integers: steps to first members are folded away before long. Of a
// function that nobody has optimised yet, all accesses to integers are marked as such.
void bs_shim_mark_members(LLVMValueRef function, bool asWritten);
// Marks what is accessed through the same pointer as such a member: of two accesses that became one the mark is lost.
void bs_shim_share_marks(LLVMValueRef function);
// What stands in stack slots becomes values, where slots and blocks are so many that the host would take long over it.
void bs_shim_promote_cells(LLVMValueRef function);
// Copies of structs become copies of their members, as far as the front end says what these are; whether one did.
// Where the program anywhere takes bits for something else, nothing is believed of pointers.
bool bs_shim_open_copies(LLVMValueRef function, bool takesBits);
// A struct that is returned in memory and cleared is cleared member by member, where there are pointers among them; whether one was.
bool bs_shim_open_cleared_results(LLVMValueRef function);
// Copies of many structs, and zero written over many, become loops over one; whether one did.
bool bs_shim_open_rows(LLVMValueRef function, bool takesBits);
// Arrays in structs in slots become slots of their own, where nobody gets the address of the whole.
void bs_shim_part_arrays(LLVMValueRef function);
// Whether what an instruction loads or stores is a member of a struct that the program declares to be an integer.
bool bs_shim_is_integer_member(LLVMValueRef access);
bool bs_shim_is_other_member(LLVMValueRef access);
// Whether it is a pointer that the program steps to in its struct, or copies with it, or a float in an array that is a member.
bool bs_shim_is_stepped_to(LLVMValueRef access);
// Says that an access is of an integer, whatever else is met at such a place.
void bs_shim_mark_integer(LLVMValueRef access);
void bs_shim_part_dimensions(LLVMValueRef function);  // dimensions.cpp: what stands in descriptors, moved in pairs, one by one
// Say that an access is of another member, and that it is stepped to.
void bs_shim_mark_member(LLVMValueRef access);
void bs_shim_mark_stepped(LLVMValueRef access);
bool bs_shim_is_typed(LLVMValueRef access);
void bs_shim_type_like(LLVMValueRef access, LLVMValueRef function);
// Whether an instruction touches as an integer what the program does not touch so itself: bytes that were copied.
bool bs_shim_is_untyped(LLVMValueRef access);
// Whether a module anywhere takes the bits of a float for an integer.
bool bs_shim_takes_bits(LLVMModuleRef module);
// Whether a half or a bfloat occurs anywhere in it.
bool bs_shim_has_short_floats(LLVMModuleRef module);

// Marks accesses and copies of memory that holds integers wherever the module touches it, see numbered_memory.cpp.
void bs_shim_mark_numbers(LLVMModuleRef module);
void bs_shim_mark_copies(LLVMValueRef function);
void bs_shim_find_misread_members(LLVMValueRef function);
bool bs_shim_overlays(LLVMModuleRef module);

// `realloc` becomes what it does, where it can be told how much memory there was; whether there was one.
bool bs_shim_open_reallocs(LLVMValueRef function, bool isOutermost);
// --- allocators.cpp: malloc, calloc and free touch no memory but what they give and take.
void bs_shim_describe_allocators(LLVMValueRef function);
// Whether keeping and restoring the stack is said to leave memory alone.
void bs_shim_set_stack_aside(LLVMValueRef function, bool aside);
// --- nowhere.cpp: ends where something is read or written behind null; whether there was any.
bool bs_shim_drop_nowhere(LLVMValueRef function);
// --- unread.cpp: drops the slots that are filled and never read; whether there were any.
bool bs_shim_drop_unread(LLVMValueRef function);
// --- unlaid.cpp: ends where a derivative takes back a record that it nowhere lays; whether there was any.
bool bs_shim_end_at_unlaid(LLVMValueRef function);
// --- early_stores.cpp: stores to one of several slots, where each was chosen; whether there was any.
bool bs_shim_store_early(LLVMValueRef function);
// Addresses rounded to an alignment as numbers become steps from the pointers they came from; whether there were any.
void bs_shim_open_alignments(LLVMValueRef function);
// --- headers.cpp: words in front of aligned places that say where their memory begins.
void bs_shim_open_headers(LLVMValueRef function);
// --- variadic.cpp, jumps.cpp ----------------------------------------------------------------------------------
// Whether a function takes a variable number of arguments, or jumps where an address or assembly says.
bool bs_shim_is_tied(LLVMValueRef function);
// A copy that may stand anywhere: it takes a list of the further arguments, and its jumps are switches.
LLVMValueRef bs_shim_free_copy(LLVMValueRef function, const char *name);
// Calls the copy of a variadic function with a list of what the call passes. Null, and nothing is changed, where something is
// passed in a way that is not known here.
LLVMValueRef bs_shim_pass_list(LLVMValueRef call, LLVMValueRef copy);
// The call of a copy that takes as pointers what the call passes as numbers.
LLVMValueRef bs_shim_pass_addresses(LLVMValueRef call, LLVMValueRef copy);
// Whether a function returns a struct with a pointer in it.
bool bs_shim_returns_address_in_struct(LLVMValueRef function);
// A copy that leaves what it returns where its last argument leads, and calls itself like that.
LLVMValueRef bs_shim_return_in_memory(LLVMValueRef function, const char *name);
// Calls such a copy instead.
void bs_shim_call_in_memory(LLVMValueRef call, LLVMValueRef copy);
// Turns shuffles of the bits of floats that tear none apart into shuffles of the floats.
void bs_shim_read_lanes(LLVMValueRef function);
// Words that are loaded as a vector, shuffled and stored are loaded and stored one by one.
void bs_shim_part_shuffled_words(LLVMValueRef function);
// Integers that hold several things side by side are read and stored thing by thing. Whether there were any.
bool bs_shim_open_packs(LLVMValueRef function);
// Instructions of one processor that have names of their own become arithmetic.
void bs_shim_open_packed(LLVMValueRef function);
// Inline assembly of one known instruction becomes what it computes; other assembly says whether it touches memory.
void bs_shim_open_assembly(LLVMValueRef function);
// --- error_numbers.cpp: a call beside this one that only leaves its error number, which lies where `place` tells.
void bs_shim_keep_error_number(LLVMValueRef call, LLVMValueRef place);
// --- elements.cpp: steps by bytes that are steps by elements. Whether there was one.
bool bs_shim_step_by_elements(LLVMValueRef function);
// --- wide_moves.cpp: floats that are only moved where shorter ones lie, as bytes.
void bs_shim_move_bytes(LLVMValueRef function);
// --- rounded.cpp: a large number added and taken away becomes a rounding.
void bs_shim_name_rounding(LLVMValueRef function);
// --- neighbours.cpp: one added to the bits of a float becomes the next number.
void bs_shim_name_neighbours(LLVMValueRef function);
// Whether somewhere an integer becomes a pointer.
bool bs_shim_has_numbered_addresses(LLVMValueRef function);
// Pointers that were carried as integers are carried as pointers, where every integer that may be one is an address.
void bs_shim_follow_addresses(LLVMValueRef function);
// Integers that are joined from floats are joined as floats, too, for those who take them for such (joined_floats.cpp). Whether there were any.
bool bs_shim_join_floats(LLVMValueRef function);
// Forgets whether the host wants loops unrolled.
void bs_shim_allow_unrolling(LLVMValueRef function);
// Floats that are put together from pieces of their own bits are themselves, but for the sign; whether there were any.
bool bs_shim_read_pieces(LLVMValueRef function);
// Vectors of which every lane is put in begin from nothing; whether there were any that did not (filled_vectors.cpp).
bool bs_shim_start_filled_vectors(LLVMValueRef function);
// Floats chosen by the bits of a mask are chosen by the condition that the mask was made from; whether there were any.
bool bs_shim_read_masks(LLVMValueRef function);
// What is stored as an integer is stored as itself, and if wanted integers that are loaded and stored only become copies of bytes, or
// everything does; whether there was any.
bool bs_shim_move_as_bytes(LLVMValueRef function, bool integers, bool everything);
// --- halves.cpp: integers of eight bytes that are only moved, moved by halves: loads, phis, selects, freezes and stores, all of a web.
// Whether they are nothing else.
bool bs_shim_move_by_halves(LLVMValueRef *members, size_t count);
// What one processor moves under masks moves as it would on any.
void bs_shim_read_x86_moves(LLVMValueRef function);
// Lanes that intrinsics move one way or another are shuffled, or loaded and stored one by one.
void bs_shim_open_moved_lanes(LLVMValueRef function);
// Indices of CSHIFT may be negative on their way, whatever flang says.
void bs_shim_mend_shifts(LLVMModuleRef module);
// Turns operations on the bits of floats that change only signs into operations on the floats.
bool bs_shim_read_signs(LLVMValueRef function);
bool bs_shim_returns_in_memory(LLVMValueRef function);
// The same of a function that returns a struct through its first parameter: this one returns the struct itself.
LLVMValueRef bs_shim_return_by_value(LLVMValueRef function, const char *name);
// Whether a struct that is passed by value arrives as several parameters.
bool bs_shim_takes_apart(LLVMValueRef function);
// Whether the module is compiled for a full LTO link.
bool bs_shim_is_before_full_link(LLVMModuleRef module);
void bs_shim_mark_noinline(LLVMValueRef function);

// --- exceptions.cpp: exceptions as ordinary control flow, and back -------------------------------------------
// Makes every invoke a call and a branch on `backsweep.threw`, every landing pad a call of `backsweep.caught` and every
// resume one of `backsweep.resume`. Names the functions that had to lose `noreturn` until the copy is done with; false
// where the platform's exceptions are other than those of the Itanium ABI, and nothing was changed.
bool bs_shim_open_invokes(LLVMValueRef function, void (*each)(void *, LLVMValueRef), void *user);
void bs_shim_set_noreturn(LLVMValueRef function);
// The way back, in a function written from one that was treated so.
void bs_shim_close_invokes(LLVMValueRef function, LLVMValueRef primal);
// A question whether it threw stands behind this call.
void bs_shim_mark_guarded(LLVMValueRef call);
void bs_shim_mark_call(LLVMValueRef call, const char *mark);
// The declarations of these names, where nobody uses them any more.
void bs_shim_drop_markers(LLVMModuleRef module);
// The call becomes an invoke, which is returned, that unwinds to where `like`, an invoke, does.
LLVMValueRef bs_shim_call_to_invoke(LLVMValueRef call, LLVMValueRef like);
// A copy of a call or invoke that stands nowhere yet, as a call.
LLVMValueRef bs_shim_copy_call(LLVMValueRef call);

// --- sums.cpp: adjoints that neighbouring iterations add to the same cells ------------------------------------
// A store that adds to what it overwrites; such additions may be done in any order.
void bs_shim_mark_sum(LLVMValueRef store);

// --- query.cpp: facts ---------------------------------------------------------------------------------------
struct BsFacts;  // loops, scalar evolution, alias answers and memory SSA of one function
BsFacts *bs_shim_facts_new(BsContext *context, LLVMValueRef function);
void bs_shim_facts_free(BsFacts *facts);

unsigned bs_shim_loop_count(BsFacts *facts);
LLVMBasicBlockRef bs_shim_loop_header(BsFacts *facts, unsigned loop);
int bs_shim_loop_parent(BsFacts *facts, unsigned loop);
LLVMBasicBlockRef bs_shim_loop_preheader(BsFacts *facts, unsigned loop);
enum BsLoopBlocks : uint32_t { BsBody = 0, BsLatches = 1, BsExiting = 2, BsExits = 3 };
void bs_shim_loop_blocks(BsFacts *facts, unsigned loop, uint32_t which, void (*each)(void *, LLVMBasicBlockRef),
                         void *user);
// An S-expression, see `scev.cpp`; the empty string where nothing is known. Freed by `bs_shim_text_free`.
char *bs_shim_loop_back_edges(BsFacts *facts, unsigned loop);
char *bs_shim_address(BsFacts *facts, LLVMValueRef pointer, LLVMValueRef at);
void bs_shim_text_free(char *text);

void bs_shim_underlying_objects(LLVMValueRef pointer, void (*each)(void *, LLVMValueRef), void *user);
// 0 no, 1 may, 2 partial, 3 must: the two memory instructions' locations at one moment of execution.
unsigned bs_shim_alias(BsFacts *facts, LLVMValueRef first, LLVMValueRef second);
// What last wrote what this instruction reads: an instruction, or the block of a merge, or neither (on entry).
// False where nothing is known.
bool bs_shim_clobber(BsFacts *facts, LLVMValueRef read, LLVMValueRef *instruction, LLVMBasicBlockRef *merge);
bool bs_shim_reads_memory(LLVMValueRef instruction);
bool bs_shim_writes_memory(LLVMValueRef instruction);
// Whether the target's library is known to define the called function with its usual meaning.
bool bs_shim_is_library_call(BsFacts *facts, LLVMValueRef call);

// --- ir.cpp: small readings that the C interface lacks -------------------------------------------------------
void bs_shim_shuffle_mask(LLVMValueRef shuffle, void (*each)(void *, int), void *user);
uint32_t bs_shim_integer_flags(LLVMValueRef instruction);
uint32_t bs_shim_gep_flags(LLVMValueRef instruction);
bool bs_shim_float_bits(LLVMValueRef constant, uint64_t *low, uint64_t *high);
bool bs_shim_integer_words(LLVMValueRef constant, uint64_t *low, uint64_t *high);
// Bytes added by a constant getelementptr; false where it is not one.
bool bs_shim_constant_offset(LLVMValueRef constant, LLVMValueRef *base, int64_t *bytes);
// How many bytes index operand `index` steps: kind 0 scale, 1 field (constant), 2 unknown.
uint32_t bs_shim_gep_stride(LLVMValueRef gep, unsigned index, uint64_t *bytes);
void bs_shim_attributes(LLVMValueRef function_or_call, int index, void (*each)(void *, const char *, size_t),
                        void *user);
unsigned bs_shim_call_kind(LLVMValueRef call);
uint64_t bs_shim_switch_case_count(LLVMValueRef instruction);
LLVMValueRef bs_shim_switch_case_value(LLVMValueRef instruction, unsigned index);
LLVMBasicBlockRef bs_shim_switch_case_block(LLVMValueRef instruction, unsigned index);
bool bs_shim_location(LLVMValueRef instruction, const char **directory, const char **file, unsigned *line,
                      unsigned *column);
bool bs_shim_function_location(LLVMValueRef function, const char **directory, const char **file, unsigned *line);
// The name debug information gives to parameter `index`; null where there is none.
const char *bs_shim_parameter_name(LLVMValueRef function, unsigned index);
// What the source calls a parameter or instruction; `counted` where it is an array of Fortran's with one dimension, whose
// first index then is `first`. Null without debug information.
const char *bs_shim_variable(LLVMValueRef value, bool *counted, int64_t *first);
uint64_t bs_shim_type_bytes(LLVMModuleRef module, LLVMTypeRef type);
// Bytes that a value of this type takes in memory; false where that is known at run time only.
bool bs_shim_store_bytes(LLVMModuleRef module, LLVMTypeRef type, uint64_t *bytes);
// The text of metadata that is a string and nothing else; no call where it is anything else.
void bs_shim_metadata_text(LLVMValueRef value, void (*each)(void *, const char *, size_t), void *user);
// The text of an annotation on a function (`__attribute__((annotate("…")))`), one call each.
void bs_shim_annotations(LLVMModuleRef module, void (*each)(void *, LLVMValueRef, const char *, size_t), void *user);
}
