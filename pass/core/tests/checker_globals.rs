//! Plans of functions whose values pass through globals: right ones pass, each with one fault is rejected, for that
//! fault; and what cannot be planned is refused.

mod checker;

use backsweep_core::check::{Fault, Obligation, check_halves, check_plan};
use backsweep_core::config::Config;
use backsweep_core::plan::{Arrival, GlobalShadow, LeadsTo, make_plan, make_plans};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none};

/// A scalar, a table of fixed pointers, and a pointer that anybody may have changed.
const GLOBALS: &str = "global @sum: double = double 1.0
global @row: [2 x double] local address_taken = [2 x double] zero
global @rows: [2 x ptr] constant = [2 x ptr] (@row, offset(@row, 8))
global @place: ptr = @row
function @f(%x: double, %p: ptr, %n: i64) -> double {
^entry:
  store %x, @sum
  %at: ptr = gep @rows, %n over ptr by(8)
  %r: ptr = load %at
  %old: double = load %r
  %y: double = fmul %old, %x
  store %y, %r
  %q: ptr = load @place
  %z: double = load %q
  %s: double = load @sum
  %t: double = fmul %z, %s
  %u: double = load %p
  %v: double = fmul %t, %u
  ret %v
}";

#[test]
fn right_plans_pass() {
    for mode in [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse] {
        let case = Case::new(GLOBALS);
        let mut request = case.request(mode);
        request.width = 2;
        let plan = case.plan(&request);
        assert_none(&case.faults(&plan));
        assert_eq!(plan.globals.keys().collect::<Vec<_>>(), ["place", "row", "rows", "sum"]);
    }
}

fn says(faults: &[Fault], obligation: Obligation, part: &str) {
    let found = faults.iter().any(|fault| fault.obligation == obligation && fault.message.contains(part));
    assert!(found, "nothing says `{part}` of {obligation:?}: {faults:#?}");
}

#[test]
fn a_shadow_that_is_missing_or_does_not_fit() {
    let case = Case::new(GLOBALS);
    let mut plan = case.gradient();
    plan.globals.remove("sum");
    says(&case.faults(&plan), Obligation::NothingUnknown, "the global `sum` is given no shadow");
    for (choice, part) in [
        (GlobalShadow::Slot { bytes: 4 }, "does not fit"),
        (GlobalShadow::Declared("row".into()), "has not the shadow that was declared"),
        (GlobalShadow::Given, "the caller does not hand over"),
        (GlobalShadow::Itself, "is taken for its own shadow"),
    ] {
        let mut plan = case.gradient();
        plan.globals.get_mut("sum").expect("it is active").choice = choice;
        says(&case.faults(&plan), Obligation::NothingUnknown, part);
    }
    let mut plan = case.plan(&case.request(Mode::Reverse));
    plan.globals.get_mut("sum").expect("it is active").choice = GlobalShadow::Slot { bytes: 8 };
    says(&case.faults(&plan), Obligation::NothingUnknown, "the second half does not find");
    let augmented = case.plan(&case.request(Mode::Augmented));
    says(&check_halves(&augmented, &plan), Obligation::Tape, "shadows of globals in different places");
}

#[test]
fn a_pointer_whose_shadow_leads_elsewhere() {
    let case = Case::new(GLOBALS);
    let mut plan = case.gradient();
    plan.pointers_in.retain(|pointer| pointer.offset != 8);
    says(&case.faults(&plan), Obligation::Storage, "is not filled in");
    let mut plan = case.gradient();
    let second = plan.pointers_in.iter_mut().find(|pointer| pointer.offset == 8).expect("there are two");
    second.leads_to = LeadsTo::Place { global: "row".into(), bytes: 0 };
    says(&case.faults(&plan), Obligation::Storage, "is not what the initial value says");
    let mut plan = case.gradient();
    let place = plan.pointers_in.iter_mut().find(|pointer| pointer.global == "place").expect("there is one");
    place.leads_to = LeadsTo::Place { global: "row".into(), bytes: 0 };
    says(&case.faults(&plan), Obligation::Storage, "is not what the initial value says");
}

