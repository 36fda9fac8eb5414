//! Random programs with loops, arrays that may alias and local memory, in every mode, against the oracle.

use backsweep_oracle::generate::{Options, Stage};
use backsweep_random::campaign;

#[test]
fn fuzz_memory_in_doubles() {
    let options = Options { stage: Stage::Memory, mixed_kinds: false, ..Options::default() };
    let tally = campaign(2_000_000, 300, &options);
    assert!(tally.agreed > 0, "no program was judged: {tally:?}");
}
