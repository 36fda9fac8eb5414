//! Random graphs with exact labels, and their Jacobians by the dense chain rule: nothing here is the code under test
//! but the graph that it is given.
#![allow(dead_code, reason = "each test crate uses its part")]

use std::collections::BTreeMap;

use backsweep_core::config::StrongZero;
use backsweep_core::model::Type;
use backsweep_core::preaccumulation::algebra::Algebra;
use backsweep_core::preaccumulation::cost::Cost;
use backsweep_core::preaccumulation::graph::{Graph, Role, Vertex};
use backsweep_core::preaccumulation::tally::Kind;
use backsweep_core::preaccumulation::terms::{Facts, Label, Leaf, Terms};
use num_bigint::BigInt;
use num_rational::BigRational;

/// A graph as plain data: vertices are numbers, edges lead upwards.
#[derive(Clone, Debug)]
pub struct Case {
    pub roles: Vec<Role>,
    pub edges: Vec<(usize, usize, Kind, BigRational)>,
}

/// Entries by output and input; absent ones are zero.
pub type Jacobian = BTreeMap<(usize, usize), BigRational>;

/// Splitmix64.
pub struct Random(pub u64);

/// Arithmetic on the labels themselves.
pub struct Exact;

impl Algebra for Exact {
    type Label = BigRational;

    fn product(&mut self, outer: &BigRational, inner: &BigRational) -> BigRational {
        outer * inner
    }

    fn sum(&mut self, x: &BigRational, y: &BigRational) -> BigRational {
        x + y
    }
}

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

pub fn number(n: i64, d: i64) -> BigRational {
    BigRational::new(BigInt::from(n), BigInt::from(d))
}

impl Case {
    /// Inputs first, then intermediates and outputs mixed, so that outputs have successors too.
    pub fn random(
        random: &mut Random,
        inputs: usize,
        between: usize,
        outputs: usize,
        density: usize,
    ) -> Case {
        let mut roles = vec![Role::Input; inputs];
        let mut left = (between, outputs);
        while left != (0, 0) {
            let output =
                random.below(left.0 + left.1) < left.1 && random.chance(if left.0 > 0 { 40 } else { 100 });
            if output || left.0 == 0 {
                roles.push(Role::Output);
                left.1 -= 1;
            } else {
                roles.push(Role::Between);
                left.0 -= 1;
            }
        }
        let mut edges = Vec::new();
        for to in inputs..roles.len() {
            for (from, role) in roles.iter().enumerate().take(to) {
                // Outputs with successors are the rarer case.
                let wanted = if *role == Role::Output { density / 2 } else { density };
                if random.chance(wanted) {
                    let (kind, label) = random_label(random);
                    edges.push((from, to, kind, label));
                }
            }
        }
        Case { roles, edges }
    }

    pub fn between(&self) -> usize {
        self.roles.iter().filter(|role| **role == Role::Between).count()
    }

    /// Row by row from the inputs down: the derivative of each vertex by each input.
    pub fn dense_chain_rule(&self) -> Jacobian {
        let mut rows: Vec<BTreeMap<usize, BigRational>> = vec![BTreeMap::new(); self.roles.len()];
        for vertex in 0..self.roles.len() {
            if self.roles[vertex] == Role::Input {
                rows[vertex].insert(vertex, number(1, 1));
            }
            for (from, _, _, label) in self.edges.iter().filter(|edge| edge.1 == vertex) {
                for (input, slope) in rows[*from].clone() {
                    *rows[vertex].entry(input).or_insert_with(|| number(0, 1)) += label * slope;
                }
            }
        }
        let outputs = (0..self.roles.len()).filter(|vertex| self.roles[*vertex] == Role::Output);
        let entries = outputs.flat_map(|output| {
            rows[output]
                .iter()
                .map(move |(input, slope)| ((output, *input), slope.clone()))
                .collect::<Vec<_>>()
        });
        entries.filter(|(_, slope)| *slope != number(0, 1)).collect()
    }

    fn graph<A: Algebra>(
        &self,
        algebra: &mut A,
        mut label: impl FnMut(&mut A, usize) -> A::Label,
    ) -> Graph<A::Label> {
        let mut graph = Graph::default();
        self.roles.iter().for_each(|role| {
            graph.add(*role);
        });
        for (at, (from, to, ..)) in self.edges.iter().enumerate() {
            let label = label(algebra, at);
            graph.connect(algebra, vertex(*from), vertex(*to), label);
        }
        graph
    }

    pub fn exact(&self) -> Graph<BigRational> {
        self.graph(&mut Exact, |_, at| self.edges[at].3.clone())
    }

    pub fn kinds(&self) -> Graph<Kind> {
        self.graph(&mut backsweep_core::preaccumulation::tally::Tally::default(), |_, at| self.edges[at].2)
    }

    /// Leaves are numbered as the edges are; units carry their sign.
    pub fn terms(&self) -> (Graph<Label>, Terms) {
        let mut terms = Terms::new(StrongZero::Always, Type::DOUBLE);
        let graph = self.graph(&mut terms, |terms, at| {
            let (.., kind, value) = &self.edges[at];
            if *kind == Kind::Unit {
                return Label::ONE.signed(*value < number(0, 1));
            }
            let facts = Facts { kind: *kind, singular: at % 5 == 0, ty: Type::DOUBLE, cost: Cost::default() };
            Label::of(terms.leaf(Leaf::Given(at as u32), facts))
        });
        (graph, terms)
    }

    /// What the labels of a bipartite graph amount to.
    pub fn values(&self, graph: &Graph<Label>, terms: &Terms) -> Graph<BigRational> {
        let leaf = |leaf: &Leaf| match leaf {
            Leaf::Given(at) => self.edges[*at as usize].3.clone(),
            other => panic!("{other:?} is no leaf of this graph"),
        };
        let values = terms.evaluate(leaf, number(1, 1));
        graph.map(|label| {
            let value = label.term().map_or(number(1, 1), |term| values[term.0 as usize].clone());
            if label.negative { -value } else { value }
        })
    }
}

/// The entries of a graph that elimination left: it must be bipartite. An output that got an end of its own is
/// recognised by the order in which the ends were made.
pub fn entries(case: &Case, graph: &Graph<BigRational>) -> Jacobian {
    assert!(graph.is_bipartite(), "elimination ends with inputs and outputs only");
    let inner = |vertex: &usize| {
        case.roles[*vertex] == Role::Output && case.edges.iter().any(|(from, ..)| from == vertex)
    };
    let separated: Vec<usize> = (0..case.roles.len()).filter(inner).collect();
    let original = |vertex: Vertex| match vertex.index().checked_sub(case.roles.len()) {
        Some(at) => separated[at],
        None => vertex.index(),
    };
    let edges = graph.edges().into_iter().map(|(from, to, label)| ((original(to), from.index()), label));
    edges.filter(|(_, label)| *label != number(0, 1)).collect()
}

pub fn vertex(at: usize) -> Vertex {
    Vertex::new(at)
}

fn random_label(random: &mut Random) -> (Kind, BigRational) {
    match random.below(8) {
        0 => (Kind::Unit, number(1, 1)),
        1 => (Kind::Unit, number(-1, 1)),
        2 => (Kind::Constant, number(random.below(9) as i64 - 4, 2)),
        _ => {
            let n = random.below(13) as i64 - 6;
            (Kind::Variable, number(if n == 0 { 7 } else { n }, random.below(5) as i64 + 1))
        }
    }
}
