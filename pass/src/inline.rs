//! Calls that become part of the copy of the function that is differentiated, in rounds: what is inlined is simplified, which makes room
//! and shows more.

use std::collections::{HashMap, HashSet};

use backsweep_core::model::DECLARED_INACTIVE;
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use crate::aggregates::take_aggregates_apart;
use crate::call_graph::{CallGraph, size_of};
use crate::descriptors::{answer_early, is_of_nested_objects, settle_descriptors, tell_types};
use crate::known::Known;
use crate::library_bodies::LibraryBodies;
use crate::llvm::{Module, Value, llvm, shim};
use crate::pipelines::{SCALARS, SETTLED};
use crate::prepare::{open_copies, run_passes};
use crate::remainders::free_remainders;
use crate::teams::{Opened, Teams};
use crate::volatile_slots::quieten_slots;

/// Beyond so many inlined calls, or so many inlined instructions, calls of all but small functions stay calls.
const MOST_INLINED: usize = 20_000;
const MOST_INSTRUCTIONS: usize = 50_000;
const SMALL: usize = 40;
/// Beyond so many instructions in all, what calls through pointers lead to stays a call of all but small functions.
const MOST_POINTED: usize = 10_000;
/// How often a function is simplified between one lot of inlined calls and the next.
const MOST_ROUNDS: usize = 16;

/// From the second on it is forgotten which functions a call came from: what calls itself in turn is not inlined again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Round {
    First,
    Later,
    /// What calls through pointers became. What may call itself in turn through a pointer is not inlined either: of a tree
    /// whose nodes destroy and evaluate each other through pointers every way down would be too many.
    Pointed,
    /// The same where objects were opened, however large it becomes: bodies for their components are what it is about.
    Objects,
}

/// Inlines every call of a function with a body here, unless it would inline a function into itself. Returns whether some
/// were left because the function became too large, or only show once it is simplified.
pub fn inline_calls(
    context: *mut shim::Context,
    copy: Value,
    original: Value,
    bodies: &mut LibraryBodies,
    known: &Known,
    round: Round,
) -> bool {
    let mut waiting: Vec<Value> = copy
        .blocks()
        .into_iter()
        .flat_map(|block| block.instructions())
        .filter(|inst| inst.is_call())
        .collect();
    // The functions that each inlined call came from, innermost first.
    let mut chains: HashMap<Value, Vec<Value>> = HashMap::new();
    let pointed = round == Round::Pointed;
    let (mut inlined, mut left) = (0, false);
    let full = pointed || round == Round::Later && !bodies.are_used();
    let mut instructions = if full { size_of(copy) } else { 0 };
    let most = if pointed { MOST_POINTED } else { MOST_INSTRUCTIONS };
    let mut sizes: HashMap<Value, usize> = HashMap::new();
    // The blocks that something was inlined into.
    let mut reached = HashSet::new();
    let graph = CallGraph::default();
    let through_pointers = CallGraph::through_pointers(known);
    let left_out = graph.left_out(original, MOST_INSTRUCTIONS);
    let module = Module(llvm!(LLVMGetGlobalParent(copy.0)));
    let mut teams = Teams::new(module, copy);
    // Inlining simplifies what it copies.
    llvm!(shim::bs_shim_mark_members(copy.0, known.as_written));
    while let Some(call) = waiting.pop() {
        if answer_early(module, call) {
            continue;
        }
        let chain = chains.get(&call).cloned().unwrap_or_else(|| vec![original]);
        let Opened::Call(call) = teams.open(call, &chain) else { continue };
        let call = bodies.give_body(call);
        call_by_own_name(call);
        let stays = call.has_call_attribute(DECLARED_INACTIVE) || is_of_nested_objects(call.callee());
        let call =
            if stays || !known.may_be_untied(call.callee()) { call } else { bodies.untied.untie(call) };
        let callee = call.callee();
        if inlined >= MOST_INLINED || !known.is_inlinable(callee) || left_out.contains(&callee) || stays {
            continue;
        }
        // Of functions that call each other in turn one is inlined: every way through them would be too many.
        // A task is a part of the function that makes it.
        let leads_back =
            chain.contains(&callee) || !teams.is_task(call, &chain) && graph.comes_back(callee, &chain);
        let comes_back = match round {
            Round::First => false,
            Round::Later => graph.comes_back(callee, &[callee]),
            Round::Pointed | Round::Objects => through_pointers.comes_back(callee, &[callee]),
        };
        if leads_back || comes_back {
            continue;
        }
        let size = *sizes.entry(callee).or_insert_with(|| {
            llvm!(shim::bs_shim_mark_members(callee.0, known.as_written));
            size_of(callee)
        });
        if size > SMALL && instructions + size > most && !known.strategies.opens(callee) {
            left = true;
            continue;
        }
        tell_types(call);
        let (mut succeeded, home) = (false, call.block().0);
        let inner = shim::gather(|user| {
            let seen = reached.contains(&home);
            succeeded = llvm!(shim::bs_shim_inline_call(call.0, seen, shim::collect_value, user));
        });
        if succeeded {
            reached.insert(home);
            inlined += 1;
            instructions += size;
            let mut longer = chain;
            longer.insert(0, callee);
            for call in inner.into_iter().map(Value) {
                chains.insert(call, longer.clone());
                waiting.push(call);
            }
        }
    }
    if teams.is_any_open() {
        // What its threads take turns at has one thread now.
        run_passes(context, copy, "lower-atomic");
    }
    settle_descriptors(module, copy);
    open_copies(context, copy, known);
    llvm!(shim::bs_shim_sever_told(copy.0));
    // Before anybody looks at what came in: of one pointer some loads would else be of a group, and others of none.
    llvm!(shim::bs_shim_drop_groups(copy.0));
    llvm!(shim::bs_shim_forget_dummies(copy.0, original.0));
    left || teams.ran_tasks()
}

/// Inlines what was left because the function had become too large: most of a body goes once what stands in a descriptor is known, and
/// makes room for the next.
pub fn inline_rest(
    module: Module,
    context: *mut shim::Context,
    copy: Value,
    original: Value,
    bodies: &mut LibraryBodies,
    known: &Known,
    round: Round,
) {
    let most = if round == Round::Pointed { MOST_POINTED } else { MOST_INSTRUCTIONS };
    for _ in 0..MOST_ROUNDS {
        bodies.describe_calls(copy);
        run_passes(context, copy, SCALARS);
        take_aggregates_apart(module, copy);
        run_passes(context, copy, SETTLED);
        // What a compiler writes for generic code mostly goes as well: only what is large then stays calls.
        if size_of(copy) > most && !bodies.are_used() {
            break;
        }
        let left = inline_calls(context, copy, original, bodies, known, round);
        free_remainders(copy);
        quieten_slots(copy);
        llvm!(shim::bs_shim_promote_cells(copy.0));
        if !left {
            break;
        }
    }
}

/// A call by another name goes to the function itself: C++ compilers give a constructor that equals another two.
fn call_by_own_name(call: Value) {
    let name = call.callee();
    let replaceable =
        || matches!(name.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage);
    if name.as_alias().is_some() && !replaceable() {
        let own = Value(llvm!(LLVMAliasGetAliasee(name.0)));
        if own.as_function().is_some() {
            call.set_callee(own);
        }
    }
}
