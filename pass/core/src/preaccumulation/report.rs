//! Graphs and what elimination makes of them, as text: stable, one edge a line.
//!
//! ```text
//! function @f
//!   region ^0: 1 graph
//!   graph 0: 2 inputs, 1 between, 1 output
//!     in v0: %0
//!     v2: %3
//!     v0 -> v2: d%3/d%0
//!     eliminated by LM,R by vertices: 1 multiplications; to apply 1 multiply-adds; 8 bytes to record
//!     t5 = %1 * d%3/d%0
//!     v0 -> v4: -t5
//! ```
//! `a *0 b` is a product that is zero where `a` is, though `b` were infinite.

use std::fmt::{self, Write};

use super::flatten::{Flat, Flattened, Reader, Split, What, flatten_function};
use super::graph::{Graph, Role, Vertex};
use super::jacobian::{Extent, LocalJacobian, accumulate, accumulate_by};
use super::tally::Kind;
use super::terms::{Factor, Label, Leaf, Sign, Term, TermId, Terms};
use crate::elimination::Elimination;
use crate::model::{Function, Layout, Operand};

/// What `print<backsweep-graph>` prints of one function.
pub fn describe_graphs(reader: &Reader, split: Split, asked: Option<&Elimination>) -> String {
    let mut text = format!("function @{}\n", reader.function.name);
    for flat in flatten_function(reader, split) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", Report { reader, flat: &flat, asked });
    }
    text
}

pub struct Report<'a> {
    pub reader: &'a Reader<'a>,
    pub flat: &'a Flat,
    pub asked: Option<&'a Elimination>,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks: Vec<String> =
            self.flat.region.blocks.iter().map(|block| format!("^{}", block.0)).collect();
        writeln!(f, "  region {}: {}", blocks.join(" "), count(self.flat.graphs.len(), "graph"))?;
        for (number, flattened) in self.flat.graphs.iter().enumerate() {
            self.write_graph(f, number, flattened)?;
            self.write_jacobian(f, flattened)?;
        }
        Ok(())
    }
}

impl Report<'_> {
    fn write_graph(&self, f: &mut fmt::Formatter<'_>, number: usize, flattened: &Flattened) -> fmt::Result {
        let graph = &flattened.graph;
        let of = |role: Role| graph.with_role(role).count();
        writeln!(
            f,
            "  graph {number}: {}, {} between, {}",
            count(of(Role::Input), "input"),
            of(Role::Between),
            count(of(Role::Output), "output")
        )?;
        for vertex in graph.vertices() {
            writeln!(f, "    {}", describe_vertex(flattened, vertex))?;
        }
        for output in flattened.outputs.iter().filter(|output| output.vertex.is_none()) {
            writeln!(f, "    constant: {}", describe_end(output.what, Role::Output))?;
        }
        write_edges(f, graph, &flattened.terms, self.reader.function)
    }

    fn write_jacobian(&self, f: &mut fmt::Formatter<'_>, flattened: &Flattened) -> fmt::Result {
        let layout = Layout::parse(&self.reader.program.layout);
        let jacobian = accumulate(&flattened.graph, &flattened.terms, Extent::Complete, self.asked);
        writeln!(f, "    eliminated by {}: {}", jacobian.recipe.by, describe_price(&jacobian, &layout))?;
        let recipe = jacobian.recipe.clone();
        let scarce = accumulate_by(&flattened.graph, &flattened.terms, recipe, Extent::Scarcest);
        if scarce.recorded_bytes(&layout) < jacobian.recorded_bytes(&layout) {
            let price = describe_price(&scarce, &layout);
            writeln!(f, "    scarcest after {} of {} steps: {price}", scarce.steps, jacobian.steps)?;
        }
        write_edges(f, &jacobian.remainder, &jacobian.terms, self.reader.function)
    }
}

fn describe_price(jacobian: &LocalJacobian, layout: &Layout) -> String {
    format!(
        "{}; to apply {}; {} bytes to record",
        jacobian.cost_of_computing(),
        jacobian.cost_of_applying(),
        jacobian.recorded_bytes(layout)
    )
}

fn labels(graph: &Graph<Label>) -> impl Iterator<Item = Label> {
    graph.edges().into_iter().map(|(.., label)| label)
}

