//! Random programs: well-formed, they run to their end, and their tangents match differences.

use backsweep_core::model::{FloatOp, Op, verify};
use backsweep_oracle::generate::{Options, Sample, Stage, generate};
use backsweep_oracle::{Jacobian, finite_differences, jacobian};

const PROGRAMS: u64 = 1000;

fn smooth(stage: Stage) -> Options {
    Options { stage, mixed_kinds: false, kinks: false, ..Options::default() }
}

/// How far two matrices differ, against the size of the larger entries of each row.
fn distance(a: &Jacobian, b: &Jacobian) -> f64 {
    let mut worst = 0.0f64;
    for (a, b) in a.rows.iter().zip(&b.rows) {
        let size = a.iter().chain(b).fold(1.0, |most: f64, x| most.max(x.abs()));
        worst = a.iter().zip(b).fold(worst, |worst, (a, b)| worst.max((a - b).abs() / size));
    }
    worst
}

enum Verdict {
    Agrees,
    /// Differences with two steps disagree among themselves: a kink is near, or the slope is steep.
    Rough,
    Differs(f64),
}

fn judge(sample: &Sample, step: f64, tolerance: f64) -> Verdict {
    let Sample { program, function, arguments, seed } = sample;
    let exact = jacobian(program, function, arguments).unwrap_or_else(|trap| panic!("seed {seed}: {trap}"));
    assert!(exact.outputs.iter().all(|y| y.is_finite()), "seed {seed}: {:?}", exact.outputs);
    let Ok(coarse) = finite_differences(program, function, arguments, step) else { return Verdict::Rough };
    if distance(&exact, &coarse) < tolerance {
        return Verdict::Agrees;
    }
    let Ok(fine) = finite_differences(program, function, arguments, step / 8.0) else {
        return Verdict::Rough;
    };
    let error = distance(&exact, &fine);
    if error < tolerance {
        Verdict::Agrees
    } else if distance(&coarse, &fine) > tolerance / 4.0 {
        Verdict::Rough
    } else {
        Verdict::Differs(error)
    }
}

/// Runs many seeds; returns the share of programs too rough to judge.
fn try_seeds(options: &Options, programs: u64, step: f64, tolerance: f64) -> f64 {
    let mut rough = 0;
    let mut wrong = Vec::new();
    for seed in 0..programs {
        match judge(&generate(seed, options), step, tolerance) {
            Verdict::Agrees => {}
            Verdict::Rough => rough += 1,
            Verdict::Differs(error) => wrong.push(format!("seed {seed}: {error:e}")),
        }
    }
    assert!(wrong.is_empty(), "{options:?}\n{}", wrong.join("\n"));
    println!("{options:?}: {rough} of {programs} too rough");
    rough as f64 / programs as f64
}

#[test]
fn smooth_programs_match_differences() {
    assert!(try_seeds(&smooth(Stage::Scalars), PROGRAMS, 1e-4, 1e-6) < 0.02);
}

#[test]
fn smooth_programs_with_memory_match_differences() {
    assert!(try_seeds(&smooth(Stage::Memory), PROGRAMS, 1e-4, 1e-6) < 0.05);
}

#[test]
fn programs_with_kinks_match_differences() {
    let options = Options { mixed_kinds: false, ..Options::default() };
    assert!(try_seeds(&options, PROGRAMS / 2, 1e-5, 1e-4) < 0.1);
    assert!(try_seeds(&Options { stage: Stage::Memory, ..options }, PROGRAMS / 2, 1e-5, 1e-4) < 0.1);
}

/// With floats of two kinds only gross errors show.
#[test]
fn programs_of_mixed_kinds_match_differences() {
    for stage in [Stage::Scalars, Stage::Memory] {
        let options = Options { stage, kinks: false, ..Options::default() };
        assert!(try_seeds(&options, PROGRAMS / 2, 2e-2, 2e-2) < 0.5);
    }
}

#[test]
fn programs_are_well_formed() {
    for stage in [Stage::Scalars, Stage::Memory] {
        for seed in 0..PROGRAMS {
            let sample = generate(seed, &Options { stage, ..Options::default() });
            let violations = verify(&sample.program);
            assert!(violations.is_empty(), "seed {seed}: {violations:#?}\n{}", sample.program);
        }
    }
}

/// The comparison can fail: the tangents of a program in which one operation is another do not pass as those of the
/// program itself.
#[test]
fn planted_faults_are_noticed() {
    let (mut planted, mut noticed) = (0, 0);
    for seed in 0..200 {
        let sample = generate(seed, &smooth(Stage::Memory));
        let mut wrong = sample.clone();
        let insts = &mut wrong.program.functions[0].insts;
        let Some(inst) = insts.iter_mut().rev().find(|inst| inst.op == Op::Float(FloatOp::Add)) else {
            continue;
        };
        inst.op = Op::Float(FloatOp::Sub);
        planted += 1;
        let exact = jacobian(&wrong.program, "f", &sample.arguments).unwrap();
        let close = finite_differences(&sample.program, "f", &sample.arguments, 1e-4).unwrap();
        noticed += u32::from(distance(&exact, &close) > 1e-6);
    }
    // In the others the operand whose sign changed depends on no input.
    assert!(planted > 150 && noticed * 2 > planted, "{noticed} of {planted} faults were noticed");
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for seed in [0, 1, 99, u64::MAX] {
        let options = Options { stage: Stage::Memory, ..Options::default() };
        assert_eq!(generate(seed, &options).program, generate(seed, &options).program);
    }
}
