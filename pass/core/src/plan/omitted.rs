//! What the forward sweep leaves out, because neither the reverse sweep nor anybody after it needs it.
//!
//! Adjoint liveness (equation 1.10: `live(I;D) = live(I') ∪ (live(D) ⊗ Dep(I))`), asked of the plan itself: `I'` reads
//! what this plan stores and what it reads again from memory, and nothing more. Values go by instruction; memory goes by
//! allocation and by what can still run.
//! Lattice: sets of instructions that run, by inclusion. Bottom: those that have to run whoever looks at their results.
//! Transfer: what runs needs its operands; what reads memory needs the stores that may have written there before.
//! Safe error: runs (costs work, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::storage::Stored;
use super::{Arrival, Decision, RecordArray, Rerun, Room, Storage, Strip};
use crate::analyses::activity::Activity;
use crate::analyses::flow::Flow;
use crate::analyses::later::{Later, is_pure};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::model::{BlockId, Function, Inst, Op, Operand, Ordering, Program, Type, ValueId};
use crate::request::{Activity as Asked, Part, Request};
use crate::rules::Rules;

/// A function, and what is known of its memory.
pub struct Sweep<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub request: &'a Request,
    pub results: &'a [Part],
    pub flow: &'a Flow,
    pub activity: &'a Activity,
    pub later: &'a Later<'a>,
    /// The block of each instruction.
    pub homes: BTreeMap<ValueId, BlockId>,
    /// Whether it makes memory, or calls somebody who may.
    pub makes_memory: bool,
}

/// What the reverse sweep takes from the forward sweep.
#[derive(Default)]
pub struct Taken {
    /// Values that the forward sweep computes for it.
    pub values: BTreeSet<ValueId>,
    /// Loads that it does again.
    pub reread: BTreeSet<ValueId>,
}

/// Stores that run only for what reads them, by the allocations they write to.
struct Stores {
    waiting: BTreeMap<BTreeSet<Base>, Vec<ValueId>>,
}

/// What an instruction may read of memory.
enum Reading<'a> {
    Nothing,
    Through(&'a [Operand]),
    /// Whatever these lead to, and whatever others may get at.
    Anything(&'a [Operand]),
}

/// The instructions of reachable blocks that the forward sweep leaves out.
pub fn find_omitted(sweep: &Sweep, taken: &Taken) -> BTreeSet<ValueId> {
    let mut stores = sweep.collect_stores();
    let deferred: BTreeSet<ValueId> = stores.waiting.values().flatten().copied().collect();
    let runs_anyway = |id: &ValueId, inst: &Inst| !deferred.contains(id) && !sweep.is_computation(inst);
    let mut waiting: Vec<ValueId> =
        sweep.insts().filter(|(id, inst)| runs_anyway(id, inst)).map(|(id, _)| id).collect();
    waiting.extend(&taken.values);
    for load in &taken.reread {
        if let Some(inst) = sweep.function.inst(*load) {
            waiting.extend(stores.take_read(sweep, *load, inst));
        }
    }
    let mut running = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let Some(inst) = sweep.function.inst(id).filter(|_| running.insert(id)) else { continue };
        if !sweep.is_unseen_return(inst) {
            waiting.extend(inst.number_operands().iter().filter_map(Operand::value));
        }
        waiting.extend(stores.take_read(sweep, id, inst));
    }
    sweep.insts().map(|(id, _)| id).filter(|id| !running.contains(id)).collect()
}

/// Each with a word for what it is and where it stands, and why nobody misses it.
pub fn describe_omitted(
    function: &Function,
    omitted: BTreeSet<ValueId>,
) -> BTreeMap<ValueId, Decision<String>> {
    let describe = |id: ValueId| {
        let inst = function.inst(id)?;
        let op = format!("{:?}", inst.op);
        let word = op.split([' ', '{', '(']).next().unwrap_or_default().to_lowercase();
        let callee = inst.callee_name().map(|name| format!(" of @{name}")).unwrap_or_default();
        let place = inst.loc.map(|loc| format!(" at {}:{}", loc.line, loc.column)).unwrap_or_default();
        let reason = match inst.op {
            Op::Store(_) => "nobody reads it there",
            _ => "only what is left out needs it, or what is computed again",
        };
        Some((id, Decision { choice: format!("{word}{callee}{place}"), reason: reason.into() }))
    };
    omitted.into_iter().filter_map(describe).collect()
}

