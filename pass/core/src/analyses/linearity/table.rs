//! Linearity as text: for each function its variables as in the paper's table 1, then its loops.
//!
//! ```text
//! linearity of @f
//!        f       a          x
//!   f    linear  nonlinear  nonlinear
//!   loop f.0 at f.c:3:3: carries a, f
//!     plain: nonlinear: f depends on a
//!     use by use: nonlinear: %9 at f.c:5:9 is read by %10, and depends on a
//! ```
//!
//! The variable of a row depends on that of a column in the way given; ⊤ is no dependence. In the loops everything real counts
//! as active. *plain* is section 2.1: a variable that the loop carries is used nonlinearly, wherever. *use by use* is
//! section 2.2, see `carried`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::callee::Linearity;
use super::carried::{Carried, CarriedNeed, carried_by_loop, find_carried_needs, needs_of_loop};
use super::class::Class;
use super::depends::{Depends, Source};
use super::trace::Ground;
use super::variables::{Variable, find_variables, number_variables};
use crate::analyses::adjoint::liveness::Kept;
use crate::analyses::adjoint::study::{Reruns, Setting, Study};
use crate::analyses::adjoint::useful::Outputs;
use crate::analyses::adjoint::varied::Inputs;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::pointers::Base;
use crate::analyses::summarise::Bodies;
use crate::dependence::nest::find_dependences;
use crate::dependence::report::Report;
use crate::model::{Function, LoopId, Program, ValueId};
use crate::rules::Rules;

/// Beyond so many variables a table is of no use to anybody.
const MOST_VARIABLES: usize = 64;

/// What `print<backsweep-linearity>` prints.
pub fn describe_linearity(program: &Program, rules: &Rules) -> String {
    let bodies = program.functions.iter().filter(|function| !function.is_declaration());
    bodies.map(|function| describe_function(program, rules, function)).collect()
}

fn describe_function(program: &Program, rules: &Rules, function: &Function) -> String {
    let bodies = Bodies::of(program, rules, &function.name);
    let linearity = Linearity::of(&bodies);
    let Some(ground) = linearity.ground(&function.name) else { return String::new() };
    let mut text = format!("linearity of @{}\n", function.name);
    let variables = find_variables(ground.body);
    if variables.len() > MOST_VARIABLES {
        return text + &format!("  {} variables: too many for a table\n", variables.len());
    }
    let page = Page::of(&bodies, &linearity, &ground, variables);
    text += &page.table();
    for of in 0..function.loops.len() as u32 {
        text += &page.describe_loop(LoopId(of));
    }
    text
}

struct Page<'p, 'a> {
    bodies: &'p Bodies<'a>,
    ground: &'p Ground<'p, 'a>,
    variables: Vec<Variable>,
    names: Vec<String>,
    rows: Vec<Depends>,
}

impl<'p, 'a> Page<'p, 'a> {
    fn of(
        bodies: &'p Bodies<'a>,
        linearity: &Linearity<'p, 'a>,
        ground: &'p Ground<'p, 'a>,
        variables: Vec<Variable>,
    ) -> Page<'p, 'a> {
        let body = ground.body;
        let traced = linearity.trace(ground, number_variables(body, &variables));
        let rows = variables.iter().map(|variable| variable.depends(&traced)).collect();
        let names = variables.iter().map(|variable| variable.name(body)).collect();
        Page { bodies, ground, variables, names, rows }
    }

