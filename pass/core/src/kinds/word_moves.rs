//! A function in which words that may be anything are moved through slots, as bytes.
//!
//! Each value of a web (`word_webs`) has a slot. What was read is copied there at once, and copied from there where it was written. A phi
//! has one more, which every way to it fills at its end, so that phis which exchange values do not meet. A number that is put into a
//! web is stored into its slot, and one that is taken out is loaded from it. Values of which others have a use are kept beside.

use std::collections::{BTreeMap, BTreeSet};

use super::word_webs::{WordWebs, find_word_webs};
use crate::analyses::memory_calls::PLAIN_COPY;
use crate::model::{
    Access, AliasClass, Alloca, Block, BlockId, Call, CastOp, Constant, Flags, Function, Inst, Layout,
    MemoryFact, Op, Operand, Program, Renumbered, Type, ValueId,
};

/// The old numbers of the values that have new ones.
pub type Old = Vec<ValueId>;

pub fn move_words(program: &mut Program) -> BTreeMap<String, Old> {
    let layout = Layout::parse(&program.layout);
    let mut changed = BTreeMap::new();
    for at in 0..program.functions.len() {
        let webs = {
            let _remembering = program.remember();
            find_word_webs(&program.functions[at], program, &layout)
        };
        if !webs.values.is_empty() {
            let (function, old) = Writer::of(&program.functions[at], &webs, &layout).write();
            changed.insert(function.name.clone(), old);
            program.functions[at] = function;
        }
    }
    changed
}

/// Where a copy reads or writes.
#[derive(Clone)]
enum Place {
    Slot(usize),
    Behind(Operand),
}

/// What stands in the new function.
enum Item {
    Slot { bytes: u64 },
    Kept,
    Copy { to: Place, from: Place, bytes: u64 },
    Put { value: Operand, slot: usize },
    Taken { slot: usize },
}

/// An item, and the old instruction that it is there for; it takes over its number where it stands for it.
type Entry = (ValueId, Item);

struct Writer<'a> {
    function: &'a Function,
    webs: &'a WordWebs,
    layout: &'a Layout,
    /// Values that others use as well.
    kept: BTreeSet<ValueId>,
    slots: BTreeMap<ValueId, usize>,
    /// Of phis, those that are filled on the way to them.
    entries: BTreeMap<ValueId, usize>,
}

