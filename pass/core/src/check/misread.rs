//! Nothing is read as a float from a slot into which only a pointer was put, nor as a pointer where only a float was: what it leads
//! to would be reached by a way that no shadow takes. Elsewhere than in one block control may never come from there to here.

use std::collections::BTreeMap;

use super::memory::Varied;
use super::places::Place;
use super::stands::Stand;
use super::{Obligation, Proof};
use crate::model::{Constant, Inst, Layout, Op, Operand, Type, ValueId};

/// Something that is put into slots.
struct Put {
    by: ValueId,
    ty: Type,
    stand: Stand,
}

impl<'a> Proof<'a> {
    pub fn check_misread(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        if varied.shadowed.is_empty() {
            return;
        }
        let puts = self.puts_by_slot(insts);
        let blocks = self.blocks_of_insts();
        let loads = insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Load(_)));
        let misread = loads.filter(|(id, load)| self.is_misread(*id, load, &puts, &blocks));
        let fault = |id: ValueId| format!("{} reads what was put as something else", self.describe(id));
        let faults: Vec<String> = misread.map(|(id, _)| fault(*id)).collect();
        faults.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }

    fn puts_by_slot(&self, insts: &[(ValueId, &'a Inst)]) -> BTreeMap<Place, Vec<Put>> {
        let mut puts: BTreeMap<Place, Vec<Put>> = BTreeMap::new();
        for (by, store) in insts.iter().filter(|(_, inst)| is_put(inst)) {
            for place in self.places.lead(&store.operands[1]) {
                let ty = self.function.operand_type(&store.operands[0]);
                let stand = self.seeing().stand_of(&store.operands[1]);
                puts.entry(place).or_default().push(Put { by: *by, ty, stand });
            }
        }
        puts
    }

    fn blocks_of_insts(&self) -> BTreeMap<ValueId, usize> {
        let blocks = self.function.blocks.iter().enumerate();
        blocks.flat_map(|(at, block)| block.insts.iter().map(move |id| (*id, at))).collect()
    }

    fn is_misread(
        &self,
        id: ValueId,
        load: &'a Inst,
        puts: &BTreeMap<Place, Vec<Put>>,
        blocks: &BTreeMap<ValueId, usize>,
    ) -> bool {
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
        let mut others = false;
        for put in places.iter().filter_map(|place| puts.get(place)).flatten() {
            let there = &put.stand;
            let known = stand.step == 0 && there.step == 0;
            let apart = known
                && (there.start >= stand.start + size(&load.ty)
                    || stand.start >= there.start + size(&put.ty));
            if apart {
                continue;
            }
            if !is_other(&put.ty) {
                return false;
            }
            let together = || blocks.get(&put.by) == blocks.get(&id);
            others |= known && there.start == stand.start && together();
        }
        others
    }
}

/// Whether something is stored that tells what lies there, as zero does not.
fn is_put(inst: &Inst) -> bool {
    matches!(inst.op, Op::Store(_)) && !matches!(inst.operands[0], Operand::Const(Constant::Zero(_)))
}

fn size(ty: &Type) -> i128 {
    Layout::default().store_size(ty).map_or(1 << 20, i128::from)
}
