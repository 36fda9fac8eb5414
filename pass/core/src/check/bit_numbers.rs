//! No float is made, by its value, of an integer that is another float's bits.
//!
//! An integer that was read where a float certainly lies is its bits; where one may lie, it is unless the program declares
//! it to be an integer, or puts one there.

use std::collections::BTreeSet;

use super::counted::{Seen, is_declared};
use super::memory::Varied;
use super::{Obligation, Proof};
use crate::model::{CastOp, Inst, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    pub fn check_bit_numbers(
        &mut self,
        insts: &[(ValueId, &'a Inst)],
        varied: &Varied,
        wanted: &BTreeSet<ValueId>,
    ) {
        for (id, inst) in insts {
            let makes = matches!(inst.op, Op::Cast(CastOp::SiToFp | CastOp::UiToFp)) && wanted.contains(id);
            if makes && self.is_made_of_read_bits(&inst.operands[0], varied) {
                let message = format!("{} makes a number of what may be a float's bits", self.describe(*id));
                self.report(Obligation::NothingUnknown, message);
            }
        }
    }

    fn is_made_of_read_bits(&self, integer: &Operand, varied: &Varied) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![integer.clone()]);
        while let Some(operand) = waiting.pop() {
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id) else { continue };
            match &inst.op {
                Op::Load(_) if self.reads_float(inst, varied) => return true,
                Op::Int(_) | Op::Phi { .. } | Op::Freeze | Op::ShuffleVector { .. } => {}
                Op::ExtractElement | Op::InsertElement | Op::Select => {}
                Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast) => {}
                _ => continue,
            }
            let integers = inst.operands.iter().filter(|x| {
                matches!(self.function.operand_type(x).scalar(), Type::Int(_))
                    && !matches!(inst.op, Op::Load(_))
            });
            waiting.extend(integers.cloned());
        }
        false
    }

    fn reads_float(&self, load: &Inst, varied: &Varied) -> bool {
        let Type::Int(bits @ 16..) = load.ty.scalar() else { return false };
        let pointer = &load.operands[0];
        if !self.leads_to(pointer, &varied.shadowed) {
            return false;
        }
        let lanes = if let Type::Vector(lanes, _) = &load.ty { u64::from(lanes.count) } else { 1 };
        let bytes = u64::from(*bits).div_ceil(8) * lanes;
        let seeing = self.seeing();
        let step = seeing.stand_of(pointer).step;
        let certain = |seen: &Seen| match step {
            0 => seen.stand.step == 0,
            step => seen.stand.step % step == 0,
        };
        let is_float = |seen: &Seen| seen.ty.as_ref().is_some_and(Type::holds_float);
        let puts = |seen: &Seen| {
            let by = self.function.inst(seen.by);
            by.is_some_and(|inst| seen.ty.is_none() && (matches!(inst.op, Op::Store(_)) || is_declared(inst)))
        };
        let known = is_declared(load) || seeing.meets(pointer, bytes, &|seen, _| certain(seen) && puts(seen));
        seeing.meets(pointer, bytes, &|seen, _| is_float(seen) && (!known || certain(seen)))
    }
}