impl<'a> Writer<'a> {
    fn of(function: &'a Function, webs: &'a WordWebs, layout: &'a Layout) -> Writer<'a> {
        let is_phi =
            |id: &&ValueId| function.inst(**id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. }));
        let count = webs.values.len();
        let slots = webs.values.keys().copied().zip(0..).collect();
        let entries = webs.values.keys().filter(is_phi).copied().zip(count..).collect();
        Writer { function, webs, layout, kept: find_kept(function, webs), slots, entries }
    }

    fn write(&self) -> (Function, Old) {
        let blocks: Vec<Vec<Entry>> = self.function.block_ids().map(|block| self.rewrite(block)).collect();
        let renumbered = self.number(&blocks);
        let stays = |id: ValueId| !self.is_gone(id);
        let mut next = Function { insts: Vec::new(), ..self.function.clone() };
        renumbered.facts(&mut next, &|id| !stays(id));
        let mut old: Old = self.function.param_ids().collect();
        let first = self.function.params.len() as u32;
        for (block, entries) in next.blocks.iter_mut().zip(blocks) {
            let start = first + next.insts.len() as u32;
            block.insts = (start..start + entries.len() as u32).map(ValueId).collect();
            for (id, item) in entries {
                if matches!(item, Item::Copy { .. } | Item::Put { .. } | Item::Taken { .. }) {
                    let at = ValueId(first + next.insts.len() as u32);
                    next.memory.insert(at, fact_of(&item, self.function.memory.get(&id)));
                }
                next.insts.push(self.inst(id, item, &renumbered));
                old.push(id);
            }
        }
        (next, old)
    }

    /// Whether a slot or a copy stands for an instruction.
    fn is_gone(&self, id: ValueId) -> bool {
        self.webs.stores.contains(&id) || self.webs.values.contains_key(&id) && !self.kept.contains(&id)
    }

    fn rewrite(&self, block: BlockId) -> Vec<Entry> {
        let written = self.function.block(block);
        let mut entries = Vec::new();
        if block == BlockId(0) {
            let all = self.webs.values.keys().chain(self.entries.keys());
            entries.extend(all.map(|id| (*id, Item::Slot { bytes: self.webs.values[id] })));
        }
        let mut joined = Vec::new();
        for (id, inst) in written.insts.iter().filter_map(|id| Some((*id, self.function.inst(*id)?))) {
            let is_phi = matches!(inst.op, Op::Phi { .. });
            if !is_phi && !matches!(inst.op, Op::LandingPad { .. }) {
                entries.append(&mut joined);
            }
            if inst.op.is_terminator() {
                entries.extend(self.fill_phis(block, written));
            }
            if !self.is_gone(id) && !self.is_taken(inst) {
                entries.push((id, Item::Kept));
            }
            match is_phi {
                true => joined.extend(self.moved(id, inst)),
                false => entries.extend(self.moved(id, inst)),
            }
        }
        entries
    }

    /// What stands for an instruction, or beside it.
    fn moved(&self, id: ValueId, inst: &Inst) -> Option<Entry> {
        if self.webs.stores.contains(&id) {
            let value = inst.operands[0].value()?;
            let (slot, bytes) = (self.slots[&value], self.webs.values[&value]);
            let to = Place::Behind(inst.operands[1].clone());
            return Some((id, Item::Copy { to, from: Place::Slot(slot), bytes }));
        }
        if self.is_taken(inst) {
            return Some((id, Item::Taken { slot: self.slot_of(&inst.operands[0])? }));
        }
        let (slot, bytes) = (*self.slots.get(&id)?, self.webs.values[&id]);
        let item = match &inst.op {
            Op::Load(_) => {
                let from = Place::Behind(inst.operands[0].clone());
                Item::Copy { to: Place::Slot(slot), from, bytes }
            }
            Op::Phi { .. } => {
                Item::Copy { to: Place::Slot(slot), from: Place::Slot(self.entries[&id]), bytes }
            }
            _ => self.fill(slot, &inst.operands[0], bytes),
        };
        Some((id, item))
    }

    fn is_taken(&self, inst: &Inst) -> bool {
        takes_word(inst) && inst.operands[0].value().is_some_and(|id| self.is_gone(id))
    }

    fn slot_of(&self, value: &Operand) -> Option<usize> {
        self.slots.get(&value.value()?).copied()
    }

    fn fill(&self, slot: usize, value: &Operand, bytes: u64) -> Item {
        match self.slot_of(value) {
            Some(from) => Item::Copy { to: Place::Slot(slot), from: Place::Slot(from), bytes },
            None => Item::Put { value: value.clone(), slot },
        }
    }

    /// What phis that a block leads to get from there.
    fn fill_phis(&self, block: BlockId, written: &Block) -> Vec<Entry> {
        let Some(last) = written.insts.last() else { return Vec::new() };
        let mut filled = Vec::new();
        for (phi, entry) in &self.entries {
            let Some(inst) = self.function.inst(*phi) else { continue };
            let Op::Phi { from } = &inst.op else { continue };
            let way = from.iter().position(|other| *other == block);
            filled.extend(
                way.map(|way| (*last, self.fill(*entry, &inst.operands[way], self.webs.values[phi]))),
            );
        }
        filled
    }

    fn number(&self, blocks: &[Vec<Entry>]) -> Renumbered {
        let mut new: BTreeMap<ValueId, ValueId> = self.function.param_ids().map(|id| (id, id)).collect();
        let numbers = (self.function.params.len() as u32..).map(ValueId);
        for ((id, item), number) in blocks.iter().flatten().zip(numbers) {
            // What others use is what is kept, or taken out; of what is gone any number will do.
            if matches!(item, Item::Kept | Item::Taken { .. }) {
                new.insert(*id, number);
            } else {
                new.entry(*id).or_insert(number);
            }
        }
        Renumbered { new }
    }

    fn inst(&self, id: ValueId, item: Item, renumbered: &Renumbered) -> Inst {
        let slot = |slot: usize| Operand::Value(ValueId((self.function.params.len() + slot) as u32));
        let place = |place: Place| match place {
            Place::Slot(number) => slot(number),
            Place::Behind(pointer) => renumbered.operand(&pointer),
        };
        let access = |ty: &Type| Access::usual(Some(ty.clone()), self.layout);
        let (op, ty, operands) = match item {
            Item::Kept => {
                return renumbered.inst(&self.function.insts[id.0 as usize - self.function.params.len()]);
            }
            Item::Slot { bytes } => {
                let ty = Type::Array(bytes / 8, Box::new(Type::I64));
                let op = Op::Alloca(Alloca { align: 8, ..Alloca::usual(&ty, self.layout) });
                (op, Type::PTR, vec![Operand::Const(Constant::int(32, 1))])
            }
            Item::Copy { to, from, bytes } => {
                let bytes = Operand::Const(Constant::int(64, bytes.into()));
                let ordinary = Operand::Const(Constant::bool(false));
                let callee = Operand::Const(Constant::Symbol { name: PLAIN_COPY.into(), space: 0 });
                let op = Op::Call(Call { arguments: 4, library: false, attributes: Vec::new() });
                (op, Type::Void, vec![place(to), place(from), bytes, ordinary, callee])
            }
            Item::Put { value, slot: number } => {
                let access = access(&self.function.operand_type(&value));
                (Op::Store(access), Type::Void, vec![renumbered.operand(&value), slot(number)])
            }
            Item::Taken { slot: number } => {
                let ty = self.function.value_type(id).clone();
                (Op::Load(access(&ty)), ty, vec![slot(number)])
            }
        };
        let loc = self.function.inst(id).and_then(|inst| inst.loc);
        Inst { op, ty, operands, flags: Flags::default(), loc, origin: None }
    }
}