    fn body(&self) -> &Body<'a> {
        self.ground.body
    }

    /// The columns that are sources, by number.
    fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.variables.len()).filter(|at| self.variables[*at] != Variable::Result)
    }

    fn class(&self, row: usize, column: usize) -> Class {
        self.rows[row].class(Source(column as u32))
    }

    /// One line for each variable that is not a parameter, as nothing assigns those.
    fn table(&self) -> String {
        let columns: Vec<usize> = self.columns().collect();
        let mut lines = vec![vec![String::new()]];
        lines[0].extend(columns.iter().map(|column| self.names[*column].clone()));
        for (row, variable) in self.variables.iter().enumerate() {
            if !matches!(variable, Variable::Param(_)) {
                let classes = columns.iter().map(|column| self.class(row, *column).to_string());
                lines.push([self.names[row].clone()].into_iter().chain(classes).collect());
            }
        }
        align(&lines)
    }

    fn describe_loop(&self, of: LoopId) -> String {
        let (body, program) = (self.body(), self.bodies.program);
        let dependences = find_dependences(program, body.function);
        let carried = carried_by_loop(self.ground, &dependences, of);
        let names: BTreeSet<String> = carried.iter().flat_map(|at| self.carried_names(*at)).collect();
        let report = Report { program, found: &dependences };
        let carries = if names.is_empty() { "nothing".into() } else { join(names) };
        let mut text = format!("  loop {}: carries {carries}\n", report.name_loop(of));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    plain: {}", self.plainly(of, &carried));
        let study = Study::of(self.bodies, Reruns::WherePossible);
        let setting = everything_active(body);
        let needs = study.facts(&body.function.name, &setting, &BTreeSet::new(), &mut |facts| {
            needs_of_loop(self.ground, facts.uses, of)
        });
        let found = find_carried_needs(self.ground, &dependences, of, needs.unwrap_or_default());
        let _ = writeln!(text, "    use by use: {}", self.by_use(&found));
        text
    }

    /// The variables that something carried is a value of.
    fn carried_variables(&self, carried: Carried) -> Vec<usize> {
        let is_one = |variable: &Variable| match (variable, carried) {
            (Variable::Carried(id), Carried::Register(phi)) => *id == phi,
            (Variable::Memory(base), Carried::Memory { read, .. }) => {
                let mut reads = self.body().touches_of(read, Kind::Read);
                reads.any(|read| self.body().touch(read).bases.contains(base))
            }
            _ => false,
        };
        (0..self.variables.len()).filter(|at| is_one(&self.variables[*at])).collect()
    }

    fn carried_names(&self, carried: Carried) -> Vec<String> {
        let known = self.carried_variables(carried);
        match (known.is_empty(), carried) {
            (false, _) => known.into_iter().map(|at| self.names[at].clone()).collect(),
            (true, Carried::Register(id)) => vec![id.to_string()],
            (true, Carried::Memory { read, .. }) => vec![format!("[{read}]")],
        }
    }

    fn plainly(&self, of: LoopId, carried: &BTreeSet<Carried>) -> String {
        let sources: BTreeSet<usize> = carried.iter().flat_map(|at| self.carried_variables(*at)).collect();
        let mut pairs = Vec::new();
        for row in (0..self.variables.len()).filter(|row| self.is_made_in(&self.variables[*row], of)) {
            let bent = sources.iter().filter(|column| !self.class(row, **column).is_linear());
            pairs
                .extend(bent.map(|column| format!("{} depends on {}", self.names[row], self.names[*column])));
        }
        if pairs.is_empty() { "linear".into() } else { format!("nonlinear: {}", join(pairs)) }
    }

    /// Whether a variable is assigned in a loop.
    fn is_made_in(&self, variable: &Variable, of: LoopId) -> bool {
        let body = self.body();
        match variable {
            Variable::Param(_) | Variable::Result => false,
            Variable::Carried(id) => body.nesting.home(*id).is_some_and(|at| body.nesting.encloses(of, at)),
            Variable::Memory(base) => body.touch_ids().any(|touch: TouchId| {
                let found = body.touch(touch);
                found.kind == Kind::Write && found.bases.contains(base) && body.is_inside(touch, of)
            }),
        }
    }

    fn by_use(&self, needs: &[CarriedNeed]) -> String {
        let mut lines: BTreeMap<(ValueId, ValueId), BTreeSet<String>> = BTreeMap::new();
        for need in needs {
            let names = self.carried_names(need.carried);
            lines.entry((need.value, need.reader)).or_default().extend(names);
        }
        if lines.is_empty() {
            return "linear".into();
        }
        let line = |((value, reader), names): ((ValueId, ValueId), BTreeSet<String>)| {
            let what = if value == reader { "its own result".into() } else { self.place(value) };
            format!(
                "the reverse of {} reads {what}, made of {} of another iteration",
                self.place(reader),
                join(names)
            )
        };
        let lines: Vec<String> = lines.into_iter().map(line).collect();
        format!("nonlinear: {}", lines.join("; "))
    }

    fn place(&self, id: ValueId) -> String {
        let loc = self.body().function.inst(id).and_then(|inst| inst.loc);
        let loc = loc.map(|loc| format!(" at {}", self.bodies.program.describe_loc(loc)));
        format!("{id}{}", loc.unwrap_or_default())
    }
}

/// The setting in which all reals are active, and looked at.
pub fn everything_active(body: &Body) -> Setting {
    let function = body.function;
    let reals = function.param_ids().filter(|id| function.value_type(*id).holds_float());
    let memory: BTreeSet<Base> = body
        .touches
        .iter()
        .flat_map(|touch| touch.bases.iter())
        .filter(|base| !base.is_local())
        .cloned()
        .collect();
    Setting {
        inputs: Inputs { values: reals.collect(), memory: memory.clone() },
        outputs: Outputs { result: function.ret.holds_float(), memory: memory.clone() },
        kept: Kept { result: true, memory, effects: true },
    }
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    parts.join(", ")
}

/// Lines of cells, as columns.
fn align(lines: &[Vec<String>]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let row: Vec<String> = cells.collect();
        text += &format!("  {}\n", row.join("  ").trim_end());
    }
    text
}
