//! What `derive` writes passes the checker; each function with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::{Fault, Obligation, check_derived};
use backsweep_core::derive::derive;
use backsweep_core::model::{Constant, FloatOp, Function, Inst, IntOp, Op, Operand, ValueId};
use backsweep_core::plan::Merge;
use backsweep_core::request::Mode;
use checker::edit::{
    block_named, delay, find_all, home, inst_mut, move_to, remove, repeat, slot, stores_to, swap_runs,
};
use checker::programs::{ALL, BRANCH, GUARDED_LOOP, LOOP, NEST, NESTED, QUOTIENT, RETURNS, SWITCH};
use checker::written::Written;
use checker::{Case, assert_none};

const MODES: [Mode; 4] = [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse];

/// A program, its plan and the function written from it.
/// A quotient whose numerator is kept, and so is what it is made of: neither is computed again.
fn two_kept() -> String {
    QUOTIENT
        .replace("%a: double = fmul %x, %y", "%m: double = fmul %x, %y\n  %a: double = call @sin(%m) library")
}

fn write(text: &str, mode: Mode) -> Written {
    let case = Case::new(text);
    let request = case.request(mode);
    Written::of(case, &request)
}

impl Written {
    /// The copy of the n-th instruction that is one.
    fn copy_of(&self, nth: usize, op: impl Fn(&Op) -> bool) -> ValueId {
        self.find(nth, |inst| inst.origin.is_some() && op(&inst.op))
    }

    fn zero_stores(&self) -> Vec<ValueId> {
        let zero = Operand::Const(Constant::double(-0.0));
        find_all(&self.derived, |inst| matches!(inst.op, Op::Store(_)) && inst.operands[0] == zero)
    }
}

#[test]
fn what_is_written_passes() {
    for text in ALL {
        for (mode, width) in MODES.into_iter().flat_map(|mode| [(mode, 1), (mode, 2)]) {
            let case = Case::new(text);
            let mut request = case.request(mode);
            request.width = width;
            request.primal_return = width == 2;
            let plan = case.plan(&request);
            let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
            let faults = check_derived(&plan, &case.function, &case.program, &case.rules, &derived);
            assert!(
                faults.is_empty(),
                "{text}\n{plan}\n{:#?}",
                faults.iter().map(Fault::to_string).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn tangents_of_loops_pass() {
    for text in [LOOP, GUARDED_LOOP] {
        write(text, Mode::Tangent);
    }
}

#[test]
fn a_seed_given_passes_and_one_forgotten_does_not() {
    let case = Case::new(QUOTIENT);
    let mut request = case.request(Mode::Gradient);
    request.seeds = vec![7];
    let plan = case.plan(&request);
    let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
    let mut written = Written { case, plan, derived };
    assert_none(&written.faults());
    let seed = Operand::Value(ValueId(2));
    let user = written.find(0, |inst| inst.operands.contains(&seed));
    let one = Operand::Const(Constant::double(1.0));
    inst_mut(&mut written.derived, user)
        .operands
        .iter_mut()
        .filter(|x| **x == seed)
        .for_each(|x| *x = one.clone());
    written.reject(Obligation::Adjoints, "seeds are not added");
}

#[test]
fn a_use_before_its_definition() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let product = written.copy_of(0, |op| matches!(op, Op::Float(_)));
    delay(&mut written.derived, product);
    written.reject(Obligation::WellFormed, "dominates its uses");
}

#[test]
fn another_operation_called_a_copy() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let product = written.copy_of(0, |op| matches!(op, Op::Float(_)));
    inst_mut(&mut written.derived, product).op = Op::Float(FloatOp::Add);
    written.reject(Obligation::Forward, "is called a copy of %2, and is none");
}

#[test]
fn a_copy_with_operands_exchanged() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let quotient = written.copy_of(0, |op| *op == Op::Float(FloatOp::Div));
    inst_mut(&mut written.derived, quotient).operands.swap(0, 1);
    written.reject(Obligation::Forward, "has other operands");
}

#[test]
fn a_copy_made_twice_or_not_at_all() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let product = written.copy_of(0, |op| matches!(op, Op::Float(_)));
    repeat(&mut written.derived, product);
    assert!(written.faults().iter().any(|fault| fault.message.contains("is copied twice")));
    let mut written = write(QUOTIENT, Mode::Tangent);
    let quotient = written.copy_of(0, |op| *op == Op::Float(FloatOp::Div));
    inst_mut(&mut written.derived, quotient).origin = None;
    written.reject(Obligation::Forward, "and its copy");
}

#[test]
fn arms_of_a_branch_exchanged() {
    let mut written = write(BRANCH, Mode::Gradient);
    let branch = written.copy_of(0, |op| matches!(op, Op::CondBr { .. }));
    if let Op::CondBr { yes, no } = &mut inst_mut(&mut written.derived, branch).op {
        std::mem::swap(yes, no);
    }
    written.reject(Obligation::Forward, "and its copy");
}

