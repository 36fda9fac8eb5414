//! Calls that give their partial derivatives at once: right plans pass, each with one fault in them is rejected, for that fault.

mod checker;

use backsweep_core::check::{Obligation, check_derived, check_plan};
use backsweep_core::config::{Analyses, Config, Preaccumulate, Switch};
use backsweep_core::derive::derive;
use backsweep_core::model::{Constant, Inst, Link, Op, Operand, Type, ValueId};
use backsweep_core::plan::{Contracted, Local, Plan, Refused, make_plans};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, says};

/// `s = solve(s, x)` as often as `n` says, where `solve` goes round itself; `more` stands in front of what it returns.
fn called(more: &str) -> Case {
    Case::new(&format!(
        "declare @llvm.sin.f64(double) -> double
declare @free(ptr) -> void
declare @unknown() -> void
global @counter: i64 = i64 0
global @scale: double = double 1.0
function @other(%a: double, %b: double) -> double attributes(nounwind) {{
^entry:
  %y: double = fmul %a, %b
  ret %y
}}
function @solve(%a: double, %b: double, %p: ptr) -> double attributes(backsweep_contract, nounwind) {{
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %y: double = phi ^entry: %a, ^loop: %out
  %z: double = fmul %y, %b
  %out: double = call @llvm.sin.f64(%z)
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, i64 9
  br %more, ^loop, ^exit
^exit:
{more}
  ret %out
}}
function @f(%x: double, %w: double, %p: ptr, %n: i64) -> double {{
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 1.0, ^loop: %out
  %z: double = call @solve(%s, %x, %p)
  %out: double = fmul %z, %z
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %out
}}"
    ))
}

fn try_plan(case: &Case, config: &Config) -> Result<Plan, Refused> {
    let mut request = case.request(Mode::Gradient);
    request.arguments[2].activity = Activity::Const;
    let variants = make_plans(&case.function, &case.program, &case.rules, &request, config);
    variants.map(|mut variants| variants.remove(0).plan)
}

fn plan_by(case: &Case, config: &Config) -> Plan {
    try_plan(case, config).unwrap_or_else(|refused| panic!("refused: {:?}", refused.refusals))
}

fn config(preaccumulate: Preaccumulate) -> Config {
    Config { analyses: Analyses { preaccumulate, ..Analyses::default() }, ..Config::default() }
}

/// The plan in which the call is contracted.
fn right(case: &Case) -> Plan {
    let plan = plan_by(case, &config(Preaccumulate::Cheaper));
    assert_eq!(plan.local.as_ref().map(|local| local.contracted.len()), Some(1), "{plan}");
    assert_none(&case.faults(&plan));
    plan
}

fn local(plan: &mut Plan) -> &mut Local {
    plan.local.as_mut().expect("a call is contracted")
}

fn contracted(plan: &mut Plan) -> &mut Contracted {
    &mut local(plan).contracted[0]
}

fn change(plan: &mut Plan, id: ValueId, change: impl Fn(&mut Inst)) {
    let function = &mut local(plan).attached.function;
    let at = id.0 as usize - function.params.len();
    change(&mut function.insts[at]);
}

/// The faults of the right plan with one change.
fn finds(part: &str, spoil: impl Fn(&mut Plan)) {
    let case = called("");
    let mut plan = right(&case);
    spoil(&mut plan);
    says(&case.faults(&plan), Obligation::Contracted, part);
}

#[test]
fn partials_are_all_that_is_recorded() {
    let case = called("");
    let plan = right(&case);
    assert!(plan.calls.is_empty(), "{plan}");
    let text = plan.to_string();
    assert!(text.contains("contracted, %"), "{text}");
    let without =
        Config { analyses: Analyses { contract: Switch::Off, ..Analyses::default() }, ..Config::default() };
    for config in [without, config(Preaccumulate::Never)] {
        let plan = plan_by(&case, &config);
        assert_eq!(plan.calls.len(), 1, "{plan}");
        assert!(
            plan.to_string().contains("should be contracted, and it cannot: that is switched off"),
            "{plan}"
        );
        assert_none(&case.faults(&plan));
    }
}

#[test]
fn local_jacobians_may_go_through_partials() {
    let case = called("");
    let mut plan = plan_by(&case, &config(Preaccumulate::Always));
    assert!(!local(&mut plan).recipes.is_empty() && local(&mut plan).contracted.len() == 1, "{plan}");
    assert_none(&case.faults(&plan));
}

