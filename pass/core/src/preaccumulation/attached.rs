//! A function in which local Jacobians are attached to the values that they are of.
//!
//! Behind each value that elimination has left, and whose edges it has changed, stand the factors, as ordinary arithmetic,
//! and a chain of [`Op::Attach`]: the same number, whose derivative is the sum of factors times the derivatives of what the
//! edges come from. Whoever used the value uses the end of the chain, so what was eliminated has no derivative any more.
//! Numbers are computed as before, by the instructions that were there.

use std::collections::BTreeMap;

use super::flatten::{Flattened, Value, What};
use super::graph::{Graph, Role, Vertex};
use super::jacobian::LocalJacobian;
use super::terms::{Label, TermId};
use crate::analyses::flow::Flow;
use crate::config::StrongZero;
use crate::derive::{Builder, TermWriter, convert_float, write_label};
use crate::model::{
    Flags, FloatKind, Function, Layout, Link, Op, Operand, Program, Renumbered, Type, ValueId,
};
use crate::rules::Rules;

/// A value, and what its derivative is made of.
#[derive(Clone, Debug)]
pub struct Attachment {
    pub value: ValueId,
    pub edges: Vec<(ValueId, Label)>,
}

/// What is to be attached in one graph.
#[derive(Clone, Debug)]
pub struct Attachments {
    pub jacobian: LocalJacobian,
    pub values: Vec<Attachment>,
    /// The type of all of them.
    pub ty: Type,
}

/// The function with attachments, and where its values come from; those that were put in come from nowhere.
#[derive(Clone, Debug)]
pub struct Attached {
    pub function: Function,
    pub origins: Vec<Option<ValueId>>,
    /// The ends of the chains.
    pub ends: Vec<ValueId>,
}

impl Attached {
    /// The value of the function as it was given that has this number now.
    pub fn origin(&self, id: ValueId) -> Option<ValueId> {
        self.origins.get(id.0 as usize).copied().flatten()
    }

    /// The number that a value of the function as it was given has now.
    pub fn number(&self, id: ValueId) -> Option<ValueId> {
        let at = self.origins.iter().position(|origin| *origin == Some(id))?;
        Some(ValueId(at as u32))
    }

    /// Factors and what they are multiplied with, of a chain by its end.
    pub fn terms(&self, end: ValueId) -> Vec<(Operand, Operand)> {
        let mut terms = Vec::new();
        let mut at = self.function.inst(end);
        while let Some(inst) = at.filter(|inst| matches!(inst.op, Op::Attach(Link::Term { .. }))) {
            terms.push((inst.operands[1].clone(), inst.operands[2].clone()));
            at = inst.operands[0].value().and_then(|before| self.function.inst(before));
        }
        terms.reverse();
        terms
    }
}

impl Attachments {
    /// `None` where elimination changes nothing, or where a value is part of another, or of another type than the rest, or of a type for
    /// which functions are not called directly.
    pub fn of(function: &Function, flat: &Flattened, jacobian: LocalJacobian) -> Option<Attachments> {
        let named = |vertex: Vertex| match flat.names.get(&vertex)? {
            What::Value(Value { id, part: 0 }) | What::Cell(id) => Some(*id),
            What::Value(_) => None,
        };
        let first = flat.graph.vertices().next().and_then(named)?;
        let ty = function.value_type(first).clone();
        let fits = |vertex: Vertex| named(vertex).is_some_and(|id| *function.value_type(id) == ty);
        let plain = matches!(ty, Type::Float(FloatKind::Single | FloatKind::Double));
        if !plain || !flat.graph.vertices().all(fits) {
            return None;
        }
        let remainder = &jacobian.remainder;
        let left: Vec<Vertex> = remainder.vertices().collect();
        let mut values = Vec::new();
        for vertex in flat.graph.vertices().filter(|vertex| flat.graph.role(*vertex) != Role::Input) {
            let (end, value) = (jacobian.end_of(vertex), named(vertex)?);
            let at = if left.contains(&vertex) { vertex } else { end };
            // An input that is an output too is what it was.
            let is_copy = flat.graph.predecessors(vertex).iter().any(|from| named(*from) == Some(value));
            if !left.contains(&at) || is_copy {
                continue;
            }
            let edges = edges_into(remainder, at);
            if edges != edges_into(&flat.graph, vertex) {
                let edges = edges.into_iter().map(|(from, label)| Some((named(from)?, label)));
                values.push(Attachment { value, edges: edges.collect::<Option<_>>()? });
            }
        }
        (!values.is_empty()).then_some(Attachments { jacobian, values, ty })
    }
}

