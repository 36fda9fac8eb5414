//! Objects of derived types of Fortran, in the copy to be differentiated: what is to be done with them is known once the optimiser
//! has told of what type they are.
//!
//! Invariant: what is not known in the end is refused.

use crate::aggregates::take_aggregates_apart;
use crate::call_graph::size_of;
use crate::descriptors::{describe_marks, has_marks, open_choices, open_marks, refuse_marks};
use crate::indirect::resolve_pointers;
use crate::inline::{Round, inline_calls};
use crate::known::Known;
use crate::library_bodies::LibraryBodies;
use crate::llvm::{Module, Value, shim};
use crate::pipelines::{SCALARS, SETTLED};
use crate::prepare::run_passes;

/// So many rounds at most: one for each object that lies in another, and for each that takes its type from one that is opened in the
/// round before.
const MOST_ROUNDS: usize = 32;

/// Beyond so many instructions more nothing more is opened: each type that objects of several types hold makes code for each.
const MOST_ADDED: usize = 20_000;

/// Of what derived type an object is stands in its descriptor, and what is to be done with it in constants: once the
/// optimiser has told which, code for its components takes the place of the mark, and may bring marks of its own.
pub fn open_objects(
    module: Module,
    context: *mut shim::Context,
    copy: Value,
    function: Value,
    bodies: &mut LibraryBodies,
    known: &Known,
) {
    let mut most = usize::MAX;
    for round in 0..MOST_ROUNDS {
        if !has_marks(copy) {
            break;
        }
        describe_marks(module);
        bodies.describe_calls(copy);
        run_passes(context, copy, SCALARS);
        take_aggregates_apart(module, copy);
        run_passes(context, copy, SETTLED);
        run_passes(context, copy, SETTLED);
        // Bodies are long until what stands in descriptors is known, so what counts is what they become.
        if round == 0 {
            most = size_of(copy) + MOST_ADDED;
        } else if size_of(copy) > most {
            break;
        }
        // Who is told by constants what to do may tell others.
        let mut new = Vec::new();
        let opened = open_marks(module, copy, &mut new) || open_choices(module, copy);
        for function in new {
            let _ = inline_calls(context, function, function, bodies, known, Round::Objects);
            open_objects(module, context, function, function, bodies, known);
        }
        if !opened {
            break;
        }
        // What calls itself, by name or through a pointer, was inlined already where that helps, and would be in each round.
        let _ = inline_calls(context, copy, function, bodies, known, Round::Objects);
        // Of what type an object is also tells which procedures are bound to it, and those may call through pointers. Once: each
        // time makes choices of calls again, and what lies further down would not come to an end.
        if round == 0 {
            resolve_pointers(module, context, copy, function, bodies, known);
        }
    }
    refuse_marks(module, copy);
}
