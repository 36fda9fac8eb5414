//! Whether forward mode in several directions computes all tangents of a number at once, as one vector.
//!
//! Each step then is one instruction in place of one for each direction. What is loaded and stored lies apart, direction by direction,
//! and is put together and taken apart. Loops that LLVM makes vectors of by itself, over their passes, are better off with
//! tangents apart: so it takes code that computes much with what it loads, and blocks too long or with calls that keep LLVM from that.
//! Safe error: either (both compute the same).

use crate::analyses::activity::Activity;
use crate::analyses::flow::Flow;
use crate::config::{Abreast, Switch};
use crate::model::{BlockId, FloatKind, Function, Inst, Op, Type};
use crate::request::{Mode, Request};

/// Longer vectors than this would not stay in registers.
const MOST: u32 = 32;
/// Computations in a block that is not one of a loop that becomes vectors by its passes.
const LONG: usize = 12;

/// What some block does with active numbers.
#[derive(Default)]
struct Work {
    computations: usize,
    moves: usize,
}

pub fn are_abreast(
    function: &Function,
    flow: &Flow,
    activity: &Activity,
    request: &Request,
    wanted: Abreast,
) -> Switch {
    if request.mode != Mode::Tangent || request.width < 2 {
        return Switch::Off;
    }
    match wanted {
        Abreast::Never => return Switch::Off,
        Abreast::Faster if request.width > MOST => return Switch::Off,
        Abreast::Faster => {}
        Abreast::Always => return Switch::On,
    }
    let blocks = function.block_ids().filter(|block| flow.is_reachable(*block));
    let works: Vec<Work> = blocks.map(|block| work_of(function, activity, block)).collect();
    let (computations, moves) = works
        .iter()
        .fold((0, 0), |(computations, moves), work| (computations + work.computations, moves + work.moves));
    let long = works.iter().any(|work| work.computations >= LONG);
    if long && computations >= 2 * moves { Switch::On } else { Switch::Off }
}

fn work_of(function: &Function, activity: &Activity, block: BlockId) -> Work {
    let mut work = Work::default();
    for id in &function.block(block).insts {
        let Some(inst) = function.inst(*id) else { continue };
        match inst.op {
            Op::Load(_) if activity.is_active(*id) => work.moves += 1,
            Op::Store(_) if inst.operands[0].value().is_some_and(|stored| activity.is_active(stored)) => {
                work.moves += 1
            }
            _ if activity.is_active(*id) && computes(inst) => work.computations += 1,
            _ => {}
        }
    }
    work
}

fn computes(inst: &Inst) -> bool {
    let number = matches!(inst.ty, Type::Float(FloatKind::Single | FloatKind::Double));
    // Local Jacobians times tangents LLVM makes vectors of by itself, along the results.
    number && !matches!(inst.op, Op::Phi { .. } | Op::Load(_) | Op::Attach(_))
}
