//! Random programs: the facts keep and save enough for every derivative.

use std::collections::BTreeSet;

use backsweep_analyses::choices::Choices;
use backsweep_analyses::generate::{ARRAYS, CELLS, COUNT, Generated, INDEX, INDICES, X, generate};
use backsweep_analyses::machine::{Memory, Value, run};
use backsweep_analyses::needs::find_needs;
use backsweep_analyses::sweep::Sweep;
use backsweep_core::analyses::adjoint::study::{Reruns, Setting, Study};
use backsweep_core::analyses::pointers::Base;
use backsweep_core::analyses::summarise::Bodies;
use backsweep_core::model::{ValueId, verify};
use backsweep_core::rules::Rules;
use proptest::prelude::*;

/// What is active and what is looked at.
fn setting(choices: &mut Choices) -> Setting {
    let mut setting = Setting::default();
    if choices.chance(70) {
        setting.inputs.values.insert(ValueId(X as u32));
    }
    for at in ARRAYS {
        let base = Base::Param(ValueId(at as u32));
        if choices.chance(50) {
            setting.inputs.memory.insert(base.clone());
        }
        if choices.chance(40) {
            setting.outputs.memory.insert(base.clone());
        }
        if choices.chance(20) {
            setting.kept.memory.insert(base);
        }
    }
    setting.outputs.result = choices.chance(70);
    setting.kept.result = choices.chance(20);
    setting
}

/// Arrays for a run: those that something else may lead to lie in one block, at some distance.
fn arguments(generated: &Generated, setting: &Setting, choices: &mut Choices) -> (Vec<Value>, Memory) {
    let mut memory = Memory::default();
    let mut arguments = vec![Value::Spoiled; COUNT + 1];
    arguments[X] = Value::Real { value: 0.7, varied: setting.inputs.values.contains(&ValueId(X as u32)) };
    let mut shared = None;
    for (number, at) in ARRAYS.into_iter().enumerate() {
        let active = setting.inputs.memory.contains(&Base::Param(ValueId(at as u32)));
        let (object, offset) = match shared.filter(|_| !generated.alone[number] && choices.chance(50)) {
            Some(object) => (object, 8 * choices.below(INDEX + 1) as i64),
            None => {
                let content = |index: usize| Value::real(0.3 + 0.1 * (index + 3 * number) as f64);
                memory.0.push((0..CELLS).map(content).collect());
                (memory.0.len() - 1, 0)
            }
        };
        if !generated.alone[number] {
            shared = Some(object);
        }
        if active {
            for cell in &mut memory.0[object] {
                if let Value::Real { varied, .. } = cell {
                    *varied = true;
                }
            }
        }
        arguments[at] = Value::Pointer { object, offset };
    }
    memory.0.push((0..CELLS).map(|index| Value::Int((3 * index % INDEX) as i64)).collect());
    arguments[INDICES] = Value::Pointer { object: memory.0.len() - 1, offset: 0 };
    arguments[COUNT] = Value::Int(choices.below(INDEX + 1) as i64);
    (arguments, memory)
}

fn check(list: Vec<u16>) -> Result<(), String> {
    let mut choices = Choices::new(list);
    let reruns = if choices.chance(80) { Reruns::WherePossible } else { Reruns::Never };
    let setting = setting(&mut choices);
    let mut at_run = choices.clone();
    let generated = generate(&mut choices);
    let violations = verify(&generated.program);
    if let Some(violation) = violations.first() {
        return Err(format!("malformed: {violation}"));
    }
    let (values, mut memory) = arguments(&generated, &setting, &mut at_run);
    let program = &generated.program;
    let function = program.function("f").expect("it was generated");
    let before = memory.clone();
    let Ok(trace) = run(program, function, values.clone(), &mut memory) else { return Ok(()) };
    let mut useful = BTreeSet::new();
    for base in &setting.outputs.memory {
        let Base::Param(id) = base else { continue };
        if let Value::Pointer { object, .. } = values[id.0 as usize] {
            useful.extend((0..CELLS).map(|index| (object, index)));
        }
    }
    let (needs, _) = find_needs(&trace, setting.outputs.result, &mut useful);
    let rules = Rules::new();
    let bodies = Bodies::of(program, &rules, "f");
    let study = Study::of(&bodies, reruns);
    let checked = study.facts("f", &setting, &BTreeSet::new(), &mut |facts| {
        let sweep = Sweep { study: &study, facts, setting: &setting, trace: &trace, needs: &needs };
        sweep.check(&values, &mut before.clone())
    });
    checked.expect("f has a body").map_err(|fault| format!("{fault}\n{setting:?}\n{values:?}\n{program}"))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_are_enough(list in prop::collection::vec(0u16..1000, 10..260)) {
        check(list).map_err(TestCaseError::fail)?;
    }
}
