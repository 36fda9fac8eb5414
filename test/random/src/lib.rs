//! Random programs, differentiated and run in the interpreter, against the oracle's Jacobian.
//!
//! Program → plan → check → derived function → interpreted, beside the same program on dual numbers. No LLVM takes
//! part, so thousands of programs a second are tried.

mod compare;
mod declared;
mod derived;
mod left;
mod local;
mod planned;
mod put_off;
mod request;
mod run;
mod tolerance;

pub use compare::{check_both_ways, check_gradients, check_sample, check_widths};
pub use local::check_local;
pub use planned::{campaign_under, check_under, programs_asked_for};

use std::time::{Duration, Instant};

use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Options, Sample, generate};

/// How a campaign went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub agreed: usize,
    pub refused: usize,
    /// The oracle could not judge: it trapped, or values are not finite.
    pub unjudged: usize,
}

/// What one program showed.
pub enum Verdict {
    Agreed,
    Refused(String),
    Unjudged,
    Wrong(String),
}

/// Differentiates programs in every mode; see [`campaign_of`].
pub fn campaign(first: u64, count: u64, options: &Options) -> Tally {
    let rules = Rules::new();
    campaign_of(first, count, options, &|sample| check_sample(sample, &rules))
}

/// Tries programs from `first` on until `count` are done or the time that `make fuzz` gives is over, which may begin
/// elsewhere. Panics with the shrunk program at the first that is wrong.
pub fn campaign_of(first: u64, count: u64, options: &Options, check: &dyn Fn(&Sample) -> Verdict) -> Tally {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let budget = number("BACKSWEEP_FUZZ_SECONDS");
    let first = budget.and_then(|_| number("BACKSWEEP_FUZZ_FIRST")).unwrap_or(first);
    let deadline = budget.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut tally = Tally::default();
    let mut seed = first;
    while deadline.map_or(seed < first + count, |deadline| Instant::now() < deadline) {
        let sample = generate(seed, options);
        match check(&sample) {
            Verdict::Agreed => tally.agreed += 1,
            Verdict::Refused(why) => {
                tally.refused += 1;
                if std::env::var_os("BACKSWEEP_FUZZ_REFUSALS").is_some() {
                    println!("seed {seed}: {why}");
                }
            }
            Verdict::Unjudged => tally.unjudged += 1,
            Verdict::Wrong(how) => report(&sample, check, &how),
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {tally:?}");
    tally
}

fn report(sample: &Sample, check: &dyn Fn(&Sample) -> Verdict, how: &str) -> ! {
    let still_wrong = |program: &backsweep_core::model::Program| {
        let mut smaller = sample.clone();
        smaller.program = program.clone();
        matches!(check(&smaller), Verdict::Wrong(_))
    };
    let smallest = backsweep_oracle::shrink(&sample.program, &still_wrong);
    let mut shrunk = sample.clone();
    shrunk.program = smallest.clone();
    let shrunk_how = match check(&shrunk) {
        Verdict::Wrong(how) => how,
        _ => how.to_owned(),
    };
    panic!("seed {}: {shrunk_how}\narguments {:?}\n{smallest}", sample.seed, sample.arguments)
}
