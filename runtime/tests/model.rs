//! Random programs of tape operations against a plain Vec, under every configuration.
//!
//! The configuration of the runtime is read once per process, so each test below runs this same binary again
//! with other settings; `random_programs` is what they run.

mod support;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use support::model::{Model, Operation};

fn operation() -> impl Strategy<Value = Operation> {
    let size = prop_oneof![8 => 0_usize..80, 2 => 0_usize..5000, 1 => 0_usize..300_000];
    let align = prop_oneof![Just(1_usize), Just(8), Just(16), Just(64), Just(4096)];
    prop_oneof![
        6 => (size.clone(), any::<bool>()).prop_map(|(bytes, fast)| Operation::Push { bytes, fast }),
        7 => any::<bool>().prop_map(|fast| Operation::Pop { fast }),
        2 => (0_usize..200, 0_usize..40, align).prop_map(|(count, size, align)| Operation::Block {
            count,
            size,
            align
        }),
        1 => prop::collection::vec(0_usize..500, 0..4).prop_map(|ranges| Operation::Save { ranges }),
        1 => Just(Operation::RestoreKeep),
        1 => Just(Operation::Mark),
        1 => any::<usize>().prop_map(|which| Operation::Release { which }),
        1 => (0_usize..20, any::<bool>()).prop_map(|(entries, fast)| Operation::Rewind { entries, fast }),
        1 => Just(Operation::Trim),
        2 => (0_usize..3).prop_map(|tape| Operation::Use { tape }),
    ]
}

#[test]
fn random_programs() {
    let cases = std::env::var("BACKSWEEP_TEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let programs = prop::collection::vec(operation(), 0..120);
    runner
        .run(&programs, |program| {
            let mut model = Model::new();
            for step in &program {
                model.apply(step);
            }
            model.drain();
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// Found by random programs: reading a snapshot steps down from an empty chunk, and the mark must survive that.
#[test]
fn mark_above_an_empty_chunk() {
    let mut model = Model::new();
    for step in [
        Operation::Use { tape: 1 },
        Operation::Save { ranges: vec![100] },
        Operation::Push { bytes: 100_000, fast: false },
        Operation::Pop { fast: false },
        Operation::Mark,
        Operation::RestoreKeep,
        Operation::Push { bytes: 10, fast: true },
        Operation::Release { which: 0 },
    ] {
        model.apply(&step);
    }
    model.drain();
}

fn under(settings: &[(&str, &str)]) {
    let exe = std::env::current_exe().expect("a test knows its own file");
    let output = std::process::Command::new(exe)
        .args(["random_programs", "--exact", "--nocapture"])
        .envs(settings.iter().copied())
        .output()
        .expect("the test binary runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{settings:?}:\n{text}");
}

#[test]
fn checked() {
    under(&[("BACKSWEEP_TAPE_CHECK", "1")]);
}

#[test]
fn in_chunks() {
    under(&[("BACKSWEEP_TAPE_RESERVE", "0")]);
}

#[test]
fn in_chunks_and_checked() {
    under(&[("BACKSWEEP_TAPE_RESERVE", "0"), ("BACKSWEEP_TAPE_CHECK", "1")]);
}

#[test]
fn limited() {
    under(&[("BACKSWEEP_TAPE_LIMIT", "1G")]);
}

#[test]
fn limited_in_chunks() {
    under(&[("BACKSWEEP_TAPE_LIMIT", "100M"), ("BACKSWEEP_TAPE_RESERVE", "0")]);
}

#[test]
fn spilled() {
    let directory = std::env::temp_dir();
    let directory = directory.to_str().expect("a path of text");
    under(&[("BACKSWEEP_TAPE_SPILL", directory), ("BACKSWEEP_TAPE_RESIDENT", "64K")]);
}

#[test]
fn spilled_limited_and_checked() {
    let directory = std::env::temp_dir();
    under(&[
        ("BACKSWEEP_TAPE_SPILL", directory.to_str().expect("a path of text")),
        ("BACKSWEEP_TAPE_RESIDENT", "64K"),
        ("BACKSWEEP_TAPE_LIMIT", "1G"),
        ("BACKSWEEP_TAPE_CHECK", "1"),
    ]);
}
