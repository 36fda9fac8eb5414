//! Memory that is put back: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Decision, Item, Plan, Storage};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// `u[i] = u[i] * u[i - 1]` for all `i`, again and again.
const SWEEPS: &str = "function @f(%u: ptr noalias, %n: i64, %steps: i64) -> void {
^entry:
  br ^outer
^outer:
  %t: i64 = phi ^entry: i64 0, ^latch: %later
  br ^inner
^inner:
  %i: i64 = phi ^outer: i64 1, ^inner: %next
  %p: ptr = gep %u, %i over double by(8)
  %here: double = load %p
  %before: i64 = add %i, i64 -1
  %q: ptr = gep %u, %before over double by(8)
  %there: double = load %q
  %new: double = fmul %here, %there
  store %new, %p
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^inner, ^latch
^latch:
  %later: i64 = add %t, i64 1
  %again: i1 = icmp slt %later, %steps
  br %again, ^outer, ^exit
^exit:
  ret
}";

fn given_up(case: &Case) -> Request {
    let mut request = case.request(Mode::Gradient);
    request.arguments[0].activity = Activity::DupNoNeed;
    request
}

fn is_store(op: &Op) -> bool {
    matches!(op, Op::Store(_))
}

fn store_of(case: &Case) -> ValueId {
    case.find(0, is_store)
}

fn right(case: &Case) -> Plan {
    let plan = case.lean_plan(&given_up(case));
    assert_none(&case.faults(&plan));
    assert!(plan.restored.contains(&store_of(case)), "{plan}");
    plan
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

#[test]
fn one_number_is_saved_for_each_store() {
    let case = Case::new(SWEEPS);
    let plan = right(&case);
    let values = plan.records.values().flatten().filter(|item| matches!(item, Item::Value(_) | Item::Old(_)));
    let floats = values.filter(|item| match item {
        Item::Value(value) => case.function.value_type(*value).holds_float(),
        _ => true,
    });
    assert_eq!(floats.collect::<Vec<_>>(), [&Item::Old(store_of(&case))], "{plan}");
}

#[test]
fn what_the_caller_looks_at_is_not_put_back() {
    let case = Case::new(SWEEPS);
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    assert!(plan.restored.is_empty(), "{plan}");
    let mut planted = right(&case);
    planted.request.arguments[0].activity = Activity::Dup;
    says(&case, &planted, "somebody may look at it afterwards");
}

/// Every value read in the reverse of the multiplication was overwritten behind it; here it is read behind the store, too.
#[test]
fn what_is_read_behind_the_store_is_kept() {
    let text =
        SWEEPS.replace("  %next: i64", "  %w: double = fmul %here, %here\n  store %w, %q\n  %next: i64");
    let case = Case::new(&text);
    let plan = case.lean_plan(&given_up(&case));
    assert_none(&case.faults(&plan));
    let here = case.find(0, |op| matches!(op, Op::Load(_)));
    assert_ne!(plan.storage[&here].choice, Storage::Recompute, "{plan}");
    let mut planted = plan;
    let stores: Vec<ValueId> = (0..2).map(|nth| case.find(nth, is_store)).collect();
    planted.restored.extend(&stores);
    for store in stores {
        let place = case.function.inst(store).and_then(|inst| inst.operands[1].value());
        let again = Decision { choice: Storage::Recompute, reason: "planted".into() };
        planted.storage.entry(place.expect("it is computed")).or_insert(again);
    }
    planted.storage.insert(here, Decision { choice: Storage::Recompute, reason: "planted".into() });
    says(&case, &planted, "is read again after it was overwritten, in the reverse of");
}

#[test]
fn a_store_that_saves_nothing() {
    let case = Case::new(SWEEPS);
    let mut plan = right(&case);
    plan.restored.clear();
    says(&case, &plan, "may trap or read what has changed");
    let mut plan = right(&case);
    plan.records.values_mut().for_each(|items| items.retain(|item| !matches!(item, Item::Old(_))));
    assert!(case.faults(&plan).iter().any(|fault| fault.obligation == Obligation::Records));
}

#[test]
fn an_address_that_is_not_at_hand() {
    let case = Case::new(SWEEPS);
    let mut plan = right(&case);
    let place = case.find(0, |op| matches!(op, Op::Gep(_)));
    plan.storage.remove(&place);
    says(&case, &plan, "at an address that is not at hand");
}

/// Memory that something else than a store writes to is left alone.
#[test]
fn memory_that_is_filled() {
    let text = SWEEPS.replace("^exit:\n", "^exit:\n  call @llvm.memset.p0.i64(%u, i8 0, %n, i1 false)\n");
    let case = Case::new(&format!("declare @llvm.memset.p0.i64(ptr, i8, i64, i1)\n{text}"));
    let plan = case.lean_plan(&given_up(&case));
    assert_none(&case.faults(&plan));
    assert!(plan.restored.is_empty(), "{plan}");
}

/// The other half may be run anywhere.
#[test]
fn a_half_puts_nothing_back() {
    let case = Case::new(SWEEPS);
    let mut request = given_up(&case);
    request.mode = Mode::Augmented;
    let mut plan = case.lean_plan(&request);
    assert_none(&case.faults(&plan));
    assert!(plan.restored.is_empty());
    plan.restored.insert(store_of(&case));
    says(&case, &plan, "others may look between the halves");
}
