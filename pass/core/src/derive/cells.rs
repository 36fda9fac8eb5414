//! The cells through which the forward sweep speaks to the reverse sweep: kept values, edge numbers, adjoints.
//!
//! Each is a stack slot in the entry block, which LLVM turns into registers. Adjoint cells start at zero.
//! Invariant: a kept value's cell is written where the value is computed and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;
use super::arrays::words_in_frame;
use super::builder::{Builder, nothing_of, zero_of};
use super::globals::GlobalShadows;
use crate::analyses::flow::blocks_of_values;
use crate::model::{Access, Alloca, BlockId, Constant, Function, Op, Operand, Type, ValueId};
use crate::plan::{Merge, Storage};

#[derive(Clone)]
pub struct Cells {
    /// Each kept value, in the order in which split mode lays them out.
    pub kept: BTreeMap<ValueId, Operand>,
    /// The same for shadow pointers, by pointer and direction.
    pub kept_shadows: BTreeMap<(ValueId, u32), Operand>,
    /// What memory held before each store that is undone, by store.
    pub old: BTreeMap<ValueId, Operand>,
    /// The shadows of stack slots, by slot and direction.
    pub stack_shadows: BTreeMap<(ValueId, u32), Operand>,
    /// The cells of the shadows that lie on the tape, by slot and direction.
    pub slots: BTreeMap<(ValueId, u32), Operand>,
    /// The shadows of globals.
    pub globals: GlobalShadows,
    /// The number of the edge taken into each recorded merge that happens once.
    pub edges: BTreeMap<BlockId, Operand>,
    /// How often the header of a counted loop was passed since the loop was entered.
    pub counters: BTreeMap<BlockId, Operand>,
    /// Where the array of records lies, for each loop that has one.
    pub arrays: BTreeMap<BlockId, Operand>,
    /// Where each of the rows lies that are copied to such an array, by loop and number.
    pub rows: BTreeMap<(BlockId, usize), Operand>,
    /// The room for those that lie in the stack frame.
    pub frames: BTreeMap<BlockId, Operand>,
    /// Where the states lie with which the strips of a loop begin.
    pub states: BTreeMap<BlockId, Operand>,
    /// What of the number of a pass tells the place of its record.
    pub masks: BTreeMap<BlockId, Operand>,
    /// The tape's state block, where anything goes on the tape.
    pub tape: Option<Operand>,
    /// How many were on the tape's list of what is put off when this function opened it.
    pub list: Option<Operand>,
    /// What the runtime knows of memory that is put back, and where each store of a row wrote last.
    pub left: Option<Operand>,
    pub lasts: BTreeMap<ValueId, Operand>,
    /// The part of it that this function keeps to itself between calls.
    pub cursor: Option<Operand>,
    /// The block in which both are got hold of.
    pub tape_home: Option<BlockId>,
    /// Where the top was before anything was taken off a tape that the caller keeps.
    pub mark: Option<Operand>,
    /// In split mode the cell through which that pointer travels.
    pub tape_cell: Option<Operand>,
    /// The value the primal returns, where it is asked for.
    pub returned: Option<Operand>,
    /// The shadows of a returned pointer, one for each direction, where they are asked for.
    pub returned_shadows: Vec<Operand>,
    adjoints: BTreeMap<(ValueId, u32), Operand>,
    /// For each loop that is fused, the adjoints of its sums and of what they come through, found where it is entered.
    early: BTreeMap<BlockId, BTreeMap<(ValueId, u32), Operand>>,
    /// Values whose adjoint is touched in the reverse of their own block only.
    local: BTreeSet<ValueId>,
}

