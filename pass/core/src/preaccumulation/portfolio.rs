//! Several heuristics tried, the cheapest taken; small graphs are searched through.
//!
//! Graph → [`Recipe`]: the steps, and who found them. Trying is counting only, the steps are written out once.

use super::algebra::Algebra;
use super::eliminate::{ByEdges, ByFaces, ByVertices, Reduction, Target};
use super::graph::{Graph, Role};
use super::heuristic::run;
use super::optimal::find_optimum;
use super::reach::Reach;
use super::tally::{Kind, Tally};
use crate::elimination::{Elimination, Technique};

/// A complete elimination of a graph.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub technique: Technique,
    pub steps: Vec<Target>,
    pub tally: Tally,
    /// How the steps were found.
    pub by: String,
}

/// The heuristics that are tried, the ones that take little time first. Each has graphs on which it beats the others.
const SEQUENCES: [(Technique, &str); 12] = [
    (Technique::Vertices, "F"),
    (Technique::Vertices, "R"),
    (Technique::Vertices, "LM,R"),
    (Technique::Vertices, "LM,F"),
    (Technique::Vertices, "LRM,R"),
    (Technique::Vertices, "LRM,F"),
    (Technique::Vertices, "LRM,MOMR,R"),
    (Technique::Vertices, "LM,MOMR,R"),
    (Technique::Edges, "LM,F"),
    (Technique::Edges, "HS,LM,R"),
    (Technique::Edges, "LM,MOMR,R"),
    (Technique::Faces, "LM,F"),
];

/// Beyond so many intermediate vertices only the first few heuristics are tried, so that time stays in proportion.
const LARGE: usize = 64;
const FOR_LARGE: usize = 6;
const HUGE: usize = 1000;
const FOR_HUGE: usize = 2;

/// Up to this many vertices to eliminate, ends of inner outputs included, all orders are searched.
pub const SEARCHED: usize = 10;

/// More than there are sets of as many vertices, reached by any of them: the search is complete.
const STATES: usize = SEARCHED << SEARCHED;

/// The elimination that is asked for, or the cheapest found: fewest products, then fewest additions. The optimum by vertices
/// where the graph is small.
pub fn find_recipe(graph: &Graph<Kind>, asked: Option<&Elimination>) -> Recipe {
    match asked {
        Some(asked) => follow(graph, asked),
        None => search_beyond(graph, try_heuristics(graph)),
    }
}

/// The same by vertices, unless another way is asked for: after each of its steps, the derivative of each vertex that is left is the
/// sum over its edges. Edges are taken away in front of a vertex that others still use, which then is no derivative of anything.
pub fn find_recipe_by_vertices(graph: &Graph<Kind>, asked: Option<&Elimination>) -> Option<Recipe> {
    match asked {
        Some(asked) => (asked.technique == Technique::Vertices).then(|| follow(graph, asked)),
        None => {
            let tried = try_heuristics_by(graph, &|technique| technique == Technique::Vertices);
            Some(search_beyond(graph, tried))
        }
    }
}

fn search_beyond(graph: &Graph<Kind>, best: Recipe) -> Recipe {
    if ByVertices::new(graph.clone(), Kind::Unit).targets().len() > SEARCHED {
        return best;
    }
    search_recipe(graph, Technique::Vertices, Some(best.tally), STATES).unwrap_or(best)
}

/// The cheapest elimination that a heuristic finds.
pub fn try_heuristics(graph: &Graph<Kind>) -> Recipe {
    try_heuristics_by(graph, &|_| true)
}

fn try_heuristics_by(graph: &Graph<Kind>, by: &dyn Fn(Technique) -> bool) -> Recipe {
    let size = graph.with_role(Role::Between).count();
    let tried = if size <= LARGE {
        SEQUENCES.len()
    } else if size <= HUGE {
        FOR_LARGE
    } else {
        FOR_HUGE
    };
    let known = SEQUENCES[..tried].iter().filter(|(technique, _)| by(*technique));
    let candidates = known.map(|(technique, text)| try_sequence(graph, *technique, text));
    let best = candidates.min_by_key(|recipe| (recipe.tally.cost.products(), recipe.tally.cost.additions));
    best.unwrap_or_else(|| unreachable!("there is a heuristic for every graph"))
}

/// The elimination that one sequence of heuristics gives.
pub fn follow(graph: &Graph<Kind>, elimination: &Elimination) -> Recipe {
    let Elimination { technique, sequence } = elimination;
    let reach = Reach::of(graph);
    let mut tally = Tally::default();
    let steps = match technique {
        Technique::Vertices => {
            run(&mut ByVertices::new(graph.clone(), Kind::Unit), &mut tally, sequence, &reach)
        }
        Technique::Edges => run(&mut ByEdges::new(graph.clone()), &mut tally, sequence, &reach),
        Technique::Faces => run(&mut ByFaces::new(graph.clone()), &mut tally, sequence, &reach),
    };
    Recipe { technique: *technique, steps, tally, by: elimination.to_string() }
}

/// The best elimination by a technique, if it is better than `bound` and found within so many states.
pub fn search_recipe(
    graph: &Graph<Kind>,
    technique: Technique,
    bound: Option<Tally>,
    states: usize,
) -> Option<Recipe> {
    let found = match technique {
        Technique::Vertices => find_optimum(ByVertices::new(graph.clone(), Kind::Unit), bound, states),
        Technique::Edges => find_optimum(ByEdges::new(graph.clone()), bound, states),
        Technique::Faces => find_optimum(ByFaces::new(graph.clone()), bound, states),
    };
    let (steps, tally) = found.best?;
    Some(Recipe { technique, steps, tally, by: format!("search by {technique}") })
}

/// Takes the first steps of a recipe on a graph of the same shape, in any algebra. By faces only all steps together
/// make a graph.
pub fn follow_steps<A: Algebra>(
    graph: &Graph<A::Label>,
    algebra: &mut A,
    technique: Technique,
    steps: &[Target],
    unit: A::Label,
) -> Graph<A::Label> {
    fn follow<R: Reduction, A: Algebra<Label = R::Label>>(
        mut system: R,
        algebra: &mut A,
        steps: &[Target],
    ) -> Graph<R::Label> {
        steps.iter().for_each(|step| system.eliminate(algebra, *step));
        system.remainder(algebra)
    }
    match technique {
        Technique::Vertices => follow(ByVertices::new(graph.clone(), unit), algebra, steps),
        Technique::Edges => follow(ByEdges::new(graph.clone()), algebra, steps),
        Technique::Faces => follow(ByFaces::new(graph.clone()), algebra, steps),
    }
}

fn try_sequence(graph: &Graph<Kind>, technique: Technique, text: &str) -> Recipe {
    let sequence = text.parse().unwrap_or_else(|problem| unreachable!("our own sequence: {problem}"));
    follow(graph, &Elimination { technique, sequence })
}
