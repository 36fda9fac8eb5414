//! One note for each decision of a plan: what becomes of an instruction or of what it gives.

use super::{Fate, Note, Subject, words};
use crate::analyses::custom::CustomCall;
use crate::derive::{measure_call, measure_record};
use crate::model::{BlockId, Function, Op, ValueId};
use crate::plan::{Contracted, EXIT, Item, Merge, PlannedCall, Storage, variant_name};

pub fn collect_notes(subject: &Subject) -> Vec<Note> {
    let mut notes = note_active(subject);
    notes.extend(note_values(subject));
    notes.extend(note_shadows(subject));
    notes.extend(note_restored(subject));
    notes.extend(note_edges(subject));
    notes.extend(note_runs(subject));
    notes.extend(note_preaccumulated(subject));
    for (id, decision) in &subject.plan.omitted {
        notes.push(note(subject, *id, Fate::LeftOut, None, &decision.reason));
    }
    notes.extend(note_contracted(subject));
    notes.extend(subject.plan.calls.iter().map(|(id, planned)| note_call(subject, *id, planned)));
    notes
}

fn note_call(subject: &Subject, id: ValueId, planned: &PlannedCall) -> Note {
    let reason = match (&planned.custom, &planned.joint) {
        (Some(_), _) => "the derivative is a rule that the program gives".into(),
        (None, Some(joint)) if joint.choice => {
            format!(
                "{}; each call leaves what it reads, and its records are on the tape one call at a time",
                joint.reason
            )
        }
        (None, joint) => {
            let asked = joint.as_ref().map(|joint| &joint.reason);
            let asked: String =
                asked.into_iter().chain(&planned.uncontracted).map(|reason| format!("; {reason}")).collect();
            format!(
                "it is not inlined: a derivative of its own is called; each call leaves so many bytes, and what its loops and \
                 calls record{asked}"
            )
        }
    };
    let called = note(subject, id, Fate::Called, None, &reason);
    Note { bytes: bytes_of_call(subject, planned), ..called }
}

/// Calls of which only partial derivatives are kept.
fn note_contracted(subject: &Subject) -> Vec<Note> {
    let contracted = subject.plan.local.iter().flat_map(|local| &local.contracted);
    let describe = |contracted: &Contracted| {
        let end = contracted.at.end()?;
        let count = contracted.at.links.len() - 1;
        let plural = if count == 1 { "" } else { "s" };
        let reason = format!("{}: {count} number{plural} a call", contracted.reason);
        let what = format!("the result of `{}`", contracted.request.function);
        Some(Note { what, ..note(subject, end, Fate::Preaccumulated, None, &reason) })
    };
    contracted.filter_map(describe).collect()
}

/// What each call leaves on the tape by itself.
pub fn bytes_of_call(subject: &Subject, planned: &PlannedCall) -> u64 {
    match &planned.custom {
        Some(CustomCall::Halves { tape: Some(kept), .. }) => {
            subject.layout.size_of(kept).unwrap_or(0).next_multiple_of(8)
        }
        Some(CustomCall::Halves { tape: None, .. } | CustomCall::Tangent(_)) => 0,
        None if planned.request.joint => 0,
        None => {
            let name = variant_name(&planned.augmented());
            let variant = subject.variants.iter().find(|variant| variant.name == name);
            let function = subject.program.function(&planned.callee);
            variant.zip(function).map_or(0, |(variant, function)| {
                measure_call(&variant.plan, function, subject.program, subject.rules)
            })
        }
    }
}

/// What is recorded belongs to the loop of the block that records it.
fn note(subject: &Subject, at: ValueId, fate: Fate, item: Option<Item>, reason: &str) -> Note {
    let recording = item.and_then(|item| subject.recording_block(item));
    let bytes = match (item, recording) {
        (Some(item), Some(_)) => bytes_of(subject, item),
        _ => 0,
    };
    let of = match recording {
        Some(block) => subject.dependences.nesting.innermost(block),
        None => subject.loop_of(at),
    };
    let what = words::name_inst(subject, at);
    Note { at: words::place_of(subject, at), of, fate, bytes, what, reason: reason.into() }
}

/// What one item takes in a record.
fn bytes_of(subject: &Subject, item: Item) -> u64 {
    let size = |id: ValueId| subject.layout.size_of(subject.function.value_type(id)).unwrap_or(0);
    match item {
        // One number of a row stands for all loads of it.
        Item::Value(id) => match subject.plan.row_of(id) {
            Some((_, row)) if row.first == id => row.step,
            Some(_) => 0,
            None => size(id),
        },
        Item::Edge => 4,
        Item::Old(_) | Item::Shadow(_) | Item::Counter { .. } | Item::Array { .. } => measure_record(
            subject.function,
            subject.plan,
            &subject.layout,
            subject.recording_block(item),
            &[item],
        ),
    }
}

