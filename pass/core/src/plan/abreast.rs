//! Whether forward mode in several directions computes all tangents of a number at once, as one vector.
//!
//! Each step then is one instruction in place of one for each direction. What is loaded and stored lies apart, direction by direction,
//! and is put together and taken apart: so it takes code that computes much with what it loads. An innermost loop that LLVM may make
//! vectors of by itself, over its passes, is far better off with tangents apart. Against that there is evidence where the loop calls
//! functions, or goes on by more than a few numbers in each pass.
//! Safe error: either (both compute the same).

use super::lanes::Lanes;
use super::runs::Runs;
use crate::analyses::activity::Activity;
use crate::analyses::flow::Flow;
use crate::config::{Abreast, Switch};
use crate::model::{BlockId, FloatKind, Function, Inst, Link, Loop, Op, Program, Type, ValueId};
use crate::request::{Mode, Request};
use crate::rules::Rules;

/// Longer vectors than this would not stay in registers.
const MOST: u32 = 32;
/// Products of tangents of a block that is worth it.
const LONG: u64 = 12;
/// The same for each load and store.
const DENSE: u64 = 2;
/// How many times the work of other blocks it takes.
const MAIN: u64 = 4;

/// What some block does with active numbers.
#[derive(Default)]
struct Work {
    computations: u64,
    moves: u64,
}

pub struct Asked<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub flow: &'a Flow,
    pub activity: &'a Activity,
}

impl Asked<'_> {
    pub fn are_abreast(&self, request: &Request, wanted: Abreast) -> Switch {
        if request.mode != Mode::Tangent || request.width < 2 {
            return Switch::Off;
        }
        match wanted {
            Abreast::Never => Switch::Off,
            Abreast::Always => Switch::On,
            Abreast::Faster if request.width > MOST => Switch::Off,
            Abreast::Faster => self.pays(),
        }
    }

    fn pays(&self) -> Switch {
        let runs = Runs::of(self.function, self.flow);
        let lanes = Lanes::of(self.function, self.program, self.rules);
        let (mut abreast, mut apart) = (0u64, 0u64);
        for block in self.function.block_ids().filter(|block| self.flow.is_reachable(*block)) {
            let work = self.work_of(block);
            let dense = work.computations >= LONG && work.computations >= DENSE * work.moves;
            let pays = dense && self.innermost(block).is_none_or(|around| self.stays_scalar(around, &lanes));
            *if pays { &mut abreast } else { &mut apart } +=
                (work.computations + work.moves) * runs.of_block(block);
        }
        if abreast > MAIN * apart { Switch::On } else { Switch::Off }
    }

    fn work_of(&self, block: BlockId) -> Work {
        let mut work = Work::default();
        for id in &self.function.block(block).insts {
            let Some(inst) = self.function.inst(*id) else { continue };
            if self.moves(*id, inst) {
                work.moves += 1;
            } else if self.activity.is_active(*id) && computes(inst) {
                work.computations += self.count_tangents(inst);
            }
        }
        work
    }

    /// Each is multiplied, and added to the others. Of a local Jacobian that is one a factor; what it is attached to is no tangent more.
    fn count_tangents(&self, inst: &Inst) -> u64 {
        let taken = if matches!(inst.op, Op::Attach(_)) { &inst.operands[2..] } else { &inst.operands[..] };
        taken.iter().filter(|operand| self.activity.is_operand_active(operand)).count() as u64
    }

    /// Loads and stores of active numbers.
    fn moves(&self, id: ValueId, inst: &Inst) -> bool {
        match inst.op {
            Op::Load(_) => self.activity.is_active(id),
            Op::Store(_) => inst.operands[0].value().is_some_and(|stored| self.activity.is_active(stored)),
            _ => false,
        }
    }

    fn innermost(&self, block: BlockId) -> Option<&Loop> {
        let around = self.function.loops.iter().filter(|known| known.blocks.contains(&block));
        around.min_by_key(|known| known.blocks.len())
    }

    /// Whether LLVM will hardly make vectors of a loop's passes.
    fn stays_scalar(&self, around: &Loop, lanes: &Lanes) -> bool {
        let far = |id, inst| self.moves(id, inst) && lanes.goes_far(id, inst, around);
        lanes.insts_of(around).any(|(id, inst)| lanes.is_called(inst) || far(id, inst))
    }
}

fn computes(inst: &Inst) -> bool {
    let number = matches!(inst.ty, Type::Float(FloatKind::Single | FloatKind::Double));
    number && !matches!(inst.op, Op::Phi { .. } | Op::Load(_) | Op::Attach(Link::Start))
}
