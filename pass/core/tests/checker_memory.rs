//! Plans of functions that touch memory: right ones pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::analyses::activity::Activity as Active;
use backsweep_core::check::{Obligation, check_halves};
use backsweep_core::config::Config;
use backsweep_core::model::{Constant, Op, ValueId};
use backsweep_core::plan::{Decision, Item, Plan, Slot, Storage, make_plan};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, assert_only, judge, says};

/// Each element of an array is replaced by a product, and their sum is returned.
const ARRAY: &str = "function @f(%a: ptr, %n: i64) -> double {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 0.0, ^loop: %t
  %p: ptr = gep %a, %i over double by(8)
  %x: double = load %p
  %y: double = fmul %x, %x
  store %y, %p
  %t: double = fadd %s, %y
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %t
}";

/// A slot, an allocation, a pointer found in memory, a copy and a fill.
const PLACES: &str = "declare @malloc(i64) -> ptr
declare @free(ptr)
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare @llvm.memset.p0.i64(ptr, i8, i64, i1)
function @f(%a: ptr, %n: i64) -> double {
^entry:
  %slot: ptr = alloca i32 1 of double bytes 8 align 8
  %made: ptr = call @malloc(%n)
  call @llvm.memset.p0.i64(%made, i8 0, %n, i1 false)
  call @llvm.memcpy.p0.p0.i64(%slot, %made, i64 8, i1 false)
  %q: ptr = load %a
  %x: double = load %q
  store %x, %slot
  %y: double = load %slot
  store %y, %made
  %z: double = load %made
  call @free(%made)
  %r: double = fmul %z, %z
  ret %r
}";

/// A length is read from what has a shadow or from what is found and not followed, a number from what is found or the other array.
const BESIDE: &str = "function @f(%a: ptr, %b: ptr, %c: i1) -> double {
^entry:
  %found: ptr = load %b
  %either: ptr = select %c, %a, %found
  %n: i64 = load %either
  %more: i1 = icmp slt %n, i64 3
  %inner: ptr = gep %b, i64 8 over i8 by(1)
  %q: ptr = load %inner
  %p: ptr = select %more, %a, %q
  %x: double = load %p
  %y: double = fmul %x, %x
  ret %y
}";

#[test]
fn right_plans_pass() {
    for text in [ARRAY, PLACES, BESIDE] {
        for mode in [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse] {
            let case = Case::new(text);
            let mut request = case.request(mode);
            request.width = 2;
            let plan = case.plan(&request);
            assert!(plan.activity.memory().next().is_some());
            assert_none(&case.faults(&plan));
        }
    }
}

/// Whether there is a plan when these parameters are const; if there is, it is right.
fn is_planned(text: &str, constant: &[usize], mode: Mode) -> bool {
    let case = Case::new(text);
    let mut request = case.request(mode);
    constant.iter().for_each(|param| request.arguments[*param].activity = Activity::Const);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    plan.inspect(|plan| assert_none(&case.faults(plan))).is_ok()
}

fn decide(plan: &mut Plan, pointer: ValueId, choice: Storage) {
    plan.shadows.insert(pointer, Decision { choice, reason: "planted".into() });
}

fn gep(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Gep(_)))
}

/// In `PLACES`: the pointer found in memory.
fn found(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Load(_)))
}

#[test]
fn memory_that_nobody_called_active() {
    for text in [ARRAY, PLACES, BESIDE] {
        let case = Case::new(text);
        let mut plan = case.gradient();
        plan.activity = Active::claim(plan.activity.values().collect::<Vec<_>>());
        let faults = case.faults(&plan);
        says(&faults, Obligation::Closed, "may hold something active, and has no shadow");
        says(&faults, Obligation::Closed, "leads to a shadow, and the plan does not know");
    }
}

#[test]
fn a_load_taken_for_constant() {
    let case = Case::new(ARRAY);
    let mut plan = case.gradient();
    plan.activity = Active::claim([]);
    let load = case.find(0, |op| matches!(op, Op::Load(_)));
    says(
        &case.faults(&plan),
        Obligation::Closed,
        &format!("%{} (load) depends on an active parameter", load.0),
    );
}

/// Two arrays, of which the second may be const.
const TWO: &str = "global @table: double local = double 0.0
function @f(%a: ptr, %b: ptr, %n: i64) -> double {
^entry:
  %x: double = load %a
  %y: double = fmul %x, %x
  store %y, %a
  %z: double = load %a
  ret %z
}";

