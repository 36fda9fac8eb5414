//! Shadows of stack slots that lie on the tape, so that both halves of split mode find them at the same place.
//!
//! They are laid first and taken back last; their addresses travel in cells like kept values.

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, allocate, load, store};
use super::memory::clear;
use super::records::GRAIN;
use super::shadows::slot_bytes;
use super::tape::{call_record, function_name};
use crate::model::{Constant, Operand, Type, ValueId};

pub fn reserve_slots(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    for id in &source.plan.slots {
        for lane in 0..source.plan.width() {
            cells.slots.insert((*id, lane), allocate(builder, Type::PTR));
        }
    }
}

/// The first half makes them, at zero.
pub fn make_slots(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    for ((id, lane), cell) in &cells.slots {
        let (Some(bytes), Some(operands)) = (bytes_of(source, *id), operands(source, cells, *id)) else {
            continue;
        };
        let shadow = call_record(source, builder, "backsweep.push", operands, &place_of(*id, *lane));
        clear(builder, &shadow, bytes);
        store(builder, cell, shadow.clone());
        cells.stack_shadows.insert((*id, *lane), shadow);
    }
}

/// The second half finds them where the cells were read back.
pub fn find_slots(builder: &mut Builder, cells: &mut Cells) {
    for (key, cell) in &cells.slots {
        let shadow = load(builder, cell, Type::PTR);
        cells.stack_shadows.insert(*key, shadow);
    }
}

/// The end of the second half takes them back.
pub fn drop_slots(source: &Source, builder: &mut Builder, cells: &Cells) {
    for (id, lane) in cells.slots.keys().rev() {
        if let Some(operands) = operands(source, cells, *id) {
            call_record(source, builder, "backsweep.pop", operands, &place_of(*id, *lane));
        }
    }
}

/// The name of a slot's shadow.
fn place_of(slot: ValueId, lane: u32) -> String {
    format!("slot{}.{lane}", slot.0)
}

fn operands(source: &Source, cells: &Cells, slot: ValueId) -> Option<Vec<Operand>> {
    let bytes = bytes_of(source, slot)?;
    let name = Operand::Const(function_name(source));
    Some(vec![cells.cursor.clone()?, bytes, name])
}

/// The size of a slot, as the tape asks for it.
fn bytes_of(source: &Source, slot: ValueId) -> Option<Operand> {
    let Operand::Const(Constant::Int { value, .. }) = slot_bytes(source.function.inst(slot)?)? else {
        return None;
    };
    let bytes = u64::try_from(value).ok()?.next_multiple_of(GRAIN);
    Some(Operand::Const(Constant::int(64, i128::from(bytes))))
}
