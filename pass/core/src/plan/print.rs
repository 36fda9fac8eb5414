//! The plan as text: stable, one decision a line, each with its reason.

use std::fmt;

use super::joint::describe_place;
use super::separation::describe_clauses;
use super::{
    Arrival, EXIT, Fetch, GlobalShadow, Item, LeadsTo, Merge, Order, Plan, PointerIn, Slot, Storage, Told,
};
use crate::analyses::custom::CustomCall;
use crate::analyses::pointers::Base;
use crate::config::Switch;
use crate::model::{BlockId, ValueId};
use crate::request::Part;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan {}", self.request)?;
        let params: Vec<String> = self.params.iter().map(Slot::to_string).collect();
        writeln!(f, "  takes {}", if params.is_empty() { "nothing".into() } else { params.join(", ") })?;
        let results: Vec<String> = self.results.iter().map(|part| describe_part(*part)).collect();
        writeln!(f, "  returns {}", if results.is_empty() { "nothing".into() } else { results.join(", ") })?;
        if self.abreast == Switch::On {
            writeln!(f, "  computes the tangents in all directions at once")?;
        }
        if let Some(local) = &self.local {
            write!(f, "{local}")?;
        }
        for value in self.activity.values() {
            writeln!(f, "  %{}: active, {}", value.0, self.activity.reason(value))?;
        }
        for base in self.activity.memory() {
            writeln!(f, "  memory {}: active", describe_base(base))?;
        }
        for (global, decision) in &self.globals {
            writeln!(f, "  shadow of @{global}: {}, {}", describe_global(&decision.choice), decision.reason)?;
        }
        for PointerIn { global, offset, leads_to } in &self.pointers_in {
            writeln!(f, "  pointer at byte {offset} of @{global}: {}", describe_target(leads_to))?;
        }
        for (value, arrivals) in &self.arrivals {
            let arrivals: Vec<String> = arrivals.iter().map(describe_arrival).collect();
            writeln!(f, "  %{}: compared on arrival, {}", value.0, arrivals.join(", "))?;
        }
        for (value, decision) in &self.storage {
            writeln!(f, "  %{}: {}, {}", value.0, describe_storage(&decision.choice), decision.reason)?;
        }
        for (value, decision) in &self.shadows {
            writeln!(
                f,
                "  shadow of %{}: {}, {}",
                value.0,
                describe_storage(&decision.choice),
                decision.reason
            )?;
        }
        if !self.resident.is_empty() {
            writeln!(f, "  stays in memory: {}", self.resident)?;
        }
        for (value, decision) in &self.omitted {
            writeln!(
                f,
                "  %{}: left out of the forward sweep, {}; {}",
                value.0, decision.choice, decision.reason
            )?;
        }
        for store in &self.restored {
            writeln!(f, "  %{}: saves what it overwrites, which is put back on the way back", store.0)?;
        }
        for (store, told) in &self.left {
            let when = match told {
                Told::Each => "each time".into(),
                Told::Row { header, step, .. } => {
                    format!("behind {}, a row by {step} bytes", name_block(*header))
                }
            };
            writeln!(f, "  %{}: what it leaves is kept for the caller, told of {when}", store.0)?;
        }
        for (block, decision) in &self.merges {
            writeln!(
                f,
                "  {}: {}, {}",
                name_block(*block),
                describe_merge(&decision.choice),
                decision.reason
            )?;
        }
        for (header, rerun) in &self.reruns {
            let (loops, behind) = (name_block(*header), name_block(rerun.exit));
            let insts: Vec<String> = rerun.insts.iter().map(|id| format!("%{}", id.0)).collect();
            let sums: Vec<String> =
                rerun.sums.iter().map(|id| format!("; adds up %{} in any order", id.0)).collect();
            let (insts, sums) = (insts.join(", "), sums.concat());
            writeln!(f, "  {loops}: runs again in the reverse of {behind}, as far as {insts}{sums}")?;
        }
        for (header, recount) in &self.recounts {
            let (loops, behind) = (name_block(*header), name_block(recount.exit));
            let counters: Vec<String> = recount.counters.iter().map(|id| format!(", %{}", id.0)).collect();
            let order = match recount.order {
                Order::Backwards => "",
                Order::Forwards => "; its iterations are reversed in their own order",
            };
            writeln!(
                f,
                "  {loops}: passes counted anew on the way back from {behind}{}{order}",
                counters.concat()
            )?;
        }
        for (block, items) in &self.records {
            let items: Vec<String> = items.iter().map(describe_item).collect();
            writeln!(f, "  {}: records {}", name_block(*block), items.join(", "))?;
        }
        for (header, array) in &self.arrays {
            let blocks: Vec<String> = array.blocks.iter().copied().map(name_block).collect();
            let entry = name_block(array.entry);
            let place = if array.in_frame.is_some() { ", in the stack frame" } else { "" };
            writeln!(
                f,
                "  {}: an array of records of {}, laid in {entry}{place}",
                name_block(*header),
                blocks.join(", ")
            )?;
        }
        for (fetch, whose) in [(Fetch::WithBlock, ""), (Fetch::WithPass, ", for the pass")] {
            let items = self.fresh.iter().filter(|(_, known)| **known == fetch);
            let items: Vec<String> = items.map(|(item, _)| describe_item(item)).collect();
            if !items.is_empty() {
                writeln!(f, "  recorded as the block ends{whose}: {}", items.join(", "))?;
            }
        }
        for (header, rows) in &self.rows {
            for row in &rows.rows {
                let list = |ids: &mut dyn Iterator<Item = &crate::model::ValueId>| {
                    ids.map(|id| format!("%{}", id.0)).collect::<Vec<_>>().join(", ")
                };
                let (loops, first, step) = (name_block(*header), row.first.0, row.step);
                let (loads, leads) = (list(&mut row.loads.keys()), list(&mut row.leads.iter()));
                writeln!(
                    f,
                    "  {loops}: what {loads} read lies in a row from %{first} on, {step} bytes a pass, recorded by {leads}"
                )?;
            }
        }
        for (header, fused) in &self.fused {
            let list = |ids: &std::collections::BTreeSet<crate::model::ValueId>| {
                ids.iter().map(|id| format!("%{}", id.0)).collect::<Vec<_>>().join(", ")
            };
            let (loops, sums, early) = (name_block(*header), list(&fused.sums), list(&fused.early));
            writeln!(
                f,
                "  {loops}: each pass is reversed as soon as it has run; it sums up {sums}, whose adjoints come through {early}"
            )?;
        }
        for (header, idle) in &self.idle {
            let asked: Vec<String> = idle.asked.iter().map(|id| format!("%{}", id.0)).collect();
            let (loops, asked) = (name_block(*header), asked.join(", "));
            writeln!(f, "  {loops}: passed by on the way back where the adjoint of {asked} is zero")?;
        }
        for (value, room) in &self.rooms {
            let (loops, value, load) = (name_block(room.header), value.0, room.load.0);
            writeln!(f, "  {loops}: %{value} of each pass is kept in the shadow of what %{load} reads")?;
        }
        for (header, strip) in &self.strips {
            let list = |ids: &std::collections::BTreeSet<crate::model::ValueId>| {
                ids.iter().map(|id| format!("%{}", id.0)).collect::<Vec<_>>().join(", ")
            };
            writeln!(
                f,
                "  {}: in strips of {} passes where there are more than {}, each with {} as it begins; one runs again before it is reversed, as far as {}, if \
                 that computes, and reads what nothing overwrites",
                name_block(*header),
                strip.passes,
                strip.whole,
                list(&strip.state),
                list(&strip.insts)
            )?;
        }
        if let Some(joint) = &self.joint {
            writeln!(f, "  runs the function as it is, and its whole gradient on the way back")?;
            for place in &joint.places {
                writeln!(f, "  {}", describe_place(place))?;
            }
        }
        if self.gives_back() {
            writeln!(f, "  gives the tape back where an exception leaves it")?;
        }
        if self.gives_up().is_some() {
            writeln!(f, "  gives up the tape that it was handed where an exception leaves it")?;
        }
        let name = |param: ValueId| format!("%{}", param.0);
        let global = |global: &str| format!("@{global}");
        if let Some(guard) = &self.separation {
            writeln!(f, "  goes to another version where {}", guard.describe(&name, &global, "are apart"))?;
        }
        if let Some(guard) = &self.apart {
            writeln!(f, "  relies on {}", guard.describe(&name, &global, "being apart"))?;
            for parting in &guard.partings {
                let clauses = describe_clauses(parting.clauses.iter(), &name);
                writeln!(
                    f,
                    "    %{}: nothing stored at %{} overwrites it if {clauses}",
                    parting.load.0, parting.store.0
                )?;
            }
        }
        for (call, planned) in &self.calls {
            let ways = planned.custom.as_ref().map(describe_custom).unwrap_or_default();
            let joint = planned.joint.as_ref().map(|joint| &joint.reason);
            let asked: String =
                joint.into_iter().chain(&planned.uncontracted).map(|reason| format!("; {reason}")).collect();
            writeln!(f, "  %{}: calls {}{ways}{asked}", call.0, planned.request)?;
        }
        for (copy, spaced) in self.copies.iter().filter(|(_, spaced)| spaced.one_kind().is_none()) {
            let floats: Vec<String> = spaced.floats.iter().map(|(at, _)| at.to_string()).collect();
            let (copy, floats) = (copy.0, floats.join(", "));
            if spaced.sought {
                writeln!(
                    f,
                    "  %{copy}: copies words, of which those with a number in the shadow are floats"
                )?;
                continue;
            }
            if spaced.pointers {
                writeln!(f, "  %{copy}: copies pointers, and those to their shadows")?;
                continue;
            }
            if spaced.floats.is_empty() {
                writeln!(f, "  %{copy}: copies text")?;
                continue;
            }
            writeln!(f, "  %{copy}: copies structs of {} bytes with floats at {floats}", spaced.period)?;
        }
        let lasting = self.activity.lasting();
        for made in &lasting.made {
            writeln!(f, "  memory of %{}: lives until it is freed, with its shadow", made.0)?;
        }
        for kept in &lasting.kept {
            writeln!(f, "  what %{} leads to: freed when the reverse sweep is over", kept.0)?;
        }
        for freed in &lasting.freed {
            writeln!(f, "  %{}: frees when the reverse sweep is over", freed.0)?;
        }
        for listed in &lasting.listed {
            writeln!(f, "  memory of %{}: lives until the tape is done with, with its shadow", listed.0)?;
        }
        for slot in &self.slots {
            writeln!(f, "  shadow of slot %{}: on the tape", slot.0)?;
        }
        Ok(())
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Primal { param } => write!(f, "%{param}"),
            Slot::Shadow { param, lane } => write!(f, "shadow {lane} of %{param}"),
            Slot::Global { global, lane } => write!(f, "shadow {lane} of global {global}"),
            Slot::Seed { lane } => write!(f, "seed {lane}"),
            Slot::Tape => write!(f, "tape"),
        }
    }
}

