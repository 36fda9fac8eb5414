//! Right plans pass the checker; each plan with one fault is rejected, for that fault.

mod checker;

use backsweep_core::analyses::activity::Activity as Active;
use backsweep_core::check::{Obligation, check_halves, check_plan};
use backsweep_core::config::{Config, Switch};
use backsweep_core::model::{BlockId, FloatOp, Op, ValueId};
use backsweep_core::plan::{Decision, EXIT, Item, Merge, Plan, Slot, Storage, make_plan};
use backsweep_core::request::{Activity, Mode, Part};
use checker::programs::{ALL, BRANCH, LANES, NESTED, PARTS, QUOTIENT, RETURNS, SELECT, SWITCH};
use checker::{Case, activate, assert_none, assert_only, deactivate};

const MODES: [Mode; 4] = [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse];
const MUL: fn(&Op) -> bool = |op| *op == Op::Float(FloatOp::Mul);

#[test]
fn right_plans_pass() {
    for text in ALL {
        let case = Case::new(text);
        for (mode, width) in MODES.into_iter().flat_map(|mode| [(mode, 1), (mode, 3)]) {
            let mut request = case.request(mode);
            request.width = width;
            request.primal_return = width == 3;
            assert_none(&case.faults(&case.plan(&request)));
        }
        assert_none(&case.faults(&case.plan_with(Switch::Off)));
    }
}

/// Breaks the gradient plan of a program, and expects faults of one obligation.
fn reject(text: &str, obligation: Obligation, part: &str, break_it: impl Fn(&Case, &mut Plan)) {
    reject_mode(text, Mode::Gradient, obligation, part, break_it);
}

fn reject_mode(
    text: &str,
    mode: Mode,
    obligation: Obligation,
    part: &str,
    break_it: impl Fn(&Case, &mut Plan),
) {
    let case = Case::new(text);
    let mut plan = case.plan(&case.request(mode));
    assert_none(&case.faults(&plan));
    break_it(&case, &mut plan);
    assert_only(&case.faults(&plan), obligation, part);
}

fn store(plan: &mut Plan, value: ValueId, choice: Storage) {
    plan.storage.insert(value, Decision { choice, reason: "planted".into() });
}

fn from_of(plan: &mut Plan, block: BlockId) -> &mut Vec<Option<BlockId>> {
    match plan.merges.get_mut(&block).map(|decision| &mut decision.choice) {
        Some(Merge::Reevaluate { from, .. }) => from,
        other => panic!("a branch is evaluated again, not {other:?}"),
    }
}

fn recorded(plan: &mut Plan, block: BlockId) -> &mut Vec<BlockId> {
    match plan.merges.get_mut(&block).map(|decision| &mut decision.choice) {
        Some(Merge::Record { predecessors }) => predecessors,
        other => panic!("an edge is recorded, not {other:?}"),
    }
}

#[test]
fn an_active_value_left_out() {
    let every = |text: &str| {
        let case = Case::new(text);
        let values: Vec<ValueId> = case.gradient().activity.values().collect();
        for value in values {
            let mut plan = case.gradient();
            deactivate(&mut plan, value);
            assert_only(&case.faults(&plan), Obligation::Closed, &format!("%{} ", value.0));
        }
    };
    ALL.into_iter().for_each(every);
}

#[test]
fn an_integer_claimed_active() {
    reject(LANES, Obligation::Differentiable, "i32 carries no derivative", |_, plan| {
        activate(plan, ValueId(2));
    });
}

#[test]
fn a_comparison_claimed_active() {
    reject(SELECT, Obligation::Differentiable, "it carries no derivative", |case, plan| {
        activate(plan, case.find(0, |op| matches!(op, Op::FCmp(_))));
    });
}

#[test]
fn a_value_that_does_not_exist_claimed_active() {
    reject(SELECT, Obligation::Differentiable, "no value", |_, plan| activate(plan, ValueId(77)));
}

#[test]
fn bits_of_an_active_value() {
    let case = Case::new(
        "function @f(%x: double) -> double {
^entry:
  %b: i64 = bitcast %x
  %s: i64 = shl %b, i64 1
  %y: double = bitcast %s
  ret %y
}",
    );
    let mut plan = Case::new(QUOTIENT).gradient();
    let request = case.request(Mode::Gradient);
    plan.params.truncate(1);
    plan.results.truncate(1);
    plan.request = request;
    plan.storage.clear();
    let active = |plan: &mut Plan, values: &[u32]| {
        plan.activity =
            backsweep_core::analyses::activity::Activity::claim(values.iter().copied().map(ValueId));
    };
    active(&mut plan, &[]);
    assert_only(&case.faults(&plan), Obligation::Closed, "influences an active result");
    active(&mut plan, &[0, 1, 2, 3]);
    assert_only(&case.faults(&plan), Obligation::Differentiable, "no way to differentiate");
}

