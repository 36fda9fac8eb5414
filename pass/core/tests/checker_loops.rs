//! Functions with loops: each right plan passes, each fault in one is found.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Switch;
use backsweep_core::model::{BlockId, Op};
use backsweep_core::plan::{Decision, Item, Merge, Plan, Storage};
use checker::programs::{GUARDED_LOOP, LOOP, NEST, TWO_LATCHES};
use checker::{Case, assert_none, assert_only, deactivate};

fn decide(plan: &mut Plan, block: BlockId, choice: Merge) {
    plan.merges.insert(block, Decision { choice, reason: "planted".into() });
}

#[test]
fn right_loops_pass() {
    for text in [LOOP, GUARDED_LOOP, NEST, TWO_LATCHES] {
        let case = Case::new(text);
        let plan = case.plan_with(Switch::Off);
        assert!(plan.storage.values().any(|decision| decision.choice == Storage::SaveOnOverwrite));
        assert_none(&case.faults(&plan));
    }
    let case = Case::new(LOOP);
    let plan = case.plan_with(Switch::On);
    assert!(matches!(plan.merges[&case.block("latch")].choice, Merge::Reevaluate { .. }));
    assert!(matches!(plan.merges[&case.block("loop")].choice, Merge::Count { .. }));
    assert_none(&case.faults(&plan));
}

#[test]
fn a_value_of_the_loop_kept_in_one_cell() {
    let case = Case::new(LOOP);
    let mut values = 0;
    for value in case.plan_with(Switch::Off).storage.keys() {
        let mut plan = case.plan_with(Switch::Off);
        let decision = plan.storage.get_mut(value).expect("just seen");
        if decision.choice == Storage::SaveOnOverwrite {
            decision.choice = Storage::Keep;
            // It is recorded all the same, so that nothing but the storage is wrong.
            let mut faults = case.faults(&plan);
            faults.retain(|fault| fault.obligation != Obligation::Records);
            assert_only(&faults, Obligation::Storage, "computed again in a loop");
            values += 1;
        }
    }
    assert!(values >= 2);
}

#[test]
fn a_value_before_the_loop_saved_is_no_fault() {
    let case = Case::new(LOOP);
    let mut plan = case.plan_with(Switch::Off);
    let twice = case.find(0, |op| matches!(op, Op::Float(_)));
    assert_eq!(plan.storage[&twice].choice, Storage::Recompute);
    plan.storage.get_mut(&twice).expect("needed").choice = Storage::SaveOnOverwrite;
    plan.records.insert(case.block("entry"), vec![Item::Value(twice)]);
    assert_none(&case.faults(&plan));
}

#[test]
fn a_phi_of_the_loop_left_out() {
    let case = Case::new(LOOP);
    let mut plan = case.plan_with(Switch::Off);
    deactivate(&mut plan, case.find(1, |op| matches!(op, Op::Phi { .. })));
    assert_only(&case.faults(&plan), Obligation::Closed, "(phi)");
}

/// Each item of each record is needed, and needed once.
#[test]
fn an_item_of_a_record_dropped_or_doubled() {
    let mut tried = 0;
    for (text, reevaluate) in [(LOOP, Switch::Off), (LOOP, Switch::On), (NEST, Switch::On)] {
        let case = Case::new(text);
        let right = case.plan_with(reevaluate);
        for (block, at) in
            right.records.iter().flat_map(|(b, items)| (0..items.len()).map(move |at| (*b, at)))
        {
            let mut plan = case.plan_with(reevaluate);
            plan.records.get_mut(&block).expect("recorded").remove(at);
            assert_only(&case.faults(&plan), Obligation::Records, "what it overwrites is");
            let mut plan = case.plan_with(reevaluate);
            let items = plan.records.get_mut(&block).expect("recorded");
            items.push(items[at]);
            assert_only(&case.faults(&plan), Obligation::Records, "what it overwrites is");
            tried += 1;
        }
    }
    assert!(tried >= 8, "values, edges and counts are recorded");
}