fn describe_storage(storage: &Storage) -> String {
    match storage {
        Storage::Argument => "at hand".into(),
        Storage::Keep => "keep".into(),
        Storage::SaveOnOverwrite => "save on overwrite".into(),
        Storage::Recompute => "recompute".into(),
        Storage::Rerun => "run again".into(),
        Storage::Uncompute { header } => format!("take back what is added in {}", name_block(*header)),
        Storage::Invert { header, step } => format!("count back by {step} in {}", name_block(*header)),
    }
}

fn describe_global(shadow: &GlobalShadow) -> String {
    match shadow {
        GlobalShadow::Declared(name) => format!("@{name}"),
        GlobalShadow::Given => "given".into(),
        GlobalShadow::Itself => "itself".into(),
        GlobalShadow::Slot { bytes } => format!("a slot of {bytes} bytes"),
        GlobalShadow::Heap { bytes } => format!("{bytes} bytes of the heap"),
    }
}

fn describe_target(leads_to: &LeadsTo) -> String {
    match leads_to {
        LeadsTo::Place { global, bytes } => format!("leads to byte {bytes} of @{global}"),
        LeadsTo::Lookup => "looked up".into(),
        LeadsTo::Elements => "the elements there get a shadow".into(),
    }
}

fn describe_arrival(arrival: &Arrival) -> String {
    match arrival {
        Arrival::Belongs(global) => format!("with @{global}"),
        Arrival::Outside(global) => format!("outside @{global}"),
        Arrival::HasShadow => "has a shadow".into(),
        Arrival::Elements => "with arrays of modules".into(),
    }
}

