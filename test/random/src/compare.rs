//! One sample: every mode against the oracle.

use backsweep_core::check::check_plan;
use backsweep_core::config::Config;
use backsweep_core::derive::derive;
use backsweep_core::model::{Function, Program, Type, verify};
use backsweep_core::plan::{Plan, make_plan};
use backsweep_core::request::{Mode, Part, Request};
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::Sample;
use backsweep_oracle::{Argument, Jacobian, Value, jacobian};

use crate::Verdict;
use crate::request::ask;
use crate::run::{Given, arguments_for, call, extend, fill, floats_of, machine};

/// What may differ through rounding, relative to the sizes that were added up.
const TOLERANCE_DOUBLE: f64 = 1e-9;
const TOLERANCE_MIXED: f64 = 2e-3;

/// A derived function with the plan it was made from.
struct Derived {
    plan: Plan,
    function: Function,
}

struct Case<'a> {
    sample: &'a Sample,
    function: &'a Function,
    rules: &'a Rules,
    expected: Jacobian,
    primal: Vec<Value>,
    tolerance: f64,
}

/// The outcome of a step: the reason to stop is a verdict.
type Step<T> = Result<T, Verdict>;

pub fn check_sample(sample: &Sample, rules: &Rules) -> Verdict {
    match check(sample, rules) {
        Ok(()) => Verdict::Agreed,
        Err(verdict) => verdict,
    }
}

fn check(sample: &Sample, rules: &Rules) -> Step<()> {
    let Some(function) = sample.program.function(&sample.function) else { return Err(Verdict::Unjudged) };
    let expected =
        jacobian(&sample.program, &sample.function, &sample.arguments).map_err(|_| Verdict::Unjudged)?;
    if !expected.rows.iter().flatten().chain(&expected.outputs).all(|value| value.is_finite()) {
        return Err(Verdict::Unjudged);
    }
    let primal = sample.arguments.iter().map(primal_of).collect::<Option<Vec<Value>>>();
    let Some(primal) = primal else { return Err(Verdict::Unjudged) };
    let tolerance = if only_doubles(&sample.program) { TOLERANCE_DOUBLE } else { TOLERANCE_MIXED };
    let case = Case { sample, function, rules, expected, primal, tolerance };
    case.check_tangent()?;
    case.check_gradient(1)?;
    case.check_gradient(2)?;
    case.check_split()
}

fn primal_of(argument: &Argument) -> Option<Value> {
    match argument {
        Argument::Active(value) | Argument::Fixed(value) => Some(value.clone()),
        Argument::Array(..) | Argument::Alias { .. } => None,
    }
}

fn only_doubles(program: &Program) -> bool {
    let narrow = |ty: &Type| ty.holds_float() && format!("{ty}").contains("float");
    program.functions.iter().all(|function| {
        !function.insts.iter().any(|inst| narrow(&inst.ty))
            && !function.params.iter().any(|param| narrow(&param.ty))
    })
}

/// A weight that is neither zero nor one, different for each number.
fn weight(number: usize) -> f64 {
    1.0 + 0.25 * ((number % 7) as f64) - 0.125 * ((number % 3) as f64)
}