fn note_active(subject: &Subject) -> Vec<Note> {
    let activity = &subject.plan.activity;
    let values = activity.values().filter(|value| subject.function.inst(*value).is_some());
    let mut notes: Vec<Note> =
        values.map(|value| note(subject, value, Fate::Active, None, activity.reason(value))).collect();
    let is_active_store = |id: &ValueId| {
        let inst = subject.function.inst(*id).filter(|inst| matches!(inst.op, Op::Store(_)));
        inst.is_some_and(|inst| activity.is_operand_active(&inst.operands[0]))
    };
    let stores = subject.function.inst_ids().filter(is_active_store);
    notes.extend(stores.map(|id| note(subject, id, Fate::Active, None, "an active value is stored")));
    notes
}

fn note_values(subject: &Subject) -> Vec<Note> {
    let mut notes = Vec::new();
    for (value, decision) in &subject.plan.storage {
        let fate = match decision.choice {
            Storage::Argument => continue,
            Storage::Keep => Fate::Kept,
            Storage::SaveOnOverwrite => Fate::Recorded,
            Storage::Recompute | Storage::Rerun => Fate::Recomputed,
            Storage::Invert { .. } | Storage::Uncompute { .. } => Fate::CountedBack,
        };
        notes.push(note(subject, *value, fate, Some(Item::Value(*value)), &decision.reason));
    }
    notes
}

/// Shadow pointers are of interest where they are recorded.
fn note_shadows(subject: &Subject) -> Vec<Note> {
    let saved = subject.plan.shadows.iter().filter(|(_, found)| found.choice == Storage::SaveOnOverwrite);
    saved
        .map(|(value, decision)| {
            let item = Some(Item::Shadow(*value));
            let what = format!("the shadow of {}", words::name_inst(subject, *value));
            Note { what, ..note(subject, *value, Fate::Recorded, item, &decision.reason) }
        })
        .collect()
}

fn note_restored(subject: &Subject) -> Vec<Note> {
    let stores = subject.plan.restored.iter();
    let reason = "what it overwrites is saved and put back, so that it can be read there again";
    stores.map(|store| note(subject, *store, Fate::Restored, Some(Item::Old(*store)), reason)).collect()
}

fn note_edges(subject: &Subject) -> Vec<Note> {
    let mut notes = Vec::new();
    for (block, decision) in &subject.plan.merges {
        if !matches!(decision.choice, Merge::Record { .. }) {
            continue;
        }
        let Some(at) = place_of_merge(subject, *block) else { continue };
        let bytes = if subject.plan.records_edge(*block) { 4 } else { 0 };
        let reason = format!("which way control came is recorded: {}", decision.reason);
        let found = note(subject, at, Fate::Edge, None, &reason);
        notes.push(Note { bytes, what: "the way that control took".into(), ..found });
    }
    notes
}

/// What is recorded of an inner loop whenever it is entered: how often it ran before, and where its array lay.
fn note_runs(subject: &Subject) -> Vec<Note> {
    let mut notes = Vec::new();
    for item in subject.plan.records.values().flatten() {
        let (header, what) = match item {
            Item::Counter { header } => (header, "how often the loop ran"),
            Item::Array { header } => (header, "where the records of the loop lie"),
            Item::Value(_) | Item::Old(_) | Item::Shadow(_) | Item::Edge => continue,
        };
        let Some(at) = subject.function.terminator(*header) else { continue };
        let found =
            note(subject, at, Fate::Recorded, Some(*item), "recorded whenever the loop is entered again");
        notes.push(Note { what: what.into(), ..found });
    }
    notes
}

/// The values whose derivative is a sum over factors, and what that spares.
fn note_preaccumulated(subject: &Subject) -> Vec<Note> {
    let Some(local) = &subject.plan.local else { return Vec::new() };
    let (without, with) = local.prices;
    let describe = |end: &ValueId| {
        let terms = local.attached.terms(*end).len();
        let number = subject.function.number_of(*end);
        let plural = if terms == 1 { "" } else { "s" };
        let reason = format!(
            "its derivative is taken from {terms} value{plural} at once, by a local Jacobian; by the estimate the function \
             records {} bytes and not {}, and takes {} and not {}",
            with.bytes, without.bytes, with.time, without.time
        );
        note(subject, number, Fate::Preaccumulated, None, &reason)
    };
    local.attached.ends.iter().map(describe).collect()
}

/// Where the ways part that meet in a block.
pub fn place_of_merge(subject: &Subject, block: BlockId) -> Option<ValueId> {
    let function: &Function = subject.function;
    if block == EXIT {
        return function.inst_ids().find(|id| function.inst(*id).is_some_and(|inst| inst.op == Op::Ret));
    }
    let above = subject.flow.immediate_dominator(block).and_then(|above| function.terminator(above));
    above.or_else(|| function.block(block).insts.first().copied())
}
