//! Local Jacobians of straight-line functions, as instructions, against the oracle.

use backsweep_core::model::{FloatKind, parse_program};
use backsweep_core::preaccumulation::flatten::Split;
use backsweep_core::preaccumulation::jacobian::Extent;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Options, Sample, Stage};
use backsweep_oracle::{Argument, NO_TANGENT, Value};
use backsweep_random::{Tally, Verdict, campaign_of, check_local};

fn try_random(first: u64, stage: Stage, mixed_kinds: bool, split: Split, extent: Extent) -> Tally {
    let rules = Rules::new();
    let options = Options { stage, smallest: 3, largest: 24, mixed_kinds, kinks: true };
    campaign_of(first, 2000, &options, &|sample| check_local(sample, &rules, split, extent))
}

/// Programs with branches and calls are no business of this test; enough have neither.
#[test]
fn scalars() {
    assert!(try_random(0, Stage::Scalars, false, Split::Contiguous, Extent::Complete).agreed > 500);
    assert!(try_random(2000, Stage::Scalars, true, Split::Contiguous, Extent::Complete).agreed > 500);
}

#[test]
fn scalars_stored_scarcely() {
    assert!(try_random(4000, Stage::Scalars, false, Split::Contiguous, Extent::Scarcest).agreed > 500);
}

#[test]
fn memory_that_may_alias() {
    assert!(try_random(6000, Stage::Memory, false, Split::Contiguous, Extent::Complete).agreed > 150);
    assert!(try_random(8000, Stage::Memory, true, Split::Layered, Extent::Complete).agreed > 150);
}

fn check(text: &str, arguments: Vec<Argument>) {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}"));
    let function = program.functions[0].name.clone();
    let sample = Sample { seed: 0, program, function, arguments };
    for split in [Split::Contiguous, Split::Layered] {
        for extent in [Extent::Complete, Extent::Scarcest] {
            match check_local(&sample, &Rules::new(), split, extent) {
                Verdict::Agreed => {}
                Verdict::Refused(why) => panic!("refused: {why}"),
                Verdict::Unjudged => panic!("not straight, or the oracle could not judge"),
                Verdict::Wrong(how) => panic!("{how}"),
            }
        }
    }
}

fn active(x: f64) -> Argument {
    Argument::Active(Value::dual(x, NO_TANGENT))
}

/// The arm that is not taken has an infinite slope at 0; multiplied by the arm's factor 0 it would be no number.
#[test]
fn a_singular_arm_that_is_not_taken() {
    let text = "
function @f(%x: double, %z: double) -> double {
^entry:
  %away: i1 = fcmp une %x, double 0.0
  %inverse: double = fdiv %z, %x
  %safe: double = select %away, %inverse, %z
  %y: double = fmul %safe, %z
  ret %y
}
";
    for x in [0.0, 2.0] {
        check(text, vec![active(x), active(3.0)]);
    }
}

/// Both results of one call, of which one depends on the other's partial.
#[test]
fn a_call_with_two_results() {
    let text = "
function @f(%x: double, %z: double) -> double {
^entry:
  %both: {double, double} = call @llvm.sincos.f64(%x)
  %sine: double = extractvalue %both path(0)
  %cosine: double = extractvalue %both path(1)
  %a: double = fmul %sine, %z
  %y: double = fdiv %a, %cosine
  ret %y
}
declare @llvm.sincos.f64(double) -> {double, double}
";
    check(text, vec![active(0.3), active(-1.5)]);
}

/// In place through two names: what is read last is one or the other.
#[test]
fn updates_through_names_that_may_be_one() {
    let text = "
function @f(%x: double, %p: ptr, %q: ptr) -> double {
^entry:
  %a: double = load %p
  %b: double = fmul %a, %x
  store %b, %q
  %c: double = load %p
  %d: double = call @llvm.sin.f64(%c)
  store %d, %p
  %e: double = load %q
  %y: double = fmul %e, %d
  ret %y
}
declare @llvm.sin.f64(double) -> double
";
    let array = Argument::Array(FloatKind::Double, vec![0.7, 1.1, -0.4]);
    for elements in 0..3 {
        let other = Argument::Alias { of: 1, elements };
        check(text, vec![active(1.3), array.clone(), other]);
    }
}
