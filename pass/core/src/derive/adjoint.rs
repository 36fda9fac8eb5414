//! The reverse of one instruction: takes the adjoint of its result, adds to the adjoints of its operands.

use super::Source;
use super::accumulate::accumulate;
use super::builder::{Builder, nothing_of, zero_of};
use super::cells::{Cells, load, store};
use super::expand::{Scope, expand_contribution};
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{Constant, Inst, Op, Operand, Type, ValueId};
use crate::rules::{Row, Shape};

/// Where the reverse sweep finds primal values.
pub trait Primals {
    fn primal(&self, builder: &mut Builder, operand: &Operand) -> Operand;
    /// The shadow of a pointer, in one direction.
    fn shadow(&self, builder: &mut Builder, operand: &Operand, lane: u32) -> Operand;
}

pub struct AdjointWriter<'a> {
    pub source: &'a Source<'a>,
    pub cells: &'a Cells,
    pub primals: &'a dyn Primals,
}

impl AdjointWriter<'_> {
    /// Writes the reverse of an active instruction that is no phi and no terminator, in every direction.
    pub fn write_inst(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        builder.loc = inst.loc;
        builder.flags = super::derived_flags(inst.flags);
        for lane in 0..self.source.plan.width() {
            let d = self.take_adjoint(builder, id, lane);
            match meaning(inst, self.source.function, self.source.program, self.source.rules) {
                Meaning::Row { row, operands, shape } => {
                    self.write_row(builder, id, row, shape, &operands, &d, lane);
                }
                Meaning::Reduction(_) => self.reverse_sum(builder, inst, &d, lane),
                _ => self.write_move(builder, inst, &d, lane),
            }
        }
    }

    /// Reads an adjoint and leaves zero, so that a loop's next iteration starts afresh.
    pub fn take_adjoint(&self, builder: &mut Builder, id: ValueId, lane: u32) -> Operand {
        let ty = self.source.function.value_type(id).clone();
        let Some(cell) = self.cells.adjoint(id, lane) else { return Operand::Const(zero_of(&ty)) };
        let d = load(builder, cell, ty.clone());
        store(builder, cell, Operand::Const(nothing_of(&ty)));
        d
    }

    /// Adds to an operand's adjoint, where it has one.
    pub fn add_to(&self, builder: &mut Builder, operand: &Operand, lane: u32, value: Operand) {
        let Operand::Value(id) = operand else { return };
        if let Some(cell) = self.cells.adjoint(*id, lane) {
            accumulate(builder, cell, self.source.function.value_type(*id), value);
        }
    }

    /// Whether an operand has an adjoint here.
    fn takes(&self, operand: &Operand, lane: u32) -> bool {
        operand.value().is_some_and(|id| self.cells.adjoint(id, lane).is_some())
    }

    #[expect(clippy::too_many_arguments, reason = "a row at one place: shape, operands, derivative, lane")]
    fn write_row(
        &self,
        builder: &mut Builder,
        id: ValueId,
        row: &Row,
        shape: Shape,
        operands: &[Operand],
        d: &Operand,
        lane: u32,
    ) {
        for i in
            (0..row.operands.len()).filter(|i| row.is_real_operand(*i) && self.takes(&operands[*i], lane))
        {
            for k in 0..row.results.len() {
                let form = row.form(k, i);
                if form.is_zero() {
                    continue;
                }
                let needs = form.needs();
                let operands_at_hand: Vec<Option<Operand>> = (0..operands.len())
                    .map(|x| {
                        needs.operands.contains(x as u8).then(|| self.primals.primal(builder, &operands[x]))
                    })
                    .collect();
                let results = if needs.results.is_empty() {
                    vec![None; row.results.len()]
                } else {
                    let whole = self.primals.primal(builder, &Operand::Value(id));
                    super::results_of(builder, row, shape, &whole)
                };
                let Some(part) = super::derivative_of(builder, shape, d, k) else { continue };
                let mut incoming = vec![None; row.results.len()];
                incoming[k] = Some(part.clone());
                let scope = Scope {
                    rules: self.source.rules,
                    strong_zero: self.source.plan.strong_zero,
                    row,
                    operands: &operands_at_hand,
                    results: &results,
                    incoming: &incoming,
                    wanted: self.source.function.operand_type(&operands[i]),
                };
                let value = expand_contribution(builder, &scope, form, &part);
                self.add_to(builder, &operands[i], lane, value);
            }
        }
    }

    fn write_move(&self, builder: &mut Builder, inst: &Inst, d: &Operand, lane: u32) {
        match &inst.op {
            Op::Select => self.reverse_select(builder, inst, d, lane),
            Op::ExtractElement => {
                let from = &inst.operands[0];
                let ty = self.source.function.operand_type(from);
                let at = self.primals.primal(builder, &inst.operands[1]);
                let empty = Operand::Const(zero_of(&ty));
                let value = builder.push(Op::InsertElement, ty, vec![empty, d.clone(), at]);
                self.add_to(builder, from, lane, value);
            }
            Op::InsertElement => {
                let at = self.primals.primal(builder, &inst.operands[2]);
                let element = self.source.function.operand_type(&inst.operands[1]);
                let part = builder.push(Op::ExtractElement, element.clone(), vec![d.clone(), at.clone()]);
                self.add_to(builder, &inst.operands[1], lane, part);
                let gap = Operand::Const(zero_of(&element));
                let rest = builder.push(Op::InsertElement, inst.ty.clone(), vec![d.clone(), gap, at]);
                self.add_to(builder, &inst.operands[0], lane, rest);
            }
            Op::ShuffleVector { mask } => self.reverse_shuffle(builder, inst, mask, d, lane),
            Op::ExtractValue { path } => {
                let from = &inst.operands[0];
                let ty = self.source.function.operand_type(from);
                let empty = Operand::Const(zero_of(&ty));
                let value = builder.push(Op::InsertValue { path: path.clone() }, ty, vec![empty, d.clone()]);
                self.add_to(builder, from, lane, value);
            }
            Op::InsertValue { path } => {
                let part_type = self.source.function.operand_type(&inst.operands[1]);
                let take = Op::ExtractValue { path: path.clone() };
                let part = builder.push(take, part_type.clone(), vec![d.clone()]);
                self.add_to(builder, &inst.operands[1], lane, part);
                let gap = Operand::Const(zero_of(&part_type));
                let put = Op::InsertValue { path: path.clone() };
                let rest = builder.push(put, inst.ty.clone(), vec![d.clone(), gap]);
                self.add_to(builder, &inst.operands[0], lane, rest);
            }
            // A copy: freeze, or a cast between equal float types.
            _ => {
                let ty = self.source.function.operand_type(&inst.operands[0]);
                let value = super::reshape(builder, d.clone(), &ty);
                self.add_to(builder, &inst.operands[0], lane, value);
            }
        }
    }

    /// A sum over lanes and a start hands its derivative to each of them.
    fn reverse_sum(&self, builder: &mut Builder, inst: &Inst, d: &Operand, lane: u32) {
        let [start, vector, ..] = inst.operands.as_slice() else { return };
        self.add_to(builder, start, lane, d.clone());
        let ty = self.source.function.operand_type(vector);
        let all = super::expand::spread(builder, d.clone(), &ty);
        self.add_to(builder, vector, lane, all);
    }

    fn reverse_select(&self, builder: &mut Builder, inst: &Inst, d: &Operand, lane: u32) {
        let test = self.primals.primal(builder, &inst.operands[0]);
        let zero = Operand::Const(nothing_of(&inst.ty));
        for (index, operand) in inst.operands.iter().enumerate().skip(1) {
            if self.takes(operand, lane) {
                let (yes, no) =
                    if index == 1 { (d.clone(), zero.clone()) } else { (zero.clone(), d.clone()) };
                let value = builder.push(Op::Select, inst.ty.clone(), vec![test.clone(), yes, no]);
                self.add_to(builder, operand, lane, value);
            }
        }
    }

    /// Each lane of the result goes back to the lane it came from; one lane may have gone to several places, so
    /// lanes are added one by one.
    fn reverse_shuffle(&self, builder: &mut Builder, inst: &Inst, mask: &[i32], d: &Operand, lane: u32) {
        let Type::Vector(lanes, _) = self.source.function.operand_type(&inst.operands[0]) else { return };
        let element = inst.ty.scalar().clone();
        let index = |at: u32| Operand::Const(Constant::int(32, i128::from(at)));
        for (position, from) in mask.iter().enumerate() {
            let Ok(from) = u32::try_from(*from) else { continue };
            let (operand, at) = if from < lanes.count {
                (&inst.operands[0], from)
            } else {
                (&inst.operands[1], from - lanes.count)
            };
            if !self.takes(operand, lane) {
                continue;
            }
            let ty = self.source.function.operand_type(operand);
            let take = vec![d.clone(), index(position as u32)];
            let part = builder.push(Op::ExtractElement, element.clone(), take);
            let empty = Operand::Const(zero_of(&ty));
            let value = builder.push(Op::InsertElement, ty, vec![empty, part, index(at)]);
            self.add_to(builder, operand, lane, value);
        }
    }
}
