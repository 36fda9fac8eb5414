//! What the instructions of functions say of which memory is one.

use std::collections::BTreeMap;

use super::body::Body;
use super::objects::{Objects, Place, exactly};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::model::{Inst, Op, Operand, ValueId};

pub fn connect(bodies: &[Body], by_name: &BTreeMap<&str, usize>) -> Objects {
    let mut objects = Objects::default();
    for (at, body) in bodies.iter().enumerate() {
        for (id, inst) in body.function.inst_ids().filter_map(|id| Some((id, body.function.inst(id)?))) {
            match &inst.op {
                Op::Load(_) => read((at, body), id, &mut objects),
                Op::Store(_) => write((at, body), inst, &mut objects),
                Op::Call(_) | Op::Invoke { .. } => {
                    let callee = inst.callee_name().and_then(|name| by_name.get(name));
                    match (memory_call(inst), callee) {
                        (Some(MemoryCall::Copy), _) => copy((at, body), inst, &mut objects),
                        (None, Some(callee)) => {
                            hand_over((at, body), inst, (*callee, &bodies[*callee]), &mut objects);
                            hand_back((at, id), (*callee, &bodies[*callee]), &mut objects);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
    while objects.spread() {}
    objects
}

/// Every access names its memory; what is found is what the slot holds.
fn read((at, body): (usize, &Body), id: ValueId, objects: &mut Objects) {
    let Some(inst) = body.function.inst(id) else { return };
    let slots = body.places(at, &inst.operands[0], objects);
    let found = Base::Loaded(id);
    if inst.ty.is_pointer() && body.pointers.any_base(&Operand::Value(id), |base| *base == found) {
        let found = body.places(at, &Operand::Value(id), objects);
        join(slots, found, objects);
    }
}

fn write((at, body): (usize, &Body), store: &Inst, objects: &mut Objects) {
    let slots = body.places(at, &store.operands[1], objects);
    if body.function.operand_type(&store.operands[0]).is_pointer() {
        let held = body.places(at, &store.operands[0], objects);
        join(slots, held, objects);
    }
}

fn join(slots: Vec<Place>, held: Vec<Place>, objects: &mut Objects) {
    for slot in slots {
        for held in &held {
            let found = objects.found(slot);
            objects.unite(found, *held);
        }
    }
}

fn copy((at, body): (usize, &Body), copy: &Inst, objects: &mut Objects) {
    let [to, from, ..] = copy.operands.as_slice() else { return };
    let (to, from) = (body.places(at, to, objects), body.places(at, from, objects));
    for from in from {
        to.iter().for_each(|to| objects.link(from, *to));
    }
}

/// What the callee knows of memory that it is given, its caller knows, and the other way round.
fn hand_over(
    (at, body): (usize, &Body),
    call: &Inst,
    (callee, other): (usize, &Body),
    objects: &mut Objects,
) {
    for (param, argument) in call.arguments().iter().enumerate().take(other.function.params.len()) {
        let name = (callee, Base::Param(ValueId(param as u32)));
        for here in body.places(at, argument, objects) {
            let there = exactly(objects.named(&name));
            objects.link(here, there);
            objects.link(there, here);
        }
    }
}

/// What a function makes and hands back its caller alone has: what the caller knows of it is not told to other callers.
fn hand_back((at, call): (usize, ValueId), (callee, other): (usize, &Body), objects: &mut Objects) {
    if !other.function.ret.is_pointer() {
        return;
    }
    for ret in other.function.insts.iter().filter(|inst| inst.op == Op::Ret) {
        let made = other.pointers.of_operand(&ret.operands[0]).iter().all(Base::is_local);
        for there in other.places(callee, &ret.operands[0], objects) {
            let here = exactly(objects.named(&(at, Base::Returned(call))));
            objects.link(there, here);
            if !made {
                objects.link(here, there);
            }
        }
    }
}
