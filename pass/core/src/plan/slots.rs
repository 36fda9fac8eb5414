//! Stack slots whose shadows are found again after the function has returned.
//!
//! In split mode, and in functions that derivatives call, the slots of the first half are gone in the second. A slot
//! that is only accessed directly gets a fresh shadow there. One whose address is stored, passed on or kept has its
//! shadow on the tape, where both halves find the same.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decision, Storage};
use crate::analyses::activity::Activity;
use crate::analyses::pointers::Base;
use crate::model::{Function, Op, Operand, ValueId};
use crate::refusal::{Code, Refusal};
use crate::request::{Mode, Request};

pub fn plan_slots(
    function: &Function,
    request: &Request,
    activity: &Activity,
    shadows: &BTreeMap<ValueId, Decision<Storage>>,
) -> BTreeSet<ValueId> {
    if !matches!(request.mode, Mode::Augmented | Mode::Reverse) {
        return BTreeSet::new();
    }
    let mut leads: BTreeSet<Base> = BTreeSet::new();
    for id in function.inst_ids() {
        let Some(inst) = function.inst(id) else { continue };
        match inst.op {
            Op::Store(_) => leads.extend(activity.bases(&inst.operands[0])),
            _ if activity.is_call(id) => {
                leads.extend(inst.arguments().iter().flat_map(|x| activity.bases(x)))
            }
            _ => {}
        }
    }
    let kept = shadows
        .iter()
        .filter(|(_, decision)| matches!(decision.choice, Storage::Keep | Storage::SaveOnOverwrite));
    leads.extend(kept.flat_map(|(value, _)| activity.bases(&Operand::Value(*value))));
    let slot = |base: Base| match base {
        // What is made more than once has its shadows on the heap.
        Base::Stack(id) if activity.has_shadow(&base) && !activity.is_remade(id) => Some(id),
        _ => None,
    };
    leads.into_iter().filter_map(slot).collect()
}

/// A tape that is kept for another sweep would have to give these slots, and what is freed, back as they were.
pub fn refuse_kept_slots(
    function: &Function,
    request: &Request,
    activity: &Activity,
    slots: &BTreeSet<ValueId>,
) -> Option<Refusal> {
    let freed = activity.memory().find_map(|base| match base {
        Base::Heap(id) => Some(*id),
        Base::Stack(id) if activity.is_remade(*id) => Some(*id),
        _ => None,
    });
    let first = slots.first().copied().or(freed).filter(|_| request.keep_tape)?;
    let loc = function.inst(first).and_then(|inst| inst.loc).or(function.loc);
    let message = "the address of an active local variable is stored or kept, or active memory is made, which is not \
                   differentiated yet when the tape is used more than once (bs_nofree)";
    Some(Refusal::new(Code::ActiveMemory, message).at(loc))
}
