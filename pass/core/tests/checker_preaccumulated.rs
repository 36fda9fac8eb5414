//! Local Jacobians: right ones pass, each with one fault in them is rejected, for that fault.

mod checker;

use backsweep_core::check::{Obligation, check_halves};
use backsweep_core::model::{Flags, FloatOp, Inst, Link, Op, Operand, Type, ValueId};
use backsweep_core::plan::{Item, Local, Plan};
use backsweep_core::request::Mode;
use checker::{Case, assert_none, assert_only};

/// A number is handed from one iteration to the next through a chain of functions that cost too much to compute again.
fn chain() -> Case {
    Case::new(
        "declare @llvm.sin.f64(double) -> double
declare @llvm.exp.f64(double) -> double
declare @llvm.cos.f64(double) -> double
function @f(%x: double, %n: i64) -> double {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 1.0, ^loop: %out
  %a: double = fmul %s, %x
  %b: double = call @llvm.sin.f64(%a)
  %c: double = fdiv %b, %s
  %d: double = call @llvm.exp.f64(%c)
  %e: double = fmul %d, %b
  %g: double = call @llvm.cos.f64(%e)
  %out: double = fadd %g, %d
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %out
}",
    )
}

fn right(case: &Case) -> Plan {
    let plan = case.preaccumulated(&case.request(Mode::Gradient));
    assert!(plan.local.is_some(), "the chain is preaccumulated: {plan}");
    assert_none(&case.faults(&plan));
    plan
}

fn local(plan: &mut Plan) -> &mut Local {
    plan.local.as_mut().expect("a local Jacobian is attached")
}

/// The instructions that do something, by number.
fn find(plan: &Plan, does: impl Fn(&Inst) -> bool) -> Vec<ValueId> {
    let function = &plan.local.as_ref().expect("there is one").attached.function;
    function.inst_ids().filter(|id| function.inst(*id).is_some_and(&does)).collect()
}

fn change(plan: &mut Plan, id: ValueId, change: impl Fn(&mut Inst)) {
    let function = &mut local(plan).attached.function;
    let at = id.0 as usize - function.params.len();
    change(&mut function.insts[at]);
}

fn is_term(inst: &Inst) -> bool {
    matches!(inst.op, Op::Attach(Link::Term { .. }))
}

/// Whether the checker says that of local Jacobians.
fn assert_says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    let said = faults
        .iter()
        .any(|fault| fault.obligation == Obligation::Preaccumulated && fault.message.contains(part));
    assert!(said, "nothing says `{part}`: {faults:?}");
}

#[test]
fn halves_with_different_local_jacobians() {
    let case = chain();
    let half = |mode| {
        let plan = case.preaccumulated(&case.request(mode));
        assert_none(&case.faults(&plan));
        plan
    };
    let (augmented, mut reverse) = (half(Mode::Augmented), half(Mode::Reverse));
    assert!(augmented.local.is_some(), "the chain is preaccumulated: {augmented}");
    assert_none(&check_halves(&augmented, &reverse));
    let product = find(&reverse, |inst| matches!(inst.op, Op::Float(FloatOp::Mul)))[0];
    change(&mut reverse, product, |inst| inst.op = Op::Float(FloatOp::Sub));
    assert_only(&check_halves(&augmented, &reverse), Obligation::Tape, "different local Jacobians");
}

/// Two factors and nothing else: the values in between are not recorded.
#[test]
fn one_output_and_two_inputs_are_two_numbers() {
    let case = chain();
    let plan = right(&case);
    let recorded = |plan: &Plan| {
        let items = plan.records.values().flatten().filter_map(|item| match item {
            Item::Value(value) => Some(*value),
            _ => None,
        });
        let body = plan.body(&case.program).expect("a body").clone();
        items.filter(|value| body.value_type(*value) == &Type::DOUBLE).count()
    };
    assert_eq!(recorded(&plan), 2, "{plan}");
    assert!(recorded(&case.lean_plan(&case.request(Mode::Gradient))) > 2);
    assert!(plan.to_string().contains("preaccumulated"), "{plan}");
}

#[test]
fn a_factor_is_another_value() {
    let case = chain();
    let good = right(&case);
    for term in find(&good, is_term) {
        let mut plan = case.preaccumulated(&case.request(Mode::Gradient));
        change(&mut plan, term, |inst| inst.operands[1] = inst.operands[2].clone());
        assert_says(&case, &plan, "is another");
    }
}

#[test]
fn a_product_is_a_sum() {
    let case = chain();
    let good = right(&case);
    let origins = good.local.as_ref().expect("there is one").attached.origins.clone();
    let products = find(&good, |inst| inst.op == Op::Float(FloatOp::Mul));
    let products: Vec<ValueId> = products.into_iter().filter(|id| origins[id.0 as usize].is_none()).collect();
    assert!(!products.is_empty(), "factors are products");
    for product in products {
        let mut plan = case.preaccumulated(&case.request(Mode::Gradient));
        change(&mut plan, product, |inst| inst.op = Op::Float(FloatOp::Add));
        assert_says(&case, &plan, "is another");
    }
}

#[test]
fn an_input_is_left_out() {
    let case = chain();
    let good = right(&case);
    for term in find(&good, is_term) {
        let mut plan = case.preaccumulated(&case.request(Mode::Gradient));
        // The rest of the chain goes past it, and the term is one of nothing.
        let before = {
            let function = &local(&mut plan).attached.function;
            function.inst(term).expect("an instruction").operands[0].clone()
        };
        let users = find(&plan, |inst| inst.operands.contains(&Operand::Value(term)));
        for user in users {
            change(&mut plan, user, |inst| {
                inst.operands
                    .iter_mut()
                    .filter(|x| **x == Operand::Value(term))
                    .for_each(|x| *x = before.clone());
            });
        }
        // What it has come from is then met, or the factor of that is another.
        assert_says(&case, &plan, "");
    }
}

#[test]
fn an_instruction_is_not_the_one_that_was_given() {
    let case = chain();
    let good = right(&case);
    let origins = good.local.as_ref().expect("there is one").attached.origins.clone();
    let given = find(&good, |inst| inst.op == Op::Float(FloatOp::Div));
    let given = *given.iter().find(|id| origins[id.0 as usize].is_some()).expect("the quotient");
    let mut plan = right(&case);
    change(&mut plan, given, |inst| inst.op = Op::Float(FloatOp::Mul));
    assert_says(&case, &plan, "is not what was given");
    let mut plan = right(&case);
    change(&mut plan, given, |inst| inst.flags = inst.flags.with(Flags::ARCP));
    assert_says(&case, &plan, "is not what was given");
    let mut plan = right(&case);
    change(&mut plan, given, |inst| inst.operands.swap(0, 1));
    assert_says(&case, &plan, "is not what was given");
}

#[test]
fn what_was_put_in_is_said_to_be_given() {
    let case = chain();
    let mut plan = right(&case);
    let new =
        local(&mut plan).attached.origins.iter().position(Option::is_none).expect("something was put in");
    let last = ValueId(case.function.inst_ids().last().expect("an instruction").0);
    local(&mut plan).attached.origins[new] = Some(last);
    assert_says(&case, &plan, "missing, or in another order");
}
