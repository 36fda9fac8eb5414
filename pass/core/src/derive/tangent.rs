//! Forward mode: every block once, each active value with its tangents beside it.
//!
//! The control flow is the primal's, so tangents are plain values and need no cells.

use super::Source;
use super::arrivals::compare_arrival;
use super::builder::{Builder, zero_of};
use super::calls::{Given, call_tangent};
use super::cells::Cells;
use super::copies::{Copies, insts_of, set_phi};
use super::expand::{Scope, expand_contribution};
use super::globals::{end_globals, reserve_globals, start_globals};
use super::large::spare_vectoriser;
use super::memory::{clear, clear_filled, load_like, look_for_number, store_like};
use super::shadows::{Shadows, allocate_stack_shadows};
use super::signature::{slot_operand, start_function, write_return};
use super::tangents::{Tangents, abreast_type};
use super::tape::call_runtime;
use crate::analyses::flow::Flow;
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::overlap::Overwrites;
use crate::analyses::tape_records::record_call;
use crate::model::{BlockId, FloatOp, Function, Inst, Op, Operand, Type, ValueId};
use crate::plan::{Slot, stores_float};
use crate::request::Part;
use crate::rules::{Row, Shape};

pub struct Writer<'a> {
    pub source: &'a Source<'a>,
    pub builder: Builder,
    pub copies: Copies,
    pub shadows: Shadows,
    cells: Cells,
    tangents: Tangents,
}

/// An active row: which instruction, and what stands for its operands.
struct RowPlace<'a> {
    id: ValueId,
    row: &'a Row,
    shape: Shape,
    operands: &'a [Operand],
    way: Way,
}

/// Which tangents are computed.
#[derive(Clone, Copy)]
enum Way {
    Lane(usize),
    Abreast,
}

pub fn write_tangent(source: &Source, name: &str) -> Function {
    let mut builder = start_function(source, name);
    // A block of its own in front: stack shadows are made once, and nothing comes back to the entry of a function.
    let entry = builder.add_block("enter");
    let mut copies = Copies::of(source);
    let flow = Flow::of(source.function);
    let blocks: Vec<BlockId> =
        source.function.block_ids().filter(|block| flow.is_reachable(*block)).collect();
    for block in &blocks {
        let label = source.function.block(*block).name.clone().unwrap_or_else(|| format!("b{}", block.0));
        copies.blocks.insert(*block, builder.add_block(label));
    }
    builder.move_to(entry);
    let mut cells = Cells::allocate(source, &mut builder);
    allocate_stack_shadows(source, &mut builder, &mut cells);
    reserve_globals(source, &mut builder, &mut cells);
    start_globals(source, &mut builder, &mut cells);
    let shadows = Shadows::of_params(source, &builder, &cells);
    let mut writer = Writer { source, builder, copies, shadows, cells, tangents: Tangents::default() };
    writer.take_params();
    writer.enter();
    // Dominators come first in this order, so operands are copied before their uses; phis are filled at the end.
    for block in flow.dominator_order() {
        writer.write_block(block);
    }
    writer.fill_phis(&blocks);
    spare_vectoriser(writer.builder.finish())
}