#[test]
fn a_pointer_that_is_not_compared() {
    let case = Case::new(GLOBALS);
    let arrivals = case.gradient().arrivals;
    assert!(arrivals.values().flatten().any(|arrival| *arrival == Arrival::HasShadow));
    assert!(arrivals.values().flatten().any(|arrival| *arrival == Arrival::Belongs("row".into())));
    for (pointer, planned) in arrivals {
        for arrival in planned {
            let mut plan = case.gradient();
            plan.arrivals.get_mut(&pointer).expect("it is there").retain(|other| *other != arrival);
            says(&case.faults(&plan), Obligation::NothingUnknown, "is not compared when it arrives");
        }
    }
}

#[test]
fn an_argument_that_may_be_a_global_without_a_shadow() {
    let text = "global @scale: double = double 2.0
function @f(%p: ptr) -> double {
^entry:
  %x: double = load %p
  %s: double = load @scale
  %y: double = fmul %x, %s
  ret %y
}";
    let case = Case::new(text);
    let mut plan = case.gradient();
    assert_eq!(plan.arrivals.values().flatten().collect::<Vec<_>>(), [&Arrival::Outside("scale".into())]);
    plan.arrivals.clear();
    says(&case.faults(&plan), Obligation::NothingUnknown, "is not compared when it arrives");
    // Nobody can have the address of this one.
    let hidden = Case::new(&text.replace("double = double 2.0", "double local = double 2.0"));
    assert!(hidden.gradient().arrivals.is_empty());
}

/// A pointer that is handed to somebody who only compares it is not asked where it leads; it is if he looks there.
#[test]
fn a_pointer_that_is_only_handed_on() {
    let text = "global @row: [2 x double] = [2 x double] zero
global @place: ptr = @row
function @g(%x: double, %p: ptr) -> double {
^entry:
  %r: double = fmul %x, %x
  ret %r
}
function @f(%x: double) -> double {
^entry:
  store %x, @row
  %p: ptr = load @place
  %u: double = call @g(double 1.0, %p)
  %y: double = load @row
  %r: double = fmul %y, %u
  ret %r
}";
    let case = Case::new(text);
    let plan = case.gradient();
    assert!(plan.arrivals.is_empty());
    assert_none(&case.faults(&plan));
    let looks = Case::new(&text.replace("fmul %x, %x", "load %p"));
    let mut plan = looks.gradient();
    assert!(plan.arrivals.values().flatten().any(|arrival| *arrival == Arrival::Belongs("row".into())));
    assert_none(&looks.faults(&plan));
    plan.arrivals.clear();
    says(&looks.faults(&plan), Obligation::NothingUnknown, "is not compared when it arrives");
}

