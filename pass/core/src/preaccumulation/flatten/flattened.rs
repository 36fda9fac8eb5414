//! One part of straight-line code as a linearised graph, with what its ends stand for.
//!
//! Algorithm 2 of the paper, after splitting: a value is the vertex of the step that computed it, a cell is the vertex
//! of what was stored there last or, where nothing was, an input. Constants have no vertex.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Action, Relation, Source, Value};
use super::known::Known;
use crate::model::ValueId;
use crate::preaccumulation::graph::{Graph, Role, Vertex};
use crate::preaccumulation::terms::{Label, Terms};

/// What an end of a graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    Value(Value),
    /// The cell of memory that an instruction reads (an input), or writes (an output).
    Cell(ValueId),
}

#[derive(Clone, Debug)]
pub struct Flattened {
    pub graph: Graph<Label>,
    /// What the labels are.
    pub terms: Terms,
    pub steps: Vec<usize>,
    /// What each vertex is: an input, or the result of a step.
    pub names: BTreeMap<Vertex, What>,
    pub outputs: Vec<Output>,
}

/// Something that code after this part may use. In reverse their adjoints are taken last to first, before any input
/// is added to; several may share a vertex, whose adjoint is then the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub what: What,
    /// `None` for a cell that holds a constant now: its adjoint ends here.
    pub vertex: Option<Vertex>,
}

/// Builds the graph of a part. The part must be unambiguous.
pub fn flatten_part(known: &Known, part: &[usize]) -> Flattened {
    let mut builder = Builder {
        known,
        graph: Graph::default(),
        terms: known.code.terms.empty(),
        names: BTreeMap::new(),
        vertices: BTreeMap::new(),
        contents: Vec::new(),
    };
    part.iter().for_each(|at| builder.add_step(*at));
    builder.finish(part)
}

struct Builder<'a> {
    known: &'a Known<'a>,
    graph: Graph<Label>,
    terms: Terms,
    names: BTreeMap<Vertex, What>,
    vertices: BTreeMap<Source, Vertex>,
    /// Accesses of the part whose content is still in memory, with what they left or found there.
    contents: Vec<(usize, Option<Vertex>)>,
}

