//! Numbers behind pointers that lie in lists of the function's own: right plans pass, and where the address of what is written
//! later may have come into the list, a plan that reads a number again is rejected.

mod checker;

use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Decision, Item, Storage};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none};

/// `*row = *a; *other = first; list = {row}; second = {other};`, then something more, then `x = *list[0]; *to = 2; return x²`.
fn lists(first: &str, more: &str, to: &str) -> Case {
    Case::new(&format!(
        "declare @malloc(i64) -> ptr
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1) -> void
function @keep(%p: ptr) -> void {{
^entry:
  ret
}}
function @f(%a: ptr noalias, %b: ptr, %n: i64) -> double {{
^entry:
  %row: ptr = call @malloc(i64 8)
  %other: ptr = call @malloc(i64 8)
  %list: ptr = call @malloc(i64 8)
  %second: ptr = call @malloc(i64 8)
  %given: double = load %a
  store %given, %row
  store {first}, %other
  store %row, %list
  store %other, %second
{more}  %found: ptr = load %list
  %again: ptr = load %second
  %x: double = load %found
  store double 2.0, %{to}
  %square: double = fmul %x, %x
  ret %square
}}"
    ))
}

/// Whether the checker finds that the number, read again, may be something else.
fn reads_something_else(case: &Case) -> bool {
    let request = case.request(Mode::Gradient);
    let mut plan = case.lean_plan(&request);
    assert_none(&case.faults(&plan));
    let read = last_load(case);
    // What is written runs, and is not put back.
    plan.restored.clear();
    plan.omitted.clear();
    plan.storage.insert(read, Decision { choice: Storage::Recompute, reason: "planted".into() });
    for items in plan.records.values_mut() {
        items.retain(|item| *item != Item::Value(read) && !matches!(item, Item::Old(_)));
    }
    case.faults(&plan).iter().any(|fault| fault.message.contains("read what has changed"))
}

fn last_load(case: &Case) -> ValueId {
    let function = case.program.function("f").expect("the function of the case");
    let loads = |id: &ValueId| function.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Load(_)));
    function.inst_ids().filter(loads).last().expect("a load")
}

/// The planner sees as much as the checker.
fn is_read_again(case: &Case) -> bool {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    plan.storage.get(&last_load(case)).is_some_and(|decision| decision.choice == Storage::Recompute)
}

fn assert_apart(more: &str, to: &str) {
    assert!(!reads_something_else(&lists("%given", more, to)));
}

fn assert_mixed(more: &str, to: &str) {
    assert!(reads_something_else(&lists("%given", more, to)));
}

#[test]
fn lists_of_their_own() {
    for to in ["other", "again"] {
        assert_apart("", to);
        assert!(is_read_again(&lists("%given", "", to)));
    }
}

#[test]
fn an_address_in_both() {
    assert_mixed("  store %other, %list\n", "other");
    assert_mixed("  store %other, %list\n", "again");
}

#[test]
fn an_address_found_in_one_and_put_into_the_other() {
    assert_mixed("  %p: ptr = load %second\n  store %p, %list\n", "other");
}

#[test]
fn a_list_copied_into_the_other() {
    assert_mixed("  call @llvm.memcpy.p0.p0.i64(%list, %second, i64 8, i1 0)\n", "again");
}

/// Of active memory that is refused.
#[test]
fn an_address_that_travels_as_a_number() {
    let ways = [
        "  %k: i64 = ptrtoint %other\n",
        "  %k: i64 = load %second\n",
        "  %g: i64 = load %second\n  %h: i64 = add %g, i64 8\n  %k: i64 = sub %h, i64 8\n",
    ];
    for way in ways {
        let more = format!("{way}  store %k, %list\n");
        assert!(reads_something_else(&lists("double 1.0", &more, "other")));
    }
}

/// What one address is away from another is none.
#[test]
fn a_distance() {
    let moved = "  %one: i64 = ptrtoint %row
  %two: i64 = ptrtoint %other
  %away: i64 = sub %one, %two
  %near: i1 = icmp slt %away, i64 8\n";
    assert_apart(moved, "other");
    assert!(is_read_again(&lists("%given", moved, "other")));
}

#[test]
fn an_address_chosen() {
    assert_mixed(
        "  %c: i1 = icmp slt %n, i64 3\n  %p: ptr = select %c, %other, %row\n  store %p, %list\n",
        "other",
    );
}

/// What is given to code that is not seen may be put anywhere that code has the address of, or had once.
#[test]
fn what_others_have() {
    assert_apart("  call @keep(%list)\n", "other");
    assert_apart("  call @keep(%second)\n", "other");
    assert_mixed("  call @keep(%second)\n  call @keep(%list)\n", "other");
    assert_mixed("  call @keep(%second)\n  call @keep(%list)\n", "again");
    assert_mixed("  store %second, %b\n  call @keep(%list)\n", "other");
}

#[test]
fn addresses_that_lie_outside() {
    assert_mixed("  store %other, %b\n  %p: ptr = load %b\n  store %p, %list\n", "other");
    assert_apart("  %p: ptr = load %b\n  store %p, %list\n", "other");
    assert_apart("", "b");
}

