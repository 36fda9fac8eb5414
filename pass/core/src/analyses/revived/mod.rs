//! Floats that are made of what arithmetic has made of the bits of other floats, on a way through memory or functions.
//!
//! Program + what is differentiated of each function → the instructions that make a float of such an integer: by its bits, by its value,
//! or by reading it as a float. To who adds to an integer it is one, and so its derivative is not followed; where it becomes a float
//! after all, whatever it was would be lost without a word.
//! An integer is a float's bits where it is read from where floats lie for certain, in this function or in one that is called with the
//! memory or calls with it. What takes nothing of a float but its sign and exponent has no derivative, and is none. A hash that is kept, and only
//! compared or used as an index, becomes no float.
//! Lattice: sets of values and parts of memory, by inclusion, each marked as bits or as computed. Direction: forward, through memory by its
//! objects, into functions and out of them; order is not looked at. Objects to which pointers are found in memory may be one, though nothing
//! says so; of what is put there only integers that become floats by their bits are taken to be computed.
//! Safe error: revived (is refused).

mod body;
mod connect;
mod memory;
mod objects;

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{CastOp, Function, Inst, Op, Program, Type, ValueId};
use body::{Body, makes_bits};
use connect::connect;
use memory::Memory;
use objects::Link;

/// What is differentiated of a function, in whichever of its derivatives.
#[derive(Default)]
pub struct Differentiated {
    /// The values whose derivatives somebody may want.
    pub wanted: BTreeSet<ValueId>,
    /// The integers that are made of the bits of an active value.
    pub bits: BTreeSet<ValueId>,
    /// The loads and stores that touch memory where active values may lie.
    pub touching: BTreeSet<ValueId>,
}

/// What an integer, or a part of memory, is marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    /// A float's bits.
    Bits,
    /// What arithmetic has made of them.
    Computed,
    /// The same, if two objects to which pointers were found in memory are one.
    Perhaps,
}

const MARKS: [Mark; 3] = [Mark::Bits, Mark::Computed, Mark::Perhaps];

/// The instructions, each with its function, in order.
pub fn find_revived<'a>(
    program: &'a Program,
    known: &'a BTreeMap<&str, Differentiated>,
) -> Vec<(&'a Function, ValueId)> {
    let bodies = || program.functions.iter().filter(|function| is_followed(function, program));
    if !bodies().any(|function| function.insts.iter().any(|inst| may_revive(function, inst)))
        || !bodies().any(makes_bits)
    {
        return Vec::new();
    }
    let bodies: Vec<Body> =
        bodies().map(|function| Body::of(function, program, known.get(function.name.as_str()))).collect();
    let by_name: BTreeMap<&str, usize> =
        bodies.iter().enumerate().map(|(at, body)| (body.function.name.as_str(), at)).collect();
    let objects = connect(&bodies, &by_name);
    let links = objects.links();
    let active = bodies.iter().enumerate().flat_map(|(at, body)| body.active(at, &objects)).collect();
    let (mut memory, mut values) = (Memory::new(objects.findable(), linked(active, &links)), BTreeSet::new());
    loop {
        let before = values.len();
        for at in 0..bodies.len() {
            body::advance((&bodies, &by_name), at, (&objects, &mut memory, &mut values));
        }
        links.iter().for_each(|link| memory.hand_on(link));
        if !memory.has_grown() && values.len() == before {
            break;
        }
    }
    let mut revived = Vec::new();
    for (at, body) in bodies.iter().enumerate() {
        let ids = body.function.inst_ids().filter(|id| body.is_wanted(*id));
        let found = ids.filter(|id| body.revives(at, *id, (&objects, &memory), &values));
        revived.extend(found.map(|id| (body.function, id)));
    }
    revived
}

/// What one function does not know of memory that it is given another may.
fn linked(mut active: BTreeSet<usize>, links: &BTreeSet<Link>) -> BTreeSet<usize> {
    loop {
        let before = active.len();
        let ends = links.iter().filter(|((from, _), _)| active.contains(from)).map(|(_, (to, _))| *to);
        let ends: Vec<usize> = ends.collect();
        active.extend(ends);
        if active.len() == before {
            return active;
        }
    }
}

/// What the user has said the derivative of is not looked into.
fn is_followed(function: &Function, program: &Program) -> bool {
    let name = &function.name;
    program.is_followed(name) && program.custom_rule(name).is_none() && !program.is_always_inactive(function)
}

fn may_revive(function: &Function, inst: &Inst) -> bool {
    let integer = || matches!(function.operand_type(&inst.operands[0]).scalar(), Type::Int(_));
    match inst.op {
        Op::Cast(CastOp::BitCast) => inst.ty.holds_float() && integer(),
        Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => true,
        Op::Load(_) => inst.ty.holds_float(),
        _ => false,
    }
}