#[test]
fn edges_of_a_phi_exchanged() {
    let mut written = write(BRANCH, Mode::Tangent);
    let phi = written.copy_of(0, |op| matches!(op, Op::Phi { .. }));
    inst_mut(&mut written.derived, phi).operands.swap(0, 1);
    written.reject(Obligation::WellFormed, "dominates its uses");
    let constants = BRANCH.replace("^left: %a, ^right: %b", "^left: double 1.0, ^right: %y");
    let mut written = write(&constants, Mode::Tangent);
    let phi = written.copy_of(0, |op| matches!(op, Op::Phi { .. }));
    inst_mut(&mut written.derived, phi).operands.swap(0, 1);
    written.reject(Obligation::Forward, "has other operands");
}

#[test]
fn a_kept_value_not_written() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let kept = stores_to(&written.derived, slot(&written.derived, 0));
    remove(&mut written.derived, kept[0]);
    written.reject(Obligation::Cells, "is not written exactly once");
}

#[test]
fn a_kept_value_written_twice() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let kept = stores_to(&written.derived, slot(&written.derived, 0));
    repeat(&mut written.derived, kept[0]);
    written.reject(Obligation::Cells, "is not written exactly once");
}

#[test]
fn a_kept_value_written_later() {
    let mut written = write(&two_kept(), Mode::Gradient);
    let kept = stores_to(&written.derived, slot(&written.derived, 0));
    delay(&mut written.derived, kept[0]);
    written.reject(Obligation::Cells, "is not written directly behind its value");
}

#[test]
fn a_kept_value_written_elsewhere() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let store = stores_to(&written.derived, slot(&written.derived, 0))[0];
    let seam = block_named(&written.derived, "seam");
    move_to(&mut written.derived, store, seam);
    written.reject(Obligation::Cells, "is not written in the block that computes its value");
}

#[test]
fn another_value_in_the_cell() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let kept = stores_to(&written.derived, slot(&written.derived, 0));
    inst_mut(&mut written.derived, kept[0]).operands[0] = Operand::Value(ValueId(0));
    written.reject(Obligation::Cells, "holds another value");
}

#[test]
fn a_cell_that_nobody_planned() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let first = slot(&written.derived, 0);
    repeat(&mut written.derived, first);
    written.reject(Obligation::Cells, "cells are expected");
}

#[test]
fn numbers_of_edges_exchanged() {
    for (text, name) in [(NESTED, "^3"), (RETURNS, "the exit")] {
        let mut written = write(text, Mode::Gradient);
        let numbers = |inst: &Inst| {
            matches!(inst.op, Op::Phi { .. }) && inst.operands.iter().all(|x| matches!(x, Operand::Const(_)))
        };
        let phi = written.find(0, numbers);
        inst_mut(&mut written.derived, phi).operands.swap(0, 1);
        written.reject(Obligation::Cells, &format!("the edge into {name} holds the number of another edge"));
    }
}

/// Whether a store stands right behind a load of the same cell: an adjoint taken, rather than one that starts.
fn follows_load(derived: &Function, store: ValueId) -> bool {
    let insts = &derived.block(home(derived, store)).insts;
    let at = insts.iter().position(|id| *id == store).unwrap_or(0);
    let before = at.checked_sub(1).and_then(|at| derived.inst(insts[at]));
    let cell = derived.inst(store).and_then(|inst| inst.operands.get(1));
    before.is_some_and(|inst| matches!(inst.op, Op::Load(_)) && inst.operands.first() == cell)
}

#[test]
fn an_adjoint_not_zeroed_when_taken() {
    let count = write(BRANCH, Mode::Gradient).zero_stores().len();
    let mut tried = 0;
    for nth in 0..count {
        let mut written = write(BRANCH, Mode::Gradient);
        let store = written.zero_stores()[nth];
        let at_start = !follows_load(&written.derived, store);
        remove(&mut written.derived, store);
        let part = if at_start { "does not start at zero" } else { "and not zeroed" };
        written.reject(Obligation::Adjoints, part);
        tried += usize::from(!at_start);
    }
    assert!(tried >= 3, "several adjoints are taken");
}

#[test]
fn a_sum_that_forgets_what_was_there() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let reverse = block_named(&written.derived, "reverse.entry");
    let derived = &written.derived;
    let adds =
        find_all(derived, |inst| matches!(inst.op, Op::Store(_)) && inst.operands[0].value().is_some());
    let add = adds.into_iter().rfind(|id| home(derived, *id) == reverse).expect("something is added");
    let sum = inst_mut(&mut written.derived, add).operands[0].value().expect("a sum");
    let part = inst_mut(&mut written.derived, sum).operands[1].clone();
    inst_mut(&mut written.derived, add).operands[0] = part;
    written.reject(Obligation::Adjoints, "is overwritten");
}

