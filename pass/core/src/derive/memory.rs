//! Memory in the reverse sweep: what was read gives to the shadow, what was written takes from it.

use super::Source;
use super::adjoint::AdjointWriter;
use super::builder::{Builder, zero_of};
use super::tape::call_runtime;
use crate::analyses::cleared::POINTERLESS;
use crate::analyses::memory_calls::{MemoryCall, is_freed_by_size, memory_call, sized_release_of};
use crate::analyses::overlap::Overwrites;
use crate::analyses::pointers::Base;
use crate::config::Switch;
use crate::kinds::Spaced;
use crate::model::{
    Access, Constant, Flags, FloatKind, Function, Gep, Inst, IntOp, Layout, Op, Operand, Stride, Type,
    ValueId,
};
use crate::plan::stores_float;

impl AdjointWriter<'_> {
    /// The adjoint of what was read is added to the shadow of where it was read.
    pub fn reverse_load(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        builder.loc = inst.loc;
        builder.flags = super::derived_flags(inst.flags);
        for lane in 0..self.source.plan.width() {
            let d = self.take_adjoint(builder, id, lane);
            let shadow = self.primals.shadow(builder, &inst.operands[0], lane);
            let old = load_like(builder, &inst.op, &shadow, &inst.ty);
            let sum = super::accumulate::add(builder, &inst.ty, old, d);
            store_like(builder, &inst.op, &shadow, sum);
            if self.source.plan.sums == Switch::On {
                builder.flag_last(Flags::SUM);
            }
        }
    }

    /// What was overwritten has no influence any more: its shadow goes to the value written, and is zero after.
    pub fn reverse_store(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let [value, pointer] = inst.operands.as_slice() else { return };
        let ty = self.source.function.operand_type(value);
        let activity = &self.source.plan.activity;
        if let Some(found @ (Overwrites::Part | Overwrites::Address)) = activity.overwrites(id) {
            builder.loc = inst.loc;
            for lane in 0..self.source.plan.width() {
                let shadow = self.primals.shadow(builder, pointer, lane);
                match found {
                    Overwrites::Part => look_for_number(self.source, builder, shadow, inst),
                    _ => end_numbers(self.source, builder, shadow, inst),
                }
            }
            return;
        }
        if !stores_float(id, inst, self.source.function, activity) || !activity.is_shadowed(pointer) {
            return;
        }
        builder.loc = inst.loc;
        builder.flags = super::derived_flags(inst.flags);
        for lane in 0..self.source.plan.width() {
            let shadow = self.primals.shadow(builder, pointer, lane);
            let d = load_like(builder, &inst.op, &shadow, &ty);
            store_like(builder, &inst.op, &shadow, Operand::Const(zero_of(&ty)));
            self.add_to(builder, value, lane, d);
        }
    }

    pub fn reverse_memory_call(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let Some(call) = memory_call(inst) else { return };
        builder.loc = inst.loc;
        let activity = &self.source.plan.activity;
        match call {
            MemoryCall::Copy if activity.is_shadowed(&inst.operands[0]) => {
                self.reverse_copy(builder, id, inst)
            }
            MemoryCall::Fill if activity.is_shadowed(&inst.operands[0]) => {
                let bytes = self.primals.primal(builder, &inst.operands[2]);
                for lane in 0..self.source.plan.width() {
                    let shadow = self.primals.shadow(builder, &inst.operands[0], lane);
                    clear_filled(self.source, builder, inst, &shadow, bytes.clone());
                }
            }
            MemoryCall::Allocate { .. } if !activity.lasting().ends_in_reverse(id) => {}
            MemoryCall::Allocate { .. } if activity.has_shadow(&Base::Heap(id)) => self.release(builder, id),
            MemoryCall::Copy | MemoryCall::Fill | MemoryCall::Allocate { .. } | MemoryCall::Free { .. } => {}
        }
    }

    /// The shadow of the target is added to that of the source, and is zero after.
    fn reverse_copy(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let moved = self.source.plan.copies.get(&id).expect("the plan tells what every active copy moves");
        let bytes = self.primals.primal(builder, &inst.operands[2]);
        for lane in 0..self.source.plan.width() {
            let to = self.primals.shadow(builder, &inst.operands[0], lane);
            if !self.source.plan.activity.is_shadowed(&inst.operands[1]) {
                clear(builder, &to, bytes.clone());
                continue;
            }
            let from = self.primals.shadow(builder, &inst.operands[1], lane);
            let helper = match moved.one_kind() {
                None if moved.sought => "backsweep.move.words",
                Some(FloatKind::Single) => "backsweep.move.float",
                Some(_) => "backsweep.move.double",
                None => {
                    move_spaced(builder, moved, &to, &from, &bytes);
                    continue;
                }
            };
            call_runtime(builder, helper, Type::Void, vec![to, from, bytes.clone()]);
        }
    }

    /// Where the primal allocates, the reverse sweep is done with the memory: now it may be freed, if the primal
    /// frees it anywhere, and the shadow in any case. Nobody can reach it who came later.
    fn release(&self, builder: &mut Builder, id: ValueId) {
        self.release_shadow(builder, id);
        if let Some(name) = freeing_function(self.source.function, &self.source.plan.activity, id) {
            let mut operands = vec![self.primals.primal(builder, &Operand::Value(id))];
            let made = self.source.function.inst(id).filter(|inst| is_freed_by_size(inst));
            for size in made.into_iter().flat_map(Inst::arguments) {
                operands.push(self.primals.primal(builder, size));
            }
            call_runtime(builder, name, Type::Void, operands);
        }
    }

    /// A slot that is made again has its shadow on the heap, which is freed here or with what was put off.
    pub fn release_slot(&self, builder: &mut Builder, id: ValueId) {
        if self.source.plan.activity.lasting().ends_in_reverse(id) {
            self.release_shadow(builder, id);
        }
    }

    /// The shadow of what was made: the adjoint of nothing that is left.
    fn release_shadow(&self, builder: &mut Builder, id: ValueId) {
        for lane in 0..self.source.plan.width() {
            let shadow = self.primals.shadow(builder, &Operand::Value(id), lane);
            call_runtime(builder, "free", Type::Void, vec![shadow]);
        }
    }
}

