//! What is computed again or counted back: right plans and derivatives pass, each with one fault is rejected.

mod checker;

use backsweep_core::check::{Fault, Obligation};
use backsweep_core::model::{Constant, Inst, IntOp, Op, Operand, ValueId};
use backsweep_core::plan::{Decision, Plan, Storage};
use backsweep_core::request::{Activity, Mode};
use checker::edit::{find_all, home, inst_mut, remove, repeat, stores_to};
use checker::programs::{LANES, NEST, QUOTIENT};
use checker::written::Written;
use checker::{Case, assert_none, assert_only};

/// The power of `x` that a counter names is what the reverse reads: counted back, and computed again.
const COUNTED: &str = "function @f(%v: <2 x double>, %x: double, %n: i32) -> double {
^entry:
  br ^loop
^loop:
  %i: i32 = phi ^entry: i32 0, ^loop: %next
  %u: <2 x double> = phi ^entry: %v, ^loop: %w
  %lane: i32 = and %i, i32 1
  %e: double = extractelement %u, %lane
  %p: double = fmul %e, %x
  %w: <2 x double> = insertelement %u, %p, i32 0
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %p
}";

fn store(plan: &mut Plan, value: ValueId, choice: Storage) {
    plan.storage.insert(value, Decision { choice, reason: "planted".into() });
}

fn counter(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Phi { .. }))
}

fn lane(case: &Case) -> ValueId {
    case.find(0, |op| *op == Op::Int(IntOp::And))
}

#[test]
fn counted_and_recomputed_passes() {
    let case = Case::new(COUNTED);
    let plan = case.gradient();
    assert!(matches!(plan.storage[&counter(&case)].choice, Storage::Invert { .. }));
    assert_eq!(plan.storage[&lane(&case)].choice, Storage::Recompute);
    assert_none(&case.faults(&plan));
}

#[test]
fn a_counter_counted_back_by_another_step() {
    let case = Case::new(COUNTED);
    let mut plan = case.gradient();
    let header = case.block("loop");
    store(&mut plan, counter(&case), Storage::Invert { header, step: Constant::int(32, 2) });
    assert_only(&case.faults(&plan), Obligation::Storage, "counted back by what was not added");
}

#[test]
fn a_counter_counted_back_in_another_loop() {
    let case = Case::new(NEST);
    let mut plan = case.gradient();
    let (inner, step) = (case.block("inner"), Constant::int(32, 1));
    store(&mut plan, counter(&case), Storage::Invert { header: inner, step });
    let mut faults = case.faults(&plan);
    // A value that is counted back elsewhere is recorded elsewhere, too.
    faults.retain(|fault| fault.obligation != Obligation::Records);
    assert_only(&faults, Obligation::Storage, "counted back by what was not added");
    let mut plan = Case::new(COUNTED).gradient();
    let exit = Case::new(COUNTED).block("exit");
    store(
        &mut plan,
        counter(&Case::new(COUNTED)),
        Storage::Invert { header: exit, step: Constant::int(32, 1) },
    );
    assert_only(&Case::new(COUNTED).faults(&plan), Obligation::Storage, "whose passes are not counted");
}

#[test]
fn a_product_counted_back() {
    let case = Case::new(&COUNTED.replace("add %i, i32 1", "mul %i, i32 1"));
    let mut plan = case.gradient();
    let header = case.block("loop");
    plan.records.clear();
    store(&mut plan, counter(&case), Storage::Invert { header, step: Constant::int(32, 1) });
    let mut faults = case.faults(&plan);
    faults.retain(|fault| fault.obligation != Obligation::Records);
    assert_only(&faults, Obligation::Storage, "counted back by what was not added");
}

#[test]
fn a_division_computed_again_and_a_function_of_numbers() {
    let case = Case::new(&LANES.replace("xor %i, i32 1", "udiv %i, i32 2"));
    let plan = case.gradient();
    let divided = case.find(0, |op| *op == Op::Int(IntOp::UDiv));
    // It ran on the same numbers before.
    assert_eq!(plan.storage[&divided].choice, Storage::Recompute);
    assert_none(&case.faults(&plan));
    let case = Case::new(QUOTIENT);
    let mut plan = case.gradient();
    let sine = case.find(0, |op| matches!(op, Op::Call(_)));
    store(&mut plan, sine, Storage::Recompute);
    assert_none(&case.faults(&plan));
}

const LOADED: &str = "declare @unknown(ptr) -> void
function @f(%v: <2 x double>, %p: ptr, %q: ptr) -> double {
^entry:
  %i: i32 = load %p
  %r: double = extractelement %v, %i
  ret %r
}";

/// How the plan has the index that was loaded, and what the checker says of having it by reading it again.
fn loaded_again(text: &str, mode: Mode) -> (Storage, Vec<Fault>) {
    let case = Case::new(text);
    let mut request = case.request(mode);
    request.arguments[1].activity = Activity::Const;
    request.arguments[2].activity = Activity::Const;
    let mut plan = case.plan(&request);
    assert_none(&case.faults(&plan));
    let load = case.find(0, |op| matches!(op, Op::Load(_)));
    let planned = plan.storage[&load].choice.clone();
    store(&mut plan, load, Storage::Recompute);
    if let Some(address) = case.function.inst(load).and_then(|inst| inst.operands[0].value()) {
        plan.storage.entry(address).or_insert(Decision { choice: Storage::Argument, reason: String::new() });
    }
    (planned, case.faults(&plan))
}

