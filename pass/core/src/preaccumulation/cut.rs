//! How many ways lead to a vertex that share nothing else: by Menger, the fewest vertices that cut it off.

use std::collections::BTreeMap;

use petgraph::algo::ford_fulkerson;
use petgraph::graph::{DiGraph, NodeIndex};

use super::graph::{Graph, Role, Vertex};

/// Ways from the inputs to a vertex, disjoint but for the vertex itself.
pub fn disjoint_paths_from_inputs<L: Clone>(graph: &Graph<L>, vertex: Vertex) -> usize {
    count_paths(graph, Role::Input, vertex, |vertex| graph.predecessors(vertex))
}

/// Ways from a vertex to the outputs, disjoint but for the vertex itself.
pub fn disjoint_paths_to_outputs<L: Clone>(graph: &Graph<L>, vertex: Vertex) -> usize {
    count_paths(graph, Role::Output, vertex, |vertex| graph.successors(vertex))
}

/// Flow from the vertex to the ends of a role, where every other vertex lets one unit pass.
fn count_paths<L: Clone>(
    graph: &Graph<L>,
    ends: Role,
    vertex: Vertex,
    neighbours: impl Fn(Vertex) -> std::collections::BTreeSet<Vertex>,
) -> usize {
    let mut network: DiGraph<(), usize> = DiGraph::new();
    let sink = network.add_node(());
    let mut gates: BTreeMap<Vertex, (NodeIndex, NodeIndex)> = BTreeMap::new();
    for inner in graph.vertices() {
        let (entry, exit) = (network.add_node(()), network.add_node(()));
        network.add_edge(entry, exit, if inner == vertex { usize::MAX } else { 1 });
        if graph.role(inner) == ends {
            network.add_edge(exit, sink, 1);
        }
        gates.insert(inner, (entry, exit));
    }
    for from in graph.vertices() {
        for to in neighbours(from) {
            network.add_edge(gates[&from].1, gates[&to].0, 1);
        }
    }
    ford_fulkerson(&network, gates[&vertex].1, sink).0
}
