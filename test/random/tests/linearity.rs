//! Random programs: what is said to be independent does not move, what is said to be a polynomial follows one.
//!
//! The inputs are moved one by one, and all together, in equal steps. A polynomial of degree `d` has no difference of order
//! `d + 1` but for rounding.

use backsweep_core::analyses::linearity::callee::{Linearity, returned};
use backsweep_core::analyses::linearity::class::Class;
use backsweep_core::analyses::linearity::depends::{Depends, Source};
use backsweep_core::analyses::linearity::ends::{add_input, left_behind};
use backsweep_core::analyses::linearity::trace::Seeds;
use backsweep_core::analyses::summarise::Bodies;
use backsweep_core::model::ValueId;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Options, Sample, Stage, generate};
use backsweep_oracle::{Argument, Value, directional};

/// The degrees that are looked at, and the steps that takes.
const MOST_DEGREE: usize = 3;

/// What claims were tested.
#[derive(Debug, Default)]
struct Tally {
    independent: usize,
    linear: usize,
    higher: usize,
    together: usize,
}

#[test]
fn scalar_claims_hold() {
    let options = Options { stage: Stage::Scalars, mixed_kinds: false, kinks: true, ..Options::default() };
    let tally = campaign(5_000_000, 1500, &options);
    // Most of these programs apply some function of the library to everything.
    assert!(tally.independent > 20 && tally.linear > 20 && tally.higher > 0, "too few claims: {tally:?}");
}

#[test]
fn claims_about_memory_hold() {
    let options = Options { stage: Stage::Memory, mixed_kinds: false, ..Options::default() };
    let tally = campaign(6_000_000, 1500, &options);
    assert!(
        tally.independent > 100 && tally.linear > 100 && tally.together > 100,
        "too few claims: {tally:?}"
    );
}

fn campaign(first: u64, count: u64, options: &Options) -> Tally {
    let (rules, mut tally) = (Rules::new(), Tally::default());
    for seed in first..first + count {
        check(&generate(seed, options), &rules, &mut tally);
    }
    tally
}

fn check(sample: &Sample, rules: &Rules, tally: &mut Tally) {
    let bodies = Bodies::of(&sample.program, rules, &sample.function);
    let linearity = Linearity::of(&bodies);
    let ground = linearity.ground(&sample.function).expect("it has a body");
    let mut seeds = Seeds::new();
    for (at, _) in sample.arguments.iter().enumerate().filter(|(_, argument)| is_input(argument)) {
        add_input(ground.body, ValueId(at as u32), Source(at as u32), &mut seeds);
    }
    let traced = linearity.trace(&ground, seeds);
    let arrays: Vec<usize> = positions(&sample.arguments, |argument| matches!(argument, Argument::Array(..)));
    let left: Vec<Depends> = arrays.iter().map(|at| left_behind(&traced, ValueId(*at as u32))).collect();
    let result = returned(&traced);
    // The floats of the result, then those of each array.
    let lengths: Vec<usize> = arrays.iter().map(|at| length(&sample.arguments[*at])).collect();
    let Some(total) = outputs(sample, &[]).map(|outputs| outputs.len()) else { return };
    let returned_floats = total - lengths.iter().sum::<usize>();
    let mut claims: Vec<&Depends> = vec![&result; returned_floats];
    for (depends, length) in left.iter().zip(&lengths) {
        claims.extend(vec![depends; *length]);
    }
    let mut first = 0;
    for (at, argument) in sample.arguments.iter().enumerate().filter(|(_, argument)| is_input(argument)) {
        for element in 0..length(argument) {
            let class = |depends: &Depends| depends.class(Source(at as u32));
            judge(sample, &|input| f64::from(u8::from(input == first + element)), &claims, &class, tally);
        }
        first += length(argument);
    }
    let slanted = |input: usize| 0.3 + 0.4 * (input as f64 * 1.7).sin();
    let mut together = Tally::default();
    judge(sample, &slanted, &claims, &|depends| depends.whole(), &mut together);
    tally.together += together.linear + together.higher;
}

/// Moves the inputs in a direction and compares what happens with what was said of each output.
fn judge(
    sample: &Sample,
    direction: &dyn Fn(usize) -> f64,
    claims: &[&Depends],
    class: &dyn Fn(&Depends) -> Class,
    tally: &mut Tally,
) {
    let step = 0.25;
    let at = |k: usize| -> Option<Vec<f64>> {
        let moves: Vec<f64> = (0..64).map(|input| direction(input) * step * k as f64).collect();
        outputs(sample, &moves)
    };
    let Some(runs) = (0..MOST_DEGREE + 2).map(at).collect::<Option<Vec<_>>>() else { return };
    for (output, depends) in claims.iter().enumerate() {
        let values: Vec<f64> = runs.iter().map(|run| run[output]).collect();
        let class = class(depends);
        if class == Class::Independent {
            let still = values.iter().all(|value| value.to_bits() == values[0].to_bits());
            assert!(still, "independent, but {values:?}: {} {}", sample.seed, sample.program);
            tally.independent += 1;
            continue;
        }
        let Some(degree) = class.degree().map(usize::from).filter(|degree| *degree <= MOST_DEGREE) else {
            continue;
        };
        let size = values.iter().fold(1.0f64, |size, value| size.max(value.abs()));
        if !size.is_finite() || size > 1e6 {
            continue;
        }
        let mut differences = values.clone();
        for _ in 0..=degree {
            differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
        }
        let rest = differences.iter().fold(0.0f64, |rest, value| rest.max(value.abs()));
        assert!(rest <= 1e-9 * size, "degree {degree}, but {values:?}: {} {}", sample.seed, sample.program);
        if degree <= 1 { tally.linear += 1 } else { tally.higher += 1 }
    }
}

/// The outputs with the inputs moved; `None` where it does not run to its end.
fn outputs(sample: &Sample, moves: &[f64]) -> Option<Vec<f64>> {
    let mut next = 0;
    let mut moved = |value: f64| {
        next += 1;
        value + moves.get(next - 1).copied().unwrap_or(0.0)
    };
    let arguments: Vec<Argument> =
        sample.arguments.iter().map(|argument| shift(argument, &mut moved)).collect();
    let found = directional(&sample.program, &sample.function, &arguments, &[]).ok()?;
    Some(found.into_iter().map(|(value, _)| value).collect())
}

fn shift(argument: &Argument, moved: &mut dyn FnMut(f64) -> f64) -> Argument {
    match argument {
        Argument::Active(value) => Argument::Active(shift_value(value, moved)),
        Argument::Array(kind, content) => Argument::Array(*kind, content.iter().map(|x| moved(*x)).collect()),
        Argument::Fixed(_) | Argument::Alias { .. } => argument.clone(),
    }
}

fn shift_value(value: &Value, moved: &mut dyn FnMut(f64) -> f64) -> Value {
    match value {
        Value::Float(dual) => Value::float(dual.kind, moved(dual.primal), dual.tangent),
        Value::Aggregate(parts) => {
            Value::Aggregate(parts.iter().map(|part| shift_value(part, moved)).collect())
        }
        other => other.clone(),
    }
}

fn is_input(argument: &Argument) -> bool {
    matches!(argument, Argument::Active(_) | Argument::Array(..))
}

fn positions(arguments: &[Argument], is_one: impl Fn(&Argument) -> bool) -> Vec<usize> {
    (0..arguments.len()).filter(|at| is_one(&arguments[*at])).collect()
}

/// How many floats an argument holds or leads to.
fn length(argument: &Argument) -> usize {
    let mut count = 0;
    shift(argument, &mut |value| {
        count += 1;
        value
    });
    count
}
