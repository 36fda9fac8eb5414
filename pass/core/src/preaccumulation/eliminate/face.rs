//! Face elimination: one path of two edges at a time, in the directed line graph.
//!
//! The line graph has a vertex for each edge of the graph, and one at each end of it: before an input, after an
//! output. Two lines meet in a face where one edge ends and the other begins. Here several lines may lead from one
//! vertex to another, with different continuations, which is why fewer products may suffice than by edges. An output
//! that others depend on needs nothing special: the lines into it meet its end as well as the lines out of it.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

use super::{Around, Reduction, Target};
use crate::preaccumulation::algebra::Algebra;
use crate::preaccumulation::graph::{Graph, Role, Vertex};
use crate::preaccumulation::tally::Kind;

/// A vertex of the line graph.
pub type Line = NodeIndex<u32>;

#[derive(Clone, Debug)]
enum Segment<L> {
    /// Before an input.
    Start,
    /// After an output.
    End,
    Edge {
        from: Vertex,
        to: Vertex,
        label: L,
    },
}

#[derive(Clone, Debug)]
pub struct ByFaces<L> {
    /// Inputs and outputs, without an edge.
    ends: Graph<L>,
    lines: StableDiGraph<Segment<L>, ()>,
}

impl<L: Clone> ByFaces<L> {
    pub fn new(mut graph: Graph<L>) -> ByFaces<L> {
        graph.prune();
        let mut lines = StableDiGraph::new();
        let edges: Vec<(Vertex, Vertex, Line)> = graph
            .edges()
            .into_iter()
            .map(|(from, to, label)| (from, to, lines.add_node(Segment::Edge { from, to, label })))
            .collect();
        for vertex in graph.vertices() {
            let mut into: Vec<Line> =
                edges.iter().filter(|(_, to, _)| *to == vertex).map(|(.., line)| *line).collect();
            let mut out: Vec<Line> =
                edges.iter().filter(|(from, ..)| *from == vertex).map(|(.., line)| *line).collect();
            match graph.role(vertex) {
                Role::Input => into.push(lines.add_node(Segment::Start)),
                Role::Output => out.push(lines.add_node(Segment::End)),
                Role::Between => {}
            }
            for first in &into {
                for second in &out {
                    lines.add_edge(*first, *second, ());
                }
            }
        }
        let mut system = ByFaces { ends: graph.ends(), lines };
        system.drop_loose_lines();
        system
    }

    /// Lines that no input reaches, as those out of an output that depends on nothing, or that reach no output.
    fn drop_loose_lines(&mut self) {
        let loose = |system: &ByFaces<L>| {
            system.lines.node_indices().find(|line| {
                let open = system.before(*line).is_empty() || system.after(*line).is_empty();
                open && system.edge(*line).is_some()
            })
        };
        while let Some(line) = loose(self) {
            self.lines.remove_node(line);
        }
    }

    fn edge(&self, line: Line) -> Option<(Vertex, Vertex, &L)> {
        match &self.lines[line] {
            Segment::Edge { from, to, label } => Some((*from, *to, label)),
            Segment::Start | Segment::End => None,
        }
    }

    fn before(&self, line: Line) -> BTreeSet<Line> {
        self.lines.neighbors_directed(line, Direction::Incoming).collect()
    }

    fn after(&self, line: Line) -> BTreeSet<Line> {
        self.lines.neighbors_directed(line, Direction::Outgoing).collect()
    }

    /// Another line between the same vertices, with these neighbours: interchangeable with one that has them.
    fn find_twin(
        &self,
        not: Option<Line>,
        ends: (Vertex, Vertex),
        before: &BTreeSet<Line>,
        after: &BTreeSet<Line>,
    ) -> Option<Line> {
        self.lines.node_indices().find(|line| {
            Some(*line) != not
                && self.edge(*line).is_some_and(|(from, to, _)| (from, to) == ends)
                && self.before(*line) == *before
                && self.after(*line) == *after
        })
    }

    /// Removes a line that lost its last continuation, or adds it to its twin.
    fn settle<A: Algebra<Label = L>>(&mut self, algebra: &mut A, line: Line) {
        let Some((from, to, label)) = self.edge(line).map(|(from, to, label)| (from, to, label.clone()))
        else {
            return;
        };
        let (before, after) = (self.before(line), self.after(line));
        if before.is_empty() || after.is_empty() {
            self.lines.remove_node(line);
        } else if let Some(twin) = self.find_twin(Some(line), (from, to), &before, &after) {
            if let Segment::Edge { label: sum, .. } = &mut self.lines[twin] {
                *sum = algebra.sum(sum, &label);
            }
            self.lines.remove_node(line);
        }
    }