fn edges_into(graph: &Graph<Label>, to: Vertex) -> Vec<(Vertex, Label)> {
    let label = |from: Vertex| graph.label(from, to).map(|label| (from, *label));
    graph.predecessors(to).into_iter().filter_map(label).collect()
}

/// Attaches what several graphs say. No two of them speak of the same value.
pub fn attach(
    function: &Function,
    program: &Program,
    rules: &Rules,
    all: &[Attachments],
    strong_zero: StrongZero,
) -> Attached {
    let builder = Builder::of(function.clone(), Layout::parse(&program.layout));
    let mut written: Vec<BTreeMap<TermId, Operand>> = vec![BTreeMap::new(); all.len()];
    let mut of: BTreeMap<ValueId, (usize, &Attachment)> = BTreeMap::new();
    for (number, attachments) in all.iter().enumerate() {
        of.extend(attachments.values.iter().map(|attachment| (attachment.value, (number, attachment))));
    }
    let mut writing = Writing { function, program, rules, strong_zero, builder, ends: BTreeMap::new() };
    // What one block writes others may use that it leads to, wherever they stand.
    let flow = Flow::of(function);
    let mut homes = flow.dominator_order();
    homes.extend(function.block_ids().filter(|block| !flow.is_reachable(*block)));
    for block in homes {
        for id in writing.builder.reopen(block) {
            writing.builder.place(id);
            if let Some((number, attachment)) = of.get(&id) {
                writing.write(&all[*number], attachment, &mut written[*number]);
            }
        }
    }
    writing.finish()
}

struct Writing<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    strong_zero: StrongZero,
    builder: Builder,
    ends: BTreeMap<ValueId, Operand>,
}

impl Writing<'_> {
    fn write(&mut self, all: &Attachments, this: &Attachment, written: &mut BTreeMap<TermId, Operand>) {
        let terms = &all.jacobian.terms;
        let primal = |_: &mut Builder, operand: &Operand| operand.clone();
        let (function, program, rules) = (self.function, self.program, self.rules);
        // What the products are made of was computed under different promises; none is made for them.
        let flags = Flags::default();
        let writer = TermWriter { function, program, rules, terms, primal: &primal, flags };
        let builder = &mut self.builder;
        builder.loc = function.inst(this.value).and_then(|inst| inst.loc);
        builder.flags = flags;
        writer.write_missing(builder, this.edges.iter().filter_map(|(_, label)| label.term()), written);
        builder.flags = flags;
        // Sums of ones are of the type that the graph computes labels in.
        let mut factor = |label: Label| {
            let factor = write_label(builder, label, written, &all.ty);
            convert_float(builder, factor, &all.ty)
        };
        let factors: Vec<Operand> = this.edges.iter().map(|(_, label)| factor(*label)).collect();
        let start = vec![Operand::Value(this.value)];
        let mut end = builder.push(Op::Attach(Link::Start), all.ty.clone(), start);
        for ((from, label), factor) in this.edges.iter().zip(factors) {
            let singular = label.term().is_some_and(|term| terms.facts(term).singular);
            let link = Link::Term { guarded: singular && self.strong_zero != StrongZero::Never };
            let operands = vec![end, factor, Operand::Value(*from)];
            end = builder.push(Op::Attach(link), all.ty.clone(), operands);
        }
        self.ends.insert(this.value, end);
    }

    /// Gives everybody the end of the chain in place of the value, but for what the chain itself is made of.
    fn finish(mut self) -> Attached {
        let known = self.function.params.len() + self.function.insts.len();
        let count = known + self.builder.added(self.function);
        for id in (self.function.params.len()..count).map(|id| ValueId(id as u32)) {
            let Some(inst) = self.builder.inst_mut(&Operand::Value(id)) else { continue };
            let new = id.0 as usize >= known;
            let operands = match inst.op {
                Op::Attach(Link::Term { .. }) => &mut inst.operands[2..],
                _ if new => &mut inst.operands[..0],
                _ => &mut inst.operands[..],
            };
            for operand in operands {
                if let Some(end) = operand.value().and_then(|value| self.ends.get(&value)) {
                    *operand = end.clone();
                }
            }
        }
        let (mut function, numbers) = self.builder.finish_with_numbers();
        let old = numbers.iter().copied().enumerate().take(known);
        let new = old.map(|(old, new)| (ValueId(old as u32), new)).collect();
        let renumbered = Renumbered { new };
        renumbered.facts(&mut function, &|_| false);
        let mut origins = vec![None; numbers.len()];
        for (old, new) in &renumbered.new {
            origins[new.0 as usize] = Some(*old);
        }
        let ends = self.ends.values().filter_map(Operand::value).map(|end| numbers[end.0 as usize]);
        Attached { ends: ends.collect(), function, origins }
    }
}