impl Case<'_> {
    fn derive(&self, request: &Request, name: &str) -> Step<Derived> {
        let plan = make_plan(self.function, &self.sample.program, self.rules, request, &Config::default())
            .map_err(|refusals| Verdict::Refused(refusals.iter().map(ToString::to_string).collect()))?;
        let faults = check_plan(&plan, self.function, &self.sample.program, self.rules);
        if !faults.is_empty() {
            return Err(Verdict::Wrong(format!("the checker rejects the plan: {faults:?}\n{plan}")));
        }
        let function = derive(&plan, self.function, &self.sample.program, self.rules, name);
        let violations = verify(&declared(&extend(&self.sample.program, &[&function])));
        if let Some(violation) = violations.first() {
            return Err(Verdict::Wrong(format!(
                "the derived function is malformed: {violation}\n{function}"
            )));
        }
        Ok(Derived { plan, function })
    }

    fn run(&self, derived: &Derived, given: &Given) -> Step<Vec<Value>> {
        let program = extend(&self.sample.program, &[&derived.function]);
        let mut machine = machine(&program);
        let arguments = arguments_for(&derived.plan, given);
        let result = call(&mut machine, &derived.function.name, &arguments);
        let result = result.map_err(|trap| Verdict::Wrong(format!("{trap}\n{}", derived.function)))?;
        Ok(parts_of(&derived.plan, result))
    }

    fn check_tangent(&self) -> Step<()> {
        let derived =
            self.derive(&ask(self.function, &self.sample.arguments, Mode::Tangent, 2), "derived.tangent")?;
        let direction = |input: usize, lane: u32| weight(input + 3 * lane as usize);
        let shadows = |param: usize, lane: u32| {
            let mut input = self.first_input(param);
            fill(&self.function.params[param].ty, &mut || {
                input += 1;
                direction(input - 1, lane)
            })
        };
        let given = Given { primal: &self.primal, shadows: &shadows, seeds: &|_| Value::Undef, tape: None };
        let parts = self.run(&derived, &given)?;
        for (part, value) in derived.plan.results.iter().zip(&parts) {
            let Part::Shadow { lane } = part else { continue };
            for (output, found) in floats_of(value, &self.function.ret).into_iter().enumerate() {
                let row = &self.expected.rows[output];
                let terms = row.iter().enumerate().map(|(input, slope)| slope * direction(input, *lane));
                self.compare("tangent", output, found, terms.collect(), &derived.function)?;
            }
        }
        Ok(())
    }

    fn check_gradient(&self, width: u32) -> Step<()> {
        let request = ask(self.function, &self.sample.arguments, Mode::Gradient, width);
        let derived = self.derive(&request, "derived.gradient")?;
        let given = Given {
            primal: &self.primal,
            shadows: &|_, _| Value::Undef,
            seeds: &|lane| self.seed(lane),
            tape: None,
        };
        let parts = self.run(&derived, &given)?;
        self.compare_gradients(&derived, &parts)
    }

    fn check_split(&self) -> Step<()> {
        let forward = self
            .derive(&ask(self.function, &self.sample.arguments, Mode::Augmented, 1), "derived.augmented")?;
        let reverse =
            self.derive(&ask(self.function, &self.sample.arguments, Mode::Reverse, 1), "derived.reverse")?;
        let program = extend(&self.sample.program, &[&forward.function, &reverse.function]);
        let mut machine = machine(&program);
        let wrong = |trap: backsweep_oracle::Trap| {
            Verdict::Wrong(format!("split: {trap}\n{}\n{}", forward.function, reverse.function))
        };
        let no = |_, _| Value::Undef;
        let given = Given { primal: &self.primal, shadows: &no, seeds: &|_| Value::Undef, tape: None };
        let arguments = arguments_for(&forward.plan, &given);
        let result = call(&mut machine, "derived.augmented", &arguments).map_err(wrong)?;
        let tape = parts_of(&forward.plan, result).into_iter().next();
        let given = Given { primal: &self.primal, shadows: &no, seeds: &|lane| self.seed(lane), tape };
        let arguments = arguments_for(&reverse.plan, &given);
        let result = call(&mut machine, "derived.reverse", &arguments).map_err(wrong)?;
        self.compare_gradients(&reverse, &parts_of(&reverse.plan, result))
    }

    fn seed(&self, lane: u32) -> Value {
        let mut output = 0;
        fill(&self.function.ret, &mut || {
            output += 1;
            weight(output - 1 + 5 * lane as usize)
        })
    }

    fn compare_gradients(&self, derived: &Derived, parts: &[Value]) -> Step<()> {
        for (part, value) in derived.plan.results.iter().zip(parts) {
            let Part::Gradient { param, lane } = part else { continue };
            let first = self.first_input(*param);
            for (at, found) in floats_of(value, &self.function.params[*param].ty).into_iter().enumerate() {
                let rows = self.expected.rows.iter().enumerate();
                let terms = rows.map(|(output, row)| row[first + at] * weight(output + 5 * *lane as usize));
                self.compare("gradient", first + at, found, terms.collect(), &derived.function)?;
            }
        }
        Ok(())
    }

    fn compare(&self, what: &str, at: usize, found: f64, terms: Vec<f64>, derived: &Function) -> Step<()> {
        let expected: f64 = terms.iter().sum();
        let everything =
            self.expected.rows.iter().flatten().fold(0.0f64, |most, slope| most.max(slope.abs()));
        let scale = 1.0 + everything;
        if (found - expected).abs() <= self.tolerance * scale {
            return Ok(());
        }
        Err(Verdict::Wrong(format!("{what} {at} is {found}, the oracle says {expected}\n{derived}")))
    }

    /// The number of the first float of a parameter among the inputs.
    fn first_input(&self, param: usize) -> usize {
        self.sample.arguments[..param]
            .iter()
            .zip(&self.function.params)
            .map(|(argument, parameter)| match argument {
                Argument::Active(value) => floats_of(value, &parameter.ty).len(),
                Argument::Array(_, values) => values.len(),
                Argument::Fixed(_) | Argument::Alias { .. } => 0,
            })
            .sum()
    }
}

/// A result as the list of parts that the plan names.
fn parts_of(plan: &Plan, result: Value) -> Vec<Value> {
    match (plan.results.len(), result) {
        (0, _) => Vec::new(),
        (1, value) => vec![value],
        (_, Value::Aggregate(parts)) => parts,
        (_, other) => vec![other],
    }
}

/// The program with declarations of whatever derived code calls or names, as emission would add them.
fn declared(program: &Program) -> Program {
    let mut program = program.clone();
    let mut names: Vec<(String, Function)> = Vec::new();
    for function in &program.functions {
        for inst in function.insts.iter().filter(|inst| inst.op.call().is_some()) {
            if let Some(name) = inst.callee_name()
                && program.function(name).is_none()
            {
                let params = inst.arguments().iter().map(|x| function.operand_type(x)).collect();
                names.push((name.to_owned(), declaration(name, params, inst.ty.clone())));
            }
        }
    }
    names.sort_by(|a, b| a.0.cmp(&b.0));
    names.dedup_by(|a, b| a.0 == b.0);
    program.functions.extend(names.into_iter().map(|(_, function)| function));
    program
}

fn declaration(name: &str, params: Vec<Type>, ret: Type) -> Function {
    use backsweep_core::model::{Linkage, Param};
    Function {
        name: name.into(),
        linkage: Linkage::Declared,
        params: params.into_iter().map(|ty| Param { name: None, ty, attributes: vec![] }).collect(),
        variadic: false,
        ret,
        attributes: vec![],
        blocks: vec![],
        insts: vec![],
        loops: vec![],
        memory: Default::default(),
        aliases: vec![],
        loc: None,
    }
}
