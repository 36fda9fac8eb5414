//! Functions with loops, whose plans are made of the planner's pieces: each right one passes, each fault is found.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Switch;
use backsweep_core::model::Op;
use backsweep_core::plan::{Decision, Merge, Plan, Storage};
use checker::programs::{GUARDED_LOOP, LOOP};
use checker::{Case, assert_none, assert_only, deactivate};

#[test]
fn recorded_loops_pass() {
    for text in [LOOP, GUARDED_LOOP] {
        let case = Case::new(text);
        let plan = case.assemble(Switch::Off);
        assert!(plan.storage.values().any(|decision| decision.choice == Storage::SaveOnOverwrite));
        assert_none(&case.faults(&plan));
    }
}

#[test]
fn a_branch_inside_a_body_tells_the_edge() {
    let case = Case::new(LOOP);
    let plan = right(&case, "latch");
    assert_none(&case.faults(&plan));
}

/// The plan that evaluates the branch before `block` again and records every other edge.
fn right(case: &Case, block: &str) -> Plan {
    let mut plan = case.assemble(Switch::Off);
    let (mixed, block) = (case.assemble(Switch::On), case.block(block));
    assert!(matches!(mixed.merges[&block].choice, Merge::Reevaluate { .. }));
    plan.merges.insert(block, mixed.merges[&block].clone());
    plan.storage = mixed.storage;
    plan
}

#[test]
fn a_value_of_the_loop_kept_in_one_cell() {
    let case = Case::new(LOOP);
    let mut values = 0;
    for value in case.assemble(Switch::Off).storage.keys() {
        let mut plan = case.assemble(Switch::Off);
        let decision = plan.storage.get_mut(value).expect("just seen");
        if decision.choice == Storage::SaveOnOverwrite {
            decision.choice = Storage::Keep;
            assert_only(&case.faults(&plan), Obligation::Storage, "computed again in a loop");
            values += 1;
        }
    }
    assert!(values >= 2);
}

#[test]
fn a_value_before_the_loop_saved_is_no_fault() {
    let case = Case::new(LOOP);
    let mut plan = case.assemble(Switch::Off);
    let twice = case.find(0, |op| matches!(op, Op::Float(_)));
    assert_eq!(plan.storage[&twice].choice, Storage::Keep);
    plan.storage.get_mut(&twice).expect("kept").choice = Storage::SaveOnOverwrite;
    assert_none(&case.faults(&plan));
}

#[test]
fn a_phi_of_the_loop_left_out() {
    let case = Case::new(LOOP);
    let mut plan = case.assemble(Switch::Off);
    deactivate(&mut plan, case.find(1, |op| matches!(op, Op::Phi { .. })));
    assert_only(&case.faults(&plan), Obligation::Closed, "(phi)");
}

/// The branch before a loop was left once, and the header is entered by the back edge all the same.
#[test]
fn a_header_decided_by_the_branch_before_the_loop() {
    let case = Case::new(GUARDED_LOOP);
    let mut plan = case.assemble(Switch::Off);
    let (entry, header) = (case.block("entry"), case.block("loop"));
    let choice = Merge::Reevaluate { at: entry, from: vec![Some(entry), None] };
    plan.merges.insert(header, Decision { choice, reason: "planted".into() });
    plan.storage = case.assemble(Switch::On).storage;
    assert_only(&case.faults(&plan), Obligation::Merges, "can be entered from ^0, ^1");
}

#[test]
fn a_header_decided_by_its_own_branch() {
    let case = Case::new(GUARDED_LOOP);
    let mut plan = case.assemble(Switch::Off);
    let header = case.block("loop");
    let choice = Merge::Reevaluate { at: header, from: vec![Some(header), None] };
    plan.merges.insert(header, Decision { choice, reason: "planted".into() });
    let condition = case.find(1, |op| matches!(op, Op::ICmp(_)));
    let decision = Decision { choice: Storage::SaveOnOverwrite, reason: "planted".into() };
    plan.storage.insert(condition, decision);
    assert_only(&case.faults(&plan), Obligation::Merges, "without coming through the branch of ^1");
}

#[test]
fn the_back_edge_dropped_from_the_record() {
    let case = Case::new(LOOP);
    let mut plan = case.assemble(Switch::Off);
    let header = case.block("loop");
    let Some(Merge::Record { predecessors }) = plan.merges.get_mut(&header).map(|d| &mut d.choice) else {
        panic!("the header's edge is recorded")
    };
    predecessors.pop();
    assert_only(&case.faults(&plan), Obligation::Merges, "records one of ^0, and is entered from ^0, ^3");
}

/// Today's planner decides so itself, which no request meets while loops are refused in reverse mode.
#[test]
fn the_planner_decides_a_header_by_the_branch_before_it() {
    let case = Case::new(GUARDED_LOOP);
    let plan = case.assemble(Switch::On);
    assert_only(
        &case.faults(&plan),
        Obligation::Merges,
        "^1 is said to be entered from ^0 after successor 0",
    );
}
