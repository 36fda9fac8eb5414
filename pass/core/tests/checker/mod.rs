//! What the checker's tests share: programs as text, requests, right plans, and what the checker says.
#![allow(dead_code, reason = "each test crate uses its part")]

pub mod edit;
pub mod programs;
pub mod written;

use std::collections::BTreeMap;

use backsweep_core::analyses::activity::Activity as Active;
use backsweep_core::check::{Fault, Obligation, check_plan};
use backsweep_core::config::{Analyses, Config, Preaccumulate, Switch};
use backsweep_core::model::{BlockId, Function, Op, Program, Type, ValueId, parse_program, verify};
use backsweep_core::plan::{Plan, make_plan};
use backsweep_core::request::{Activity, Argument, Fit, Mode, Request};
use backsweep_core::rules::Rules;

/// A program and the function in it that is differentiated: the last.
pub struct Case {
    pub program: Program,
    pub function: Function,
    pub rules: Rules,
}

impl Case {
    pub fn new(text: &str) -> Case {
        let program = parse_program(text).unwrap_or_else(|error| panic!("{error:?} in {text}"));
        assert_eq!(verify(&program), [], "a test program is a model");
        let function = program.functions.last().cloned().expect("a program has a function");
        Case { program, function, rules: Rules::new() }
    }

    /// What a call without tokens asks for: pointers dup, floats out (forwards dup), integers const.
    pub fn request(&self, mode: Mode) -> Request {
        let activity = |ty: &Type| match (ty.holds_pointer(), ty.holds_float()) {
            (true, _) => Activity::Dup,
            (false, false) => Activity::Const,
            (false, true) if mode == Mode::Tangent => Activity::Dup,
            (false, true) => Activity::Out,
        };
        let argument = |param: usize| {
            let activity = activity(&self.function.params[param].ty);
            Argument { activity, primal: param, shadows: Vec::new(), stride: None, by_reference: false }
        };
        let active_return = self.function.ret.holds_float();
        Request {
            mode,
            function: self.function.name.clone(),
            arguments: (0..self.function.params.len()).map(argument).collect(),
            width: 1,
            seed_behind: false,
            seeds: if active_return && mode == Mode::Reverse { vec![90] } else { Vec::new() },
            tape: (mode == Mode::Reverse).then_some(91),
            tape_in_memory: false,
            primal_return: false,
            active_return,
            joint: false,
            shared: Default::default(),
            contracted: false,
            steady: Vec::new(),
            keep_tape: false,
            shadow_return: false,
            globals: Vec::new(),
            carried: Default::default(),
            nested: false,
            fit: Fit::Same,
        }
    }

    /// The planner's plan of a request, with nothing left out of the forward sweep: small programs would be gone.
    pub fn plan(&self, request: &Request) -> Plan {
        self.plan_by(request, &whole())
    }

    /// The plan as users get it, of the function as it is given.
    pub fn lean_plan(&self, request: &Request) -> Plan {
        self.plan_by(request, &as_given(Analyses::default()))
    }

    fn plan_by(&self, request: &Request, config: &Config) -> Plan {
        let planned = make_plan(&self.function, &self.program, &self.rules, request, config);
        planned.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"))
    }

    pub fn gradient(&self) -> Plan {
        self.plan(&self.request(Mode::Gradient))
    }

    /// The gradient's plan with branches re-evaluated where they tell the edge, or never.
    pub fn plan_with(&self, reevaluate: Switch) -> Plan {
        self.plan_by(&self.request(Mode::Gradient), &Config { reevaluate, ..whole() })
    }

    /// The plan with local Jacobians wherever they are cheaper.
    pub fn preaccumulated(&self, request: &Request) -> Plan {
        let analyses = Analyses { preaccumulate: Preaccumulate::Cheaper, ..Analyses::default() };
        self.plan_by(request, &Config { analyses, ..Config::default() })
    }

    pub fn faults(&self, plan: &Plan) -> Vec<Fault> {
        let body = plan.body(&self.program).expect("the plan is of a function of the program");
        check_plan(plan, body, &self.program, &self.rules)
    }

    /// The value computed by the n-th instruction that does `op`.
    pub fn find(&self, nth: usize, op: impl Fn(&Op) -> bool) -> ValueId {
        let function = &self.function;
        let mut ids = function.inst_ids().filter(|id| function.inst(*id).is_some_and(|inst| op(&inst.op)));
        ids.nth(nth).expect("the program has such an instruction")
    }

    /// The block of that name.
    pub fn block(&self, name: &str) -> BlockId {
        let named = |id: &BlockId| self.function.block(*id).name.as_deref() == Some(name);
        self.function.block_ids().find(named).expect("the program has such a block")
    }
}

/// Forward sweeps that compute everything.
fn whole() -> Config {
    as_given(Analyses { liveness: Switch::Off, ..Analyses::default() })
}

/// Without local Jacobians, with which a plan is of another function.
pub fn as_given(analyses: Analyses) -> Config {
    let analyses = Analyses { preaccumulate: Preaccumulate::Never, ..analyses };
    Config { analyses, ..Config::default() }
}

/// The plan without one active value.
pub fn deactivate(plan: &mut Plan, value: ValueId) {
    assert!(plan.activity.is_active(value), "what is taken away is there");
    plan.activity = Active::claim(plan.activity.values().filter(|other| *other != value).collect::<Vec<_>>());
}

pub fn activate(plan: &mut Plan, value: ValueId) {
    assert!(!plan.activity.is_active(value), "what is added is not there");
    plan.activity = Active::claim(plan.activity.values().chain([value]).collect::<Vec<_>>());
}

/// Faults by obligation, so that a test can say: this one, and no other.
pub fn count(faults: &[Fault]) -> BTreeMap<Obligation, usize> {
    let mut counted = BTreeMap::new();
    for fault in faults {
        *counted.entry(fault.obligation).or_default() += 1;
    }
    counted
}

/// Asserts that there are faults of that obligation only, and that one of them says `part`.
pub fn assert_only(faults: &[Fault], obligation: Obligation, part: &str) {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert!(count(faults).keys().eq([&obligation]), "expected {obligation:?} only, found {lines:#?}");
    assert!(lines.iter().any(|line| line.contains(part)), "nothing says `{part}`: {lines:#?}");
}

pub fn assert_none(faults: &[Fault]) {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert!(lines.is_empty(), "{lines:#?}");
}

/// Holds the plan of one function against another, which differs by a line but not by numbers.
pub fn judge(planned: &str, line: &str, other: &str, constant: &[usize]) -> Vec<Fault> {
    assert!(planned.contains(line), "the program has that line");
    let case = Case::new(planned);
    let mut request = case.request(Mode::Gradient);
    constant.iter().for_each(|param| request.arguments[*param].activity = Activity::Const);
    let plan = case.plan(&request);
    assert_none(&case.faults(&plan));
    let changed = Case::new(&planned.replace(line, other));
    check_plan(&plan, &changed.function, &changed.program, &changed.rules)
}

pub fn says(faults: &[Fault], obligation: Obligation, part: &str) {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    let found = faults.iter().any(|fault| fault.obligation == obligation && fault.message.contains(part));
    assert!(found, "nothing says `{part}` of {obligation:?}: {lines:#?}");
}