#[test]
fn a_record_laid_elsewhere() {
    let case = Case::new(NEST);
    let mut plan = case.plan_with(Switch::On);
    let items = plan.records.remove(&case.block("inner")).expect("the inner loop records");
    plan.records.insert(case.block("after"), items);
    assert_only(&case.faults(&plan), Obligation::Records, "what it overwrites is {}");
}

/// The branch before a loop was left once, and the header is entered by the back edge all the same.
#[test]
fn a_header_decided_by_the_branch_before_the_loop() {
    let case = Case::new(GUARDED_LOOP);
    let mut plan = case.plan_with(Switch::On);
    let (entry, header) = (case.block("entry"), case.block("loop"));
    decide(&mut plan, header, Merge::Reevaluate { at: entry, from: vec![Some(entry), None] });
    assert_only(&case.faults(&plan), Obligation::Merges, "can be entered from ^0, ^1");
}

#[test]
fn a_header_decided_by_its_own_branch() {
    let case = Case::new(GUARDED_LOOP);
    let mut plan = case.plan_with(Switch::Off);
    let header = case.block("loop");
    decide(&mut plan, header, Merge::Reevaluate { at: header, from: vec![Some(header), None] });
    let mut faults = case.faults(&plan);
    faults.retain(|fault| !matches!(fault.obligation, Obligation::Reads | Obligation::Records));
    assert_only(&faults, Obligation::Merges, "without coming through the branch of ^1");
}

#[test]
fn a_count_that_tells_nothing() {
    let case = Case::new(GUARDED_LOOP);
    let (entry, header, exit) = (case.block("entry"), case.block("loop"), case.block("exit"));
    let mut plan = case.plan_with(Switch::On);
    decide(&mut plan, header, Merge::Count { entry: header, latch: entry });
    let mut faults = case.faults(&plan);
    faults.retain(|fault| fault.obligation != Obligation::Records);
    assert_only(&faults, Obligation::Merges, "is no loop that ^0 comes round");
    let mut plan = case.plan_with(Switch::On);
    decide(&mut plan, exit, Merge::Count { entry, latch: header });
    assert_only(&case.faults(&plan), Obligation::Merges, "is no loop that ^1 comes round");
    let case = Case::new(TWO_LATCHES);
    let (entry, header, latch) = (case.block("entry"), case.block("loop"), case.block("latch"));
    let mut plan = case.plan_with(Switch::Off);
    decide(&mut plan, header, Merge::Count { entry, latch });
    let mut faults = case.faults(&plan);
    faults.retain(|fault| fault.obligation != Obligation::Records);
    assert_only(&faults, Obligation::Merges, "and is entered from ^0, ^1, ^2");
}

#[test]
fn the_back_edge_dropped_from_the_record() {
    let case = Case::new(LOOP);
    let mut plan = case.plan_with(Switch::Off);
    let header = case.block("loop");
    let Some(Merge::Record { predecessors }) = plan.merges.get_mut(&header).map(|d| &mut d.choice) else {
        panic!("the header's edge is recorded")
    };
    predecessors.pop();
    assert_only(&case.faults(&plan), Obligation::Merges, "records one of ^0, and is entered from ^0, ^3");
}

/// The planner once decided so itself: a header with two latches behind a branch, which it took to be entered once.
#[test]
fn a_header_with_two_latches_is_recorded() {
    let case = Case::new(TWO_LATCHES);
    let mut plan = case.plan_with(Switch::On);
    assert_none(&case.faults(&plan));
    let (entry, header) = (case.block("entry"), case.block("loop"));
    assert!(matches!(plan.merges[&header].choice, Merge::Record { .. }));
    decide(&mut plan, header, Merge::Reevaluate { at: entry, from: vec![Some(entry), None] });
    let mut faults = case.faults(&plan);
    faults.retain(|fault| fault.obligation != Obligation::Records);
    assert_only(&faults, Obligation::Merges, "can be entered from ^0, ^1, ^2");
}
