//! Cells that stay in memory, where a plan wants that.
//!
//! Their accesses are volatile, which is LLVM's word for what is not to be made a register, nor to be handed on from a store to a load without one. What a loop
//! reads of them is read once, in front of it, since a volatile access stays where it is and is made in each pass.

use std::collections::{BTreeMap, BTreeSet};

use super::builder::Builder;
use crate::analyses::flow::Flow;
use crate::model::{BlockId, Function, Op, Operand, ValueId};

/// Reads cells in front of loops that read them. Nothing is stored to the cell between there and the loop.
pub fn read_before_loops(builder: &mut Builder) {
    if builder.resident.is_empty() {
        return;
    }
    let moved = find_moved(builder);
    let mut known: BTreeMap<(BlockId, ValueId), ValueId> = BTreeMap::new();
    let mut renamed = BTreeMap::new();
    let gone: BTreeSet<ValueId> = moved.iter().map(|moved| moved.load).collect();
    let left: BTreeSet<BlockId> = moved.iter().map(|moved| moved.from).collect();
    for block in left {
        builder.function_mut().blocks[block.0 as usize].insts.retain(|id| !gone.contains(id));
    }
    for Moved { load, cell, to, .. } in moved {
        let first = *known.entry((to, cell)).or_insert(load);
        if first == load {
            let insts = &mut builder.function_mut().blocks[to.0 as usize].insts;
            insts.insert(insts.len() - 1, load);
        }
        renamed.insert(load, first);
    }
    for inst in &mut builder.function_mut().insts {
        for operand in &mut inst.operands {
            if let Operand::Value(id) = operand {
                *id = renamed.get(id).copied().unwrap_or(*id);
            }
        }
    }
}

/// A load in a loop, and the last block in front of all loops around it.
struct Moved {
    load: ValueId,
    cell: ValueId,
    from: BlockId,
    to: BlockId,
}

fn find_moved(builder: &Builder) -> Vec<Moved> {
    let function = builder.function();
    let flow = Flow::of(function);
    let resident = &builder.resident;
    let mut stores: BTreeMap<ValueId, BTreeSet<BlockId>> = BTreeMap::new();
    let mut loads = Vec::new();
    for block in function.block_ids() {
        for id in &function.block(block).insts {
            match touched(function, *id).filter(|(cell, _)| resident.contains(cell)) {
                Some((cell, true)) => drop(stores.entry(cell).or_default().insert(block)),
                Some((cell, false)) if flow.is_cyclic(block) => loads.push((*id, cell, block)),
                _ => {}
            }
        }
    }
    let moved = loads.into_iter().filter_map(|(load, cell, from)| {
        let mut to = flow.immediate_dominator(from)?;
        while flow.is_cyclic(to) {
            to = flow.immediate_dominator(to)?;
        }
        let stays = stores.get(&cell).is_none_or(|at| at.iter().all(|store| !flow.comes_to(to, *store)));
        stays.then_some(Moved { load, cell, from, to })
    });
    moved.collect()
}

/// The address of a load or a store, and whether it is a store.
fn touched(function: &Function, id: ValueId) -> Option<(ValueId, bool)> {
    let inst = function.inst(id)?;
    match inst.op {
        Op::Load(_) => Some((inst.operands[0].value()?, false)),
        Op::Store(_) => Some((inst.operands[1].value()?, true)),
        _ => None,
    }
}
