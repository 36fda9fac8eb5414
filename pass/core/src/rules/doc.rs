//! `docs/rules.md` from the tables.

use std::fmt::Write;

use super::families::FAMILIES;
use super::inactive::{INACTIVE, Pattern};
use super::row::{OperandKind, Row};
use super::{Place, Rules, place_of};

/// The whole document.
pub fn write_document(rules: &Rules) -> String {
    let mut text = include_str!("guide.md").to_owned();
    text +=
        "## Rows\n\nA ← B reads: the derivative of A receives the contribution B. *S* marks singular rows.\n";
    for (topic, rows) in rules.topics() {
        text += &format!("\n### {topic}\n\n| row | names | mathematics | forms | special points |\n");
        text += "|---|---|---|---|---|\n";
        for row in rows {
            text += &write_row(row);
        }
    }
    text += &write_places();
    text += &write_inactive();
    text
}

fn write_row(row: &Row) -> String {
    let edge = match row.edge {
        None => String::new(),
        Some(edge) => format!("{}{}", if edge.singular { "*S* " } else { "" }, edge.policy),
    };
    let cells =
        [format!("`{}`", row.name), write_names(row.name), row.equation.into(), write_forms(row), edge];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

fn write_forms(row: &Row) -> String {
    let reals = row.operands.iter().enumerate().filter(|(_, kind)| **kind == OperandKind::Real);
    let targets: Vec<String> = match row.operands.len() {
        1 => vec!["x".into()],
        _ => reals.map(|(i, _)| format!("x{i}")).collect(),
    };
    let all = targets.iter().cycle().zip(row.texts());
    all.map(|(target, form)| format!("{target} ← `{form}`")).collect::<Vec<_>>().join("<br>")
}

/// The names of a row without the suffixes for types.
fn write_names(row: &str) -> String {
    let Some(family) = FAMILIES.iter().find(|family| family.row == row) else { return String::new() };
    let mut names: Vec<String> = Vec::new();
    names.extend(family.intrinsic.map(|base| format!("`llvm.{base}`")));
    names.extend(family.library.iter().chain(family.aliases).map(|base| format!("`{base}`")));
    names.extend(family.fortran.iter().map(|(base, end)| format!("`{base}*{end}`")));
    names.extend(family.exact.iter().map(|(_, name)| format!("`{name}`")));
    names.join(" ")
}

fn write_places() -> String {
    let mut text = String::from(
        "\n## Operations without a row\n\nInstructions that move values, or carry no derivative. Calls are decided \
         by the callee; operations the model does not know are refused when active. `llvm.vector.reduce.*` over \
         floats folds lanes and is left to emission.\n\n| operation | place |\n|---|---|\n",
    );
    for (name, op) in super::every_op::one_of_each() {
        let place = match place_of(&op) {
            Place::Row(row) => format!("row `{row}`"),
            Place::Link(_) => "the planner's own: what a local Jacobian says".into(),
            Place::Structural(how) => format!("structural: {how}"),
            Place::Inactive(why) => format!("inactive: {why}"),
            Place::Control(how) => format!("control: {how}"),
            Place::Callee => "by the callee".into(),
            Place::Opaque => "refused when active".into(),
        };
        let _ = writeln!(text, "| {name} | {place} |");
    }
    text
}

fn write_inactive() -> String {
    let mut text = String::from(
        "\n## Inactive functions\n\nKnown to carry no derivative. A name with `…` stands for every name that starts \
         so. None of them writes a float to memory. What stands in no list is refused when active.\n",
    );
    for group in INACTIVE {
        let names: Vec<String> = group
            .patterns()
            .map(|pattern| match pattern {
                Pattern::Name(name) => format!("`{name}`"),
                Pattern::Prefix(prefix) => format!("`{prefix}…`"),
                Pattern::RustPath(path) => format!("Rust's `…{path}…`"),
            })
            .collect();
        let _ = write!(text, "\n* **{}**: {}\n", group.reason, names.join(" "));
    }
    text
}
