//! No float is made, by its value, of an integer that is another float's bits.
//!
//! An integer that was read where a float certainly lies is its bits; where one may lie, or bytes are copied, it is unless the program declares
//! it to be an integer, or puts one there, or no float's bits come to it from anywhere. Sign and exponent are the same in a whole neighbourhood: a number may be made of them.

use std::collections::BTreeSet;

use super::counted::Seen;
use super::declared::is_declared;
use super::either::is_stepped_to;
use super::memory::Varied;
use super::places::Place;
use super::{Obligation, Proof};
use crate::model::{CastOp, Inst, Layout, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    pub fn check_bit_numbers(
        &mut self,
        insts: &[(ValueId, &'a Inst)],
        varied: &Varied,
        wanted: &BTreeSet<ValueId>,
    ) {
        for (id, inst) in insts {
            let numbers = self.turned_into_numbers(*id, inst, wanted);
            if numbers.iter().any(|integer| self.is_made_of_read_bits(integer, varied)) {
                let message = format!("{} makes a number of what may be a float's bits", self.describe(*id));
                self.report(Obligation::NothingUnknown, message);
            }
        }
    }

    /// The integers whose value may become a float's here, or in the callee whose derivative is called.
    fn turned_into_numbers(&self, id: ValueId, inst: &'a Inst, wanted: &BTreeSet<ValueId>) -> &'a [Operand] {
        match &inst.op {
            Op::Cast(CastOp::SiToFp | CastOp::UiToFp) if wanted.contains(&id) => &inst.operands,
            Op::Call(_) | Op::Invoke { .. } if self.plan.calls.contains_key(&id) => inst.arguments(),
            _ => &[],
        }
    }

    fn is_made_of_read_bits(&self, integer: &Operand, varied: &Varied) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![integer]);
        while let Some(operand) = waiting.pop() {
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id) else { continue };
            let reads = matches!(inst.op, Op::Load(_)) && self.reads_float(inst, varied);
            if reads && !self.is_number_all_the_way(id) && !self.reads_no_fraction(id, integer) {
                return true;
            }
            waiting.extend(handed_on(inst).iter().filter(|operand| !self.is_float(operand)));
        }
        false
    }

    fn is_float(&self, operand: &Operand) -> bool {
        matches!(self.function.operand_type(operand).scalar(), Type::Float(_))
    }

    fn reads_float(&self, load: &Inst, varied: &Varied) -> bool {
        let Type::Int(bits @ 16..) = load.ty.scalar() else { return false };
        let pointer = &load.operands[0];
        if !self.finds_varied(pointer, varied, &mut BTreeSet::new()) {
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
        // Of members that are declared each to be what it is, one is in an object of another type.
        let many = seeing.is_one_of_many(pointer);
        let apart = |seen: &Seen| seen.member && is_declared(load) && many;
        // Nor is an index into a declared array of floats one into an array of integers beside it.
        let is_element = |seen: &Seen| self.function.inst(seen.by).is_some_and(is_stepped_to);
        let beside = |seen: &Seen| {
            step != 0 && is_declared(load) && is_element(seen) && self.is_beside(pointer, seen.by)
        };
        let is_float =
            |seen: &Seen| seen.ty.as_ref().is_some_and(Type::holds_float) && !apart(seen) && !beside(seen);
        let puts = |seen: &Seen| {
            let by = self.function.inst(seen.by);
            by.is_some_and(|inst| seen.ty.is_none() && (matches!(inst.op, Op::Store(_)) || is_declared(inst)))
        };
        let known = is_declared(load)
            || seeing.meets(pointer, bytes, &|seen, _| certain(seen) && puts(seen))
            || self.puts_constant(pointer, bytes);
        let untyped = matches!(&load.op, Op::Load(access) if access.untyped);
        !known && untyped
            || seeing.meets(pointer, bytes, &|seen, _| is_float(seen) && (!known || certain(seen)))
    }

    /// Whether numbers that vary may lie behind a pointer. Of what was found or returned, that has no shadow while nobody touches a
    /// float in it, those are asked who led there.
    fn finds_varied(&self, pointer: &Operand, varied: &Varied, asked: &mut BTreeSet<ValueId>) -> bool {
        if self.leads_to(pointer, &varied.shadowed) {
            return true;
        }
        let leads = self.places.lead(pointer);
        leads.contains(&Place::Outside) && !varied.shadowed.is_empty()
            || leads.iter().any(|place| {
                let (Place::Found(id) | Place::Returned(id)) = place else { return false };
                let Some(inst) = asked.insert(*id).then(|| self.function.inst(*id)).flatten() else {
                    return false;
                };
                inst.operands.iter().any(|operand| self.finds_varied(operand, varied, asked))
            })
    }
}

impl Proof<'_> {
    /// Whether somebody stores a small number there, wherever the pointer stands. Zero is every float's zero, too.
    fn puts_constant(&self, pointer: &Operand, bytes: u64) -> bool {
        let seeing = self.seeing();
        let (places, here) = (seeing.named(pointer), seeing.stand_of(pointer));
        let layout = Layout::parse(&self.program.layout);
        self.function.inst_ids().filter_map(|id| self.function.inst(id)).any(|inst| {
            let (Op::Store(_), [value, to]) = (&inst.op, inst.operands.as_slice()) else { return false };
            let small = constant_of(value).is_some_and(|value| (1..=1 << 16).contains(&value.unsigned_abs()));
            if !small || layout.store_size(&self.function.operand_type(value)) != Some(bytes) {
                return false;
            }
            let there = seeing.stand_of(to);
            let same = match here.step {
                0 => there == here,
                step => there.step % step == 0 && (there.start - here.start) % step == 0,
            };
            same && !seeing.named(to).is_disjoint(&places)
        })
    }
}

fn constant_of(value: &Operand) -> Option<i128> {
    let Operand::Const(constant) = value else { return None };
    constant.as_signed()
}

/// The operands whose bits may be among those of the result. Functions of integers may hand them on.
fn handed_on(inst: &Inst) -> &[Operand] {
    match &inst.op {
        Op::Int(_) | Op::Phi { .. } | Op::Select | Op::Freeze => &inst.operands,
        Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => &inst.operands,
        Op::ExtractValue { .. } | Op::InsertValue { .. } => &inst.operands,
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast) => &inst.operands,
        Op::Call(_) | Op::Invoke { .. } => inst.arguments(),
        _ => &[],
    }
}
