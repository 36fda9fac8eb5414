//! Memory that the reverse sweep puts back as it was, so that it can read there again what it needs (model 1.7).
//!
//! Before a store overwrites such memory, what was there is saved; where the reverse sweep undoes the store, it is written
//! back. So at each instruction's reverse that memory holds what it held when the instruction ran, and a load can be done
//! again wherever no store may have come between it and its use. One saved value for each store stands for all loads.
//!
//! A store that comes before all those loads saves nothing: who fills an array overwrites what nobody has read.
//!
//! Only memory is put back at which nobody looks after the function, and into which nothing writes but ordinary stores.
//! Safe error: not a place to read again (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::omitted::Sweep;
use crate::analyses::later::{writes_anywhere, written_through};
use crate::analyses::pointers::Base;
use crate::model::{BlockId, Function, Inst, Op, Operand, Ordering, ValueId};

/// Memory that is put back whole or not at all.
#[derive(Debug, Default)]
pub struct Area {
    bases: BTreeSet<Base>,
    pub stores: BTreeSet<ValueId>,
    /// Loads of it that find in the reverse sweep, wherever it needs them, what they found.
    pub loads: BTreeSet<ValueId>,
}

/// Where the reverse sweep reads which values: in the reverse of an instruction, where a block is left for the one before,
/// and at the end. A pointer stands for its shadow, too.
#[derive(Clone, Default)]
pub struct Consumers {
    pub at: BTreeMap<ValueId, BTreeSet<ValueId>>,
    pub before: BTreeMap<BlockId, BTreeSet<ValueId>>,
    pub at_end: BTreeSet<ValueId>,
}

impl Consumers {
    /// Where a store is undone, its address is read.
    pub fn add_addresses(&mut self, function: &Function, stores: &BTreeSet<ValueId>) {
        for store in stores {
            let address = function.inst(*store).and_then(|inst| inst.operands[1].value());
            self.at.entry(*store).or_default().extend(address);
        }
    }
}

/// Functions with more loads of such memory keep what they read: each load is followed for itself.
const MOST_LOADS: usize = 400;

/// The areas of a function. `computes` tells what may be computed again from its operands.
pub fn find_areas(
    sweep: &Sweep,
    consumers: &Consumers,
    computes: &dyn Fn(ValueId, &Inst) -> bool,
) -> Vec<Area> {
    let mut areas = collect_areas(sweep);
    let loads: Vec<(ValueId, &Inst)> = sweep.insts().filter(|(_, inst)| is_plain_load(inst)).collect();
    if areas.is_empty() || loads.len() > MOST_LOADS {
        return Vec::new();
    }
    for (id, inst) in loads {
        let read = sweep.activity.bases(&inst.operands[0]);
        let meets = |area: &Area| meet(sweep, &area.bases, &read);
        let [at] = (0..areas.len()).filter(|at| meets(&areas[*at])).collect::<Vec<_>>()[..] else { continue };
        if read.iter().all(|base| areas[at].bases.contains(base)) {
            let found = Search { sweep, area: &areas[at], load: id, consumers };
            if found.is_found_at_uses(computes) {
                areas[at].loads.insert(id);
            }
        }
    }
    areas.retain(|area| !area.loads.is_empty());
    areas.iter_mut().for_each(|area| drop_first_stores(sweep, area));
    areas
}

/// A store that no load of its area comes before, as where an array is filled, overwrites what nobody reads again.
fn drop_first_stores(sweep: &Sweep, area: &mut Area) {
    let mut later: BTreeSet<ValueId> = BTreeSet::new();
    for load in &area.loads {
        let Some(home) = sweep.home(*load) else { return };
        let next = sweep.flow.successors(home).iter();
        let behind: BTreeSet<BlockId> = next.flat_map(|next| sweep.flow.reach(*next, &[])).collect();
        let follows = |store: &&ValueId| {
            let block = sweep.home(**store);
            // Instructions of a block are numbered in its order.
            block.is_none_or(|block| behind.contains(&block) || block == home && *store > load)
        };
        later.extend(area.stores.iter().filter(follows));
    }
    area.stores = later;
}

