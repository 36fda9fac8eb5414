//! Every sequence of eliminations gives the Jacobian of the dense chain rule, in exact arithmetic.

mod exact;

use backsweep_core::elimination::{Elimination, Sequence, Technique};
use backsweep_core::preaccumulation::algebra::Algebra;
use backsweep_core::preaccumulation::eliminate::{ByEdges, ByFaces, ByVertices, Reduction, Target};
use backsweep_core::preaccumulation::portfolio::{find_recipe, follow, follow_steps};
use backsweep_core::preaccumulation::terms::Label;
use exact::{Case, Exact, Jacobian, Random, entries, number};

const GRAPHS: u64 = 10_000;

/// Graphs with at most so many sequences are taken through all of them.
const ALL_SEQUENCES: usize = 24;

const TECHNIQUES: [Technique; 3] = [Technique::Vertices, Technique::Edges, Technique::Faces];

fn random_case(random: &mut Random) -> Case {
    let (inputs, between, outputs) = (1 + random.below(3), random.below(7), 1 + random.below(3));
    let density = 20 + random.below(50);
    Case::random(random, inputs, between, outputs, density)
}

/// Eliminates to the end, choosing among the targets as told.
fn finish<R, A>(mut system: R, algebra: &mut A, mut choose: impl FnMut(usize) -> usize) -> R
where
    R: Reduction,
    A: Algebra<Label = R::Label>,
{
    loop {
        let targets = system.targets();
        if targets.is_empty() {
            return system;
        }
        let target = targets[choose(targets.len())];
        system.eliminate(algebra, target);
    }
}

/// Calls `see` at the end of every sequence; gives up, saying so, when there are more than so many.
fn all_ends<R: Reduction<Label = num_rational::BigRational>>(
    system: &R,
    left: &mut usize,
    see: &mut dyn FnMut(&R),
) -> bool {
    let targets: Vec<Target> = system.targets();
    if targets.is_empty() {
        see(system);
        *left = left.saturating_sub(1);
        return *left > 0;
    }
    targets.into_iter().all(|target| {
        let mut next = system.clone();
        next.eliminate(&mut Exact, target);
        all_ends(&next, left, see)
    })
}

fn check_technique<R: Reduction<Label = num_rational::BigRational>>(
    start: &R,
    case: &Case,
    expected: &Jacobian,
    random: &mut Random,
) -> bool {
    let check = |system: &R| {
        assert_eq!(entries(case, &system.remainder(&mut Exact)), *expected, "{case:#?}");
    };
    let complete = all_ends(start, &mut ALL_SEQUENCES.clone(), &mut |system| check(system));
    for _ in 0..3 {
        check(&finish(start.clone(), &mut Exact, |count| random.below(count)));
    }
    complete
}

#[test]
fn every_sequence_gives_the_jacobian() {
    let random = &mut Random(1);
    let mut complete = [0; 3];
    for _ in 0..GRAPHS {
        let case = random_case(random);
        let (graph, expected) = (case.exact(), case.dense_chain_rule());
        let by_vertices = ByVertices::new(graph.clone(), number(1, 1));
        complete[0] += usize::from(check_technique(&by_vertices, &case, &expected, random));
        let by_edges = ByEdges::new(graph.clone());
        complete[1] += usize::from(check_technique(&by_edges, &case, &expected, random));
        complete[2] += usize::from(check_technique(&ByFaces::new(graph), &case, &expected, random));
    }
    println!("graphs taken through all sequences, by vertices, edges and faces: {complete:?}");
    assert!(complete.iter().all(|count| *count > 1000), "enough graphs are small: {complete:?}");
}

#[test]
fn every_heuristic_writes_a_program_of_the_jacobian() {
    let random = &mut Random(2);
    let names = ["LM,R", "LM,F", "LRM,R", "R", "F", "HS,LM,R", "HS,F", "MOMR,LM,R", "HS,LRM", "MOMR"];
    let sequences = names.map(|text| text.parse().expect("a sequence"));
    for round in 0..GRAPHS as usize {
        let case = random_case(random);
        let expected = case.dense_chain_rule();
        let sequence: &Sequence = &sequences[round % sequences.len()];
        let by = |technique| Elimination { technique, sequence: sequence.clone() };
        let mut recipes: Vec<_> =
            TECHNIQUES.iter().map(|technique| follow(&case.kinds(), &by(*technique))).collect();
        if round % 10 == 0 {
            recipes.push(find_recipe(&case.kinds(), None));
        }
        for recipe in recipes {
            let (graph, mut terms) = case.terms();
            let left = follow_steps(&graph, &mut terms, recipe.technique, &recipe.steps, Label::ONE);
            assert_eq!(entries(&case, &case.values(&left, &terms)), expected, "{} on {case:#?}", recipe.by);
            // What was counted beforehand is what the program does; sharing can only save.
            let cost = terms.cost(left.edges().iter().filter_map(|(.., label)| label.term()));
            assert!(cost.products() <= recipe.tally.cost.products(), "{} on {case:#?}", recipe.by);
        }
    }
}
