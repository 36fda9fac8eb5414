//! What the runtime is told of stores that are undone though somebody looks at their memory afterwards.
//!
//! The user finds his arrays as the primal left them: between the sweeps the runtime copies what lies where it was told
//! that the primal stored, and behind the reverse sweep it writes that back. It is told these places and nothing between
//! them, for there may lie a shadow.
//!
//! A store that runs once in each pass of a counted loop, at an address that advances by the same amount, is told of once for
//! each run of the loop, behind it.
//! Safe error: told of each time (costs time, never truth).

use std::collections::BTreeMap;

use super::arrays::comes_back;
use super::merges::distinct_predecessors;
use super::restored::Area;
use super::storage::StoragePlanner;
use super::{Decision, Merge};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::Flow;
use crate::analyses::later::{ends_slots, is_pure, is_unnamed_end};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::dependence::induction::evolution_of;
use crate::dependence::nesting::Nesting;
use crate::model::{
    BlockId, Function, Inst, LoopId, Op, Operand, Program, Scev, Stride, Type, ValueId, Wrap,
};
use crate::rules::Rules;

/// When the runtime is told where a store writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Whenever it runs.
    Each,
    /// Behind the loop of that header, where `exit` begins: a row of places, each so many bytes behind the one before.
    Row { header: BlockId, exit: BlockId, step: i64 },
}

/// A store that is told of.
pub struct Left {
    pub told: Told,
    /// The headers of the loops around it in which it comes back to the same places.
    returns: Vec<BlockId>,
}

pub type Lefts = BTreeMap<ValueId, Left>;

/// The time of telling the runtime where a row of stores wrote, and of having it keep that at all.
const TELLING: u64 = 64;
const TELLING_AT_ALL: u64 = 2048;

/// Longer ways from an address to a counter are not followed.
const DEEPEST: usize = 24;

/// Where stores stand in the loops of a function.
pub struct Rows<'a> {
    function: &'a Function,
    flow: &'a Flow,
    nesting: Nesting<'a>,
    /// Inner loops first.
    cycles: Vec<Cycle>,
}

