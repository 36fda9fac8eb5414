//! Is what was read still there at the end of the function?
//!
//! Function + bases → for each load whether some later instruction may overwrite it. This is the one place that asks.
//! A moment's alias answer is not enough: the overwriting may happen in another iteration of a loop. So only
//! allocations that are different as a whole separate a write from a read, whatever runs when.
//! Safe error: overwritten.

use std::collections::{BTreeMap, BTreeSet};

use super::ahead::Ahead;
use super::effects::Effects;
use super::exceptions::is_marker;
use super::flow::{Flow, blocks_of_values, returning_blocks};
use super::held::Held;
use super::memory_calls::{MemoryCall, memory_call};
use super::newer::Newer;
use super::pointers::Base;
use super::spots::{Spot, Spots};
use crate::model::{BlockId, CastOp, Function, Inst, Object, Op, Operand, Ordering, Program, ValueId};
use crate::rules::{CalleeRule, Rules, Shape};

/// Where a function gives the bases of a pointer.
pub type Bases<'a> = dyn Fn(&Operand) -> BTreeSet<Base> + 'a;

/// Calls that write nothing before the reverse sweep is over, whatever they do then.
pub type PutOff<'a> = dyn Fn(&Inst) -> bool + 'a;

/// A write that may come after a read, and why it may be of the same memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overwriting {
    pub write: ValueId,
    pub read: Base,
    pub written: Base,
}

/// What a test on entry has found.
#[derive(Clone, Debug, Default)]
pub struct Apart {
    /// Parameters that are apart, and globals.
    pub bases: BTreeSet<Base>,
    /// Loads, each with a store that leaves alone what it has read.
    pub pairs: BTreeSet<(ValueId, ValueId)>,
}

impl Apart {
    /// Whether an object is among what was found to be apart.
    pub fn covers(&self, object: &Object) -> bool {
        match object {
            Object::Param(id) => self.bases.contains(&Base::Param(*id)),
            Object::Global(name) => self.bases.contains(&Base::Global(name.clone())),
            Object::Local(_) | Object::Through(_) => false,
        }
    }
}

/// The writes of a function, by what they may write to.
pub struct Later<'a> {
    function: &'a Function,
    apart: &'a Apart,
    writes: BTreeMap<Spot, Writes>,
    spots: Spots<'a>,
    /// What somebody else may have the address of.
    escaped: BTreeSet<Base>,
    /// The globals that no pointer leads to.
    only_named: BTreeSet<String>,
    /// Where addresses lie, if any is looked for.
    held: Option<Held>,
    home: BTreeMap<ValueId, BlockId>,
    /// Loads from cells that all later stores leave alone.
    left_alone: BTreeSet<ValueId>,
}

#[derive(Default)]
struct Writes {
    all: Vec<ValueId>,
    /// The last write in each block.
    last: BTreeMap<BlockId, ValueId>,
    /// Blocks behind whose end a write may follow.
    before: BTreeSet<BlockId>,
}

impl Writes {
    fn add(&mut self, block: BlockId, write: ValueId) {
        self.all.push(write);
        self.last.insert(block, write);
    }
}