/// The refusals of the gradient, as text.
fn refusals(text: &str, constant: &[usize]) -> String {
    let case = Case::new(text);
    let mut request = case.request(Mode::Gradient);
    constant.iter().for_each(|param| request.arguments[*param].activity = Activity::Const);
    match make_plans(&case.function, &case.program, &case.rules, &request, &Config::default()) {
        Ok(_) => String::new(),
        Err(refused) => refused.refusals.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn what_can_have_no_shadow_is_refused() {
    let text = "global @elsewhere: [0 x double]
function @f(%x: double) -> double {
^entry:
  store %x, @elsewhere
  %y: double = load @elsewhere
  ret %y
}";
    assert!(refusals(text, &[]).contains("its size is not known in this file"));
    let far = "global @far: double space(1) = double 0.0
function @f(%x: double) -> double {
^entry:
  store %x, @far space(1)
  %y: double = load @far space(1)
  ret %y
}";
    assert!(refusals(far, &[]).contains("an address space of its own"));
    let mixed = "global @quiet: double inactive = double 0.0
function @f(%p: ptr, %n: i64) -> double {
^entry:
  %c: i1 = icmp eq %n, i64 0
  %q: ptr = select %c, %p, @quiet
  %y: double = load %q
  ret %y
}";
    assert!(refusals(mixed, &[]).contains("it was declared inactive"));
    let small = "global @dg: [3 x double] = [3 x double] zero
global @g: [4 x double] shadow(@dg) = [4 x double] zero
function @f(%x: double) -> double {
^entry:
  store %x, @g
  ret %x
}";
    assert!(refusals(small, &[]).contains("its declared shadow `dg` is not as large as it is"));
}

/// Code out of sight may touch a global, unless it is said that it does not.
#[test]
fn calls_out_of_sight() {
    let text = "global @state: double = double 0.0
declare @step()
function @f(%x: double) -> double {
^entry:
  store %x, @state
  call @step()
  %y: double = load @state
  ret %y
}";
    assert!(refusals(text, &[]).contains("may read or write the global `state`"));
    for harmless in
        ["memory(none)", "memory(inaccessiblemem: write)", "memory(argmem: readwrite, errnomem: write)"]
    {
        let text = text.replace("@step()\nfunction", &format!("@step() attributes('{harmless}')\nfunction"));
        assert_eq!(refusals(&text, &[]), "");
        assert_none(&Case::new(&text).faults(&Case::new(&text).gradient()));
    }
    for not in ["memory(read)", "memory(readwrite, argmem: none)", "nounwind"] {
        let text = text.replace("@step()\nfunction", &format!("@step() attributes('{not}')\nfunction"));
        assert!(refusals(&text, &[]).contains("may read or write the global `state`"), "{not}");
    }
    // The same behind a function with a body.
    let deep = text.replace("call @step()", "call @middle()").replace(
        "function @f",
        "function @middle() -> void {\n^entry:\n  call @step()\n  ret\n}\nfunction @f",
    );
    assert!(refusals(&deep, &[]).contains("the call of `middle` may read or write the global `state`"));
    // A program whose calls are harmless, judged with the plan of one whose are not.
    let harmless = text.replace("@step()\nfunction", "@step() attributes('memory(none)')\nfunction");
    let (planned, other) = (Case::new(&harmless), Case::new(text));
    let faults = check_plan(&planned.gradient(), &other.function, &other.program, &other.rules);
    says(&faults, Obligation::NothingUnknown, "may touch globals that have shadows");
}

/// A function that is given nothing but finds what is active in a global.
const CALLED: &str = "global @state: double = double 0.0
global @other: double = double 0.0
function @step(%n: i64) -> void {
^entry:
  %more: i1 = icmp sgt %n, i64 0
  br %more, ^work, ^done
^work:
  %x: double = load @state
  %y: double = fmul %x, %x
  store %y, @other
  %m: i64 = sub %n, i64 1
  call @step(%m)
  br ^done
^done:
  ret
}
function @f(%x: double, %n: i64) -> double {
^entry:
  store %x, @state
  call @step(%n)
  %y: double = load @other
  ret %y
}";

#[test]
fn callees_are_handed_the_shadows() {
    let case = Case::new(CALLED);
    for mode in [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse] {
        let plans =
            make_plans(&case.function, &case.program, &case.rules, &case.request(mode), &Config::default());
        for variant in plans.unwrap_or_else(|refused| panic!("{:?}", refused.refusals)) {
            let function = case.program.function(&variant.plan.function).expect("it has a body");
            assert_none(&check_plan(&variant.plan, function, &case.program, &case.rules));
        }
    }
    let plan = make_plan(
        &case.function,
        &case.program,
        &case.rules,
        &case.request(Mode::Gradient),
        &Config::default(),
    );
    let mut plan = plan.expect("nothing is refused");
    let call = plan.calls.values_mut().next().expect("the call is differentiated");
    assert_eq!(call.request.globals, ["other", "state"]);
    call.request.globals.pop();
    says(&case.faults(&plan), Obligation::NothingUnknown, "is not given the shadow of the global `state`");
}
