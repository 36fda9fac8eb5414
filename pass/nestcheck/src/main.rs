//! Many random nests: `cargo run --release -p backsweep-nestcheck -- [NESTS [FIRST_SEED]]`.

use std::process::ExitCode;

use backsweep_nestcheck::compare::{Counts, check_seed};

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).filter_map(|text| text.parse::<u64>().ok());
    let wanted = numbers.next().unwrap_or(1_000_000);
    let first = numbers.next().unwrap_or(0);
    let mut counts = Counts::default();
    let mut seed = first;
    while counts.nests < wanted {
        check_seed(seed, &mut counts);
        seed += 1;
        if counts.unsound > 20 {
            break;
        }
    }
    print!("{}", counts.describe());
    if counts.unsound == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
