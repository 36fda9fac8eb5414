//! Random loops that hand numbers on, in strips of all lengths and with a whole tape, against the oracle.

#[path = "strips/loops.rs"]
mod loops;

use std::cell::Cell;
use std::time::{Duration, Instant};

use backsweep_core::config::Config;
use backsweep_core::model::{FloatKind, parse_program};
use backsweep_core::plan::{Plan, Storage};
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Rng, Sample};
use backsweep_oracle::{Argument, Value};
use backsweep_random::{Verdict, check_gradients};

/// So many bytes of records in a strip, as it is without the user's word, and nothing of it.
const OPTIONS: [&str; 4] = ["strip=8", "strip=40", "", "disable=strip,invert"];

fn make_sample(seed: u64) -> Sample {
    let mut rng = Rng::new(Rng::new(seed).draw());
    let text = loops::write_program(&mut rng);
    let program = parse_program(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let array = |rng: &mut Rng| Argument::Array(FloatKind::Double, (0..8).map(|_| rng.real(1.0)).collect());
    let arrays = [array(&mut rng), array(&mut rng)];
    let counts = [rng.below(20), rng.below(6)].map(|count| Argument::Fixed(Value::int(64, count as i128)));
    Sample { seed, program, function: "f".into(), arguments: arrays.into_iter().chain(counts).collect() }
}

#[test]
fn fuzz_strips() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let budget = number("BACKSWEEP_FUZZ_SECONDS").map(Duration::from_secs);
    let first = budget.and_then(|_| number("BACKSWEEP_FUZZ_FIRST")).unwrap_or(3_000_000);
    let (rules, began) = (Rules::new(), Instant::now());
    let (in_strips, taken_back, agreed) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |of: &Cell<usize>, more: bool| of.set(of.get() + usize::from(more));
    let back = |plan: &Plan| {
        let mut choices = plan.storage.values().map(|decision| &decision.choice);
        choices.any(|choice| matches!(choice, Storage::Uncompute { .. }))
    };
    let seen = |plan: &Plan| {
        count(&in_strips, !plan.strips.is_empty());
        count(&taken_back, back(plan));
    };
    let mut seed = first;
    while budget.map_or(seed < first + 100, |budget| began.elapsed() < budget) {
        let sample = make_sample(seed);
        for options in OPTIONS {
            let config = Config::default().read(options).unwrap_or_else(|error| panic!("{error}"));
            match check_gradients(&sample, &rules, config, &seen) {
                Verdict::Agreed => count(&agreed, true),
                Verdict::Unjudged => {}
                Verdict::Refused(how) | Verdict::Wrong(how) => {
                    panic!("seed {seed}, {options}: {how}\n{}", sample.program)
                }
            }
        }
        seed += 1;
    }
    println!(
        "seeds {first}..{seed}: {} agreed, {} plans with strips, {} that take back",
        agreed.get(),
        in_strips.get(),
        taken_back.get()
    );
    assert!(agreed.get() > 0 && in_strips.get() > 0 && taken_back.get() > 0, "nothing was tried");
}
