//! Backsweep, the pass plugin. The five stages, in reading order:
//!
//! ```text
//! LLVM IR ──extract──▶ Model ──analyses──▶ Facts ──plan──▶ Plan ──check──▶ ──derive, emit──▶ LLVM IR
//! ```
//!
//! Analyses, plan, checker and derivation live in `backsweep_core`, which knows nothing of LLVM.

/// Models, facts and plans are many small pieces, made and dropped by the hundred thousand.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod plugin; // Where a host loads us and calls us.

mod stage; // Where in the host's pipeline we are.

mod requests; // Hook calls, read as plain values.

mod inactive; // What the user declared inactive.

mod loggers; // What only prints its arguments, however many.

mod custom; // Derivatives that the user wrote himself.

mod likes; // Functions declared to behave like another.

mod constant_hooks; // Hooks that need no derivative.

mod known; // What is known of functions by name and declaration.

mod moved; // What of the copy is moved as bytes.
mod pipelines; // The passes of the host that the copy goes through.
mod prepare;
mod written_out; // Short loops as what they do. // A private copy of the primal, in one canonical form.

mod held; // Loads from inactive globals, meanwhile.

mod lane_functions;
mod library_bodies; // What the languages' runtime libraries compute.

mod tasks; // Its tasks, run where they are made.
mod teams; // OpenMP, by a team of one thread.

mod pointer_vectors; // Vectors of pointers, as single pointers.
mod reductions; // Vectors folded into one number.

mod indirect;
mod inline; // Calls through pointers, as choices.
mod trampolines; // Internal procedures that were passed as arguments.

mod descriptors; // Array descriptors of Fortran.
mod objects; // Objects of derived types of Fortran.

mod call_graph;
mod canonicalise; // Library calls that store results, as values.

mod aggregates; // Structures that hold pointers, as their members.

mod error_numbers; // What became of functions of numbers, by `errno`.
mod exceptions; // Exceptions as ordinary control flow, and back.

mod copied_zeros; // Copies of nothing but zeros.
mod undefined_lanes; // What vectorisers leave open.

mod volatile_slots; // Volatile variables that nobody else sees.

mod tied; // Functions tied to their place, and copies that are not.

mod remainders; // What flang promises of `modulo`, taken back.

mod returned_structs; // Pointers that are returned beside other things, left in memory.

mod complex_calls; // Complex arguments and results, as reals.

mod extract; // LLVM IR → model.

mod differentiate; // The stages for each request.

mod facts; // What analyses find out, as text.

mod graphs; // Straight-line code as linearised graphs, as text.

mod strategies;
mod strides; // Multiples of a number of bytes, as strides.
mod structures; // Linear outputs and sums of small terms, as text.

mod emit; // Model → LLVM IR.

mod remarks; // What plans mean for loops and lines, as remarks of LLVM.

mod report; // Refusals, at the user's line.

mod llvm; // LLVM's C interface as plain Rust.
