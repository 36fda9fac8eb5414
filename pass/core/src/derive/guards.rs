//! Pointers from out of sight, compared with the globals whose shadows are ours.

use super::Source;
use super::builder::Builder;
use super::cells::Cells;
use super::copies::Copies;
use super::globals::{address_of, byte_count, bytes_of};
use super::shadows::Shadows;
use super::tape::{call_runtime, function_name, text_of};
use crate::model::{Operand, Type, ValueId};
use crate::plan::Guard;

/// Compares a pointer that has just arrived, in every direction.
pub fn write_guards(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    copies: &Copies,
    shadows: &Shadows,
    id: ValueId,
) {
    for guard in source.plan.guards.get(&id).into_iter().flatten() {
        for lane in 0..source.plan.width() {
            let pointer = copies.values[&id].clone();
            let shadow = shadows.of(&Operand::Value(id), lane);
            let function = Operand::Const(function_name(source));
            let Guard::Belongs(global) = guard else {
                call_runtime(builder, "backsweep.has_shadow", Type::Void, vec![pointer, shadow, function]);
                continue;
            };
            let (Some(bytes), Some(start)) = (bytes_of(source, global), cells.globals.start(global, lane))
            else {
                continue;
            };
            let primal = address_of(source, builder, global);
            let name = Operand::Const(text_of(global));
            let operands = vec![pointer, shadow, primal, byte_count(bytes), start.clone(), function, name];
            call_runtime(builder, "backsweep.belongs", Type::Void, operands);
        }
    }
}
