//! Plans of functions that touch memory: right ones pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::{Obligation, check_plan};
use backsweep_core::config::Config;
use backsweep_core::model::{BlockId, Constant, Op, ValueId};
use backsweep_core::plan::{Decision, Item, Plan, Slot, Storage, make_plan};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, assert_only};

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

#[test]
fn right_plans_pass() {
    for text in [ARRAY, PLACES] {
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

/// What the planner says to a function whose parameter `constant` is const: the checker's faults, or `None`.
fn judge(text: &str, constant: &[usize]) -> Option<Vec<String>> {
    let case = Case::new(text);
    let mut request = case.request(Mode::Gradient);
    constant.iter().for_each(|param| request.arguments[*param].activity = Activity::Const);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default()).ok()?;
    println!("{plan}");
    Some(case.faults(&plan).iter().map(ToString::to_string).collect())
}

#[test]
fn probe_stale() {
    let text = "function @f(%a: ptr, %c: ptr, %n: i64) -> double {
^entry:
  %slot: ptr = alloca i32 1 of ptr bytes 8 align 8
  store %a, %slot
  %t: i1 = icmp eq %n, i64 0
  br %t, ^yes, ^join
^yes:
  store %c, %slot
  br ^join
^join:
  %q: ptr = load %slot
  %x: double = load %q
  %y: double = fmul %x, %x
  ret %y
}";
    println!("STALE {:?}", judge(text, &[1]));
    let text = "function @f(%a: ptr) -> double {
^entry:
  %s: {ptr, double} = load %a
  %q: ptr = extractvalue %s path(0)
  %x: double = load %q
  %y: double = fmul %x, %x
  ret %y
}";
    println!("AGG {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr) -> double {
^entry:
  %s: <2 x ptr> = load %a
  %q: ptr = extractelement %s, i32 0
  %x: double = load %q
  %y: double = fmul %x, %x
  ret %y
}";
    println!("VEC {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr) -> double {
^entry:
  %x: double = load %a
  %b: i64 = bitcast %x
  %c: i64 = and %b, i64 1
  %p: ptr = gep %a, %c over double by(8)
  %y: double = load %p
  ret %y
}";
    println!("BITS {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr) -> double {
^entry:
  %i: i64 = load %a
  %p: ptr = inttoptr %i
  %y: double = load %p
  ret %y
}";
    println!("INT {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr, %x: double) -> double {
^entry:
  %i: i64 = ptrtoint %a
  %p: ptr = inttoptr %i
  store %x, %p
  %y: double = load %a
  ret %y
}";
    println!("ROUND {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr, %b: ptr) -> double {
^entry:
  store %b, %a
  %i: i64 = load %a
  %p: ptr = inttoptr %i
  %y: double = load %p
  ret %y
}";
    println!("BACK {:?}", judge(text, &[]));
    let text = "declare @frexp(double, ptr) -> double
function @f(%a: ptr) -> double {
^entry:
  %x: double = load %a
  %y: double = call @frexp(%x, %a)
  ret %y
}";
    println!("FREXP {:?}", judge(text, &[]));
    let text = "declare @sincos(double, ptr, ptr)
function @f(%x: double, %a: ptr) -> double {
^entry:
  call @sincos(%x, %a, %a)
  ret %x
}";
    println!("SINCOS {:?}", judge(text, &[]));
    let text = "function @f(%x: double, %a: ptr) -> double {
^entry:
  %b: i64 = bitcast %x
  store %b, %a
  %y: double = load %a
  ret %y
}";
    println!("BITSTORE {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr, %g: ptr) -> double {
^entry:
  %b: i64 = load %a
  store %b, %g
  %y: double = load %g
  ret %y
}";
    println!("BITCOPY {:?}", judge(text, &[1]));
    let text = "function @f(%a: ptr) -> ptr {
^entry:
  %x: double = load %a
  %s: ptr = alloca i32 1 of double bytes 8 align 8
  store %x, %s
  ret %s
}";
    println!("RETSLOT {:?}", judge(text, &[]));
    let text = "function @f(%a: ptr) {
^entry:
  %s: ptr = alloca i32 1 of double bytes 8 align 8
  store double 1.0, %s
  store %s, %a
  ret
}";
    println!("STORESLOT {:?}", judge(text, &[]));
    let text = "declare @malloc(i64) -> ptr
function @f(%a: ptr) {
^entry:
  %s: ptr = call @malloc(i64 8)
  store double 1.0, %s
  store %s, %a
  %q: ptr = load %a
  %x: double = load %q
  %y: double = fmul %x, %x
  store %y, %a
  ret
}";
    println!("STOREMADE {:?}", judge(text, &[]));
}