#[test]
fn what_varies_put_where_no_shadow_is() {
    let planned =
        [("%b", &[1usize][..], "can have no shadow"), ("@table", &[], "`table` is given no shadow")];
    for (place, constant, part) in planned {
        let faults = judge(TWO, "store %y, %a", &format!("store %y, {place}"), constant);
        says(&faults, Obligation::NothingUnknown, part);
    }
}

#[test]
fn memory_beside_memory_without_a_shadow() {
    let text = "function @f(%a: ptr, %b: ptr, %c: i1) -> double {
^entry:
  %p: ptr = select %c, %a, %a
  %x: double = load %p
  ret %x
}";
    let faults = judge(text, "select %c, %a, %a", "select %c, %a, %b", &[1]);
    says(&faults, Obligation::NothingUnknown, "can have no shadow");
}

#[test]
fn an_access_that_has_no_derivative() {
    let faults = judge(TWO, "%x: double = load %a", "%x: double = load %a volatile", &[]);
    says(&faults, Obligation::Differentiable, "is atomic or volatile");
}

#[test]
fn a_fill_or_copy_that_is_not_of_floats() {
    let faults = judge(PLACES, "%made, i8 0, %n", "%made, i8 undef, %n", &[]);
    says(&faults, Obligation::Differentiable, "with an unknown byte");
    let faults = judge(PLACES, "%slot, %made, i64 8", "%slot, %made, i64 7", &[]);
    says(&faults, Obligation::Differentiable, NOT_FLOATS);
}

const NOT_FLOATS: &str = "do not take for the floats in the plan";

/// An array is read whole and moved down by 16 bytes.
const MOVED: &str = "declare @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%a: ptr, %n: i64) -> double {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 0.0, ^loop: %t
  %p: ptr = gep %a, %i over i8 by(8)
  %x: double = load %p
  %t: double = fadd %s, %x
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  %from: ptr = gep %a, i64 16 over i8 by(1)
  %bytes: i64 = mul %n, i64 8
  call @llvm.memmove.p0.p0.i64(%a, %from, %bytes, i1 false)
  ret %t
}";

#[test]
fn a_copy_of_which_not_every_float_is_spoken_of() {
    let changes = [
        // Structs of which one member is touched.
        ("%a, %i over i8 by(8)", "%a, %i over i8 by(16)"),
        // Every double that is moved is half of one and half of another.
        ("%a, i64 16 over", "%a, i64 12 over"),
    ];
    for (line, other) in changes {
        says(&judge(MOVED, line, other, &[]), Obligation::Differentiable, NOT_FLOATS);
    }
    // One element is touched: only a length that is a number of doubles says that it moves an array.
    let first = MOVED.replace("%a, %i over i8 by(8)", "%a, i64 0 over i8 by(8)");
    assert_none(&judge(&first, "", "", &[]));
    says(&judge(&first, "mul %n, i64 8", "mul %n, i64 24", &[]), Obligation::Differentiable, NOT_FLOATS);
}

/// Elements at distances that are not known do not tell that a part of one is not moved.
#[test]
fn a_copy_of_a_part_of_a_float() {
    let section = MOVED.replace("%a, %i over i8 by(8)", "%a, %i over i8 by(1)");
    let section = section.replace("i64(%a, %from, %bytes", "i64(%a, %from, i64 24");
    assert_none(&judge(&section, "", "", &[]));
    says(&judge(&section, "i64 24, i1", "i64 20, i1", &[]), Obligation::Differentiable, NOT_FLOATS);
}

#[test]
fn a_copy_that_is_not_in_the_plan() {
    let case = Case::new(MOVED);
    let mut plan = case.gradient();
    plan.copies.clear();
    says(&case.faults(&plan), Obligation::Differentiable, "copies what the plan does not know");
}

#[test]
fn a_pointer_handed_to_somebody() {
    let text = "declare @free(ptr)
declare @nobody(ptr)
function @f(%a: ptr) -> double {
^entry:
  %x: double = load %a
  ret %x
}";
    let faults = judge(text, "  ret", "  call @nobody(%a)\n  ret", &[]);
    says(&faults, Obligation::NothingUnknown, "is given a pointer to what has a shadow");
    let faults = judge(text, "  ret", "  call @free(%a)\n  ret", &[]);
    says(&faults, Obligation::Differentiable, "frees what was not made here");
}

