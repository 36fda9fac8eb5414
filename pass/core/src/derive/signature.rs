//! The parameters and result of a derivative function, as the plan lists them.

use super::Source;
use super::builder::Builder;
use crate::config::Switch;
use crate::model::{Flags, Layout, Operand, Param, Type};
use crate::plan::Slot;
use crate::request::{Part, parts_type};

pub fn start_function(source: &Source, name: &str) -> Builder {
    let params = source.plan.params.iter().map(|slot| write_param(source, *slot)).collect();
    let layout = Layout::parse(&source.program.layout);
    let mut builder =
        Builder::new(name.into(), params, parts_type(&source.plan.results, source.function), layout);
    if source.plan.contract == Switch::On {
        builder.allowed = Flags::CONTRACT;
    }
    builder
}

fn write_param(source: &Source, slot: Slot) -> Param {
    let name_of = |param: usize| source.function.params[param].name.clone();
    let (name, ty) = match slot {
        Slot::Primal { param } => (name_of(param), source.function.params[param].ty.clone()),
        Slot::Shadow { param, lane } => {
            let name = name_of(param).map(|name| format!("d_{name}{}", suffix(source, lane)));
            (name, source.function.params[param].ty.clone())
        }
        Slot::Global { global, lane } => {
            (Some(format!("d_{}{}", source.plan.request.globals[global], suffix(source, lane))), Type::PTR)
        }
        Slot::Seed { lane } => (Some(format!("seed{}", suffix(source, lane))), source.function.ret.clone()),
        Slot::Tape => (Some("tape".into()), Type::PTR),
    };
    Param { name, ty, attributes: Vec::new() }
}

fn suffix(source: &Source, lane: u32) -> String {
    if source.plan.width() == 1 { String::new() } else { format!("_{lane}") }
}

/// The operand of the derivative function that a slot is.
pub fn slot_operand(source: &Source, builder: &Builder, wanted: Slot) -> Option<Operand> {
    source.plan.params.iter().position(|slot| *slot == wanted).map(|index| builder.param(index))
}

/// Returns the parts as the signature has them.
pub fn write_return(
    source: &Source,
    builder: &mut Builder,
    mut part: impl FnMut(&mut Builder, Part) -> Operand,
) {
    use crate::derive::zero_of;
    use crate::model::Op;
    let parts = &source.plan.results;
    let ty = parts_type(parts, source.function);
    let values: Vec<Operand> = parts.iter().map(|wanted| part(builder, *wanted)).collect();
    let operands = match values.len() {
        0 => Vec::new(),
        1 => values,
        _ => {
            let mut whole = Operand::Const(zero_of(&ty));
            for (index, value) in values.into_iter().enumerate() {
                let path = vec![index as u32];
                whole = builder.push(Op::InsertValue { path }, ty.clone(), vec![whole, value]);
            }
            vec![whole]
        }
    };
    builder.push(Op::Ret, Type::Void, operands);
}
