//! Whatever model is printed reads back as the same model.

mod generate;

use std::collections::BTreeSet;

use backsweep_core::model::{parse_program, verify};
use generate::Counts;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_gives_the_same_model(program in generate::program()) {
        let text = program.to_string();
        let again = parse_program(&text);
        prop_assert_eq!(again.as_ref(), Ok(&program), "{}", text);
    }

    /// A function printed by itself says all sizes, and so needs no layout to be read.
    #[test]
    fn functions_print_by_themselves(program in generate::program()) {
        for function in &program.functions {
            let text = function.to_string();
            let again = parse_program(&text).map(|program| program.functions);
            prop_assert_eq!(again.as_deref(), Ok(std::slice::from_ref(function)), "{}", text);
        }
    }

    /// Most of these models are wrong. The verifier says so, and lives.
    #[test]
    fn the_verifier_does_not_panic(program in generate::program()) {
        let _ = verify(&program);
    }
}

#[test]
fn every_operation_is_generated() {
    let mut runner = TestRunner::deterministic();
    let strategy = generate::op_and_operands(Counts { params: 1, insts: 1, blocks: 1 });
    let mut seen = BTreeSet::new();
    for _ in 0..4000 {
        let (op, _) = strategy.new_tree(&mut runner).unwrap().current();
        seen.insert(generate::variant(&op));
    }
    assert!(seen.iter().copied().eq(0..35), "generated only {seen:?}");
}
