//! Plans of functions that find arrays in a descriptor of a module: right ones pass, each with one fault is rejected.

mod checker;

use backsweep_core::check::{Fault, Obligation};
use backsweep_core::plan::{Arrival, LeadsTo};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// The module's array, a pointer beside it, and an argument that leads on to numbers.
const MODULE: &str = "global @work: {ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]]} = {ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]]} \
(ptr null, i64 8, i32 20240719, i8 1, i8 28, i8 2, i8 0, [1 x [3 x i64]] ([3 x i64] (i64 1, i64 0, i64 8)))
global @other: {ptr, i64} = {ptr, i64} (ptr null, i64 0)
function @f(%x: double, %p: ptr) -> double {
^entry:
  %w: ptr = load @work
  store %x, %w
  %y: double = load %w
  %q: ptr = load %p
  %u: double = load %q
  %v: double = fmul %y, %u
  %o: ptr = load @other
  store %v, %o
  %z: double = load %o
  ret %z
}";

fn says(faults: &[Fault], obligation: Obligation, part: &str) {
    let found = faults.iter().any(|fault| fault.obligation == obligation && fault.message.contains(part));
    assert!(found, "nothing says `{part}` of {obligation:?}: {faults:#?}");
}

#[test]
fn elements_get_a_shadow_where_the_derivative_ends_here() {
    for mode in [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse] {
        let case = Case::new(MODULE);
        let plan = case.plan(&case.request(mode));
        assert_none(&case.faults(&plan));
        let made = plan.pointers_in.iter().filter(|pointer| pointer.leads_to == LeadsTo::Elements);
        let made: Vec<(&str, u64)> = made.map(|pointer| (pointer.global.as_str(), pointer.offset)).collect();
        let whole = matches!(mode, Mode::Gradient | Mode::Tangent);
        assert_eq!(made, if whole { vec![("work", 0)] } else { Vec::new() });
    }
}

#[test]
fn what_is_no_descriptor_has_no_elements() {
    let case = Case::new(MODULE);
    let mut plan = case.gradient();
    let other = plan.pointers_in.iter_mut().find(|pointer| pointer.global == "other").expect("it is active");
    other.leads_to = LeadsTo::Elements;
    says(&case.faults(&plan), Obligation::Storage, "is no array whose elements may have a shadow");
    let mut plan = case.gradient();
    let inside = plan.pointers_in.iter_mut().find(|pointer| pointer.global == "work").expect("it is active");
    inside.offset = 8;
    says(&case.faults(&plan), Obligation::Storage, "is no array whose elements may have a shadow");
}

#[test]
fn a_pointer_that_may_lead_into_them_is_compared() {
    let case = Case::new(MODULE);
    let plan = case.gradient();
    let compared: Vec<_> = plan
        .arrivals
        .iter()
        .filter(|(_, with)| with.contains(&Arrival::Elements))
        .map(|(id, _)| *id)
        .collect();
    assert!(!compared.is_empty());
    for id in compared {
        let mut faulty = case.gradient();
        faulty.arrivals.get_mut(&id).expect("it is compared").retain(|with| *with != Arrival::Elements);
        says(&case.faults(&faulty), Obligation::NothingUnknown, "is not compared when it arrives: Elements");
    }
    let mut plan = case.gradient();
    plan.arrivals.clear();
    says(&case.faults(&plan), Obligation::NothingUnknown, "HasShadow");
}
