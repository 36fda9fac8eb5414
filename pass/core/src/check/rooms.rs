//! A number that is kept in a shadow is still there when the reverse of its pass takes it out, and nobody misses the zero.
//!
//! The caller has promised zeros behind the parameter, and that the shadow has a cell wherever the primal has one: the
//! pass reads its cell in the block that computes the number. The loop runs once, the block once in each pass, and each pass
//! has a cell of its own, since the address steps with a counter that never comes round. What runs from the header on
//! reaches memory behind the parameter only by reading that cell in that block, whose reverse begins with taking the number
//! out. And the number is asked for in the reverse of that block alone.

use std::collections::BTreeSet;

use super::fresh::Readers;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::reads::Reads;
use super::{Obligation, Proof};
use crate::model::{BlockId, CastOp, Constant, Inst, IntOp, Op, Operand, Ordering, Stride, Type, ValueId};
use crate::plan::{Item, Merge, Room, Storage};
use crate::request::{Activity, Mode};

impl Proof<'_> {
    pub fn check_rooms(&mut self, reads: &Reads, shadows: &Reads) {
        let mut problems = Vec::new();
        let mut given = BTreeSet::new();
        for (value, room) in &self.plan.rooms {
            let problem = match self.find_cell_fault(*value, room) {
                Ok((param, block)) if given.insert(param) => {
                    self.find_visitor(param, block, room).or_else(|| {
                        self.find_reader_elsewhere(
                            &Readers::block(block),
                            &[Item::Value(*value)],
                            reads,
                            shadows,
                        )
                    })
                }
                Ok(_) => Some("another number has that room".into()),
                Err(problem) => Some(problem.to_owned()),
            };
            let kept = |problem| format!("{} is kept in a shadow, and {problem}", self.describe(*value));
            problems.extend(problem.map(kept));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Rooms, problem));
    }

    /// The parameter behind which a number is kept, and its block.
    fn find_cell_fault(&self, value: ValueId, room: &Room) -> Result<(ValueId, BlockId), &'static str> {
        let request = &self.plan.request;
        if request.mode != Mode::Gradient || request.nested || request.width != 1 {
            return Err("others may look into the shadow");
        }
        let is_saved = |storage: &crate::plan::Decision<Storage>| storage.choice == Storage::SaveOnOverwrite;
        if !self.plan.storage.get(&value).is_some_and(is_saved) {
            return Err("it has no cell to come from");
        }
        let Some(block) = self.paths.home(value).filter(|block| Some(*block) == self.paths.home(room.load))
        else {
            return Err("no load of its block has that room");
        };
        self.find_other_pass(block, room).map_or(Ok(()), Err)?;
        let param = self.find_param(value, room).ok_or("not every pass has a cell of its own")?;
        match request.activity(param.0 as usize) {
            Activity::DupFresh => Ok((param, block)),
            _ => Err("nobody promised zeros there"),
        }
    }

    fn find_other_pass(&self, block: BlockId, room: &Room) -> Option<&'static str> {
        let Some(Merge::Count { entry, latch }) =
            self.plan.merges.get(&room.header).map(|merge| &merge.choice)
        else {
            return Some("the passes of its loop are not counted");
        };
        let body = self.body_of(room.header);
        let inside: BTreeSet<BlockId> = body.iter().copied().filter(|block| *block != room.header).collect();
        if !inside.contains(&block) || self.paths.circling(&inside).contains(&block) {
            return Some("its block does not run once in each pass");
        }
        if self.paths.repeats(*entry) {
            return Some("its loop runs more than once");
        }
        self.find_wrong_trips(room.header, *latch, &room.trips)
    }

    /// The parameter whose memory the load reads, at another place in each pass.
    fn find_param(&self, value: ValueId, room: &Room) -> Option<ValueId> {
        let load = self.function.inst(room.load)?;
        let Op::Load(access) = &load.op else { return None };
        let ordinary = !access.volatile && access.ordering == Ordering::NotAtomic;
        let alike = load.ty == *self.function.value_type(value) && load.ty.is_real();
        let address = load.operands[0].value()?;
        let again = self.plan.shadows.get(&address)?.choice == Storage::Recompute;
        let gep = self.function.inst(address)?;
        let (Op::Gep(form), [Operand::Value(base), index]) = (&gep.op, gep.operands.as_slice()) else {
            return None;
        };
        let param = self.function.param_ids().any(|param| param == *base);
        let [Stride::Scale(stride)] = form.strides[..] else { return None };
        let apart = access.bytes.is_some_and(|bytes| stride >= bytes);
        (ordinary && alike && again && param && apart && self.steps(index, room)).then_some(*base)
    }

    /// Whether a number is another one in each pass: what is added to a counter, or widens it, keeps that.
    fn steps(&self, index: &Operand, room: &Room) -> bool {
        let mut index = index;
        loop {
            let Some(id) = index.value() else { return false };
            let Some(inst) = self.function.inst(id) else { return false };
            index = match (&inst.op, inst.operands.as_slice()) {
                (Op::Cast(CastOp::SExt | CastOp::ZExt), [from]) => from,
                (Op::Int(IntOp::Add | IntOp::Sub), [from, Operand::Const(Constant::Int { .. })]) => from,
                (Op::Phi { .. }, _) => return self.is_counter(id, inst, room),
                _ => return false,
            };
        }
    }

    fn is_counter(&self, id: ValueId, inst: &Inst, room: &Room) -> bool {
        let Some(Merge::Count { latch, .. }) = self.plan.merges.get(&room.header).map(|merge| &merge.choice)
        else {
            return false;
        };
        let (Op::Phi { from }, Type::Int(bits)) = (&inst.op, &inst.ty) else { return false };
        let Some(at) = from.iter().position(|block| block == latch) else { return false };
        let next = inst.operands[at].value().and_then(|next| self.function.inst(next));
        let by_one = next.is_some_and(|next| match (&next.op, next.operands.as_slice()) {
            (Op::Int(IntOp::Add | IntOp::Sub), [Operand::Value(from), Operand::Const(step)]) => {
                *from == id && matches!(step.as_signed(), Some(1 | -1))
            }
            _ => false,
        });
        self.paths.home(id) == Some(room.header) && by_one && *bits >= room.trips.bits
    }

    /// Whoever comes to memory behind the parameter from the loop on, or to its shadow as the reverse sweep goes back.
    fn find_visitor(&self, param: ValueId, block: BlockId, room: &Room) -> Option<String> {
        let later = self.paths.walk(&[room.header], None);
        let place = |id: ValueId| self.function.inst(id)?.operands.first()?.value();
        let cell = |id: ValueId| self.function.inst(place(id)?);
        let own = cell(room.load).map(|inst| (&inst.op, &inst.operands));
        let visitor = self.live_insts().into_iter().find(|(id, inst)| {
            let Some(home) = self.paths.home(*id).filter(|home| later.contains(home)) else { return false };
            let same = matches!(inst.op, Op::Load(_))
                && home == block
                && cell(*id).map(|inst| (&inst.op, &inst.operands)) == own;
            !same && self.visits(&Place::Param(param), *id, inst)
        });
        visitor.map(|(id, _)| format!("{} may touch it there", self.describe(id)))
    }

    fn visits(&self, place: &Place, id: ValueId, inst: &Inst) -> bool {
        let comes = |pointer: &Operand| {
            let places = self.places.lead(pointer);
            places.is_empty() || places.iter().any(|other| self.may_be_one(place, other))
        };
        match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) => (self.is_active(id) || inst.ty.holds_pointer()) && comes(&inst.operands[0]),
            (Op::Store(_), _) => comes(&inst.operands[1]),
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Fence { .. }, _) => true,
            (Op::VaArg | Op::Opaque { .. }, _) => true,
            _ if inst.op.call().is_none() => false,
            (_, Some(MemoryCall::Allocate)) => false,
            (_, Some(MemoryCall::Copy)) => inst.operands[..2].iter().any(comes),
            (_, Some(MemoryCall::Fill | MemoryCall::Free)) => comes(&inst.operands[0]),
            (_, None) => !self.leaves_memory_alone(inst),
        }
    }
}
