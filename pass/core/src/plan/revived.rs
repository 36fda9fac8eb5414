//! What may become a float after arithmetic on the bits of others, as far as derivatives are asked for.
//!
//! Plans of a request → a refusal of one function, or nothing. All plans have to be known: what one function makes of bits another may read
//! as a float.

use std::collections::BTreeMap;

use super::variants::{Refused, Variant};
use crate::analyses::revived::{Differentiated, find_revived};
use crate::model::{CastOp, Function, Op, Program, ValueId};
use crate::refusal::{Code, Refusal};

pub fn refuse_revived(program: &Program, variants: &[Variant]) -> Option<Refused> {
    let mut known: BTreeMap<&str, Differentiated> = BTreeMap::new();
    for variant in variants {
        let all = known.entry(&variant.plan.function).or_default();
        add_known(program, variant, all);
    }
    let revived = find_revived(program, &known);
    let (function, _) = revived.first()?;
    let here = revived.iter().filter(|(other, _)| other.name == function.name);
    let refusals = here.map(|(function, id)| refuse(function, *id)).collect();
    Some(Refused { function: function.name.clone(), refusals })
}

fn add_known(program: &Program, variant: &Variant, all: &mut Differentiated) {
    let plan = &variant.plan;
    let Some(body) = plan.body(program) else { return };
    let origin = |id: ValueId| plan.local.as_ref().and_then(|local| local.attached.origin(id)).unwrap_or(id);
    for (id, inst) in body.inst_ids().filter_map(|id| Some((id, body.inst(id)?))) {
        if plan.activity.is_useful(id) {
            all.wanted.insert(origin(id));
        }
        let operand = |at: usize| inst.operands.get(at);
        if inst.op == Op::Cast(CastOp::BitCast) && operand(0).is_some_and(|x| plan.activity.is_varied(x)) {
            all.bits.insert(origin(id));
        }
        let pointer = match inst.op {
            Op::Load(_) => operand(0),
            Op::Store(_) => operand(1),
            _ => None,
        };
        if pointer.is_some_and(|pointer| plan.activity.is_shadowed(pointer)) {
            all.touching.insert(origin(id));
        }
    }
}

fn refuse(function: &Function, id: ValueId) -> Refusal {
    let inst = function.inst(id);
    let message = "a float is made here of an integer that was computed from the bits of active values (those that depend on the inputs \
                   you differentiate) and kept in memory or handed over; compute with floats, or mark the function that does so inactive if \
                   it has no derivative";
    Refusal::new(Code::NoRule, message).at(inst.and_then(|inst| inst.loc).or(function.loc))
}
