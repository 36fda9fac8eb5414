//! Active memory whose life does not end with the reverse of its allocation: others may find it, or free it.
//!
//! Function + activity → [`Lasting`]. The shadow of such memory lives as long as the memory does. What is freed of it in the
//! forward sweep is freed when the reverse sweep of the outermost derivative is over, since only then nobody looks at it any
//! more. Other active memory is freed where the reverse sweep reaches its allocation, if it surely comes there: where an
//! exception may leave before, or the second half of split mode may never be called, it is listed as it is made, and freed with
//! what was put off.
//! Safe error: more that lasts, which is freed later.

use std::collections::BTreeSet;

use super::activity::{Activity, Pass};
use super::exceptions::may_be_left;
use super::kept_memory::find_kept;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::Base;
use super::tape_records::put_off_by;
use crate::model::{Function, Inst, ValueId};
use crate::request::Mode;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasting {
    /// Allocations.
    pub made: BTreeSet<ValueId>,
    /// The calls that free such memory, or memory of others.
    pub freed: BTreeSet<ValueId>,
    /// Pointers to memory without a shadow that is freed only when the outermost derivative is over, see `kept_memory`.
    pub kept: BTreeSet<ValueId>,
    /// Whether a function that is called frees something.
    pub freed_by_callees: bool,
    /// Whether it is uncertain that the reverse sweep is reached.
    pub reverse_may_not_come: bool,
    /// Then: allocations that nobody else finds, and slots that are made again, of which the shadows are on the heap.
    pub listed: BTreeSet<ValueId>,
}

impl Lasting {
    /// Whether such memory ends, with its shadow, where the reverse sweep reaches its allocation.
    pub fn ends_in_reverse(&self, made: ValueId) -> bool {
        !self.made.contains(&made) && !self.listed.contains(&made)
    }

    /// Whether something is freed only when the outermost derivative is over.
    pub fn puts_off(&self) -> bool {
        self.freed_by_callees || !self.freed.is_empty() || !self.kept.is_empty()
    }
}

pub(super) fn find_lasting(pass: &Pass, activity: &Activity) -> Lasting {
    let mut lasting = find_put_off(pass.function, activity);
    lasting.reverse_may_not_come = match pass.request.mode {
        Mode::Tangent => false,
        Mode::Gradient => may_be_left(pass.function, pass.program, pass.rules),
        Mode::Augmented | Mode::Reverse => true,
    };
    lasting.kept = find_kept(pass, activity);
    let own = |base: &Base| match base {
        Base::Heap(id) => activity.has_shadow(base) && !lasting.made.contains(id),
        Base::Stack(id) => activity.is_remade(*id),
        _ => false,
    };
    if lasting.reverse_may_not_come {
        lasting.listed = activity.memory().filter(|base| own(base)).filter_map(Base::made_by).collect();
    }
    lasting
}

fn find_put_off(function: &Function, activity: &Activity) -> Lasting {
    let heap = |base: &Base| match base {
        Base::Heap(id) if activity.has_shadow(base) => Some(*id),
        _ => None,
    };
    let mut lasting = Lasting::default();
    lasting.made.extend(activity.memory().filter_map(heap).filter(|id| activity.leaves(*id)));
    // What a callee finds through a global has left this function's hands, so it is among the first.
    for (call, _) in activity.calls.iter().filter(|(_, effect)| effect.frees) {
        lasting.freed_by_callees = true;
        let given = function.inst(*call).into_iter().flat_map(Inst::arguments);
        let given = given.flat_map(|argument| activity.bases(argument)).collect();
        lasting.made.extend(activity.reached_from(&given).iter().filter_map(heap));
    }
    // A derivative that is differentiated lets others find what it puts off until it is over.
    let insts = function.inst_ids().filter_map(|id| function.inst(id));
    let put_off = insts.flat_map(put_off_by).flat_map(|pointer| activity.allocations(pointer));
    lasting.made.extend(put_off.filter_map(|base| heap(&base)));
    let frees: Vec<(ValueId, BTreeSet<Base>)> = function
        .inst_ids()
        .filter_map(|id| Some((id, function.inst(id)?)))
        .filter(|(_, inst)| matches!(memory_call(inst), Some(MemoryCall::Free { .. })))
        .filter(|(_, inst)| activity.is_shadowed(&inst.operands[0]))
        .map(|(id, inst)| (id, activity.allocations(&inst.operands[0])))
        .collect();
    loop {
        let before = (lasting.made.len(), lasting.freed.len());
        for (free, behind) in &frees {
            let lasts = |base: &Base| {
                *base == Base::Unknown || heap(base).is_some_and(|id| lasting.made.contains(&id))
            };
            if behind.iter().any(lasts) {
                lasting.freed.insert(*free);
                lasting.made.extend(behind.iter().filter_map(heap));
            }
        }
        if (lasting.made.len(), lasting.freed.len()) == before {
            return lasting;
        }
    }
}
