//! Is what a copy starts from a text, or other integers, so that it carries nothing along?
//!
//! That is so of constants without floats and addresses, and of memory of this call without a shadow of which every writer is seen: who puts
//! small integers there that have no derivative, or copies other texts. No address fits into a small integer.

use std::collections::BTreeSet;

use super::Proof;
use super::left_outside::is_out_of_sight;
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use crate::model::{CastOp, Inst, Op, Operand, Type};

impl<'a> Proof<'a> {
    /// Whether a pointer leads to constants alone, in which there are neither floats nor addresses, or to memory of which that is known.
    pub fn is_text(&self, pointer: &Operand, varied: &Varied) -> bool {
        let mut found: BTreeSet<Place> = BTreeSet::new();
        let mut open: Vec<Place> = self.places.lead(pointer).into_iter().collect();
        if open.is_empty() {
            return false;
        }
        while let Some(place) = open.pop() {
            if self.is_constant_text(&place) || !found.insert(place.clone()) {
                continue;
            }
            if !matches!(place, Place::Slot(_) | Place::Made(_)) || varied.shadowed.contains(&place) {
                return false;
            }
            let Some(sources) = self.sources_of_text(&place, varied) else { return false };
            open.extend(sources);
        }
        self.reached_from(&BTreeSet::from([Place::Outside])).is_disjoint(&found)
    }

    fn is_constant_text(&self, place: &Place) -> bool {
        let Place::Global(name) = place else { return false };
        self.program.global(name).is_some_and(|text| {
            text.constant && text.initial.is_some() && !text.ty.holds_float() && !text.ty.holds_pointer()
        })
    }

    /// Whatever is copied there; nothing where something else than small integers may be put there.
    fn sources_of_text(&self, place: &Place, varied: &Varied) -> Option<BTreeSet<Place>> {
        let mut sources = BTreeSet::new();
        for (_, inst) in self.live_insts() {
            let meets = |x: &Operand| self.made_behind(x).contains(place);
            match &inst.op {
                Op::Store(_) if meets(&inst.operands[1]) => {
                    let value = &inst.operands[0];
                    let small = is_small(&self.function.operand_type(value));
                    if varied.holds(value) || !small || self.may_be_piece(value, varied) {
                        return None;
                    }
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. }
                    if inst.operands.iter().any(meets) =>
                {
                    return None;
                }
                Op::Call(_) | Op::Invoke { .. } => match memory_call(inst) {
                    Some(MemoryCall::Copy) if meets(&inst.operands[0]) => {
                        let from = self.places.lead(&inst.operands[1]);
                        if from.is_empty() {
                            return None;
                        }
                        sources.extend(from);
                    }
                    Some(_) => {}
                    None if self.call_keeps_text(inst, place, varied) => {}
                    None => return None,
                },
                _ => {}
            }
        }
        Some(sources)
    }

    /// Whether an integer may be computed from bytes of memory in which there are addresses that matter.
    fn may_be_piece(&self, value: &Operand, varied: &Varied) -> bool {
        let (mut open, mut walked) = (Vec::from_iter(value.value()), BTreeSet::new());
        while let Some(id) = open.pop() {
            // A parameter that is an integer is one.
            let Some(inst) = self.function.inst(id).filter(|_| walked.insert(id)) else { continue };
            let reads = matches!(inst.op, Op::Load(_) | Op::Call(_) | Op::Invoke { .. });
            if reads && inst.operands.iter().any(|x| self.leads_to(x, &varied.shadowed)) {
                return true;
            }
            if reads || matches!(inst.op, Op::ICmp(_) | Op::FCmp(_)) {
                continue;
            }
            let computed = match &inst.op {
                Op::Int(_) | Op::Select | Op::Freeze | Op::Phi { .. } => true,
                Op::Cast(cast) => !matches!(cast, CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::BitCast),
                _ => false,
            };
            if !computed {
                return true;
            }
            open.extend(inst.operands.iter().filter_map(Operand::value));
        }
        false
    }

    fn call_keeps_text(&self, call: &'a Inst, place: &Place, varied: &Varied) -> bool {
        let followed = call.callee_name().is_some_and(|name| self.program.is_followed(name));
        if followed && !self.program.is_declared_inactive(call) {
            let reaches = |x: &Operand| self.reached_from(&self.made_behind(x)).contains(place);
            let ways: BTreeSet<u32> =
                (0..).zip(call.arguments()).filter(|(_, x)| reaches(x)).map(|(at, _)| at).collect();
            let small = |touched: &[_]| touched.iter().all(|(_, ty)| is_small(ty));
            let apart = !call.arguments().iter().any(|x| self.leads_to(x, &varied.shadowed));
            let handled = |ways| self.handling_of(call, ways).is_some_and(|given| small(&given.touched));
            return ways.is_empty() || apart && handled(ways);
        }
        let marks_life = call.callee_name().is_some_and(|name| name.starts_with("llvm.lifetime."));
        let intrinsic = call.callee_name().is_some_and(|name| name.starts_with("llvm."));
        let given = (0..).zip(call.arguments()).filter(|(_, x)| self.made_behind(x).contains(place));
        given.map(|(at, _)| at).all(|at| marks_life || !intrinsic && !is_out_of_sight(call, self.program, at))
    }
}

fn is_small(ty: &Type) -> bool {
    matches!(ty, Type::Int(bits) if *bits < 64)
}
