//! Addresses that say of themselves that they stay in bounds, and would not if they were made from a stack slot's: each way from the slot to
//! them is walked by itself, and all its steps are constant. None that is made from such an address leads back.
//!
//! Safe error: an address may lie in the slot.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::model::{Constant, Flags, Function, Inst, Op, Operand, Stride, ValueId};

/// To more distances than these from a slot a pointer may lead anywhere.
const MOST_DISTANCES: usize = 8;

/// How far from a slot each pointer leads that was made from it; nothing where that is not known.
type Distances = BTreeMap<ValueId, Option<BTreeSet<i128>>>;

/// For each slot the addresses that do not lie in it.
#[derive(Default)]
pub struct OutOfSlots(BTreeSet<(ValueId, ValueId)>);

impl OutOfSlots {
    pub fn of(function: &Function) -> OutOfSlots {
        let (mut out, users) = (BTreeSet::new(), users_in(function));
        for slot in function.inst_ids() {
            let Some(bytes) = function.inst(slot).and_then(size_of_slot) else { continue };
            let distances = walk_from(slot, function, &users);
            let inside = distances.iter().filter(|(_, known)| may_be_within(bytes, known.as_ref()));
            let lead_back = whom_these_are_made_of(inside.map(|(id, _)| *id).collect(), function);
            let stays = |id: ValueId| function.inst(id).is_some_and(|inst| inst.flags.has(Flags::INBOUNDS));
            let outside = distances.keys().filter(|id| stays(**id) && !lead_back.contains(id));
            out.extend(outside.map(|address| (slot, *address)));
        }
        OutOfSlots(out)
    }

    pub fn contains(&self, slot: ValueId, address: ValueId) -> bool {
        self.0.contains(&(slot, address))
    }
}

/// Whether one of the distances is not behind the end.
fn may_be_within(bytes: i128, distances: Option<&BTreeSet<i128>>) -> bool {
    distances.is_none_or(|distances| distances.iter().any(|at| *at <= bytes))
}

/// These and all that were used to make them, but for addresses from which they were read.
fn whom_these_are_made_of(mut waiting: Vec<ValueId>, function: &Function) -> BTreeSet<ValueId> {
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let inst = function.inst(id).filter(|inst| !matches!(inst.op, Op::Load(_)));
        if found.insert(id) {
            waiting.extend(inst.into_iter().flat_map(|inst| &inst.operands).filter_map(Operand::value));
        }
    }
    found
}

fn size_of_slot(inst: &Inst) -> Option<i128> {
    match (&inst.op, &inst.operands.first()?) {
        (Op::Alloca(alloca), Operand::Const(Constant::Int { value, .. })) => {
            i128::try_from(*value).ok()?.checked_mul(i128::from(alloca.bytes))
        }
        _ => None,
    }
}

/// Who makes a pointer of each value. One that is found in memory leads elsewhere.
fn users_in(function: &Function) -> HashMap<ValueId, Vec<ValueId>> {
    let mut users: HashMap<ValueId, Vec<ValueId>> = HashMap::new();
    for id in function.inst_ids().filter(|id| function.value_type(*id).holds_pointer()) {
        let inst = function.inst(id).filter(|inst| !matches!(inst.op, Op::Load(_)));
        for used in inst.into_iter().flat_map(|inst| &inst.operands).filter_map(Operand::value) {
            users.entry(used).or_default().push(id);
        }
    }
    users
}

fn walk_from(slot: ValueId, function: &Function, users: &HashMap<ValueId, Vec<ValueId>>) -> Distances {
    let mut found: Distances = BTreeMap::from([(slot, Some(BTreeSet::from([0])))]);
    let mut waiting = vec![slot];
    while let Some(from) = waiting.pop() {
        let distances = found[&from].clone();
        for user in users.get(&from).into_iter().flatten().copied() {
            let Some(inst) = function.inst(user) else { continue };
            let reached = distances.as_ref().and_then(|distances| step(inst, from, distances));
            if extend(found.entry(user).or_insert_with(|| Some(BTreeSet::new())), reached) {
                waiting.push(user);
            }
        }
    }
    found
}

/// Where an instruction leads that is handed a pointer that leads so far.
fn step(inst: &Inst, from: ValueId, distances: &BTreeSet<i128>) -> Option<BTreeSet<i128>> {
    let by = match &inst.op {
        Op::Phi { .. } | Op::Select | Op::Freeze => 0,
        Op::Gep(gep) if inst.operands[0].value() == Some(from) => {
            let mut by = 0;
            for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
                by += match (stride, index) {
                    (Stride::Field(bytes), _) => i128::from(*bytes),
                    (Stride::Scale(bytes), Operand::Const(index)) => index.as_signed()? * i128::from(*bytes),
                    _ => return None,
                };
            }
            by
        }
        _ => return None,
    };
    Some(distances.iter().map(|at| at + by).collect())
}

/// Whether more is known of where a pointer leads, or that nothing is.
fn extend(known: &mut Option<BTreeSet<i128>>, reached: Option<BTreeSet<i128>>) -> bool {
    let Some(before) = known else { return false };
    let Some(reached) = reached else {
        *known = None;
        return true;
    };
    let count = before.len();
    before.extend(reached);
    let grew = before.len() > count;
    if before.len() > MOST_DISTANCES {
        *known = None;
    }
    grew
}