impl Taken {
    /// What is stored is computed; of what is computed again, the loads read memory.
    pub fn of(
        function: &Function,
        (storage, shadows): (&Stored, &Stored),
        reruns: &BTreeMap<BlockId, Rerun>,
    ) -> Taken {
        let is_load =
            |value: &ValueId| function.inst(*value).is_some_and(|inst| matches!(inst.op, Op::Load(_)));
        let mut taken = Taken::default();
        let run = reruns.values().flat_map(|rerun| &rerun.insts);
        taken.reread.extend(run.filter(|value| is_load(value)));
        for (value, decision) in storage {
            match decision.choice {
                Storage::Argument | Storage::Rerun => {}
                Storage::Recompute if is_load(value) => drop(taken.reread.insert(*value)),
                Storage::Recompute => {}
                Storage::Keep
                | Storage::SaveOnOverwrite
                | Storage::Invert { .. }
                | Storage::Uncompute { .. } => {
                    taken.values.insert(*value);
                }
            }
        }
        for (value, decision) in shadows {
            if !matches!(decision.choice, Storage::Argument | Storage::Recompute) {
                taken.values.insert(*value);
            }
        }
        taken
    }

    /// What is laid down where strips begin, and what is read in them once more.
    pub fn add_strips(&mut self, function: &Function, strips: &BTreeMap<BlockId, Strip>) {
        let is_load =
            |value: &&ValueId| function.inst(**value).is_some_and(|inst| matches!(inst.op, Op::Load(_)));
        self.values.extend(strips.values().flat_map(|strip| &strip.state));
        self.reread.extend(strips.values().flat_map(|strip| &strip.insts).filter(is_load));
    }

    /// The addresses of the cells in which numbers are kept.
    pub fn add_rooms(&mut self, function: &Function, rooms: &BTreeMap<ValueId, Room>) {
        let loads = rooms.values().filter_map(|room| function.inst(room.load));
        self.values.extend(loads.filter_map(|load| load.operands[0].value()));
    }

    /// What the forward sweep itself asks for, beside the primal.
    pub fn add(
        &mut self,
        restored: &BTreeSet<ValueId>,
        arrivals: &BTreeMap<ValueId, Vec<Arrival>>,
        arrays: &BTreeMap<BlockId, RecordArray>,
    ) {
        self.values.extend(restored);
        self.values.extend(arrivals.keys());
        let trips = arrays.values().flat_map(|array| [&array.trips.start, &array.trips.bound]);
        self.values.extend(trips.filter_map(Operand::value));
    }
}

impl<'a> Sweep<'a> {
    pub fn insts(&self) -> impl Iterator<Item = (ValueId, &'a Inst)> {
        let blocks = self.function.block_ids().filter(|block| self.flow.is_reachable(*block));
        let ids = blocks.flat_map(|block| self.function.block(block).insts.iter().copied());
        ids.filter_map(|id| Some((id, self.function.inst(id)?)))
    }

    /// Gives a result and does nothing else, nothing that the derivative of a call stands for.
    fn is_computation(&self, inst: &Inst) -> bool {
        match &inst.op {
            Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => true,
            Op::Select | Op::Freeze | Op::Attach(_) | Op::Phi { .. } | Op::Gep(_) => true,
            Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => true,
            Op::ExtractValue { .. } | Op::InsertValue { .. } => true,
            Op::Load(access) => !access.volatile && access.ordering == Ordering::NotAtomic,
            Op::Call(_) => {
                let gives = inst.ty != Type::Void && !inst.ty.holds_pointer();
                gives && memory_call(inst).is_none() && is_pure(inst, self.program, self.rules)
            }
            _ => false,
        }
    }

    /// Returns of which the caller takes nothing.
    fn is_unseen_return(&self, inst: &Inst) -> bool {
        let seen = |part: &Part| matches!(part, Part::Primal | Part::Shadow { .. });
        inst.op == Op::Ret && !self.results.iter().any(seen)
    }

