//! Pairs per second and the slowest pair: `cargo run --release -p backsweep-nestcheck --bin speed`.
//!
//! Prints `name value` lines for `make bench`. The pairs are those of random nests of the checker: typical ones have no
//! wrapping and every flag; the slowest is taken over all of them, each at its best of several times, since the machine
//! may have looked elsewhere in between.

use std::time::Instant;

use backsweep_core::dependence::access::collect_accesses;
use backsweep_core::dependence::finding::test_pair;
use backsweep_core::dependence::nesting::Nesting;
use backsweep_nestcheck::nest::Nest;
use backsweep_nestcheck::run::run;
use backsweep_nestcheck::write::write_program;

/// How often a pair that seems slow is measured once more.
const AGAIN: usize = 5;

fn main() {
    let nests = std::env::args().nth(1).and_then(|text| text.parse::<u64>().ok()).unwrap_or(20_000);
    let (mut pairs, mut seconds) = (0u64, 0.0f64);
    let (mut all_pairs, mut all_seconds) = (0u64, 0.0f64);
    let mut slowest = (0.0f64, 0u64);
    for seed in 0..nests {
        let nest = Nest::random(seed);
        let Some(trace) = run(&nest) else { continue };
        let typical = !trace.wrapped && nest.told == u64::MAX && nest.symbols.is_empty();
        let (program, _) = write_program(&nest, &trace);
        let nesting = Nesting::of(&program, &program.functions[0]);
        let accesses = collect_accesses(&nesting);
        for (x, y) in [(0, 0), (0, 1), (1, 1)] {
            let measure = || {
                let start = Instant::now();
                std::hint::black_box(&test_pair(&program, &nesting, &accesses, x, y));
                start.elapsed().as_secs_f64()
            };
            let took = measure();
            (all_pairs, all_seconds) = (all_pairs + 1, all_seconds + took);
            if typical {
                (pairs, seconds) = (pairs + 1, seconds + took);
            }
            if took > slowest.0 {
                let best = (0..AGAIN).map(|_| measure()).fold(took, f64::min);
                slowest = if best > slowest.0 { (best, seed) } else { slowest };
            }
        }
    }
    println!("dependence_pairs_per_second_typical {:.0}", pairs as f64 / seconds);
    println!("dependence_pairs_per_second_all {:.0}", all_pairs as f64 / all_seconds);
    println!("dependence_slowest_pair_ms {:.3} (seed {})", slowest.0 * 1e3, slowest.1);
}
