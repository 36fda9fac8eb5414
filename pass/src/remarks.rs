//! What `backsweep explain` tells, as LLVM's remarks: `-Rpass=backsweep`, `-Rpass-missed=backsweep`,
//! `-Rpass-analysis=backsweep`, and the record that `-fsave-optimization-record` writes.
//!
//! Passed: loops that record nothing. Missed: loops that record, and what stands in the way, with what removes it. Analysis:
//! what iterations need of each other.

use backsweep_core::explain::{Laid, LoopNote, Obstacle, ObstacleKind, Report, Retrace, explain, name_kind};
use backsweep_core::model::ValueId;
use backsweep_core::plan::Variant;
use backsweep_core::rules::Rules;

use crate::extract::Extraction;
use crate::llvm::{Value, c_string, llvm, shim};

/// As in `shim.h`.
#[derive(Clone, Copy)]
enum Kind {
    Passed = 0,
    Missed = 1,
    Analysis = 2,
}

/// Tells the plans of one request, where somebody asked for remarks. `function` is the one that the user wrote.
pub fn remark_plans(function: Value, extraction: &Extraction, rules: &Rules, variants: &[Variant]) {
    if function.is_declaration() || !llvm!(shim::bs_shim_wants_remarks(function.0)) {
        return;
    }
    for report in explain(&extraction.program, rules, variants).iter().filter(|report| report.is_usual()) {
        let remarks = Remarks { function, extraction, report };
        report.loops.iter().for_each(|of| remarks.tell_loop(of));
        report.obstacles.iter().for_each(|found| remarks.tell_obstacle(found));
    }
}

struct Remarks<'a> {
    function: Value,
    extraction: &'a Extraction,
    report: &'a Report<'a>,
}

impl Remarks<'_> {
    fn tell_loop(&self, of: &LoopNote) {
        let retrace = match of.retrace {
            Retrace::Counted => "its passes are counted",
            Retrace::Recorded => "the way into each iteration is recorded",
            Retrace::None => return,
        };
        let mode = self.report.mode;
        let ways: String = of.ways.iter().map(|way| format!("; it {way}")).collect();
        match of.laid {
            Laid::Nowhere => {
                let message = format!("{mode}: the loop is reversed and records nothing; {retrace}{ways}");
                self.tell(Kind::Passed, "LoopReversed", of.at, &message);
            }
            Laid::Array | Laid::Stack => {
                let place = if of.laid == Laid::Array { "in one array" } else { "on the tape" };
                let bytes = of.bytes;
                let message =
                    format!("{mode}: each iteration records up to {bytes} bytes {place}; {retrace}{ways}");
                self.tell(Kind::Missed, "LoopRecords", of.at, &message);
            }
        }
    }

    fn tell_obstacle(&self, found: &Obstacle) {
        let remedy = found.remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        let message = format!("{}: {}{remedy}", self.report.mode, found.text);
        // What crosses iterations is about the loop, and an inner loop may say the same of the same instruction.
        let of = self.report.loops.iter().find(|known| Some(known.of) == found.of);
        let (kind, at) = match (found.kind, of) {
            (ObstacleKind::Crossing, Some(of)) => (Kind::Analysis, of.at),
            _ => (Kind::Missed, Some(found.at)),
        };
        let mut name = name_kind(found.kind).to_string();
        name[..1].make_ascii_uppercase();
        self.tell(kind, &name, at, &message);
    }

    fn tell(&self, kind: Kind, name: &str, at: Option<ValueId>, message: &str) {
        let index = self.extraction.index.function(&self.report.function.name);
        let at = at.filter(|at| self.report.function.inst(*at).is_some());
        let at = at.and_then(|at| self.report.written(at));
        let instruction = match (index, at) {
            (Some(index), Some(at)) => index.value(at).0,
            _ => std::ptr::null_mut(),
        };
        let (name, message) = (c_string(name), c_string(message));
        llvm!(shim::bs_shim_remark(
            kind as u32,
            name.as_ptr(),
            self.function.0,
            instruction,
            message.as_ptr()
        ));
    }
}
