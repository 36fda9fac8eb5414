//! How far the heuristics are from the optimum, and that the search finds the optimum.

mod exact;

use std::time::Instant;

use backsweep_core::preaccumulation::eliminate::{ByEdges, ByFaces, ByVertices, Reduction};
use backsweep_core::preaccumulation::graph::Graph;
use backsweep_core::preaccumulation::optimal::find_optimum;
use backsweep_core::preaccumulation::portfolio::{find_recipe, try_heuristics};
use backsweep_core::preaccumulation::tally::{Kind, Tally};
use exact::{Case, Random};

fn random_graph(random: &mut Random, between: usize) -> Graph<Kind> {
    let (inputs, outputs, density) = (1 + random.below(4), 1 + random.below(4), 25 + random.below(45));
    Case::random(random, inputs, between, outputs, density).kinds()
}

/// The fewest products over all sequences, by looking at every one of them.
fn try_all<R: Reduction<Label = Kind>>(state: &R, spent: Tally) -> u64 {
    let targets = state.targets();
    let through = targets.into_iter().map(|target| {
        let (mut next, mut tally) = (state.clone(), spent);
        next.eliminate(&mut tally, target);
        try_all(&next, tally)
    });
    through.min().unwrap_or(spent.cost.products())
}

fn products(tally: &Tally) -> u64 {
    tally.cost.products()
}

#[test]
fn the_search_finds_what_trying_everything_finds() {
    let random = &mut Random(3);
    for round in 0..300 {
        let graph = random_graph(random, 1 + round % 5);
        let by_vertices = ByVertices::new(graph.clone(), Kind::Unit);
        let found = find_optimum(by_vertices.clone(), None, usize::MAX).best.expect("there is a way");
        assert_eq!(products(&found.1), try_all(&by_vertices, Tally::default()), "{graph:?}");
        if graph.edge_count() <= 8 {
            let by_edges = ByEdges::new(graph.clone());
            let found = find_optimum(by_edges.clone(), None, usize::MAX).best.expect("there is a way");
            assert_eq!(products(&found.1), try_all(&by_edges, Tally::default()), "{graph:?}");
            let by_faces = ByFaces::new(graph.clone());
            let found = find_optimum(by_faces.clone(), None, usize::MAX).best.expect("there is a way");
            assert_eq!(products(&found.1), try_all(&by_faces, Tally::default()), "{graph:?}");
        }
    }
}

/// Graphs with so many edges are searched by edges and faces too, expanding so many states.
const SEARCHED_EDGES: usize = 20;
const EXPANSIONS: usize = 600;

/// Sums over graphs; the worst graph by itself.
#[derive(Default, Debug)]
struct Score {
    heuristics: u64,
    recipe: u64,
    best: u64,
    /// Graphs where edges or faces do better than the recipe, and those where it is proved that neither does.
    beaten: usize,
    proved: usize,
    worst: f64,
    seconds: f64,
}

#[test]
fn heuristics_are_near_the_optimum() {
    for (between, count) in [(3, 100), (4, 100), (5, 60), (6, 40), (8, 40), (10, 20)] {
        let random = &mut Random(between as u64);
        let mut score = Score::default();
        for _ in 0..count {
            let graph = random_graph(random, between);
            let heuristics = try_heuristics(&graph).tally;
            let start = Instant::now();
            let recipe = find_recipe(&graph, None).tally;
            score.seconds += start.elapsed().as_secs_f64();
            let mut best = products(&recipe);
            if graph.edge_count() <= SEARCHED_EDGES {
                let edges = find_optimum(ByEdges::new(graph.clone()), Some(recipe), EXPANSIONS);
                let faces = find_optimum(ByFaces::new(graph.clone()), Some(recipe), EXPANSIONS);
                for (_, tally) in [&edges.best, &faces.best].into_iter().flatten() {
                    best = best.min(products(tally));
                }
                score.beaten += usize::from(best < products(&recipe));
                score.proved += usize::from(edges.proved && faces.proved);
            }
            score.heuristics += products(&heuristics);
            score.recipe += products(&recipe);
            score.best += best;
            score.worst = score.worst.max(products(&heuristics) as f64 / best.max(1) as f64);
        }
        println!("{count} graphs of {between} intermediate vertices: {score:?}");
        assert!(score.heuristics as f64 <= 1.05 * score.best as f64, "{score:?}");
        assert!(score.recipe as f64 <= 1.01 * score.best as f64, "{score:?}");
    }
}