impl<'a> Later<'a> {
    pub fn of(
        function: &'a Function,
        flow: &'a Flow,
        program: &Program,
        rules: &Rules,
        bases: &'a Bases<'a>,
        put_off: &PutOff,
        apart: &'a Apart,
    ) -> Later<'a> {
        let home = blocks_of_values(function);
        let (mut writes, mut escaped): (BTreeMap<Spot, Writes>, BTreeSet<Base>) = Default::default();
        let spots = Spots::of(function, bases);
        // Behind what is written on the way to an exception or to the end of the program no reverse sweep reads anything.
        let returning = flow.leading_to(returning_blocks(function, flow));
        for block in function.block_ids().filter(|block| flow.is_reachable(*block)) {
            for id in &function.block(block).insts {
                let Some(inst) = function.inst(*id) else { continue };
                escaped.extend(handed_on(inst).iter().flat_map(bases));
                if !returning.contains(&block) {
                    continue;
                }
                let written = if put_off(inst) { &[] } else { written_through(inst, program, rules) };
                for pointer in written {
                    let spot = written_spot(&spots, function, inst, pointer);
                    writes.entry(spot).or_default().add(block, *id);
                }
                let ended = ended_unnamed(function, inst);
                if !ended.is_empty() {
                    writes.entry(Spot::all_of(ended)).or_default().add(block, *id);
                }
                if writes_anywhere(inst, program, rules) {
                    let anywhere = Spot::all_of(BTreeSet::from([Base::Unknown]));
                    writes.entry(anywhere).or_default().add(block, *id);
                }
            }
        }
        for found in writes.values_mut() {
            found.before = blocks_before(flow, found.last.keys().copied());
        }
        let left_alone = BTreeSet::new();
        let only_named = program.globals.iter().filter(|global| global.only_named);
        let only_named = only_named.map(|global| global.name.clone()).collect();
        let held = Held::of(function, program, rules);
        let mut later = Later { function, apart, writes, spots, escaped, only_named, held, home, left_alone };
        later.left_alone = later.find_left_alone(program, flow);
        later
    }

    /// Whether a load finds at the end of the function what it found when it ran.
    pub fn lasts(&self, load: ValueId) -> bool {
        let (Some(inst), Some(block)) = (self.function.inst(load), self.home.get(&load)) else {
            return false;
        };
        let Op::Load(access) = &inst.op else { return false };
        if access.volatile || access.ordering != Ordering::NotAtomic {
            return false;
        }
        let read = self.spots.of_access(&inst.operands[0], &inst.ty);
        // What stands in front of a function's code, or in a table of letters, is kept by nobody here.
        read.bases.iter().any(|base| *base != Base::Null)
            && read.bases.iter().all(|base| self.outlives_blocks(base))
            && (self.left_alone.contains(&load) || self.overwriting(load, *block, &read).next().is_none())
    }

    /// Whether what a call finds behind a pointer is there unchanged until the end of the function, whatever the call does itself.
    pub fn stays(&self, call: ValueId, pointer: &Operand, effects: &Effects, flow: &Flow) -> bool {
        let Some(block) = self.home.get(&call) else { return false };
        let given = Spot::all_of(self.spots.bases_of(pointer));
        let comes = |write: &ValueId| {
            let home = self.home.get(write);
            home == Some(block) && *write >= call || home.is_none_or(|home| flow.comes_to(*block, *home))
        };
        let met = self.writes.iter().filter(|(written, _)| self.spots_meet(&given, written));
        let mut writes = met.flat_map(|(_, writes)| &writes.all).filter(|write| comes(write));
        !given.bases.is_empty()
            && given.bases.iter().all(|base| self.outlives_blocks(base))
            && writes.all(|write| self.leaves_alone(*write, &given, effects))
    }

    /// Whether a call of a function with a body leaves some memory as it is, by what the body does.
    fn leaves_alone(&self, call: ValueId, given: &Spot, effects: &Effects) -> bool {
        let Some(inst) = self.function.inst(call) else { return false };
        let Some(effect) = effects.of_callee(inst) else { return false };
        let unseen = effect.leaves || effect.unfollowed || effect.moves_pointers || effect.frees;
        let changes = |at: &usize| {
            inst.arguments()
                .get(*at)
                .is_none_or(|pointer| self.spots_meet(given, &Spot::all_of(self.spots.bases_of(pointer))))
        };
        let globals = effect.written.iter().map(|name| Base::Global(name.clone()));
        !unseen
            && !effect.changed.iter().any(changes)
            && !self.spots_meet(given, &Spot::all_of(globals.collect()))
    }

    /// The writes after a load that may be to the memory it reads, a lot for each spot.
    fn overwriting(&self, load: ValueId, block: BlockId, read: &Spot) -> impl Iterator<Item = &Writes> {
        let followed = move |writes: &Writes| {
            // Instructions of a block are numbered in its order.
            writes.last.get(&block).is_some_and(|last| *last > load) || writes.before.contains(&block)
        };
        let met =
            move |(written, writes): &(&Spot, &Writes)| followed(writes) && self.spots_meet(read, written);
        self.writes.iter().filter(met).map(|(_, writes)| writes)
    }

    /// Loads from cells that no later store of the memory they read overwrites.
    fn find_left_alone(&self, program: &Program, flow: &Flow) -> BTreeSet<ValueId> {
        let (mut ahead, newer) = (None, Newer::of(self.function, flow, &self.home));
        let mut found = BTreeSet::new();
        for (load, inst) in self.function.inst_ids().zip(&self.function.insts) {
            let (Op::Load(_), Some(block)) = (&inst.op, self.home.get(&load)) else { continue };
            let read = self.spots.of_access(&inst.operands[0], &inst.ty);
            let all: Vec<ValueId> =
                self.overwriting(load, *block, &read).flat_map(|writes| &writes.all).copied().collect();
            let parted = |write: &ValueId| self.apart.pairs.contains(&(load, *write));
            let met = all.iter().copied().filter(|write| !parted(write));
            let writes: Vec<ValueId> = met.filter(|write| !newer.is_made_behind(load, *write)).collect();
            if writes.is_empty() {
                found.extend((!all.is_empty()).then_some(load));
                continue;
            }
            let ahead = ahead.get_or_insert_with(|| Ahead::of(self.function, program, flow, &self.home));
            let Some(ahead) = ahead else { return found };
            if ahead.leave_alone(load, &writes) {
                found.insert(load);
            }
        }
        found
    }

    /// The writes after a load that may be to the memory it reads, and that nobody has shown to leave it alone.
    pub fn overwrites(&self, load: ValueId) -> Vec<ValueId> {
        let (Some(inst), Some(block)) = (self.function.inst(load), self.home.get(&load)) else {
            return Vec::new();
        };
        let read = self.spots.of_access(&inst.operands[0], &inst.ty);
        self.overwriting(load, *block, &read).flat_map(|writes| &writes.all).copied().collect()
    }

    /// The writes for which a load does not last: those to the very memory that is read before those to what may be it, and
    /// of each the next in the text first.
    pub fn find_overwriting(&self, load: ValueId, flow: &Flow) -> Vec<Overwriting> {
        let (Some(inst), Some(block)) = (self.function.inst(load), self.home.get(&load).copied()) else {
            return Vec::new();
        };
        let next = flow.successors(block).iter();
        let behind: BTreeSet<BlockId> = next.flat_map(|next| flow.reach(*next, &[])).collect();
        let follows = |at: BlockId, write: ValueId| at == block && write > load || behind.contains(&at);
        let mut found = Vec::new();
        let read = self.spots.of_access(&inst.operands[0], &inst.ty);
        for (spot, writes) in self.writes.iter().filter(|(spot, _)| self.spots_meet(&read, spot)) {
            let pairs = read.bases.iter().flat_map(|read| spot.bases.iter().map(move |base| (read, base)));
            for (read, written) in pairs.filter(|(read, written)| self.may_meet(read, written)) {
                let later = writes.last.iter().filter(|(at, write)| follows(**at, **write));
                found.extend(later.map(|(_, write)| Overwriting {
                    write: *write,
                    read: read.clone(),
                    written: written.clone(),
                }));
            }
        }
        found.sort_by_key(|found| (found.read != found.written, found.write < load, found.write));
        found
    }

    /// A slot made anywhere but at the entry may be gone before the function ends, and so may what has no name.
    pub fn outlives_blocks(&self, base: &Base) -> bool {
        let Base::Stack(id) = base else { return *base != Base::Unknown };
        let fixed = self.function.inst(*id).is_some_and(|inst| matches!(inst.operands[0], Operand::Const(_)));
        fixed && self.home.get(id) == Some(&BlockId(0))
    }

    /// Memory that the call made itself, and of which nobody else has the address.
    pub fn is_hidden(&self, base: &Base) -> bool {
        base.is_local() && !self.escaped.contains(base)
    }

    /// Memory that the call made itself, which is there until it returns, and at which nobody else ever looks: hidden, or found where
    /// only the call itself has put it.
    pub fn is_unseen(&self, base: &Base) -> bool {
        let made = || self.held.as_ref()?.own_memory_alone(base);
        let alive = |id: &ValueId| match self.function.inst(*id).map(|inst| &inst.op) {
            Some(Op::Alloca(_)) => self.outlives_blocks(&Base::Stack(*id)),
            _ => true,
        };
        self.is_hidden(base) || made().is_some_and(|made| made.iter().all(alive))
    }

    /// Whether somebody else may have the address of what a base stands for.
    pub fn has_escaped(&self, base: &Base) -> bool {
        self.escaped.contains(base)
    }

    /// What an instruction writes through a pointer, or reads through it.
    pub fn spot_of(&self, inst: &Inst, pointer: &Operand) -> Spot {
        written_spot(&self.spots, self.function, inst, pointer)
    }

    /// Whether two spots may have bytes in common, at any two moments of a call.
    pub fn spots_meet(&self, a: &Spot, b: &Spot) -> bool {
        !a.lies_beside(b) && a.bases.iter().any(|x| b.bases.iter().any(|y| self.may_meet(x, y)))
    }

    /// Whether two bases may be of one allocation, at any two moments of a call.
    pub fn may_meet(&self, a: &Base, b: &Base) -> bool {
        let hidden = |base: &Base| self.is_hidden(base);
        let alone = |base: &Base| self.is_alone(base);
        match (a, b) {
            (Base::Null, _) | (_, Base::Null) => false,
            _ if a == b => true,
            (Base::Global(_), Base::Global(_)) => false,
            // What the call made itself, nobody was given on entry.
            _ if a.is_local() && b.is_local() => false,
            (Base::Param(_) | Base::Global(_), local) | (local, Base::Param(_) | Base::Global(_))
                if local.is_local() =>
            {
                false
            }
            (Base::Global(name), Base::Param(_) | Base::Loaded(_) | Base::Returned(_))
            | (Base::Param(_) | Base::Loaded(_) | Base::Returned(_), Base::Global(name))
                if self.only_named.contains(name) =>
            {
                false
            }
            _ if self.apart.bases.contains(a) && self.apart.bases.contains(b) => false,
            // What is found where one was handed on has another base.
            (Base::Param(a), Base::Param(b)) if self.is_restrict(*a) || self.is_restrict(*b) => false,
            _ if hidden(a) || hidden(b) => false,
            _ if alone(a) || alone(b) => false,
            _ => !self.held.as_ref().is_some_and(|held| held.are_apart(a, b)),
        }
    }

    /// A `restrict` parameter: during the call nobody touches what is changed through it but by pointers made from it.
    fn is_alone(&self, base: &Base) -> bool {
        matches!(base, Base::Param(id) if !self.escaped.contains(base) && self.is_restrict(*id))
    }

    fn is_restrict(&self, param: ValueId) -> bool {
        self.function.params[param.0 as usize].attributes.iter().any(|text| text == "noalias")
    }
}

