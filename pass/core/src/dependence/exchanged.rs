//! Buffers that change places: pointers that the passes of an outer loop only hand round among themselves.
//!
//! `swap = u; u = v; v = swap` gives phis that each take the value of another, or their own, in every pass. So in each pass all of
//! them together stand for what they began with, in one of few orders, and in each of these orders accesses through them can be tested as
//! if there were no phis.

use std::collections::{BTreeMap, BTreeSet};

use super::nesting::Nesting;
use crate::model::{Function, Object, Op, Operand, Scev, ValueId};

/// What each of some phis stands for at one time.
pub type Standing = BTreeMap<ValueId, Operand>;

/// Longer circles are not followed.
const MOST_ORDERS: usize = 8;

/// All that two pointers may stand for at the same time, where at least one is such a phi; none where that is not known.
pub fn find_standings(nesting: &Nesting, first: ValueId, second: ValueId) -> Option<Vec<Standing>> {
    let circle = |id: ValueId| circle_of(nesting, id).unwrap_or_else(|| vec![(id, Operand::Value(id))]);
    let (one, two) = (circle(first), circle(second));
    let home = |id: ValueId| nesting.home(id);
    let (moves, together) = (one.len() > 1 || two.len() > 1, home(first) == home(second));
    if !moves || one.len() > 1 && two.len() > 1 && !together {
        return None;
    }
    // After so many passes both circles have come round.
    let orders = (1..).find(|passes| passes % one.len() == 0 && passes % two.len() == 0)?;
    let at = |circle: &[(ValueId, Operand)], pass: usize| circle[pass % circle.len()].1.clone();
    (orders <= MOST_ORDERS).then(|| {
        let standing = |pass| Standing::from([(first, at(&one, pass)), (second, at(&two, pass))]);
        (0..orders).map(standing).collect()
    })
}

/// The phis whose values one phi takes on, one in each pass, each with what it starts from.
fn circle_of(nesting: &Nesting, first: ValueId) -> Option<Vec<(ValueId, Operand)>> {
    let (mut circle, mut at) = (Vec::new(), first);
    loop {
        let (start, next) = ends_of(nesting, at).filter(|_| nesting.home(at) == nesting.home(first))?;
        circle.push((at, start));
        at = next;
        if at == first {
            return (circle.len() > 1).then_some(circle);
        }
        if circle.len() >= MOST_ORDERS || circle.iter().any(|(known, _)| *known == at) {
            return None;
        }
    }
}

/// What a phi at the header of a loop starts from, and the value that the next pass gets.
fn ends_of(nesting: &Nesting, id: ValueId) -> Option<(Operand, ValueId)> {
    let inst = nesting.function.inst(id)?;
    let Op::Phi { from } = &inst.op else { return None };
    let home = nesting.home(id)?;
    let around = nesting.function.loops.iter().find(|around| around.header == home)?;
    let ([latch], [first, second]) = (&around.latches[..], &from[..]) else { return None };
    let (start, next) = match (first == latch, second == latch) {
        (false, true) => (&inst.operands[0], &inst.operands[1]),
        (true, false) => (&inst.operands[1], &inst.operands[0]),
        _ => return None,
    };
    Some((start.clone(), next.value()?))
}

/// The function with every use of the phis replaced by what they stand for: not for running, but for asking about some accesses. Nothing is
/// known of the others, which may run when the phis stand for something else.
pub fn fix(function: &Function, standing: &Standing, asked: &BTreeSet<ValueId>) -> Function {
    let mut fixed = function.clone();
    fixed.memory.retain(|id, _| asked.contains(id));
    let put = |operand: &mut Operand| {
        if let Some(known) = operand.value().and_then(|id| standing.get(&id)) {
            *operand = known.clone();
        }
    };
    for inst in fixed.insts.iter_mut().filter(|inst| !matches!(inst.op, Op::Phi { .. })) {
        inst.operands.iter_mut().for_each(put);
    }
    for fact in fixed.memory.values_mut() {
        let root = fact.pointer.as_ref().and_then(|pointer| root_of(function, pointer));
        if let Some(object) = root.and_then(|root| object_of(function, standing.get(&root)?)) {
            fact.objects = vec![object];
        }
        fact.pointer.iter_mut().for_each(put);
        fact.address.iter_mut().for_each(|address| put_in(address, &put));
    }
    fixed
}

fn put_in(scev: &mut Scev, put: &dyn Fn(&mut Operand)) {
    match scev {
        Scev::Value(operand) => put(operand),
        Scev::Add(_, parts) | Scev::Mul(_, parts) => parts.iter_mut().for_each(|part| put_in(part, put)),
        Scev::SMax(parts) | Scev::UMax(parts) | Scev::SMin(parts) | Scev::UMin(parts) => {
            parts.iter_mut().for_each(|part| put_in(part, put));
        }
        Scev::UDiv(x, y) | Scev::Rec { start: x, step: y, .. } => {
            put_in(x, put);
            put_in(y, put);
        }
        Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) | Scev::PtrToInt(_, x) => put_in(x, put),
        Scev::Const { .. } | Scev::Unknown => {}
    }
}

/// The value from which an address is so many steps away.
pub fn root_of(function: &Function, pointer: &Operand) -> Option<ValueId> {
    let mut at = pointer.value()?;
    while let Some(inst) = function.inst(at).filter(|inst| matches!(inst.op, Op::Gep(_))) {
        at = inst.operands[0].value()?;
    }
    Some(at)
}

/// The object that a pointer leads into, where that shows.
fn object_of(function: &Function, pointer: &Operand) -> Option<Object> {
    if let Operand::Const(constant) = pointer {
        return constant.symbol().map(|name| Object::Global(name.into()));
    }
    let root = root_of(function, pointer)?;
    let Some(inst) = function.inst(root) else { return Some(Object::Param(root)) };
    // Facts name the allocations that there are.
    let local = Object::Local(root);
    let known = || function.memory.values().any(|fact| fact.objects.contains(&local));
    (matches!(inst.op, Op::Alloca(_)) || known()).then_some(local)
}