impl Cells {
    /// Makes the cells that a plan asks for, at the builder's place.
    pub fn allocate(source: &Source, builder: &mut Builder) -> Cells {
        let mut cells = Cells {
            kept: BTreeMap::new(),
            kept_shadows: BTreeMap::new(),
            old: BTreeMap::new(),
            stack_shadows: BTreeMap::new(),
            slots: BTreeMap::new(),
            globals: GlobalShadows::default(),
            edges: BTreeMap::new(),
            counters: BTreeMap::new(),
            arrays: BTreeMap::new(),
            rows: BTreeMap::new(),
            frames: BTreeMap::new(),
            states: BTreeMap::new(),
            masks: BTreeMap::new(),
            tape: None,
            cursor: None,
            tape_home: None,
            list: None,
            left: None,
            lasts: BTreeMap::new(),
            mark: None,
            tape_cell: None,
            returned: None,
            returned_shadows: Vec::new(),
            adjoints: BTreeMap::new(),
            early: BTreeMap::new(),
            local: BTreeSet::new(),
        };
        for (value, decision) in &source.plan.storage {
            let ty = source.function.value_type(*value).clone();
            if let Some(cell) = allocate_kept(builder, &decision.choice, ty) {
                stay(builder, &cell, source.plan.resident.values.contains(value));
                cells.kept.insert(*value, cell);
            }
        }
        for (value, decision) in &source.plan.shadows {
            for lane in 0..source.plan.width() {
                if let Some(cell) = allocate_kept(builder, &decision.choice, Type::PTR) {
                    stay(builder, &cell, source.plan.resident.shadows.contains(value));
                    cells.kept_shadows.insert((*value, lane), cell);
                }
            }
        }
        for id in &source.plan.restored {
            let value = source.function.inst(*id).map(|inst| source.function.operand_type(&inst.operands[0]));
            if let Some(cell) = value.and_then(|ty| allocate_kept(builder, &Storage::SaveOnOverwrite, ty)) {
                stay(builder, &cell, source.plan.resident.old.contains(id));
                cells.old.insert(*id, cell);
            }
        }
        for (block, decision) in &source.plan.merges {
            match decision.choice {
                Merge::Record { .. } if !source.plan.records_edge(*block) => {
                    let cell = allocate(builder, Type::I32);
                    stay(builder, &cell, source.plan.resident.edges.contains(block));
                    cells.edges.insert(*block, cell);
                }
                Merge::Count { .. } => {
                    let counter = allocate(builder, Type::I64);
                    store(builder, &counter, Operand::Const(zero_of(&Type::I64)));
                    cells.counters.insert(*block, counter);
                }
                Merge::Record { .. } | Merge::Reevaluate { .. } => {}
            }
        }
        for header in source.plan.arrays.keys() {
            if let Some(words) = words_in_frame(source, builder, *header) {
                let room = Type::Array(words, Box::new(Type::I64));
                cells.frames.insert(*header, allocate(builder, room));
            }
            let cell = allocate(builder, Type::PTR);
            stay(builder, &cell, source.plan.resident.arrays.contains(header));
            store(builder, &cell, Operand::Const(zero_of(&Type::PTR)));
            cells.arrays.insert(*header, cell);
        }
        for (header, all) in &source.plan.rows {
            for at in 0..all.rows.len() {
                cells.rows.insert((*header, at), allocate(builder, Type::PTR));
            }
        }
        for header in source.plan.strips.keys() {
            cells.states.insert(*header, allocate(builder, Type::PTR));
            cells.masks.insert(*header, allocate(builder, Type::I64));
        }
        cells
    }

    /// Makes an adjoint cell, at zero, for each active value and direction.
    pub fn allocate_adjoints(&mut self, source: &Source, builder: &mut Builder) {
        self.local = local_values(source.function);
        for value in source.plan.activity.values() {
            let ty = source.function.value_type(value).clone();
            for lane in 0..source.plan.width() {
                let cell = allocate(builder, ty.clone());
                if !self.local.contains(&value) {
                    store(builder, &cell, Operand::Const(nothing_of(&ty)));
                }
                self.adjoints.insert((value, lane), cell);
            }
        }
        for (header, fused) in &source.plan.fused {
            let mut early = BTreeMap::new();
            for value in fused.sums.iter().chain(&fused.early) {
                let ty = source.function.value_type(*value).clone();
                for lane in (0..source.plan.width()).filter(|_| ty != Type::Void) {
                    let cell = allocate(builder, ty.clone());
                    store(builder, &cell, Operand::Const(nothing_of(&ty)));
                    early.insert((*value, lane), cell);
                }
            }
            self.early.insert(*header, early);
        }
    }

