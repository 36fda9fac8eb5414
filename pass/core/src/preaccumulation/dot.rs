//! Graphs for Graphviz: each as it was flattened, and beside it what elimination left. A note says what the terms are that
//! labels name.

use std::fmt::Write;

use super::flatten::{Flattened, Reader, Split, flatten_function};
use super::graph::{Graph, Role};
use super::jacobian::{Extent, accumulate};
use super::report::{describe_label, describe_terms, describe_vertex};
use super::terms::{Label, Terms};
use crate::elimination::Elimination;
use crate::model::Function;

/// What `print<backsweep-graph-dot>` prints of one function, without the frame around it.
pub fn export_dot(reader: &Reader, split: Split, asked: Option<&Elimination>) -> String {
    let mut text = String::new();
    for flat in flatten_function(reader, split) {
        for (number, flattened) in flat.graphs.iter().enumerate() {
            let name = format!("{}.{}.{number}", reader.function.name, flat.region.blocks[0].0);
            text += &export_graph(&name, flattened, reader.function, asked);
        }
    }
    text
}

/// Wraps what was exported of several functions.
pub fn frame_dot(clusters: &str) -> String {
    format!("digraph graphs {{\n  rankdir=BT;\n{clusters}}}\n")
}

fn export_graph(
    name: &str,
    flattened: &Flattened,
    function: &Function,
    asked: Option<&Elimination>,
) -> String {
    let jacobian = accumulate(&flattened.graph, &flattened.terms, Extent::Complete, asked);
    let after = format!("{name} eliminated by {}", jacobian.recipe.by);
    export_cluster(name, "a", flattened, &flattened.graph, &flattened.terms, function)
        + &export_cluster(&after, "b", flattened, &jacobian.remainder, &jacobian.terms, function)
}

fn export_cluster(
    title: &str,
    suffix: &str,
    flattened: &Flattened,
    graph: &Graph<Label>,
    terms: &Terms,
    function: &Function,
) -> String {
    let key = title.split(' ').next().unwrap_or(title);
    let id = |number: usize| format!("\"{}.{suffix}{number}\"", escape(key));
    let mut text =
        format!("  subgraph \"cluster {}.{suffix}\" {{\n    label=\"{}\";\n", escape(key), escape(title));
    let note: Vec<String> =
        [title.to_string()].into_iter().chain(describe_terms(graph, terms, function)).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "    \"{}.{suffix}\" [label=\"{}\", shape=box, style=dashed];",
        escape(key),
        note.iter().map(|line| escape(line)).collect::<Vec<_>>().join("\\n")
    );
    for vertex in graph.vertices() {
        let shape = match graph.role(vertex) {
            Role::Input | Role::Output => "box",
            Role::Between => "ellipse",
        };
        let label = escape(&describe_vertex(flattened, vertex));
        let _ = writeln!(text, "    {} [label=\"{label}\", shape={shape}];", id(vertex.index()));
    }
    for (from, to, label) in graph.edges() {
        let label = escape(&describe_label(label, terms, function));
        let _ = writeln!(text, "    {} -> {} [label=\"{label}\"];", id(from.index()), id(to.index()));
    }
    text + "  }\n"
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
