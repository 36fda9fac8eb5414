//! Memory that the reverse sweep puts back, and that the caller finds as the primal left it: the runtime is told where the
//! primal stored, keeps what lies there between the sweeps, and writes it back behind them.

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, allocate, load, store};
use super::copies::Copies;
use super::tape::{call_runtime, function_name};
use crate::model::{BlockId, Constant, IntOp, Op, Operand, Type, ValueId};
use crate::plan::Told;

/// Makes the cells, and opens the list.
pub fn open_left(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    if source.plan.left.is_empty() {
        return;
    }
    cells.left = Some(call_runtime(builder, "bs_rt_left_open", Type::PTR, Vec::new()));
    for (id, told) in &source.plan.left {
        if let Told::Row { .. } = told {
            let cell = allocate(builder, Type::PTR);
            store(builder, &cell, Operand::Const(Constant::Null(Type::PTR)));
            cells.lasts.insert(*id, cell);
        }
    }
}

/// Behind a store.
pub fn tell_store(source: &Source, builder: &mut Builder, cells: &Cells, copies: &Copies, id: ValueId) {
    let (Some(told), Some(inst)) = (source.plan.left.get(&id), source.function.inst(id)) else { return };
    let place = copies.operand(&inst.operands[1]);
    match told {
        Told::Each => tell(source, builder, cells, id, (place, 0, number(1))),
        Told::Row { .. } => store(builder, &cells.lasts[&id], place),
    }
}

/// Where a block begins that stands behind loops.
pub fn tell_rows(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) {
    for (id, told) in &source.plan.left {
        let Told::Row { header, exit, step } = *told else { continue };
        if exit != block {
            continue;
        }
        let last = load(builder, &cells.lasts[id], Type::PTR);
        // The header counts the pass that it leaves by.
        let entered = load(builder, &cells.counters[&header], Type::I64);
        let passes = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![entered, number(1)]);
        tell(source, builder, cells, *id, (last, step, passes));
    }
}

/// Between the sweeps.
pub fn keep_left(source: &Source, builder: &mut Builder, cells: &Cells) {
    let Some(left) = cells.left.clone() else { return };
    call_runtime(builder, "bs_rt_left_keep", Type::Void, vec![left, Operand::Const(function_name(source))]);
}

/// Behind them.
pub fn close_left(builder: &mut Builder, cells: &Cells) {
    let Some(left) = cells.left.clone() else { return };
    call_runtime(builder, "bs_rt_left_close", Type::Void, vec![left]);
}

fn tell(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    id: ValueId,
    (last, step, count): (Operand, i64, Operand),
) {
    let (Some(left), Some(inst)) = (cells.left.clone(), source.function.inst(id)) else { return };
    let ty = source.function.operand_type(&inst.operands[0]);
    let Some(size) = builder.layout.store_size(&ty) else { unreachable!("what is stored has a size") };
    let step = Operand::Const(Constant::int(64, i128::from(step)));
    let size = Operand::Const(Constant::int(64, i128::from(size)));
    call_runtime(builder, "bs_rt_left_tell", Type::Void, vec![left, last, step, count, size]);
}

fn number(value: i128) -> Operand {
    Operand::Const(Constant::int(64, value))
}
