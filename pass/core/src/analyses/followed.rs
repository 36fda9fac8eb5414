//! Which pointers found in memory anything that a derivative is made of may lie behind.
//!
//! Function + pointers → the loads of such pointers. A table of functions, a name, a file need no shadow, and the memory
//! of a shadow holds none for them.
//! Safe error: followed (its shadow is looked up where nobody needs it).

use std::collections::{BTreeMap, BTreeSet};

use super::looked::looked_behind;
use super::pointers::{Base, Pointers};
use crate::model::{Function, Inst, Op, Operand, Program, Type, ValueId};

pub fn find_followed(
    function: &Function,
    program: &Program,
    pointers: &Pointers,
    carriers: &BTreeSet<ValueId>,
) -> BTreeSet<ValueId> {
    let loaded = |operand: &Operand| -> Vec<ValueId> {
        let bases = pointers.of_operand(operand);
        bases
            .into_iter()
            .filter_map(|base| if let Base::Loaded(load) = base { Some(load) } else { None })
            .collect()
    };
    let mut waiting = Vec::new();
    // The pointers found behind each pointer found.
    let mut behind: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
        if matches!(inst.op, Op::Load(_)) && inst.ty.is_pointer() {
            behind.entry(id).or_default().extend(loaded(&inst.operands[0]));
            continue;
        }
        for operand in touched_operands(id, inst, program, carriers) {
            waiting.extend(loaded(operand));
        }
    }
    let mut followed = BTreeSet::new();
    loop {
        while let Some(load) = waiting.pop() {
            if followed.insert(load) {
                waiting.extend(behind.get(&load).into_iter().flatten());
            }
        }
        waiting = find_beside(function, pointers, &followed);
        if waiting.is_empty() {
            return followed;
        }
    }
}

/// Pointers in the place of which one that is followed, or leads to memory of this call, may be read through as well: a walk
/// over the nodes of a tree goes one way or another, and has one shadow for all of them.
fn find_beside(function: &Function, pointers: &Pointers, followed: &BTreeSet<ValueId>) -> Vec<ValueId> {
    let mut beside = Vec::new();
    for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
        if !matches!(inst.op, Op::Load(_)) {
            continue;
        }
        let bases = pointers.of_operand(&inst.operands[0]);
        let known = |base: &Base| match base {
            Base::Loaded(load) => followed.contains(load),
            Base::Stack(_) | Base::Heap(_) => true,
            _ => false,
        };
        let new = bases.iter().filter(|base| !known(base));
        let new = new.filter_map(|base| if let Base::Loaded(load) = base { Some(*load) } else { None });
        if bases.iter().any(known) {
            beside.extend(new);
        }
    }
    beside
}

/// The pointers through which an instruction reads or writes what may be derived, and those that it passes on to where
/// they are found again.
fn touched_operands<'a>(
    id: ValueId,
    inst: &'a Inst,
    program: &Program,
    carriers: &BTreeSet<ValueId>,
) -> Vec<&'a Operand> {
    match &inst.op {
        Op::Load(_) => {
            let counted = matches!(inst.ty.scalar(), Type::Int(_)) && !carriers.contains(&id);
            if counted { Vec::new() } else { inst.operands.iter().collect() }
        }
        // Through a pointer that is compared, moved or called nothing is touched.
        Op::ICmp(_) | Op::Gep(_) | Op::Phi { .. } | Op::Select | Op::Freeze => Vec::new(),
        Op::Call(_) | Op::Invoke { .. } => looked_behind(program, inst).collect(),
        _ => inst.operands.iter().collect(),
    }
}
