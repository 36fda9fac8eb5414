//! Rows of memory that a loop reads: one record for all loads of them.
//!
//! `u[i - 1]`, `u[i]` and `u[i + 1]` are three numbers in each pass, and one in each pass but for the front. Where the reverse
//! sweep needs what they find, and the memory is written later, the row lies in the array of the loop's records: the load that is furthest on
//! records what it finds, what lies in front of its first pass is copied where the loop is entered, and each load finds its number there. The
//! loop itself must leave the row alone. Every pass runs the loads, so nothing is copied that the program does not read
//! or that does not lie between two numbers that it reads.
//! Safe error: no row (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::cut::Cut;
use super::laid::Laid;
use super::restored::is_plain_load;
use super::storage::{Question, StoragePlanner, Stored};
use super::{Decision, Fetch, Item, Merge, Plan, Storage, distinct_predecessors};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::blocks_of_values;
use crate::analyses::later::{Later, is_pure, writes_anywhere, written_through};
use crate::analyses::trips::find_trips;
use crate::dependence::exchanged::root_of;
use crate::dependence::overwriting::Overwriting;
use crate::dependence::runs::{Tested, find_apart_in_runs};
use crate::model::{
    BlockId, CastOp, Flags, FloatKind, Function, Inst, IntOp, Layout, Op, Operand, Type, ValueId,
};

/// Loads of one block that read one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub block: BlockId,
    /// The load that is furthest in front: the row begins where its first pass reads.
    pub first: ValueId,
    /// By how many bytes each pass reads further on.
    pub step: u64,
    /// The bytes from where a pass begins to read to where it ends.
    pub span: u64,
    /// The loads, and how far behind the first one each reads.
    pub loads: BTreeMap<ValueId, u64>,
    /// Those of them that record what they find: the one furthest on, or one for each place within a step.
    pub leads: BTreeSet<ValueId>,
    /// What the first address is computed from in the loop. It is computed once more where the loop is entered, from what the loop
    /// begins with.
    pub again: BTreeSet<ValueId>,
}

/// The rows of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Where control goes that leaves the loop.
    pub exit: BlockId,
    pub rows: Vec<Row>,
}

/// By loops' headers.
pub type AllRows = BTreeMap<BlockId, Rows>;

/// Larger functions have none.
const LARGEST: usize = 5_000;

/// So many passes at most lie between two numbers of a row that one pass reads.
const WIDEST: i128 = 8;

/// Loops with more loads are not looked at.
const MOST_LOADS: usize = 64;

pub fn find_rows(
    question: &Question,
    later: &Later,
    merges: &BTreeMap<BlockId, Decision<Merge>>,
    tested: &Tested,
) -> AllRows {
    let Question { function, program, flow, .. } = *question;
    if function.insts.len() > LARGEST {
        return AllRows::new();
    }
    let home = blocks_of_values(function);
    let counted = merges.iter().filter(|(_, merge)| matches!(merge.choice, Merge::Count { .. }));
    let cycles =
        counted.filter_map(|(header, _)| find_cycle(flow, *header, &distinct_predecessors(flow, *header)));
    let known = cycles.filter(|cycle| {
        flow.successors(cycle.entry) == [cycle.header] && find_trips(function, flow, &home, cycle).is_some()
    });
    let mut overwriting = None;
    let mut found = AllRows::new();
    for cycle in known {
        let finder = Finder { question, later, cycle: &cycle };
        let Some((loads, stores)) = finder.find_accesses() else { continue };
        let overwriting = overwriting.get_or_insert_with(|| Overwriting::of(function, program));
        let rows = finder.gather(overwriting, loads, &stores, tested);
        let exit = flow.successors(cycle.header).iter().find(|to| !cycle.blocks.contains(to));
        if let Some(exit) = exit.filter(|_| !rows.is_empty()) {
            found.insert(cycle.header, Rows { exit: *exit, rows });
        }
    }
    found
}

/// Loads, each with its block.
type Placed = Vec<(BlockId, ValueId)>;

struct Finder<'a> {
    question: &'a Question<'a>,
    later: &'a Later<'a>,
    cycle: &'a Cycle,
}

