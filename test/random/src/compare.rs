//! One sample: every mode against the oracle.

use backsweep_core::check::{check_derived, check_halves, check_plan, check_settled};
use backsweep_core::config::{Config, Preaccumulate};
use backsweep_core::derive::derive;
use backsweep_core::kinds::{move_words, settle_kinds};
use backsweep_core::model::{FloatKind, Function, Type, verify};
use backsweep_core::plan::{Plan, make_plans, parted_globals};
use backsweep_core::request::{Activity, Mode, Part, Request};
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::Sample;
use backsweep_oracle::{Argument, Dual, Jacobian, Machine, Value, jacobian};

use crate::Verdict;
use crate::declared::declared;
use crate::derived::Derived;
use crate::request::{ask, ask_lean};
use crate::run::{Given, arguments_for, call, extend, fill, floats_of, machine};
use crate::tolerance::tolerance_for;

#[derive(Clone)]
struct Case<'a> {
    sample: &'a Sample,
    function: &'a Function,
    rules: &'a Rules,
    planned: Planned<'a>,
    expected: Jacobian,
    tolerance: f64,
}

/// How plans are made, and who looks at them.
#[derive(Clone)]
struct Planned<'a> {
    config: Config,
    seen: &'a dyn Fn(&Plan),
}

/// The arrays of one run, primal and shadow, by argument.
struct Arrays {
    primal: Vec<Value>,
    /// `shadows[lane][argument]`; undefined for arguments without.
    shadows: Vec<Vec<Value>>,
}

/// The outcome of a step: the reason to stop is a verdict.
type Step<T> = Result<T, Verdict>;

/// Tries every mode, in one direction and in two at once.
pub fn check_sample(sample: &Sample, rules: &Rules) -> Verdict {
    check_widths(sample, rules, 2)
}

/// Tries every mode, in up to that many directions at once.
pub fn check_widths(sample: &Sample, rules: &Rules, widest: u32) -> Verdict {
    check(sample, rules, Planned { config: Config::default(), seen: &|_| {} }, &|case| {
        case.check_tangent(widest)?;
        for width in 1..=widest {
            case.check_gradient(&ask(case.function, &case.sample.arguments, Mode::Gradient, width))?;
            case.check_gradient(&ask_lean(case.function, &case.sample.arguments, width))?;
        }
        case.check_split()?;
        case.with_local().check_local(widest)
    })
}

/// Tries gradients in one direction that are planned so, and shows their plans.
pub fn check_gradients(sample: &Sample, rules: &Rules, config: Config, seen: &dyn Fn(&Plan)) -> Verdict {
    check(sample, rules, Planned { config, seen }, &|case| {
        case.check_gradient(&ask(case.function, &case.sample.arguments, Mode::Gradient, 1))?;
        case.check_gradient(&ask_lean(case.function, &case.sample.arguments, 1))
    })
}

/// Tries tangents in up to that many directions that are planned so, and gradients in as many, and shows their plans.
pub fn check_both_ways(
    sample: &Sample,
    rules: &Rules,
    config: Config,
    widest: u32,
    seen: &dyn Fn(&Plan),
) -> Verdict {
    check(sample, rules, Planned { config, seen }, &|case| {
        for width in 1..=widest {
            case.check_tangent(width)?;
            case.check_gradient(&ask(case.function, &case.sample.arguments, Mode::Gradient, width))?;
            case.check_gradient(&ask_lean(case.function, &case.sample.arguments, width))?;
        }
        Ok(())
    })
}

fn check(sample: &Sample, rules: &Rules, planned: Planned, tries: &dyn Fn(&Case) -> Step<()>) -> Verdict {
    let judged = judge(sample, rules, planned, tries);
    judged.map_or_else(|verdict| verdict, |()| Verdict::Agreed)
}