impl<'a> Rows<'a> {
    pub fn of(
        program: &Program,
        function: &'a Function,
        flow: &'a Flow,
        merges: &BTreeMap<BlockId, Decision<Merge>>,
    ) -> Rows<'a> {
        let counted = merges.iter().filter(|(_, merge)| matches!(merge.choice, Merge::Count { .. }));
        let cycles = counted
            .filter_map(|(header, _)| find_cycle(flow, *header, &distinct_predecessors(flow, *header)));
        let mut cycles: Vec<Cycle> = cycles.collect();
        cycles.sort_by_key(|cycle| cycle.blocks.len());
        Rows { function, flow, nesting: Nesting::of(program, function), cycles }
    }

    fn left(&self, store: ValueId) -> Left {
        let around = self.nesting.home(store).map(|home| self.nesting.chain(home)).unwrap_or_default();
        let address = self.function.inst(store).map(|inst| &inst.operands[1]);
        let moves = |of: &&LoopId| address.is_some_and(|address| self.moves(address, **of, DEEPEST));
        let header = |of: &LoopId| self.function.loops[of.0 as usize].header;
        let returns = around.iter().filter(|of| !moves(of)).map(header).collect();
        Left { told: self.find_row(store).unwrap_or(Told::Each), returns }
    }

    /// Whether an address goes on and on with the passes of a loop; not where it goes to and fro between buffers.
    fn moves(&self, pointer: &Operand, of: LoopId, fuel: usize) -> bool {
        if self.nesting.is_invariant(pointer, of) {
            return false;
        }
        let Some(id) = pointer.value().filter(|_| fuel > 0) else { return false };
        let Some(inst) = self.function.inst(id) else { return false };
        match &inst.op {
            Op::Gep(_) => {
                let counts = |index: &Operand| goes_on(&evolution_of(&self.nesting, index), of);
                self.moves(&inst.operands[0], of, fuel - 1) || inst.operands[1..].iter().any(counts)
            }
            // One of a row of pointers.
            Op::Load(_) => self.moves(&inst.operands[0], of, fuel - 1),
            Op::Phi { .. } => self.advance(pointer, of, fuel).is_some_and(|by| by != 0),
            _ => false,
        }
    }

    fn find_row(&self, store: ValueId) -> Option<Told> {
        let home = self.nesting.home(store)?;
        let cycle = self.cycles.iter().find(|cycle| cycle.blocks.contains(&home))?;
        let header = cycle.header;
        let of = self.function.loops.iter().position(|known| known.header == header)?;
        let of = LoopId(u32::try_from(of).ok()?);
        let once = home != header
            && self.nesting.innermost(home) == Some(of)
            && self.flow.dominates(home, cycle.latch)
            && !comes_back(self.flow, cycle, home);
        let stays = |block: &BlockId| self.flow.successors(*block).iter().all(|to| cycle.blocks.contains(to));
        let whole = cycle.blocks.iter().all(|block| *block == header || stays(block));
        let mut behind = self.flow.successors(header).iter().filter(|to| !cycle.blocks.contains(to));
        let exit = *behind.next()?;
        let dedicated = behind.next().is_none() && distinct_predecessors(self.flow, exit) == [header];
        let address = &self.function.inst(store)?.operands[1];
        let step = self.advance(address, of, DEEPEST).filter(|_| once && whole && dedicated)?;
        Some(Told::Row { header, exit, step: i64::try_from(step).ok()? })
    }

    /// By how many bytes an address is further in the next pass.
    fn advance(&self, pointer: &Operand, of: LoopId, fuel: usize) -> Option<i128> {
        if self.nesting.is_invariant(pointer, of) {
            return Some(0);
        }
        let id = pointer.value().filter(|_| fuel > 0)?;
        let inst = self.function.inst(id)?;
        match &inst.op {
            Op::Gep(gep) => {
                let mut sum = self.advance(&inst.operands[0], of, fuel - 1)?;
                for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
                    let Stride::Scale(bytes) = stride else { continue };
                    let further = grow(&self.nesting, &evolution_of(&self.nesting, index), of)?;
                    // A narrow index is widened with its sign.
                    let wide = self.function.operand_type(index) == Type::I64;
                    if further != 0 && !wide {
                        return None;
                    }
                    sum = sum.checked_add(further.checked_mul(i128::from(*bytes))?)?;
                }
                gep.strides.iter().all(|stride| *stride != Stride::Unknown).then_some(sum)
            }
            Op::Phi { from } if self.nesting.home(id) == Some(self.function.loops[of.0 as usize].header) => {
                let round = |block: &BlockId| self.function.loops[of.0 as usize].blocks.contains(block);
                let mut nexts = from.iter().zip(&inst.operands).filter(|(block, _)| round(block));
                let next = self.function.inst(nexts.next()?.1.value()?)?;
                let (Op::Gep(gep), Some(Operand::Value(base))) = (&next.op, next.operands.first()) else {
                    return None;
                };
                let mut sum = Some(0).filter(|_| *base == id && nexts.next().is_none())?;
                for (stride, index) in gep.strides.iter().zip(&next.operands[1..]) {
                    let by = match (stride, index) {
                        (Stride::Field(bytes), _) => i128::from(*bytes),
                        (Stride::Scale(bytes), Operand::Const(number)) => {
                            number.as_signed()?.checked_mul(i128::from(*bytes))?
                        }
                        _ => return None,
                    };
                    sum += by;
                }
                Some(sum)
            }
            _ => None,
        }
    }
}

