//! Campaigns of programs that are planned under several options, in several directions.

use std::cell::Cell;

use backsweep_core::config::Config;
use backsweep_core::plan::Plan;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Options, Sample, Stage};

use crate::{Verdict, campaign_of, check_both_ways};

/// How many programs of each kind are tried, if the environment does not say otherwise.
const PROGRAMS: u64 = 40;

pub fn programs_asked_for() -> u64 {
    let text = std::env::var("BACKSWEEP_FUZZ_PROGRAMS").ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS)
}

/// Tries a program under each of some options, in up to three directions, and shows the plans.
pub fn check_under(sample: &Sample, rules: &Rules, options: &[&str], seen: &dyn Fn(&Plan)) -> Verdict {
    for options in options {
        let config = Config::default().read(options).unwrap_or_else(|error| panic!("{error}"));
        match check_both_ways(sample, rules, config, 3, seen) {
            Verdict::Agreed => {}
            Verdict::Wrong(how) => return Verdict::Wrong(format!("{options}: {how}")),
            other => return other,
        }
    }
    Verdict::Agreed
}

/// Tries random programs so, and demands that some plans are of the kind that is meant.
pub fn campaign_under(first: u64, stage: Stage, options: &[&str], is_meant: &dyn Fn(&Plan) -> bool) {
    let (rules, meant) = (Rules::new(), Cell::new(0));
    let seen = |plan: &Plan| meant.set(meant.get() + usize::from(is_meant(plan)));
    let generated = Options { stage, ..Options::default() };
    let tally = campaign_of(first, programs_asked_for(), &generated, &|sample| {
        check_under(sample, &rules, options, &seen)
    });
    println!("{} plans of the kind that is meant", meant.get());
    assert!(tally.agreed > 0 && meant.get() > 0, "nothing was tried");
}