#[test]
fn the_gradient_stands_in_the_place_of_the_call() {
    let case = called("");
    let plan = right(&case);
    let body = plan.body(&case.program).expect("a body").clone();
    let derived = derive(&plan, &body, &case.program, &case.rules, "derived");
    assert_none(&check_derived(&plan, &body, &case.program, &case.rules, &derived));
    let is_gradient =
        |inst: &Inst| inst.callee_name().is_some_and(|name| name.starts_with("backsweep.contracted.solve."));
    assert_eq!(derived.insts.iter().filter(|inst| is_gradient(inst)).count(), 1);
    for spoil in [
        |inst: &mut Inst| {
            let name = "backsweep.contracted.other.oo.r1".into();
            *inst.operands.last_mut().expect("a callee") =
                Operand::Const(Constant::Symbol { name, space: 0 });
        },
        |inst: &mut Inst| inst.operands.swap(0, 1),
    ] {
        let mut derived = derived.clone();
        spoil(derived.insts.iter_mut().find(|inst| is_gradient(inst)).expect("the call"));
        let faults = check_derived(&plan, &body, &case.program, &case.rules, &derived);
        says(&faults, Obligation::Forward, "");
    }
}

#[test]
fn a_partial_is_attached_to_another_argument() {
    finds("link 1 of its chain is another", |plan| {
        let links = contracted(plan).at.links.clone();
        let other = ValueId(0);
        change(plan, links[1], |inst| inst.operands[2] = Operand::Value(other));
    });
}

#[test]
fn a_partial_is_that_of_another_argument() {
    finds("link 2 of its chain is another", |plan| {
        let links = contracted(plan).at.links.clone();
        let first = local(plan).attached.function.inst(links[1]).expect("a link").operands[1].clone();
        change(plan, links[2], |inst| inst.operands[1] = first.clone());
    });
}

#[test]
fn a_partial_is_another_part() {
    finds("link 2 of its chain is another", |plan| {
        let links = contracted(plan).at.links.clone();
        let part = local(plan).attached.function.inst(links[2]).expect("a link").operands[1].value();
        change(plan, part.expect("a part"), |inst| inst.op = Op::ExtractValue { path: vec![1] });
    });
}

#[test]
fn a_derivative_that_is_zero_does_not_stay_so() {
    finds("link 1 of its chain is another", |plan| {
        let links = contracted(plan).at.links.clone();
        change(plan, links[1], |inst| inst.op = Op::Attach(Link::Term { guarded: false }));
    });
}

#[test]
fn an_argument_counts_twice() {
    finds("link 2 of its chain is another", |plan| {
        let links = contracted(plan).at.links.clone();
        let first = local(plan).attached.function.inst(links[1]).expect("a link").operands.clone();
        change(plan, links[2], |inst| inst.operands[1..].clone_from_slice(&first[1..]));
    });
}

#[test]
fn the_chain_starts_from_what_has_a_derivative() {
    finds("link 0 of its chain is another", |plan| {
        let links = contracted(plan).at.links.clone();
        change(plan, links[0], |inst| inst.operands[0] = Operand::Value(ValueId(0)));
    });
}

#[test]
fn a_link_is_missing() {
    finds("it is not the call that was given", |plan| {
        contracted(plan).at.links.remove(1);
    });
}

#[test]
fn an_active_argument_has_no_partial() {
    finds("given something active that has no partial", |plan| {
        contracted(plan).request.arguments[1].activity = Activity::Const;
        let links = contracted(plan).at.links.clone();
        contracted(plan).at.links.pop();
        let call = contracted(plan).at.call;
        change(plan, call, |inst| inst.ty = Type::structure(vec![Type::DOUBLE; 2]));
        let (before, end) = (Operand::Value(links[1]), Operand::Value(links[2]));
        // Who used the end of the chain uses the link before: the end stands for the call then.
        let origin = local(plan).attached.origins[links[2].0 as usize].take();
        local(plan).attached.origins[links[1].0 as usize] = origin;
        let ids: Vec<ValueId> = local(plan).attached.function.inst_ids().collect();
        for id in ids {
            change(plan, id, |inst| {
                let uses = inst.operands.iter_mut().filter(|x| **x == end);
                uses.for_each(|x| *x = before.clone());
            });
        }
    });
}