fn describe_base(base: &Base) -> String {
    match base {
        Base::Param(value) => format!("behind parameter %{}", value.0),
        Base::Stack(value) => format!("of stack slot %{}", value.0),
        Base::Heap(value) => format!("allocated by %{}", value.0),
        Base::Global(name) => format!("of global @{name}"),
        Base::Loaded(value) => format!("behind the loaded pointer %{}", value.0),
        Base::Returned(value) => format!("behind the pointer that %{} returns", value.0),
        Base::Null => "at null".into(),
        Base::Unknown => "unknown".into(),
    }
}

fn describe_item(item: &Item) -> String {
    match item {
        Item::Value(value) => format!("%{}", value.0),
        Item::Old(store) => format!("what %{} overwrites", store.0),
        Item::Shadow(value) => format!("the shadow of %{}", value.0),
        Item::Edge => "the edge taken".into(),
        Item::Counter { header } => format!("the passes of {}", name_block(*header)),
        Item::Array { header } => format!("the array of {}", name_block(*header)),
    }
}

fn describe_part(part: Part) -> String {
    match part {
        Part::Tape => "tape".into(),
        Part::Primal => "primal".into(),
        Part::Shadow { lane } => format!("tangent {lane}"),
        Part::Gradient { param, lane } => format!("gradient {lane} of %{param}"),
    }
}

fn describe_merge(merge: &Merge) -> String {
    match merge {
        Merge::Reevaluate { at, from } => {
            let edges: Vec<String> =
                from.iter().map(|block| block.map_or("never".into(), name_block)).collect();
            format!("re-evaluate the branch of {} ({})", name_block(*at), edges.join(", "))
        }
        Merge::Count { entry, latch } => {
            format!("count passes (entered from {}, round from {})", name_block(*entry), name_block(*latch))
        }
        Merge::Record { predecessors } => {
            let blocks: Vec<String> = predecessors.iter().copied().map(name_block).collect();
            format!("record which of {}", blocks.join(", "))
        }
    }
}

fn describe_custom(custom: &CustomCall) -> String {
    match custom {
        CustomCall::Tangent(name) => format!(", by the rule @{name}"),
        CustomCall::Halves { augmented, reverse, tape, .. } => {
            let tape = tape.as_ref().map(|tape| format!(" with a tape of {tape}")).unwrap_or_default();
            format!(", by the rule @{augmented} and @{reverse}{tape}")
        }
    }
}

pub fn name_block(block: BlockId) -> String {
    if block == EXIT { "exit".into() } else { format!("^{}", block.0) }
}
