//! The reverse of what touches a shadow has a pointer to it.
//!
//! The shadow of a pointer is a parameter, a slot of its own, a cell, or computed again like the pointer itself, with
//! the shadow of what the pointer is made of in its place.

use super::memory_calls::{MemoryCall, memory_call, tells_alignment};
use super::places::is_own_copy;
use super::reads::{Moment, Read};
use super::{Obligation, Proof};
use crate::analyses::overlap::Overwrites;
use crate::analyses::pointers::Base;
use crate::model::{CastOp, Inst, Op, Operand, ValueId};
use crate::plan::{Slot, Storage};

/// What the reverse of an instruction needs of memory.
#[derive(Default)]
struct Touched<'a> {
    shadows: Vec<&'a Operand>,
    primals: Vec<&'a Operand>,
    /// An allocation itself.
    made: bool,
    /// A slot that has a shadow of its own each time.
    slot: bool,
}

impl<'a> Proof<'a> {
    /// Shadow pointers that the reverse reads; what it reads of primal values goes to `reads`.
    pub fn find_shadow_reads(&mut self, reads: &mut Vec<Read>) -> Vec<Read> {
        let reversed = self.paths.returning();
        let mut shadows = Vec::new();
        for (id, inst) in self.live_insts() {
            let Some(at) = self.paths.home(id).filter(|at| reversed.contains(at)) else { continue };
            let touched = self.touched_by(id, inst);
            let why = format!("the reverse of {}", self.describe(id));
            let moment = Moment::Reverse(id);
            let read = |value: ValueId| Read { value, at, moment, why: why.clone() };
            reads.extend(touched.primals.iter().filter_map(|x| x.value()).map(read));
            if touched.made {
                shadows.push(read(id));
                reads.extend(self.is_freed(id).then(|| read(id)));
            }
            shadows.extend(touched.slot.then(|| read(id)));
            for pointer in touched.shadows {
                match pointer {
                    Operand::Value(value) => shadows.push(read(*value)),
                    Operand::Const(constant) if constant.is_nowhere() => {}
                    Operand::Const(_) if self.plan.activity.is_shadowed(pointer) => {}
                    Operand::Const(_) => {
                        self.report(Obligation::Reads, format!("a constant has no shadow, in {why}"));
                    }
                }
            }
        }
        shadows
    }

    fn touched_by(&self, id: ValueId, inst: &'a Inst) -> Touched<'a> {
        let activity = &self.plan.activity;
        let shadowed = |x: &&Operand| activity.is_shadowed(x);
        let floats = |x: &Operand| self.function.operand_type(x).holds_float();
        let mut touched = Touched::default();
        match (&inst.op, memory_call(inst)) {
            _ if self.plan.calls.contains_key(&id) => {
                touched.shadows.extend(inst.arguments().iter().filter(shadowed));
                touched.primals.extend(inst.arguments());
            }
            (Op::Load(_), _) if self.is_active(id) => touched.shadows.push(&inst.operands[0]),
            (Op::Store(_), _) => {
                let bits = matches!(
                    activity.overwrites(id),
                    Some(Overwrites::Float | Overwrites::Part | Overwrites::Address)
                );
                if floats(&inst.operands[0]) || bits {
                    touched.shadows.extend(inst.operands.get(1).filter(shadowed));
                }
            }
            (_, Some(MemoryCall::Copy | MemoryCall::Fill)) if activity.is_shadowed(&inst.operands[0]) => {
                touched.shadows.extend(self.accessed_by(inst).iter().filter(shadowed));
                touched.primals.push(&inst.operands[2]);
            }
            (Op::Alloca(_), _) => {
                let here = activity.lasting().ends_in_reverse(id);
                touched.slot = activity.has_shadow(&Base::Stack(id)) && self.is_made_anew(id) && here
            }
            (_, Some(MemoryCall::Allocate)) => {
                touched.made = activity.has_shadow(&Base::Heap(id)) && activity.lasting().ends_in_reverse(id);
                if touched.made && tells_alignment(inst) && self.is_freed(id) {
                    touched.primals.extend(inst.arguments());
                }
            }
            _ => {}
        }
        touched
    }

    /// Freeing is put off until the reverse of the allocation.
    fn is_freed(&self, made: ValueId) -> bool {
        self.live_insts().iter().any(|(_, inst)| {
            memory_call(inst) == Some(MemoryCall::Free)
                && self.made_behind(&inst.operands[0]).contains(&super::places::Place::Made(made))
        })
    }

    pub fn check_shadows(&mut self, reads: &[Read]) {
        for read in reads {
            let problem = match self.paths.home(read.value) {
                _ if !self.plan.shadows.contains_key(&read.value) => {
                    Some((Obligation::Reads, "has no storage, and is read by"))
                }
                Some(home) if !self.paths.dominates(home, read.at) => {
                    Some((Obligation::Storage, "need not have been computed at"))
                }
                _ => None,
            };
            if let Some((obligation, problem)) = problem {
                let message = format!("the shadow of {} {problem} {}", self.describe(read.value), read.why);
                self.report(obligation, message);
            }
        }
        for (value, decision) in &self.plan.shadows {
            if let Some(problem) = self.find_shadow_misuse(*value, &decision.choice) {
                let message = format!("the shadow of {} {problem}", self.describe(*value));
                self.report(Obligation::Storage, message);
            }
        }
    }

    fn find_shadow_misuse(&self, value: ValueId, storage: &Storage) -> Option<&'static str> {
        if !self.plan.activity.is_value_shadowed(value) {
            return Some("is stored, and there is none");
        }
        let Some(inst) = self.function.inst(value) else {
            let shadow = |lane| Slot::Shadow { param: value.0 as usize, lane };
            let given = (0..self.plan.request.width).all(|lane| self.plan.params.contains(&shadow(lane)));
            return (*storage != Storage::Argument || !given)
                .then_some("is a parameter, and not taken as one");
        };
        match storage {
            Storage::Argument => (!matches!(inst.op, Op::Alloca(_)) || self.is_made_anew(value))
                .then_some("has no slot of its own and is no parameter"),
            Storage::Recompute => self.find_lost_shadow(value, inst),
            Storage::Keep if !self.runs_once(value) => {
                Some("is kept in one cell, and computed again in a loop")
            }
            Storage::Keep | Storage::SaveOnOverwrite => (matches!(inst.op, Op::Alloca(_))
                && !self.is_made_anew(value))
            .then_some("is kept, and has a slot of its own"),
            Storage::Uncompute { .. } | Storage::Invert { .. } => Some("is counted back, and is no number"),
            Storage::Rerun => Some("is left by a loop that runs again, and is no number"),
        }
    }

    /// A shadow computed again: of the pointers in it the shadow has to be at hand, of the rest the value.
    fn find_lost_shadow(&self, value: ValueId, inst: &Inst) -> Option<&'static str> {
        let pointers = match inst.op {
            Op::Gep(_) | Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => 0..1,
            Op::Select => 1..3,
            Op::Load(_) if self.is_found_again(value, inst) => 0..1,
            _ if is_own_copy(inst) => 0..1,
            _ => return Some("is computed again, and made by something that cannot be repeated"),
        };
        let lost = inst.operands.iter().enumerate().any(|(at, x)| match x.value() {
            None => false,
            Some(value) if pointers.contains(&at) => {
                self.plan.activity.is_value_shadowed(value) && !self.plan.shadows.contains_key(&value)
            }
            Some(value) => !self.plan.storage.contains_key(&value),
        });
        lost.then_some("is computed again from what is not at hand")
    }
}