    /// The same cells with the adjoints that are found where a loop is entered, and no others.
    pub fn early(&self, header: BlockId) -> Cells {
        let adjoints = self.early.get(&header).cloned().unwrap_or_default();
        Cells { adjoints, ..self.clone() }
    }

    /// Starts the adjoints that live in the reverse of one block alone, at its beginning: LLVM promotes a cell that
    /// one block uses in one step, and searches through blocks for the others.
    pub fn start_local(&self, source: &Source, builder: &mut Builder, block: BlockId) {
        for id in source.function.block(block).insts.iter().filter(|id| self.local.contains(id)) {
            for lane in 0..source.plan.width() {
                if let Some(cell) = self.adjoint(*id, lane) {
                    store(builder, cell, Operand::Const(nothing_of(source.function.value_type(*id))));
                }
            }
        }
    }

    pub fn adjoint(&self, value: ValueId, lane: u32) -> Option<&Operand> {
        self.adjoints.get(&(value, lane))
    }
}

/// The cell of a value that is kept, at zero where it is saved before it was ever computed.
fn allocate_kept(builder: &mut Builder, storage: &Storage, ty: Type) -> Option<Operand> {
    match storage {
        Storage::Argument | Storage::Recompute => None,
        Storage::Keep => Some(allocate(builder, ty)),
        Storage::SaveOnOverwrite | Storage::Rerun | Storage::Invert { .. } | Storage::Uncompute { .. } => {
            let cell = allocate(builder, ty.clone());
            store(builder, &cell, Operand::Const(zero_of(&ty)));
            Some(cell)
        }
    }
}

/// A cell that is not to become a register.
fn stay(builder: &mut Builder, cell: &Operand, resident: bool) {
    builder.resident.extend(cell.value().filter(|_| resident));
}

pub fn allocate(builder: &mut Builder, ty: Type) -> Operand {
    let op = Op::Alloca(Alloca::usual(&ty, &builder.layout));
    builder.push(op, Type::PTR, vec![Operand::Const(Constant::int(32, 1))])
}

pub fn load(builder: &mut Builder, cell: &Operand, ty: Type) -> Operand {
    let access = access_of(builder, cell, ty.clone());
    builder.push(Op::Load(access), ty, vec![cell.clone()])
}

pub fn store(builder: &mut Builder, cell: &Operand, value: Operand) {
    let access = access_of(builder, cell, builder.type_of(&value));
    builder.push(Op::Store(access), Type::Void, vec![value, cell.clone()]);
}

fn access_of(builder: &Builder, cell: &Operand, ty: Type) -> Access {
    let volatile = cell.value().is_some_and(|cell| builder.resident.contains(&cell));
    Access { volatile, ..Access::usual(Some(ty), &builder.layout) }
}

/// Instructions, other than phis, that only instructions of their own block use, and no phi: a phi's operand is added
/// to on an edge.
fn local_values(function: &Function) -> BTreeSet<ValueId> {
    let home = blocks_of_values(function);
    let is_phi = |id: ValueId| function.inst(id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. }));
    let mut local: BTreeSet<ValueId> = home.keys().copied().filter(|id| !is_phi(*id)).collect();
    for user in function.inst_ids() {
        let Some(inst) = function.inst(user) else { continue };
        for used in inst.operands.iter().filter_map(Operand::value) {
            if is_phi(user) || home.get(&used) != home.get(&user) {
                local.remove(&used);
            }
        }
    }
    local
}