#[test]
fn an_add_to_another_adjoint() {
    let mut written = write(BRANCH, Mode::Gradient);
    // The reverse of `x * x` adds twice to x; sent to y's adjoint, which is of the same type.
    let reverse = block_named(&written.derived, "reverse.left");
    let cells: Vec<ValueId> =
        find_all(&written.derived, |inst| matches!(inst.op, Op::Alloca(_)) && inst.origin.is_none());
    let adjoints = &cells[cells.len() - written.plan.activity.values().count()..];
    let (x, y) = (Operand::Value(adjoints[0]), Operand::Value(adjoints[1]));
    let touching =
        find_all(&written.derived, |inst| inst.op.access().is_some() && inst.operands.contains(&x));
    for id in touching.into_iter().filter(|id| home(&written.derived, *id) == reverse).collect::<Vec<_>>() {
        inst_mut(&mut written.derived, id)
            .operands
            .iter_mut()
            .filter(|p| **p == x)
            .for_each(|p| *p = y.clone());
    }
    written.reject(Obligation::Adjoints, "adds to %1 what it did not take");
}

#[test]
fn an_add_left_out() {
    let mut written = write(QUOTIENT, Mode::Gradient);
    let reverse = block_named(&written.derived, "reverse.entry");
    let derived = &written.derived;
    let stores =
        find_all(derived, |inst| matches!(inst.op, Op::Store(_)) && inst.operands[0].value().is_some());
    let last = stores.into_iter().rfind(|id| home(derived, *id) == reverse).expect("something is added");
    remove(&mut written.derived, last);
    assert!(written.faults().iter().any(|fault| fault.message.contains("adds nothing to %1")));
}

#[test]
fn reverses_in_the_order_of_the_primal() {
    let text = "function @f(%x: double, %y: double) -> double {
^entry:
  %a: double = fneg %x
  %b: double = fneg %y
  %c: double = fadd %a, %b
  ret %c
}";
    let mut written = write(text, Mode::Gradient);
    let reverse = block_named(&written.derived, "reverse.entry");
    let takes: Vec<usize> = {
        let derived = &written.derived;
        let zero = Operand::Const(Constant::double(-0.0));
        let insts = derived.block(reverse).insts.iter().enumerate();
        let zeroed = insts.filter(|(_, id)| {
            derived.inst(**id).is_some_and(|inst| inst.operands.first() == Some(&zero))
                && follows_load(derived, **id)
        });
        zeroed.map(|(at, _)| at - 1).collect()
    };
    let end = written.derived.block(reverse).insts.len() - 1;
    assert_eq!(takes.len(), 3);
    // The negations do not depend on one another, so this gives the right numbers by luck of the program only.
    swap_runs(&mut written.derived, reverse, takes[1], takes[2], end);
    written.reject(Obligation::Backward, "takes adjoints of");
}

#[test]
fn a_re_evaluated_branch_the_wrong_way_round() {
    for text in [BRANCH, SWITCH] {
        let mut written = write(text, Mode::Gradient);
        assert!(written.plan.merges.values().all(|merge| matches!(merge.choice, Merge::Reevaluate { .. })));
        let branches =
            |inst: &Inst| inst.origin.is_none() && matches!(inst.op, Op::CondBr { .. } | Op::Switch { .. });
        let branch = written.find(0, branches);
        match &mut inst_mut(&mut written.derived, branch).op {
            Op::CondBr { yes, no } => std::mem::swap(yes, no),
            Op::Switch { cases, .. } => {
                let first = cases[0].1;
                cases[0].1 = cases[1].1;
                cases[1].1 = first;
            }
            other => panic!("a branch, not {other:?}"),
        }
        assert!(!written.faults().is_empty(), "the adjoint of the phi goes to the wrong arm");
    }
}

#[test]
fn a_recorded_edge_followed_wrongly() {
    let mut written = write(NESTED, Mode::Gradient);
    let branch = written.find(0, |inst| inst.origin.is_none() && matches!(inst.op, Op::Switch { .. }));
    if let Op::Switch { cases, .. } = &mut inst_mut(&mut written.derived, branch).op {
        let first = cases[0].1;
        cases[0].1 = cases[1].1;
        cases[1].1 = first;
    }
    assert!(!written.faults().is_empty(), "the adjoint of the phi goes to the wrong arm");
}