fn judge(sample: &Sample, rules: &Rules, planned: Planned, tries: &dyn Fn(&Case) -> Step<()>) -> Step<()> {
    let expected =
        jacobian(&sample.program, &sample.function, &sample.arguments).map_err(|_| Verdict::Unjudged)?;
    // What is differentiated is what extraction hands over; the oracle has judged the program as it was written.
    let mut settled = sample.clone();
    let origins = settle_kinds(&mut settled.program);
    if let Some(fault) = check_settled(&sample.program, &settled.program, &origins).first() {
        return Err(Verdict::Wrong(format!("the checker rejects what is taken for floats: {fault}")));
    }
    move_words(&mut settled.program);
    let sample = &settled;
    let Some(function) = sample.program.function(&sample.function) else { return Err(Verdict::Unjudged) };
    if !expected.rows.iter().flatten().chain(&expected.outputs).all(|value| value.is_finite()) {
        return Err(Verdict::Unjudged);
    }
    // A result that is undefined has no floats to compare.
    let elements: usize = sample.arguments.iter().map(elements_of).sum();
    if expected.outputs.len() != elements + float_count(&function.ret) {
        return Err(Verdict::Unjudged);
    }
    let tolerance = tolerance_for(&sample.program);
    tries(&Case { sample, function, rules, planned, expected, tolerance })
}

fn float_count(ty: &Type) -> usize {
    match ty {
        Type::Float(_) => 1,
        Type::Vector(lanes, element) => lanes.count as usize * float_count(element),
        _ => ty.parts().map_or(0, |parts| parts.into_iter().map(float_count).sum()),
    }
}

fn elements_of(argument: &Argument) -> usize {
    match argument {
        Argument::Array(_, content) => content.len(),
        Argument::Active(_) | Argument::Fixed(_) | Argument::Alias { .. } => 0,
    }
}

fn output_weight(output: usize, lane: u32) -> f64 {
    weight(output + 5 * lane as usize)
}

/// A weight that is neither zero nor one, different for each number.
fn weight(number: usize) -> f64 {
    1.0 + 0.25 * ((number % 7) as f64) - 0.125 * ((number % 3) as f64)
}

