//! Headers, blocks and ids: what must hold before anything else can be looked up.

use std::collections::BTreeMap;

use super::constants::{SOUND_TYPE, type_is_sound};
use super::{Check, Place};
use crate::model::{BlockId, Flags, Inst, Linkage, Loc, Op, Operand, ValueId};

impl Check<'_> {
    pub fn check_header(&mut self) {
        let function = self.function;
        let declared = function.is_declaration();
        let bodiless = function.insts.is_empty()
            && function.loops.is_empty()
            && function.memory.is_empty()
            && function.aliases.is_empty()
            && function.names.is_empty();
        self.require(
            !declared || bodiless,
            Place::Function,
            "A declaration has no instructions and no facts.",
        );
        let linkage = (function.linkage == Linkage::Declared) == declared;
        self.require(linkage, Place::Function, "A function is `declared` exactly when it has no blocks.");
        self.check_loc(Place::Function, function.loc);
        let sorted = function.attributes.is_sorted()
            && function.params.iter().all(|param| param.attributes.is_sorted());
        self.require(sorted, Place::Function, "Attributes are sorted.");
        let sound = function.params.iter().map(|param| &param.ty).chain([&function.ret]).all(type_is_sound);
        self.require(sound, Place::Function, SOUND_TYPE);
    }

    fn check_loc(&mut self, place: Place, loc: Option<Loc>) {
        let known = loc.is_none_or(|loc| (loc.file as usize) < self.program.files.len());
        self.require(known, place, "A location names one of the program's files.");
    }

    pub fn check_shape(&mut self) {
        self.check_order();
        for (id, inst) in self.insts() {
            self.check_ids(id, inst);
            self.check_loc(Place::Value(id), inst.loc);
        }
        if self.found.is_empty() {
            for block in self.function.block_ids() {
                self.check_block(block);
            }
        }
    }

    fn check_order(&mut self) {
        let listed = self.function.blocks.iter().flat_map(|block| block.insts.iter().copied());
        let ordered = listed.eq(self.function.inst_ids());
        self.require(
            ordered,
            Place::Function,
            "Every instruction stands in exactly one block, and ids follow program order.",
        );
    }

    fn check_ids(&mut self, id: ValueId, inst: &Inst) {
        let place = || Place::Value(id);
        let values = (self.function.params.len() + self.function.insts.len()) as u32;
        let exist = inst.operands.iter().filter_map(Operand::value).all(|value| value.0 < values);
        self.require(exist, place(), "Every operand is a constant or a value of this function.");
        let blocks = self.function.blocks.len() as u32;
        let from: &[BlockId] = if let Op::Phi { from } = &inst.op { from } else { &[] };
        let exist = inst.op.successors().iter().chain(from).all(|block| block.0 < blocks);
        self.require(exist, place(), "Every block named by an operation is a block of this function.");
        let known = Flags::NAMES.iter().fold(Flags::default(), |all, (flag, _)| all.with(*flag));
        self.require(known.has(inst.flags), place(), "Every flag has a name.");
        let sorted = inst.op.call().is_none_or(|call| call.attributes.is_sorted());
        self.require(sorted, place(), "Attributes are sorted.");
    }

    fn check_block(&mut self, id: BlockId) {
        let function = self.function;
        let insts: Vec<&Inst> = function.block(id).insts.iter().filter_map(|id| function.inst(*id)).collect();
        let ends = insts.last().is_some_and(|last| last.op.is_terminator());
        self.require(ends, Place::Block(id), "A block ends in a terminator.");
        let early = insts.iter().rev().skip(1).any(|inst| inst.op.is_terminator());
        self.require(!early, Place::Block(id), "A terminator stands only at the end of its block.");
        let phis_first = insts.is_sorted_by_key(|inst| !matches!(inst.op, Op::Phi { .. }));
        self.require(phis_first, Place::Block(id), "Phis come before all other instructions of their block.");
        let to_entry = function.successors(id).contains(&BlockId(0));
        self.require(!to_entry, Place::Block(id), "Nothing branches to the entry block.");
    }

    /// A block that is left by two edges to the same place counts twice, as in LLVM.
    pub fn check_phis(&mut self) {
        let mut arrivals: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for block in self.function.block_ids() {
            for to in self.function.successors(block) {
                arrivals.entry(to).or_default().push(block);
            }
        }
        for block in self.function.block_ids() {
            let expected = arrivals.remove(&block).unwrap_or_default();
            for id in &self.function.block(block).insts {
                let Some(Inst { op: Op::Phi { from }, operands, .. }) = self.function.inst(*id) else {
                    continue;
                };
                let mut sorted = from.clone();
                sorted.sort();
                self.require(
                    sorted == expected,
                    Place::Value(*id),
                    "A phi has one operand for each edge into its block.",
                );
                let mut values = BTreeMap::new();
                let agree = from
                    .iter()
                    .zip(operands)
                    .all(|(block, value)| values.entry(*block).or_insert(value) == &value);
                self.require(agree, Place::Value(*id), "A phi has one value for each block that it names.");
            }
        }
    }
}
