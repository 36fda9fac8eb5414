//! Which target next? Heuristics are filters: each keeps the targets it likes best, and passes them on to the next.

use super::algebra::Algebra;
use super::eliminate::{Around, Reduction, Target};
use super::reach::Reach;
use crate::elimination::{Filter, Sequence};

/// Eliminates until nothing is left to eliminate. Returns the steps taken.
pub fn run<R, A>(system: &mut R, algebra: &mut A, sequence: &Sequence, reach: &Reach) -> Vec<Target>
where
    R: Reduction,
    A: Algebra<Label = R::Label>,
{
    let mut steps: Vec<Target> = Vec::new();
    let mut last = None;
    while let Some(target) = choose(system, sequence, last.as_ref(), reach) {
        last = Some(system.around(target));
        system.eliminate(algebra, target);
        steps.push(target);
    }
    steps
}

/// The target that a sequence settles on; where it leaves several, the last in topological order.
pub fn choose<R: Reduction>(
    system: &R,
    sequence: &Sequence,
    last: Option<&Around>,
    reach: &Reach,
) -> Option<Target> {
    let mut targets = system.targets();
    for filter in sequence.filters().iter().chain([&Filter::Reverse]) {
        if targets.len() <= 1 {
            break;
        }
        targets = filter.keep(system, targets, last, reach);
    }
    targets.last().copied()
}

impl Filter {
    fn keep<R: Reduction>(
        self,
        system: &R,
        targets: Vec<Target>,
        last: Option<&Around>,
        reach: &Reach,
    ) -> Vec<Target> {
        match self {
            Filter::LowestMarkowitz => keep_lowest(targets, |target| system.degree(*target)),
            Filter::LowestRelativeMarkowitz => keep_lowest(targets, |target| {
                system.degree(*target) as i64 - reach.least_products(*target, system.pivot(*target)) as i64
            }),
            Filter::Reverse => keep_lowest(targets, |target| std::cmp::Reverse(rank(system, *target))),
            Filter::Forward => keep_lowest(targets, |target| rank(system, *target)),
            Filter::HighestSiblingDegree => {
                let Some(last) = last else { return targets };
                keep_lowest(targets, |target| {
                    std::cmp::Reverse(sibling_degree(&system.around(*target), last))
                })
            }
            Filter::MostReduction => keep_lowest(targets, |target| degree_after(system, *target)),
        }
    }
}

/// Where a target stands in topological order: by the vertex its paths lead over, then by the other end.
fn rank<R: Reduction>(system: &R, target: Target) -> (super::graph::Vertex, Target) {
    (system.pivot(target), target)
}

/// Paths that a step has in common with the step before.
fn sibling_degree(around: &Around, last: &Around) -> usize {
    let common_after = around.after.intersection(&last.after).count();
    common_after * around.before.intersection(&last.before).count()
}

fn degree_after<R: Reduction>(system: &R, target: Target) -> usize {
    let mut tried = system.clone();
    tried.eliminate(&mut Structure(std::marker::PhantomData), target);
    tried.overall_degree()
}

/// Labels that are only carried along: what is asked is the shape.
struct Structure<L>(std::marker::PhantomData<L>);

impl<L: Clone> Algebra for Structure<L> {
    type Label = L;

    fn product(&mut self, outer: &L, _: &L) -> L {
        outer.clone()
    }

    fn sum(&mut self, x: &L, _: &L) -> L {
        x.clone()
    }
}

fn keep_lowest<K: Ord>(targets: Vec<Target>, key: impl Fn(&Target) -> K) -> Vec<Target> {
    let keyed: Vec<(K, Target)> = targets.into_iter().map(|target| (key(&target), target)).collect();
    let Some(lowest) = keyed.iter().map(|(key, _)| key).min() else { return Vec::new() };
    keyed.iter().filter(|(key, _)| key == lowest).map(|(_, target)| *target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preaccumulation::eliminate::{ByEdges, ByVertices};
    use crate::preaccumulation::graph::{Graph, Role, Vertex};
    use crate::preaccumulation::tally::{Kind, Tally};

    /// Vertices 0 to 2 are inputs, 8 and 9 outputs.
    fn graph(edges: &[(usize, usize)]) -> Graph<Kind> {
        let mut graph = Graph::default();
        for at in 0..10 {
            graph.add(match at {
                0..3 => Role::Input,
                8.. => Role::Output,
                _ => Role::Between,
            });
        }
        for (from, to) in edges {
            let (from, to) = (Vertex::new(*from), Vertex::new(*to));
            graph.connect(&mut Tally::default(), from, to, Kind::Variable);
        }
        graph
    }

    /// 3 joins two inputs and feeds one output; 4 has three vertices below, all on the way to the same output, and one
    /// input above; 5 to 7 hand on what 4 gives.
    fn example() -> Graph<Kind> {
        graph(&[(0, 3), (1, 3), (3, 9), (2, 4), (4, 5), (4, 6), (4, 7), (5, 8), (6, 8), (7, 8)])
    }

    fn first(graph: Graph<Kind>, sequence: &str) -> Option<Target> {
        let reach = Reach::of(&graph);
        let sequence: Sequence = sequence.parse().expect("a sequence");
        choose(&ByVertices::new(graph, Kind::Unit), &sequence, None, &reach)
    }

    fn vertex(at: usize) -> Option<Target> {
        Some(Target::Vertex(Vertex::new(at)))
    }

    #[test]
    fn each_filter_likes_another_vertex() {
        assert_eq!(first(example(), "F"), vertex(3));
        assert_eq!(first(example(), "R"), vertex(7));
        // 5, 6 and 7 have one edge in and one out; 3 makes two products, 4 three.
        assert_eq!(first(example(), "LM,F"), vertex(5));
        // 3 makes no more than it must, as 5 to 7; 4 makes two more than the one that its input and output need.
        assert_eq!(first(example(), "LRM,F"), vertex(3));
        // Without 3 two products are gone and none arises; without 4 three are, without 5 one.
        assert_eq!(first(example(), "MOMR,F"), vertex(4));
    }

    #[test]
    fn what_a_sequence_leaves_open_is_decided_in_reverse() {
        assert_eq!(first(example(), "LM"), vertex(7));
    }

    #[test]
    fn siblings_are_paths_in_common() {
        let graph = example();
        let reach = Reach::of(&graph);
        let sequence: Sequence = "HS,F".parse().expect("a sequence");
        let system = ByEdges::new(graph);
        let (two, five, eight) = (Vertex::new(2), Vertex::new(5), Vertex::new(8));
        let last = Around { before: [Vertex::new(4)].into(), after: [eight].into() };
        assert_eq!(
            choose(&system, &sequence, Some(&last), &reach),
            Some(Target::Front(Vertex::new(4), five))
        );
        // Nothing has a path in common with this one, so that all are left.
        let last = Around { before: [two].into(), after: [Vertex::new(9)].into() };
        assert_eq!(
            choose(&system, &sequence, Some(&last), &reach),
            Some(Target::Front(Vertex::new(0), Vertex::new(3)))
        );
    }
}
