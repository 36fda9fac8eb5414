//! Integers that are moved and counted with as well: the length of an array that is both a bound and part of what is copied.
//!
//! Function → webs of what is loaded, joined and stored, whose values may be compared, computed with and used as indices beside
//! that. None of their bits leave by another way than a store as they are: none become a float, are returned or packed, or are
//! stored as part of a wider number. What joins them from outside is a constant, or counted.
//! Such a web is the same as two loads of the same place, one that is moved and one that is counted with. It can never become a
//! web of floats, so it is only asked whether it is of integers.
//! Safe error: left out.

use std::collections::{BTreeMap, BTreeSet};

use super::touches::Reader;
use super::webs::{Groups, Web, is_ordinary, is_plain};
use crate::analyses::carriers::find_leaking;
use crate::model::{CastOp, Function, Inst, Layout, Op, Operand, Program, Type, ValueId};

impl Reader<'_> {
    pub(super) fn find_counted_moves(&mut self, program: &Program, layout: &Layout) -> Vec<Web> {
        // Where no carrier is loaded nothing is moved that is not a web.
        if !self.carriers.iter().any(|id| !self.moved.contains(id)) {
            return Vec::new();
        }
        // As long as it is looked for, a load is a carrier only where its bits leave by another way.
        let carriers = std::mem::replace(&mut self.carriers, find_leaking(self.function, program));
        let is_counted = |value: &Operand| self.is_computed(value, true, &mut BTreeSet::new());
        let mut webs = find_counted_moves(self.function, layout, &self.carriers, is_counted);
        self.carriers = carriers;
        webs.retain(|web| !web.values.iter().all(|id| self.moved.contains(id)));
        // Of a byte or two nobody can tell whether it is counted with, or a piece of something that is looked at on its way, unless
        // it becomes a number as it is.
        webs.retain(|web| web.bytes > 2 || web.values.iter().any(|id| self.becomes_number(*id)));
        // What is no carrier says what it says without them.
        let values = webs.iter().flat_map(|web| web.values.iter().copied());
        self.counted_moves = values.filter(|id| self.carriers.contains(id)).collect();
        webs
    }

    /// Whether somebody makes a number of an integer by its value.
    fn becomes_number(&self, integer: ValueId) -> bool {
        let counting = self.find_counting(integer);
        let is_cast = |inst: &Inst| matches!(inst.op, Op::Cast(CastOp::SiToFp | CastOp::UiToFp));
        counting.iter().any(|user| self.function.inst(*user).is_some_and(is_cast))
    }
}

/// `leaking` are the integers whose bits leave by another way, `is_counted` tells what was made by counting.
fn find_counted_moves(
    function: &Function,
    layout: &Layout,
    leaking: &BTreeSet<ValueId>,
    is_counted: impl Fn(&Operand) -> bool,
) -> Vec<Web> {
    let insts = || function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
    let moved: BTreeSet<ValueId> =
        insts().filter(|(_, inst)| is_whole(&inst.ty) && is_moved(inst)).map(|(id, _)| id).collect();
    let (mut groups, mut spoiled) = (Groups::default(), BTreeSet::new());
    for (id, inst) in insts().filter(|(id, _)| moved.contains(id)) {
        if leaking.contains(&id) {
            spoiled.insert(id);
        }
        for operand in joined(inst) {
            match operand {
                Operand::Value(other) if moved.contains(other) => groups.join(id, *other),
                Operand::Const(constant) if is_plain(constant) => {}
                Operand::Value(_) if is_counted(operand) => {}
                _ => drop(spoiled.insert(id)),
            }
        }
    }
    let spoiled: BTreeSet<ValueId> = spoiled.into_iter().map(|id| groups.root(id)).collect();
    let mut webs: BTreeMap<ValueId, Web> = BTreeMap::new();
    for id in moved {
        let root = groups.root(id);
        if !spoiled.contains(&root) {
            let web = webs.entry(root).or_default();
            web.values.push(id);
            web.bytes = layout.store_size(function.value_type(id)).unwrap_or(0);
        }
    }
    for (id, inst) in insts() {
        let stored = matches!(&inst.op, Op::Store(access) if is_ordinary(access));
        let value = inst.operands.first().filter(|_| stored).and_then(Operand::value);
        if let Some(web) = value.and_then(|value| webs.get_mut(&groups.root(value))) {
            web.stores.push(id);
        }
    }
    webs.into_values().filter(|web| !web.stores.is_empty()).collect()
}

fn is_whole(ty: &Type) -> bool {
    matches!(ty, Type::Int(8 | 16 | 32 | 64))
}

fn is_moved(inst: &Inst) -> bool {
    match &inst.op {
        Op::Load(access) => is_ordinary(access),
        Op::Phi { .. } | Op::Select | Op::Freeze => true,
        Op::Call(_) => inst.picks_integer(),
        _ => false,
    }
}

/// What an integer is one of.
fn joined(inst: &Inst) -> &[Operand] {
    match inst.op {
        Op::Phi { .. } | Op::Freeze => &inst.operands,
        Op::Select => &inst.operands[1..],
        Op::Call(_) if inst.picks_integer() => inst.arguments(),
        _ => &[],
    }
}
