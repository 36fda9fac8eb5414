//! Floats that are read from a slot where nothing but pointers was put, and pointers from one where nothing but floats was: a
//! pointer goes on as a float then, or comes back from one, and nobody follows it, nor has it its shadow.
//!
//! Function + pointers → such loads, of slots at known offsets, behind what is put there in the same block. Where both are put there,
//! as into a union, either may be meant; where control may come to the load from elsewhere only, as to the visitor of a variant's other
//! member, it may come never.
//! Safe error: misread (is refused).

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::offsets::{Extent, Offsets};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{BlockId, Constant, Function, Inst, Op, Operand, Type, ValueId};

pub fn find_misread(function: &Function, pointers: &Pointers) -> BTreeSet<ValueId> {
    let has_slots = function.insts.iter().any(|inst| matches!(inst.op, Op::Alloca(_)));
    if !has_slots {
        return BTreeSet::new();
    }
    let offsets = Offsets::of(function);
    let in_slot = |address: &Operand, ty: Type, block: BlockId| {
        let bases = pointers.of_operand(address);
        let slots = !bases.is_empty() && bases.iter().all(|base| matches!(base, Base::Stack(_)));
        slots.then(|| Part { bases, extent: offsets.extent(address, &ty), ty, block })
    };
    let placed = |block| function.block(block).insts.iter().map(move |id| (block, *id));
    let (mut put, mut read) = (Vec::new(), Vec::new());
    for (block, id) in function.block_ids().flat_map(placed) {
        let Some(inst) = function.inst(id) else { continue };
        if let Some((value, address)) = put_by(inst) {
            put.extend(in_slot(address, function.operand_type(value), block));
        } else if let Op::Load(_) = inst.op {
            read.extend(in_slot(&inst.operands[0], inst.ty.clone(), block).map(|part| (id, part)));
        }
    }
    let put = by_base(&put);
    read.into_iter().filter(|(_, part)| part.is_of_the_other(&put)).map(|(id, _)| id).collect()
}

/// What was put into slots, and in which blocks: many stores put the same kind to the same place, and are looked at together.
type Put = BTreeMap<Base, BTreeMap<What, BTreeSet<BlockId>>>;

/// A place in a slot, and of what kind something is that was put there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct What {
    extent: Extent,
    pointer: bool,
    float: bool,
}

fn by_base(parts: &[Part]) -> Put {
    let mut sorted = Put::new();
    for part in parts {
        let (pointer, float) = (part.ty.is_pointer(), part.ty.holds_float());
        let what = What { extent: part.extent, pointer, float };
        for base in &part.bases {
            sorted.entry(base.clone()).or_default().entry(what).or_default().insert(part.block);
        }
    }
    sorted
}

/// What is put where; nothing that is constant says what else may lie there.
fn put_by(inst: &Inst) -> Option<(&Operand, &Operand)> {
    let is_null = |value: &Operand| matches!(value, Operand::Const(Constant::Zero(_)));
    let is_store = matches!(inst.op, Op::Store(_)) && !is_null(&inst.operands[0]);
    is_store.then(|| (&inst.operands[0], &inst.operands[1]))
}

/// A part of some slot, read or written as one type.
struct Part {
    bases: BTreeSet<Base>,
    extent: Extent,
    ty: Type,
    block: BlockId,
}

impl Part {
    /// Whether the other of float and pointer is put exactly here, and nothing else that this could be.
    fn is_of_the_other(&self, put: &Put) -> bool {
        let (pointer, float) = (self.ty.is_pointer(), self.ty.holds_float());
        let there = self.bases.iter().filter_map(|base| put.get(base)).flatten();
        let mut exact = false;
        for (what, blocks) in there.filter(|(what, _)| what.extent.meets(self.extent)) {
            if !(pointer && what.float || float && what.pointer) {
                return false;
            }
            let same = what.extent.at == self.extent.at && self.extent.at.stride == 0;
            exact |= same && blocks.contains(&self.block);
        }
        exact
    }
}
