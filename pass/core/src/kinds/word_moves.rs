//! Words that are moved through registers as floats or pointers, and may be either there, are copied as bytes instead.
//!
//! Who reads a number and writes it elsewhere says what it is; in a union the name of one member does for all. In memory that the
//! program makes for itself a copy of bytes finds out by the shadow (`shared_words`), so there a word goes through a slot of its own.
//! It is copied there where it was read, and from there where it was written, so that what happens in between is of no matter.

use std::collections::{BTreeMap, BTreeSet};

use super::disputed::find_disputed;
use crate::analyses::memory_calls::PLAIN_COPY;
use crate::analyses::shared_words::SharedWords;
use crate::model::{
    Access, AliasClass, Alloca, Call, Constant, Flags, Function, Inst, Layout, MemoryFact, Op, Operand,
    Ordering, Program, Renumbered, Type, ValueId,
};

/// The old numbers of the values that have new ones.
pub type Old = Vec<ValueId>;

/// What a word is read by, and the stores that put it elsewhere.
type Moves = BTreeMap<ValueId, BTreeSet<ValueId>>;

pub fn move_words(program: &mut Program) -> BTreeMap<String, Old> {
    let layout = Layout::parse(&program.layout);
    let mut changed = BTreeMap::new();
    for at in 0..program.functions.len() {
        let moves = {
            let _remembering = program.remember();
            find_moves(&program.functions[at], program, &layout)
        };
        if !moves.is_empty() {
            let moved = Writer::of(&program.functions[at], &moves, &layout).write();
            changed.insert(moved.0.name.clone(), moved.1);
            program.functions[at] = moved.0;
        }
    }
    changed
}

fn find_moves(function: &Function, program: &Program, layout: &Layout) -> Moves {
    let mut moves = Moves::new();
    for id in find_disputed(function, program) {
        let Some(store) = function.inst(id).filter(|store| is_plain(store)) else { continue };
        let read = store.operands[0].value();
        let load = read.and_then(|load| function.inst(load)).filter(|load| matches!(load.op, Op::Load(_)));
        let Some((read, load)) = read.zip(load.filter(|load| is_plain(load))) else { continue };
        let words = layout.store_size(&load.ty).is_some_and(|bytes| bytes > 0 && bytes % 8 == 0);
        let ours = |pointer: &Operand| SharedWords::of(function, program).behind(pointer).is_some();
        if words && ours(&load.operands[0]) && ours(&store.operands[1]) {
            moves.entry(read).or_default().insert(id);
        }
    }
    moves
}

fn is_plain(inst: &Inst) -> bool {
    let plain = |access: &Access| !access.volatile && access.ordering == Ordering::NotAtomic;
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if plain(access))
}

/// The function with the slots of its moves before all else, a copy behind each load, and one in place of each store. A load
/// of which nobody else has a use is gone.
struct Writer<'a> {
    function: &'a Function,
    moves: &'a Moves,
    layout: &'a Layout,
    gone: BTreeSet<ValueId>,
    renumbered: Renumbered,
    old: Old,
    slots: BTreeMap<ValueId, ValueId>,
}

