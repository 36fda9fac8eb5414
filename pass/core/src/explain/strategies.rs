//! By which ways a loop does with fewer records, or with less work, than one that is run and then reversed.

use super::Subject;
use crate::model::{BlockId, LoopId, Op};
use crate::plan::{Order, Storage};

/// Each in a few words that go on from "the loop".
pub fn describe_strategies(subject: &Subject, of: LoopId) -> Vec<String> {
    let header = subject.function.loops[of.0 as usize].header;
    let plan = subject.plan;
    let mut ways = Vec::new();
    if plan.reruns.contains_key(&header) {
        ways.push("runs in the reverse sweep for what it leaves behind".to_string());
    } else if is_left_out(subject, of) {
        ways.push("is left out of the forward sweep".to_string());
    }
    if plan.recounts.get(&header).is_some_and(|recount| recount.order == Order::Forwards) {
        ways.push("is reversed in its own order".to_string());
    }
    if let Some(strip) = plan.strips.get(&header) {
        ways.push(format!(
            "records {} passes at a time where there are more than {}, and runs each such strip again",
            strip.passes, strip.whole
        ));
    }
    if plan.fused.contains_key(&header) {
        ways.push("runs once: each pass is reversed as soon as it has run".to_string());
    }
    if plan.rooms.values().any(|room| room.header == header) {
        ways.push("keeps a number of each pass in a shadow that holds zeros".to_string());
    }
    let taken_back = |choice: &Storage| matches!(choice, Storage::Uncompute { header: of } if *of == header);
    if plan.storage.values().any(|decision| taken_back(&decision.choice)) {
        ways.push("takes back what it adds up".to_string());
    }
    ways
}

/// Whether all that is computed in a loop for the result is for the reverse sweep alone, so that forward and reverse of an
/// iteration are one.
fn is_left_out(subject: &Subject, of: LoopId) -> bool {
    let blocks: &[BlockId] = &subject.function.loops[of.0 as usize].blocks;
    let insts = blocks.iter().flat_map(|block| &subject.function.block(*block).insts);
    let computes = |op: &Op| !matches!(op, Op::Phi { .. } | Op::Gep(_) | Op::Int(_) | Op::Cast(_));
    let mut active = insts
        .filter(|id| subject.plan.activity.is_active(**id))
        .filter(|id| subject.function.inst(**id).is_some_and(|inst| computes(&inst.op)))
        .peekable();
    active.peek().is_some() && active.all(|id| subject.plan.omitted.contains_key(id))
}
