//! The shrinker finds the operation at fault, whatever is around it.

use backsweep_core::model::{FloatOp, Op, Program, verify};
use backsweep_oracle::generate::{Options, Stage, generate};
use backsweep_oracle::{jacobian, shrink};

/// The program with every quotient changed into a product: a planted fault.
fn with_fault(program: &Program) -> Program {
    let mut wrong = program.clone();
    for inst in wrong.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if inst.op == Op::Float(FloatOp::Div) {
            inst.op = Op::Float(FloatOp::Mul);
        }
    }
    wrong
}

#[test]
fn a_planted_fault_is_cut_out() {
    let mut sizes = Vec::new();
    for stage in [Stage::Scalars, Stage::Memory] {
        for seed in 0..50 {
            let sample = generate(seed, &Options { stage, ..Options::default() });
            let differs = |program: &Program| {
                let right = jacobian(program, "f", &sample.arguments);
                let wrong = jacobian(&with_fault(program), "f", &sample.arguments);
                matches!((right, wrong), (Ok(right), Ok(wrong)) if right.rows != wrong.rows)
            };
            if !differs(&sample.program) {
                continue;
            }
            let small = shrink(&sample.program, &differs);
            assert!(differs(&small), "seed {seed}");
            let left: usize = small.functions.iter().map(|function| function.insts.len()).sum();
            // A value that a loop carries to a store needs the loop, the rest does not.
            assert!(left <= 16, "seed {seed}: {left} instructions are left\n{small}");
            assert!(small.functions.iter().flat_map(|f| &f.insts).any(|i| i.op == Op::Float(FloatOp::Div)));
            sizes.push(left);
        }
    }
    assert!(sizes.len() > 15, "only {} programs had the fault in their result", sizes.len());
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 5, "instructions that are left: {sizes:?}");
}

/// Each program that the shrinker tries is well-formed: it runs, or traps for what it computes.
#[test]
fn what_is_tried_is_well_formed() {
    for seed in 0..40 {
        let sample = generate(seed, &Options { stage: Stage::Memory, ..Options::default() });
        let watch = |program: &Program| {
            let violations = verify(program);
            assert!(violations.is_empty(), "seed {seed}: {violations:#?}\n{program}");
            match jacobian(program, "f", &sample.arguments) {
                Ok(found) => found.rows.iter().flatten().any(|x| *x != 0.0 && *x != 1.0),
                Err(trap) => {
                    let text = trap.to_string();
                    assert!(!text.contains("malformed"), "seed {seed}: {text}");
                    false
                }
            }
        };
        shrink(&sample.program, &watch);
    }
}