fn is_plain_load(inst: &Inst) -> bool {
    let Op::Load(access) = &inst.op else { return false };
    !access.volatile && access.ordering == Ordering::NotAtomic && inst.ty.holds_float()
}

fn meet(sweep: &Sweep, a: &BTreeSet<Base>, b: &BTreeSet<Base>) -> bool {
    a.iter().any(|x| b.iter().any(|y| sweep.later.may_meet(x, y)))
}

/// Stores that may write to one place are of one area. What anything else may write to is none.
fn collect_areas(sweep: &Sweep) -> Vec<Area> {
    let mut areas: Vec<Area> = Vec::new();
    let mut spoilt: BTreeSet<Base> = BTreeSet::new();
    let mut anywhere = false;
    for (id, inst) in sweep.insts() {
        if sweep.is_deferrable(inst) {
            let bases = sweep.activity.bases(&inst.operands[1]);
            let mut area = Area { bases, stores: BTreeSet::from([id]), ..Area::default() };
            let (same, others): (Vec<Area>, Vec<Area>) =
                areas.into_iter().partition(|known| meet(sweep, &known.bases, &area.bases));
            areas = others;
            for other in same {
                area.bases.extend(other.bases);
                area.stores.extend(other.stores);
            }
            areas.push(area);
        } else {
            let written = written_through(inst, sweep.program, sweep.rules).iter();
            spoilt.extend(written.flat_map(|x| sweep.activity.bases(x)));
            anywhere |= writes_anywhere(inst, sweep.program, sweep.rules);
        }
    }
    let lasts = |base: &Base| sweep.later.outlives_blocks(base) && (!anywhere || sweep.later.is_hidden(base));
    areas.retain(|area| area.bases.iter().all(lasts) && !meet(sweep, &area.bases, &spoilt));
    areas
}

/// Looks for uses of one load that a store may have come before.
struct Search<'a> {
    sweep: &'a Sweep<'a>,
    area: &'a Area,
    load: ValueId,
    consumers: &'a Consumers,
}

impl Search<'_> {
    fn is_found_at_uses(&self, computes: &dyn Fn(ValueId, &Inst) -> bool) -> bool {
        let function = self.sweep.function;
        let made = self.find_made(computes);
        let uses = |values: &BTreeSet<ValueId>| !values.is_disjoint(&made);
        let Some(home) = self.sweep.home(self.load) else { return false };
        let rest = function.block(home).insts.iter().skip_while(|id| **id != self.load).skip(1);
        let mut waiting: Vec<(BlockId, bool, Vec<ValueId>)> = vec![(home, false, rest.copied().collect())];
        let mut seen: BTreeSet<(BlockId, bool)> = BTreeSet::new();
        while let Some((block, mut stale, insts)) = waiting.pop() {
            let mut again = false;
            for id in insts {
                if id == self.load {
                    again = true;
                    break;
                }
                // Where a store is undone, its address is computed while that is still to come.
                stale |= self.area.stores.contains(&id);
                if stale && self.consumers.at.get(&id).is_some_and(uses) {
                    return false;
                }
            }
            if again {
                continue;
            }
            let next = self.sweep.flow.successors(block);
            if next.is_empty() && stale && uses(&self.consumers.at_end) {
                return false;
            }
            for to in next {
                if stale && self.consumers.before.get(to).is_some_and(uses) {
                    return false;
                }
                if seen.insert((*to, stale)) {
                    waiting.push((*to, stale, function.block(*to).insts.clone()));
                }
            }
        }
        true
    }

    /// What the load's value goes into without being stored on the way, shadows of addresses included.
    fn find_made(&self, computes: &dyn Fn(ValueId, &Inst) -> bool) -> BTreeSet<ValueId> {
        let mut made = BTreeSet::from([self.load]);
        loop {
            let before = made.len();
            for (id, inst) in self.sweep.insts() {
                let follows = computes(id, inst) || matches!(inst.op, Op::Load(_) | Op::Freeze | Op::Cast(_));
                let from = |x: &Operand| x.value().is_some_and(|value| made.contains(&value));
                if follows && inst.operands.iter().any(from) {
                    made.insert(id);
                }
            }
            if made.len() == before {
                return made;
            }
        }
    }
}