#[test]
fn a_loop_that_counts_wrongly() {
    let mut written = write(GUARDED_LOOP, Mode::Gradient);
    let fewer = written.find(0, |inst| inst.op == Op::Int(IntOp::Sub));
    inst_mut(&mut written.derived, fewer).operands[1] = Operand::Const(Constant::int(64, 2));
    let faults = written.faults();
    assert!(faults.iter().any(|fault| fault.message.contains("does not go back by the planned edge")));
    let mut written = write(NEST, Mode::Gradient);
    let zero = Operand::Const(Constant::int(64, 0));
    let starts = |inst: &Inst| matches!(inst.op, Op::Store(_)) && inst.operands[0] == zero;
    let starts = find_all(&written.derived, starts);
    let late =
        starts.into_iter().find(|id| home(&written.derived, *id).0 != 0).expect("a loop starts to count");
    remove(&mut written.derived, late);
    written.reject(Obligation::Cells, "are not counted from the loop's entry on");
}

#[test]
fn a_record_not_taken_back() {
    let mut written = write(LOOP, Mode::Gradient);
    let pop = written.find(0, |inst| inst.callee_name() == Some("backsweep.pop"));
    let push = Operand::Const(Constant::Symbol { name: "backsweep.push".into(), space: 0 });
    *inst_mut(&mut written.derived, pop).operands.last_mut().expect("a callee") = push;
    assert!(written.faults().iter().any(|fault| fault.message.contains("does not take back the record")));
}

#[test]
fn a_saved_value_read_after_it_was_overwritten() {
    let mut written = write(LOOP, Mode::Gradient);
    let derived = &written.derived;
    let push = written.find(0, |inst| inst.callee_name() == Some("backsweep.push"));
    let saves = find_all(derived, |inst| matches!(inst.op, Op::Load(_)) && inst.origin.is_none());
    let save = saves.into_iter().find(|id| *id > push).expect("what is overwritten is saved");
    let stored =
        find_all(derived, |inst| matches!(inst.op, Op::Store(_)) && inst.operands[0] == Operand::Value(save));
    delay(&mut written.derived, save);
    // What stood behind the load has moved up by one.
    delay(&mut written.derived, ValueId(stored[0].0 - 1));
    let faults = written.faults();
    assert!(faults.iter().any(|fault| fault.message.contains("after it was overwritten")), "{faults:?}");
}

#[test]
fn a_tape_read_at_another_place() {
    for mode in [Mode::Augmented, Mode::Reverse] {
        let mut written = write(QUOTIENT, mode);
        let place = written.find(0, |inst| matches!(inst.op, Op::Gep(_)));
        inst_mut(&mut written.derived, place).operands[1] = Operand::Const(Constant::int(64, 8));
        written.reject(Obligation::Tape, "does not lie at byte 0");
    }
}

#[test]
fn a_tape_too_short() {
    let mut written = write(&two_kept(), Mode::Augmented);
    let call = written.find(0, |inst| inst.callee_name() == Some("bs_rt_tape_alloc"));
    inst_mut(&mut written.derived, call).operands[0] = Operand::Const(Constant::int(64, 8));
    written.reject(Obligation::Tape, "another number is allocated");
}

#[test]
fn a_cell_not_filled_from_the_tape() {
    let mut written = write(QUOTIENT, Mode::Reverse);
    let first = stores_to(&written.derived, slot(&written.derived, 0));
    inst_mut(&mut written.derived, first[0]).operands[0] = Operand::Value(ValueId(0));
    let faults = written.faults();
    assert!(faults.iter().any(|fault| fault.message.contains("is not filled from the tape at the start")));
}

/// A recorded merge that a switch enters by two edges once had a phi with one entry for both, which is no phi.
#[test]
fn the_number_of_an_edge_that_stands_for_two() {
    let case = Case::new(
        "function @f(%x: double, %n: i32) -> double {
^entry:
  switch %n cases(i32 0: ^join, i32 1: ^join) default ^other
^other:
  %a: double = fmul %x, %x
  %c: i1 = fcmp olt %a, double 4.0
  br %c, ^deep, ^join
^deep:
  %b: double = fneg %x
  br ^join
^join:
  %p: double = phi ^entry: %x, ^entry: %x, ^other: %a, ^deep: %b
  ret %p
}",
    );
    let plan = case.gradient();
    assert_none(&case.faults(&plan));
    let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
    let mut written = Written { case, plan, derived };
    assert_none(&written.faults());
    let numbers = |inst: &Inst| {
        matches!(inst.op, Op::Phi { .. }) && inst.operands.iter().all(|x| matches!(x, Operand::Const(_)))
    };
    let phi = written.find(0, numbers);
    let phi = inst_mut(&mut written.derived, phi);
    phi.operands.remove(0);
    if let Op::Phi { from } = &mut phi.op {
        from.remove(0);
    }
    written.reject(Obligation::WellFormed, "A phi has one operand for each edge into its block.");
}
