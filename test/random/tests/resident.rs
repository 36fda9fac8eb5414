//! Random programs whose kept values stay in memory, against the oracle: what loops read of them is read in front of the loops.

use backsweep_core::plan::Plan;
use backsweep_oracle::generate::Stage;
use backsweep_random::campaign_under;

const OPTIONS: [&str; 2] = ["resident=always", "resident=always;put-back=always"];

fn is_resident(plan: &Plan) -> bool {
    !plan.resident.is_empty()
}

#[test]
fn random_scalars_agree_with_the_oracle() {
    campaign_under(7_100_000, Stage::Scalars, &OPTIONS, &is_resident);
}

#[test]
fn random_memory_agrees_with_the_oracle() {
    campaign_under(7_200_000, Stage::Memory, &OPTIONS, &is_resident);
}