impl Finder<'_> {
    fn function(&self) -> &Function {
        self.question.function
    }

    fn insts(&self) -> impl Iterator<Item = (BlockId, ValueId, &Inst)> {
        let of_block = move |block: &BlockId| {
            let ids = self.function().block(*block).insts.iter();
            let block = *block;
            ids.filter_map(move |id| Some((block, *id, self.function().inst(*id)?)))
        };
        self.cycle.blocks.iter().flat_map(of_block)
    }

    /// The loads that may share rows, by blocks, and the stores of the loop; none where something else writes, or may leave.
    fn find_accesses(&self) -> Option<(Placed, BTreeSet<ValueId>)> {
        let Question { function, program, rules, flow, .. } = *self.question;
        let mut stores = BTreeSet::new();
        for (_, id, inst) in self.insts() {
            match inst.op {
                Op::Store(_) => drop(stores.insert(id)),
                Op::Call(_) if is_pure(inst, program, rules) => {}
                _ if inst.op.call().is_some() => return None,
                _ if writes_anywhere(inst, program, rules) => return None,
                _ if !written_through(inst, program, rules).is_empty() => return None,
                _ => {}
            }
        }
        let inside =
            |block: &BlockId| *block != self.cycle.header && flow.dominates(*block, self.cycle.latch);
        let once = |block: &BlockId| inside(block) && !super::arrays::comes_back(flow, self.cycle, *block);
        let wanted = |(block, id, inst): &(BlockId, ValueId, &Inst)| {
            is_plain_load(inst) && is_number(&inst.ty) && !self.later.lasts(*id) && once(block)
        };
        let mut by_root: BTreeMap<(BlockId, ValueId), Vec<ValueId>> = BTreeMap::new();
        for (block, id, inst) in self.insts().filter(wanted) {
            if let Some(root) = root_of(function, &inst.operands[0]) {
                by_root.entry((block, root)).or_default().push(id);
            }
        }
        let several = by_root.into_iter().filter(|(_, loads)| loads.len() > 1);
        let loads: Placed =
            several.flat_map(|((block, _), loads)| loads.into_iter().map(move |id| (block, id))).collect();
        (!loads.is_empty() && loads.len() <= MOST_LOADS).then_some((loads, stores))
    }

    /// Puts the loads together that are never far from each other, and that no store of the loop meets.
    fn gather(
        &self,
        overwriting: &Overwriting,
        loads: Placed,
        stores: &BTreeSet<ValueId>,
        tested: &Tested,
    ) -> Vec<Row> {
        let Question { function, program, .. } = *self.question;
        let layout = Layout::parse(&program.layout);
        let met = |load: ValueId, store: ValueId| {
            let spot = |id: ValueId, at: usize| {
                function.inst(id).map(|inst| self.later.spot_of(inst, &inst.operands[at]))
            };
            spot(load, 0)
                .zip(spot(store, 1))
                .is_none_or(|(read, written)| self.later.spots_meet(&read, &written))
        };
        let pairs = loads.iter().flat_map(|(_, load)| stores.iter().map(move |store| (*load, *store)));
        let doubtful: BTreeSet<_> = pairs.filter(|(load, store)| met(*load, *store)).collect();
        let apart = find_apart_in_runs(overwriting, program, &doubtful, tested);
        let touched: BTreeSet<ValueId> = doubtful.difference(&apart).map(|(load, _)| *load).collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut left: Placed = loads
            .into_iter()
            .filter(|(_, id)| !touched.contains(id) && self.find_chain(*id).is_some())
            .collect();
        while let Some((block, load)) = left.pop() {
            let ty = function.value_type(load);
            let Some(chain) = self.find_chain(load) else { continue };
            let Some(step) = overwriting.find_step(load).filter(|step| *step > 0) else { continue };
            let near = |(of, other): &(BlockId, ValueId)| {
                let distance = overwriting.find_distance(load, *other).filter(|_| *of == block)?;
                let alike = function.value_type(*other) == ty && overwriting.find_step(*other) == Some(step);
                // Two names for one number are not told apart here, but the checker tries them with two numbers.
                let same = || self.find_chain(*other).is_some_and(|other| other.leaves == chain.leaves);
                (alike && distance.abs() <= WIDEST * step && same()).then_some((*other, distance))
            };
            let others: Vec<(ValueId, i128)> = left.iter().filter_map(near).collect();
            left.retain(|(_, id)| !others.iter().any(|(other, _)| other == id));
            let mut members = BTreeMap::from([(load, 0)]);
            members.extend(others);
            let first = members.iter().min_by_key(|(_, at)| **at).map(|(id, at)| (*id, *at));
            let again = first.and_then(|(first, _)| Some(self.find_chain(first)?.again));
            if let (Some((first, front)), Some(again), Ok(step)) = (first, again, u64::try_from(step)) {
                let loads: BTreeMap<ValueId, u64> = members
                    .into_iter()
                    .filter_map(|(id, at)| Some((id, u64::try_from(at - front).ok()?)))
                    .collect();
                rows.extend(
                    Row { block, first, step, span: 0, loads, leads: BTreeSet::new(), again }
                        .of(function, &layout),
                );
            }
        }
        rows
    }

    /// What an address is computed from, if what the loop computes of it can be computed where the loop is entered.
    fn find_chain(&self, load: ValueId) -> Option<Chain> {
        let mut chain = Chain::default();
        self.collect(&self.function().inst(load)?.operands[0], Flags::NSW, &mut chain)?;
        Some(chain)
    }

    /// Sums of products of counters, and of integers that are narrower than addresses only where they are promised not to wrap.
    fn collect(&self, operand: &Operand, promise: Flags, chain: &mut Chain) -> Option<()> {
        let function = self.function();
        let Some(id) = operand.value() else { return Some(()) };
        let is_of = |block: &&BlockId| function.block(**block).insts.contains(&id);
        let (home, inst) = (self.cycle.blocks.iter().find(is_of), function.inst(id));
        chain.again.extend(home.map(|_| id));
        if !chain.seen.insert((id, promise == Flags::NSW)) {
            return Some(());
        }
        let inst = inst.filter(|inst| inst.ty.is_pointer() || matches!(inst.ty, Type::Int(_)));
        let wide = inst.is_some_and(|inst| matches!(inst.ty, Type::Int(64) | Type::Ptr(_)));
        let promised = |inst: &Inst| wide || inst.flags.has(promise);
        match inst.map(|inst| (inst, &inst.op)) {
            Some((inst, Op::Phi { from })) if home == Some(&self.cycle.header) => {
                let at = from.iter().position(|block| *block == self.cycle.latch)?;
                let next = function.inst(inst.operands[at].value()?).filter(|next| promised(next))?;
                let counts = matches!(next.op, Op::Int(IntOp::Add | IntOp::Sub) | Op::Gep(_));
                let by = matches!(next.operands[..], [Operand::Value(from), Operand::Const(_)] if from == id);
                let start =
                    from.iter().position(|block| *block == self.cycle.entry).filter(|_| counts && by)?;
                self.collect(&inst.operands[start], promise, chain)
            }
            Some((inst, Op::Gep(_) | Op::Cast(CastOp::SExt))) => {
                inst.operands.iter().try_for_each(|x| self.collect(x, Flags::NSW, chain))
            }
            Some((inst, Op::Cast(CastOp::ZExt))) => self.collect(&inst.operands[0], Flags::NUW, chain),
            Some((inst, Op::Int(op))) if promised(inst) && is_of_products(*op, &inst.operands) => {
                inst.operands.iter().try_for_each(|x| self.collect(x, promise, chain))
            }
            _ if home.is_none() => {
                chain.leaves.insert(id);
                Some(())
            }
            _ => None,
        }
    }
}

