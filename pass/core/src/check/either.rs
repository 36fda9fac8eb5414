//! No float is moved from where a pointer may lie to where one is read: what is moved might be that pointer, and would come
//! without its shadow. No pointer is moved from or to where a float lies: it might be that float, and would come without its
//! derivative.

use std::collections::BTreeSet;

use super::counted::Seen;
use super::declared::is_declared;
use super::memory::Varied;
use super::{Obligation, Proof};
use crate::model::{Inst, Op, Operand, Stride, ValueId};

/// How a float lies to where a pointer leads: exactly there, as far as strides tell; so by address arithmetic from one beginning;
/// or with any byte there, by such arithmetic.
#[derive(Clone, Copy)]
enum Lie {
    There,
    Surely,
    InPart,
    /// The same, but for an element of an array in a struct whose address is known less well: it stays in its array, beside a member
    /// that the program declares to be a pointer.
    InPartAsExactly,
}

impl<'a> Proof<'a> {
    pub fn check_either(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let mut faults = Vec::new();
        // Most functions keep no pointer anywhere, and are through.
        if !self.seeing().sees_pointers() {
            return;
        }
        for (id, store) in insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_))) {
            let target = &store.operands[1];
            let shadowed = self.leads_to(target, &varied.shadowed);
            let among = shadowed && self.keeps_pointers(store, target);
            if among && self.is_read_among_pointers(&store.operands[0]) {
                faults.push(format!("{} moves a float that may be a pointer", self.describe(*id)));
            }
            if !varied.shadowed.is_empty() && self.moves_float_as_pointer(store, target) {
                faults.push(format!("{} moves a pointer that may be a float", self.describe(*id)));
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
                Op::Load(_) if self.keeps_pointers(inst, &inst.operands[0]) => return true,
                Op::Phi { .. } | Op::Select | Op::Freeze => waiting.extend(&inst.operands),
                Op::InsertElement | Op::ExtractElement | Op::ShuffleVector { .. } => {
                    waiting.extend(&inst.operands)
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a pointer that was read, and not made, comes from or goes to exactly where a float is read or written, or may do
    /// both.
    fn moves_float_as_pointer(&self, store: &'a Inst, target: &Operand) -> bool {
        let (mut waiting, mut seen) = (vec![&store.operands[0]], BTreeSet::new());
        while let Some(operand) = waiting.pop() {
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id).filter(|inst| inst.ty.is_pointer()) else { continue };
            match &inst.op {
                Op::Load(_) => {
                    let ends = [(inst, &inst.operands[0]), (store, target)];
                    let member = [store, inst].into_iter().any(is_stepped_to);
                    let part = if member { Lie::InPartAsExactly } else { Lie::InPart };
                    let keeps = |lie| move |(by, end): &(&Inst, &Operand)| self.keeps_floats(by, end, lie);
                    if ends.iter().any(keeps(Lie::Surely))
                        || ends.iter().all(keeps(Lie::There))
                        || ends.iter().all(keeps(part))
                    {
                        return true;
                    }
                }
                Op::Phi { .. } | Op::Select | Op::Freeze => waiting.extend(&inst.operands),
                _ => {}
            }
        }
        false
    }

    /// Whether an instruction steps to a member of a struct, and what is seen is one in objects that may each be of another type.
    fn is_elsewhere(&self, by: &Inst, pointer: &Operand, seen: &Seen) -> bool {
        is_stepped_to(by) && seen.member && self.seeing().is_one_of_many(pointer)
    }

    /// Whether a float is read or written where an instruction moves a pointer.
    fn keeps_floats(&self, by: &Inst, pointer: &Operand, lie: Lie) -> bool {
        const POINTER: u64 = 8;
        if self.lies_in_record(pointer) {
            return false;
        }
        let stand = self.seeing().stand_of(pointer);
        let known = |by: ValueId| {
            let address = self.function.inst(by).and_then(|inst| self.accessed_by(inst).first());
            self.beginning(pointer).is_some() && address.is_some_and(|x| self.beginning(x).is_some())
        };
        let is_element = |by: ValueId| self.function.inst(by).is_some_and(is_stepped_to);
        let is_as_exact = |step| if stand.step == 0 { step == 0 } else { step % stand.step == 0 };
        self.seeing().meets(pointer, POINTER, &|seen, at| {
            let there = at == 0 && seen.stand == stand && !self.is_beside(pointer, seen.by);
            let lies = match lie {
                Lie::There => there,
                Lie::Surely => there && known(seen.by),
                Lie::InPart => known(seen.by),
                Lie::InPartAsExactly => {
                    known(seen.by) && (!is_element(seen.by) || is_as_exact(seen.stand.step))
                }
            };
            lies && !self.is_elsewhere(by, pointer, seen) && seen.ty.as_ref().is_some_and(|ty| ty.is_real())
        })
    }

    /// Whether a pointer is read or written exactly where this one leads, in each round that it leads somewhere else.
    fn keeps_pointers(&self, by: &Inst, pointer: &Operand) -> bool {
        const POINTER: u64 = 8;
        if self.lies_in_record(pointer) {
            return false;
        }
        let stand = self.seeing().stand_of(pointer);
        self.seeing().meets(pointer, POINTER, &|seen, at| {
            // An address that is kept as a number is followed by nobody.
            let number = self.function.inst(seen.by).is_some_and(is_declared);
            let is_pointer = !number && seen.ty.as_ref().is_some_and(|ty| ty.is_pointer());
            let there = at == 0 && seen.stand == stand && is_pointer && !self.is_beside(pointer, seen.by);
            there && !self.is_elsewhere(by, pointer, seen)
        })
    }

    /// Whether an access is of an array that begins elsewhere in the same memory.
    pub(super) fn is_beside(&self, pointer: &Operand, access: ValueId) -> bool {
        let Some(inst) = self.function.inst(access) else { return false };
        let Some(other) = self.accessed_by(inst).first() else { return false };
        match (self.beginning(pointer), self.beginning(other)) {
            (Some(here), Some(there)) => here != there,
            _ => false,
        }
    }

    /// The sum of all steps of known length on the way to an address; nothing where there are several ways.
    fn beginning(&self, pointer: &Operand) -> Option<i128> {
        let (mut at, mut bytes) = (pointer, 0);
        while let Some(inst) = at.value().and_then(|id| self.function.inst(id)) {
            let Op::Gep(gep) = &inst.op else {
                let made = matches!(inst.op, Op::Alloca(_) | Op::Load(_) | Op::Call(_));
                return made.then_some(bytes);
            };
            for (step, index) in gep.strides.iter().zip(&inst.operands[1..]) {
                let count = if let Operand::Const(count) = index { count.as_signed()? } else { 0 };
                bytes += match step {
                    Stride::Field(field) => i128::from(*field),
                    Stride::Scale(scale) => count * i128::from(*scale),
                    Stride::Unknown => return None,
                };
            }
            at = &inst.operands[0];
        }
        Some(bytes)
    }
}

/// Whether the program steps to what it reads or writes by the type of a struct: to a pointer there, or into an array of floats.
pub(super) fn is_stepped_to(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.stepped)
}
