//! Changes to the control flow of a function: edges cut, blocks dropped and joined, phis kept complete.

use std::collections::BTreeMap;

use backsweep_core::model::{BlockId, Function, Op, Operand, ValueId};

use super::edit::remove_value;

/// Ends a block with a jump to one place.
pub fn retarget(function: &mut Function, block: BlockId, to: BlockId) {
    let params = function.params.len();
    let Some(end) = function.terminator(block) else { return };
    if let Some(inst) = function.insts.get_mut(end.0 as usize - params) {
        inst.op = Op::Br { to };
        inst.operands.clear();
    }
}

/// Drops blocks that nothing reaches, and the entries of phis for edges that are no more.
pub fn repair(function: &mut Function) {
    let reached = reachable(function);
    let mut edges: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for block in &reached {
        for next in function.successors(*block) {
            edges.entry(next).or_default().push(*block);
        }
    }
    for block in &reached {
        let ids = function.block(*block).insts.clone();
        for id in ids {
            keep_edges(function, id, edges.get(block).cloned().unwrap_or_default());
        }
    }
    let renamed: BTreeMap<BlockId, BlockId> =
        reached.iter().enumerate().map(|(index, block)| (*block, BlockId(index as u32))).collect();
    let kept = reached.iter().map(|block| function.block(*block).clone()).collect();
    function.blocks = kept;
    for inst in &mut function.insts {
        rename_blocks(&mut inst.op, &|block| renamed.get(&block).copied().unwrap_or(block));
    }
}

/// Reachable blocks in the order they stand.
fn reachable(function: &Function) -> Vec<BlockId> {
    let mut found = vec![false; function.blocks.len()];
    let mut work = vec![BlockId(0)];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut found[block.0 as usize], true) {
            work.extend(function.successors(block));
        }
    }
    function.block_ids().filter(|block| found[block.0 as usize]).collect()
}

/// Keeps as many entries of a phi from each block as there are edges.
fn keep_edges(function: &mut Function, id: ValueId, mut edges: Vec<BlockId>) {
    let params = function.params.len();
    let Some(inst) = function.insts.get_mut(id.0 as usize - params) else { return };
    let Op::Phi { from } = &mut inst.op else { return };
    let entries: Vec<(BlockId, Operand)> = from.drain(..).zip(inst.operands.drain(..)).collect();
    for (block, operand) in entries {
        if let Some(position) = edges.iter().position(|edge| *edge == block) {
            edges.swap_remove(position);
            from.push(block);
            inst.operands.push(operand);
        }
    }
}

fn rename_blocks(op: &mut Op, rename: &dyn Fn(BlockId) -> BlockId) {
    let all = |blocks: &mut Vec<BlockId>| blocks.iter_mut().for_each(|block| *block = rename(*block));
    match op {
        Op::Phi { from } => all(from),
        Op::Br { to } => *to = rename(*to),
        Op::CondBr { yes, no } => (*yes, *no) = (rename(*yes), rename(*no)),
        Op::Switch { cases, default } => {
            *default = rename(*default);
            cases.iter_mut().for_each(|(_, block)| *block = rename(*block));
        }
        Op::IndirectBr { targets } => all(targets),
        Op::Invoke { normal, unwind, .. } => (*normal, *unwind) = (rename(*normal), rename(*unwind)),
        Op::CallBr { normal, others, .. } => {
            *normal = rename(*normal);
            all(others);
        }
        Op::Opaque { successors, .. } => all(successors),
        Op::FNeg
        | Op::Float(_)
        | Op::Int(_)
        | Op::Cast(_)
        | Op::ICmp(_)
        | Op::FCmp(_)
        | Op::Select
        | Op::Freeze
        | Op::Attach(_)
        | Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::Alloca(_)
        | Op::Load(_)
        | Op::Store(_)
        | Op::Gep(_)
        | Op::AtomicRmw { .. }
        | Op::CompareExchange { .. }
        | Op::Fence { .. }
        | Op::VaArg
        | Op::Call(_)
        | Op::LandingPad { .. }
        | Op::Ret
        | Op::Resume
        | Op::Unreachable => {}
    }
}

/// Joins each block that ends in a jump with the block it jumps to, where no other edge leads there.
pub fn merge_blocks(function: &mut Function) {
    while let Some((first, second)) = mergeable(function) {
        let moved = std::mem::take(&mut function.blocks[second.0 as usize].insts);
        function.blocks[first.0 as usize].insts.pop();
        for id in moved {
            let single = function.inst(id).and_then(|inst| match (&inst.op, inst.operands.as_slice()) {
                (Op::Phi { .. }, [operand]) => Some(operand.clone()),
                (_, _) => None,
            });
            match single {
                Some(operand) => remove_value(function, id, Some(&operand)),
                None => function.blocks[first.0 as usize].insts.push(id),
            }
        }
        for inst in &mut function.insts {
            if let Op::Phi { from } = &mut inst.op {
                from.iter_mut().filter(|block| **block == second).for_each(|block| *block = first);
            }
        }
        repair(function);
    }
}

fn mergeable(function: &Function) -> Option<(BlockId, BlockId)> {
    let edges: Vec<(BlockId, BlockId)> = function
        .block_ids()
        .flat_map(|block| function.successors(block).into_iter().map(move |next| (block, next)))
        .collect();
    let jumps = edges.iter().find(|(block, next)| {
        let jump = function.successors(*block).len() == 1
            && function
                .terminator(*block)
                .and_then(|id| function.inst(id))
                .is_some_and(|inst| matches!(inst.op, Op::Br { .. }));
        let only = edges.iter().filter(|(_, other)| other == next).count() == 1;
        jump && only && *next != BlockId(0) && block != next
    });
    jumps.copied()
}