/// The terms that labels are made of, then the edges.
fn write_edges(
    f: &mut fmt::Formatter<'_>,
    graph: &Graph<Label>,
    terms: &Terms,
    function: &Function,
) -> fmt::Result {
    for text in describe_terms(graph, terms, function) {
        writeln!(f, "    {text}")?;
    }
    for (from, to, label) in graph.edges() {
        let text = describe_label(label, terms, function);
        writeln!(f, "    v{} -> v{}: {text}", from.index(), to.index())?;
    }
    Ok(())
}

/// How the terms are computed that labels name, and those that these are made of.
pub fn describe_terms(graph: &Graph<Label>, terms: &Terms, function: &Function) -> Vec<String> {
    let needed = terms.needed(labels(graph).filter_map(Label::term));
    let texts = needed.into_iter().map(|term| (term, describe_term(term, terms, function)));
    texts.filter_map(|(term, text)| Some(format!("t{} = {}", term.0, text?))).collect()
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A vertex with its role, what it is, and where it goes.
pub fn describe_vertex(flattened: &Flattened, vertex: Vertex) -> String {
    let role = flattened.graph.role(vertex);
    let prefix = match role {
        Role::Input => "in ",
        Role::Between => "",
        Role::Output => "out ",
    };
    let mut text = format!("{prefix}v{}", vertex.index());
    if let Some(what) = flattened.names.get(&vertex) {
        text += &format!(": {}", describe_end(*what, Role::Input));
    }
    let goes = flattened.outputs.iter().filter(|output| output.vertex == Some(vertex));
    let elsewhere = goes.filter(|output| flattened.names.get(&vertex) != Some(&output.what));
    elsewhere.for_each(|output| text += &format!(", {}", describe_end(output.what, Role::Output)));
    text
}

fn describe_end(what: What, role: Role) -> String {
    match what {
        What::Value(value) if value.part == 0 => format!("%{}", value.id.0),
        What::Value(value) => format!("%{}.{}", value.id.0, value.part),
        What::Cell(access) if role == Role::Output => format!("the cell written by %{}", access.0),
        What::Cell(access) => format!("the cell read by %{}", access.0),
    }
}

pub fn describe_label(label: Label, terms: &Terms, function: &Function) -> String {
    let sign = if label.negative { "-" } else { "" };
    format!("{sign}{}", describe_factor(label.factor, terms, function))
}

fn describe_factor(factor: Factor, terms: &Terms, function: &Function) -> String {
    match factor {
        Factor::One => "1".into(),
        Factor::Term(term) => name_term(term, terms, function),
    }
}

/// A leaf by what it is, any other term by its number.
fn name_term(term: TermId, terms: &Terms, function: &Function) -> String {
    match terms.term(term) {
        Term::Leaf(leaf) => describe_leaf(leaf, function),
        Term::Product { .. } | Term::Sum { .. } | Term::Fused { .. } => format!("t{}", term.0),
    }
}

fn describe_leaf(leaf: &Leaf, function: &Function) -> String {
    match leaf {
        Leaf::Primal(Operand::Value(value)) => format!("%{}", value.0),
        Leaf::Primal(Operand::Const(constant)) => constant.to_string(),
        Leaf::Partial { inst, result, operand } => {
            let part = if *result == 0 { String::new() } else { format!(".{result}") };
            let by = function.inst(*inst).and_then(|inst| inst.operands.get(usize::from(*operand))?.value());
            format!("d%{}{part}/d%{}", inst.0, by.map_or(0, |value| value.0))
        }
        Leaf::Given(number) => format!("c{number}"),
    }
}

/// How a term is computed; `None` for a leaf.
fn describe_term(term: TermId, terms: &Terms, function: &Function) -> Option<String> {
    let name = |term: TermId| name_term(term, terms, function);
    let factor = |factor: Factor| describe_factor(factor, terms, function);
    let sign = |sign: Sign| if sign == Sign::Plus { "+" } else { "-" };
    let times = |guarded: bool| if guarded { "*0" } else { "*" };
    let text = match terms.term(term) {
        Term::Leaf(_) => return None,
        Term::Product { outer, inner, guarded } => {
            format!("{} {} {}", name(*outer), times(*guarded), name(*inner))
        }
        Term::Sum { left, right, sign: plus } => {
            format!("{} {} {}", factor(*left), sign(*plus), factor(*right))
        }
        Term::Fused { addend, sign: plus, outer, inner, guarded } => {
            let product = format!("{} {} {}", name(*outer), times(*guarded), name(*inner));
            format!("{} {} {product}", factor(*addend), sign(*plus))
        }
    };
    let constant = if terms.facts(term).kind == Kind::Constant { ", constant" } else { "" };
    Some(text + constant)
}
