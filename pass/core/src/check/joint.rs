//! A call that runs twice reads, the second time, what it read the first time, and leaves memory as it has found it.
//!
//! Asked of each instruction of the callee, on the paths that control takes, and not of what decides it.

use std::collections::BTreeSet;

use super::Proof;
use super::fault::Obligation;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use crate::model::{
    BlockId, Clobber, Function, Inst, IntOp, Layout, Linkage, LoopId, Op, Operand, Ordering, Scev, ValueId,
};
use crate::plan::Joint;
use crate::plan::joint::{Memory, Runs, Touch, Way};
use crate::request::Mode;
use crate::rules::CalleeRule;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Written,
}

impl Proof<'_> {
    pub(super) fn check_joint(&mut self, joint: &Joint) {
        let mut wrong = Vec::new();
        for (id, inst) in self.live_insts() {
            wrong.extend(
                self.find_fault(joint, id, inst).map(|fault| format!("{}: {fault}", self.describe(id))),
            );
        }
        for place in &joint.places {
            let Memory::Param(param, touches) = &place.memory else {
                wrong.extend(place.fill.map(|_| "nothing says what fills a global".into()));
                continue;
            };
            let unfilled = place.fill.and_then(|fill| self.find_unfilled(*param, touches, fill));
            wrong.extend(unfilled.map(|fault| format!("%{} is not saved: {fault}", param.0)));
            for touch in touches {
                wrong.extend(
                    self.find_uncertain(touch)
                        .map(|fault| format!("%{}, behind %{}: {fault}", touch.id.0, param.0)),
                );
            }
        }
        let (half, other) = (&self.plan.request, &joint.gradient);
        let alike = half.arguments.len() == other.arguments.len()
            && half.globals == other.globals
            && half.width == other.width
            && half.arguments.iter().zip(&other.arguments).all(|(half, other)| {
                half.activity.has_shadow() == other.activity.has_shadow()
                    && half.activity.is_active() == other.activity.is_active()
            });
        if !alike {
            wrong.push("the gradient is of another kind than the half".into());
        }
        wrong.into_iter().for_each(|fault| self.report(Obligation::Joint, fault));
    }

    /// That nobody overwrites, from such a call on, what its second run is to find as it was.
    pub(super) fn check_steady(&mut self) {
        let mut wrong = Vec::new();
        for (call, planned) in &self.plan.calls {
            let steady = &planned.request.steady;
            if !steady.is_empty() && self.plan.request.mode != Mode::Gradient {
                wrong.push(format!("{} is between halves, where anybody may write", self.describe(*call)));
            }
            let Some(inst) = self.function.inst(*call) else { continue };
            for argument in steady {
                let places = inst.arguments().get(*argument).map(|x| self.places.lead(x)).unwrap_or_default();
                let lost = places.is_empty() || places.iter().any(|place| !self.is_alive_at_the_end(place));
                let writers = self.writers_from(*call);
                let writer = writers.into_iter().find(|writer| self.may_change(*writer, &places));
                if let Some(writer) = writer.or(lost.then_some(*call)) {
                    let (call, writer) = (self.describe(*call), self.describe(writer));
                    wrong.push(format!(
                        "{writer} may overwrite what {call} reads again behind argument {argument}"
                    ));
                }
            }
        }
        wrong.into_iter().for_each(|fault| self.report(Obligation::Joint, fault));
    }

    /// Whether an instruction may change some memory, calls by what their bodies do.
    fn may_change(&self, id: ValueId, places: &BTreeSet<Place>) -> bool {
        let Some(inst) = self.function.inst(id) else { return true };
        let followed = inst.callee_name().is_some_and(|name| self.program.is_followed(name));
        let Some(reach) = self.reach_of(inst).filter(|_| followed) else {
            return self.may_overwrite(inst, places);
        };
        let given = reach.params.iter().filter_map(|at| inst.arguments().get(*at));
        let mut written: BTreeSet<Place> = given.flat_map(|x| self.places.lead(x)).collect();
        written.extend(reach.written.into_iter().map(Place::Global));
        reach.leaves
            || reach.unfollowed
            || written.contains(&Place::Outside)
            || places.iter().any(|a| written.iter().any(|b| self.may_be_one(a, b)))
    }

    /// What is wrong with running one instruction twice, if anything.
    fn find_fault(&self, joint: &Joint, id: ValueId, inst: &Inst) -> Option<String> {
        match &inst.op {
            Op::Load(access) | Op::Store(access)
                if access.volatile || access.ordering != Ordering::NotAtomic =>
            {
                Some("others may touch it meanwhile".into())
            }
            Op::Load(_) => self.find_missing(joint, id, &inst.operands[0], Access::Read),
            Op::Store(_) => {
                let kept = self.function.operand_type(&inst.operands[0]).holds_pointer()
                    && self.places.lead(&inst.operands[1]).iter().any(outlives);
                let kept = kept.then(|| "it leaves a pointer behind".to_string());
                kept.or_else(|| self.find_missing(joint, id, &inst.operands[1], Access::Written))
            }
            Op::Call(_) => self.find_fault_of_call(joint, id, inst),
            Op::AtomicRmw { .. }
            | Op::CompareExchange { .. }
            | Op::Fence { .. }
            | Op::VaArg
            | Op::Invoke { .. }
            | Op::LandingPad { .. }
            | Op::Resume
            | Op::CallBr { .. }
            | Op::Opaque { .. } => Some("it does more than compute".into()),
            _ => None,
        }
    }

    fn find_fault_of_call(&self, joint: &Joint, id: ValueId, inst: &Inst) -> Option<String> {
        let own = |pointer: &Operand| !self.places.lead(pointer).iter().any(outlives);
        let name = inst.callee_name().unwrap_or_default();
        match memory_call(inst) {
            Some(MemoryCall::Copy) => {
                let written = self.find_missing(joint, id, &inst.operands[0], Access::Written);
                return written.or_else(|| self.find_missing(joint, id, &inst.operands[1], Access::Read));
            }
            Some(MemoryCall::Fill) => {
                return self.find_missing(joint, id, &inst.operands[0], Access::Written);
            }
            Some(MemoryCall::Free) => {
                let freed =
                    inst.arguments().iter().all(|x| !self.function.operand_type(x).is_pointer() || own(x));
                return (!freed).then(|| "it frees what it has not made".into());
            }
            Some(_) => return None,
            None => {}
        }
        let quiet = ["llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias"];
        if quiet.iter().any(|known| name.starts_with(known)) {
            return None;
        }
        let numbers = ["llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin."];
        let known = numbers.iter().any(|known| name.starts_with(known))
            || matches!(self.rules.lookup_callee(name), CalleeRule::Row(_) | CalleeRule::Reduction(_));
        let pointers = inst.arguments().iter().filter(|x| self.function.operand_type(x).holds_pointer());
        let with_body = self.program.function(name).is_some_and(|callee| !callee.is_declaration());
        (!known || with_body || !pointers.into_iter().all(own)).then(|| "who is called is not known".into())
    }

    /// What is touched through a pointer and is not among the places.
    fn find_missing(&self, joint: &Joint, id: ValueId, pointer: &Operand, way: Access) -> Option<String> {
        for place in self.places.lead(pointer) {
            let found = match &place {
                Place::Slot(_) | Place::Made(_) => true,
                Place::Param(param) if self.plan.request.steady.contains(&(param.0 as usize)) => {
                    way == Access::Read
                }
                Place::Param(param) => joint.places.iter().any(|known| match &known.memory {
                    Memory::Param(at, touches) if at == param => {
                        let alike = |touch: &Touch| (touch.way == Way::Read) == (way == Access::Read);
                        let told = touches
                            .iter()
                            .any(|touch| touch.id == id && alike(touch) && self.is_as_told(touch));
                        told && (known.read || way == Access::Written)
                    }
                    _ => false,
                }),
                Place::Global(name) => {
                    let global = self.program.global(name);
                    let bytes = global
                        .filter(|global| !global.thread_local && global.linkage != Linkage::Declared)
                        .and_then(|global| Layout::parse(&self.program.layout).size_of(&global.ty));
                    global.is_some_and(|global| global.constant)
                        || joint.places.iter().any(|known| match &known.memory {
                            Memory::Global(at, size) => {
                                at == name && Some(*size) == bytes && (known.read || way == Access::Written)
                            }
                            _ => false,
                        })
                }
                Place::Found(_) | Place::Returned(_) | Place::Outside => false,
            };
            if !found {
                return Some(format!("{place:?} is not among the places that are put back"));
            }
        }
        None
    }

    /// Whether an access touches what is said of it.
    fn is_as_told(&self, touch: &Touch) -> bool {
        let Some(inst) = self.function.inst(touch.id) else { return false };
        let layout = Layout::parse(&self.program.layout);
        match inst.op {
            Op::Load(_) | Op::Store(_) => {
                let fact = self.function.memory.get(&touch.id).and_then(|fact| fact.address.as_ref());
                let bytes = self.function.accessed_type(inst).and_then(|ty| layout.size_of(&ty));
                let length = bytes.map(|bytes| Scev::Const { bits: 64, value: i128::from(bytes) });
                fact == Some(&touch.address) && length.as_ref() == Some(&touch.length)
            }
            _ => match (&inst.operands[2], &touch.length) {
                (Operand::Const(constant), Scev::Const { value, .. }) => constant.as_signed() == Some(*value),
                (operand, Scev::Value(known)) => operand == known,
                _ => false,
            },
        }
    }

    /// What stands in the way of coming to both ends of what an access touches, where that is said.
    fn find_uncertain(&self, touch: &Touch) -> Option<String> {
        let mut values = Vec::new();
        collect_values(self.function, &touch.address, &mut values);
        collect_values(self.function, &touch.length, &mut values);
        let home = self.paths.home(touch.id)?;
        if !self.asks_before(home, &touch.asked) {
            return Some("a loop asks elsewhere whether there is another pass".into());
        }
        let Runs::Where(tests) = &touch.runs else {
            return self.find_unknown(values).map(|late| format!("%{} is not known on entry", late.0));
        };
        values.extend(tests.iter().map(|test| test.value));
        let asked = touch.asked.iter().map(|of| &self.function.loops[of.0 as usize]);
        for turns in asked.filter_map(|around| around.back_edges.as_ref()) {
            collect_values(self.function, turns, &mut values);
        }
        if let Some(late) = self.find_unknown(values) {
            return Some(format!("%{} is not known on entry", late.0));
        }
        let Some(loops) = counters_of(self.function, &touch.address) else {
            return Some("no pass need come to the ends of what it touches".into());
        };
        if counters_of(self.function, &touch.length).is_none_or(|moving| !moving.is_empty()) {
            return Some("its length changes from pass to pass".into());
        }
        // Whoever comes to such a header before the first pass goes in.
        let entered: Vec<BlockId> = touch
            .asked
            .iter()
            .map(|of| &self.function.loops[of.0 as usize])
            .filter(|around| {
                around
                    .back_edges
                    .as_ref()
                    .is_some_and(|turns| counters_of(self.function, turns).is_some_and(|x| x.is_empty()))
            })
            .map(|around| around.header)
            .collect();
        let returns = |block: &BlockId| {
            self.function
                .terminator(*block)
                .and_then(|id| self.function.inst(id))
                .is_some_and(|last| last.op == Op::Ret)
        };
        if self.reach_past(BlockId(0), home, (tests, &entered), None).iter().any(returns) {
            return Some("control may return without coming there".into());
        }
        for of in loops {
            let around = &self.function.loops[of.0 as usize];
            let inside: BTreeSet<BlockId> = around.blocks.iter().copied().collect();
            let past = self.reach_past(around.header, home, (tests, &entered), Some(&inside));
            let leaves = |block: &BlockId| {
                let out = self.function.successors(*block).iter().any(|to| !inside.contains(to));
                around.latches.contains(block) || out && !entered.contains(block)
            };
            if past.iter().any(leaves) {
                return Some("a pass may end without coming there".into());
            }
        }
        None
    }

    /// Whether loops around a block are left at their headers alone, which come before it.
    fn asks_before(&self, home: BlockId, asked: &[LoopId]) -> bool {
        asked.iter().map(|of| &self.function.loops[of.0 as usize]).all(|around| {
            let inside = |block: &BlockId| around.blocks.contains(block);
            let leaves = |block: &BlockId| self.function.successors(*block).iter().any(|to| !inside(to));
            home != around.header
                && inside(&home)
                && around.blocks.iter().all(|x| !leaves(x) || *x == around.header)
        })
    }

    /// A value that cannot be computed where the function is entered.
    fn find_unknown(&self, values: Vec<ValueId>) -> Option<ValueId> {
        let (mut seen, mut waiting) = (BTreeSet::new(), values);
        while let Some(id) = waiting.pop() {
            let Some(inst) = self.function.inst(id).filter(|_| seen.insert(id)) else { continue };
            let fact = self.function.memory.get(&id);
            let computes = match &inst.op {
                Op::Int(IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem) => {
                    matches!(&inst.operands[1], Operand::Const(by) if by.as_signed().is_some_and(|by| by > 0))
                }
                Op::Int(_) | Op::ICmp(_) | Op::Select | Op::Freeze | Op::Cast(_) | Op::Gep(_) => true,
                // As it was on entry, and read whatever happens.
                Op::Load(_) => {
                    self.paths.home(id) == Some(BlockId(0))
                        && fact.is_some_and(|fact| fact.clobber == Some(Clobber::Entry))
                }
                Op::Call(_) => inst.callee_name().is_some_and(|name| {
                    ["llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin."]
                        .iter()
                        .any(|x| name.starts_with(x))
                }),
                _ => false,
            };
            if !computes {
                return Some(id);
            }
            waiting.extend(inst.operands.iter().filter_map(Operand::value));
        }
        None
    }
}

