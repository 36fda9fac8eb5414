//! Changes a function by one instruction, numbers put right again, so that only the change is wrong.

use std::collections::BTreeMap;

use backsweep_core::model::{BlockId, Function, Inst, Op, Operand, ValueId};

/// Instructions of each block, with the number each had.
type Body = Vec<Vec<(ValueId, Inst)>>;

/// Without that instruction, whose result nobody may use.
pub fn remove(function: &mut Function, id: ValueId) {
    rebuild(function, |body| body.iter_mut().for_each(|block| block.retain(|(at, _)| *at != id)));
}

/// That instruction once more, behind itself.
pub fn repeat(function: &mut Function, id: ValueId) {
    rebuild(function, |body| {
        for block in body {
            if let Some(at) = block.iter().position(|(found, _)| *found == id) {
                let (_, inst) = block[at].clone();
                block.insert(at + 1, (ValueId(u32::MAX), inst));
            }
        }
    });
}

/// Moves an instruction within its block, to the end before the terminator.
pub fn delay(function: &mut Function, id: ValueId) {
    rebuild(function, |body| {
        for block in body {
            if let Some(at) = block.iter().position(|(found, _)| *found == id) {
                let moved = block.remove(at);
                block.insert(block.len() - 1, moved);
            }
        }
    });
}

/// Moves an instruction to the start of another block.
pub fn move_to(function: &mut Function, id: ValueId, to: BlockId) {
    rebuild(function, |body| {
        let place = body.iter_mut().find_map(|block| {
            let at = block.iter().position(|(found, _)| *found == id)?;
            Some(block.remove(at))
        });
        let moved = place.expect("the instruction stands in a block");
        body[to.0 as usize].insert(0, moved);
    });
}

/// Exchanges two runs of instructions of one block that follow one another.
pub fn swap_runs(function: &mut Function, block: BlockId, first: usize, middle: usize, last: usize) {
    rebuild(function, |body| body[block.0 as usize][first..last].rotate_left(middle - first));
}

pub fn inst_mut(function: &mut Function, id: ValueId) -> &mut Inst {
    let at = id.0 as usize - function.params.len();
    &mut function.insts[at]
}

/// The instructions that fulfil a condition, in order.
pub fn find_all(function: &Function, wanted: impl Fn(&Inst) -> bool) -> Vec<ValueId> {
    function.inst_ids().filter(|id| function.inst(*id).is_some_and(&wanted)).collect()
}

/// The block that an instruction stands in.
pub fn home(function: &Function, id: ValueId) -> BlockId {
    let holds = |block: &BlockId| function.block(*block).insts.contains(&id);
    function.block_ids().find(holds).expect("every instruction stands in a block")
}

pub fn block_named(function: &Function, name: &str) -> BlockId {
    let named = |block: &BlockId| function.block(*block).name.as_deref() == Some(name);
    function.block_ids().find(named).unwrap_or_else(|| panic!("no block is called {name}"))
}

/// The slot in the entry block that is `nth` in order.
pub fn slot(function: &Function, nth: usize) -> ValueId {
    find_all(function, |inst| matches!(inst.op, Op::Alloca(_)) && inst.origin.is_none())[nth]
}

/// The stores into a slot.
pub fn stores_to(function: &Function, slot: ValueId) -> Vec<ValueId> {
    let to = Some(&Operand::Value(slot));
    find_all(function, |inst| matches!(inst.op, Op::Store(_)) && inst.operands.get(1) == to)
}

fn rebuild(function: &mut Function, change: impl FnOnce(&mut Body)) {
    let mut body: Body = function
        .blocks
        .iter()
        .map(|block| block.insts.iter().filter_map(|id| Some((*id, function.inst(*id)?.clone()))).collect())
        .collect();
    change(&mut body);
    let mut next = function.params.len() as u32;
    let mut renamed: BTreeMap<ValueId, ValueId> = function.param_ids().map(|id| (id, id)).collect();
    for (block, insts) in function.blocks.iter_mut().zip(&body) {
        block.insts.clear();
        for (old, _) in insts {
            block.insts.push(ValueId(next));
            renamed.entry(*old).or_insert(ValueId(next));
            next += 1;
        }
    }
    function.insts = body.into_iter().flatten().map(|(_, inst)| inst).collect();
    for operand in function.insts.iter_mut().flat_map(|inst| &mut inst.operands) {
        if let Operand::Value(value) = operand {
            *value = renamed[value];
        }
    }
}
