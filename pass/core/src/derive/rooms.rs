//! Numbers that are kept in shadows between the sweeps: laid as their block ends, taken out as its reverse begins.

use super::Source;
use super::adjoint::Primals;
use super::builder::{Builder, zero_of};
use super::cells::{Cells, load, store};
use super::memory::{load_like, store_like};
use super::reverse::ReverseWriter;
use super::shadows::Shadows;
use crate::analyses::flow::blocks_of_values;
use crate::model::{BlockId, Inst, Operand, ValueId};

pub fn lay_rooms(source: &Source, builder: &mut Builder, cells: &Cells, shadows: &Shadows, block: BlockId) {
    for (value, reader) in rooms_of(source, block) {
        let number = load(builder, &cells.kept[&value], reader.ty.clone());
        let place = shadows.of(&reader.operands[0], 0);
        store_like(builder, &reader.op, &place, number);
    }
}

/// What is taken out leaves a zero, to which the adjoint is added.
pub fn fetch_rooms(writer: &ReverseWriter, builder: &mut Builder, block: BlockId) {
    for (value, reader) in rooms_of(writer.source, block) {
        let place = writer.shadow(builder, &reader.operands[0], 0);
        let number = load_like(builder, &reader.op, &place, &reader.ty);
        store(builder, &writer.cells.kept[&value], number);
        store_like(builder, &reader.op, &place, Operand::Const(zero_of(&reader.ty)));
    }
}

/// The numbers of a block that are kept so, each with the load in whose shadow it is.
fn rooms_of<'a>(source: &Source<'a>, block: BlockId) -> Vec<(ValueId, &'a Inst)> {
    if source.plan.rooms.is_empty() {
        return Vec::new();
    }
    let home = blocks_of_values(source.function);
    let here = source.plan.rooms.iter().filter(|(value, _)| home.get(value) == Some(&block));
    here.filter_map(|(value, room)| Some((*value, source.function.inst(room.load)?))).collect()
}
