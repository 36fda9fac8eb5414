//! The facts of the adjoint analyses as text: stable, one instruction a line, each with its fact behind a semicolon.
//!
//! ```text
//! liveness of @f: keeps the memory of %0
//! ^1: ; live %0, %2, [%5]
//!   %5: double = load %4 ; live
//! ```
//!
//! `%5` is a value, `[%5]` the memory that `%5` reads, or writes; `[%5]-` the same in other iterations of the innermost
//! loop around it too, `[%5]--` of the loop around that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write};

use super::study::{Facts, Setting, Study};
use crate::analyses::bits::Bits;
use crate::analyses::memory::address::Span;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::element::Element;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::pointers::Base;
use crate::model::{BlockId, Inst, LoopId, Op, Type, ValueId};

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Activity,
    Liveness,
    Recorded,
    Write,
}

impl Topic {
    /// By the name of its printing pass.
    pub fn of(name: &str) -> Option<Topic> {
        match name {
            "activity" => Some(Topic::Activity),
            "liveness" => Some(Topic::Liveness),
            "tbr" => Some(Topic::Recorded),
            "write" => Some(Topic::Write),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Topic::Activity => "activity",
            Topic::Liveness => "liveness",
            Topic::Recorded => "tbr",
            Topic::Write => "write",
        }
    }
}

/// The facts of a function in its setting, then those of the functions it calls in theirs.
pub fn describe_facts(
    study: &Study,
    name: &str,
    setting: &Setting,
    fused: &BTreeSet<LoopId>,
    topic: Topic,
) -> String {
    let mut text = String::new();
    let mut told = BTreeSet::new();
    let mut waiting = vec![(name.to_owned(), setting.clone())];
    while let Some((name, setting)) = waiting.pop() {
        if !told.insert((name.clone(), setting.clone())) {
            continue;
        }
        let none = BTreeSet::new();
        let fused = if told.len() == 1 { fused } else { &none };
        let page = study.facts(&name, &setting, fused, &mut |facts| {
            waiting.extend(study.settings_of_calls(facts).into_iter().rev());
            Page { facts, setting: &setting, topic }.to_string()
        });
        text += &page.unwrap_or_default();
    }
    text
}

struct Page<'p, 'b, 'a> {
    facts: &'p Facts<'b, 'a>,
    setting: &'p Setting,
    topic: Topic,
}

impl Display for Page<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.facts.body;
        writeln!(f, "{} of @{}: {}", self.topic.name(), body.function.name, self.describe_setting())?;
        for (id, inst) in body.insts().filter(|_| self.topic == Topic::Write) {
            self.write_snapshot(f, id, inst)?;
        }
        for block in body.blocks() {
            self.write_block(f, block)?;
        }
        match self.topic {
            Topic::Activity | Topic::Recorded => Ok(()),
            Topic::Liveness => {
                writeln!(f, "needs on entry: {}", self.places(&self.facts.live.at_entry(), Kind::Read))
            }
            Topic::Write => {
                let places = self.places(&self.facts.written.at_entry(), Kind::Write);
                writeln!(f, "leaves overwritten: {places}")
            }
        }
    }
}

