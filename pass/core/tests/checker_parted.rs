//! Numbers of the caller's that keep stores away from what was read: the conditions that the planner finds hold against the checker,
//! and conditions that are a little too weak do not.

mod checker;

use backsweep_core::config::{Analyses, Config, Preaccumulate, Switch};
use backsweep_core::dependence::guarded::Asks;
use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Parting, Plan, Storage, make_plans};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// `a[i + k] = a[i] * a[i]` for i below n.
const SHIFT: &str = "function @shift(%0 a: ptr, %1 n: i64, %2 k: i64) -> void {
^0 entry:
  %3: i1 = icmp sgt %1, i64 0
  %4 = br %3, ^1, ^4
^1 before:
  %5 = br ^2
^2 body:
  %6: i64 = phi ^2: %12, ^1: i64 0
  %7: ptr = gep nuw inbounds %0, %6 over double by(8)
  %8: double = load %7 member
    memory reads pointer %7 objects(param %0) address (rec 0 nuw %0 i64 8) class 0 clobber merge ^2
  %9: double = fmul %8, %8
  %10: ptr = gep %7, %2 over double by(8)
  %11 = store %9, %10 member
    memory writes pointer %10 objects(param %0) address (rec 0 (add (mul i64 8 %2) %0) i64 8) class 0
  %12: i64 = add nuw nsw %6, i64 1
  %13: i1 = icmp eq %12, %1
  %14 = br %13, ^3, ^2
^3 behind:
  %15 = br ^4
^4 end:
  %16 = ret
loop 0 header ^2 preheader ^1 blocks(^2) latches(^2) exiting(^2) exits(^3) back_edges (add i64 -1 %1)
}";

/// Each row of `ld` numbers, of which the first m are squares of those in the row before.
const ROWS: &str = "function @rows(%0 a: ptr, %1 m: i32, %2 n: i32, %3 ld: i32) -> void {
^0 entry:
  %4: i1 = icmp sgt %2, i32 1
  %5 = br %4, ^1, ^5
^1 some:
  %6: i1 = icmp sgt %1, i32 0
  %7: i64 = sext %3
  %8: i64 = sext %3
  %9: i64 = zext nneg %2
  %10: i64 = zext nneg %1
  %11 = br ^2
^2 outer:
  %12: i64 = phi ^1: i64 1, ^7: %23
  %13 = br %6, ^3, ^7
^3 row:
  %14: i64 = add nsw %12, i64 -1
  %15: i64 = mul nsw %14, %7
  %16: i64 = mul nsw %12, %8
  %17: ptr = gep %0, %15 over double by(8)
  %18: ptr = gep %0, %16 over double by(8)
  %19 = br ^8
^4 behind:
  %20 = br ^5
^5 end:
  %21 = ret
^6 done:
  %22 = br ^7
^7 latch:
  %23: i64 = add nuw nsw %12, i64 1
  %24: i1 = icmp eq %23, %9
  %25 = br %24, ^4, ^2
^8 inner:
  %26: i64 = phi ^3: i64 0, ^8: %32
  %27: ptr = gep %17, %26 over double by(8)
  %28: double = load %27 member
    memory reads pointer %27 objects(param %0) address (rec 1 (rec 0 %0 (mul nsw i64 8 (sext 64 %3))) i64 8) class 0 clobber merge ^8
  %29: double = fmul %28, %28
  %30: ptr = gep %18, %26 over double by(8)
  %31 = store %29, %30 member
    memory writes pointer %30 objects(param %0) address (rec 1 (rec 0 (add (mul nsw i64 8 (sext 64 %3)) %0) (mul nsw i64 8 (sext 64 %3))) i64 8) class 0
  %32: i64 = add nuw nsw %26, i64 1
  %33: i1 = icmp eq %32, %10
  %34 = br %33, ^6, ^8
loop 0 header ^2 preheader ^1 blocks(^2, ^3, ^6, ^7, ^8) latches(^7) exiting(^7) exits(^4) back_edges (add nsw i64 -2 (zext 64 %2))
loop 1 header ^8 parent 0 preheader ^3 blocks(^8) latches(^8) exiting(^8) exits(^6) back_edges (add nsw i64 -1 (zext 64 %1))
}";

