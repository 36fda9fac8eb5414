//! The dependence graph of a program for Graphviz: accesses are nodes, dependences edges.

use std::fmt::Write;

use super::finding::Finding;
use super::nest::find_dependences;
use super::report::Report;
use crate::model::Program;

/// What the `-dot` export writes; solid edges are proved possible, dashed ones unknown.
pub fn export_dot(program: &Program) -> String {
    let mut text = String::from("digraph dependence {\n  node [shape=box];\n");
    for (number, function) in program.functions.iter().enumerate().filter(|(_, at)| !at.loops.is_empty()) {
        let found = find_dependences(program, function);
        let report = Report { program, found: &found };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label=\"{}\";", escape(&function.name));
        for at in (0..found.accesses.list.len()).filter(|at| !found.accesses.list[*at].loops.is_empty()) {
            let _ = writeln!(text, "    f{number}_{at} [label=\"{}\"];", escape(&report.name_access(at)));
        }
        for pair in &found.pairs {
            let style = if matches!(pair.finding, Finding::Unknown { .. }) { ", style=dashed" } else { "" };
            for edge in &pair.edges {
                let label = escape(&format!("{} {}", edge.kind, edge.vector));
                let _ = writeln!(
                    text,
                    "    f{number}_{} -> f{number}_{} [label=\"{label}\"{style}];",
                    edge.from, edge.to
                );
            }
        }
        text += "  }\n";
    }
    text + "}\n"
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
