//! The chain rule as steps that make the graph smaller: eliminate a vertex, an edge, or a face.
//!
//! Graph → the same inputs and outputs with the Jacobian's entries on the edges between them, by any sequence of
//! targets. Which sequence is cheap is a matter of [`heuristic`](super::heuristic) and [`optimal`](super::optimal).

mod edge;
mod face;
mod vertex;

use std::collections::BTreeSet;

pub use edge::ByEdges;
pub use face::{ByFaces, Line};
pub use vertex::ByVertices;

use super::algebra::Algebra;
use super::graph::{Graph, Vertex};

/// What is eliminated in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Every path over the vertex becomes an edge.
    Vertex(Vertex),
    /// The edge is drawn forward, over its target to all successors of that.
    Front(Vertex, Vertex),
    /// The edge is drawn back, over its source to all predecessors of that.
    Back(Vertex, Vertex),
    /// Two edges that meet become one.
    Face(Line, Line),
}

/// The vertices that a step connects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    pub before: BTreeSet<Vertex>,
    pub after: BTreeSet<Vertex>,
}

/// A graph, and a way to make it smaller.
pub trait Reduction: Clone {
    type Label: Clone;

    /// What can be eliminated now, in a fixed order; nothing once the graph is bipartite.
    fn targets(&self) -> Vec<Target>;

    fn eliminate<A: Algebra<Label = Self::Label>>(&mut self, algebra: &mut A, target: Target);

    fn around(&self, target: Target) -> Around;

    /// The vertex that the paths which a step shortens lead over.
    fn pivot(&self, target: Target) -> Vertex;

    /// The Markowitz degree: how many products a step makes, were none of them trivial.
    fn degree(&self, target: Target) -> usize;

    /// The sum of the Markowitz degrees of everything that is still between inputs and outputs.
    fn overall_degree(&self) -> usize;

    /// What is left, as a graph over the same vertices.
    fn remainder<A: Algebra<Label = Self::Label>>(&self, algebra: &mut A) -> Graph<Self::Label>;
}

/// The products that eliminating every intermediate vertex of a graph, each as it stands now, would make.
fn sum_of_degrees<L: Clone>(graph: &Graph<L>) -> usize {
    graph.vertices().map(|vertex| graph.in_degree(vertex) * graph.out_degree(vertex)).sum()
}
