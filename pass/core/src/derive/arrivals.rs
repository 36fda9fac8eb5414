//! Pointers from out of sight, compared with the globals whose shadows are ours.

use super::Source;
use super::builder::Builder;
use super::cells::Cells;
use super::copies::Copies;
use super::elements::lane_number;
use super::globals::{address_of, byte_count, bytes_of};
use super::shadows::Shadows;
use super::tape::{call_runtime, function_name, text_of};
use crate::model::{Constant, Operand, Type, ValueId};
use crate::plan::Arrival;

/// Compares a pointer that has just arrived, in every direction.
pub fn compare_arrival(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    copies: &Copies,
    shadows: &Shadows,
    id: ValueId,
) {
    for arrival in source.plan.arrivals.get(&id).into_iter().flatten() {
        for lane in 0..source.plan.width() {
            let pointer = copies.values[&id].clone();
            let shadow = shadows.of(&Operand::Value(id), lane);
            let function = Operand::Const(function_name(source));
            let global = match arrival {
                Arrival::Belongs(global) | Arrival::Outside(global) => global,
                Arrival::HasShadow => {
                    let operands = vec![pointer, shadow, function];
                    call_runtime(builder, "backsweep.has_shadow", Type::Void, operands);
                    continue;
                }
                Arrival::Elements => {
                    let operands = vec![pointer, shadow, lane_number(lane), function];
                    call_runtime(builder, "bs_rt_arrays_compare", Type::Void, operands);
                    continue;
                }
            };
            // Of a global without a shadow nothing is where a shadow leads.
            let null = Operand::Const(Constant::Null(Type::PTR));
            let start = cells.globals.start(global, lane).cloned().unwrap_or(null);
            let Some(bytes) = bytes_of(source, global) else { continue };
            let primal = address_of(source, builder, global);
            let name = Operand::Const(text_of(global));
            let operands = vec![pointer, shadow, primal, byte_count(bytes), start, function, name];
            call_runtime(builder, "backsweep.belongs", Type::Void, operands);
        }
    }
}
