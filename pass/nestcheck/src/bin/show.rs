//! Shows what the dependence test makes of one random nest, or of the functions of a model in a file:
//! `cargo run --release -p backsweep-nestcheck --bin show -- SEED|FILE`.

use std::process::ExitCode;

use backsweep_core::dependence::access::{Accesses, collect_accesses};
use backsweep_core::dependence::atoms::{AtomId, Key, Poly};
use backsweep_core::dependence::describe_dependence;
use backsweep_core::dependence::nesting::Nesting;
use backsweep_core::dependence::pair::build_question;
use backsweep_core::dependence::refine::build_system;
use backsweep_core::model::{Function, Program, parse_program};
use backsweep_nestcheck::nest::Nest;
use backsweep_nestcheck::run::run;
use backsweep_nestcheck::write::write_program;

fn main() -> ExitCode {
    let what = std::env::args().nth(1).unwrap_or_default();
    let program = match what.parse::<u64>() {
        Ok(seed) => {
            let nest = Nest::random(seed);
            println!("{nest:?}");
            let Some(trace) = run(&nest) else {
                println!("it does not run as described");
                return ExitCode::SUCCESS;
            };
            write_program(&nest, &trace).0
        }
        Err(_) => match std::fs::read_to_string(&what).map(|text| parse_program(&text)) {
            Ok(Ok(program)) => program,
            problem => {
                eprintln!("show: {what}: {problem:?}");
                return ExitCode::FAILURE;
            }
        },
    };
    println!("{program}\n{}", describe_dependence(&program));
    program.functions.iter().for_each(|function| show_function(&program, function));
    ExitCode::SUCCESS
}

fn show_function(program: &Program, function: &Function) {
    let nesting = Nesting::of(program, function);
    let accesses = collect_accesses(&nesting);
    println!("@{}", function.name);
    for (at, atom) in accesses.atoms.list.iter().enumerate() {
        println!("  x{at} = {} varies {:?} {:?}", name(&atom.key), atom.varies, atom.range);
        atom.facts.iter().for_each(|fact| println!("    {} >= 0", describe(fact)));
    }
    for access in &accesses.list {
        let address = access.address.as_ref().map(|address| (describe(&address.form), address.drift));
        println!("  access {}: {address:?}", access.inst.0);
        let scope = accesses.scope(access.block);
        scope.facts.iter().for_each(|fact| println!("    {} >= 0", describe(fact)));
        let mut ranges: Vec<_> = scope.ranges.iter().collect();
        ranges.sort_by_key(|(id, _)| **id);
        ranges.into_iter().for_each(|(id, range)| println!("    x{} in {:?}", id.0, (range.low, range.high)));
    }
    show_questions(&nesting, &accesses);
}

fn show_questions(nesting: &Nesting, accesses: &Accesses) {
    for (at, a) in accesses.list.iter().enumerate() {
        for b in &accesses.list[at..] {
            let Some(question) = build_question(nesting, accesses, a, b, None) else { continue };
            let problem = &question.problem;
            println!("{} -> {}: {:?} ties {:?}", a.inst.0, b.inst.0, problem.roles, problem.ties);
            let Some(system) = build_system(problem) else { continue };
            system.equal.iter().for_each(|row| println!("  {row:?} = 0"));
            system.positive.iter().for_each(|row| println!("  {row:?} >= 0"));
        }
    }
}

fn name(key: &Key) -> String {
    match key {
        Key::Counter(of) => format!("counter of loop {}", of.0),
        Key::Value(operand) => format!("{operand:?}"),
        Key::Wrap(scev, reading) => format!("wrap of {scev:?} as {reading:?}"),
        Key::Opaque(scev) => format!("{scev:?}"),
    }
}

fn describe(poly: &Poly) -> String {
    let product = |ids: &Vec<AtomId>| ids.iter().map(|id| format!("·x{}", id.0)).collect::<String>();
    let parts: Vec<String> = poly.0.iter().map(|(ids, factor)| format!("{factor}{}", product(ids))).collect();
    parts.join(" + ")
}
