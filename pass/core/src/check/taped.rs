//! Records of a derivative on the tape, where that derivative is differentiated: memory that pushes make and pops find again.

use std::collections::BTreeSet;

use super::places::Place;
use crate::model::{Function, Inst, ValueId};

pub const PUSH: &str = "backsweep.push";
pub const POP: &str = "backsweep.pop";

pub fn is_record(inst: &Inst) -> bool {
    matches!(inst.callee_name(), Some(PUSH | POP))
}

/// The mark that both sides of a record bear.
fn mark_of(inst: &Inst) -> Option<&str> {
    let is_mark = |text: &&String| text.contains("backsweep-record.");
    inst.op.call()?.attributes.iter().find(is_mark).map(|text| text.trim_matches('"'))
}

/// All sides of the record that a push or pop is one of; none where nobody can tell.
pub fn sides_of(function: &Function, inst: &Inst) -> Vec<ValueId> {
    let Some(mark) = mark_of(inst) else { return Vec::new() };
    let same = |other: &Inst| is_record(other) && mark_of(other) == Some(mark);
    function.inst_ids().filter(|id| function.inst(*id).is_some_and(same)).collect()
}

/// The memory a record lies in: what its pushes make.
pub fn laid_by(function: &Function, inst: &Inst) -> BTreeSet<Place> {
    let sides = sides_of(function, inst).into_iter();
    let pushes = sides.filter(|id| function.inst(*id).and_then(Inst::callee_name) == Some(PUSH));
    let laid: BTreeSet<Place> = pushes.map(Place::Made).collect();
    if laid.is_empty() { BTreeSet::from([Place::Outside]) } else { laid }
}
