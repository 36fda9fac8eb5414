//! Memory that is made in loops, kept in memory and freed: right plans pass, and what others may find is no longer ours.

mod checker;

use backsweep_core::check::{Fault, Obligation, check_plan};
use backsweep_core::config::Config;
use backsweep_core::model::Op;
use backsweep_core::plan::{Decision, Storage, make_plan};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// A list of nodes, each made in a pass of a loop, read and freed in another. The head lies in a slot.
const LIST: &str = "declare @malloc(i64) -> ptr
declare @free(ptr)
function @f(%a: ptr, %n: i64) -> double {
^entry:
  %head: ptr = alloca i32 1 of ptr bytes 8 align 8
  store ptr null, %head
  br ^make
^make:
  %i: i64 = phi ^entry: i64 0, ^make: %next
  %p: ptr = gep %a, %i over double by(8)
  %x: double = load %p
  %y: double = fmul %x, %x
  %node: ptr = call @malloc(i64 16)
  store %y, %node
  %link: ptr = gep %node, i64 8 over i8 by(1)
  %old: ptr = load %head
  store %old, %link
  store %node, %head
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^make, ^read
^read:
  %s: double = phi ^make: double 0.0, ^read: %t
  %at: ptr = load %head
  %v: double = load %at
  %w: double = fmul %v, %v
  %t: double = fadd %s, %w
  %way: ptr = gep %at, i64 8 over i8 by(1)
  %rest: ptr = load %way
  store %rest, %head
  call @free(%at)
  %end: i1 = icmp eq %rest, ptr null
  br %end, ^exit, ^read
^exit:
  ret %t
}";

/// A slot of a size that is known when it is made, in each pass of a loop.
const SLOTS: &str = "function @f(%a: ptr, %n: i64) -> double {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 0.0, ^loop: %t
  %count: i64 = add %i, i64 1
  %slot: ptr = alloca %count of double bytes 8 align 8
  %p: ptr = gep %a, %i over double by(8)
  %x: double = load %p
  %q: ptr = gep %slot, %i over double by(8)
  store %x, %q
  %y: double = load %q
  %z: double = fmul %y, %y
  %t: double = fadd %s, %z
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %t
}";

/// The same list, whose nodes say of what type they are.
fn described(kind: &str) -> String {
    let typed = LIST.replace("call @malloc(i64 16)", "call @malloc(i64 24)").replace(
        "  %old: ptr",
        "  %type: ptr = gep %node, i64 16 over i8 by(1)\n  store @kind, %type\n  %old: ptr",
    );
    format!("global @kind: i64 {kind} i64 7\n{typed}")
}

#[test]
fn a_constant_in_a_node_is_nobodys_memory() {
    let case = Case::new(&described("constant ="));
    let plan = case.plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    // What others may write to leads anywhere.
    let other = Case::new(&described("="));
    assert_none(&other.faults(&other.gradient()));
    let faults = check_plan(&plan, &other.function, &other.program, &other.rules);
    says(&faults, Obligation::Differentiable, "frees what was not made here");
}

#[test]
fn right_plans_pass() {
    for text in [LIST, SLOTS] {
        for mode in [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse] {
            let case = Case::new(text);
            let mut request = case.request(mode);
            request.width = 2;
            let plan = case.plan(&request);
            assert_none(&case.faults(&plan));
        }
    }
}

/// Holds the plan of the list against a program that differs by a line, and asks for a plan of that, too, which may be
/// refused but not wrong.
fn judge(line: &str, other: &str) -> Vec<Fault> {
    assert!(LIST.contains(line), "the program has that line");
    let case = Case::new(LIST);
    let request = case.request(Mode::Gradient);
    let plan = case.plan(&request);
    let changed = Case::new(&LIST.replace(line, other));
    let own = make_plan(&changed.function, &changed.program, &changed.rules, &request, &Config::default());
    assert_none(&own.map(|own| changed.faults(&own)).unwrap_or_default());
    check_plan(&plan, &changed.function, &changed.program, &changed.rules)
}

fn says(faults: &[Fault], obligation: Obligation, part: &str) {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    let found = faults.iter().any(|fault| fault.obligation == obligation && fault.message.contains(part));
    assert!(found, "nothing says `{part}` of {obligation:?}: {lines:#?}");
}

#[test]
fn what_was_made_is_put_where_others_look() {
    let found = "may be found by others";
    says(&judge("store %node, %head", "store %node, %a"), Obligation::NothingUnknown, found);
    let faults = judge("store ptr null, %head", "store %head, %a");
    says(&faults, Obligation::NothingUnknown, found);
}