/// An integer that overwrites part of a word: no number may be there whose derivative would be lost.
pub fn look_for_number(source: &Source, builder: &mut Builder, shadow: Operand, store: &Inst) {
    let word = |value: u64| Operand::Const(Constant::int(64, value.into()));
    let ty = source.function.operand_type(&store.operands[0]);
    let bytes = builder.layout.store_size(&ty).unwrap_or(0);
    call_runtime(builder, "backsweep.is_empty", Type::Void, vec![shadow, word(0), word(bytes)]);
}

/// What was read of a pointer as a float has nothing to do with the float that was there before.
fn end_numbers(source: &Source, builder: &mut Builder, shadow: Operand, store: &Inst) {
    let ty = source.function.operand_type(&store.operands[0]);
    let bytes = builder.layout.store_size(&ty).unwrap_or(0);
    let bytes = Operand::Const(Constant::int(64, bytes.into()));
    call_runtime(builder, "backsweep.end_numbers", Type::Void, vec![shadow, bytes]);
}

/// The function that frees what an allocating call returned, in the form that takes only the pointer; Rust's has no such
/// form. None where the primal never frees it.
pub fn freeing_function<'a>(
    function: &'a Function,
    activity: &crate::analyses::activity::Activity,
    id: ValueId,
) -> Option<&'a str> {
    let mut insts = function.inst_ids().filter_map(|free| function.inst(free));
    let free = insts.find(|inst| {
        matches!(memory_call(inst), Some(MemoryCall::Free { .. }))
            && activity.allocations(&inst.operands[0]).contains(&Base::Heap(id))
    })?;
    let made = function.inst(id)?;
    Some(match made.callee_name() {
        Some("_Znwm" | "_ZnwmRKSt9nothrow_t") => "_ZdlPv",
        Some("_Znam" | "_ZnamRKSt9nothrow_t") => "_ZdaPv",
        _ if is_freed_by_size(made) => sized_release_of(made).or(free.callee_name())?,
        _ => "free",
    })
}