/// What an address is computed from.
#[derive(Default)]
struct Chain {
    /// In the loop.
    again: BTreeSet<ValueId>,
    /// All of it, with how it is read where it is made wider: with a sign or without.
    seen: BTreeSet<(ValueId, bool)>,
    /// Of what comes before the loop, what is not looked into.
    leaves: BTreeSet<ValueId>,
}

fn is_of_products(op: IntOp, operands: &[Operand]) -> bool {
    match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul => true,
        IntOp::Shl => matches!(operands[1], Operand::Const(_)),
        _ => false,
    }
}

/// What rows are of.
fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Float(FloatKind::Single | FloatKind::Double))
}

impl Row {
    /// The row of some loads, with how far behind the front one each reads; none where it takes no less than the numbers that they read.
    fn of(self, function: &Function, layout: &Layout) -> Option<Row> {
        let size = layout.size_of(function.value_type(self.first))?;
        let last = self.loads.values().max().copied()?;
        let shorter = self.loads.len() > 1 && self.loads.len() as u64 * size > self.step;
        // The address of the first load is what the row is counted from.
        let mut leads: BTreeMap<u64, (u64, ValueId)> = BTreeMap::new();
        for (id, offset) in &self.loads {
            let lead = leads.entry(offset % self.step).or_insert((*offset, *id));
            *lead = (*offset, *id).max(*lead);
        }
        let leads = leads.into_values().map(|(_, id)| id).collect();
        (shorter && self.loads.contains_key(&self.first)).then(|| Row { span: last + size, leads, ..self })
    }

