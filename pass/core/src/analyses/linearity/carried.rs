//! Which values that the reverse of an iteration reads were made, in part, by other iterations?
//!
//! Function + loop + what is read → [`CarriedNeed`]s. Where there is none, every use of a carried value is linear as far as
//! derivatives are concerned, and an iteration's reverse needs its own values and what the loop was entered with.
//! This is linearity use by use (section 2.2): what counts is not whether a variable is used nonlinearly somewhere, but whether
//! this read of it, which dependence testing says may find what another iteration left, gets into a value that is needed.
//! Lattice: for each value and access of the loop, whether it is made of what another iteration left; at first none is.
//! Direction: with the flow of values. What an iteration finds that an *earlier run* of the loop left is an input.
//! Safe error: carried.
//! Does not say: whether what was read is still there later; how often the loop runs.

use std::collections::{BTreeMap, BTreeSet};

use super::reaching::Found;
use super::trace::Ground;
use crate::analyses::adjoint::uses::Uses;
use crate::analyses::exceptions::{is_guarded, is_marker};
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::dependence::finding::{Edge, Kind as EdgeKind};
use crate::dependence::nest::{Carrier, Dependences, Verdict};
use crate::model::{BlockId, Inst, LoopId, Op, Operand, Type, ValueId};

/// How a value gets from one iteration to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carried {
    /// In a phi of the header, which does not count evenly.
    Register(ValueId),
    /// Written there, read here.
    Memory { write: ValueId, read: ValueId },
}

/// A value that the reverse of an iteration reads, and that depends on another iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CarriedNeed {
    pub value: ValueId,
    /// The instruction whose reverse reads it, or the branch that has to be taken again.
    pub reader: ValueId,
    pub carried: Carried,
}

/// A value, and the instruction whose reverse reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    pub value: ValueId,
    pub reader: ValueId,
}

/// What of a loop's iteration is made of what other iterations left.
pub struct Iteration<'i, 'b, 'a> {
    ground: &'i Ground<'b, 'a>,
    dependences: &'i Dependences<'a>,
    of: LoopId,
    values: BTreeMap<ValueId, Carried>,
    touches: BTreeMap<TouchId, Carried>,
}

/// The needs among those given that another iteration has a part in, in their order.
pub fn find_carried_needs<'a>(
    ground: &Ground<'_, 'a>,
    dependences: &Dependences<'a>,
    of: LoopId,
    needs: impl IntoIterator<Item = Need>,
) -> Vec<CarriedNeed> {
    let iteration = Iteration::of(ground, dependences, of);
    let needs = needs.into_iter().filter_map(|Need { value, reader }| {
        let carried = iteration.carried(value).or_else(|| iteration.carried_into(value, reader))?;
        Some(CarriedNeed { value, reader, carried })
    });
    needs.collect()
}

/// What the reverse of an iteration reads: operands of partial derivatives, addresses, and the conditions of the branches
/// inside that decide about instructions with a derivative. Leaving the loop is not among them.
pub fn needs_of_loop(ground: &Ground, uses: &Uses, of: LoopId) -> BTreeSet<Need> {
    let body = ground.body;
    let mut needs = BTreeSet::new();
    let inside =
        body.insts().filter(|(id, _)| body.nesting.home(*id).is_some_and(|at| body.nesting.encloses(of, at)));
    for (id, inst) in inside.filter(|(id, _)| uses.has_adjoint(*id)) {
        let own = (uses.reads_result(id) || uses.touches_of(id).next().is_some()).then_some(id);
        let values = uses.values_of(id).chain(own);
        needs.extend(values.map(|value| Need { value, reader: id }));
        let Some(block) = body.nesting.home(id) else { continue };
        let entering = match inst.op {
            Op::Phi { .. } => ground.steering.of_entering(block),
            _ => ground.steering.of_running(block),
        };
        let conditions = entering.iter().filter(|value| decides_inside(body, of, **value));
        needs.extend(conditions.map(|value| Need { value: *value, reader: id }));
    }
    needs
}