impl StoragePlanner<'_> {
    /// Of stores that are undone, those into memory at which somebody looks afterwards.
    pub fn find_left<'b>(&self, stores: impl Iterator<Item = &'b ValueId>) -> Lefts {
        let seen = |store: &&ValueId| {
            let inst = self.function.inst(**store);
            self.sweep.zip(inst).is_some_and(|(sweep, inst)| !sweep.is_deferrable(inst))
        };
        let stores: Vec<ValueId> = stores.filter(seen).copied().collect();
        if stores.is_empty() {
            return Lefts::new();
        }
        let rows = Rows::of(self.program, self.function, self.flow, self.merges);
        stores.into_iter().map(|store| (store, rows.left(store))).collect()
    }

    /// The time it takes to tell the runtime of the stores of an area, and what it keeps.
    pub fn price_of_telling(&self, area: &Area, lefts: &Lefts) -> u64 {
        let told = area.stores.iter().filter_map(|store| lefts.get_key_value(store));
        let price = |(store, left): (&ValueId, &Left)| {
            let times = match left.told {
                Told::Each => self.trips_of(*store),
                Told::Row { header, .. } => self.trips_of(*store) / self.runs.turns_of(header),
            };
            let again: u64 =
                left.returns.iter().fold(1, |all, header| all.saturating_mul(self.runs.turns_of(*header)));
            times * TELLING + self.price_of_stored(*store) / again
        };
        let prices: Vec<u64> = told.map(price).collect();
        if prices.is_empty() { 0 } else { TELLING_AT_ALL + prices.iter().sum::<u64>() }
    }
}

/// Whether a function makes memory, or calls somebody who may: what is found in memory may then be gone before it ends.
pub fn makes_memory(function: &Function, program: &Program, rules: &Rules) -> bool {
    let makes = |inst: &Inst| match memory_call(inst) {
        Some(MemoryCall::Allocate { .. }) => true,
        Some(_) => false,
        None if is_unnamed_end(inst) => true,
        None => inst.op.call().is_some() && !ends_slots(inst) && !is_pure(inst, program, rules),
    };
    function.insts.iter().any(makes)
}

/// Whether an integer grows or falls from pass to pass of a loop.
fn goes_on(value: &Scev, of: LoopId) -> bool {
    match value {
        Scev::Rec { of: own, start, .. } => *own == of || goes_on(start, of),
        Scev::Add(_, parts) | Scev::Mul(_, parts) => parts.iter().any(|part| goes_on(part, of)),
        Scev::SExt(_, part) | Scev::ZExt(_, part) => goes_on(part, of),
        _ => false,
    }
}

/// By how much an integer is larger in the next pass, modulo its width.
fn grow(nesting: &Nesting, value: &Scev, of: LoopId) -> Option<i128> {
    match value {
        Scev::Const { .. } => Some(0),
        Scev::Value(operand) => nesting.is_invariant(operand, of).then_some(0),
        Scev::Add(_, parts) => {
            parts.iter().try_fold(0i128, |sum, part| sum.checked_add(grow(nesting, part, of)?))
        }
        Scev::Mul(_, parts) => match parts.as_slice() {
            [Scev::Const { value, .. }, part] | [part, Scev::Const { value, .. }] => {
                grow(nesting, part, of)?.checked_mul(*value)
            }
            parts => parts.iter().all(|part| grow(nesting, part, of) == Some(0)).then_some(0),
        },
        Scev::Rec { step, of: own, start, .. } if *own == of => match **step {
            Scev::Const { value, .. } if grow(nesting, start, of) == Some(0) => Some(value),
            _ => None,
        },
        Scev::Rec { of: other, .. } => {
            let around = &nesting.function.loops[other.0 as usize].blocks;
            let header = nesting.function.loops[of.0 as usize].header;
            around.contains(&header).then_some(0)
        }
        Scev::SExt(_, part) => widened(nesting, part, of, |wrap| wrap.nsw),
        Scev::ZExt(_, part) => widened(nesting, part, of, |wrap| wrap.nuw),
        _ => None,
    }
}

/// The same of a value that is widened: it must not wrap before.
fn widened(nesting: &Nesting, value: &Scev, of: LoopId, keeps: fn(&Wrap) -> bool) -> Option<i128> {
    let further = grow(nesting, value, of)?;
    let exact = match value {
        _ if further == 0 => true,
        Scev::Rec { wrap, .. } => keeps(wrap),
        Scev::Add(wrap, parts) => {
            keeps(wrap) && parts.iter().all(|part| widened(nesting, part, of, keeps).is_some())
        }
        _ => false,
    };
    exact.then_some(further)
}