fn outlives(place: &Place) -> bool {
    !matches!(place, Place::Slot(_) | Place::Made(_))
}

/// The instructions in an expression, and in the numbers of passes of the loops in it.
fn collect_values(function: &Function, scev: &Scev, values: &mut Vec<ValueId>) {
    let mut loops = Vec::new();
    scev.walk(&mut |inner| match inner {
        Scev::Value(Operand::Value(id)) => values.push(*id),
        Scev::Rec { of, .. } => loops.push(*of),
        _ => {}
    });
    for turns in loops.iter().filter_map(|of| function.loops[of.0 as usize].back_edges.as_ref()) {
        collect_values(function, turns, values);
    }
}

/// The loops with whose passes an expression goes one way or the other, each on its own; `None` where that is not so.
pub(super) fn counters_of(function: &Function, scev: &Scev) -> Option<BTreeSet<LoopId>> {
    let of = |scev: &Scev| counters_of(function, scev);
    let still = |scev: &Scev| of(scev).filter(BTreeSet::is_empty);
    match scev {
        Scev::Const { .. } | Scev::Value(_) => Some(BTreeSet::new()),
        Scev::Rec { start, step, of: counted, .. } => {
            still(step)?;
            still(function.loops[counted.0 as usize].back_edges.as_ref()?)?;
            let mut loops = of(start)?;
            loops.insert(*counted).then_some(loops)
        }
        Scev::Add(_, terms) | Scev::Mul(_, terms) => {
            let all: Vec<BTreeSet<LoopId>> = terms.iter().map(of).collect::<Option<_>>()?;
            let mut moving = all.into_iter().filter(|loops| !loops.is_empty());
            let first = moving.next().unwrap_or_default();
            moving.next().is_none().then_some(first)
        }
        Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) => of(x),
        Scev::SMax(terms) | Scev::SMin(terms) | Scev::UMax(terms) | Scev::UMin(terms) => {
            terms.iter().try_for_each(|term| still(term).map(drop))?;
            Some(BTreeSet::new())
        }
        Scev::UDiv(..) | Scev::PtrToInt(..) | Scev::Unknown => None,
    }
}