impl Builder<'_> {
    fn add_step(&mut self, at: usize) {
        let step = &self.known.code.steps[at];
        match step.action {
            Action::Compute if self.known.is_constant(at) => {}
            Action::Compute => {
                let edges: Vec<(Vertex, Label)> = self.live_operands(at);
                let vertex = self.new_vertex(Role::Between, What::Value(step.value));
                for (from, label) in edges {
                    let label = self.terms.import(label, &self.known.code.terms);
                    self.graph.connect(&mut self.terms, from, vertex, label);
                }
                self.vertices.insert(Source::Step(at), vertex);
            }
            Action::Copy => {
                if let Some((vertex, _)) = self.live_operands(at).first() {
                    self.vertices.insert(Source::Step(at), *vertex);
                }
            }
            Action::Read => self.add_read(at),
            Action::Write => {
                let stored = self.live_operands(at).first().map(|(vertex, _)| *vertex);
                self.forget_overwritten(at);
                self.contents.push((at, stored));
            }
            Action::Barrier => unreachable!("no part holds a barrier"),
        }
    }

    fn add_read(&mut self, at: usize) {
        if self.known.is_constant(at) {
            return;
        }
        let same = |(other, _): &&(usize, Option<Vertex>)| self.known.relation(*other, at) == Relation::Same;
        let content = match self.contents.iter().rev().find(same) {
            Some((_, Some(vertex))) => *vertex,
            Some((_, None)) => unreachable!("a read of a constant is a constant"),
            None => {
                let vertex = self.new_vertex(Role::Input, What::Cell(self.known.code.steps[at].value.id));
                self.contents.push((at, Some(vertex)));
                vertex
            }
        };
        self.vertices.insert(Source::Step(at), content);
    }

    fn forget_overwritten(&mut self, write: usize) {
        let known = self.known;
        self.contents.retain(|(other, _)| known.relation(*other, write) != Relation::Same);
    }

    /// The operands that are not constant, as vertices. What comes from outside the part becomes an input.
    fn live_operands(&mut self, at: usize) -> Vec<(Vertex, Label)> {
        let operands = self.known.code.steps[at].operands.clone();
        operands.into_iter().filter_map(|(source, label)| Some((self.vertex_of(source)?, label))).collect()
    }

    fn vertex_of(&mut self, source: Source) -> Option<Vertex> {
        let value = match source {
            Source::Step(at) if self.known.is_constant(at) => return None,
            Source::Step(at) => self.known.code.steps[at].value,
            Source::Outside(value) => value,
        };
        if let Some(vertex) = self.vertices.get(&source) {
            return Some(*vertex);
        }
        let vertex = self.new_vertex(Role::Input, What::Value(value));
        self.vertices.insert(source, vertex);
        Some(vertex)
    }

    fn new_vertex(&mut self, role: Role, what: What) -> Vertex {
        let vertex = self.graph.add(role);
        self.names.insert(vertex, what);
        vertex
    }

    fn finish(mut self, part: &[usize]) -> Flattened {
        let mut outputs: Vec<Output> = self.find_outputs(part);
        let mut ends: BTreeMap<Vertex, Vertex> = BTreeMap::new();
        for vertex in outputs.iter().filter_map(|output| output.vertex) {
            if self.graph.role(vertex) == Role::Input && !ends.contains_key(&vertex) {
                // Input and output in one: two vertices, and the derivative between them is one.
                let end = self.graph.add(Role::Output);
                self.graph.connect(&mut self.terms, vertex, end, Label::ONE);
                self.names.insert(end, self.names[&vertex]);
                ends.insert(vertex, end);
            } else if self.graph.role(vertex) == Role::Between {
                self.graph.set_role(vertex, Role::Output);
            }
        }
        for output in &mut outputs {
            output.vertex = output.vertex.map(|vertex| ends.get(&vertex).copied().unwrap_or(vertex));
        }
        let Builder { graph, terms, names, .. } = self;
        Flattened { graph, terms, steps: part.to_vec(), names, outputs }
    }

    /// Values that steps elsewhere or code beyond use, and cells as the part leaves them, in order.
    fn find_outputs(&self, part: &[usize]) -> Vec<Output> {
        let inside: BTreeSet<usize> = part.iter().copied().collect();
        let used = |at: usize| self.known.users(at).iter().any(|user| !inside.contains(user));
        let mut outputs = Vec::new();
        for at in part {
            let step = &self.known.code.steps[*at];
            match step.action {
                Action::Write => {
                    let left = self.contents.iter().find(|(write, _)| write == at);
                    let wanted = step.wanted || self.is_read_elsewhere(*at, &inside);
                    if let Some((_, vertex)) = left.filter(|_| wanted) {
                        outputs.push(Output { what: What::Cell(step.value.id), vertex: *vertex });
                    }
                }
                Action::Compute | Action::Copy | Action::Read | Action::Barrier => {
                    let vertex = self.vertices.get(&Source::Step(*at)).copied();
                    if vertex.is_some() && (step.wanted || used(*at)) {
                        outputs.push(Output { what: What::Value(step.value), vertex });
                    }
                }
            }
        }
        outputs
    }

    /// Whether a later step beyond the part may read the cell that a step wrote.
    fn is_read_elsewhere(&self, write: usize, inside: &BTreeSet<usize>) -> bool {
        (write + 1..self.known.code.steps.len()).filter(|at| !inside.contains(at)).any(|at| {
            let reads = matches!(self.known.code.steps[at].action, Action::Read | Action::Barrier);
            reads && self.known.relation(write, at) != Relation::Apart
        })
    }
}
