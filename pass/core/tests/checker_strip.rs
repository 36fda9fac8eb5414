//! Loops in strips: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::model::{BlockId, Op, ValueId};
use backsweep_core::plan::{Decision, Item, Plan, Storage, Strip};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `for i: { a += x[i]²; f += a² }`, with more behind the sums, around it a loop if `again`, and read by the reverse of another block if
/// `elsewhere`.
fn sums(behind: &str, again: bool, elsewhere: bool) -> Case {
    let (from, split) = if elsewhere { ("^behind", "  br ^behind\n^behind:\n") } else { ("^body", "") };
    let (enter, head, leave) = if again {
        (
            "  br ^outer\n^outer:\n  %r: i64 = phi ^entry: i64 0, ^left: %nextr\n  %g0: double = phi ^entry: double 0.0, \
             ^left: %f\n  %often: i1 = icmp slt %r, %n\n  br %often, ^before, ^exit\n^before:\n  br ^head",
            ("^before", "%g0"),
            "^left:\n  %nextr: i64 = add %r, i64 1\n  br ^outer\n^exit:\n  ret %g0",
        )
    } else {
        ("  br ^head", ("^entry", "double 0.0"), "^left:\n  ret %f")
    };
    Case::new(&format!(
        "function @f(%x: ptr noalias, %n: i64) -> double {{
^entry:
{enter}
^head:
  %i: i64 = phi {before}: i64 0, {from}: %next
  %a: double = phi {before}: double 0.0, {from}: %sum
  %f: double = phi {before}: {start}, {from}: %g
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^left
^body:
  %p: ptr = gep %x, %i over double by(8)
  %e: double = load %p
  %ee: double = fmul %e, %e
  %sum: double = fadd %a, %ee
{split}  %q: double = fmul %sum, %sum
  %g: double = fadd %f, %q
{behind}  %next: i64 = add %i, i64 1
  br ^head
{leave}
}}",
        before = head.0,
        start = head.1,
    ))
}

fn planned(case: &Case) -> Plan {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    plan
}

fn right() -> (Case, Plan) {
    let case = sums("", false, false);
    let plan = planned(&case);
    assert!(plan.strips.contains_key(&head(&case)), "{plan}");
    (case, plan)
}

fn head(case: &Case) -> BlockId {
    case.block("head")
}

fn carried(case: &Case) -> ValueId {
    case.function.block(head(case)).insts[1]
}

fn strip<'a>(case: &Case, plan: &'a mut Plan) -> &'a mut Strip {
    plan.strips.get_mut(&head(case)).expect("the loop is in strips")
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

#[test]
fn each_part_of_the_run_is_missed() {
    let (case, plan) = right();
    for id in &plan.strips[&head(&case)].insts {
        let mut plan = planned(&case);
        strip(&case, &mut plan).insts.remove(id);
        assert!(!case.faults(&plan).is_empty(), "%{} is not missed", id.0);
    }
}

#[test]
fn what_is_handed_on_is_laid_down() {
    let (case, mut plan) = right();
    let phi = carried(&case);
    assert!(strip(&case, &mut plan).state.remove(&phi));
    says(&case, &plan, "does not give what it gave");
    // And a float is not counted back.
    strip(&case, &mut plan).counters.insert(phi);
    says(&case, &plan, "does not give what it gave");
}

#[test]
fn what_is_laid_down_runs() {
    let (case, mut plan) = right();
    let omitted = Decision { choice: "planted".into(), reason: "planted".into() };
    plan.omitted.insert(carried(&case), omitted);
    says(&case, &plan, "is laid down, and left out");
}

#[test]
fn a_strip_of_three_passes() {
    let (case, mut plan) = right();
    strip(&case, &mut plan).passes = 3;
    says(&case, &plan, "no power of two");
}

#[test]
fn a_loop_of_fewer_blocks() {
    let (case, mut plan) = right();
    strip(&case, &mut plan).blocks.remove(&case.block("body"));
    says(&case, &plan, "its blocks are not all of the loop");
}

#[test]
fn records_that_the_run_does_not_lay() {
    let (case, mut plan) = right();
    let body = case.block("body");
    plan.records.get_mut(&body).expect("a record").push(Item::Edge);
    says(&case, &plan, "which its run does not lay");
}

/// As what a loop inside counts back is recorded where that loop is entered.
#[test]
fn a_record_of_another_blocks_value() {
    let (case, mut plan) = right();
    let (body, phi) = (case.block("body"), carried(&case));
    plan.records.get_mut(&body).expect("a record").push(Item::Value(phi));
    says(&case, &plan, "which its run does not lay");
}

#[test]
fn what_it_takes_from_outside_is_at_hand() {
    let (case, mut plan) = right();
    plan.storage.remove(&ValueId(0));
    says(&case, &plan, "is read by the run of a strip");
}

#[test]
fn not_between_two_halves() {
    let (case, mut plan) = right();
    plan.request.mode = Mode::Augmented;
    says(&case, &plan, "others may run before its reverse");
}

/// `x[i] = a²` behind the sums: the strip would read what was written.
#[test]
fn memory_that_is_overwritten() {
    let case = sums("  store %q, %p\n", false, false);
    let mut plan = planned(&case);
    assert!(plan.strips.is_empty(), "{plan}");
    let (simple, right) = right();
    assert_eq!(head(&simple), head(&case));
    plan.strips = right.strips;
    says(&case, &plan, "does not give what it gave");
}

/// A record that holds what the cell held before is right only if the loop runs once.
#[test]
fn a_loop_that_is_entered_again() {
    for again in [false, true] {
        for elsewhere in [false, true] {
            let case = sums("", again, elsewhere);
            let mut plan = planned(&case);
            assert!(plan.strips.contains_key(&head(&case)), "{plan}");
            plan.fresh.clear();
            let faults = case.faults(&plan);
            let told = faults.iter().any(|fault| fault.message.contains("which its run does not lay"));
            assert_eq!(told, again, "{faults:?}");
        }
    }
}

#[test]
fn a_record_of_what_other_passes_have_left() {
    let (case, mut plan) = right();
    plan.arrays.clear();
    says(&case, &plan, "its records lie in no array");
}

#[test]
fn a_rerun_cell_is_no_operand() {
    let (case, mut plan) = right();
    strip(&case, &mut plan).operands.insert(ValueId(1));
    says(&case, &plan, "takes something else than was planned");
    let n = Decision { choice: Storage::Argument, reason: "planted".into() };
    plan.storage.insert(ValueId(1), n);
    assert!(case.function.inst(carried(&case)).is_some_and(|inst| matches!(inst.op, Op::Phi { .. })));
    says(&case, &plan, "takes something else than was planned");
}
