//! Memory that the reverse sweep puts back as it was, so that it can read there again what it needs (model 1.7).
//!
//! Before a store overwrites such memory, what was there is saved; where the reverse sweep undoes the store, it is written
//! back. So at each instruction's reverse that memory holds what it held when the instruction ran, and a load can be done
//! again wherever no store may have come between it and its use. One saved value for each store stands for all loads.
//!
//! A store that comes before all those loads saves nothing: who fills an array overwrites what nobody has read.
//!
//! Where somebody looks at such memory after the function, the runtime is told what the stores overwrite (`left`). What else
//! writes into it than ordinary stores is not undone, so no load that may come before can be done again.
//! Safe error: not a place to read again (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::omitted::Sweep;
use crate::analyses::later::{ended_unnamed, writes_anywhere, written_through};
use crate::analyses::pointers::Base;
use crate::analyses::spots::Spot;
use crate::model::{BlockId, Function, Inst, Op, Operand, Ordering, Type, ValueId};

/// Memory that is put back whole or not at all.
#[derive(Debug, Default)]
pub struct Area {
    bases: BTreeSet<Base>,
    spots: Vec<Spot>,
    pub stores: BTreeSet<ValueId>,
    /// What else writes there, and stays.
    others: BTreeSet<ValueId>,
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

/// Which stores may be undone.
pub type Undone<'a> = dyn Fn(&Inst) -> bool + 'a;

/// The areas of a function. `computes` tells what may be computed again from its operands, and `lasts` what may be read
/// again though nothing is put back.
pub fn find_areas(
    sweep: &Sweep,
    undone: &Undone,
    consumers: &Consumers,
    computes: &dyn Fn(ValueId, &Inst) -> bool,
    lasts: &dyn Fn(ValueId) -> bool,
) -> Vec<Area> {
    let wanted = |(id, inst): &(ValueId, &Inst)| (is_plain_load(inst) || is_index(inst)) && !lasts(*id);
    let mut loads: Vec<(ValueId, &Inst)> = sweep.insts().filter(wanted).collect();
    if loads.len() > MOST_LOADS {
        loads.retain(|(_, inst)| is_plain_load(inst));
    }
    if loads.len() > MOST_LOADS {
        return Vec::new();
    }
    let (mut areas, others) = collect_areas(sweep, undone);
    if areas.is_empty() {
        return Vec::new();
    }
    let users = Users::of(sweep, consumers, computes);
    for (id, inst) in loads {
        let read = sweep.later.spot_of(inst, &inst.operands[0]);
        let meets = |area: &Area| area.meets(sweep, &read);
        let [at] = (0..areas.len()).filter(|at| meets(&areas[*at])).collect::<Vec<_>>()[..] else { continue };
        let search = Search { sweep, area: &areas[at], load: id, users: &users };
        // It may read beside the area, as where a parameter is read that another one may overlap. There nobody else may write.
        let alive = read.bases.iter().all(|base| sweep.later.outlives_blocks(base));
        let mut stay = areas[at].others.iter().copied().chain(others.writes_to(sweep, &read));
        if alive && !stay.any(|write| runs_later(sweep, id, write)) && search.is_found_at_uses() {
            areas[at].loads.insert(id);
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
        later.extend(area.stores.iter().filter(|store| runs_later(sweep, *load, **store)));
    }
    area.stores = later;
}

/// Whether one instruction may run after another.
fn runs_later(sweep: &Sweep, first: ValueId, second: ValueId) -> bool {
    let (Some(from), Some(to)) = (sweep.home(first), sweep.home(second)) else { return true };
    // Instructions of a block are numbered in its order.
    sweep.flow.comes_to(from, to) || from == to && second > first
}

pub fn is_plain_load(inst: &Inst) -> bool {
    is_ordinary_load(inst) && inst.ty.holds_float()
}

fn is_ordinary_load(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) if !access.volatile && access.ordering == Ordering::NotAtomic)
}

/// An integer in memory, as where a matrix tells in which columns its entries are.
fn is_index(inst: &Inst) -> bool {
    is_ordinary_load(inst) && matches!(inst.ty, Type::Int(_))
}

/// What else writes than stores that may be undone.
#[derive(Default)]
struct Others {
    writes: Vec<(ValueId, Spot)>,
    /// Those that may write wherever somebody has the address of.
    anywhere: Vec<ValueId>,
}

impl Others {
    /// Those of them that may write to some memory.
    fn writes_to<'a>(&'a self, sweep: &'a Sweep, spot: &'a Spot) -> impl Iterator<Item = ValueId> + 'a {
        let met = self.writes.iter().filter(|(_, own)| sweep.later.spots_meet(own, spot)).map(|(id, _)| *id);
        let hidden = spot.bases.iter().all(|base| sweep.later.is_unseen(base));
        met.chain(self.anywhere.iter().copied().filter(move |_| !hidden))
    }
}

impl Area {
    fn meets(&self, sweep: &Sweep, spot: &Spot) -> bool {
        self.spots.iter().any(|own| sweep.later.spots_meet(own, spot))
    }
}