    fn collect_stores(&self) -> Stores {
        let mut stores = Stores { waiting: BTreeMap::new() };
        for (id, inst) in self.insts().filter(|(_, inst)| self.is_deferrable(inst)) {
            stores.waiting.entry(self.activity.bases(&inst.operands[1])).or_default().push(id);
        }
        stores
    }

    /// An ordinary store of numbers into memory at which nobody looks when the function has returned.
    pub fn is_deferrable(&self, inst: &Inst) -> bool {
        self.stores_numbers(inst, &|base| self.is_unseen_later(base))
    }

    /// The same into any memory that is still there then.
    pub fn may_be_undone(&self, inst: &Inst) -> bool {
        self.stores_numbers(inst, &|base| match base {
            Base::Param(_) | Base::Global(_) => true,
            Base::Loaded(_) | Base::Unknown => !self.makes_memory || self.is_unseen_later(base),
            Base::Stack(_) | Base::Heap(_) | Base::Returned(_) | Base::Null => self.is_unseen_later(base),
        })
    }

    fn stores_numbers(&self, inst: &Inst, into: &dyn Fn(&Base) -> bool) -> bool {
        let Op::Store(access) = &inst.op else { return false };
        let ordinary = !access.volatile && access.ordering == Ordering::NotAtomic;
        // Pointers have their shadows stored beside them.
        let plain = !self.function.operand_type(&inst.operands[0]).holds_pointer();
        let bases = self.activity.bases(&inst.operands[1]);
        ordinary && plain && !bases.is_empty() && bases.iter().all(into)
    }

    pub fn home(&self, id: ValueId) -> Option<BlockId> {
        self.homes.get(&id).copied()
    }

    /// Memory of this call alone, or of which the caller has said so. What overlaps memory of which he has not is kept.
    fn is_unseen_later(&self, base: &Base) -> bool {
        let Base::Param(param) = base else { return self.later.is_unseen(base) };
        let given_up = |id: ValueId| self.request.activity(id.0 as usize) == Asked::DupNoNeed;
        let kept = self
            .function
            .param_ids()
            .filter(|id| self.function.value_type(*id).holds_pointer() && !given_up(*id));
        given_up(*param)
            && !self.later.has_escaped(base)
            && kept.map(Base::Param).all(|other| !self.later.may_meet(base, &other))
    }

    fn reading(&self, inst: &'a Inst) -> Reading<'a> {
        match &inst.op {
            Op::Load(_) => Reading::Through(&inst.operands),
            Op::Store(_) => Reading::Nothing,
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } => Reading::Through(&inst.operands[..1]),
            Op::VaArg | Op::Opaque { .. } | Op::Fence { .. } => Reading::Anything(&inst.operands),
            _ if inst.op.call().is_none() => Reading::Nothing,
            _ => match memory_call(inst) {
                Some(MemoryCall::Copy) => Reading::Through(&inst.operands[1..2]),
                Some(MemoryCall::Fill | MemoryCall::Allocate { .. } | MemoryCall::Free { .. }) => {
                    Reading::Nothing
                }
                None if is_pure(inst, self.program, self.rules) => Reading::Nothing,
                None => Reading::Anything(&inst.operands),
            },
        }
    }
}

impl Stores {
    /// The stores, not taken before, of which an instruction may read what they wrote.
    fn take_read(&mut self, sweep: &Sweep, id: ValueId, inst: &Inst) -> Vec<ValueId> {
        let (operands, anything) = match sweep.reading(inst) {
            Reading::Nothing => return Vec::new(),
            Reading::Through(operands) => (operands, false),
            Reading::Anything(operands) => (operands, true),
        };
        let read: BTreeSet<Base> = operands.iter().flat_map(|x| sweep.activity.bases(x)).collect();
        let Some(at) = sweep.home(id) else { return Vec::new() };
        let mut taken = Vec::new();
        for (written, stores) in &mut self.waiting {
            let meets = |base: &Base| {
                anything && !sweep.later.is_hidden(base)
                    || read.iter().any(|other| sweep.later.may_meet(base, other))
            };
            if !written.iter().any(meets) {
                continue;
            }
            stores.retain(|store| {
                let from = sweep.homes[store];
                // Instructions of a block are numbered in its order.
                let before = from == at && *store < id || sweep.flow.comes_to(from, at);
                taken.extend(before.then_some(*store));
                !before
            });
        }
        taken
    }
}