impl<'a> Writer<'a> {
    fn of(function: &'a Function, moves: &'a Moves, layout: &'a Layout) -> Writer<'a> {
        let is_move = |by: ValueId, of: ValueId| moves.get(&of).is_some_and(|stores| stores.contains(&by));
        let used = |load: ValueId| {
            let users = function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
            users
                .filter(|(id, _)| !is_move(*id, load))
                .any(|(_, inst)| inst.operands.iter().any(|operand| operand.value() == Some(load)))
        };
        let gone = moves.keys().copied().filter(|load| !used(*load)).collect();
        let renumbered = Renumbered { new: BTreeMap::new() };
        let (old, slots) = (function.param_ids().collect(), BTreeMap::new());
        let mut writer = Writer { function, moves, layout, gone, renumbered, old, slots };
        writer.number();
        writer
    }

    /// How many instructions stand for one.
    fn count(&self, id: ValueId) -> u32 {
        if self.moves.contains_key(&id) && !self.gone.contains(&id) { 2 } else { 1 }
    }

    fn number(&mut self) {
        self.function.param_ids().for_each(|id| _ = self.renumbered.new.insert(id, id));
        let mut next = self.function.params.len() as u32;
        for load in self.moves.keys() {
            self.slots.insert(*load, ValueId(next));
            self.old.push(*load);
            next += 1;
        }
        for id in self.function.inst_ids() {
            self.renumbered.new.insert(id, ValueId(next));
            let count = self.count(id);
            self.old.extend(std::iter::repeat_n(id, count as usize));
            next += count;
        }
    }

    fn write(self) -> (Function, Old) {
        let mut next = Function { insts: Vec::new(), ..self.function.clone() };
        self.renumbered.facts(&mut next, &|id| self.gone.contains(&id));
        for load in self.moves.keys() {
            next.insts.push(self.slot(*load));
        }
        for (id, inst) in self.function.inst_ids().zip(&self.function.insts) {
            let new = self.renumbered.inst(inst);
            let at = |next: &Function| ValueId((next.params.len() + next.insts.len()) as u32);
            if let Some(slot) = self.slots.get(&id) {
                let fact = fact_of(self.function.memory.get(&id));
                let copy = self.copy(&new, Operand::Value(*slot), new.operands[0].clone(), id);
                if !self.gone.contains(&id) {
                    next.insts.push(new);
                }
                next.memory.insert(at(&next), fact);
                next.insts.push(copy);
                continue;
            }
            match self.moved_by(id) {
                Some(load) => {
                    next.memory.insert(at(&next), fact_of(self.function.memory.get(&id)));
                    let slot = Operand::Value(self.slots[&load]);
                    next.insts.push(self.copy(&new, new.operands[1].clone(), slot, load));
                }
                None => next.insts.push(new),
            }
        }
        self.place(&mut next);
        (next, self.old)
    }

    /// Says again which instructions each block has.
    fn place(&self, next: &mut Function) {
        for block in &mut next.blocks {
            let all = |id: &ValueId| {
                let first = self.renumbered.value(*id).0;
                (first..first + self.count(*id)).map(ValueId)
            };
            block.insts = block.insts.iter().flat_map(all).collect();
        }
        if let Some(entry) = next.blocks.first_mut() {
            entry.insts.splice(0..0, self.slots.values().copied());
        }
    }

    /// The load that reads what a store moves.
    fn moved_by(&self, store: ValueId) -> Option<ValueId> {
        let found = self.moves.iter().find(|(_, stores)| stores.contains(&store));
        found.map(|(load, _)| *load)
    }

    fn slot(&self, load: ValueId) -> Inst {
        let (ty, loc) =
            (self.function.value_type(load).clone(), self.function.inst(load).and_then(|x| x.loc));
        let op = Op::Alloca(Alloca { align: 8, ..Alloca::usual(&ty, self.layout) });
        let one = Operand::Const(Constant::int(32, 1));
        Inst { op, ty: Type::PTR, operands: vec![one], flags: Flags::default(), loc, origin: None }
    }

    fn copy(&self, by: &Inst, to: Operand, from: Operand, load: ValueId) -> Inst {
        let bytes = self.layout.store_size(self.function.value_type(load)).unwrap_or(0);
        let operands = vec![
            to,
            from,
            Operand::Const(Constant::int(64, bytes.into())),
            Operand::Const(Constant::bool(false)),
            Operand::Const(Constant::Symbol { name: PLAIN_COPY.into(), space: 0 }),
        ];
        let op = Op::Call(Call { arguments: 4, library: false, attributes: Vec::new() });
        Inst { op, ty: Type::Void, operands, flags: Flags::default(), loc: by.loc, origin: None }
    }
}

/// What is known of a copy that stands for an access.
fn fact_of(access: Option<&MemoryFact>) -> MemoryFact {
    MemoryFact {
        reads: true,
        writes: true,
        pointer: None,
        objects: Vec::new(),
        address: None,
        class: access.map_or(AliasClass(0), |fact| fact.class),
        clobber: None,
    }
}