/// Stores that may write to one place are of one area. What anything else may write to is none.
fn collect_areas(sweep: &Sweep, undone: &Undone) -> (Vec<Area>, Others) {
    let mut areas: Vec<Area> = Vec::new();
    let mut all = Others::default();
    for (id, inst) in sweep.insts() {
        if undone(inst) {
            let spot = sweep.later.spot_of(inst, &inst.operands[1]);
            let (same, apart): (Vec<Area>, Vec<Area>) =
                areas.into_iter().partition(|known| known.meets(sweep, &spot));
            let bases = spot.bases.clone();
            let mut area = Area { bases, stores: BTreeSet::from([id]), ..Area::default() };
            area.spots.push(spot);
            areas = apart;
            for other in same {
                area.bases.extend(other.bases);
                area.stores.extend(other.stores);
                area.spots.extend(
                    other.spots.into_iter().filter(|spot| !area.spots.contains(spot)).collect::<Vec<_>>(),
                );
            }
            areas.push(area);
        } else if !sweep.activity.frees_later(inst) {
            let written = written_through(inst, sweep.program, sweep.rules).iter();
            all.writes.extend(written.map(|pointer| (id, sweep.later.spot_of(inst, pointer))));
            let ended = ended_unnamed(sweep.function, inst);
            all.writes.extend((!ended.is_empty()).then(|| (id, Spot::all_of(ended))));
            all.anywhere.extend(writes_anywhere(inst, sweep.program, sweep.rules).then_some(id));
        }
    }
    areas.retain(|area| area.bases.iter().all(|base| sweep.later.outlives_blocks(base)));
    for area in &mut areas {
        let met = all.writes.iter().filter(|(_, spot)| area.meets(sweep, spot)).map(|(id, _)| *id);
        area.others = met.collect();
        if !area.bases.iter().all(|base| sweep.later.is_unseen(base)) {
            area.others.extend(&all.anywhere);
        }
    }
    (areas, all)
}

/// Who goes on with each value, and where the reverse sweep reads it.
#[derive(Default)]
struct Users {
    /// What is computed from a value without storing it on the way, shadows of addresses included.
    made: BTreeMap<ValueId, Vec<ValueId>>,
    at: BTreeMap<ValueId, Vec<ValueId>>,
    before: BTreeMap<ValueId, Vec<BlockId>>,
    at_end: BTreeSet<ValueId>,
}

impl Users {
    fn of(sweep: &Sweep, consumers: &Consumers, computes: &dyn Fn(ValueId, &Inst) -> bool) -> Users {
        let mut users = Users { at_end: consumers.at_end.clone(), ..Users::default() };
        for (id, inst) in sweep.insts() {
            if computes(id, inst) || matches!(inst.op, Op::Load(_) | Op::Freeze | Op::Cast(_)) {
                for value in inst.operands.iter().filter_map(Operand::value) {
                    users.made.entry(value).or_default().push(id);
                }
            }
        }
        for (at, values) in &consumers.at {
            values.iter().for_each(|value| users.at.entry(*value).or_default().push(*at));
        }
        for (block, values) in &consumers.before {
            values.iter().for_each(|value| users.before.entry(*value).or_default().push(*block));
        }
        users
    }

    /// What a load's value goes into, it included.
    fn find_made(&self, load: ValueId) -> BTreeSet<ValueId> {
        let (mut made, mut waiting) = (BTreeSet::from([load]), vec![load]);
        while let Some(value) = waiting.pop() {
            waiting.extend(self.made.get(&value).into_iter().flatten().filter(|user| made.insert(**user)));
        }
        made
    }
}

/// Looks for uses of one load that a store may have come before.
struct Search<'a> {
    sweep: &'a Sweep<'a>,
    area: &'a Area,
    load: ValueId,
    users: &'a Users,
}

/// Instructions by their blocks, in order; those of a block are numbered in its order.
type Places = BTreeMap<BlockId, Vec<ValueId>>;

impl Search<'_> {
    fn is_found_at_uses(&self) -> bool {
        let made = self.users.find_made(self.load);
        let at: BTreeSet<ValueId> =
            made.iter().filter_map(|x| self.users.at.get(x)).flatten().copied().collect();
        let before: BTreeSet<BlockId> =
            made.iter().filter_map(|x| self.users.before.get(x)).flatten().copied().collect();
        let at_end = !made.is_disjoint(&self.users.at_end);
        let Some(home) = self.sweep.home(self.load) else { return false };
        let (uses, stores) = (self.places(&at), self.places(&self.area.stores));
        let flow = self.sweep.flow;
        // Behind the load it is not stale; where control comes in again it may be.
        let mut waiting: Vec<(BlockId, Option<bool>)> = vec![(home, None)];
        let mut seen: BTreeSet<(BlockId, bool)> = BTreeSet::new();
        while let Some((block, entered)) = waiting.pop() {
            let again = block == home && entered.is_some();
            let runs = |id: &&ValueId| match entered {
                None => **id > self.load,
                Some(_) => !again || **id < self.load,
            };
            // Where a store is undone, its address is computed while that is still to come.
            let store = stores.get(&block).into_iter().flatten().find(runs);
            let mut read = uses.get(&block).into_iter().flatten().filter(runs);
            let was = entered == Some(true);
            if read.any(|id| was || store.is_some_and(|store| store <= id)) {
                return false;
            }
            if again {
                continue;
            }
            let stale = was || store.is_some();
            let next = flow.successors(block);
            if stale && (next.is_empty() && at_end || next.iter().any(|to| before.contains(to))) {
                return false;
            }
            waiting.extend(next.iter().filter(|to| seen.insert((**to, stale))).map(|to| (*to, Some(stale))));
        }
        true
    }

    fn places(&self, insts: &BTreeSet<ValueId>) -> Places {
        let mut places = Places::new();
        for id in insts {
            if let Some(block) = self.sweep.home(*id) {
                places.entry(block).or_default().push(*id);
            }
        }
        places
    }
}
