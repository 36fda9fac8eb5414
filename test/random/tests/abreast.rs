//! Random programs in forward mode in several directions, where all tangents of a number are computed at once, against the oracle.

use std::cell::Cell;

use backsweep_core::config::{Config, Switch};
use backsweep_core::plan::Plan;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Options, Sample, Stage};
use backsweep_random::{Verdict, campaign_of, check_both_ways};

const OPTIONS: [&str; 2] = ["abreast=always", "abreast=always;preaccumulate=always;strong-zero=off"];

/// How many programs of each kind are tried, if the environment does not say otherwise.
const PROGRAMS: u64 = 40;

fn try_sample(sample: &Sample, rules: &Rules, abreast: &Cell<usize>) -> Verdict {
    let seen = |plan: &Plan| abreast.set(abreast.get() + usize::from(plan.abreast == Switch::On));
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
    let (rules, abreast) = (Rules::new(), Cell::new(0));
    let options = Options { stage, ..Options::default() };
    let tally = campaign_of(first, count, &options, &|sample| try_sample(sample, &rules, &abreast));
    println!("{} plans with tangents abreast", abreast.get());
    assert!(tally.agreed > 0 && abreast.get() > 0, "nothing was tried");
}

#[test]
fn fuzz_scalars() {
    try_random(6_100_000, Stage::Scalars);
}

#[test]
fn fuzz_memory() {
    try_random(6_200_000, Stage::Memory);
}
