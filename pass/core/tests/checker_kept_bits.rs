//! What is computed from a float's bits and kept among integers needs no shadow; what becomes a float there has one, whatever the plan
//! says.

mod checker;

use backsweep_core::check::{Fault, check_plan};
use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::Mode;
use checker::Case;

/// Bits that are added up, kept, and read as the last lines say.
fn kept(bits: &str, end: &str) -> String {
    format!(
        "declare @malloc(i64) -> ptr
declare @free(ptr)
function @f(%x: double, %n: i64) -> double {{
^entry:
  %kept: ptr = call @malloc(i64 16)
  %other: ptr = call @malloc(i64 16)
  %whole: i64 = bitcast %x
  {bits}
  %sum: i64 = add %bits, %n
  store %sum, %kept
  {end}
  call @free(%kept)
  call @free(%other)
  ret %z
}}"
    )
}

/// Plans are made one function at a time here; that bits become floats is found out where all are known.
fn faults(text: &str) -> Vec<Fault> {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    let Ok(plan) = plan else { panic!("{text} is refused before the checker sees it") };
    check_plan(&plan, &case.function, &case.program, &case.rules)
}

const WHOLE: &str = "%bits: i64 = mul %whole, i64 31";
const EXPONENT: &str = "%bits: i64 = lshr %whole, i64 52";

const COMPARED: &str = "%read: i64 = load %kept
  %same: i1 = icmp eq %read, %n
  %y: double = select %same, double 2.0, double 3.0
  %z: double = fmul %y, %x";
const AS_A_NUMBER: &str = "%read: i64 = load %kept
  %y: double = sitofp %read
  %z: double = fmul %y, %x";
const AS_A_FLOAT: &str = "%y: double = load %kept
  %z: double = fmul %y, %x";
const BY_ITS_BITS: &str = "%read: i64 = load %kept
  %more: i64 = add %read, %n
  %y: double = bitcast %more
  %z: double = fmul %y, %x";
const MOVED_ON: &str = "%read: i64 = load %kept
  %more: i64 = add %read, %n
  store %more, %other
  %y: double = load %other
  %z: double = fmul %y, %x";

#[test]
fn hashes_and_exponents_are_kept_among_integers() {
    for (bits, end) in [(WHOLE, COMPARED), (EXPONENT, COMPARED), (EXPONENT, AS_A_NUMBER)] {
        let found = faults(&kept(bits, end));
        assert!(found.is_empty(), "{bits}, {end}: {found:?}");
    }
}

#[test]
fn what_becomes_a_float_is_not_kept_among_integers() {
    for end in [AS_A_NUMBER, AS_A_FLOAT, BY_ITS_BITS, MOVED_ON] {
        assert!(!faults(&kept(WHOLE, end)).is_empty(), "{end}");
    }
}