/// The same for each float of a struct, all along the structs.
fn move_spaced(builder: &mut Builder, spaced: &Spaced, to: &Operand, from: &Operand, bytes: &Operand) {
    let word = |value: u64| Operand::Const(Constant::int(64, value.into()));
    for (offset, kind) in &spaced.floats {
        let (helper, size) = match kind {
            FloatKind::Single => ("backsweep.move.spaced.float", 4),
            _ => ("backsweep.move.spaced.double", 8),
        };
        let mut place = |start: &Operand| {
            let gep = Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] };
            builder.push(Op::Gep(gep), Type::PTR, vec![start.clone(), word(*offset)])
        };
        let (to, from) = (place(to), place(from));
        // Of a struct that is not copied whole only the first floats are.
        let rest = vec![bytes.clone(), word(spaced.period - offset - size)];
        let rest = builder.push(Op::Int(IntOp::Add), Type::I64, rest);
        call_runtime(builder, helper, Type::Void, vec![to, from, rest, word(spaced.period)]);
    }
}

/// Clears the shadow of what is filled with one byte. Where that is not all our own, there are no pointers in it, or it would have been
/// refused; whoever differentiates this may not see how it is known.
pub fn clear_filled(source: &Source, builder: &mut Builder, fill: &Inst, shadow: &Operand, bytes: Operand) {
    let cleared = clear(builder, shadow, bytes);
    if source.plan.activity.is_own(&fill.operands[0]) {
        return;
    }
    if let Some(Inst { op: Op::Call(call), .. }) = builder.inst_mut(&cleared) {
        call.attributes.push(POINTERLESS.into());
    }
}

/// Fills memory with zeros.
pub fn clear(builder: &mut Builder, pointer: &Operand, bytes: Operand) -> Operand {
    let width = if builder.type_of(&bytes) == Type::I32 { "i32" } else { "i64" };
    let zero = Operand::Const(Constant::int(8, 0));
    let ordinary = Operand::Const(Constant::bool(false));
    let name = format!("llvm.memset.p0.{width}");
    call_runtime(builder, &name, Type::Void, vec![pointer.clone(), zero, bytes, ordinary])
}

/// An access to a shadow, like one to the primal. The user's shadow is an array of the same elements, which need not
/// be aligned better than elements are.
pub fn load_like(builder: &mut Builder, op: &Op, pointer: &Operand, ty: &Type) -> Operand {
    let access = shadow_access(&builder.layout, op, ty);
    builder.push(Op::Load(access), ty.clone(), vec![pointer.clone()])
}

pub fn store_like(builder: &mut Builder, op: &Op, pointer: &Operand, value: Operand) {
    let ty = builder.type_of(&value);
    let access = shadow_access(&builder.layout, op, &ty);
    builder.push(Op::Store(access), Type::Void, vec![value, pointer.clone()]);
}

fn shadow_access(layout: &Layout, op: &Op, ty: &Type) -> Access {
    let mut access = Access::usual(Some(ty.clone()), layout);
    let element = layout.align_of(ty.scalar()).unwrap_or(1);
    let primal = match op {
        Op::Load(primal) | Op::Store(primal) => {
            access.member = primal.member;
            access.stepped = primal.stepped;
            access.typed = primal.typed;
            primal.align
        }
        _ => element,
    };
    access.align = access.align.min(primal).min(element.max(1)).max(1);
    access
}
