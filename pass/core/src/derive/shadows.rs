//! Shadow pointers in a sweep that runs forward: beside each pointer to active memory, the pointer to its shadow.
//!
//! Tangents and the forward sweep of reverse mode share this: only what happens to floats in memory differs.

use std::collections::BTreeMap;

use super::Source;
use super::builder::Builder;
use super::cells::Cells;
use super::copies::{Copies, set_phi};
use super::globals::ConstantShadows;
use super::memory::{clear, load_like, store_like};
use super::signature::slot_operand;
use super::zeroed::make_zeroed;
use crate::analyses::globals::is_thread_address;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::model::{CastOp, Constant, Inst, IntOp, Op, Operand, Type, ValueId};
use crate::plan::Slot;

#[derive(Default)]
pub struct Shadows {
    pointers: BTreeMap<(ValueId, u32), Operand>,
    /// Those of constant addresses.
    constants: ConstantShadows,
}

impl Shadows {
    /// Starts with the shadows that are parameters, and those of globals.
    pub fn of_params(source: &Source, builder: &Builder, cells: &Cells) -> Shadows {
        let mut shadows = Shadows { constants: cells.globals.of_constants().clone(), ..Shadows::default() };
        for (param, id) in source.function.param_ids().enumerate() {
            for lane in 0..source.plan.width() {
                if let Some(shadow) = slot_operand(source, builder, Slot::Shadow { param, lane })
                    && source.function.value_type(id).is_pointer()
                {
                    shadows.pointers.insert((id, lane), shadow);
                }
            }
        }
        shadows
    }

    pub fn insert(&mut self, id: ValueId, lane: u32, shadow: Operand) {
        self.pointers.insert((id, lane), shadow);
    }

    pub fn get(&self, id: ValueId, lane: u32) -> Option<&Operand> {
        self.pointers.get(&(id, lane))
    }

    /// The shadow of a pointer operand: an address behind which there is nothing is its own, null stands for that of a
    /// pointer without one.
    pub fn of(&self, operand: &Operand, lane: u32) -> Operand {
        let known = match operand {
            Operand::Value(value) => self.pointers.get(&(*value, lane)),
            Operand::Const(address) if address.is_nowhere() => Some(operand),
            Operand::Const(address) => self.constants.get(&(address.clone(), lane)),
        };
        known.cloned().unwrap_or(Operand::Const(Constant::Null(Type::PTR)))
    }

    /// Makes the shadow of the pointer that an instruction just copied defines, in every direction. Phis are empty
    /// until [`Shadows::fill_phi`]; the shadows of stack slots are made beforehand.
    pub fn follow(
        &mut self,
        source: &Source,
        builder: &mut Builder,
        copies: &Copies,
        id: ValueId,
        inst: &Inst,
    ) {
        if !inst.ty.is_pointer() || !source.plan.activity.is_value_shadowed(id) {
            return;
        }
        for lane in 0..source.plan.width() {
            if self.pointers.contains_key(&(id, lane)) {
                continue;
            }
            let shadow = match &inst.op {
                Op::Phi { .. } => builder.push(Op::Phi { from: Vec::new() }, Type::PTR, Vec::new()),
                Op::Load(_) => {
                    let place = self.of(&inst.operands[0], lane);
                    load_like(builder, &inst.op, &place, &inst.ty)
                }
                // In a shadow there is one for all threads: it belongs to this call.
                Op::Call(_) if is_thread_address(inst) => self.of(&inst.operands[0], lane),
                Op::Call(_) => {
                    let lasts = source.plan.activity.lasting().made.contains(&id);
                    allocate_shadow(builder, copies, inst, lasts)
                }
                Op::Alloca(_) => remake_shadow(source, builder, copies, inst),
                _ => {
                    let select = inst.op == Op::Select;
                    let operands = inst.operands.iter().enumerate().map(|(index, x)| {
                        let pointer = if select { index > 0 } else { index == 0 };
                        if pointer { self.of(x, lane) } else { copies.operand(x) }
                    });
                    let operands = operands.collect();
                    builder.push_inst(Inst { operands, origin: Some(id), ..inst.clone() })
                }
            };
            self.pointers.insert((id, lane), shadow);
        }
    }

