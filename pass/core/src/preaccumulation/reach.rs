//! How many inputs a vertex depends on, and how many outputs depend on it.
//!
//! Graph → [`Reach`]. Elimination changes edges and keeps what is reached, so this is computed once.

use std::collections::BTreeMap;

use super::eliminate::Target;
use super::graph::{Graph, Role, Vertex};

#[derive(Clone, Debug, Default)]
pub struct Reach {
    inputs: BTreeMap<Vertex, usize>,
    outputs: BTreeMap<Vertex, usize>,
}

impl Reach {
    pub fn of<L: Clone>(graph: &Graph<L>) -> Reach {
        // Older vertices come first, so each set is complete when it is read.
        let forward: Vec<Vertex> = graph.vertices().collect();
        let backward: Vec<Vertex> = forward.iter().rev().copied().collect();
        Reach {
            inputs: count(graph, &forward, Role::Input, |vertex| graph.predecessors(vertex)),
            outputs: count(graph, &backward, Role::Output, |vertex| graph.successors(vertex)),
        }
    }

    /// The products that a target cannot do without, whatever the order.
    pub fn least_products(&self, target: Target, pivot: Vertex) -> usize {
        let inputs = |vertex| self.inputs.get(&vertex).copied().unwrap_or_default();
        let outputs = |vertex| self.outputs.get(&vertex).copied().unwrap_or_default();
        match target {
            Target::Vertex(_) => inputs(pivot) * outputs(pivot),
            Target::Front(..) => outputs(pivot),
            Target::Back(..) => inputs(pivot),
            Target::Face(..) => 1,
        }
    }
}

fn count<L: Clone>(
    graph: &Graph<L>,
    order: &[Vertex],
    role: Role,
    neighbours: impl Fn(Vertex) -> std::collections::BTreeSet<Vertex>,
) -> BTreeMap<Vertex, usize> {
    let ends: BTreeMap<Vertex, usize> = graph.with_role(role).zip(0..).collect();
    let mut sets: BTreeMap<Vertex, Vec<u64>> = BTreeMap::new();
    for vertex in order {
        let mut set = vec![0u64; ends.len().div_ceil(64)];
        if let Some(at) = ends.get(vertex) {
            set[at / 64] |= 1 << (at % 64);
        }
        for neighbour in neighbours(*vertex) {
            set.iter_mut().zip(&sets[&neighbour]).for_each(|(word, other)| *word |= other);
        }
        sets.insert(*vertex, set);
    }
    let sizes = sets
        .into_iter()
        .map(|(vertex, set)| (vertex, set.iter().map(|word| word.count_ones() as usize).sum()));
    sizes.collect()
}
