//! Integers that the program declares to be such: what is read from a member of a struct that is declared to be an integer, and
//! what is put into such members and nowhere else.
//!
//! Function + touches → loads. A declaration is believed where bits go nowhere but to memory, and nobody who is known takes what
//! lies at an end of their way for a float or a pointer: an array of doubles may be handed over as one of integers.
//! Safe error: no integer (is refused where it may be active).

use std::collections::BTreeSet;

use super::evidence::Evidence;
use super::relayed::Relayed;
use super::same::Same;
use super::touches::{Touches, is_declared};
use super::webs::Web;
use crate::analyses::carriers::{Keeper, find_keepers};
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Inst, Op, Type, ValueId};

/// `touches` has heard what others say.
pub fn find_declared(touches: &Touches) -> BTreeSet<ValueId> {
    let function = touches.function;
    let loads = function.inst_ids().filter(|id| {
        let load = function.inst(*id).filter(|inst| matches!(inst.op, Op::Load(_)));
        load.is_some_and(|load| matches!(load.ty.scalar(), Type::Int(_)))
    });
    loads.filter(|id| is_one(*id, touches)).collect()
}

/// The values of webs all of whose loads read integers.
pub fn spread<'w>(
    found: &BTreeSet<ValueId>,
    webs: impl Iterator<Item = &'w Web>,
    function: &Function,
) -> BTreeSet<ValueId> {
    let is_load = |id: &&ValueId| function.inst(**id).is_some_and(|inst| matches!(inst.op, Op::Load(_)));
    let reads_integers = |web: &&Web| {
        let mut loads = web.values.iter().filter(is_load).peekable();
        web.floats.is_empty() && loads.peek().is_some() && loads.all(|load| found.contains(load))
    };
    webs.filter(reads_integers).flat_map(|web| web.values.iter().copied()).collect()
}

fn is_one(id: ValueId, touches: &Touches) -> bool {
    let (function, program) = (touches.function, touches.program);
    let Some(load) = function.inst(id) else { return false };
    let Some(keepers) = find_keepers(function, program, id) else { return false };
    let is_read = is_declared(load) && Evidence::is_member(load, touches);
    // A part of it that is put there may be a part of a float's bits.
    let is_whole = |keeper: &Keeper| keeper.function.operand_type(&keeper.store.operands[0]) == load.ty;
    let all_declared =
        || !keepers.is_empty() && keepers.iter().all(|keeper| is_declared(keeper.store) && is_whole(keeper));
    let is_put = || all_declared() && !is_disputed(load, touches);
    (is_read || is_put()) && !keepers.iter().any(|keeper| is_kept_otherwise(keeper, touches))
}

/// Whether a store puts an integer where somebody keeps something else, in whatever function it is.
fn is_kept_otherwise(keeper: &Keeper, touches: &Touches) -> bool {
    let (there, program, layout) = (keeper.function, touches.program, touches.layout());
    if there.name == touches.function.name {
        return is_disputed(keeper.store, touches);
    }
    let pointers = Pointers::shared(there, program);
    let mut others = Touches::of(there, program, &pointers, layout);
    others.hear(&Relayed::of(program, layout));
    is_disputed(keeper.store, &others)
}

fn is_disputed(access: &Inst, touches: &Touches) -> bool {
    Same::of(access, touches).is_none_or(|same| same.is_disputed())
}
