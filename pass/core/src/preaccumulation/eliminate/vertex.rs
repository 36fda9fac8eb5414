//! Vertex elimination: all paths over an intermediate vertex at once.
//!
//! The graph must be separated: an output that others depend on would lose its own paths.

use super::{Around, Reduction, Target, sum_of_degrees};
use crate::preaccumulation::algebra::Algebra;
use crate::preaccumulation::graph::{Graph, Role, Vertex};

#[derive(Clone, Debug)]
pub struct ByVertices<L> {
    graph: Graph<L>,
}

impl<L: Clone> ByVertices<L> {
    pub fn new(mut graph: Graph<L>, unit: L) -> ByVertices<L> {
        graph.separate(unit);
        graph.prune();
        ByVertices { graph }
    }
}

impl<L: Clone> Reduction for ByVertices<L> {
    type Label = L;

    fn targets(&self) -> Vec<Target> {
        self.graph.with_role(Role::Between).map(Target::Vertex).collect()
    }

    fn eliminate<A: Algebra<Label = L>>(&mut self, algebra: &mut A, target: Target) {
        let vertex = self.pivot(target);
        let Around { before, after } = self.around(target);
        for from in &before {
            for to in &after {
                self.graph.bridge(algebra, *from, vertex, *to);
            }
        }
        self.graph.remove(vertex);
    }

    fn around(&self, target: Target) -> Around {
        let vertex = self.pivot(target);
        Around { before: self.graph.predecessors(vertex), after: self.graph.successors(vertex) }
    }

    fn pivot(&self, target: Target) -> Vertex {
        let Target::Vertex(vertex) = target else { unreachable!("vertices are eliminated here") };
        vertex
    }

    fn degree(&self, target: Target) -> usize {
        let vertex = self.pivot(target);
        self.graph.in_degree(vertex) * self.graph.out_degree(vertex)
    }

    fn overall_degree(&self) -> usize {
        sum_of_degrees(&self.graph)
    }

    fn remainder<A: Algebra<Label = L>>(&self, _: &mut A) -> Graph<L> {
        self.graph.clone()
    }
}
