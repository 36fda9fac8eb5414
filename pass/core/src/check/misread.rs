//! Nothing is read as a float from a slot into which only a pointer was put, nor as a pointer where only a float was: what it leads
//! to would be reached by a way that no shadow takes. Elsewhere than in one block control may never come from there to here.

use super::memory::Varied;
use super::places::Place;
use super::{Obligation, Proof};
use crate::model::{Constant, Inst, Layout, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    pub fn check_misread(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        if varied.shadowed.is_empty() {
            return;
        }
        let loads = insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Load(_)));
        let misread = loads.filter(|(id, load)| self.is_misread(*id, load));
        let fault = |id: ValueId| format!("{} reads what was put as something else", self.describe(id));
        let faults: Vec<String> = misread.map(|(id, _)| fault(*id)).collect();
        faults.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }

    fn is_misread(&self, id: ValueId, load: &'a Inst) -> bool {
        let address = &load.operands[0];
        let is_other = |ty: &Type| match load.ty.is_pointer() {
            true => ty.holds_float(),
            false => load.ty.holds_float() && ty.is_pointer(),
        };
        let places = self.places.lead(address);
        if places.is_empty() || !places.iter().all(|place| matches!(place, Place::Slot(_))) {
            return false;
        }
        let stand = self.seeing().stand_of(address);
        let (mut others, mut same) = (false, false);
        let together = self.function.blocks.iter().find(|block| block.insts.contains(&id));
        let stores = self.function.inst_ids().filter_map(|id| Some((id, self.function.inst(id)?)));
        for (by, store) in stores.filter(|(_, inst)| puts(inst)) {
            let ty = self.function.operand_type(&store.operands[0]);
            let there = self.seeing().stand_of(&store.operands[1]);
            let known = stand.step == 0 && there.step == 0;
            let apart = known
                && (there.start >= stand.start + size(&load.ty) || stand.start >= there.start + size(&ty));
            if apart || self.places.lead(&store.operands[1]).is_disjoint(&places) {
                continue;
            }
            if !is_other(&ty) {
                same = true;
            } else if known
                && there.start == stand.start
                && together.is_some_and(|block| block.insts.contains(&by))
            {
                others = true;
            }
        }
        others && !same
    }
}

/// Whether something is stored that tells what lies there, as zero does not.
fn puts(inst: &Inst) -> bool {
    matches!(inst.op, Op::Store(_)) && !matches!(inst.operands[0], Operand::Const(Constant::Zero(_)))
}

fn size(ty: &Type) -> i128 {
    Layout::default().store_size(ty).map_or(1 << 20, i128::from)
}
