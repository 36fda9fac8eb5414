//! What a block records as it ends: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::model::{BlockId, Op, ValueId};
use backsweep_core::plan::{Fetch, Item, Plan};
use checker::{Case, assert_none};

/// `s += a[i]²; a[i] = a[i]²`, where the reverse of what comes behind the load stands in another block if `elsewhere`.
fn squares(elsewhere: bool) -> Case {
    let (break_line, block) = if elsewhere { ("  br ^behind\n^behind:\n", "^behind") } else { ("", "^body") };
    Case::new(&format!(
        "function @f(%a: ptr noalias, %n: i64) -> double {{
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, {block}: %next
  %s: double = phi ^entry: double 0.0, {block}: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %a, %i over double by(8)
  %x: double = load %p
{break_line}  %y: double = fmul %x, %x
  store %y, %p
  %sum: double = fadd %s, %y
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  ret %s
}}"
    ))
}

fn load_of(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Load(_)))
}

fn right(case: &Case) -> Plan {
    let plan = case.gradient();
    assert_none(&case.faults(&plan));
    assert!(plan.records.values().flatten().any(|item| *item == Item::Value(load_of(case))), "{plan}");
    plan
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

#[test]
fn what_only_its_own_block_reads_is_recorded_as_that_ends() {
    let case = squares(false);
    assert_eq!(right(&case).fresh.get(&Item::Value(load_of(&case))), Some(&Fetch::WithBlock));
}

#[test]
fn what_another_block_reads_comes_back_for_the_pass() {
    let case = squares(true);
    let mut plan = right(&case);
    let item = Item::Value(load_of(&case));
    assert_eq!(plan.fresh.insert(item, Fetch::WithBlock), Some(Fetch::WithPass), "{plan}");
    says(&case, &plan, "records as it ends what is read in");
}

#[test]
fn passes_end_with_their_latch() {
    let case = squares(true);
    let mut plan = right(&case);
    let array = plan.arrays.values_mut().next().expect("an array");
    array.latch = array.blocks[0];
    says(&case, &plan, "records as it ends what is read in");
}

#[test]
fn what_the_next_pass_reads_is_recorded_by_that() {
    let case = Case::new(
        "function @f(%a: ptr noalias, %n: i64) -> double {
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^behind: %next
  %s: double = phi ^entry: double 0.0, ^behind: %sum
  %last: double = phi ^entry: double 1.0, ^behind: %x
  %square: double = fmul %last, %last
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %a, %i over double by(8)
  %x: double = load %p
  br ^behind
^behind:
  %y: double = fmul %x, %square
  store %y, %p
  %sum: double = fadd %s, %y
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  ret %s
}",
    );
    let mut plan = right(&case);
    let last = Item::Value(case.find(2, |op| matches!(op, Op::Phi { .. })));
    assert!(plan.records.values().flatten().any(|item| *item == last), "{plan}");
    assert_eq!(plan.fresh.insert(last, Fetch::WithPass), None, "{plan}");
    says(&case, &plan, "records as it ends what is read in");
}

#[test]
fn only_what_lies_in_an_array() {
    let case = squares(false);
    let mut plan = right(&case);
    plan.arrays.clear();
    says(&case, &plan, "and in no array");
}

#[test]
fn nothing_but_what_a_block_computes() {
    let case = squares(false);
    let mut plan = right(&case);
    let body = plan.arrays.values().next().expect("an array").blocks[0];
    let counter = Item::Counter { header: BlockId(1) };
    plan.records.get_mut(&body).expect("a record").push(counter);
    plan.fresh.insert(counter, Fetch::WithBlock);
    says(&case, &plan, "in every reverse");
}