#[test]
fn an_unknown_function_given_an_active_value() {
    let (plain, foreign) = (
        "declare @g(double) -> void attributes(nounwind)
function @f(%x: double, %n: i32) -> double {
^entry:
  %y: double = fmul %x, %x
  ret %y
}",
        "declare @g(double) -> void attributes(nounwind)
function @f(%x: double, %n: i32) -> double {
^entry:
  %y: double = fmul %x, %x
  call @g(%y)
  ret %y
}",
    );
    let plan = Case::new(plain).gradient();
    assert_only(&Case::new(foreign).faults(&plan), Obligation::NothingUnknown, "call of @g");
}

#[test]
fn a_store_of_an_active_value() {
    let text = |line: &str| {
        format!(
            "function @f(%x: double, %p: ptr) -> double {{\n^entry:\n  %y: double = fmul %x, %x\n{line}  ret %y\n}}"
        )
    };
    let case = Case::new(&text(""));
    let mut request = case.request(Mode::Gradient);
    request.arguments[1].activity = Activity::Const;
    let plan = case.plan(&request);
    let stored = Case::new(&text("  store %y, %p\n"));
    assert_only(&stored.faults(&plan), Obligation::NothingUnknown, "can have no shadow");
}

#[test]
fn a_function_that_only_bears_the_name_of_a_row() {
    let text = "declare @hypot(double, double, i32) -> double
declare @sin(i32) -> double
function @f(%x: double) -> double {
^entry:
  %i: i32 = fptosi %x
  %a: double = call @sin(%i)
  %y: double = fmul %x, %a
  ret %y
}";
    // An integer argument carries nothing, so a `sin` of integers is only a constant.
    let case = Case::new(text);
    assert_none(&case.faults(&case.gradient()));
    let third = "declare @hypot(double, double, double) -> double
function @f(%x: double, %y: double) -> double {
^entry:
  %r: double = call @hypot(%y, %y, %x)
  ret %r
}";
    // Another function than the library's of two, so there is no plan.
    let case = Case::new(third);
    let request = case.request(Mode::Gradient);
    let planned = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    assert!(planned.is_err(), "nothing is known of a hypot of three");
    let case = Case::new(&third.replace("call @hypot(%y, %y, %x)", "fmul %y, %y"));
    let mut plan = case.gradient();
    assert_none(&case.faults(&plan));
    plan.activity = Active::claim([ValueId(1), ValueId(2)]);
    let faults = check_plan(&plan, &Case::new(third).function, &case.program, &case.rules);
    assert!(faults.iter().any(|fault| {
        fault.obligation == Obligation::NothingUnknown
            && fault.message.contains("%0 (a parameter) varies and is given to")
    }));
}

#[test]
fn a_storage_left_out() {
    for text in ALL {
        let case = Case::new(text);
        let values: Vec<ValueId> = case.gradient().storage.keys().copied().collect();
        for value in values {
            let mut plan = case.gradient();
            plan.storage.remove(&value);
            plan.records.values_mut().for_each(|items| items.retain(|item| *item != Item::Value(value)));
            plan.records.retain(|_, items| !items.is_empty());
            // What was recomputed from it has lost an operand, too.
            let mut faults = case.faults(&plan);
            faults.retain(|fault| !fault.message.contains("from what is not at hand"));
            let lost = faults.len() < case.faults(&plan).len();
            if !(lost && faults.is_empty()) {
                assert_only(&faults, Obligation::Reads, &format!("%{} ", value.0));
            }
        }
    }
}

#[test]
fn an_argument_that_is_computed() {
    reject(QUOTIENT, Obligation::Storage, "stored as an argument", |case, plan| {
        store(plan, case.find(0, MUL), Storage::Argument);
    });
}

#[test]
fn a_cell_for_a_parameter() {
    reject(QUOTIENT, Obligation::Storage, "is a parameter", |_, plan| {
        store(plan, ValueId(0), Storage::Keep);
    });
}

