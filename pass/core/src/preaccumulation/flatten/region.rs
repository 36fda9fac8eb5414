//! Straight-line regions of a function, read as steps.
//!
//! A region is a chain of blocks of which each leads to the next alone, and the next is reached from it alone: control
//! that enters it runs all of it. Function + activity → regions, region → [`Code`].

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Action, Code, Source, Step, Value};
use super::partial::{cost_of, partial_of};
use super::regular::Regular;
use super::uses::Uses;
use crate::analyses::activity::Activity;
use crate::analyses::flow::Flow;
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{memory_call, touched_pointers};
use crate::analyses::overlap::Overwrites;
use crate::config::StrongZero;
use crate::model::{
    Access, BlockId, Constant, Function, Inst, Op, Operand, Ordering, Program, Type, ValueId,
};
use crate::preaccumulation::cost::Cost;
use crate::preaccumulation::tally::Kind;
use crate::preaccumulation::terms::{Facts, Label, Leaf, Terms};
use crate::rules::{Expr, Row, Rules, Shape, float_constant};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// In the order in which control takes them; never empty.
    pub blocks: Vec<BlockId>,
}

/// What reading a function takes.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub activity: &'a Activity,
    pub strong_zero: StrongZero,
}

pub fn find_regions(function: &Function, flow: &Flow) -> Vec<Region> {
    let follows = |block: BlockId| match flow.successors(block) {
        [next] if flow.predecessors(*next).len() == 1 && *next != BlockId(0) => Some(*next),
        _ => None,
    };
    let reachable: Vec<BlockId> = function.block_ids().filter(|block| flow.is_reachable(*block)).collect();
    let inner: BTreeSet<BlockId> = reachable.iter().filter_map(|block| follows(*block)).collect();
    // A cycle of such blocks alone cannot be reached, so every chain has a first block.
    let heads = reachable.into_iter().filter(|block| !inner.contains(block));
    heads
        .map(|head| Region { blocks: std::iter::successors(Some(head), |block| follows(*block)).collect() })
        .collect()
}

impl Reader<'_> {
    pub fn read(&self, region: &Region, uses: &Uses) -> Code {
        let mut reading = Reading {
            reader: self,
            steps: Vec::new(),
            step_of: BTreeMap::new(),
            terms: Terms::new(self.strong_zero, Type::DOUBLE),
        };
        for (position, block) in region.blocks.iter().enumerate() {
            for id in &self.function.block(*block).insts {
                if let Some(inst) = self.function.inst(*id) {
                    reading.read_inst(*id, inst, position > 0);
                }
            }
        }
        let mut code = Code { steps: reading.steps, terms: reading.terms };
        let inside: BTreeSet<ValueId> = code.steps.iter().map(|step| step.value.id).collect();
        for step in &mut code.steps {
            step.wanted = match step.action {
                Action::Write => uses.is_cell_used(step.value.id, region),
                Action::Compute | Action::Copy | Action::Read => uses.is_value_used(step.value.id, &inside),
                Action::Barrier => false,
            };
        }
        code
    }
}

struct Reading<'a> {
    reader: &'a Reader<'a>,
    steps: Vec<Step>,
    step_of: BTreeMap<Value, usize>,
    terms: Terms,
}

