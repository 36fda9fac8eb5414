//! Memory whose address a called function returns: what a caller does with it there tells what lies in it, and the checker asks the
//! same.

mod checker;

use backsweep_core::check::{Fault, check_plan};
use backsweep_core::kinds::find_integers;
use backsweep_core::plan::Plan;
use checker::{Case, assert_none};

/// Of two structs of a number and a count, both found by a function, one gets the count of the other.
const FOUND: &str = "function @element(%a: ptr, %n: i64) -> ptr {
^entry:
  %p: ptr = gep %a, %n over i8 by(16)
  %x: double = load %p
  %low: i1 = fcmp olt %x, double 0.0
  %some: ptr = select %low, %a, %p
  ret %some
}
function @f(%a: ptr, %n: i64) -> double {
^entry:
  %p: ptr = call @element(%a, %n)
  %count: ptr = gep %p, i64 8 over i8 by(1)
  %bits: i64 = load %count align 8
  %m: i64 = sub %n, i64 1
  %q: ptr = call @element(%a, %m)
  %last: ptr = gep %q, i64 8 over i8 by(1)
  store %bits, %last align 8
  %k: i64 = load %last align 8
  %j: i64 = load %count align 8
  %times: double = sitofp %k
  %more: double = sitofp %j
  %x: double = load %p
  %y: double = fmul %x, %times
  %z: double = fmul %y, %more
  ret %z
}";

/// The same, where the function that finds them reads a number in the place of the count.
fn read_as_float() -> String {
    FOUND.replace(
        "%x: double = load %p\n  %low",
        "%c: ptr = gep %p, i64 8 over i8 by(1)\n  %x: double = load %c\n  %low",
    )
}

fn faults_in(text: &str, plan: &Plan) -> Vec<Fault> {
    let case = Case::new(text);
    check_plan(plan, &case.function, &case.program, &case.rules)
}

#[test]
fn who_gets_the_address_tells() {
    let case = Case::new(FOUND);
    assert_eq!(find_integers(&case.function, &case.program).len(), 1);
    assert_none(&case.faults(&case.gradient()));
}

#[test]
fn who_returned_it_is_asked() {
    let case = Case::new(&read_as_float());
    assert!(find_integers(&case.function, &case.program).is_empty());
    let plan = Case::new(FOUND).gradient();
    assert_ne!(faults_in(&read_as_float(), &plan), [], "a number is read where the plan moves a count");
}

/// Of two addresses that are returned together nobody knows which is which.
#[test]
fn an_address_in_a_struct_is_not_followed() {
    let pair = FOUND
        .replace("-> ptr {", "-> {ptr, ptr} {")
        .replace("  ret %some", "  %one: {ptr, ptr} = insertvalue {ptr, ptr} poison, %some path(0)\n  %both: {ptr, ptr} = insertvalue %one, %a path(1)\n  ret %both")
        .replace("%p: ptr = call @element", "%ps: {ptr, ptr} = call @element")
        .replace("  %count: ptr", "  %p: ptr = extractvalue %ps path(0)\n  %count: ptr")
        .replace("%q: ptr = call @element", "%qs: {ptr, ptr} = call @element")
        .replace("  %last: ptr", "  %q: ptr = extractvalue %qs path(0)\n  %last: ptr");
    let case = Case::new(&pair);
    assert!(find_integers(&case.function, &case.program).is_empty());
}
