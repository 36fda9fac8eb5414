//! The cheapest elimination there is, for small graphs: branch and bound over all sequences, best first.
//!
//! Graph of kinds → steps with the fewest products, and of those the fewest additions. Always the state is expanded
//! that may end cheapest, by what it has cost and the least it still needs; states that were reached at no more are
//! left out. So the first complete state is the optimum, unless the budget is spent before.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::cut::{disjoint_paths_from_inputs, disjoint_paths_to_outputs};
use super::eliminate::{ByEdges, ByFaces, ByVertices, Reduction, Target};
use super::graph::{Graph, Role, Vertex};
use super::tally::{Kind, Tally};

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// The cheapest steps that are cheaper than the bound, with what they cost.
    pub best: Option<(Vec<Target>, Tally)>,
    /// Whether nothing cheaper exists: the search was complete.
    pub proved: bool,
}

/// What the search needs beyond a reduction: when two states are the same, and what a state still costs.
pub trait Searchable: Reduction<Label = Kind> {
    /// Equal keys belong to equal states; the other way round it may fail, which costs time only.
    fn key(&self) -> Vec<u32>;

    /// Products that every way from here makes.
    fn least_products(&self) -> u64;
}

/// Products, then additions.
type Price = (u64, u64);

/// The best way to eliminate everything, expanding so many states at most. `bound` is what a heuristic needed, if
/// any: only better ways are looked for.
pub fn find_optimum<R: Searchable>(start: R, bound: Option<Tally>, budget: usize) -> Optimum {
    let bound = bound.map_or((u64::MAX, u64::MAX), |bound| price_of(&bound));
    let mut search = Search { bound, nodes: Vec::new(), open: BinaryHeap::new(), known: HashMap::new() };
    search.reach(start, Tally::default(), None);
    for _ in 0..budget {
        let Some(Reverse((_, number))) = search.open.pop() else {
            return Optimum { best: None, proved: true };
        };
        // Reached again for less since it was put here, or expanded already.
        let Some(state) = search.nodes[number].state.take() else { continue };
        let targets = state.targets();
        let spent = search.nodes[number].spent;
        if targets.is_empty() {
            return Optimum { best: Some((search.steps_to(number), spent)), proved: true };
        }
        for target in targets {
            let (mut next, mut tally) = (state.clone(), spent);
            next.eliminate(&mut tally, target);
            search.reach(next, tally, Some((number, target)));
        }
    }
    Optimum { best: None, proved: false }
}

struct Search<R> {
    /// What a way must cost less than.
    bound: Price,
    nodes: Vec<Node<R>>,
    /// By what a way through the state costs at least.
    open: BinaryHeap<Reverse<(Price, usize)>>,
    /// The cheapest node of each state.
    known: HashMap<Vec<u32>, usize>,
}

struct Node<R> {
    /// Gone once it was expanded.
    state: Option<R>,
    spent: Tally,
    from: Option<(usize, Target)>,
}

fn price_of(tally: &Tally) -> Price {
    (tally.cost.products(), tally.cost.additions)
}

impl<R: Searchable> Search<R> {
    /// Notes a state, unless it is known at no more or leads to nothing better than the bound.
    fn reach(&mut self, state: R, spent: Tally, from: Option<(usize, Target)>) {
        let (products, additions) = price_of(&spent);
        let at_least = (products + state.least_products(), additions);
        if self.bound <= at_least {
            return;
        }
        let key = state.key();
        if let Some(known) = self.known.get(&key).copied() {
            if price_of(&self.nodes[known].spent) <= price_of(&spent) {
                return;
            }
            self.nodes[known].state = None;
        }
        let number = self.nodes.len();
        self.open.push(Reverse((at_least, number)));
        self.nodes.push(Node { state: Some(state), spent, from });
        self.known.insert(key, number);
    }

    fn steps_to(&self, number: usize) -> Vec<Target> {
        let mut steps = Vec::new();
        let mut at = &self.nodes[number];
        while let Some((before, target)) = at.from {
            steps.push(target);
            at = &self.nodes[before];
        }
        steps.reverse();
        steps
    }
}

impl Searchable for ByVertices<Kind> {
    /// The vertices that are left: which of the others went first makes no difference.
    fn key(&self) -> Vec<u32> {
        self.targets().into_iter().map(|target| self.pivot(target).index() as u32).collect()
    }

    /// There are so few states that a bound would cost more than it saves.
    fn least_products(&self) -> u64 {
        0
    }
}

impl Searchable for ByEdges<Kind> {
    fn key(&self) -> Vec<u32> {
        key_of(&self.remainder(&mut Tally::default()))
    }

    fn least_products(&self) -> u64 {
        least_products_of(&self.remainder(&mut Tally::default()))
    }
}

impl Searchable for ByFaces<Kind> {
    fn key(&self) -> Vec<u32> {
        self.canonical()
    }

    fn least_products(&self) -> u64 {
        self.pivots_that_cost()
    }
}

fn key_of(graph: &Graph<Kind>) -> Vec<u32> {
    let edge =
        |(from, to, kind): &(Vertex, Vertex, Kind)| [from.index() as u32, to.index() as u32, *kind as u32];
    graph.edges().iter().flat_map(edge).collect()
}

/// Each pair of disjoint ways into a vertex and out of it is joined by a product of its own, whatever the order. A
/// vertex where a product may turn out trivial counts for nothing.
fn least_products_of(graph: &Graph<Kind>) -> u64 {
    let is_dear = |vertex: &Vertex| {
        let into: Vec<Kind> =
            kinds(graph, graph.predecessors(*vertex).into_iter().map(|from| (from, *vertex)));
        let out: Vec<Kind> = kinds(graph, graph.successors(*vertex).into_iter().map(|to| (*vertex, to)));
        let all_variable = |kinds: &[Kind]| kinds.iter().all(|kind| *kind == Kind::Variable);
        let none_trivial = |kinds: &[Kind]| kinds.iter().all(|kind| *kind != Kind::Unit);
        all_variable(&into) && none_trivial(&out) || none_trivial(&into) && all_variable(&out)
    };
    let dear = graph.with_role(Role::Between).filter(is_dear);
    dear.map(|vertex| {
        (disjoint_paths_from_inputs(graph, vertex) * disjoint_paths_to_outputs(graph, vertex)) as u64
    })
    .sum()
}

fn kinds(graph: &Graph<Kind>, edges: impl Iterator<Item = (Vertex, Vertex)>) -> Vec<Kind> {
    edges.filter_map(|(from, to)| graph.label(from, to).copied()).collect()
}