/// Two pointers in one struct are not each other; of an index nobody knows which member it is.
#[test]
fn members_of_one_list() {
    let grid = |at: &str, found: &str| {
        Case::new(&format!(
            "declare @malloc(i64) -> ptr
function @f(%a: ptr noalias, %b: ptr, %n: i64) -> double {{
^entry:
  %row: ptr = call @malloc(i64 8)
  %other: ptr = call @malloc(i64 8)
  %list: ptr = call @malloc(i64 16)
  %given: double = load %a
  store %given, %row
  store %given, %other
  store %row, %list
  %behind: ptr = gep inbounds %list, i64 1 over ptr by(8)
  store %other, %behind
  %place: ptr = gep inbounds %list, {at} over ptr by(8)
  %to: ptr = load %place
  %found: ptr = load %{found}
  %x: double = load %found
  store double 2.0, %to
  %square: double = fmul %x, %x
  ret %square
}}"
        ))
    };
    assert!(!reads_something_else(&grid("i64 1", "list")));
    assert!(reads_something_else(&grid("i64 1", "behind")));
    assert!(reads_something_else(&grid("i64 0", "list")));
    assert!(reads_something_else(&grid("%n", "list")));
}

/// A list may lie in another.
#[test]
fn an_address_two_steps_away() {
    let outer = "  %outer: ptr = call @malloc(i64 8)\n  store %list, %outer\n  %inner: ptr = load %outer\n";
    assert_mixed(&format!("{outer}  store %other, %inner\n"), "other");
    assert_apart(outer, "other");
}

/// `list = {row}; for (t…) { *list[0] = *list[0] * *list[0]; }`, with something done to the list before and after.
fn steps(before: &str, after: &str, result: &str) -> Case {
    Case::new(&format!(
        "global @kept: ptr = ptr null
declare @malloc(i64) -> ptr
declare @free(ptr) -> void
function @f(%a: ptr noalias, %b: ptr, %n: i64) -> {result} {{
^entry:
  %row: ptr = call @malloc(i64 8)
  %list: ptr = call @malloc(i64 8)
  %given: double = load %a
  store %given, %row
  store %row, %list
{before}  br ^loop
^loop:
  %t: i64 = phi ^entry: i64 0, ^loop: %next
  %found: ptr = load %list
  %x: double = load %found
  %y: double = load %found
  %square: double = fmul %x, %y
  store %square, %found
  %next: i64 = add %t, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^end
^end:
  %last: ptr = load %list
  %z: double = load %last
  store %z, %a
{after}}}"
    ))
}

/// The store of the square.
fn square_of(case: &Case) -> ValueId {
    let stores = |id: &ValueId| case.function.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Store(_)));
    let stores: Vec<ValueId> = case.function.inst_ids().filter(stores).collect();
    stores[stores.len() - 2]
}

/// A row that is found in a list is put back where only the function itself comes to it.
#[test]
fn a_row_of_the_functions_own_is_put_back() {
    let own = |before: &str, after: &str, result: &str| {
        let case = steps(before, after, result);
        let plan = case.lean_plan(&case.request(Mode::Gradient));
        assert_none(&case.faults(&plan));
        plan.restored.contains(&square_of(&case))
    };
    assert!(own("", "  ret\n", "void"));
    assert!(own("", "  call @free(%last)\n  call @free(%list)\n  ret\n", "void"));
    for (before, after, result) in SEEN {
        assert!(!own(before, after, result), "{before}{after}");
    }
}

/// Who may look at the row when the function has returned.
const SEEN: [(&str, &str, &str); 5] = [
    ("  store %row, @kept\n", "  ret\n", "void"),
    ("  store %row, %a\n", "  ret\n", "void"),
    ("  store %list, %b\n", "  ret\n", "void"),
    ("", "  ret %last\n", "ptr"),
    ("", "  ret %list\n", "ptr"),
];

#[test]
fn a_row_that_somebody_looks_at_is_not() {
    let clean = steps("", "  ret\n", "void");
    let right = clean.lean_plan(&clean.request(Mode::Gradient));
    for (before, after, result) in SEEN {
        let case = steps(before, after, result);
        let mut plan = case.lean_plan(&case.request(Mode::Gradient));
        assert_none(&case.faults(&plan));
        plan.restored.insert(square_of(&case));
        let faults = case.faults(&plan);
        let says = faults.iter().any(|fault| fault.message.contains("somebody may look at it afterwards"));
        assert!(says, "{before}{after}");
    }
    assert!(right.restored.contains(&square_of(&clean)));
}

/// Memory without a shadow is freed where the program frees it.
#[test]
fn a_row_that_is_freed_before() {
    for (after, is_freed) in [("  ret\n", false), ("  call @free(%last)\n  ret\n", true)] {
        let case = steps("", after, "void");
        let mut request = case.request(Mode::Gradient);
        request.arguments[0].activity = Activity::Const;
        let mut plan = case.lean_plan(&request);
        plan.omitted.clear();
        plan.restored.insert(square_of(&case));
        let faults = case.faults(&plan);
        let says = faults.iter().any(|fault| fault.message.contains("memory that may be freed by then"));
        assert_eq!(says, is_freed, "{after}");
    }
}
