//! Random control flow: planner and checker agree on every graph, and so do `derive` and the checker.
//!
//! Each block computes one product; each join has a phi of its predecessors' products.

mod checker;

use backsweep_core::check::{Fault, check_derived};
use backsweep_core::config::Switch;
use backsweep_core::derive::derive;
use backsweep_core::request::Mode;
use checker::Case;

/// A sequence of numbers that looks random and is the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// Which way edges may go.
#[derive(Clone, Copy, PartialEq)]
enum Edges {
    Forward,
    Any,
}

/// A graph of up to ten blocks with one to three edges from each, which may lead to one block, as a program.
fn write_program(dice: &mut Dice, edges: Edges) -> String {
    let count = 2 + dice.below(9);
    let mut successors = vec![Vec::new(); count];
    for (block, targets) in successors.iter_mut().enumerate().take(count - 1) {
        if block > 0 && dice.below(8) == 0 {
            continue;
        }
        let lowest = if edges == Edges::Forward { block + 1 } else { 1 };
        for _ in 0..1 + dice.below(3) {
            let target = lowest + dice.below(count - lowest);
            targets.push(target);
        }
    }
    let blocks: String = (0..count).map(|block| write_block(block, &successors)).collect();
    format!("function @f(%x: double, %y: double, %n: i32) -> double {{\n{blocks}}}")
}

fn write_block(block: usize, successors: &[Vec<usize>]) -> String {
    let ways = successors.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to)));
    let edges: Vec<String> =
        ways.filter(|(_, to)| *to == block).map(|(from, _)| format!("^b{from}: %v{from}")).collect();
    let (phi, factor) = match edges.as_slice() {
        [] => (String::new(), "%y".into()),
        _ => (format!("  %p{block}: double = phi {}\n", edges.join(", ")), format!("%p{block}")),
    };
    let condition = format!("  %c{block}: i1 = icmp slt %n, i32 {block}\n");
    let end = match successors[block].as_slice() {
        [] => format!("ret %v{block}"),
        [only] => format!("br ^b{only}"),
        [yes, no] => format!("br %c{block}, ^b{yes}, ^b{no}"),
        [first, second, rest, ..] => {
            format!("switch %n cases(i32 0: ^b{first}, i32 1: ^b{second}) default ^b{rest}")
        }
    };
    format!("^b{block}:\n{phi}  %v{block}: double = fmul %x, {factor}\n{condition}  {end}\n")
}

fn show(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::to_string).collect()
}

#[test]
fn graphs_without_loops() {
    let mut dice = Dice(1);
    for _ in 0..600 {
        let text = write_program(&mut dice, Edges::Forward);
        let case = Case::new(&text);
        for mode in [Mode::Gradient, Mode::Augmented, Mode::Reverse, Mode::Tangent] {
            let plan = case.plan(&case.request(mode));
            let faults = case.faults(&plan);
            assert!(faults.is_empty(), "{text}\n{plan}\n{:#?}", show(&faults));
            let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
            let faults = check_derived(&plan, &case.function, &case.program, &case.rules, &derived);
            assert!(faults.is_empty(), "{text}\n{plan}\n{:#?}", show(&faults));
        }
    }
}

/// With loops, reducible or not, counted or recorded.
#[test]
fn graphs_with_loops() {
    let mut dice = Dice(2);
    for reevaluate in [Switch::Off, Switch::On].into_iter().cycle().take(800) {
        let text = write_program(&mut dice, Edges::Any);
        let case = Case::new(&text);
        let plan = case.plan_with(reevaluate);
        let faults = case.faults(&plan);
        assert!(faults.is_empty(), "{text}\n{plan}\n{:#?}", show(&faults));
        let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
        let faults = check_derived(&plan, &case.function, &case.program, &case.rules, &derived);
        assert!(faults.is_empty(), "{text}\n{plan}\n{:#?}", show(&faults));
    }
}
