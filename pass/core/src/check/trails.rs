//! How far the address of each memory gets: through which values it goes, and in which memory it lies.
//!
//! Whenever more is learnt of a value, its users are looked at again, and whenever more is learnt of a memory, whoever reads it.
//! A trail that leaves the function's own memory is one of those outside: what code does that is not seen, nobody follows.
//! Safe error: trails cross.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::regions::Region;
use crate::model::{CastOp, Constant, Inst, Op, Operand, Type, ValueId};

/// Whose address: memory of the function's own, by the value that leads to it first, or none of that.
type Origin = Option<ValueId>;
type Origins = BTreeSet<Origin>;

/// Where in a memory something was put; anywhere where that is not known.
type Part = Option<Region>;

#[derive(Default)]
pub struct Trails {
    through: BTreeMap<ValueId, Origins>,
    lying: BTreeMap<ValueId, BTreeMap<Part, Origins>>,
    out: BTreeSet<ValueId>,
    /// Where whoever goes on behind the function may come.
    met: BTreeSet<ValueId>,
    memory_grew: bool,
    /// What is to be looked at again.
    waiting: BTreeSet<ValueId>,
}

impl Proof<'_> {
    /// Whether no pointer ever leads to both places, as their addresses never lie in the same memory.
    pub fn have_own_trails(&self, a: &Place, b: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        trails.ends(a).is_disjoint(&trails.ends(b))
    }

    /// Whether no code that is not seen comes to a place.
    pub fn is_kept_from_outside(&self, place: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        !trails.ends(place).contains(&None)
    }

    /// Whether a place is only ever memory that the call made itself, that lasts as long as the call, and to which no trail leads from what
    /// the caller gets or gave.
    pub fn is_never_met(&self, place: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        trails.ends(place).into_iter().all(|end| {
            let lasts = |id: ValueId| match self.function.inst(id) {
                Some(inst) if matches!(inst.op, Op::Alloca(_)) => self.is_alive_at_the_end(&Place::Slot(id)),
                Some(_) => true,
                None => false,
            };
            end.is_some_and(|id| lasts(id) && !trails.met.contains(&id))
        })
    }

    fn find_trails(&self) -> Trails {
        let mut trails = Trails::default();
        let mut users: BTreeMap<ValueId, BTreeSet<ValueId>> = BTreeMap::new();
        let mut readers = BTreeSet::new();
        for id in self.function.inst_ids() {
            let Some(inst) = self.function.inst(id) else { continue };
            for used in inst.operands.iter().filter_map(Operand::value) {
                users.entry(used).or_default().insert(id);
            }
            if matches!(inst.op, Op::Load(_)) || memory_call(inst) == Some(MemoryCall::Copy) {
                readers.insert(id);
            }
            trails.waiting.insert(id);
        }
        for id in self.function.param_ids() {
            self.begin_at(id, &mut trails);
        }
        while !trails.waiting.is_empty() {
            while let Some(id) = trails.waiting.pop_first() {
                let Some(inst) = self.function.inst(id) else { continue };
                if self.follow_trail(id, inst, &mut trails) {
                    trails.waiting.extend(users.get(&id).into_iter().flatten());
                }
            }
            // All that was put somewhere meanwhile is read at once.
            if std::mem::take(&mut trails.memory_grew) {
                trails.waiting.extend(&readers);
            }
        }
        let handed = |inst: &&Inst| matches!(inst.op, Op::Ret | Op::Resume);
        for inst in self.function.insts.iter().filter(handed) {
            trails.meet(trails.of_all(&inst.operands));
        }
        trails.meet(self.function.param_ids().flat_map(|id| trails.of(&Operand::Value(id))).collect());
        trails.meet(trails.out.iter().copied().map(Some).collect());
        trails
    }

    fn begin_at(&self, param: ValueId, trails: &mut Trails) {
        let ty = self.function.value_type(param);
        let promised = self.function.params[param.0 as usize].attributes.iter().any(|text| text == "noalias");
        if ty.holds_pointer() && promised {
            trails.through.insert(param, Origins::from([Some(param)]));
            trails.lying.insert(param, BTreeMap::from([(None, Origins::from([None]))]));
        } else if !matches!(ty, Type::Int(bits) if *bits < 64) && !ty.scalar().is_float() {
            trails.through.insert(param, Origins::from([None]));
        }
    }

    /// Follows what comes through an instruction; whether more goes on through its result.
    fn follow_trail(&self, id: ValueId, inst: &Inst, trails: &mut Trails) -> bool {
        let call = memory_call(inst);
        match &inst.op {
            Op::Alloca(_) => return trails.begin(id),
            _ if call == Some(MemoryCall::Allocate) => return trails.begin(id),
            _ if call == Some(MemoryCall::Free) => return false,
            _ if call == Some(MemoryCall::Fill) => {
                return trails.pass(id, trails.of_all(&inst.arguments()[..1]));
            }
            _ if call == Some(MemoryCall::Copy) => {
                let found = trails.read(&inst.arguments()[1], &None);
                trails.leave(&found, &inst.arguments()[0], &None);
                return trails.pass(id, trails.of_all(&inst.arguments()[..1]));
            }
            Op::Load(_) => return trails.pass(id, trails.read(&inst.operands[0], &self.region_of(inst))),
            Op::Store(_) => {
                let stored = trails.of(&inst.operands[0]);
                trails.leave(&stored, &inst.operands[1], &self.region_of(inst));
                return false;
            }
            Op::Ret | Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => return false,
            Op::Unreachable | Op::Fence { .. } => return false,
            _ => {}
        }
        if inst.op.call().is_some() {
            // The end of a slot, or the size of an allocation, of which the runtime keeps account.
            let word = inst.callee_name().is_some_and(|name| {
                name.contains("lifetime") || name.contains("stackrestore") || name.starts_with("bs_rt_block")
            });
            if word {
                return false;
            }
            if self.leaves_memory_alone(inst) {
                let number = inst.ty.scalar().is_float();
                return !number && trails.pass(id, trails.of_all(inst.arguments()));
            }
            trails.let_out(trails.of_all(inst.arguments()));
            return trails.pass(id, Origins::from([None]));
        }
        match goes_on_as(inst) {
            GoesOn::Operands(operands) => trails.pass(id, trails.of_all(operands)),
            GoesOn::Nothing => false,
            GoesOn::Anything => {
                trails.let_out(trails.of_all(&inst.operands));
                trails.pass(id, Origins::from([None]))
            }
        }
    }
}