#[test]
fn a_shadow_pointer_not_stored() {
    for text in [ARRAY, PLACES] {
        let case = Case::new(text);
        let pointers: Vec<ValueId> = case.gradient().shadows.keys().copied().collect();
        for pointer in pointers {
            let mut plan = case.gradient();
            plan.shadows.remove(&pointer);
            let mut faults = case.faults(&plan);
            let before = faults.len();
            faults.retain(|fault| !fault.message.contains("from what is not at hand"));
            if before == faults.len() {
                assert_only(&faults, Obligation::Reads, "the shadow of");
            }
        }
    }
}

#[test]
fn a_shadow_in_the_wrong_storage() {
    let array = Case::new(ARRAY);
    let header = array.block("loop");
    for (choice, part) in [
        (Storage::Keep, "is kept in one cell, and computed again in a loop"),
        (Storage::Argument, "has no slot of its own and is no parameter"),
        (Storage::Invert { header, step: Constant::int(64, 8) }, "is counted back, and is no number"),
    ] {
        let mut plan = array.gradient();
        decide(&mut plan, gep(&array), choice);
        assert_only(&array.faults(&plan), Obligation::Storage, part);
    }
    let places = Case::new(&PLACES.replace("  ret %r", "  store %q, %a\n  ret %r"));
    let mut plan = places.gradient();
    decide(&mut plan, found(&places), Storage::Recompute);
    assert_only(&places.faults(&plan), Obligation::Storage, "made by something that cannot be repeated");
    let mut plan = places.gradient();
    decide(&mut plan, ValueId(0), Storage::Keep);
    assert_only(&places.faults(&plan), Obligation::Storage, "is a parameter, and not taken as one");
}

#[test]
fn an_index_of_a_shadow_not_at_hand() {
    let case = Case::new(ARRAY);
    let mut plan = case.gradient();
    plan.storage.remove(&case.find(0, |op| matches!(op, Op::Phi { .. })));
    assert_only(&case.faults(&plan), Obligation::Storage, "from what is not at hand");
}

#[test]
fn a_length_not_at_hand() {
    let case = Case::new(PLACES);
    let mut plan = case.gradient();
    plan.storage.remove(&ValueId(1)).expect("the fill is undone with its length");
    assert_only(&case.faults(&plan), Obligation::Reads, "%1 (a parameter) is read by");
}

#[test]
fn a_saved_shadow_recorded_elsewhere_or_not() {
    let case = Case::new(ARRAY);
    let mut plan = case.gradient();
    decide(&mut plan, gep(&case), Storage::SaveOnOverwrite);
    assert_only(&case.faults(&plan), Obligation::Records, "what it overwrites is");
    let items = plan.records.entry(case.block("loop")).or_default();
    items.push(Item::Shadow(gep(&case)));
    assert_none(&case.faults(&plan));
    plan.records.entry(case.block("loop")).or_default().push(Item::Shadow(gep(&case)));
    assert_only(&case.faults(&plan), Obligation::Records, "what it overwrites is");
}

#[test]
fn a_shadow_that_is_no_parameter() {
    let case = Case::new(ARRAY);
    let mut plan = case.gradient();
    plan.params.retain(|slot| !matches!(slot, Slot::Shadow { .. }));
    let faults = case.faults(&plan);
    says(&faults, Obligation::Signature, "does not take");
    says(&faults, Obligation::Storage, "not taken as one");
}

#[test]
fn halves_that_keep_different_shadows() {
    let case = Case::new(ARRAY);
    let augmented = case.plan(&case.request(Mode::Augmented));
    let mut reverse = case.plan(&case.request(Mode::Reverse));
    assert_none(&check_halves(&augmented, &reverse));
    decide(&mut reverse, gep(&case), Storage::Keep);
    assert_only(&check_halves(&augmented, &reverse), Obligation::Tape, "different shadows");
}

/// One of two pointers is put into a slot and found there.
const CHOSEN: &str = "function @f(%a: ptr, %c: ptr, %n: i64) -> double {
^entry:
  %slot: ptr = alloca i32 1 of ptr bytes 8 align 8
  store %a, %slot
  %t: i1 = icmp eq %n, i64 0
  br %t, ^yes, ^join
^yes:
  store %a, %slot
  br ^join