#[test]
fn a_cell_for_nothing() {
    reject(BRANCH, Obligation::Storage, "gives nothing", |case, plan| {
        store(plan, case.find(0, |op| matches!(op, Op::CondBr { .. })), Storage::Keep);
    });
    reject(BRANCH, Obligation::Storage, "no value", |_, plan| store(plan, ValueId(99), Storage::Keep));
}

#[test]
fn a_branch_that_does_not_decide() {
    reject(NESTED, Obligation::Merges, "can be entered from ^1, ^2", |case, plan| {
        let (entry, left, join) = (case.block("entry"), case.block("left"), case.block("join"));
        let choice = Merge::Reevaluate { at: entry, from: vec![Some(left), Some(entry)] };
        plan.merges.insert(join, Decision { choice, reason: "planted".into() });
        let condition = case.find(0, |op| matches!(op, Op::FCmp(_)));
        store(plan, condition, Storage::Keep);
    });
}

/// Two faults in one: the branch tells nothing of paths around it, and its condition may never have been computed.
#[test]
fn a_branch_that_need_not_have_run() {
    let case = Case::new(NESTED);
    let mut plan = case.gradient();
    let (left, deep, join) = (case.block("left"), case.block("deep"), case.block("join"));
    let choice = Merge::Reevaluate { at: left, from: vec![Some(deep), Some(left)] };
    plan.merges.insert(join, Decision { choice, reason: "planted".into() });
    store(&mut plan, case.find(0, |op| matches!(op, Op::ICmp(_))), Storage::Keep);
    let (merges, others) =
        case.faults(&plan).into_iter().partition::<Vec<_>, _>(|fault| fault.obligation == Obligation::Merges);
    assert_only(&merges, Obligation::Merges, "without coming through the branch of ^1");
    assert_only(&others, Obligation::Storage, "need not have been computed");
}

#[test]
fn edges_of_a_branch_swapped() {
    reject(BRANCH, Obligation::Merges, "after successor 0", |case, plan| {
        from_of(plan, case.block("join")).swap(0, 1);
    });
    reject(SWITCH, Obligation::Merges, "after successor 1", |case, plan| {
        from_of(plan, case.block("join")).swap(1, 2);
    });
}

#[test]
fn an_edge_promised_that_never_comes() {
    reject(SWITCH, Obligation::Merges, "from nowhere", |case, plan| {
        let one = case.block("one");
        from_of(plan, case.block("join"))[0] = Some(one);
    });
}

#[test]
fn an_edge_said_to_come_never() {
    reject(BRANCH, Obligation::Merges, "is said to be entered from nowhere", |case, plan| {
        from_of(plan, case.block("join"))[1] = None;
    });
}

#[test]
fn too_few_edges_for_the_branch() {
    reject(SWITCH, Obligation::Merges, "one edge for each successor", |case, plan| {
        from_of(plan, case.block("join")).pop();
    });
}

#[test]
fn a_jump_taken_for_a_branch() {
    reject(BRANCH, Obligation::Merges, "no branch on a value", |case, plan| {
        let left = case.block("left");
        let choice = Merge::Reevaluate { at: left, from: vec![Some(left)] };
        plan.merges.insert(case.block("join"), Decision { choice, reason: "planted".into() });
    });
}

#[test]
fn a_merge_left_out() {
    for (text, block) in [(BRANCH, "join"), (NESTED, "join"), (SWITCH, "join")] {
        reject(text, Obligation::Merges, "has no decision", |case, plan| {
            plan.merges.remove(&case.block(block));
        });
    }
    reject(RETURNS, Obligation::Merges, "the exit is entered by several edges", |_, plan| {
        plan.merges.remove(&EXIT);
    });
}

#[test]
fn a_merge_where_there_is_none() {
    reject(BRANCH, Obligation::Merges, "by one edge at most", |case, plan| {
        let choice = Merge::Record { predecessors: vec![case.block("entry")] };
        plan.merges.insert(case.block("left"), Decision { choice, reason: "planted".into() });
    });
}

#[test]
fn a_predecessor_dropped_or_moved() {
    reject(NESTED, Obligation::Merges, "records one of", |case, plan| {
        recorded(plan, case.block("join")).pop();
    });
    reject(NESTED, Obligation::Merges, "records one of", |case, plan| {
        recorded(plan, case.block("join")).swap(0, 1);
    });
    reject(RETURNS, Obligation::Merges, "records one of", |_, plan| {
        recorded(plan, EXIT).remove(0);
    });
}

