//! Shadows for the elements of arrays that were allocated before the derivative was called, and that globals lead to.
//!
//! How many elements there are stands in descriptors when the derivative runs, and pointers among them may lead into each
//! other or into globals. So the runtime is told of all globals with shadows and of all descriptors first.

use super::Source;
use super::builder::Builder;
use super::exceptions::UNWINDING;
use super::globals::{GlobalShadows, address_of, byte_count, bytes_of};
use super::tape::{call_runtime, field, function_name};
use crate::model::{Constant, Operand, Type};
use crate::plan::LeadsTo;

const DROP: &str = "bs_rt_arrays_drop";

pub fn make_elements(source: &Source, builder: &mut Builder, shadows: &mut GlobalShadows) {
    let descriptors = source.plan.pointers_in.iter().filter(|pointer| pointer.leads_to == LeadsTo::Elements);
    let descriptors: Vec<(&str, u64)> =
        descriptors.map(|pointer| (pointer.global.as_str(), pointer.offset)).collect();
    if descriptors.is_empty() {
        return;
    }
    for lane in 0..source.plan.width() {
        for global in source.plan.globals.keys() {
            if let (Some(bytes), Some(start)) =
                (bytes_of(source, global), shadows.start(global, lane).cloned())
            {
                let primal = address_of(source, builder, global);
                let operands = vec![primal, byte_count(bytes), start];
                call_runtime(builder, "bs_rt_arrays_global", Type::Void, operands);
            }
        }
        for (global, offset) in &descriptors {
            let Some(start) = shadows.start(global, lane).cloned() else { continue };
            let primal = address_of(source, builder, global);
            let operands = vec![field(builder, &primal, *offset), field(builder, &start, *offset)];
            call_runtime(builder, "bs_rt_arrays_find", Type::Void, operands);
        }
        let operands = vec![lane_number(lane), Operand::Const(function_name(source))];
        let made = call_runtime(builder, "bs_rt_arrays_make", Type::PTR, operands);
        if source.plan.may_be_left {
            call_runtime(builder, &format!("{UNWINDING}{DROP}"), Type::Void, vec![made.clone()]);
        }
        shadows.elements.push(made);
    }
}

/// Where the derivative ends.
pub fn drop_elements(builder: &mut Builder, shadows: &GlobalShadows) {
    for made in &shadows.elements {
        call_runtime(builder, DROP, Type::Void, vec![made.clone()]);
    }
}

pub fn lane_number(lane: u32) -> Operand {
    Operand::Const(Constant::int(64, i128::from(lane)))
}
