//! The structure of a function as text: how its outputs depend on its inputs, and which of them are sums of small terms.
//!
//! ```text
//! structure of @f
//!   result: nonlinear (degree 4) in x; linear in s
//!   result is a sum over the loop at f.c:4:3, i from 0: partially separable
//!     the term at f.c:5:12 depends on 2 numbers: x[i], x[i + 1]
//!     Jacobian of the terms: in row i entries of x in columns i, i + 1
//!   c[0] at f.c:9:8: linear in x
//! ```
//!
//! Inputs are real parameters and what pointers lead to; an array is one input. What is linear in all that it depends on is
//! linear, or affine, in them together. Of memory each store speaks of what it leaves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::callee::{Linearity, returned};
use super::class::Class;
use super::depends::{Depends, Source};
use super::ends::add_input;
use super::separable::{Element, Sum, Term, counter_name, find_sum};
use super::trace::{Ground, Seeds, Trace};
use super::variables::leads_to_reals;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::pointers::Base;
use crate::analyses::summarise::Bodies;
use crate::dependence::nest::{Dependences, find_dependences};
use crate::model::{Inst, LoopId, Op, Operand, Program, ValueId};
use crate::rules::Rules;

/// What `backsweep explain --structure` prints of one function, which is shown by another name.
pub fn describe_structure(program: &Program, rules: &Rules, function: &str, shown: &str) -> String {
    let bodies = Bodies::of(program, rules, function);
    let linearity = Linearity::of(&bodies);
    let Some(ground) = linearity.ground(function) else { return String::new() };
    let inputs: Vec<ValueId> = ground.body.function.param_ids().collect();
    let mut seeds = Seeds::new();
    for (number, id) in inputs.iter().enumerate() {
        if ground.body.function.value_type(*id).holds_float() || leads_to_reals(ground.body, *id) {
            add_input(ground.body, *id, Source(number as u32), &mut seeds);
        }
    }
    let traced = linearity.trace(&ground, seeds);
    let dependences = find_dependences(program, ground.body.function);
    let page = Page { program, ground: &ground, traced: &traced, dependences: &dependences };
    format!("structure of @{shown}\n{}{}", page.describe_result(), page.describe_stores())
}

struct Page<'p, 'b, 'a> {
    program: &'p Program,
    ground: &'p Ground<'b, 'a>,
    traced: &'p Trace<'p, 'b, 'a>,
    dependences: &'p Dependences<'a>,
}