#[test]
fn a_load_of_what_lasts() {
    for text in [
        LOADED.to_owned(),
        LOADED.replace("%i: i32 = load", "store i32 1, %p\n  %i: i32 = load"),
        LOADED.replace("%p: ptr", "%p: ptr noalias").replace("  ret", "  store i32 1, %q\n  ret"),
        LOADED
            .replace("^entry:", "^entry:\n  %s: ptr = alloca i32 1 of i32 bytes 4 align 4")
            .replace("load %p", "load %s")
            .replace("  ret", "  store i32 1, %q\n  ret"),
    ] {
        let (planned, faults) = loaded_again(&text, Mode::Gradient);
        assert_eq!(planned, Storage::Recompute, "{text}");
        assert_none(&faults);
    }
}

#[test]
fn a_load_of_what_may_change() {
    let looped = "^entry:\n  br ^loop\n^loop:\n  %i: i32 = load %p\n  %r: double = extractelement %v, %i\n  \
                  %c: i1 = fcmp olt %r, double 1.0\n  br %c, ^next, ^out\n^next:\n  store i32 1, %p\n  br ^loop\n^out:\n";
    let (head, _) = LOADED.split_once("^entry:").expect("an entry");
    for text in [
        LOADED.replace("  ret", "  store i32 1, %p\n  ret"),
        LOADED.replace("  ret", "  store i32 1, %q\n  ret"),
        LOADED.replace("  ret", "  call @unknown(%q)\n  ret"),
        LOADED.replace("load %p", "load %p volatile"),
        format!("{head}{looped}  ret %r\n}}"),
        LOADED
            .replace("^entry:", "^entry:\n  %s: ptr = alloca i32 1 of i32 bytes 4 align 4")
            .replace("load %p", "load %s")
            .replace("  ret", "  call @unknown(%s)\n  ret"),
    ] {
        let (planned, faults) = loaded_again(&text, Mode::Gradient);
        assert_ne!(planned, Storage::Recompute, "{text}");
        // In a loop its record is one too many now, which is another fault.
        let mut faults = faults;
        faults.retain(|fault| fault.obligation != Obligation::Records);
        assert_only(&faults, Obligation::Storage, "may trap or read what has changed");
    }
    let (planned, faults) = loaded_again(LOADED, Mode::Augmented);
    assert_eq!(planned, Storage::Keep, "between the two halves anybody may write");
    assert_only(&faults, Obligation::Storage, "may trap or read what has changed");
}

#[test]
fn computed_again_from_what_is_gone() {
    let case = Case::new(COUNTED);
    let mut plan = case.gradient();
    plan.storage.remove(&counter(&case));
    let mut faults = case.faults(&plan);
    faults.retain(|fault| fault.obligation != Obligation::Records);
    assert_only(&faults, Obligation::Storage, "computed again from what is not at hand");
}

/// The function written from the plan, and what the checker says of it.
fn write(text: &str) -> Written {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    Written::of(case, &request)
}

impl Written {
    /// The subtraction that counts the counter back, of 32 bits.
    fn count_back(&self) -> ValueId {
        let counts = |inst: &Inst| {
            inst.op == Op::Int(IntOp::Sub) && inst.operands[1] == Operand::Const(Constant::int(32, 1))
        };
        find_all(&self.derived, counts)[0]
    }

    fn store_of(&self, value: ValueId) -> ValueId {
        let stores =
            |inst: &Inst| matches!(inst.op, Op::Store(_)) && inst.operands[0] == Operand::Value(value);
        find_all(&self.derived, stores)[0]
    }

    fn again(&self) -> ValueId {
        let origin = lane(&self.case);
        let copies = find_all(&self.derived, |inst| inst.origin == Some(origin));
        *copies.last().expect("it is computed again")
    }
}

#[test]
fn a_count_back_dropped() {
    let mut written = write(COUNTED);
    let store = written.store_of(written.count_back());
    remove(&mut written.derived, store);
    written.reject(Obligation::Cells, "does not take back Kept");
}

#[test]
fn a_count_back_twice_or_by_two() {
    let mut written = write(COUNTED);
    let store = written.store_of(written.count_back());
    repeat(&mut written.derived, store);
    written.reject(Obligation::Cells, "is not given back what it held before");
    let mut written = write(COUNTED);
    let counted = written.count_back();
    inst_mut(&mut written.derived, counted).operands[1] = Operand::Const(Constant::int(32, 2));
    written.reject(Obligation::Cells, "is not given back what it held before");
}

#[test]
fn a_count_back_outside_the_loop() {
    let mut written = write(COUNTED);
    let counted = written.store_of(written.count_back());
    let cell = written.derived.inst(counted).and_then(|inst| inst.operands[1].value()).expect("a cell");
    let starts = stores_to(&written.derived, cell);
    let start = starts.into_iter().find(|id| home(&written.derived, *id).0 == 0).expect("it starts at zero");
    let finish = checker::edit::block_named(&written.derived, "finish");
    checker::edit::move_to(&mut written.derived, start, finish);
    written.reject(Obligation::Cells, "which reverses no block");
}

#[test]
fn computed_again_from_another_value() {
    let mut written = write(COUNTED);
    let again = written.again();
    inst_mut(&mut written.derived, again).operands[0] = Operand::Value(ValueId(2));
    written.reject(Obligation::Backward, "has other operands");
}

#[test]
fn computed_again_without_a_plan() {
    let mut written = write(COUNTED);
    store(&mut written.plan, lane(&written.case), Storage::SaveOnOverwrite);
    assert!(written.faults().iter().any(|fault| fault.message.contains("which is not planned")));
    let mut written = write(COUNTED);
    let again = written.again();
    inst_mut(&mut written.derived, again).op = Op::Int(IntOp::Or);
    written.reject(Obligation::Forward, "is called a copy");
}
