//! Loops that are counted anew: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::config::{Analyses, Switch};
use backsweep_core::model::{BlockId, Constant, Op, Operand, ValueId};
use backsweep_core::plan::{Plan, Recount, Storage, make_plan};
use backsweep_core::request::Mode;
use checker::{Case, as_given, assert_none};

/// `for i: { for j: d += a[i m + j]²; s += d² }`, with more behind the inner loop.
fn rows(behind: &str) -> Case {
    let factor = if behind.is_empty() { "%left" } else { "%factor" };
    Case::new(&format!(
        "function @f(%a: ptr noalias, %n: i64, %m: i64) -> double {{
^entry:
  br ^rows
^rows:
  %i: i64 = phi ^entry: i64 0, ^behind: %next
  %s: double = phi ^entry: double 0.0, ^behind: %sum
  %row: i1 = icmp slt %i, %n
  br %row, ^before, ^exit
^before:
  %base: i64 = mul %i, %m
  br ^columns
^columns:
  %j: i64 = phi ^before: i64 0, ^body: %nextj
  %d: double = phi ^before: double 0.0, ^body: %e
  %more: i1 = icmp slt %j, %m
  br %more, ^body, ^behind
^body:
  %k: i64 = add %base, %j
  %p: ptr = gep %a, %k over double by(8)
  %x: double = load %p
  %square: double = fmul %x, %x
  %e: double = fadd %d, %square
  %nextj: i64 = add %j, i64 1
  br ^columns
^behind:
  %left: double = phi ^columns: %d
{behind}  %q: double = fmul {factor}, %left
  %sum: double = fadd %s, %q
  %next: i64 = add %i, i64 1
  br ^rows
^exit:
  ret %s
}}"
    ))
}

fn columns(case: &Case) -> BlockId {
    case.block("columns")
}

fn counter(case: &Case) -> ValueId {
    case.function.block(columns(case)).insts[0]
}

fn right(case: &Case) -> Plan {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    plan
}

fn recount<'a>(case: &Case, plan: &'a mut Plan) -> &'a mut Recount {
    plan.recounts.get_mut(&columns(case)).expect("the inner loop is counted anew")
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

#[test]
fn a_loop_in_a_loop_records_nothing() {
    let case = rows("");
    let mut plan = right(&case);
    assert!(plan.records.is_empty(), "{plan}");
    assert!(recount(&case, &mut plan).counters.contains(&counter(&case)));
}

#[test]
fn what_is_not_counted_anew_is_recorded() {
    let case = rows("");
    let mut plan = right(&case);
    plan.recounts.clear();
    says(&case, &plan, "what it overwrites is");
}

#[test]
fn one_pass_more() {
    let case = rows("");
    let mut plan = right(&case);
    recount(&case, &mut plan).trips.inclusive = true;
    says(&case, &plan, "is not as long as the test of the loop says");
}

#[test]
fn another_start() {
    let case = rows("");
    let mut plan = right(&case);
    recount(&case, &mut plan).trips.start = Operand::Const(Constant::int(64, 1));
    says(&case, &plan, "is not as long as the test of the loop says");
}

#[test]
fn a_bound_that_is_not_at_hand() {
    let case = rows("");
    let mut plan = right(&case);
    plan.storage.remove(&ValueId(2));
    says(&case, &plan, "is read by the count of the passes");
}

/// `s += d² a[m]²`, read with the counter of the loop before.
#[test]
fn a_counter_that_is_read_behind_the_loop() {
    let behind = "  %end: ptr = gep %a, %j over double by(8)
  %last: double = load %end
  %factor: double = fmul %last, %last
";
    let case = rows(behind);
    // The loop around would reverse each row at once, and nothing would be counted anew.
    let two = as_given(Analyses { fuse: Switch::Off, ..Analyses::default() });
    let request = case.request(Mode::Gradient);
    let mut plan = make_plan(&case.function, &case.program, &case.rules, &request, &two).expect("a plan");
    assert_none(&case.faults(&plan));
    let counter = counter(&case);
    assert!(!recount(&case, &mut plan).counters.contains(&counter), "{plan}");
    recount(&case, &mut plan).counters.insert(counter);
    says(&case, &plan, "is read outside of it");
}

#[test]
fn a_number_that_is_no_counter() {
    let case = rows("");
    let mut plan = right(&case);
    let sum = case.function.block(columns(&case)).insts[1];
    recount(&case, &mut plan).counters.insert(sum);
    says(&case, &plan, "is not counted back in it");
}

#[test]
fn another_block_behind() {
    let case = rows("");
    let mut plan = right(&case);
    recount(&case, &mut plan).exit = case.block("rows");
    says(&case, &plan, "the block behind it is entered from elsewhere");
}

#[test]
fn what_the_loop_leaves_is_run_again() {
    let case = rows("");
    let plan = right(&case);
    let left = case.function.block(case.block("behind")).insts[0];
    assert_eq!(plan.storage[&left].choice, Storage::Rerun, "{plan}");
    assert!(case.function.inst(left).is_some_and(|inst| matches!(inst.op, Op::Phi { .. })));
}
