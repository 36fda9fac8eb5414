//! Integers in memory of the function's own, which are numbers by where they come from: right plans pass, and where a float's bits may
//! have come the same way, a plan that takes them for numbers is rejected.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::request::Mode;
use checker::{Case, assert_none, judge, says};

/// `struct {long count; double value; long after;} first = {n, *x + 1, n}`, then something with it; what is read at
/// `%place` goes to `*y` as an integer, where the user keeps what is a float to somebody.
fn moved(more: &str) -> String {
    format!(
        "declare @malloc(i64) -> ptr
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1) -> void
declare @keep(ptr) -> void
function @f(%x: ptr, %y: ptr, %n: i64) -> double {{
^entry:
  %first: ptr = call @malloc(i64 24)
  %second: ptr = call @malloc(i64 4800)
  %list: ptr = call @malloc(i64 8)
  %given: double = load %x
  %value: double = fadd %given, double 1.0
  %inner: ptr = gep inbounds %first, i64 8 over i8 by(1)
  %after: ptr = gep inbounds %first, i64 16 over i8 by(1)
  store %n, %first
  store %value, %inner
  store %n, %after
{more}  %word: i64 = load %place
  store %word, %y
  %less: i1 = icmp slt %n, i64 3
  %twice: double = fmul %value, %value
  %result: double = select %less, %twice, %value
  ret %result
}}"
    )
}

/// Ways to a place, with how far from it the float begins.
const WAYS: [(&str, &str); 6] = [
    ("  %place: ptr = gep inbounds %first, i64 PLACE over i8 by(1)\n", "0"),
    (
        "  call @llvm.memcpy.p0.p0.i64(%second, %first, i64 24, i1 0)
  %place: ptr = gep inbounds %second, i64 PLACE over i8 by(1)\n",
        "0",
    ),
    (
        "  %at: ptr = gep inbounds %second, i64 40 over i8 by(1)
  call @llvm.memcpy.p0.p0.i64(%at, %first, i64 24, i1 0)
  %place: ptr = gep inbounds %second, i64 PLACE over i8 by(1)\n",
        "40",
    ),
    (
        "  %at: ptr = gep inbounds %second, %n over i8 by(24)
  call @llvm.memcpy.p0.p0.i64(%at, %first, i64 24, i1 0)
  %place: ptr = gep inbounds %second, i64 PLACE over i8 by(1)\n",
        "24",
    ),
    (
        "  store %first, %list
  %again: ptr = load %list
  %place: ptr = gep inbounds %again, i64 PLACE over i8 by(1)\n",
        "0",
    ),
    (
        "  store %after, %list
  %again: ptr = load %list
  %place: ptr = gep inbounds %again, i64 PLACE over i8 by(1)\n",
        "-16",
    ),
];

fn at(way: &str, base: &str, offset: i64) -> String {
    let base: i64 = base.parse().expect("a number");
    moved(&way.replace("PLACE", &(base + offset).to_string()))
}

#[test]
fn counts_beside_a_float() {
    for (way, base) in WAYS {
        for offset in [0, 16] {
            for mode in [Mode::Gradient, Mode::Tangent] {
                let case = Case::new(&at(way, base, offset));
                let plan = case.plan(&case.request(mode));
                assert_none(&case.faults(&plan));
            }
        }
    }
}

/// The plan of one who reads a count is shown for one who reads the float.
#[test]
fn a_float_taken_for_a_count() {
    for (way, base) in WAYS {
        let [count, float] = [0, 8].map(|offset| at(way, base, offset));
        let line = count.lines().find(|line| line.contains("%place:")).expect("the way to the place");
        let other = float.lines().find(|line| line.contains("%place:")).expect("the way to the place");
        says(&judge(&count, line, other, &[]), Obligation::Closed, "(load) depends on");
    }
}