impl Reading<'_> {
    /// `inner` is a block that control enters from the block before it only, so that a phi is a copy.
    fn read_inst(&mut self, id: ValueId, inst: &Inst, inner: bool) {
        let reader = self.reader;
        let active = reader.activity.is_active(id);
        match &inst.op {
            Op::Phi { .. } if inner && active && inst.ty.is_real() => {
                return self.add(Value::whole(id), Action::Copy, &inst.operands[..1]);
            }
            Op::Phi { .. } => return,
            Op::Load(access) if active => {
                let plain = is_plain(access) && inst.ty.is_real();
                return self.add(Value::whole(id), if plain { Action::Read } else { Action::Barrier }, &[]);
            }
            Op::Store(access) => return self.read_store(id, inst, access),
            _ => {}
        }
        match meaning(inst, reader.function, reader.program, reader.rules) {
            Meaning::Row { row, operands, shape } if active => self.read_row(id, inst, row, &operands, shape),
            Meaning::Move if active => self.read_move(id, inst),
            Meaning::Memory if matches!(inst.op, Op::Gep(_) | Op::Alloca(_) | Op::Load(_)) => {}
            Meaning::Row { .. } | Meaning::Move | Meaning::Bits | Meaning::Reduction(_) if !active => {}
            Meaning::Inactive(_) | Meaning::Control => {}
            _ if memory_call(inst).is_some_and(|call| {
                let pointers = touched_pointers(inst, call);
                !pointers.iter().any(|pointer| reader.activity.is_shadowed(pointer))
            }) => {}
            Meaning::Row { .. }
            | Meaning::Move
            | Meaning::Bits
            | Meaning::Reduction(_)
            | Meaning::Memory
            | Meaning::Call(_)
            | Meaning::Foreign(_)
            | Meaning::Opaque(_) => self.add(Value::whole(id), Action::Barrier, &inst.operands),
        }
    }

    fn read_store(&mut self, id: ValueId, inst: &Inst, access: &Access) {
        let reader = self.reader;
        let beside = reader.activity.overwrites(id).is_some_and(Overwrites::is_beside);
        let ty = reader.function.operand_type(&inst.operands[0]);
        if !reader.activity.is_shadowed(&inst.operands[1]) || ty.is_pointer() || beside {
            return;
        }
        let action = if is_plain(access) && ty.is_real() { Action::Write } else { Action::Barrier };
        self.add(Value::whole(id), action, &inst.operands[..1]);
    }

    /// Values that pass through whole are copies; the derivative of a part needs its place in the whole.
    fn read_move(&mut self, id: ValueId, inst: &Inst) {
        let one = Value::whole(id);
        let first = inst.operands.first();
        if let (Op::ExtractValue { path }, Some(Operand::Value(whole))) = (&inst.op, first)
            && let [field] = path.as_slice()
            && let Some(step) = self.step_of.get(&Value { id: *whole, part: *field as u8 })
        {
            let operands = vec![(Source::Step(*step), Label::ONE)];
            return self.push(one, Action::Copy, operands);
        }
        let whole = matches!(inst.op, Op::Freeze | Op::Cast(_))
            && inst.ty.is_real()
            && first.is_some_and(|operand| self.reader.function.operand_type(operand) == inst.ty);
        self.add(one, if whole { Action::Copy } else { Action::Barrier }, &inst.operands);
    }

    fn read_row(&mut self, id: ValueId, inst: &Inst, row: &Row, operands: &[Operand], shape: Shape) {
        let fields: Vec<Type> = match shape {
            Shape::Value if inst.ty.is_real() => vec![inst.ty.clone()],
            Shape::Struct => inst.ty.parts().unwrap_or_default().into_iter().cloned().collect(),
            Shape::Value | Shape::Stored { .. } => Vec::new(),
        };
        if fields.is_empty() {
            return self.add(Value::whole(id), Action::Barrier, operands);
        }
        for (k, _) in fields.iter().enumerate().filter(|(_, field)| field.is_real()) {
            let mut edges = Vec::new();
            for (i, operand) in operands.iter().enumerate().take(row.operands.len()) {
                let flows = row.is_real_operand(i) && !row.form(k, i).is_zero();
                if let Some(source) = self.source(operand).filter(|_| flows) {
                    edges.push((source, self.label(id, row, operands, shape, (k, i))));
                }
            }
            let part = if shape == Shape::Struct { k as u8 } else { 0 };
            self.push(Value { id, part }, Action::Compute, edges);
        }
    }

    /// The partial derivative of result `k` by operand `i`.
    fn label(
        &mut self,
        id: ValueId,
        row: &Row,
        operands: &[Operand],
        shape: Shape,
        (k, i): (usize, usize),
    ) -> Label {
        let partial = partial_of(row.form(k, i));
        let Some(expr) = partial.expr else { return Label::ONE.signed(partial.negative) };
        let ty = self.reader.function.operand_type(&operands[i]);
        let needs = expr.needs();
        let is_constant = |operand: u8| matches!(operands[operand as usize], Operand::Const(_));
        let constant = needs.results.is_empty() && needs.operands.iter().all(is_constant);
        let kind = if constant { Kind::Constant } else { Kind::Variable };
        let Reader { function, program, rules, .. } = *self.reader;
        let singular = row.is_singular() && !Regular { function, program, rules }.is_regular(row, operands);
        let leaf = match &expr {
            Expr::X(x) if !row.is_singular() => Leaf::Primal(operands[*x as usize].clone()),
            Expr::Y(_) if !row.is_singular() && shape == Shape::Value => Leaf::Primal(Operand::Value(id)),
            _ => Leaf::Partial { inst: id, result: k as u8, operand: i as u8 },
        };
        if let Leaf::Primal(Operand::Const(constant)) = &leaf
            && let Some(negative) = sign_of_unit(constant)
        {
            return Label::ONE.signed(negative != partial.negative);
        }
        let cost = if constant { Cost::default() } else { cost_of(&expr) };
        let facts = Facts { kind, singular, ty, cost };
        Label::of(self.terms.leaf(leaf, facts)).signed(partial.negative)
    }

    /// Adds a step that depends on operands as they are.
    fn add(&mut self, value: Value, action: Action, operands: &[Operand]) {
        let sources = operands.iter().filter_map(|operand| self.source(operand));
        let operands = sources.map(|source| (source, Label::ONE)).collect();
        self.push(value, action, operands);
    }

    fn push(&mut self, value: Value, action: Action, operands: Vec<(Source, Label)>) {
        self.step_of.insert(value, self.steps.len());
        self.steps.push(Step { value, action, operands, wanted: false });
    }

    /// Where an active value comes from. What a barrier computed comes from outside.
    fn source(&self, operand: &Operand) -> Option<Source> {
        let value = Value::whole(operand.value()?);
        if !self.reader.activity.is_operand_active(operand) {
            return None;
        }
        let step = self.step_of.get(&value).filter(|at| self.steps[**at].action != Action::Barrier);
        Some(step.map_or(Source::Outside(value), |at| Source::Step(*at)))
    }
}

fn is_plain(access: &Access) -> bool {
    !access.volatile && access.ordering == Ordering::NotAtomic
}

/// Whether a float is one or minus one; `Some(true)` for minus one.
fn sign_of_unit(constant: &Constant) -> Option<bool> {
    let Constant::Float { kind, .. } = constant else { return None };
    [(1.0, false), (-1.0, true)]
        .into_iter()
        .find(|(value, _)| *constant == float_constant(*kind, *value))
        .map(|(_, negative)| negative)
}
