//! Floats that are moved between places where others keep pointers: optimisers name what they move by one member of a union,
//! and a pointer that is moved as a float comes without its shadow.
//!
//! Function + touches → the stores of such floats. A place counts where a pointer is read or written at the very same offsets,
//! so an array of floats beside a pointer in one struct is none.
//! Safe error: disputed (is refused).

use std::collections::BTreeSet;

use super::relayed::Relayed;
use super::touches::{Kind, Touches};
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Inst, Layout, Op, Operand, Program, Type, ValueId};

pub fn find_disputed(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let moved = find_moved(function);
    if moved.is_empty() {
        return BTreeSet::new();
    }
    let (layout, pointers) = (Layout::parse(&program.layout), Pointers::of(function, program));
    let mut touches = Touches::of(function, program, &pointers, &layout);
    if touches.has_others() {
        touches.hear(&Relayed::of(program, &layout));
    }
    let holds_pointers = |pointer: &Operand, ty: &Type| {
        let extent = touches.offsets.extent(pointer, ty);
        let places = touches.places_of(pointer);
        let mut met = places.iter().flat_map(|place| touches.at(place));
        met.any(|touch| {
            touch.kind == Kind::Pointer && touch.extent.meets(extent) && touch.extent.at == extent.at
        })
    };
    let disputed = moved.into_iter().filter(|(store, loads)| {
        let Some(Inst { operands, .. }) = function.inst(*store) else { return false };
        let read = |load: &ValueId| {
            function.inst(*load).is_some_and(|load| holds_pointers(&load.operands[0], &load.ty))
        };
        holds_pointers(&operands[1], &function.operand_type(&operands[0])) && loads.iter().any(read)
    });
    disputed.map(|(store, _)| store).collect()
}

/// The stores of floats that are no smaller than a pointer and that were read elsewhere, with the loads that read them.
fn find_moved(function: &Function) -> Vec<(ValueId, Vec<ValueId>)> {
    let stores = function.inst_ids().filter_map(|id| {
        let store = function.inst(id).filter(|inst| matches!(inst.op, Op::Store(_)))?;
        let loads = find_loads(function, &store.operands[0]);
        (!loads.is_empty()).then_some((id, loads))
    });
    stores.collect()
}

/// The loads that a float comes from unchanged.
fn find_loads(function: &Function, value: &Operand) -> Vec<ValueId> {
    let (mut loads, mut waiting, mut seen) = (Vec::new(), vec![value], BTreeSet::new());
    while let Some(value) = waiting.pop() {
        if !function.operand_type(value).holds_float() {
            continue;
        }
        let Some(id) = value.value().filter(|id| seen.insert(*id)) else { continue };
        let Some(inst) = function.inst(id) else { continue };
        match inst.op {
            Op::Load(_) => loads.push(id),
            Op::Phi { .. } | Op::Select | Op::Freeze | Op::ShuffleVector { .. } => {
                waiting.extend(&inst.operands)
            }
            Op::InsertElement | Op::ExtractElement | Op::InsertValue { .. } | Op::ExtractValue { .. } => {
                waiting.extend(&inst.operands);
            }
            _ => {}
        }
    }
    loads
}