    /// The bytes in front of what the first pass records, from where the row begins.
    pub fn front(&self) -> u64 {
        self.leads.iter().filter_map(|lead| self.loads.get(lead)).max().copied().unwrap_or(0)
    }
}

impl Plan {
    /// The loop and the row in which what a load has found is recorded.
    pub fn row_of(&self, load: ValueId) -> Option<(BlockId, &Row)> {
        let mut all =
            self.rows.iter().flat_map(|(header, rows)| rows.rows.iter().map(move |row| (*header, row)));
        all.find(|(_, row)| row.loads.contains_key(&load))
    }

    /// By how many bytes each pass of a loop lengthens the rows that a block of it reads.
    pub fn row_bytes(&self, block: BlockId) -> u64 {
        let rows = self.rows.values().flat_map(|all| &all.rows);
        rows.filter(|row| row.block == block).map(|row| row.step).sum()
    }
}

impl StoragePlanner<'_> {
    /// What a row holds is one more thing that could be stored: what its loads come from. Each load with the number that stands for its row;
    /// `again` are loads that may come from memory once more.
    pub fn add_rows(&self, cut: &mut Cut, again: &dyn Fn(ValueId) -> bool) -> BTreeMap<ValueId, ValueId> {
        let mut in_rows = BTreeMap::new();
        for (at, row) in (0..).zip(self.rows.values().flat_map(|all| &all.rows)) {
            let (number, roots) =
                (ValueId(u32::MAX / 2 + at), BTreeSet::from_iter(cut.roots.iter().copied()));
            let loads: Vec<ValueId> =
                row.loads.keys().copied().filter(|load| roots.contains(load) || again(*load)).collect();
            if loads.len() < 2 {
                continue;
            }
            cut.price.insert(number, self.price_of(Some(row.step), row.first));
            cut.roots.retain(|root| !loads.contains(root));
            cut.roots.extend(loads.iter().any(|load| roots.contains(load)).then_some(number));
            cut.feeds.extend(loads.iter().map(|load| (number, *load)));
            in_rows.extend(loads.into_iter().map(|load| (load, number)));
        }
        in_rows
    }
}

/// Keeps what rows say of some loads.
fn keep(all: &mut Rows, function: &Function, layout: &Layout, stays: &dyn Fn(&Row, ValueId) -> bool) {
    let kept = std::mem::take(&mut all.rows).into_iter().filter_map(|row| {
        let loads = row.loads.iter().filter(|(id, _)| stays(&row, **id));
        let loads = loads.map(|(id, at)| (*id, *at)).collect();
        Row { loads, ..row }.of(function, layout)
    });
    all.rows = kept.collect();
}

/// Keeps the rows of which the loads are recorded at all, one by one.
pub fn keep_stored(rows: &mut AllRows, function: &Function, layout: &Layout, storage: &Stored) {
    let is_saved = |_: &Row, id: ValueId| {
        storage.get(&id).is_some_and(|decision| decision.choice == Storage::SaveOnOverwrite)
    };
    rows.values_mut().for_each(|all| keep(all, function, layout, &is_saved));
    rows.retain(|_, all| !all.rows.is_empty());
}

/// Keeps those of loops whose records lie in arrays on the tape, and of loads that are read in the reverse of their block alone.
pub fn keep_laid(rows: &mut AllRows, function: &Function, layout: &Layout, laid: &Laid) {
    rows.retain(|header, all| {
        let array = laid.arrays.get(header).filter(|array| array.in_frame.is_none());
        let is_laid = |row: &Row, id: ValueId| {
            let item = Item::Value(id);
            let recorded = laid.records.get(&row.block).is_some_and(|items| items.contains(&item));
            recorded
                && laid.fresh.get(&item) == Some(&Fetch::WithBlock)
                && array.is_some_and(|array| array.blocks.contains(&row.block))
        };
        keep(all, function, layout, &is_laid);
        !all.rows.is_empty()
    });
}
