//! Memory that is freed when the sweeps over the tape are done, and not before: it goes on the tape's list.

use super::Source;
use super::builder::Builder;
use super::cells::Cells;
use super::copies::Copies;
use super::exceptions::UNWINDING;
use super::memory::freeing_function;
use super::shadows::Shadows;
use super::tape::{call_runtime, function_name};
use crate::analyses::memory_calls::{is_freed_by_size, memory_call, release_of};
use crate::model::{Constant, Inst, Operand, Type, ValueId};

/// Symbols that begin so are functions of the name behind, which free memory by its address alone.
pub const RELEASE: &str = ".bs.release.";

/// Opens the list of the thread's tape, which is closed in any case: behind the reverse sweep, and where an exception leaves.
pub fn open_list(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    let Some(tape) = cells.tape.clone().filter(|_| source.plan.opens_list()) else { return };
    let name = Operand::Const(function_name(source));
    let opened = call_runtime(builder, "bs_rt_put_off_open", Type::I64, vec![tape.clone(), name.clone()]);
    if source.plan.may_be_left {
        let operands = vec![tape, opened.clone(), name];
        call_runtime(builder, &format!("{UNWINDING}{CLOSE}"), Type::Void, operands);
    }
    cells.list = Some(opened);
}

const CLOSE: &str = "bs_rt_put_off_close";

pub fn close_list(source: &Source, builder: &mut Builder, cells: &Cells) {
    let (Some(tape), Some(opened)) = (cells.tape.clone(), cells.list.clone()) else { return };
    let operands = vec![tape, opened, Operand::Const(function_name(source))];
    call_runtime(builder, CLOSE, Type::Void, operands);
}

/// In the place of a call that frees: with the first shadow goes the memory itself.
pub fn put_off(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    copies: &Copies,
    shadows: &Shadows,
    free: &Inst,
) {
    let memory = copies.operand(&free.operands[0]);
    let shadow = |lane| shadows.of(&free.operands[0], lane);
    let rest = |builder: &mut Builder, release| {
        for lane in 1..source.plan.width() {
            put(source, builder, cells, null(), release, shadow(lane));
        }
    };
    if is_freed_by_size(free) {
        let (Some(release), [_, sizes @ ..]) = (free.callee_name(), free.arguments()) else { return };
        put_sized(source, builder, cells, copies, (memory, release, sizes), shadow(0));
        rest(builder, "free");
    } else if let Some(release) = release_of(free) {
        put(source, builder, cells, memory, release, shadow(0));
        rest(builder, release);
    }
}

/// The same of memory without a shadow.
pub fn put_off_kept(source: &Source, builder: &mut Builder, cells: &Cells, copies: &Copies, free: &Inst) {
    let release = release_of(free).unwrap_or_else(|| unreachable!("what is kept is freed by its address"));
    put(source, builder, cells, copies.operand(&free.operands[0]), release, null());
}

/// Behind an allocation whose end is not where the reverse sweep reaches it: the memory, if the primal frees it anywhere,
/// and its shadows.
pub fn list_made(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    copies: &Copies,
    shadows: &Shadows,
    id: ValueId,
) {
    let Some(made) = source.function.inst(id) else { return };
    let freed = memory_call(made).and_then(|_| freeing_function(source.function, &source.plan.activity, id));
    if let Some(release) = freed {
        let memory = copies.operand(&Operand::Value(id));
        match is_freed_by_size(made) {
            false => put(source, builder, cells, memory, release, null()),
            true => put_sized(source, builder, cells, copies, (memory, release, made.arguments()), null()),
        }
    }
    for lane in 0..source.plan.width() {
        list_shadow(source, builder, cells, shadows.of(&Operand::Value(id), lane));
    }
}

/// A shadow from `calloc`.
pub fn list_shadow(source: &Source, builder: &mut Builder, cells: &Cells, shadow: Operand) {
    put(source, builder, cells, shadow, "free", null());
}

fn put(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    memory: Operand,
    release: &str,
    shadow: Operand,
) {
    let Some(tape) = cells.tape.clone() else { unreachable!("who puts off has a tape") };
    put_on_list(builder, tape, memory, release, shadow, Operand::Const(function_name(source)));
}

/// Memory that is freed by telling size and alignment again, which are operands of the primal.
fn put_sized(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    copies: &Copies,
    (memory, release, sizes): (Operand, &str, &[Operand]),
    shadow: Operand,
) {
    let Some(tape) = cells.tape.clone() else { unreachable!("who puts off has a tape") };
    let release = Operand::Const(Constant::Symbol { name: format!("{RELEASE}{release}"), space: 0 });
    let mut operands = vec![tape, memory, release];
    operands.extend(sizes.iter().map(|size| copies.operand(size)));
    operands.extend([shadow, Operand::Const(function_name(source))]);
    call_runtime(builder, "bs_rt_put_off_sized", Type::Void, operands);
}

pub fn put_on_list(
    builder: &mut Builder,
    tape: Operand,
    memory: Operand,
    release: &str,
    shadow: Operand,
    name: Operand,
) {
    let release = Operand::Const(Constant::Symbol { name: format!("{RELEASE}{release}"), space: 0 });
    let operands = vec![tape, memory, release, shadow, name];
    call_runtime(builder, "bs_rt_put_off", Type::Void, operands);
}

fn null() -> Operand {
    Operand::Const(Constant::Null(Type::PTR))
}