/// The pointers that an instruction may write through, or that it hands to somebody who may.
pub fn written_through<'a>(inst: &'a Inst, program: &Program, rules: &Rules) -> &'a [Operand] {
    match &inst.op {
        Op::Store(_) => &inst.operands[1..2],
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } => &inst.operands[..1],
        _ if inst.op.call().is_none() => &[],
        _ if is_unnamed_end(inst) || inst.gives_partials() => &[],
        _ => match memory_call(inst) {
            Some(MemoryCall::Copy | MemoryCall::Fill | MemoryCall::Free { .. }) => &inst.operands[..1],
            Some(MemoryCall::Allocate { .. }) => &[],
            None if is_pure(inst, program, rules) || is_word_of_exceptions(inst) => &[],
            None => inst.arguments(),
        },
    }
}

/// Loads and stores touch what their type takes up, everything else whatever the pointer may lead to.
fn written_spot(spots: &Spots, function: &Function, inst: &Inst, pointer: &Operand) -> Spot {
    let whole = |ty| spots.of_access(pointer, ty);
    match &inst.op {
        Op::Load(_) => whole(&inst.ty),
        Op::Store(_) => whole(&function.operand_type(&inst.operands[0])),
        _ => Spot::all_of(spots.bases_of(pointer)),
    }
}

