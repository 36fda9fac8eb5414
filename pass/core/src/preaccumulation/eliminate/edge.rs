//! Edge elimination: the paths over one edge, drawn forward or back.
//!
//! An output that others depend on keeps the edges into it, so none of them is drawn forward; the edges out of it
//! are drawn back. On a separated graph that never arises.
//! Ends after finitely many steps: each makes paths shorter and none longer.

use std::collections::BTreeSet;

use super::{Around, Reduction, Target, sum_of_degrees};
use crate::preaccumulation::algebra::Algebra;
use crate::preaccumulation::graph::{Graph, Role, Vertex};

#[derive(Clone, Debug)]
pub struct ByEdges<L> {
    graph: Graph<L>,
}

impl<L: Clone> ByEdges<L> {
    pub fn new(mut graph: Graph<L>) -> ByEdges<L> {
        graph.prune();
        ByEdges { graph }
    }
}

impl<L: Clone> Reduction for ByEdges<L> {
    type Label = L;

    fn targets(&self) -> Vec<Target> {
        let mut targets = Vec::new();
        for (from, to, _) in self.graph.edges() {
            if self.graph.role(to) == Role::Between {
                targets.push(Target::Front(from, to));
            }
            if self.graph.role(from) != Role::Input {
                targets.push(Target::Back(from, to));
            }
        }
        targets
    }

    fn eliminate<A: Algebra<Label = L>>(&mut self, algebra: &mut A, target: Target) {
        let pivot = self.pivot(target);
        let Around { before, after } = self.around(target);
        for from in &before {
            for to in &after {
                self.graph.bridge(algebra, *from, pivot, *to);
            }
        }
        let (Target::Front(from, to) | Target::Back(from, to)) = target else { return };
        self.graph.disconnect(from, to);
        self.graph.prune();
    }

    fn around(&self, target: Target) -> Around {
        match target {
            Target::Front(from, to) => {
                Around { before: BTreeSet::from([from]), after: self.graph.successors(to) }
            }
            Target::Back(from, to) => {
                Around { before: self.graph.predecessors(from), after: BTreeSet::from([to]) }
            }
            Target::Vertex(_) | Target::Face(..) => unreachable!("edges are eliminated here"),
        }
    }

    fn pivot(&self, target: Target) -> Vertex {
        match target {
            Target::Front(_, over) | Target::Back(over, _) => over,
            Target::Vertex(_) | Target::Face(..) => unreachable!("edges are eliminated here"),
        }
    }

    fn degree(&self, target: Target) -> usize {
        match target {
            Target::Front(_, over) => self.graph.out_degree(over),
            Target::Back(over, _) => self.graph.in_degree(over),
            Target::Vertex(_) | Target::Face(..) => unreachable!("edges are eliminated here"),
        }
    }

    fn overall_degree(&self) -> usize {
        sum_of_degrees(&self.graph)
    }

    fn remainder<A: Algebra<Label = L>>(&self, _: &mut A) -> Graph<L> {
        self.graph.clone()
    }
}
