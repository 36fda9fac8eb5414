//! The run of a loop in the reverse of the block behind it, as much of it as is planned.

use super::adjoint::Primals;
use super::builder::Builder;
use super::cells::store;
use super::copies::{Copies, insts_of};
use super::reverse::ReverseWriter;
use crate::model::{BlockId, Flags, Op, Operand, Type, ValueId};
use crate::plan::{Rerun, Storage};

/// Runs the loop before a block, where that is planned, and puts what it leaves into cells.
pub fn run_again(writer: &ReverseWriter, builder: &mut Builder, exit: BlockId) {
    let (function, plan) = (writer.source.function, writer.source.plan);
    let Some((header, rerun)) = plan.reruns.iter().find(|(_, rerun)| rerun.exit == exit) else { return };
    let mut copies = Copies::default();
    // All at once, in front: what is computed in the loop is not there behind it.
    for value in &rerun.operands {
        copies.values.insert(*value, writer.primal(builder, &Operand::Value(*value)));
    }
    let before = builder.here();
    for block in &rerun.blocks {
        copies.blocks.insert(*block, builder.add_block(format!("again.b{}", block.0)));
    }
    let behind = builder.add_block(format!("again.b{}", exit.0));
    copies.blocks.insert(exit, behind);
    builder.push(Op::Br { to: copies.block(*header) }, Type::Void, Vec::new());
    copy_blocks(writer, builder, &mut copies, rerun);
    let entry = writer.flow.predecessors(*header).iter().find(|from| !rerun.blocks.contains(from));
    copies.blocks.extend(entry.map(|entry| (*entry, before)));
    for id in &rerun.insts {
        if let Some(inst) = function.inst(*id) {
            copies.fill_phi(builder, *id, inst);
        }
    }
    builder.move_to(behind);
    for (id, inst) in insts_of(function, exit).filter(|(id, _)| is_left(writer, *id)) {
        let left = copies.operand(&inst.operands[0]);
        store(builder, &writer.cells.kept[&id], left);
    }
}

/// Dominators first, so that operands are there.
fn copy_blocks(writer: &ReverseWriter, builder: &mut Builder, copies: &mut Copies, rerun: &Rerun) {
    for block in writer.flow.dominator_order().into_iter().filter(|block| rerun.blocks.contains(block)) {
        builder.move_to(copies.block(block));
        for (id, inst) in insts_of(writer.source.function, block) {
            if rerun.insts.contains(&id) || inst.op.is_terminator() {
                copies.copy(builder, id, inst);
            }
            if rerun.sums.contains(&id) {
                builder.flag_last(Flags::REASSOC);
            }
        }
    }
}

fn is_left(writer: &ReverseWriter, id: ValueId) -> bool {
    writer.source.plan.storage.get(&id).is_some_and(|stored| stored.choice == Storage::Rerun)
}