/// Whether an instruction may write where no operand of it leads.
pub fn writes_anywhere(inst: &Inst, program: &Program, rules: &Rules) -> bool {
    match &inst.op {
        Op::VaArg | Op::Opaque { .. } => true,
        _ if ends_slots(inst) => false,
        _ if is_word_of_exceptions(inst) => false,
        // Only calls that write nothing of anybody's are contracted.
        _ if inst.gives_partials() => false,
        _ => inst.op.call().is_some() && memory_call(inst).is_none() && !is_pure(inst, program, rules),
    }
}

/// Whether a call stands for the way of an exception. Nobody's memory is written by it.
fn is_word_of_exceptions(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(is_marker)
}

/// Whether slots of this call come to their end; nobody else's memory does.
pub fn ends_slots(inst: &Inst) -> bool {
    let ends = |name: &str| name.starts_with("llvm.stackrestore") || name.starts_with("llvm.lifetime.");
    inst.callee_name().is_some_and(ends)
}

/// Whether a call ends slots, and does not say which.
pub fn is_unnamed_end(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.starts_with("llvm.stackrestore"))
}

/// The slots that an instruction may end without naming them: those of a size known only then, or made on the way.
pub fn ended_unnamed(function: &Function, inst: &Inst) -> BTreeSet<Base> {
    if !is_unnamed_end(inst) {
        return BTreeSet::new();
    }
    let stays = |id: &ValueId| {
        let fixed = function.inst(*id).is_some_and(|inst| matches!(inst.operands[0], Operand::Const(_)));
        fixed && function.block(BlockId(0)).insts.contains(id)
    };
    let is_slot = |id: &ValueId| function.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Alloca(_)));
    function.inst_ids().filter(|id| is_slot(id) && !stays(id)).map(Base::Stack).collect()
}