    pub fn fill_phi(
        &self,
        source: &Source,
        builder: &mut Builder,
        copies: &Copies,
        id: ValueId,
        inst: &Inst,
    ) {
        let Op::Phi { from } = &inst.op else { return };
        for lane in 0..source.plan.width() {
            let Some(shadow) = self.pointers.get(&(id, lane)) else { continue };
            let edges = from
                .iter()
                .zip(&inst.operands)
                .filter(|(block, _)| copies.blocks.contains_key(block))
                .map(|(block, x)| (copies.block(*block), self.of(x, lane)))
                .collect();
            set_phi(builder, shadow, edges);
        }
    }

    /// A pointer stored into memory with a shadow: its shadow goes where the shadow memory has the same place.
    pub fn store_pointer(&self, source: &Source, builder: &mut Builder, inst: &Inst) {
        let [value, pointer] = inst.operands.as_slice() else { return };
        let ty = source.function.operand_type(value);
        if !ty.is_pointer() || !source.plan.activity.is_shadowed(pointer) {
            return;
        }
        for lane in 0..source.plan.width() {
            let place = self.of(pointer, lane);
            let nowhere = matches!(value, Operand::Const(constant) if constant.is_nowhere());
            // What has no shadow stands for itself: nothing is ever added through it.
            if !nowhere && !source.plan.activity.is_shadowed(value) {
                continue;
            }
            let shadow = self.of(value, lane);
            store_like(builder, &inst.op, &place, shadow);
        }
    }
}

/// Makes the shadows of active stack slots, at zero, at the builder's place: slots of their own, except for those that
/// the plan puts on the tape.
pub fn allocate_stack_shadows(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    for base in source.plan.activity.memory() {
        let Base::Stack(id) = base else { continue };
        let Some(inst) = source.function.inst(*id) else { continue };
        let Some(bytes) = slot_bytes(inst) else { continue };
        if source.plan.slots.contains(id) || source.plan.activity.is_remade(*id) {
            continue;
        }
        for lane in 0..source.plan.width() {
            let slot = builder.push(inst.op.clone(), inst.ty.clone(), inst.operands.clone());
            clear(builder, &slot, bytes.clone());
            cells.stack_shadows.insert((*id, lane), slot);
        }
    }
}

pub fn slot_bytes(inst: &Inst) -> Option<Operand> {
    let Op::Alloca(alloca) = &inst.op else { return None };
    let count = match &inst.operands[0] {
        Operand::Const(count) => count.as_signed().unwrap_or(1),
        Operand::Value(_) => 1,
    };
    Some(Operand::Const(Constant::int(64, count * i128::from(alloca.bytes))))
}

/// The shadow of a slot that is made more than once. A tangent's lives as long as the slot; the reverse sweep may come
/// when that is gone.
fn remake_shadow(source: &Source, builder: &mut Builder, copies: &Copies, inst: &Inst) -> Operand {
    let Op::Alloca(alloca) = &inst.op else { unreachable!("only slots are made again") };
    let count = widen(builder, copies.operand(&inst.operands[0]));
    let size = Operand::Const(Constant::int(64, i128::from(alloca.bytes)));
    if source.plan.request.mode.is_reverse() {
        return make_zeroed(builder, count, size, false);
    }
    let slot = builder.push(inst.op.clone(), inst.ty.clone(), vec![copies.operand(&inst.operands[0])]);
    let bytes = builder.push(Op::Int(IntOp::Mul), Type::I64, vec![count, size]);
    clear(builder, &slot, bytes);
    slot
}

/// A count as LLVM takes it: without a sign.
fn widen(builder: &mut Builder, count: Operand) -> Operand {
    match builder.type_of(&count) {
        Type::I64 => count,
        _ => builder.push(Op::Cast(CastOp::ZExt), Type::I64, vec![count]),
    }
}

/// Zeroed memory as large as an allocating call asks for.
fn allocate_shadow(builder: &mut Builder, copies: &Copies, inst: &Inst, lasts: bool) -> Operand {
    let Some(MemoryCall::Allocate { size, times, .. }) = memory_call(inst) else {
        unreachable!("other calls that return pointers have no shadow")
    };
    let mut bytes = copies.operand(&inst.operands[usize::from(size)]);
    if let Some(times) = times {
        let count = copies.operand(&inst.operands[usize::from(times)]);
        bytes = builder.push(Op::Int(IntOp::Mul), Type::I64, vec![bytes, count]);
    }
    let one = Operand::Const(Constant::int(64, 1));
    make_zeroed(builder, one, bytes, lasts)
}