impl Case<'_> {
    /// The same with local Jacobians wherever they can be.
    fn with_local(&self) -> Self {
        let mut case = self.clone();
        case.planned.config.analyses.preaccumulate = Preaccumulate::Always;
        case
    }

    fn check_local(&self, widest: u32) -> Step<()> {
        self.check_tangent(widest)?;
        self.check_gradient(&ask(self.function, &self.sample.arguments, Mode::Gradient, widest))?;
        self.check_gradient(&ask_lean(self.function, &self.sample.arguments, 1))
    }

    /// Derives what is asked for, and the derivatives that it calls.
    fn derive(&self, request: &Request, name: &str) -> Step<Derived> {
        let program = &self.sample.program;
        let variants = make_plans(self.function, program, self.rules, request, &self.planned.config)
            .map_err(|refused| {
                Verdict::Refused(refused.refusals.iter().map(ToString::to_string).collect())
            })?;
        let mut functions = Vec::new();
        for (at, variant) in variants.iter().enumerate() {
            let name = if at == 0 { name } else { &variant.name };
            functions.push(self.derive_one(&variant.plan, name)?);
        }
        let derived: Vec<&Function> = functions.iter().collect();
        if let Some(violation) = verify(&declared(&extend(program, &derived))).first() {
            let text: String = functions.iter().map(ToString::to_string).collect();
            return Err(Verdict::Wrong(format!("the derived function is malformed: {violation}\n{text}")));
        }
        let function = functions.remove(0);
        let parted = parted_globals(&variants);
        let Some(first) = variants.into_iter().next() else { return Err(Verdict::Unjudged) };
        Ok(Derived { plan: first.plan, function, called: functions, parted })
    }

    fn derive_one(&self, plan: &Plan, name: &str) -> Step<Function> {
        let program = &self.sample.program;
        let Some(primal) = plan.body(program) else { return Err(Verdict::Unjudged) };
        let faults = check_plan(plan, primal, program, self.rules);
        if !faults.is_empty() {
            return Err(Verdict::Wrong(format!("the checker rejects the plan: {faults:?}\n{plan}")));
        }
        (self.planned.seen)(plan);
        let function = derive(plan, primal, program, self.rules, name);
        let faults = check_derived(plan, primal, program, self.rules, &function);
        if !faults.is_empty() {
            let text = function.to_string();
            return Err(Verdict::Wrong(format!(
                "the checker rejects the derivative: {faults:?}\n{plan}\n{text}\n{program}"
            )));
        }
        Ok(function)
    }

    /// Puts the arguments into the machine's memory; `shadow(input, lane)` is the content of shadow arrays.
    fn place(&self, machine: &mut Machine, width: u32, shadow: &dyn Fn(usize, u32) -> f64) -> Step<Arrays> {
        let unjudged = |_| Verdict::Unjudged;
        let mut arrays = Arrays { primal: Vec::new(), shadows: vec![Vec::new(); width as usize] };
        for (at, argument) in self.sample.arguments.iter().enumerate() {
            match argument {
                Argument::Active(value) | Argument::Fixed(value) => {
                    arrays.primal.push(value.clone());
                    arrays.shadows.iter_mut().for_each(|lane| lane.push(Value::Undef));
                }
                Argument::Array(kind, content) => {
                    let floats = |content: Vec<f64>| -> Vec<Dual> {
                        content.into_iter().map(|x| Dual::constant(*kind, x)).collect()
                    };
                    let array = machine.allocate_floats(*kind, &floats(content.clone())).map_err(unjudged)?;
                    arrays.primal.push(Value::Pointer(array));
                    let first = self.first_input(at);
                    for (lane, shadows) in (0..).zip(&mut arrays.shadows) {
                        let content =
                            (0..content.len()).map(|element| shadow(first + element, lane)).collect();
                        let array = machine.allocate_floats(*kind, &floats(content)).map_err(unjudged)?;
                        shadows.push(Value::Pointer(array));
                    }
                }
                Argument::Alias { of, elements } => {
                    let Argument::Array(kind, _) = &self.sample.arguments[*of] else {
                        return Err(Verdict::Unjudged);
                    };
                    let bytes = elements * if *kind == FloatKind::Single { 4 } else { 8 };
                    let shifted = |value: &Value| match value {
                        Value::Pointer(pointer) => Value::Pointer(pointer.plus(bytes)),
                        other => other.clone(),
                    };
                    let primal = shifted(&arrays.primal[*of]);
                    arrays.primal.push(primal);
                    for shadows in &mut arrays.shadows {
                        let shadow = shifted(&shadows[*of]);
                        shadows.push(shadow);
                    }
                }
            }
        }
        Ok(arrays)
    }

    fn call(&self, machine: &mut Machine, derived: &Derived, given: &Given) -> Step<Vec<Value>> {
        let arguments = arguments_for(&derived.plan, given);
        let result = call(machine, &derived.function.name, &arguments);
        let result = result.map_err(|trap| derived.judge(&trap))?;
        Ok(parts_of(&derived.plan, result))
    }

    fn check_tangent(&self, width: u32) -> Step<()> {
        let request = ask(self.function, &self.sample.arguments, Mode::Tangent, width);
        let derived = self.derive(&request, "derived.tangent")?;
        let direction = |input: usize, lane: u32| weight(input + 3 * lane as usize);
        let program = extend(&self.sample.program, &derived.functions().collect::<Vec<_>>());
        let mut machine = machine(&program);
        let arrays = self.place(&mut machine, width, &direction)?;
        let shadows = |param: usize, lane: u32| {
            let mut input = self.first_input(param);
            match &arrays.shadows[lane as usize][param] {
                Value::Undef => fill(&self.function.params[param].ty, &mut || {
                    input += 1;
                    direction(input - 1, lane)
                }),
                array => array.clone(),
            }
        };
        let given = Given { primal: &arrays.primal, shadows: &shadows, seeds: &|_| Value::Undef, tape: None };
        let parts = self.call(&mut machine, &derived, &given)?;
        for lane in 0..width {
            let results =
                derived.plan.results.iter().zip(&parts).filter(|(part, _)| **part == Part::Shadow { lane });
            let mut found: Vec<f64> =
                results.flat_map(|(_, value)| floats_of(value, &self.function.ret)).collect();
            // A result that does not vary has no tangent among the parts.
            if found.is_empty() {
                found = vec![0.0; self.result_floats()];
            }
            found.extend(self.read_arrays(&machine, &arrays.shadows[lane as usize])?);
            for (output, found) in found.into_iter().enumerate() {
                let row = &self.expected.rows[output];
                let terms = row.iter().enumerate().map(|(input, slope)| slope * direction(input, lane));
                self.compare("tangent", output, found, terms.collect(), &derived.function)?;
            }
        }
        Ok(())
    }

    /// The contents of the arrays that are arguments, in order.
    fn read_arrays(&self, machine: &Machine, values: &[Value]) -> Step<Vec<f64>> {
        let mut contents = Vec::new();
        for (argument, value) in self.sample.arguments.iter().zip(values) {
            if let (Argument::Array(kind, content), Value::Pointer(array)) = (argument, value) {
                let floats = machine.read_floats(*kind, *array, content.len());
                let floats =
                    floats.map_err(|fault| Verdict::Wrong(format!("an array cannot be read: {fault}")))?;
                contents.extend(floats.iter().map(|float| float.primal));
            }
        }
        Ok(contents)
    }

    fn result_floats(&self) -> usize {
        let arrays: usize = self.sample.arguments.iter().map(elements_of).sum();
        self.expected.outputs.len() - arrays
    }

    fn check_gradient(&self, request: &Request) -> Step<()> {
        let width = request.width;
        let derived = self.derive(request, "derived.gradient")?;
        let program = extend(&self.sample.program, &derived.functions().collect::<Vec<_>>());
        let mut machine = machine(&program);
        let arrays = self.place(&mut machine, width, &|input, lane| self.array_seed(input, lane))?;
        let shadows = |param: usize, lane: u32| arrays.shadows[lane as usize][param].clone();
        let given =
            Given { primal: &arrays.primal, shadows: &shadows, seeds: &|lane| self.seed(lane), tape: None };
        let parts = self.call(&mut machine, &derived, &given)?;
        self.compare_outputs(&machine, &derived, &arrays, &parts)?;
        self.compare_gradients(&machine, &derived, &arrays, &parts)
    }

    /// What the primal computes is what the gradient leaves behind, but for what nobody needs.
    fn compare_outputs(
        &self,
        machine: &Machine,
        derived: &Derived,
        arrays: &Arrays,
        parts: &[Value],
    ) -> Step<()> {
        let results = derived.plan.results.iter().zip(parts).filter(|(part, _)| **part == Part::Primal);
        let mut found: Vec<Option<f64>> =
            results.flat_map(|(_, value)| floats_of(value, &self.function.ret)).map(Some).collect();
        found.resize(self.result_floats(), None);
        let mut contents = self.read_arrays(machine, &arrays.primal)?.into_iter();
        let requested = &derived.plan.request;
        let aliased = |at: usize| {
            let alias = |(_, argument): &(usize, &Argument)| matches!(argument, Argument::Alias { of, .. } if *of == at);
            let given_up = |at: usize| requested.activity(at) == Activity::DupNoNeed;
            given_up(at) || self.sample.arguments.iter().enumerate().filter(alias).any(|(at, _)| given_up(at))
        };
        for (at, argument) in self.sample.arguments.iter().enumerate() {
            for value in contents.by_ref().take(elements_of(argument)) {
                found.push(Some(value).filter(|_| !aliased(at)));
            }
        }
        for (output, (found, expected)) in found.into_iter().zip(&self.expected.outputs).enumerate() {
            let Some(found) = found else { continue };
            if (found - expected).abs() > self.tolerance * (1.0 + expected.abs()) {
                let message = format!("output {output} is {found}, the oracle says {expected}");
                return Err(Verdict::Wrong(format!("{message}\n{}", derived.function)));
            }
        }
        Ok(())
    }

    fn check_split(&self) -> Step<()> {
        let forward = self
            .derive(&ask(self.function, &self.sample.arguments, Mode::Augmented, 1), "derived.augmented")?;
        let reverse =
            self.derive(&ask(self.function, &self.sample.arguments, Mode::Reverse, 1), "derived.reverse")?;
        let faults = check_halves(&forward.plan, &reverse.plan);
        if !faults.is_empty() {
            return Err(Verdict::Wrong(format!("the checker rejects the halves: {faults:?}")));
        }
        let program = extend(&self.sample.program, &distinct(&forward, &reverse));
        let mut machine = machine(&program);
        let arrays = self.place(&mut machine, 1, &|input, lane| self.array_seed(input, lane))?;
        let shadows = |param: usize, lane: u32| arrays.shadows[lane as usize][param].clone();
        let given = Given { primal: &arrays.primal, shadows: &shadows, seeds: &|_| Value::Undef, tape: None };
        let tape = self.call(&mut machine, &forward, &given)?.into_iter().next();
        let given = Given { primal: &arrays.primal, shadows: &shadows, seeds: &|lane| self.seed(lane), tape };
        let parts = self.call(&mut machine, &reverse, &given)?;
        self.compare_gradients(&machine, &reverse, &arrays, &parts)
    }

    fn seed(&self, lane: u32) -> Value {
        let mut output = 0;
        fill(&self.function.ret, &mut || {
            output += 1;
            output_weight(output - 1, lane)
        })
    }

    /// The weight of what an array element, given by its input number, holds in the end.
    fn array_seed(&self, input: usize, lane: u32) -> f64 {
        let mut output = self.result_floats();
        for (at, argument) in self.sample.arguments.iter().enumerate() {
            let count = elements_of(argument);
            let first = self.first_input(at);
            if count > 0 && (first..first + count).contains(&input) {
                return output_weight(output + input - first, lane);
            }
            output += count;
        }
        0.0
    }

    fn compare_gradients(
        &self,
        machine: &Machine,
        derived: &Derived,
        arrays: &Arrays,
        parts: &[Value],
    ) -> Step<()> {
        let check = |input: usize, lane: u32, found: f64| {
            let rows = self.expected.rows.iter().enumerate();
            let terms = rows.map(|(output, row)| row[input] * output_weight(output, lane));
            self.compare("gradient", input, found, terms.collect(), &derived.function)
        };
        for (part, value) in derived.plan.results.iter().zip(parts) {
            let Part::Gradient { param, lane } = part else { continue };
            let first = self.first_input(*param);
            for (at, found) in floats_of(value, &self.function.params[*param].ty).into_iter().enumerate() {
                check(first + at, *lane, found)?;
            }
        }
        for (lane, shadows) in (0..).zip(&arrays.shadows) {
            let mut contents = self.read_arrays(machine, shadows)?.into_iter();
            for (at, argument) in self.sample.arguments.iter().enumerate() {
                for element in 0..elements_of(argument) {
                    check(self.first_input(at) + element, lane, contents.next().unwrap_or(f64::NAN))?;
                }
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

/// The functions of both halves, each once.
fn distinct<'a>(forward: &'a Derived, reverse: &'a Derived) -> Vec<&'a Function> {
    let mut functions: Vec<&Function> = forward.functions().collect();
    for function in reverse.functions() {
        if !functions.iter().any(|known| known.name == function.name) {
            functions.push(function);
        }
    }
    functions
}
