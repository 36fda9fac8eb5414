//! Random programs whose straight-line code is differentiated by its local Jacobian, wherever it can be and where that is
//! cheaper, in several directions, against the oracle.

#[path = "strips/loops.rs"]
mod loops;

use std::cell::Cell;

use backsweep_core::model::{FloatKind, parse_program};
use backsweep_core::plan::Plan;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Rng, Sample, Stage};
use backsweep_oracle::{Argument, Value};
use backsweep_random::{Verdict, campaign_under, check_under, programs_asked_for};

/// By force, by force in strips, as the user says, and where it pays.
const OPTIONS: [&str; 4] = [
    "preaccumulate=always",
    "preaccumulate=always;strip=8",
    "preaccumulate=always;eliminate=edges:HS,LM,R",
    "preaccumulate=on",
];

fn make_loops(seed: u64) -> Sample {
    let mut rng = Rng::new(Rng::new(seed).draw());
    let text = loops::write_program(&mut rng);
    let program = parse_program(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let array = |rng: &mut Rng| Argument::Array(FloatKind::Double, (0..8).map(|_| rng.real(1.0)).collect());
    let arrays = [array(&mut rng), array(&mut rng)];
    let counts = [rng.below(20), rng.below(6)].map(|count| Argument::Fixed(Value::int(64, count as i128)));
    Sample { seed, program, function: "f".into(), arguments: arrays.into_iter().chain(counts).collect() }
}

fn is_local(plan: &Plan) -> bool {
    plan.local.is_some()
}

#[test]
fn fuzz_loops() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = programs_asked_for();
    let first = number("BACKSWEEP_FUZZ_FIRST").unwrap_or(5_000_000);
    let (rules, local, mut agreed) = (Rules::new(), Cell::new(0), 0);
    let seen = |plan: &Plan| local.set(local.get() + usize::from(is_local(plan)));
    for seed in first..first + count {
        let sample = make_loops(seed);
        match check_under(&sample, &rules, &OPTIONS, &seen) {
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
    campaign_under(5_100_000, Stage::Scalars, &OPTIONS, &is_local);
}

#[test]
fn fuzz_memory() {
    campaign_under(5_200_000, Stage::Memory, &OPTIONS, &is_local);
}