/// Whether branches on a value lead from somewhere in the loop to somewhere in it, whatever comes out.
fn decides_inside(body: &Body, of: LoopId, value: ValueId) -> bool {
    let exiting = &body.function.loops[of.0 as usize].exiting;
    let reads = |block: &BlockId| {
        let end = body.function.terminator(*block).and_then(|id| body.function.inst(id));
        end.is_some_and(|end| end.operands.contains(&Operand::Value(value)))
    };
    let mut branches = body.blocks().filter(|block| body.nesting.encloses(of, *block) && reads(block));
    branches.any(|block| !exiting.contains(&block))
}

impl<'i, 'b, 'a> Iteration<'i, 'b, 'a> {
    pub fn of(
        ground: &'i Ground<'b, 'a>,
        dependences: &'i Dependences<'a>,
        of: LoopId,
    ) -> Iteration<'i, 'b, 'a> {
        let (values, touches) = (BTreeMap::new(), BTreeMap::new());
        let mut iteration = Iteration { ground, dependences, of, values, touches };
        for id in registers(&dependences.verdicts[of.0 as usize]) {
            iteration.values.insert(id, Carried::Register(id));
        }
        let blocks: Vec<BlockId> = ground.body.flow().dominator_order();
        let inside: Vec<BlockId> = blocks.into_iter().filter(|block| iteration.is_inside(*block)).collect();
        while inside.iter().fold(false, |grew, block| iteration.run_block(*block) | grew) {}
        iteration
    }

    /// How another iteration got into a value of this one, if one did.
    pub fn carried(&self, value: ValueId) -> Option<Carried> {
        self.values.get(&value).copied()
    }

    /// The same of what an instruction reads in memory, where that is what is needed.
    fn carried_into(&self, value: ValueId, reader: ValueId) -> Option<Carried> {
        let mut reads = self.ground.body.touches_of(reader, Kind::Read).filter(|_| value == reader);
        reads.find_map(|read| self.touches.get(&read).copied())
    }

    fn is_inside(&self, block: BlockId) -> bool {
        self.ground.body.nesting.encloses(self.of, block)
    }

    fn run_block(&mut self, block: BlockId) -> bool {
        let body = self.ground.body;
        let mut grew = false;
        for id in &body.function.block(block).insts {
            let Some(inst) = body.function.inst(*id) else { continue };
            for read in body.touches_of(*id, Kind::Read).collect::<Vec<_>>() {
                if !self.touches.contains_key(&read)
                    && let Some(carried) = self.found(*id, read)
                {
                    self.touches.insert(read, carried);
                    grew = true;
                }
            }
            if !self.values.contains_key(id)
                && let Some(carried) = self.computed(block, *id, inst)
            {
                self.values.insert(*id, carried);
                grew = true;
            }
            for write in body.touches_of(*id, Kind::Write).collect::<Vec<_>>() {
                if !self.touches.contains_key(&write)
                    && let Some(carried) = self.left(block, *id, inst)
                {
                    self.touches.insert(write, carried);
                    grew = true;
                }
            }
        }
        grew
    }

    fn any<'v>(&self, values: impl IntoIterator<Item = &'v ValueId>) -> Option<Carried> {
        values.into_iter().find_map(|value| self.carried(*value))
    }

    fn computed(&self, block: BlockId, id: ValueId, inst: &Inst) -> Option<Carried> {
        let body = self.ground.body;
        if inst.ty == Type::Void {
            return None;
        }
        // What comes from outside the loop, or from the iteration before, is what it is.
        let header = body.function.loops[self.of.0 as usize].header;
        if matches!(inst.op, Op::Phi { .. }) && block == header {
            return None;
        }
        if inst.callee_name().is_some_and(is_marker) {
            return self.thrown();
        }
        let chosen = match inst.op {
            Op::Phi { .. } => self.decided(self.ground.steering.of_entering(block)),
            _ => None,
        };
        self.made_of(id, inst).or(chosen)
    }

    /// Its operands, and what it reads.
    fn made_of(&self, id: ValueId, inst: &Inst) -> Option<Carried> {
        let operands: Vec<ValueId> = inst.operands.iter().filter_map(Operand::value).collect();
        let mut reads = self.ground.body.touches_of(id, Kind::Read);
        self.any(&operands).or_else(|| reads.find_map(|read| self.touches.get(&read).copied()))
    }

    /// Whether calls throw, and what, is decided by all that they are given and find.
    fn thrown(&self) -> Option<Carried> {
        let mut guarded = self.ground.body.insts().filter(|(_, inst)| is_guarded(inst));
        guarded.find_map(|(id, inst)| self.made_of(id, inst))
    }

    fn left(&self, block: BlockId, id: ValueId, inst: &Inst) -> Option<Carried> {
        self.made_of(id, inst).or_else(|| self.decided(self.ground.steering.of_running(block)))
    }

    /// By conditions inside. That the iteration takes place goes without saying.
    fn decided(&self, conditions: &BTreeSet<ValueId>) -> Option<Carried> {
        self.any(conditions.iter().filter(|value| decides_inside(self.ground.body, self.of, **value)))
    }

    /// What a read finds.
    fn found(&self, id: ValueId, read: TouchId) -> Option<Carried> {
        let body = self.ground.body;
        let found = self.ground.reaching.found(read).iter();
        found.filter(|found| body.is_inside(found.write, self.of)).find_map(|Found { write, level }| {
            let writer = body.touch(*write).inst()?;
            let depth = body.nesting.depth(self.of);
            let across = Carried::Memory { write: writer, read: id };
            if body.nesting.is_wild() {
                return Some(across);
            }
            // Of earlier runs of the loop it is an input.
            match *level {
                level if level + 1 == depth && self.crosses(writer, id) => Some(across),
                level if level >= depth && self.stays(writer, id) => self.touches.get(write).copied(),
                _ => None,
            }
        })
    }

    /// Whether an iteration may find what another has written.
    fn crosses(&self, write: ValueId, read: ValueId) -> bool {
        self.flows(write, read, &|edge, level| edge.vector.carried.contains(&level))
    }

    /// Whether an iteration may find what it has itself written.
    fn stays(&self, write: ValueId, read: ValueId) -> bool {
        self.flows(write, read, &|edge, level| {
            edge.vector.within || edge.vector.carried.iter().any(|carried| *carried > level)
        })
    }

    /// Whether there is such a dependence, as far as testing says.
    fn flows(&self, write: ValueId, read: ValueId, is_such: &dyn Fn(&Edge, usize) -> bool) -> bool {
        let found = self.dependences;
        let inst = |at: usize| found.accesses.list[at].inst;
        // Two runs of one instruction, which reads and writes: that is not asked.
        if write == read {
            return true;
        }
        let mut tested = found.pairs.iter().filter(|pair| {
            let both = (inst(pair.first), inst(pair.second));
            both == (write, read) || both == (read, write)
        });
        let Some(pair) = tested.next() else { return true };
        let Some(level) = pair.common.iter().position(|common| *common == self.of) else { return true };
        // What both reads and writes has its dependences called output, whatever it reads.
        let mut flows = pair.edges.iter().filter(|edge| {
            inst(edge.from) == write && matches!(edge.kind, EdgeKind::Flow | EdgeKind::Output)
        });
        flows.any(|edge| is_such(edge, level))
    }
}

/// The values handed on in registers.
fn registers(verdict: &Verdict) -> Vec<ValueId> {
    let carriers = match verdict {
        Verdict::Parallel => return Vec::new(),
        Verdict::Vectorisable { carried, .. } | Verdict::Carried(carried) => carried,
    };
    let register = |carrier: &Carrier| match carrier {
        Carrier::Register(id) => Some(*id),
        Carrier::Memory { .. } | Carrier::Ordered(_) | Carrier::Control | Carrier::TooManyPairs => None,
    };
    carriers.iter().filter_map(register).collect()
}

/// What a loop hands from one iteration to the next, in registers and in memory, of use or not.
pub fn carried_by_loop<'a>(
    ground: &Ground<'_, 'a>,
    dependences: &Dependences<'a>,
    of: LoopId,
) -> BTreeSet<Carried> {
    let iteration = Iteration::of(ground, dependences, of);
    let registers = registers(&dependences.verdicts[of.0 as usize]).into_iter().map(Carried::Register);
    let memory =
        iteration.touches.values().copied().filter(|carried| matches!(carried, Carried::Memory { .. }));
    registers.chain(memory).collect()
}
