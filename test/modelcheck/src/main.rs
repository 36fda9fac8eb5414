//! Does the text of a model say all of it, and is what extraction wrote a model? And how much of it is opaque?
//!
//! `model-check GROUP=FILE…`: each file is parsed, printed, compared and verified; counts are summed by group.
//! Status 1 where a file fails, where more than 1 % of all operations are opaque, or where an opaque one computes
//! floats, touches memory or directs control.

mod examine;
mod tally;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use examine::{Finding, examine};
use tally::Tally;

/// Of all operations, in percent.
const MOST_OPAQUE: f64 = 1.0;

/// So many complaints about one file show what is wrong with it.
const MOST_SHOWN: usize = 5;

fn main() -> ExitCode {
    let inputs: Vec<(String, String)> = std::env::args().skip(1).map(split_group).collect();
    let (mut groups, mut failures) = (BTreeMap::<String, Tally>::new(), 0);
    for (index, finding) in examine_all(&inputs) {
        let (group, file) = &inputs[index];
        match finding {
            Ok(Finding { tally, faults }) => {
                failures += usize::from(!faults.is_empty());
                faults.iter().take(MOST_SHOWN).for_each(|fault| println!("{file}: {fault}"));
                groups.entry(group.clone()).or_default().add(&tally);
            }
            Err(problem) => {
                failures += 1;
                println!("{file}: {problem}");
            }
        }
    }
    let mut all = Tally::default();
    for (group, tally) in &groups {
        println!("{group:<10} {tally}");
        all.add(tally);
    }
    println!("{:<10} {all}", "all");
    print!("{}", all.details());
    let acceptable = all.opaque_share() <= MOST_OPAQUE && all.misplaced().is_empty();
    println!("{} of {} files are no faithful models", failures, inputs.len());
    if failures == 0 && acceptable && !inputs.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn split_group(argument: String) -> (String, String) {
    match argument.split_once('=') {
        Some((group, file)) => (group.to_string(), file.to_string()),
        None => ("files".to_string(), argument),
    }
}

/// Examines on every processor; findings come back in the order of the inputs.
fn examine_all(inputs: &[(String, String)]) -> Vec<(usize, Result<Finding, String>)> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, file)) = inputs.get(index) else { return };
                    // The receiver lives until every worker is done.
                    let _ = send.send((index, examine(file)));
                }
            });
        }
        drop(send);
        let mut found: Vec<_> = receive.iter().collect();
        found.sort_by_key(|(index, _)| *index);
        found
    })
}