#[test]
fn the_exit_decided_by_a_branch() {
    reject(RETURNS, Obligation::Merges, "the exit is not entered by a branch", |case, plan| {
        let (entry, up, down) = (case.block("entry"), case.block("up"), case.block("down"));
        let choice = Merge::Reevaluate { at: entry, from: vec![Some(up), Some(down)] };
        plan.merges.insert(EXIT, Decision { choice, reason: "planted".into() });
        store(plan, case.find(0, |op| matches!(op, Op::ICmp(_))), Storage::Keep);
    });
}

#[test]
fn results_in_another_order() {
    reject(QUOTIENT, Obligation::Signature, "the derivative returns", |_, plan| plan.results.swap(0, 1));
}

#[test]
fn a_result_left_out_or_given_twice() {
    reject(QUOTIENT, Obligation::Signature, "the derivative returns", |_, plan| {
        plan.results.pop();
    });
    reject(QUOTIENT, Obligation::Signature, "the derivative returns", |_, plan| {
        plan.results[1] = plan.results[0];
    });
    reject_mode(QUOTIENT, Mode::Augmented, Obligation::Signature, "Tape", |_, plan| {
        plan.results = vec![Part::Primal, Part::Tape];
    });
}

#[test]
fn a_parameter_left_out_or_taken_twice() {
    reject_mode(QUOTIENT, Mode::Tangent, Obligation::Signature, "does not take shadow 0 of %1", |_, plan| {
        plan.params.retain(|slot| *slot != Slot::Shadow { param: 1, lane: 0 });
    });
    reject(QUOTIENT, Obligation::Signature, "not asked for, or twice", |_, plan| {
        plan.params.push(Slot::Primal { param: 0 });
    });
    reject(QUOTIENT, Obligation::Signature, "takes seed 0", |_, plan| {
        plan.params.push(Slot::Seed { lane: 0 });
    });
    reject(QUOTIENT, Obligation::Signature, "takes tape", |_, plan| plan.params.push(Slot::Tape));
    reject_mode(QUOTIENT, Mode::Reverse, Obligation::Signature, "does not take tape", |_, plan| {
        plan.params.retain(|slot| *slot != Slot::Tape);
    });
}

#[test]
fn a_request_that_does_not_fit() {
    reject_mode(
        QUOTIENT,
        Mode::Tangent,
        Obligation::Signature,
        "gives nothing back in forward mode",
        |_, plan| {
            plan.request.arguments[0].activity = Activity::Out;
            plan.params.retain(|slot| *slot != Slot::Shadow { param: 0, lane: 0 });
        },
    );
    reject(QUOTIENT, Obligation::Signature, "not for a function like this", |_, plan| {
        plan.request.arguments.pop();
    });
}

#[test]
fn a_shadow_that_nothing_can_be_added_to() {
    let text = "function @f(%s: {ptr, double}) -> double {
^entry:
  %x: double = extractvalue %s path(1)
  %y: double = fmul %x, %x
  ret %y
}";
    // Today the planner accepts this and the derivative by `x` is lost; the checker does not.
    let case = Case::new(text);
    assert_only(&case.faults(&case.gradient()), Obligation::Closed, "nothing can be added to its shadow");
    assert_none(&case.faults(&case.plan(&case.request(Mode::Tangent))));
}

#[test]
fn halves_that_lay_out_different_tapes() {
    let case = Case::new(PARTS);
    let augmented = case.plan(&case.request(Mode::Augmented));
    let mut reverse = case.plan(&case.request(Mode::Reverse));
    assert_none(&check_halves(&augmented, &reverse));
    reverse.storage.clear();
    assert_only(&check_halves(&augmented, &reverse), Obligation::Tape, "different values");
    let case = Case::new(NESTED);
    let augmented = case.plan(&case.request(Mode::Augmented));
    let mut reverse = case.plan(&case.request(Mode::Reverse));
    assert_none(&check_halves(&augmented, &reverse));
    reverse.merges.clear();
    assert_only(&check_halves(&augmented, &reverse), Obligation::Tape, "different edges");
}

#[test]
fn an_argument_that_the_reverse_function_does_not_take() {
    let case = Case::new(QUOTIENT);
    let mut plan = case.plan(&case.request(Mode::Reverse));
    plan.params.retain(|slot| *slot != Slot::Primal { param: 1 });
    let faults = case.faults(&plan);
    assert!(faults.iter().any(|fault| fault.obligation == Obligation::Tape), "{faults:?}");
}
