//! Shows one nest: `cargo run --release -p backsweep-nestcheck --bin show -- SEED`.

use backsweep_core::dependence::access::collect_accesses;
use backsweep_core::dependence::nesting::Nesting;
use backsweep_core::dependence::pair::build_question;
use backsweep_core::dependence::refine::build_system;
use backsweep_nestcheck::nest::Nest;
use backsweep_nestcheck::run::run;
use backsweep_nestcheck::write::write_program;

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let nest = Nest::random(seed);
    println!("{nest:?}");
    let Some(trace) = run(&nest) else { return println!("it does not run as described") };
    let (program, _) = write_program(&nest, &trace);
    println!("{program}\n{}", backsweep_core::dependence::describe_dependence(&program));
    let nesting = Nesting::of(&program.functions[0]);
    let accesses = collect_accesses(&nesting);
    for (at, a) in accesses.list.iter().enumerate() {
        for b in &accesses.list[at..] {
            let Some(question) = build_question(&nesting, &accesses, a, b, None) else { continue };
            println!(
                "{} -> {}: {:?} ties {:?}",
                a.inst.0, b.inst.0, question.problem.roles, question.problem.ties
            );
            let Some(system) = build_system(&question.problem) else { continue };
            system.equal.iter().for_each(|row| println!("  {row:?} = 0"));
            system.positive.iter().for_each(|row| println!("  {row:?} >= 0"));
        }
    }
}