fn given_up(case: &Case) -> Request {
    let mut request = case.request(Mode::Gradient);
    request.arguments[0].activity = Activity::DupNoNeed;
    request
}

/// The plan whose test on entry leads on, and the one to which it leads.
fn two_plans(case: &Case) -> (Plan, Plan) {
    let analyses = Analyses { preaccumulate: Preaccumulate::Never, ..Analyses::default() };
    let config = Config { analyses, ..Config::default() };
    let plans = make_plans(&case.function, &case.program, &case.rules, &given_up(case), &config);
    let mut plans = plans.unwrap_or_else(|_| panic!("refused")).into_iter().map(|variant| variant.plan);
    (plans.next().expect("there is a plan"), plans.next().expect("there is another version"))
}

fn load(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Load(_)))
}

/// What is parted is changed, in both plans; the checker says so of each.
fn rejects(case: &Case, change: impl Fn(&mut Parting)) {
    let (mut first, mut second) = two_plans(case);
    for plan in [&mut first, &mut second] {
        let tests = plan.separation.iter_mut().chain(&mut plan.apart);
        tests.flat_map(|test| &mut test.partings).for_each(&change);
        let faults = case.faults(plan);
        let told = faults.iter().any(|fault| fault.message.contains("does not keep"));
        assert!(told, "nothing is said of {plan}: {faults:?}");
    }
}

#[test]
fn what_is_kept_apart_by_a_distance_is_read_again() {
    for text in [SHIFT, ROWS] {
        let case = Case::new(text);
        let (first, second) = two_plans(&case);
        assert_none(&case.faults(&first));
        assert_none(&case.faults(&second));
        assert!(second.restored.is_empty(), "{second}");
        assert_eq!(second.storage[&load(&case)].choice, Storage::Recompute, "{second}");
    }
}

#[test]
fn without_conditions() {
    for text in [SHIFT, ROWS] {
        rejects(&Case::new(text), |parting| parting.clauses.clear());
    }
}

/// `k > -1` becomes `k > -2`, and `n + k < 1` becomes `n + k < 2`: then one cell is read that is overwritten later.
#[test]
fn by_a_cell_too_few() {
    let case = Case::new(SHIFT);
    for nth in 0..2 {
        rejects(&case, |parting| {
            let either = parting.clauses.iter_mut().find(|either| either.len() == 2).expect("two ways");
            either[nth].constant -= 1;
        });
    }
}

/// A store onto the cell itself is one in the same pass.
#[test]
fn onto_the_cell_itself() {
    rejects(&Case::new(SHIFT), |parting| {
        parting.clauses.retain(|either| either.iter().all(|one| one.asks == Asks::BelowZero));
    });
}

/// Rows that are shorter than what is written into them.
#[test]
fn rows_that_overlap() {
    rejects(&Case::new(ROWS), |parting| parting.clauses.retain(|either| either[0].terms.len() == 1));
    rejects(&Case::new(ROWS), |parting| {
        let of_two = parting.clauses.iter_mut().find(|either| either[0].terms.len() == 2);
        of_two.expect("a length of rows")[0].constant -= 1;
    });
}

/// What nobody has asked about is not parted.
#[test]
fn another_load() {
    let case = Case::new(SHIFT);
    let (_, mut second) = two_plans(&case);
    second.apart.as_mut().expect("it relies on a test").partings.clear();
    let faults = case.faults(&second);
    assert!(
        faults.iter().any(|fault| fault.message.contains("may trap or read what has changed")),
        "{faults:?}"
    );
}

#[test]
fn switched_off() {
    let case = Case::new(SHIFT);
    let analyses = Analyses { guard: Switch::Off, ..Analyses::default() };
    let config = Config { analyses, ..Config::default() };
    let plans = make_plans(&case.function, &case.program, &case.rules, &given_up(&case), &config);
    assert_eq!(plans.map(|plans| plans.len()).unwrap_or_default(), 1);
}
