//! Which numbers that the caller hands over keep stores away from what was read before in the same memory?
//!
//! Only loads are asked about that would have to be recorded otherwise, and of these only such as all later stores can
//! be kept away from. Functions that are too large, or have too many such pairs, are left as they are.

use std::collections::BTreeSet;

use super::separation::{Parting, Separation};
use crate::analyses::activity::Activity;
use crate::analyses::flow::Flow;
use crate::analyses::later::Later;
use crate::dependence::guarded::Either;
use crate::dependence::overwriting::Overwriting;
use crate::model::{Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::Rules;

const MOST_PAIRS: usize = 64;
const MOST_CLAUSES: usize = 12;
const LARGEST: usize = 5_000;

/// What a test on entry may ask beside what is apart as a whole.
pub fn find_partings(
    function: &Function,
    program: &Program,
    rules: &Rules,
    activity: &Activity,
    separation: &Separation,
) -> Vec<Parting> {
    let asked = |id: &ValueId| function.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Load(_)));
    if function.insts.len() > LARGEST || function.loops.is_empty() {
        return Vec::new();
    }
    let flow = Flow::of(function);
    let bases = |pointer: &Operand| activity.bases(pointer);
    let put_off = |inst: &Inst| activity.frees_later(inst);
    let apart = separation.found();
    let later = Later::of(function, &flow, program, rules, &bases, &put_off, &apart);
    let mut overwriting = None;
    let (mut pairs, mut clauses, mut found) = (0, BTreeSet::new(), Vec::new());
    for load in function.inst_ids().filter(asked).filter(|load| !later.lasts(*load)) {
        let stores = later.overwrites(load);
        pairs += stores.len();
        if stores.is_empty() || pairs > MOST_PAIRS {
            continue;
        }
        let test = overwriting.get_or_insert_with(|| Overwriting::of(function, program));
        let part = |store: &ValueId| {
            let clauses = test.find_clauses(load, *store)?;
            Some(Parting { load, store: *store, clauses })
        };
        let Some(partings) = stores.iter().map(part).collect::<Option<Vec<Parting>>>() else { continue };
        let more: BTreeSet<Either> = partings.iter().flat_map(|parting| &parting.clauses).cloned().collect();
        let all: BTreeSet<Either> = clauses.union(&more).cloned().collect();
        if all.len() <= MOST_CLAUSES {
            clauses = all;
            found.extend(partings);
        }
    }
    // What needs no condition at all is nothing to part from another version by.
    if clauses.is_empty() { Vec::new() } else { found }
}
