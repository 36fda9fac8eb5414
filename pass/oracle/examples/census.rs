//! What the generated programs contain: `cargo run --release -p backsweep-oracle --example census`.

use std::collections::BTreeMap;

use backsweep_core::model::Op;
use backsweep_oracle::generate::{Options, Stage, generate};
use backsweep_oracle::jacobian;

const PROGRAMS: u64 = 1000;

fn main() {
    for stage in [Stage::Scalars, Stage::Memory] {
        let options = Options { stage, ..Options::default() };
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let (mut sizes, mut slopes, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..PROGRAMS {
            let sample = generate(seed, &options);
            let entry = &sample.program.functions[0];
            sizes.push(entry.insts.len());
            for inst in sample.program.functions.iter().flat_map(|function| &function.insts) {
                *counts.entry(name(&inst.op, inst.callee_name())).or_default() += 1;
            }
            let Ok(found) = jacobian(&sample.program, "f", &sample.arguments) else { continue };
            let entries = found.rows.iter().flatten();
            slopes.push(entries.clone().filter(|x| **x != 0.0 && **x != 1.0).count() as f64);
            steps.push(entries.fold(0.0f64, |most, x| most.max(x.abs())));
        }
        sizes.sort_unstable();
        let median = sizes[sizes.len() / 2];
        let flat = slopes.iter().filter(|count| **count == 0.0).count();
        let steep = steps.iter().filter(|most| **most > 100.0).count();
        println!("{stage:?}: median of {median} instructions, largest {:?}", sizes.last());
        println!("  {flat} of {PROGRAMS} with no entry other than 0 and 1, {steep} with one above 100");
        println!("  {counts:?}");
    }
}

fn name(op: &Op, callee: Option<&str>) -> String {
    match callee {
        Some(callee) => format!("@{}", callee.trim_end_matches(char::is_numeric)),
        None => format!("{op:?}").split([' ', '(', '{']).next().unwrap_or_default().to_string(),
    }
}
