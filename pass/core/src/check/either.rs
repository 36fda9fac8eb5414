//! No float is moved from where a pointer may lie to where one is read: what is moved might be that pointer, and would come
//! without its shadow.

use std::collections::BTreeSet;

use super::memory::Varied;
use super::{Obligation, Proof};
use crate::model::{Inst, Op, Operand, ValueId};

impl<'a> Proof<'a> {
    pub fn check_either(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let mut faults = Vec::new();
        for (id, store) in insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_))) {
            let target = &store.operands[1];
            let shadowed = self.leads_to(target, &varied.shadowed);
            if shadowed && self.keeps_pointers(target) && self.is_read_among_pointers(&store.operands[0]) {
                faults.push(format!("{} moves a float that may be a pointer", self.describe(*id)));
            }
        }
        faults.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }

    /// Whether a float was read, and not computed, where a pointer may lie.
    fn is_read_among_pointers(&self, value: &'a Operand) -> bool {
        let (mut waiting, mut seen) = (vec![value], BTreeSet::new());
        while let Some(operand) = waiting.pop() {
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id).filter(|inst| inst.ty.holds_float()) else { continue };
            match &inst.op {
                Op::Load(_) if self.keeps_pointers(&inst.operands[0]) => return true,
                Op::Phi { .. } | Op::Select | Op::Freeze => waiting.extend(&inst.operands),
                Op::InsertElement | Op::ExtractElement | Op::ShuffleVector { .. } => {
                    waiting.extend(&inst.operands)
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a pointer is read or written exactly where this one leads, in each round that it leads somewhere else.
    fn keeps_pointers(&self, pointer: &Operand) -> bool {
        const POINTER: u64 = 8;
        let stand = self.seeing().stand_of(pointer);
        self.seeing().meets(pointer, POINTER, &|seen, at| {
            at == 0 && seen.stand == stand && seen.ty.as_ref().is_some_and(|ty| ty.is_pointer())
        })
    }
}
