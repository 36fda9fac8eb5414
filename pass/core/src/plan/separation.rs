//! Parameters that may overlap, and mostly do not: a test on entry, and a version of the derivative for each answer.
//!
//! Without `restrict` a store through one parameter may overwrite what was read through another, so what was read has
//! to be recorded. The bytes that a call accesses behind a parameter are known on entry where addresses are functions of
//! the loops around them; where they are apart, nothing of that needs recording.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::activity::Activity;
use crate::analyses::pointers::Base;
use crate::model::{CastOp, Function, Layout, Op, Operand, Scev, ValueId};

/// What is accessed behind each parameter that the test compares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Separation {
    pub extents: BTreeMap<ValueId, Extent>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Instructions, with their addresses and how many bytes they access.
    pub accesses: Vec<(ValueId, Scev, u64)>,
    pub written: bool,
}

/// More accesses than these are not worth a test on entry.
const MOST_ACCESSES: usize = 16;
const MOST_PARAMS: usize = 6;

pub fn plan_separation(function: &Function, activity: &Activity, layout: &Layout) -> Option<Separation> {
    let mut extents: BTreeMap<ValueId, Extent> = BTreeMap::new();
    let mut lost: BTreeSet<ValueId> = BTreeSet::new();
    for id in function.inst_ids() {
        let Some(inst) = function.inst(id) else { continue };
        let (pointer, written) = match &inst.op {
            Op::Load(_) => (&inst.operands[0], false),
            Op::Store(_) => (&inst.operands[1], true),
            // Addresses lead nowhere; comparing them tells nothing of what lies there.
            Op::Gep(_)
            | Op::Phi { .. }
            | Op::Select
            | Op::ICmp(_)
            | Op::Freeze
            | Op::Cast(CastOp::BitCast) => continue,
            _ => {
                lost.extend(inst.operands.iter().flat_map(|x| params_of(activity, x)));
                continue;
            }
        };
        if let Op::Store(_) = inst.op {
            lost.extend(params_of(activity, &inst.operands[0]));
        }
        let bases = activity.bases(pointer);
        let found = params_of(activity, pointer);
        let size = function.accessed_type(inst).and_then(|ty| layout.size_of(&ty));
        let address = function.memory.get(&id).and_then(|fact| fact.address.clone());
        match (found.as_slice(), size, address) {
            ([], ..) => {}
            ([only], Some(size), Some(address)) if bases.len() == 1 && is_known(function, &address) => {
                let extent = extents.entry(*only).or_default();
                extent.written |= written;
                extent.accesses.push((id, address, size));
            }
            _ => lost.extend(found),
        }
    }
    extents.retain(|param, extent| !lost.contains(param) && distinct(extent) <= MOST_ACCESSES);
    let written = extents.values().any(|extent| extent.written);
    (written && (2..=MOST_PARAMS).contains(&extents.len())).then_some(Separation { extents })
}

fn params_of(activity: &Activity, pointer: &Operand) -> Vec<ValueId> {
    let param = |base| if let Base::Param(id) = base { Some(id) } else { None };
    activity.bases(pointer).into_iter().filter_map(param).collect()
}

fn distinct(extent: &Extent) -> usize {
    let mut seen: Vec<(&Scev, u64)> = Vec::new();
    for (_, address, bytes) in &extent.accesses {
        if !seen.contains(&(address, *bytes)) {
            seen.push((address, *bytes));
        }
    }
    seen.len()
}

/// Whether the range of an address can be computed on entry.
fn is_known(function: &Function, address: &Scev) -> bool {
    let known = |scev: &Scev| is_known(function, scev);
    match address {
        Scev::Const { .. } => true,
        Scev::Value(Operand::Value(value)) => function.inst(*value).is_none(),
        Scev::Value(Operand::Const(_)) => false,
        Scev::Add(_, terms) | Scev::Mul(_, terms) | Scev::SMax(terms) | Scev::SMin(terms) => {
            terms.iter().all(known)
        }
        Scev::UMax(terms) | Scev::UMin(terms) => terms.iter().all(known),
        Scev::Rec { start, step, of, .. } => {
            let turns = function.loops.get(of.0 as usize).and_then(|known| known.back_edges.as_ref());
            known(start) && known(step) && turns.is_some_and(known)
        }
        Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) => known(x),
        Scev::UDiv(..) | Scev::PtrToInt(..) | Scev::Unknown => false,
    }
}

impl Separation {
    /// The same of the same function with other numbers. Addresses are told in terms of parameters, which keep theirs.
    pub fn renumbered(&self, number: &dyn Fn(ValueId) -> ValueId) -> Separation {
        let mut renumbered = self.clone();
        for (id, ..) in renumbered.extents.values_mut().flat_map(|extent| &mut extent.accesses) {
            *id = number(*id);
        }
        renumbered
    }

    /// The parameters that are apart where the test holds.
    pub fn params(&self) -> BTreeSet<ValueId> {
        self.extents.keys().copied().collect()
    }
}
