//! What the generated programs contain: `cargo run --release -p backsweep-oracle --example census [programs]`.

use std::collections::BTreeMap;

use backsweep_core::model::{BlockId, Function, Op};
use backsweep_oracle::generate::{Options, Stage, generate};
use backsweep_oracle::jacobian;

fn main() {
    let programs: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    for stage in [Stage::Scalars, Stage::Memory] {
        let options = Options { stage, ..Options::default() };
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut loops = Vec::new();
        let (mut sizes, mut slopes, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..programs {
            let sample = generate(seed, &options);
            let entry = &sample.program.functions[0];
            loops.push(count_back_edges(entry, BlockId(0), &mut vec![Seen::No; entry.blocks.len()]));
            sizes.push(entry.insts.len());
            for inst in sample.program.functions.iter().flat_map(|function| &function.insts) {
                *counts.entry(name(&inst.op, inst.callee_name())).or_default() += 1;
            }
            let found = match jacobian(&sample.program, "f", &sample.arguments) {
                Ok(found) => found,
                Err(trap) => {
                    println!("seed {seed}: {trap}");
                    continue;
                }
            };
            if !found.outputs.iter().chain(found.rows.iter().flatten()).all(|x| x.is_finite()) {
                println!("seed {seed}: not finite");
            }
            let entries = found.rows.iter().flatten();
            slopes.push(entries.clone().filter(|x| **x != 0.0 && **x != 1.0).count() as f64);
            steps.push(entries.fold(0.0f64, |most, x| most.max(x.abs())));
        }
        sizes.sort_unstable();
        loops.sort_unstable();
        println!("{stage:?}: median of {} loops", loops[loops.len() / 2]);
        let median = sizes[sizes.len() / 2];
        let flat = slopes.iter().filter(|count| **count == 0.0).count();
        let steep = steps.iter().filter(|most| **most > 100.0).count();
        println!("{stage:?}: median of {median} instructions, largest {:?}", sizes.last());
        println!("  {flat} of {programs} with no entry other than 0 and 1, {steep} with one above 100");
        println!("  {counts:?}");
    }
}

fn name(op: &Op, callee: Option<&str>) -> String {
    match callee {
        Some(callee) => format!("@{}", callee.trim_end_matches(char::is_numeric)),
        None => format!("{op:?}").split([' ', '(', '{']).next().unwrap_or_default().to_string(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    No,
    Open,
    Done,
}

/// Edges to a block that the search from the entry has not left yet.
fn count_back_edges(function: &Function, block: BlockId, seen: &mut Vec<Seen>) -> usize {
    seen[block.0 as usize] = Seen::Open;
    let mut count = 0;
    for next in function.successors(block) {
        count += match seen[next.0 as usize] {
            Seen::No => count_back_edges(function, next, seen),
            Seen::Open => 1,
            Seen::Done => 0,
        };
    }
    seen[block.0 as usize] = Seen::Done;
    count
}