^join:
  %q: ptr = load %slot
  %x: double = load %q
  %y: double = fmul %x, %x
  ret %y
}";

/// The planner once accepted this: the slot's shadow still held the shadow of `a` when `c` was found.
#[test]
fn a_shadow_found_that_belongs_to_another_pointer() {
    let constant = CHOSEN.replace("^yes:\n  store %a", "^yes:\n  store %c");
    assert!(!is_planned(&constant, &[1], Mode::Gradient), "c has no shadow");
    assert!(is_planned(&constant, &[], Mode::Gradient), "c has one");
    let faults = judge(CHOSEN, "^yes:\n  store %a", "^yes:\n  store %c", &[1]);
    says(&faults, Obligation::NothingUnknown, "stores a pointer without a shadow");
}

/// The planner once stored a null shadow, or the pointer itself as its shadow, beside a pointer that has one.
#[test]
fn a_pointer_with_a_shadow_or_without_put_where_it_is_found() {
    let text = "function @f(%a: ptr, %c: ptr, %n: i64) -> double {
^entry:
  %slot: ptr = alloca i32 1 of ptr bytes 8 align 8
  %t: i1 = icmp eq %n, i64 0
  %p: ptr = select %t, %a, %a
  store %p, %slot
  %q: ptr = load %slot
  %x: double = load %q
  ret %x
}";
    let mixed = "select %t, %a, %c";
    assert!(is_planned(text, &[1], Mode::Gradient));
    assert!(!is_planned(&text.replace("select %t, %a, %a", mixed), &[1], Mode::Gradient), "c has no shadow");
    assert!(is_planned(&text.replace("select %t, %a, %a", mixed), &[], Mode::Gradient), "c has one");
    let faults = judge(text, "select %t, %a, %a", mixed, &[1]);
    says(&faults, Obligation::NothingUnknown, "stores a pointer without a shadow");
}

/// The planner once took what is found in an aggregate for constant.
#[test]
fn a_pointer_found_in_an_aggregate() {
    let text = "function @f(%a: ptr) -> double {
^entry:
  %s: {ptr, double} = load %a
  %q: ptr = extractvalue %s path(0)
  %x: double = load %q
  ret %x
}";
    assert!(!is_planned(text, &[], Mode::Gradient));
}

/// The planner once kept the shadow of `%q` for the second half of split mode, whose slot is another.
#[test]
fn a_slot_that_is_gone_in_the_second_half() {
    let text = "function @f(%x: double) -> double {
^entry:
  %slot: ptr = alloca i32 1 of double bytes 8 align 8
  %place: ptr = alloca i32 1 of ptr bytes 8 align 8
  store %x, %slot
  store %slot, %place
  %q: ptr = load %place
  %y: double = load %q
  ret %y
}";
    assert!(is_planned(text, &[], Mode::Gradient));
    assert!(is_planned(text, &[], Mode::Augmented) && is_planned(text, &[], Mode::Reverse));
    let case = Case::new(text);
    let mut plan = case.gradient();
    plan.request = case.request(Mode::Reverse);
    says(&case.faults(&plan), Obligation::Tape, "first half's slots are gone");
}

/// A length found in active memory is counted with and carries nothing, wherever it goes.
#[test]
fn a_length_found_in_active_memory() {
    for line in [
        "call @llvm.memcpy.p0.p0.i64(%q, %p, %n, i1 false)",
        "call @llvm.memset.p0.i64(%q, i8 0, %n, i1 false)",
        "%m: ptr = call @malloc(%n)",
        "%m: i64 = call @llvm.smax.i64(%n, i64 0)",
        "call @putchar(%n)",
        "%m: i64 = call @llvm.ctlz.i64(%n, i1 false)",
    ] {
        let text = format!(
            "declare @malloc(i64) -> ptr
declare @putchar(i64)
declare @llvm.smax.i64(i64, i64) -> i64
declare @llvm.ctlz.i64(i64, i1) -> i64
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare @llvm.memset.p0.i64(ptr, i8, i64, i1)
function @f(%s: ptr, %p: ptr, %q: ptr) -> double {{
^entry:
  %n: i64 = load %s
  {line}
  %at: ptr = gep %q, %n over double by(8)
  %x: double = load %at
  %y: double = load %p
  %r: double = fmul %x, %y
  ret %r
}}"
        );
        assert!(is_planned(&text, &[], Mode::Gradient), "{line}");
    }
}