    fn ends_of(&self, target: Target) -> (Vertex, Vertex, Vertex) {
        let Target::Face(first, second) = target else { unreachable!("faces are eliminated here") };
        let (Some((from, over, _)), Some((_, to, _))) = (self.edge(first), self.edge(second)) else {
            unreachable!("a face between edges has two of them")
        };
        (from, over, to)
    }
}

impl<L: Clone> Reduction for ByFaces<L> {
    type Label = L;

    fn targets(&self) -> Vec<Target> {
        let faces = self.lines.edge_indices().filter_map(|face| self.lines.edge_endpoints(face));
        let inner =
            faces.filter(|(first, second)| self.edge(*first).is_some() && self.edge(*second).is_some());
        let mut targets: Vec<Target> = inner.map(|(first, second)| Target::Face(first, second)).collect();
        targets.sort();
        targets
    }

    fn eliminate<A: Algebra<Label = L>>(&mut self, algebra: &mut A, target: Target) {
        let (from, _, to) = self.ends_of(target);
        let Target::Face(first, second) = target else { return };
        let (Some((.., inner)), Some((.., outer))) = (self.edge(first), self.edge(second)) else { return };
        let (inner, outer) = (inner.clone(), outer.clone());
        let (before, after) = (self.before(first), self.after(second));
        match self.find_twin(None, (from, to), &before, &after) {
            Some(twin) => {
                if let Segment::Edge { label, .. } = &mut self.lines[twin] {
                    *label = algebra.absorb(label, &outer, &inner);
                }
            }
            None => {
                let label = algebra.product(&outer, &inner);
                let line = self.lines.add_node(Segment::Edge { from, to, label });
                before.iter().for_each(|other| {
                    self.lines.add_edge(*other, line, ());
                });
                after.iter().for_each(|other| {
                    self.lines.add_edge(line, *other, ());
                });
            }
        }
        if let Some(face) = self.lines.find_edge(first, second) {
            self.lines.remove_edge(face);
        }
        self.settle(algebra, first);
        self.settle(algebra, second);
    }

    fn around(&self, target: Target) -> Around {
        let (from, _, to) = self.ends_of(target);
        Around { before: BTreeSet::from([from]), after: BTreeSet::from([to]) }
    }

    fn pivot(&self, target: Target) -> Vertex {
        self.ends_of(target).1
    }

    /// A face makes one product whatever it is; what tells faces apart is how many there are around them.
    fn degree(&self, target: Target) -> usize {
        let Target::Face(first, second) = target else { unreachable!("faces are eliminated here") };
        self.before(second).len() * self.after(first).len()
    }

    fn overall_degree(&self) -> usize {
        self.targets().len()
    }

    fn remainder<A: Algebra<Label = L>>(&self, algebra: &mut A) -> Graph<L> {
        let mut graph = self.ends.clone();
        for line in self.lines.node_indices() {
            if let Some((from, to, label)) = self.edge(line) {
                graph.connect(algebra, from, to, label.clone());
            }
        }
        graph
    }
}

impl ByFaces<Kind> {
    /// The state as numbers: the lines in a fixed order, each with the lines that follow it.
    pub fn canonical(&self) -> Vec<u32> {
        let mut order: Vec<(u32, u32, u32, Line)> =
            self.lines.node_indices().map(|line| self.name(line)).collect();
        order.sort();
        let number: BTreeMap<Line, u32> = order.iter().map(|(.., line)| *line).zip(0..).collect();
        let mut key = Vec::new();
        for (from, to, kind, line) in order {
            let mut after: Vec<u32> = self.after(line).iter().map(|next| number[next]).collect();
            after.sort_unstable();
            key.extend([from, to, kind, after.len() as u32]);
            key.extend(after);
        }
        key
    }

    fn name(&self, line: Line) -> (u32, u32, u32, Line) {
        match self.edge(line) {
            Some((from, to, kind)) => (from.index() as u32, to.index() as u32, *kind as u32, line),
            // Starts and ends are never removed, so their own number is a name.
            None => (u32::MAX, u32::MAX, line.index() as u32, line),
        }
    }

    /// Vertices at which every face is a true product: one at least is made there.
    pub fn pivots_that_cost(&self) -> u64 {
        let mut costs: BTreeMap<Vertex, bool> = BTreeMap::new();
        for target in self.targets() {
            let Target::Face(first, second) = target else { continue };
            let (Some((_, pivot, inner)), Some((.., outer))) = (self.edge(first), self.edge(second)) else {
                continue;
            };
            *costs.entry(pivot).or_insert(true) &= *inner == Kind::Variable && *outer != Kind::Unit;
        }
        costs.values().filter(|costs| **costs).count() as u64
    }
}