impl Page<'_, '_, '_> {
    fn describe_setting(&self) -> String {
        let Setting { inputs, outputs, kept } = self.setting;
        let list = |values: &BTreeSet<ValueId>, memory: &BTreeSet<Base>, result: bool| {
            let values = values.iter().map(ValueId::to_string);
            let memory = memory.iter().map(describe_base);
            let all: Vec<String> = values.chain(memory).chain(result.then(|| "the result".into())).collect();
            if all.is_empty() { "nothing".into() } else { all.join(", ") }
        };
        let none = BTreeSet::new();
        match self.topic {
            Topic::Activity => format!(
                "from {} to {}",
                list(&inputs.values, &inputs.memory, false),
                list(&none, &outputs.memory, outputs.result)
            ),
            Topic::Liveness | Topic::Recorded | Topic::Write => {
                format!("keeps {}", list(&none, &kept.memory, kept.result))
            }
        }
    }

    /// The state at the entry of the block, then one line for each instruction.
    fn write_block(&self, f: &mut fmt::Formatter<'_>, block: BlockId) -> fmt::Result {
        let mut lines = String::new();
        let mut entry = None;
        let mut line = |id: ValueId, inst: &Inst, before: &Bits| {
            entry.get_or_insert_with(|| self.elements(before));
            let fact = self.fact(id, inst);
            let function = self.facts.body.function;
            let end = if fact.is_empty() { String::new() } else { format!(" ; {fact}") };
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "  {}{end}", function.line(id));
        };
        let facts = self.facts;
        let word = match self.topic {
            Topic::Activity => {
                facts.active.varied.replay(block, &mut |id, inst, before, _| line(id, inst, before));
                "varied"
            }
            Topic::Liveness => {
                facts.live.replay(block, &mut |id, inst, before, _| line(id, inst, before));
                "live"
            }
            Topic::Recorded => {
                facts.recorded.replay(block, &mut |id, inst, before, _| line(id, inst, before));
                "used"
            }
            Topic::Write => {
                facts.written.replay(block, &mut |id, inst, before, _| line(id, inst, before));
                "overwritten"
            }
        };
        writeln!(f, "{block}: ; {word} {}", entry.unwrap_or_else(|| "nothing".into()))?;
        f.write_str(&lines)
    }

    fn fact(&self, id: ValueId, inst: &Inst) -> String {
        let silent = matches!(inst.op, Op::Br { .. } | Op::Unreachable)
            || (self.topic != Topic::Liveness && inst.op.is_terminator());
        if silent {
            return String::new();
        }
        match self.topic {
            Topic::Activity => self.activity(id, inst),
            Topic::Liveness => if self.facts.live.is_live(id) { "live" } else { "dead" }.into(),
            Topic::Recorded => self.recording(id),
            Topic::Write => self.writing(id),
        }
    }

    fn activity(&self, id: ValueId, inst: &Inst) -> String {
        let active = self.facts.active;
        let (varied, useful) = (active.varied.is_varied(id), active.useful.is_useful(id));
        let stores = self.facts.body.touches_of(id, Kind::Write).next().is_some();
        match (active.is_active(id), varied, useful) {
            (true, ..) => "active".into(),
            _ if inst.ty == Type::Void && stores && active.has_adjoint(id) => "active".into(),
            (_, true, _) => "varied".into(),
            (_, _, true) => "useful".into(),
            _ => "inactive".into(),
        }
    }

    fn recording(&self, id: ValueId) -> String {
        let facts = self.facts;
        let mut parts = Vec::new();
        if facts.uses.has_adjoint(id) {
            let own = facts.uses.reads_result(id).then(|| "its result".to_string());
            let others = facts.recorded.reads_of(id).map(|element| self.element(element));
            let reads: Vec<String> = others.chain(own).collect();
            parts.push(if reads.is_empty() {
                "reads nothing".into()
            } else {
                format!("reads {}", reads.join(", "))
            });
        }
        if !facts.live.is_live(id) && facts.recorded.saved(id).is_none() {
            parts.push("does not run".into());
        } else if let Some(saved) = facts.recorded.saved(id) {
            if saved.value {
                parts.push("saves its last value".into());
            }
            if !saved.memory.is_empty() {
                parts.push("saves memory".into());
            }
        } else {
            parts.push("saves nothing".into());
        }
        parts.join(", ")
    }

    fn writing(&self, id: ValueId) -> String {
        let facts = self.facts;
        let writes: Vec<TouchId> = facts.body.touches_of(id, Kind::Write).collect();
        if writes.is_empty() {
            return String::new();
        }
        let live = facts.live.is_live(id);
        if !live && facts.uses.overwrites(id).next().is_none() {
            return if facts.uses.reruns(id) { "overwrites nothing" } else { "does not run" }.into();
        }
        let restored = writes.iter().all(|write| facts.recorded.is_restored(*write));
        if restored { "restored".into() } else { "overwrites".into() }
    }

    fn write_snapshot(&self, f: &mut fmt::Formatter<'_>, id: ValueId, inst: &Inst) -> fmt::Result {
        if !self.facts.uses.reruns(id) {
            return Ok(());
        }
        let touches = self.facts.written.snapshot(id);
        let places: BTreeSet<String> =
            touches.iter().map(|touch| describe_place(self.facts.body, *touch)).collect();
        let name = inst.callee_name().unwrap_or("?");
        writeln!(f, "snapshot for {id} @{name}: {}", join(places))
    }

    fn elements(&self, state: &Bits) -> String {
        let body = self.facts.body;
        let mut found: BTreeMap<Element, usize> = BTreeMap::new();
        for bit in state.iter() {
            // Of one touch the earliest iterations stand for the later ones as well.
            match body.elements.element(bit) {
                Element::Touch(touch, level) => drop(found.entry(Element::Touch(touch, 0)).or_insert(level)),
                value => drop(found.insert(value, 0)),
            }
        }
        let mut names: Vec<String> = Vec::new();
        for (element, level) in found {
            let name = match element {
                Element::Touch(touch, _) => self.element(Element::Touch(touch, level)),
                value => self.element(value),
            };
            // Callers' touches of one place have one name.
            if !names.contains(&name) {
                names.push(name);
            }
        }
        join(names)
    }

    fn element(&self, element: Element) -> String {
        let body = self.facts.body;
        match element {
            Element::Value(id) => id.to_string(),
            Element::Touch(touch, level) => {
                let found = body.touch(touch);
                let top = body.elements.levels(touch).len() - 1;
                let earlier = "-".repeat(top - level);
                match found.inst() {
                    Some(id) => format!("[{id}]{earlier}"),
                    None => format!("[{}]", describe_place(body, touch)),
                }
            }
        }
    }

    /// Values and memory of callers, by what they are.
    fn places(&self, state: &Bits, kind: Kind) -> String {
        let body = self.facts.body;
        let mut all = BTreeSet::new();
        for bit in state.iter() {
            match body.elements.element(bit) {
                Element::Value(id) => drop(all.insert(id.to_string())),
                Element::Touch(touch, _) if body.touch(touch).kind == kind => {
                    all.insert(describe_place(body, touch));
                }
                Element::Touch(..) => {}
            }
        }
        join(all)
    }
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

fn describe_place(body: &Body, touch: TouchId) -> String {
    let touch = body.touch(touch);
    let bases: Vec<String> = touch.bases.iter().map(describe_base).collect();
    format!("{}{}", bases.join(" or "), describe_span(&touch.span))
}

pub fn describe_base(base: &Base) -> String {
    match base {
        Base::Param(id) => format!("*{id}"),
        Base::Stack(id) => format!("slot {id}"),
        Base::Heap(id) => format!("block {id}"),
        Base::Global(name) => format!("@{name}"),
        Base::Loaded(id) | Base::Returned(id) => format!("*{id}"),
        Base::Null => "*null".into(),
        Base::Unknown => "*unknown".into(),
    }
}

fn describe_span(span: &Span) -> String {
    match (span.stride, span.bytes) {
        (1, _) | (_, None) => String::new(),
        (0, Some(_)) => format!("+{}", span.offset),
        (stride, Some(_)) => {
            let offset = span.offset.rem_euclid(i128::try_from(stride).unwrap_or(1));
            format!("+{offset} mod {stride}")
        }
    }
}