enum GoesOn<'a> {
    /// The bits of these operands, or some of them.
    Operands(&'a [Operand]),
    Nothing,
    Anything,
}

/// What of an address is in the result of an instruction that neither touches memory nor calls.
fn goes_on_as(inst: &Inst) -> GoesOn<'_> {
    use CastOp::{AddrSpaceCast, BitCast, IntToPtr, PtrToAddr, PtrToInt, SExt, Trunc, ZExt};
    match &inst.op {
        // An offset leads to no other memory than the pointer it is added to, unless there is none.
        Op::Gep(_) if inst.operands[0].value().is_some() => GoesOn::Operands(&inst.operands[..1]),
        Op::Gep(_) | Op::Int(_) | Op::Select | Op::Freeze | Op::Attach(_) | Op::Phi { .. } => {
            GoesOn::Operands(&inst.operands)
        }
        Op::Cast(Trunc | ZExt | SExt | PtrToInt | PtrToAddr | BitCast | AddrSpaceCast) => {
            GoesOn::Operands(&inst.operands)
        }
        Op::Cast(IntToPtr) => GoesOn::Anything,
        Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. } => GoesOn::Operands(&inst.operands),
        Op::FNeg | Op::Float(_) | Op::ICmp(_) | Op::FCmp(_) | Op::Cast(_) => GoesOn::Nothing,
        _ => GoesOn::Anything,
    }
}

impl Trails {
    /// Where pointers to a place come from; that nothing is known comes from outside.
    fn ends(&self, place: &Place) -> Origins {
        let own = |id: &ValueId| self.lying.contains_key(id).then(|| Origins::from([Some(*id)]));
        let known = match place {
            Place::Param(id) | Place::Slot(id) | Place::Made(id) => own(id),
            Place::Found(id) => self.through.get(id).cloned().filter(|through| !through.is_empty()),
            Place::Returned(_) | Place::Global(_) | Place::Outside => None,
        };
        let mut ends = known.unwrap_or(Origins::from([None]));
        if ends.iter().flatten().any(|own| self.out.contains(own)) {
            ends.insert(None);
        }
        ends
    }

    fn begin(&mut self, id: ValueId) -> bool {
        self.lying.entry(id).or_default();
        self.pass(id, Origins::from([Some(id)]))
    }

    fn pass(&mut self, id: ValueId, origins: Origins) -> bool {
        let known = self.through.entry(id).or_default();
        let before = known.len();
        known.extend(origins);
        known.len() > before
    }

    fn of(&self, operand: &Operand) -> Origins {
        match operand {
            Operand::Value(id) => self.through.get(id).cloned().unwrap_or_default(),
            Operand::Const(constant) => {
                let number = matches!(constant, Constant::Int { .. } | Constant::Float { .. });
                let nothing = matches!(
                    constant,
                    Constant::Null(_) | Constant::Zero(_) | Constant::Undef(_) | Constant::Poison(_)
                );
                if number || nothing { Origins::new() } else { Origins::from([None]) }
            }
        }
    }

    fn of_all(&self, operands: &[Operand]) -> Origins {
        operands.iter().flat_map(|operand| self.of(operand)).collect()
    }

    fn read(&self, pointer: &Operand, part: &Part) -> Origins {
        let mut found = Origins::new();
        for origin in self.of(pointer) {
            let Some(own) = origin else {
                found.insert(None);
                continue;
            };
            let missed = |put: &Part| {
                put.as_ref().zip(part.as_ref()).is_some_and(|(put, read)| put.is_apart_from(read))
            };
            let lying = self.lying.get(&own).into_iter().flatten();
            found.extend(lying.filter(|(put, _)| !missed(put)).flat_map(|(_, origins)| origins));
        }
        found
    }

    fn leave(&mut self, origins: &Origins, pointer: &Operand, part: &Part) {
        if origins.is_empty() {
            return;
        }
        for origin in self.of(pointer) {
            let Some(own) = origin else {
                self.let_out(origins.clone());
                continue;
            };
            let known = self.lying.entry(own).or_default().entry(part.clone()).or_default();
            let before = known.len();
            known.extend(origins);
            self.memory_grew |= known.len() > before;
            if self.out.contains(&own) {
                self.let_out(origins.clone());
            }
        }
    }

    fn meet(&mut self, origins: Origins) {
        for own in origins.into_iter().flatten() {
            if self.met.insert(own) {
                let lying = self.lying.get(&own).into_iter().flatten();
                self.meet(lying.flat_map(|(_, origins)| origins).copied().collect());
            }
        }
    }

    fn let_out(&mut self, origins: Origins) {
        for own in origins.into_iter().flatten() {
            if self.out.insert(own) {
                self.memory_grew = true;
                let lying = self.lying.entry(own).or_default();
                lying.entry(None).or_default().insert(None);
                let all = lying.values().flatten().copied().collect();
                self.let_out(all);
            }
        }
    }
}