/// Whether a word is taken out of its web as a number or an address.
fn takes_word(inst: &Inst) -> bool {
    match inst.op {
        Op::Cast(CastOp::BitCast) => inst.ty.is_real(),
        Op::Cast(CastOp::IntToPtr) => inst.ty == Type::PTR,
        _ => false,
    }
}

/// Values of a web of which somebody else has a use, or who joins them and is kept himself.
fn find_kept(function: &Function, webs: &WordWebs) -> BTreeSet<ValueId> {
    let mut kept = BTreeSet::new();
    loop {
        let before = kept.len();
        for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            let moves = webs.values.contains_key(&id) && !kept.contains(&id);
            let stores = webs.stores.contains(&id);
            for (at, value) in inst.operands.iter().enumerate() {
                let used = value.value().filter(|value| webs.values.contains_key(value));
                let in_web = moves || stores && at == 0 || takes_word(inst) && !webs.values.contains_key(&id);
                kept.extend(used.filter(|_| !in_web));
            }
        }
        if kept.len() == before {
            return kept;
        }
    }
}

/// What is known of what stands for an access.
fn fact_of(item: &Item, access: Option<&MemoryFact>) -> MemoryFact {
    MemoryFact {
        reads: !matches!(item, Item::Put { .. }),
        writes: !matches!(item, Item::Taken { .. }),
        pointer: None,
        objects: Vec::new(),
        address: None,
        class: access.map_or(AliasClass(0), |fact| fact.class),
        clobber: None,
    }
}