#[test]
fn memory_is_handed_over_as_active() {
    finds("neither a number nor inactive", |plan| {
        contracted(plan).request.arguments[2].activity = Activity::Dup;
    });
}

#[test]
fn partials_of_another_function() {
    finds("the partials are those of `other`", |plan| contracted(plan).request.function = "other".into());
    finds("called with other arguments than were given", |plan| {
        let call = contracted(plan).at.call;
        contracted(plan).request.function = "other".into();
        change(plan, call, |inst| {
            let other = Constant::Symbol { name: "other".into(), space: 0 };
            *inst.operands.last_mut().expect("a callee") = Operand::Const(other);
        });
    });
}

#[test]
fn something_else_is_asked_for() {
    let other = "not the result with its partials";
    finds(other, |plan| contracted(plan).request.seeds = vec![0]);
    finds(other, |plan| contracted(plan).request.width = 2);
    finds(other, |plan| contracted(plan).request.primal_return = false);
    finds(other, |plan| contracted(plan).request.mode = Mode::Reverse);
    finds(other, |plan| contracted(plan).request.nested = true);
    finds(other, |plan| contracted(plan).request.contracted = false);
    finds(other, |plan| contracted(plan).request.globals = vec!["scale".into()]);
}

#[test]
fn it_is_called_with_another_argument() {
    finds("called with other arguments than were given", |plan| {
        let call = contracted(plan).at.call;
        change(plan, call, |inst| inst.operands[1] = Operand::Value(ValueId(1)));
    });
}

#[test]
fn a_call_that_is_not_planned() {
    let case = called("");
    let mut plan = right(&case);
    local(&mut plan).contracted.clear();
    let faults = case.faults(&plan);
    says(&faults, Obligation::Contracted, "gives partials that are not planned");
    says(&faults, Obligation::Preaccumulated, "");
}

#[test]
fn it_stands_in_another_place() {
    finds("stands in another place", |plan| {
        let call = contracted(plan).at.call;
        let block = local(plan).attached.function.blocks.iter_mut().find(|block| block.insts.contains(&call));
        let insts = &mut block.expect("its block").insts;
        let at = insts.iter().position(|id| *id == call).expect("it is there");
        let call = insts.remove(at);
        let end = insts.len() - 1;
        insts.insert(end, call);
    });
}

/// Who uses the result past the chain, or a link before its end, has not all of the derivative.
#[test]
fn a_user_goes_past_the_chain() {
    let case = called("");
    for link in 0..3 {
        let mut plan = right(&case);
        let links = contracted(&mut plan).at.links.clone();
        let from = match link {
            0 => local(&mut plan).attached.function.inst(links[0]).expect("a link").operands[0].clone(),
            at => Operand::Value(links[at - 1]),
        };
        let ids: Vec<ValueId> = local(&mut plan).attached.function.inst_ids().collect();
        let squares = |inst: &Inst| inst.operands == [Operand::Value(links[2]), Operand::Value(links[2])];
        let square =
            ids.into_iter().find(|id| local(&mut plan).attached.function.inst(*id).is_some_and(squares));
        change(&mut plan, square.expect("the square"), |inst| inst.operands[1] = from.clone());
        says(&case.faults(&plan), Obligation::Preaccumulated, "is not what was given");
    }
}

#[test]
fn a_function_is_another_meanwhile() {
    let planned = called("");
    let plan = right(&planned);
    for (more, part) in [
        ("  store i64 1, @counter", "may write to `counter`"),
        ("  store i64 1, %p", "may write behind what it is given"),
        ("  call @free(%p)", "may free what it has not made"),
        ("  %again: double = call @solve(%out, %b, %p)", "may come to call itself"),
        ("  call @unknown()", "what is not in sight"),
    ] {
        let changed = called(more);
        let body = plan.body(&planned.program).expect("a body");
        let faults = check_plan(&plan, body, &changed.program, &changed.rules);
        says(&faults, Obligation::Contracted, part);
        // The planner does not contract it either, or refuses.
        let planned = try_plan(&changed, &config(Preaccumulate::Cheaper)).ok().and_then(|plan| plan.local);
        assert!(planned.is_none_or(|local| local.contracted.is_empty()), "{more} is not contracted");
    }
}