#[test]
fn what_was_found_is_put_where_others_look() {
    let faults = judge("store %rest, %head", "store %rest, %a");
    says(&faults, Obligation::NothingUnknown, "may be found by others");
}

#[test]
fn others_memory_is_freed() {
    for other in ["call @free(%a)", "call @free(%head)"] {
        says(&judge("call @free(%at)", other), Obligation::Differentiable, "was not made here");
    }
    let faults = judge("store ptr null, %head", "store %a, %head");
    says(&faults, Obligation::Differentiable, "was not made here");
}

#[test]
fn a_slot_made_anew_with_one_shadow() {
    let case = Case::new(SLOTS);
    let mut plan = case.gradient();
    let slot = case.find(0, |op| matches!(op, Op::Alloca(_)));
    for choice in [Storage::Argument, Storage::Keep, Storage::Recompute] {
        plan.shadows.insert(slot, Decision { choice, reason: "planted".into() });
        says(&case.faults(&plan), Obligation::Storage, &format!("the shadow of %{} ", slot.0));
    }
    plan.shadows.remove(&slot);
    says(&case.faults(&plan), Obligation::Reads, "has no storage, and is read by");
}

/// Nodes that others find live until they are freed, which is put off until the derivative is over.
#[test]
fn what_others_find_lives_until_it_is_freed() {
    let case = Case::new(&LIST.replace("store %node, %head", "store %node, %head\n  store %node, %a"));
    let plan = case.gradient();
    assert_none(&case.faults(&plan));
    let made = case.find(0, |op| op.call().is_some());
    assert!(plan.activity.lasting().made.contains(&made), "{plan}");
    assert_eq!(plan.activity.lasting().freed.len(), 1, "{plan}");
    // A half leaves it to who frees the tape.
    let halves = case.plan(&case.request(Mode::Augmented));
    assert_eq!(halves.activity.lasting().freed.len(), 1, "{halves}");
    assert_none(&case.faults(&halves));
}

/// A callee frees what it is given.
const HANDED: &str = "declare @malloc(i64) -> ptr
declare @free(ptr)
function @drop(%node: ptr, %n: i64) -> void {
^entry:
  %x: double = load %node
  %y: double = fmul %x, %x
  store %y, %node
  call @free(%node)
  ret
}
function @f(%a: ptr, %n: i64) -> double {
^entry:
  %x: double = load %a
  %made: ptr = call @malloc(i64 8)
  store %x, %made
  %y: double = load %made
  call @drop(%made, %n)
  %z: double = fmul %y, %y
  ret %z
}";

#[test]
fn a_callee_that_frees() {
    let judge = |planned: &str| {
        let case = Case::new(planned);
        let plan = case.gradient();
        assert_none(&case.faults(&plan));
        let real = Case::new(HANDED);
        check_plan(&plan, &real.function, &real.program, &real.rules)
    };
    assert_none(&judge(HANDED));
    let keeps = HANDED.replace("  call @free(%node)\n", "  store %y, %node\n");
    let faults = judge(&keeps);
    says(&faults, Obligation::Differentiable, "may be freed by a callee");
    says(&faults, Obligation::Differentiable, "frees, and the plan does not know");
}

/// A callee is given what was made, and memory of somebody else's.
const GIVEN: &str = "declare @malloc(i64) -> ptr
declare @free(ptr)
function @put(%node: ptr, %table: ptr) -> void {
^entry:
  %x: double = load %node
  %y: double = fmul %x, %x
  store %y, %node
  store WHAT, %table
  ret
}
function @f(%a: ptr, %table: ptr) -> double {
^entry:
  %x: double = load %a
  %made: ptr = call @malloc(i64 8)
  store %x, %made
  call @put(%made, %table)
  %y: double = load %made
  call @free(%made)
  %z: double = fmul %y, %y
  ret %z
}";

#[test]
fn a_callee_that_stores_null_puts_nothing_where_others_look() {
    let case = Case::new(&GIVEN.replace("WHAT", "ptr null"));
    let plan = case.gradient();
    assert_none(&case.faults(&plan));
    let real = Case::new(&GIVEN.replace("WHAT", "%node"));
    let faults = check_plan(&plan, &real.function, &real.program, &real.rules);
    says(&faults, Obligation::NothingUnknown, "may be found by others");
}
