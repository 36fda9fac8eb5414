//! Random programs: what is said of linearity is what numbers do, and what is said to be an iteration's own is.

use backsweep_analyses::choices::Choices;
use backsweep_analyses::generate::{ARRAYS, CELLS, COUNT, Generated, INDEX, INDICES, X, generate};
use backsweep_analyses::machine::{Memory, Value, run};
use backsweep_analyses::provenance::find_crossing;
use backsweep_core::analyses::linearity::callee::{Linearity, returned};
use backsweep_core::analyses::linearity::carried::Iteration;
use backsweep_core::analyses::linearity::class::Class;
use backsweep_core::analyses::linearity::depends::{Depends, Source};
use backsweep_core::analyses::linearity::ends::{add_input, left_behind};
use backsweep_core::analyses::linearity::trace::Seeds;
use backsweep_core::analyses::summarise::Bodies;
use backsweep_core::dependence::find_dependences;
use backsweep_core::model::{LoopId, ValueId};
use backsweep_core::rules::Rules;
use proptest::prelude::*;

/// The degrees that are looked at: one step more is one difference more.
const MOST_DEGREE: usize = 3;

/// Large beside the inputs, so that conditions on them change.
const STEP: f64 = 0.75;

/// Where the arrays lie: those that something else may lead to in one block, at some distance.
struct Layout {
    places: Vec<(usize, i64)>,
    objects: usize,
    count: i64,
}

impl Layout {
    fn of(generated: &Generated, choices: &mut Choices) -> Layout {
        let (mut places, mut objects, mut shared) = (Vec::new(), 0, None);
        for alone in generated.alone {
            let place = match shared.filter(|_| !alone && choices.chance(50)) {
                Some(object) => (object, 8 * choices.below(INDEX + 1) as i64),
                None => {
                    objects += 1;
                    (objects - 1, 0)
                }
            };
            if !alone {
                shared = Some(place.0);
            }
            places.push(place);
        }
        Layout { places, objects, count: choices.below(INDEX + 1) as i64 }
    }

    /// The arrays that lead into an object.
    fn leading_into(&self, object: usize) -> impl Iterator<Item = usize> + '_ {
        (0..ARRAYS.len()).filter(move |array| self.places[*array].0 == object).map(|array| ARRAYS[array])
    }

    fn arguments(&self, inputs: &[f64]) -> (Vec<Value>, Memory) {
        let mut memory = Memory::default();
        let mut arguments = vec![Value::Spoiled; COUNT + 1];
        arguments[X] = Value::real(inputs[0]);
        for object in 0..self.objects {
            let first = 1 + object * CELLS;
            memory.0.push(inputs[first..first + CELLS].iter().map(|x| Value::real(*x)).collect());
        }
        for (at, (object, offset)) in ARRAYS.into_iter().zip(&self.places) {
            arguments[at] = Value::Pointer { object: *object, offset: *offset };
        }
        memory.0.push((0..CELLS).map(|index| Value::Int((3 * index % INDEX) as i64)).collect());
        arguments[INDICES] = Value::Pointer { object: self.objects, offset: 0 };
        arguments[COUNT] = Value::Int(self.count);
        (arguments, memory)
    }

    /// The result, then the cells of all objects.
    fn outputs(&self, generated: &Generated, inputs: &[f64]) -> Option<Vec<f64>> {
        let (arguments, mut memory) = self.arguments(inputs);
        let function = generated.program.function("f").expect("it was generated");
        let trace = run(&generated.program, function, arguments, &mut memory).ok()?;
        let cells = memory.0[..self.objects].iter().flatten();
        let float = |value: &Value| match value {
            Value::Real { value, .. } => Some(*value),
            Value::Int(_) | Value::Pointer { .. } | Value::Spoiled => None,
        };
        [trace.result].iter().chain(cells).map(float).collect()
    }
}