impl Page<'_, '_, '_> {
    fn describe_result(&self) -> String {
        let body = self.ground.body;
        if !body.function.ret.holds_float() {
            return String::new();
        }
        let mut text = format!("  result: {}\n", self.describe(&returned(self.traced)));
        let ends: Vec<&Inst> =
            body.insts().map(|(_, inst)| inst).filter(|inst| matches!(inst.op, Op::Ret)).collect();
        if let [end] = ends[..]
            && let Some(value) = end.operands.first()
        {
            text += &self.describe_sum("result", value);
        }
        text
    }

    /// What is left behind pointers that the caller gave, store by store.
    fn describe_stores(&self) -> String {
        let body = self.ground.body;
        let mut text = String::new();
        for (id, inst) in body.insts() {
            for write in body.touches_of(id, Kind::Write) {
                let depends = self.traced.touch(write);
                let Some(name) = self.name_write(write).filter(|_| self.is_number(inst)) else { continue };
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {name}{}: {}", self.place(id), self.describe(depends));
                if matches!(inst.op, Op::Store(_)) {
                    text += &self.describe_sum(&name, &inst.operands[0]);
                }
            }
        }
        text
    }

    fn is_number(&self, inst: &Inst) -> bool {
        self.ground.body.function.accessed_type(inst).is_none_or(|ty| ty.holds_float())
    }

    fn name_write(&self, write: TouchId) -> Option<String> {
        let touch = self.ground.body.touch(write);
        let mut bases = touch.bases.iter();
        let (Some(base), None) = (bases.next(), bases.next()) else { return None };
        let (name, at) = match base {
            Base::Param(id) => (self.name(*id), touch.span),
            Base::Global(name) => (name.clone(), touch.span),
            _ => return None,
        };
        let whole = at.bytes.map(i128::from).filter(|bytes| at.stride == 0 && at.offset % bytes == 0);
        Some(whole.map_or_else(|| format!("{name}[…]"), |bytes| format!("{name}[{}]", at.offset / bytes)))
    }

    fn name(&self, id: ValueId) -> String {
        let param = self.ground.body.function.params.get(id.0 as usize);
        param.and_then(|param| param.name.clone()).unwrap_or_else(|| id.to_string())
    }

    fn place(&self, id: ValueId) -> String {
        let loc = self.ground.body.function.inst(id).and_then(|inst| inst.loc);
        loc.map_or(String::new(), |loc| format!(" at {}", self.program.describe_loc(loc)))
    }

    /// The inputs by how the output depends on them.
    fn describe(&self, depends: &Depends) -> String {
        let mut by_class: BTreeMap<Class, Vec<String>> = BTreeMap::new();
        for (source, class) in depends.iter() {
            by_class.entry(class).or_default().push(self.name(ValueId(source.0)));
        }
        if by_class.is_empty() {
            return "independent of all inputs".into();
        }
        let part = |(class, names): (&Class, &Vec<String>)| format!("{class} in {}", names.join(", "));
        let parts: Vec<String> = by_class.iter().rev().map(part).collect();
        parts.join("; ")
    }

    /// The terms of a number that is a sum of several, or over a loop.
    fn describe_sum(&self, name: &str, value: &Operand) -> String {
        let Sum { terms, runs } = find_sum(self.ground, self.traced, self.dependences, value);
        let around = value.value().and_then(|id| self.ground.body.nesting.home(id));
        let around = around.map_or_else(Vec::new, |home| self.ground.body.nesting.chain(home));
        // Of what is linear each input is a term of its own.
        let alone = terms.len() < 2 && !runs && terms.iter().all(|term| term.loops == around);
        if alone || self.traced.operand(value).whole().is_linear() {
            return String::new();
        }
        let small = terms.iter().all(|term| term.width().is_some());
        let verdict = if small { ": partially separable" } else { "" };
        let mut text = format!("  {name} is a sum{}{verdict}\n", self.describe_range(&terms));
        for term in &terms {
            text += &self.describe_term(term);
        }
        text
    }

    fn describe_range(&self, terms: &[Term]) -> String {
        let loops: BTreeSet<LoopId> = terms.iter().flat_map(|term| term.loops.iter().copied()).collect();
        if loops.is_empty() {
            return format!(" of {} terms", terms.len());
        }
        let nesting = &self.ground.body.nesting;
        let name = |of: &LoopId| {
            let header = nesting.function.loops[of.0 as usize].header;
            let place = nesting.function.terminator(header).map_or(String::new(), |id| self.place(id));
            format!("the loop{place}, {} from 0", counter_name(nesting.depth(*of) - 1))
        };
        let names: Vec<String> = loops.iter().map(name).collect();
        format!(" over {}", names.join(" and "))
    }

    fn describe_term(&self, term: &Term) -> String {
        let inputs: Vec<String> = term.inputs.iter().map(|input| self.describe_element(input)).collect();
        let inputs = inputs.join(", ");
        let place = self.place(term.value);
        match term.width() {
            Some(1) => {
                format!("    the term{place} depends on 1 number: {inputs}\n{}", self.describe_row(term))
            }
            Some(width) => {
                format!(
                    "    the term{place} depends on {width} numbers: {inputs}\n{}",
                    self.describe_row(term)
                )
            }
            None => format!("    the term{place} depends on {inputs}\n"),
        }
    }

    fn describe_element(&self, input: &Element) -> String {
        match input {
            Element::Of { param, index } => format!("{}[{index}]", self.name(*param)),
            Element::OneOf { param, load } => {
                format!("the one of {} read{}", self.name(*param), self.place(*load))
            }
            Element::Whole(param) => self.name(*param),
            Element::Many(value) => format!("what may be many numbers{}", self.place(*value)),
        }
    }

    /// The row of the Jacobian that belongs to a term of a loop.
    fn describe_row(&self, term: &Term) -> String {
        if term.loops.is_empty() {
            return String::new();
        }
        let mut columns: BTreeMap<ValueId, Vec<String>> = BTreeMap::new();
        for input in &term.inputs {
            let (param, column) = match input {
                Element::Of { param, index } => (param, index.clone()),
                Element::OneOf { param, load } => (param, format!("that read{}", self.place(*load))),
                Element::Whole(param) => (param, "0".into()),
                Element::Many(_) => return String::new(),
            };
            columns.entry(*param).or_default().push(column);
        }
        let depths = term.loops.iter().map(|of| counter_name(self.ground.body.nesting.depth(*of) - 1));
        let row: Vec<String> = depths.collect();
        let part = |(param, indices): (&ValueId, &Vec<String>)| {
            format!("of {} in columns {}", self.name(*param), indices.join(", "))
        };
        let parts: Vec<String> = columns.iter().map(part).collect();
        format!("    Jacobian of the terms: in row {} entries {}\n", row.join(", "), parts.join("; "))
    }
}
