//! Random programs in forward mode in several directions, where all tangents of a number are computed at once, against the oracle.

use backsweep_core::config::Switch;
use backsweep_core::plan::Plan;
use backsweep_oracle::generate::Stage;
use backsweep_random::campaign_under;

const OPTIONS: [&str; 2] = ["abreast=always", "abreast=always;preaccumulate=always;strong-zero=off"];

fn is_abreast(plan: &Plan) -> bool {
    plan.abreast == Switch::On
}

#[test]
fn fuzz_scalars() {
    campaign_under(6_100_000, Stage::Scalars, &OPTIONS, &is_abreast);
}

#[test]
fn fuzz_memory() {
    campaign_under(6_200_000, Stage::Memory, &OPTIONS, &is_abreast);
}