fn check_claims(list: Vec<u16>) -> Result<(), String> {
    let mut choices = Choices::new(list);
    let mut at_run = choices.clone();
    let generated = generate(&mut choices);
    let layout = Layout::of(&generated, &mut at_run);
    let rules = Rules::new();
    let bodies = Bodies::of(&generated.program, &rules, "f");
    let linearity = Linearity::of(&bodies);
    let ground = linearity.ground("f").expect("f has a body");
    // The float, then each object.
    let mut seeds = Seeds::new();
    add_input(ground.body, ValueId(X as u32), Source(0), &mut seeds);
    for object in 0..layout.objects {
        for array in layout.leading_into(object) {
            add_input(ground.body, ValueId(array as u32), Source(1 + object as u32), &mut seeds);
        }
    }
    let traced = linearity.trace(&ground, seeds);
    let mut claims = vec![returned(&traced)];
    for object in 0..layout.objects {
        let left = layout.leading_into(object).map(|array| left_behind(&traced, ValueId(array as u32)));
        let left = left.fold(Depends::default(), |all, one| all.or(&one));
        claims.extend(vec![left; CELLS]);
    }
    let total = 1 + layout.objects * CELLS;
    for input in 0..total {
        let source = Source(if input == 0 { 0 } else { 1 + ((input - 1) / CELLS) as u32 });
        let direction = |at: usize| f64::from(u8::from(at == input));
        judge(&generated, &layout, &direction, &claims, &|depends| depends.class(source))?;
    }
    let slanted = |at: usize| (at as f64 * 1.7).sin();
    judge(&generated, &layout, &slanted, &claims, &|depends| depends.whole())
}

fn judge(
    generated: &Generated,
    layout: &Layout,
    direction: &dyn Fn(usize) -> f64,
    claims: &[Depends],
    class: &dyn Fn(&Depends) -> Class,
) -> Result<(), String> {
    let start = |at: usize| 0.3 + 0.1 * (at % 7) as f64;
    let at = |k: usize| {
        let inputs: Vec<f64> =
            (0..claims.len()).map(|at| start(at) + STEP * k as f64 * direction(at)).collect();
        layout.outputs(generated, &inputs)
    };
    // What is said of memory is said of what is touched. Cells that keep what they held may never have been.
    let kept = |output: usize, values: &[f64]| {
        values
            .iter()
            .enumerate()
            .all(|(k, value)| *value == start(output) + STEP * k as f64 * direction(output))
    };
    let Some(runs) = (0..MOST_DEGREE + 2).map(at).collect::<Option<Vec<_>>>() else { return Ok(()) };
    for (output, depends) in claims.iter().enumerate() {
        let values: Vec<f64> = runs.iter().map(|run| run[output]).collect();
        let class = class(depends);
        let wrong = |what: &str| Err(format!("{what}: output {output} is {values:?}\n{}", generated.program));
        if class == Class::Independent {
            let moves = values.iter().any(|value| value.to_bits() != values[0].to_bits());
            if moves && (output == 0 || !kept(output, &values)) {
                return wrong("independent");
            }
            continue;
        }
        let Some(degree) = class.degree().map(usize::from).filter(|degree| *degree <= MOST_DEGREE) else {
            continue;
        };
        let size = values.iter().fold(1.0f64, |size, value| size.max(value.abs()));
        let mut differences = values.clone();
        for _ in 0..=degree {
            differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
        }
        if size < 1e6 && differences.iter().any(|rest| rest.abs() > 1e-9 * size) {
            return wrong(&format!("degree {degree}"));
        }
    }
    Ok(())
}

fn check_iterations(list: Vec<u16>) -> Result<(), String> {
    let mut choices = Choices::new(list);
    let mut at_run = choices.clone();
    let generated = generate(&mut choices);
    let layout = Layout::of(&generated, &mut at_run);
    let rules = Rules::new();
    let bodies = Bodies::of(&generated.program, &rules, "f");
    let linearity = Linearity::of(&bodies);
    let ground = linearity.ground("f").expect("f has a body");
    let function = generated.program.function("f").expect("it was generated");
    let inputs: Vec<f64> = (0..1 + layout.objects * CELLS).map(|at| 0.3 + 0.1 * (at % 7) as f64).collect();
    let (arguments, mut memory) = layout.arguments(&inputs);
    let Ok(trace) = run(&generated.program, function, arguments, &mut memory) else { return Ok(()) };
    let dependences = find_dependences(&generated.program, function);
    for of in (0..function.loops.len() as u32).map(LoopId) {
        let iteration = Iteration::of(&ground, &dependences, of);
        for value in find_crossing(&trace, of) {
            if iteration.carried(value).is_none() {
                return Err(format!("{value} in {of:?} is of other iterations\n{}", generated.program));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_do_what_is_said(list in prop::collection::vec(0u16..1000, 10..200)) {
        check_claims(list).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn iterations_are_as_separate_as_is_said(list in prop::collection::vec(0u16..1000, 10..200)) {
        check_iterations(list).map_err(TestCaseError::fail)?;
    }
}
