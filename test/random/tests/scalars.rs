//! Random scalar programs with branches, in every mode, against the oracle.

use backsweep_oracle::generate::{Options, Stage};
use backsweep_random::campaign;

#[test]
fn fuzz_scalars_in_doubles() {
    let options = Options { stage: Stage::Scalars, mixed_kinds: false, kinks: true, ..Options::default() };
    let tally = campaign(1, 400, &options);
    assert!(tally.agreed > 10 * (tally.refused + tally.unjudged), "too few programs were judged: {tally:?}");
}

#[test]
fn fuzz_scalars_of_all_kinds() {
    let options = Options { stage: Stage::Scalars, ..Options::default() };
    let tally = campaign(1_000_000, 400, &options);
    assert!(tally.agreed > 10 * (tally.refused + tally.unjudged), "too few programs were judged: {tally:?}");
}