impl Writer<'_> {
    fn take_params(&mut self) {
        for (param, id) in self.source.function.param_ids().enumerate() {
            if let Some(primal) = slot_operand(self.source, &self.builder, Slot::Primal { param }) {
                self.copies.values.insert(id, primal);
            }
            let lanes = 0..self.source.plan.width();
            let shadows: Vec<Operand> = lanes
                .filter_map(|lane| slot_operand(self.source, &self.builder, Slot::Shadow { param, lane }))
                .collect();
            if !shadows.is_empty() {
                self.tangents.keep(self.source, &mut self.builder, id, shadows);
            }
        }
    }

    fn enter(&mut self) {
        for ((id, lane), slot) in &self.cells.stack_shadows {
            self.shadows.insert(*id, *lane, slot.clone());
        }
        for id in self.source.function.param_ids() {
            self.arrive(id);
        }
        let first = self.copies.block(BlockId(0));
        self.builder.push(Op::Br { to: first }, Type::Void, Vec::new());
    }

    fn write_block(&mut self, block: BlockId) {
        self.builder.move_to(self.copies.block(block));
        let phis = |op: &Op| matches!(op, Op::Phi { .. });
        for (id, inst) in insts_of(self.source.function, block).filter(|(_, inst)| phis(&inst.op)) {
            self.copies.copy(&mut self.builder, id, inst);
            self.shadows.follow(self.source, &mut self.builder, &self.copies, id, inst);
            if self.source.plan.activity.is_active(id) {
                self.start_phi(id, inst);
            }
        }
        for (id, inst) in insts_of(self.source.function, block).filter(|(_, inst)| !phis(&inst.op)) {
            self.builder.loc = inst.loc;
            if inst.op == Op::Ret {
                self.write_ret(inst);
                continue;
            }
            if self.source.plan.calls.contains_key(&id) {
                self.call_tangent(id, inst);
                self.arrive(id);
                continue;
            }
            if record_call(inst).is_some() && self.source.plan.activity.is_value_shadowed(id) {
                self.widen_record(id, inst);
                continue;
            }
            self.copies.copy(&mut self.builder, id, inst);
            self.shadows.follow(self.source, &mut self.builder, &self.copies, id, inst);
            self.arrive(id);
            self.put_shadow_off(inst);
            self.write_memory(id, inst);
            if self.source.plan.activity.is_active(id) {
                self.write_tangents(id, inst);
            }
        }
    }

    /// Phis whose operands come later.
    fn start_phi(&mut self, id: ValueId, inst: &Inst) {
        let empty = || Op::Phi { from: Vec::new() };
        if let Some(wide) = abreast_type(self.source, &inst.ty) {
            let phi = self.builder.push(empty(), wide, Vec::new());
            return self.tangents.keep_abreast(id, phi);
        }
        let lanes = 0..self.source.plan.width();
        let phis = lanes.map(|_| self.builder.push(empty(), inst.ty.clone(), Vec::new())).collect();
        self.tangents.keep(self.source, &mut self.builder, id, phis);
    }

    fn write_tangents(&mut self, id: ValueId, inst: &Inst) {
        self.builder.flags = super::derived_flags(inst.flags);
        if self.goes_abreast(inst) {
            let all = self.tangent_of_inst(id, inst, Way::Abreast);
            return self.tangents.keep_abreast(id, all);
        }
        let lanes = 0..self.source.plan.width() as usize;
        let lanes = lanes.map(|lane| self.tangent_of_inst(id, inst, Way::Lane(lane))).collect();
        self.tangents.keep(self.source, &mut self.builder, id, lanes);
    }

    /// Whether all tangents of a result come of one computation with those of the operands.
    fn goes_abreast(&self, inst: &Inst) -> bool {
        let source = self.source;
        let stands = |x: &Operand| abreast_type(source, &source.function.operand_type(x)).is_some();
        let active = |x: &&Operand| self.has_tangent(x);
        if !inst.operands.iter().filter(active).all(stands) || abreast_type(source, &inst.ty).is_none() {
            return false;
        }
        match meaning(inst, source.function, source.program, source.rules) {
            Meaning::Row { row, shape: Shape::Value, .. } => {
                (0..row.operands.len()).all(|i| row.form(0, i).is_plain_in_d())
            }
            Meaning::Move => matches!(inst.op, Op::Select | Op::Freeze),
            _ => false,
        }
    }

    fn arrive(&mut self, id: ValueId) {
        compare_arrival(self.source, &mut self.builder, &self.cells, &self.copies, &self.shadows, id);
    }

    /// The tangent of a called function gives the primal, and the tangents of its result beside it.
    fn call_tangent(&mut self, id: ValueId, inst: &Inst) {
        let source = self.source;
        let planned = &source.plan.calls[&id];
        let (copies, shadows, tangents) = (&self.copies, &self.shadows, &self.tangents);
        let is_pointer = |x: &Operand| source.function.operand_type(x).is_pointer();
        let given = Given {
            primal: &mut |_, x| copies.operand(x),
            shadow: &mut |builder, x, lane| match is_pointer(x) {
                true => shadows.of(x, lane),
                false => tangents.lane(source, builder, x, lane as usize),
            },
            globals: &self.cells.globals,
            seeds: Vec::new(),
            tape: None,
        };
        let parts = call_tangent(source, &mut self.builder, inst, planned, given);
        let mut lanes = Vec::new();
        for (part, value) in parts {
            match part {
                Part::Primal => drop(self.copies.values.insert(id, value)),
                Part::Shadow { lane } if inst.ty.is_pointer() => self.shadows.insert(id, lane, value),
                Part::Shadow { .. } => lanes.push(value),
                Part::Tape | Part::Gradient { .. } => unreachable!("forward mode returns no such part"),
            }
        }
        if !lanes.is_empty() {
            self.tangents.keep(source, &mut self.builder, id, lanes);
        }
    }

    fn fill_phis(&mut self, blocks: &[BlockId]) {
        for block in blocks {
            for (id, inst) in insts_of(self.source.function, *block) {
                let Op::Phi { from } = &inst.op else { continue };
                self.copies.fill_phi(&mut self.builder, id, inst);
                self.shadows.fill_phi(self.source, &mut self.builder, &self.copies, id, inst);
                let edges = from.iter().zip(&inst.operands);
                let edges: Vec<(&BlockId, &Operand)> =
                    edges.filter(|(block, _)| self.copies.blocks.contains_key(block)).collect();
                if let Some(phi) = self.tangents.abreast(id).cloned() {
                    self.fill_tangent(&phi, &edges, Way::Abreast);
                }
                for (lane, phi) in self.tangents.apart(id).cloned().into_iter().flatten().enumerate() {
                    self.fill_tangent(&phi, &edges, Way::Lane(lane));
                }
            }
        }
    }

    fn fill_tangent(&mut self, phi: &Operand, edges: &[(&BlockId, &Operand)], way: Way) {
        let mut filled = Vec::new();
        for (block, x) in edges {
            filled.push((self.copies.block(**block), self.tangent(x, way)));
        }
        set_phi(&mut self.builder, phi, filled);
    }

    /// The tangents of an operand: zero where it is not active.
    fn tangent(&mut self, operand: &Operand, way: Way) -> Operand {
        let ty = self.source.function.operand_type(operand);
        match (way, abreast_type(self.source, &ty)) {
            (Way::Abreast, Some(wide)) => self.tangents.all(&wide, operand),
            (Way::Abreast, None) => Operand::Const(zero_of(&ty)),
            (Way::Lane(lane), _) => self.tangents.lane(self.source, &mut self.builder, operand, lane),
        }
    }

    fn has_tangent(&self, operand: &Operand) -> bool {
        operand.value().is_some_and(|value| self.tangents.has(value))
    }

    /// The type of the tangents of a number of some type.
    fn tangent_type(&self, ty: &Type, way: Way) -> Type {
        match way {
            Way::Lane(_) => ty.clone(),
            Way::Abreast => abreast_type(self.source, ty).unwrap_or_else(|| ty.clone()),
        }
    }

    /// What a store, copy, fill or free of active memory does to the shadow.
    fn write_memory(&mut self, id: ValueId, inst: &Inst) {
        let activity = &self.source.plan.activity;
        if let Op::Store(_) = inst.op {
            self.shadows.store_pointer(self.source, &mut self.builder, inst);
            if activity.overwrites(id) == Some(Overwrites::Part) {
                for lane in 0..self.source.plan.width() {
                    let place = self.shadows.of(&inst.operands[1], lane);
                    look_for_number(self.source, &mut self.builder, place, inst);
                }
            }
            let float = stores_float(id, inst, self.source.function, activity);
            if float && activity.is_shadowed(&inst.operands[1]) {
                for lane in 0..self.source.plan.width() {
                    let place = self.shadows.of(&inst.operands[1], lane);
                    let tangent = self.tangent(&inst.operands[0], Way::Lane(lane as usize));
                    store_like(&mut self.builder, &inst.op, &place, tangent);
                }
            }
        }
        let Some(call) = memory_call(inst) else { return };
        let shadowed = inst.operands.first().is_some_and(|x| activity.is_shadowed(x));
        for lane in (0..self.source.plan.width()).filter(|_| shadowed) {
            let place = self.shadows.of(&inst.operands[0], lane);
            match call {
                MemoryCall::Copy if activity.is_shadowed(&inst.operands[1]) => {
                    let mut operands: Vec<Operand> =
                        inst.operands.iter().map(|x| self.copies.operand(x)).collect();
                    operands[0] = place;
                    operands[1] = self.shadows.of(&inst.operands[1], lane);
                    self.builder.push(inst.op.clone(), inst.ty.clone(), operands);
                }
                MemoryCall::Copy => {
                    let bytes = self.copies.operand(&inst.operands[2]);
                    clear(&mut self.builder, &place, bytes);
                }
                MemoryCall::Fill => {
                    let bytes = self.copies.operand(&inst.operands[2]);
                    clear_filled(self.source, &mut self.builder, inst, &place, bytes);
                }
                MemoryCall::Free { .. } => {
                    let lasts = activity.lasting().freed.contains(&id);
                    let free = if lasts { "bs_rt_lasting_shadow_free" } else { "free" };
                    call_runtime(&mut self.builder, free, Type::Void, vec![place]);
                }
                MemoryCall::Allocate { .. } => {}
            }
        }
    }

    fn tangent_of_inst(&mut self, id: ValueId, inst: &Inst, way: Way) -> Operand {
        if let (Op::Load(_), Way::Lane(lane)) = (&inst.op, way) {
            let place = self.shadows.of(&inst.operands[0], lane as u32);
            return load_like(&mut self.builder, &inst.op, &place, &inst.ty);
        }
        match meaning(inst, self.source.function, self.source.program, self.source.rules) {
            Meaning::Row { row, operands, shape } => {
                let place = RowPlace { id, row, shape, operands: &operands, way };
                self.tangent_of_row(inst, &place)
            }
            Meaning::Reduction(_) => self.tangent_of_sum(inst, way),
            _ => self.tangent_of_move(inst, way),
        }
    }

    /// A sum of lanes is linear: the same call on the tangents.
    fn tangent_of_sum(&mut self, inst: &Inst, way: Way) -> Operand {
        let mut operands: Vec<Operand> = inst.arguments().iter().map(|x| self.tangent(x, way)).collect();
        operands.extend(inst.callee().cloned());
        self.builder.push_float(inst.op.clone(), inst.ty.clone(), operands)
    }

    /// The tangent of each result is the sum over active operands of the row's form at the operand's tangent.
    fn tangent_of_row(&mut self, inst: &Inst, place: &RowPlace) -> Operand {
        match place.shape {
            Shape::Value => self.tangent_of_result(place, 0, &inst.ty),
            Shape::Stored { returned, .. } => {
                self.tangent_of_result(place, usize::from(returned.unwrap_or_default()), &inst.ty)
            }
            Shape::Struct => {
                let mut whole = Operand::Const(zero_of(&inst.ty));
                let parts: Vec<Type> = inst.ty.parts().unwrap_or_default().into_iter().cloned().collect();
                for (k, part) in parts.iter().enumerate().filter(|(_, part)| part.is_real()) {
                    let value = self.tangent_of_result(place, k, part);
                    let put = Op::InsertValue { path: vec![k as u32] };
                    whole = self.builder.push(put, inst.ty.clone(), vec![whole, value]);
                }
                whole
            }
        }
    }

    fn tangent_of_result(&mut self, place: &RowPlace, k: usize, ty: &Type) -> Operand {
        let RowPlace { id, row, shape, operands, way } = *place;
        let wanted = self.tangent_type(ty, way);
        let mut sum: Option<Operand> = None;
        for i in (0..row.operands.len()).filter(|i| row.is_real_operand(*i)) {
            let form = row.form(k, i);
            if form.is_zero() || !self.has_tangent(&operands[i]) {
                continue;
            }
            let d = self.tangent(&operands[i], way);
            let copies: Vec<Option<Operand>> =
                operands.iter().map(|x| Some(self.copies.operand(x))).collect();
            let results = super::results_of(&mut self.builder, row, shape, &self.copies.values[&id]);
            let mut incoming = vec![None; row.results.len()];
            incoming[k] = Some(d.clone());
            let scope = Scope {
                rules: self.source.rules,
                strong_zero: self.source.plan.strong_zero,
                row,
                operands: &copies,
                results: &results,
                incoming: &incoming,
                wanted: wanted.clone(),
            };
            let value = expand_contribution(&mut self.builder, &scope, form, &d);
            sum = Some(match sum {
                None => value,
                Some(sum) => {
                    self.builder.push_float(Op::Float(FloatOp::Add), wanted.clone(), vec![sum, value])
                }
            });
        }
        sum.unwrap_or_else(|| Operand::Const(zero_of(&wanted)))
    }

    /// A move of values is the same move of tangents; conditions and indices stay the primal's.
    fn tangent_of_move(&mut self, inst: &Inst, way: Way) -> Operand {
        let carries = |index: usize| match inst.op {
            Op::Select => index > 0,
            Op::ExtractElement => index == 0,
            Op::InsertElement => index < 2,
            _ => true,
        };
        let operands = inst
            .operands
            .iter()
            .enumerate()
            .map(|(index, x)| if carries(index) { self.tangent(x, way) } else { self.copies.operand(x) })
            .collect();
        self.builder.push(inst.op.clone(), self.tangent_type(&inst.ty, way), operands)
    }

    fn write_ret(&mut self, inst: &Inst) {
        end_globals(self.source, &mut self.builder, &self.cells);
        let value = inst.operands.first().cloned();
        let (copies, tangents, shadows) = (&self.copies, &self.tangents, &self.shadows);
        let source = self.source;
        write_return(source, &mut self.builder, |builder, part| match (part, &value) {
            (Part::Primal, Some(value)) => copies.operand(value),
            (Part::Shadow { lane }, Some(value)) if source.function.ret.is_pointer() => {
                shadows.of(value, lane)
            }
            (Part::Shadow { lane }, Some(value)) => tangents.lane(source, builder, value, lane as usize),
            _ => unreachable!("forward mode returns the primal and its tangents"),
        });
    }
}
