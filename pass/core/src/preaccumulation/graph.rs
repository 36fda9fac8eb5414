//! The linearised computational graph: values are vertices, local partial derivatives label the edges.
//!
//! Invariant: edges lead from older vertices to newer ones, so the order of creation is a topological order.
//! Invariant: between two vertices there is at most one edge; parallel ones are summed as they are added.
//! Invariant: an input has no edge into it. An output may have edges out of it until [`Graph::separate`].

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use petgraph::visit::{EdgeRef, IntoEdgeReferences};

use super::algebra::Algebra;

pub type Vertex = NodeIndex<u32>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Input,
    /// An intermediate value, which elimination removes.
    Between,
    Output,
}

#[derive(Clone, Debug)]
pub struct Graph<L> {
    net: StableDiGraph<Role, L>,
}

impl<L> Default for Graph<L> {
    fn default() -> Graph<L> {
        Graph { net: StableDiGraph::new() }
    }
}

impl<L: Clone> Graph<L> {
    pub fn add(&mut self, role: Role) -> Vertex {
        self.net.add_node(role)
    }

    pub fn role(&self, vertex: Vertex) -> Role {
        self.net[vertex]
    }

    pub fn set_role(&mut self, vertex: Vertex, role: Role) {
        self.net[vertex] = role;
    }

    pub fn vertices(&self) -> impl Iterator<Item = Vertex> {
        self.net.node_indices()
    }

    pub fn with_role(&self, role: Role) -> impl Iterator<Item = Vertex> {
        self.vertices().filter(move |vertex| self.role(*vertex) == role)
    }

    /// Edges with their labels, in the order of their ends.
    pub fn edges(&self) -> Vec<(Vertex, Vertex, L)> {
        let mut edges: Vec<_> = self
            .net
            .edge_references()
            .map(|edge| (edge.source(), edge.target(), edge.weight().clone()))
            .collect();
        edges.sort_by_key(|(from, to, _)| (*from, *to));
        edges
    }

    pub fn edge_count(&self) -> usize {
        self.net.edge_count()
    }

    pub fn label(&self, from: Vertex, to: Vertex) -> Option<&L> {
        self.net.find_edge(from, to).map(|edge| &self.net[edge])
    }

    pub fn predecessors(&self, vertex: Vertex) -> BTreeSet<Vertex> {
        self.net.neighbors_directed(vertex, Direction::Incoming).collect()
    }

    pub fn successors(&self, vertex: Vertex) -> BTreeSet<Vertex> {
        self.net.neighbors_directed(vertex, Direction::Outgoing).collect()
    }

    pub fn in_degree(&self, vertex: Vertex) -> usize {
        self.net.edges_directed(vertex, Direction::Incoming).count()
    }

    pub fn out_degree(&self, vertex: Vertex) -> usize {
        self.net.edges_directed(vertex, Direction::Outgoing).count()
    }

    /// Adds an edge, or adds to the one that is there.
    pub fn connect<A: Algebra<Label = L>>(&mut self, algebra: &mut A, from: Vertex, to: Vertex, label: L) {
        assert!(from < to, "an edge leads from an older vertex to a newer one");
        match self.net.find_edge(from, to) {
            Some(edge) => self.net[edge] = algebra.sum(&self.net[edge], &label),
            None => {
                self.net.add_edge(from, to, label);
            }
        }
    }

    /// Adds the path `from → over → to` to the edge between its ends.
    pub fn bridge<A: Algebra<Label = L>>(&mut self, algebra: &mut A, from: Vertex, over: Vertex, to: Vertex) {
        let (Some(inner), Some(outer)) = (self.label(from, over).cloned(), self.label(over, to).cloned())
        else {
            unreachable!("a path that is bridged has two edges")
        };
        match self.net.find_edge(from, to) {
            Some(edge) => self.net[edge] = algebra.absorb(&self.net[edge], &outer, &inner),
            None => {
                let product = algebra.product(&outer, &inner);
                self.net.add_edge(from, to, product);
            }
        }
    }

    pub fn disconnect(&mut self, from: Vertex, to: Vertex) {
        if let Some(edge) = self.net.find_edge(from, to) {
            self.net.remove_edge(edge);
        }
    }

    pub fn remove(&mut self, vertex: Vertex) {
        self.net.remove_node(vertex);
    }

    /// Removes intermediate vertices that nothing reaches or that reach nothing, with their edges.
    pub fn prune(&mut self) {
        let mut suspects: Vec<Vertex> = self.with_role(Role::Between).collect();
        while let Some(vertex) = suspects.pop() {
            let gone = !self.net.contains_node(vertex) || self.role(vertex) != Role::Between;
            if gone || (self.in_degree(vertex) > 0 && self.out_degree(vertex) > 0) {
                continue;
            }
            suspects.extend(self.net.neighbors_undirected(vertex));
            self.remove(vertex);
        }
    }

    /// Gives each output that others depend on, or that is an input, a vertex of its own at the end of an edge that
    /// carries `unit`. Returns the pairs of old and new vertex.
    pub fn separate(&mut self, unit: L) -> Vec<(Vertex, Vertex)> {
        let inner: Vec<Vertex> =
            self.with_role(Role::Output).filter(|vertex| self.out_degree(*vertex) > 0).collect();
        let separate = |vertex: Vertex| {
            self.net[vertex] = Role::Between;
            let end = self.net.add_node(Role::Output);
            assert!(vertex < end, "a graph is separated before vertices are taken out of it");
            self.net.add_edge(vertex, end, unit.clone());
            (vertex, end)
        };
        inner.into_iter().map(separate).collect()
    }

    /// Nothing lies between inputs and outputs: the edges are the Jacobian.
    pub fn is_bipartite(&self) -> bool {
        self.net
            .edge_references()
            .all(|edge| self.role(edge.source()) == Role::Input && self.role(edge.target()) == Role::Output)
    }

    /// The inputs and outputs alone.
    pub fn ends(&self) -> Graph<L> {
        let mut ends = self.clone();
        ends.net.clear_edges();
        ends.net.retain_nodes(|net, vertex| net[vertex] != Role::Between);
        ends
    }

    /// The same graph under other labels.
    pub fn map<M>(&self, label: impl Fn(&L) -> M) -> Graph<M> {
        Graph { net: self.net.map(|_, role| *role, |_, old| label(old)) }
    }
}
