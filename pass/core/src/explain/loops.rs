//! How each loop is reversed, and what an iteration puts on the tape.

use super::crossing::Crossings;
use super::notes::bytes_of_call;
use super::strategies::describe_strategies;
use super::{Laid, LoopNote, Retrace, Subject};
use crate::derive::measure_record;
use crate::model::{BlockId, LoopId, ValueId};
use crate::plan::Merge;

pub fn describe_loops(subject: &Subject, crossings: &[Crossings]) -> Vec<LoopNote> {
    let ids = (0..subject.function.loops.len() as u32).map(LoopId);
    ids.map(|of| describe_loop(subject, of, crossings.iter().find(|found| found.of == of))).collect()
}

fn describe_loop(subject: &Subject, of: LoopId, crossings: Option<&Crossings>) -> LoopNote {
    let known = &subject.function.loops[of.0 as usize];
    let (retrace, reason) = match subject.plan.merges.get(&known.header) {
        None => (Retrace::None, "nothing in it is reversed".to_string()),
        Some(decision) => match decision.choice {
            Merge::Count { .. } => (Retrace::Counted, decision.reason.clone()),
            Merge::Record { .. } | Merge::Reevaluate { .. } => (Retrace::Recorded, decision.reason.clone()),
        },
    };
    let own: Vec<BlockId> = own_blocks(subject, of);
    let records = &subject.plan.records;
    let length = |block: &BlockId| {
        let measure = |items: &Vec<_>| {
            measure_record(subject.function, subject.plan, &subject.layout, Some(*block), items)
                + subject.plan.row_bytes(*block)
        };
        records.get(block).map(measure)
    };
    let called = subject.plan.calls.iter().filter(|(id, _)| subject.loop_of(**id) == Some(of));
    let called: u64 = called.map(|(_, planned)| bytes_of_call(subject, planned)).sum();
    let bytes = own.iter().filter_map(length).sum::<u64>() + called;
    let array = subject.plan.arrays.get(&known.header);
    let laid = match array {
        _ if bytes == 0 => Laid::Nowhere,
        Some(array)
            if called == 0
                && own.iter().all(|block| !records.contains_key(block) || array.blocks.contains(block)) =>
        {
            Laid::Array
        }
        _ => Laid::Stack,
    };
    LoopNote {
        of,
        parent: known.parent,
        at: find_place(subject, of),
        lines: find_lines(subject, of),
        retrace,
        laid,
        bytes,
        crosses: crossings.map(|found| !found.needs.is_empty()),
        ways: describe_strategies(subject, of),
        reason,
    }
}

/// The blocks of a loop that are in none inside it.
fn own_blocks(subject: &Subject, of: LoopId) -> Vec<BlockId> {
    let blocks = subject.function.loops[of.0 as usize].blocks.iter().copied();
    blocks.filter(|block| subject.dependences.nesting.innermost(*block) == Some(of)).collect()
}

/// What the header begins with stands where the loop does; after inlining only the branch is sure to.
fn find_place(subject: &Subject, of: LoopId) -> Option<ValueId> {
    let header = subject.function.loops[of.0 as usize].header;
    let stands = |id: &ValueId| subject.function.inst(*id).is_some_and(|inst| inst.loc.is_some());
    let end = subject.function.terminator(header).filter(stands);
    end.or_else(|| subject.function.block(header).insts.iter().copied().find(stands))
}

/// The lines of the loop's instructions, in the file in which it begins.
fn find_lines(subject: &Subject, of: LoopId) -> Option<(u32, u32)> {
    let file = subject.function.inst(find_place(subject, of)?)?.loc?.file;
    let blocks = subject.function.loops[of.0 as usize].blocks.iter();
    let insts = blocks.flat_map(|block| &subject.function.block(*block).insts);
    let locs = insts.filter_map(|id| subject.function.inst(*id)?.loc);
    let lines: Vec<u32> = locs.filter(|loc| loc.file == file && loc.line > 0).map(|loc| loc.line).collect();
    Some((*lines.iter().min()?, *lines.iter().max()?))
}