/// Whether an instruction computes or reads or says where to go on, and does nothing else.
pub fn only_computes(inst: &Inst, program: &Program, rules: &Rules) -> bool {
    match &inst.op {
        Op::Phi { .. } | Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => true,
        Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => true,
        Op::Select | Op::Freeze | Op::Attach(_) | Op::Gep(_) => true,
        Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => true,
        Op::ExtractValue { .. } | Op::InsertValue { .. } => true,
        Op::Load(access) => !access.volatile && access.ordering == Ordering::NotAtomic,
        Op::Call(_) => is_pure(inst, program, rules),
        _ => false,
    }
}

/// A call of a numeric function, which touches no memory.
pub fn is_pure(inst: &Inst, program: &Program, rules: &Rules) -> bool {
    let Some(name) = inst.callee_name() else { return false };
    // A user's own function may bear the name of one.
    if program.is_followed(name) {
        return false;
    }
    let ends_memory = ["llvm.lifetime.", "llvm.stackrestore", "llvm.va_"];
    match rules.lookup_callee(name) {
        CalleeRule::Row(found) => !matches!(found.shape, Shape::Stored { .. }),
        CalleeRule::Reduction(_) => true,
        CalleeRule::Inactive(_) => {
            name.starts_with("llvm.") && !ends_memory.iter().any(|prefix| name.starts_with(prefix))
        }
        CalleeRule::Unknown => false,
    }
}

/// What an instruction puts where others find it.
fn handed_on(inst: &Inst) -> &[Operand] {
    match &inst.op {
        Op::Store(_) => &inst.operands[..1],
        Op::Ret | Op::Cast(CastOp::PtrToInt) | Op::InsertValue { .. } => &inst.operands,
        _ if inst.op.call().is_some() && memory_call(inst).is_none() => inst.arguments(),
        _ => &[],
    }
}

/// The blocks from whose end some of the given blocks can be reached.
fn blocks_before(flow: &Flow, blocks: impl Iterator<Item = BlockId>) -> BTreeSet<BlockId> {
    let mut before = BTreeSet::new();
    let mut waiting: Vec<BlockId> = blocks.collect();
    while let Some(block) = waiting.pop() {
        waiting.extend(flow.predecessors(block).iter().filter(|from| before.insert(**from)));
    }
    before
}
