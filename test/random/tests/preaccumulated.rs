//! Random programs whose straight-line code is differentiated by its local Jacobian, wherever it can be and where that is
//! cheaper, in several directions, against the oracle.

#[path = "strips/loops.rs"]
mod loops;

use std::cell::Cell;

use backsweep_core::config::Config;
use backsweep_core::model::{FloatKind, parse_program};
use backsweep_core::plan::Plan;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Options, Rng, Sample, Stage};
use backsweep_oracle::{Argument, Value};
use backsweep_random::{Verdict, campaign_of, check_both_ways};

/// By force, by force in strips, and where it pays.
const OPTIONS: [&str; 3] = ["preaccumulate=always", "preaccumulate=always;strip=8", "preaccumulate=on"];

/// How many programs of each kind are tried, if the environment does not say otherwise.
const PROGRAMS: u64 = 40;

fn make_loops(seed: u64) -> Sample {
    let mut rng = Rng::new(Rng::new(seed).draw());
    let text = loops::write_program(&mut rng);
    let program = parse_program(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let array = |rng: &mut Rng| Argument::Array(FloatKind::Double, (0..8).map(|_| rng.real(1.0)).collect());
    let arrays = [array(&mut rng), array(&mut rng)];
    let counts = [rng.below(20), rng.below(6)].map(|count| Argument::Fixed(Value::int(64, count as i128)));
    Sample { seed, program, function: "f".into(), arguments: arrays.into_iter().chain(counts).collect() }
}

/// How programs went: plans with local Jacobians, beside the tally.
fn try_sample(sample: &Sample, rules: &Rules, local: &Cell<usize>) -> Verdict {
    let seen = |plan: &Plan| local.set(local.get() + usize::from(plan.local.is_some()));
    for options in OPTIONS {
        let config = Config::default().read(options).unwrap_or_else(|error| panic!("{error}"));
        match check_both_ways(sample, rules, config, 3, &seen) {
            Verdict::Agreed => {}
            Verdict::Wrong(how) => return Verdict::Wrong(format!("{options}: {how}")),
            other => return other,
        }
    }
    Verdict::Agreed
}

fn try_random(first: u64, stage: Stage) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = number("BACKSWEEP_FUZZ_PROGRAMS").unwrap_or(PROGRAMS);
    let (rules, local) = (Rules::new(), Cell::new(0));
    let options = Options { stage, ..Options::default() };
    let tally = campaign_of(first, count, &options, &|sample| try_sample(sample, &rules, &local));
    println!("{} plans by local Jacobians", local.get());
    assert!(tally.agreed > 0 && local.get() > 0, "nothing was tried");
}

#[test]
fn fuzz_loops() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = number("BACKSWEEP_FUZZ_PROGRAMS").unwrap_or(PROGRAMS);
    let first = number("BACKSWEEP_FUZZ_FIRST").unwrap_or(5_000_000);
    let (rules, local, mut agreed) = (Rules::new(), Cell::new(0), 0);
    for seed in first..first + count {
        let sample = make_loops(seed);
        match try_sample(&sample, &rules, &local) {
            Verdict::Agreed => agreed += 1,
            Verdict::Unjudged => {}
            Verdict::Refused(how) | Verdict::Wrong(how) => panic!("seed {seed}: {how}\n{}", sample.program),
        }
    }
    println!("loops {first}..{}: {agreed} agreed, {} plans by local Jacobians", first + count, local.get());
    assert!(agreed > 0 && local.get() > 0, "nothing was tried");
}

#[test]
fn fuzz_scalars() {
    try_random(5_100_000, Stage::Scalars);
}

#[test]
fn fuzz_memory() {
    try_random(5_200_000, Stage::Memory);
}
