//! What carries a derivative: values that are varied and useful, and writes to memory whose adjoint has to be moved.
//!
//! Varied ∩ useful, value by value and instruction by instruction: memory is followed place by place and in order, so
//! that a buffer is active only between an active write and a useful read.
//! `analyses::activity` beside it answers another question, which memory needs a shadow at all; there order does not
//! count, since a shadow lives as long as what it shadows. What is active here is active there.
//! Safe error: active.

use std::collections::BTreeSet;

use super::useful::{Outputs, Useful, find_useful};
use super::varied::{Inputs, Varied, find_varied};
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::Kind;
use crate::analyses::summary::{Input, Output};
use crate::model::{Inst, Op, ValueId};

pub struct Active<'b, 'a> {
    pub varied: Varied<'b, 'a>,
    pub useful: Useful<'b, 'a>,
    values: BTreeSet<ValueId>,
    adjoints: BTreeSet<ValueId>,
}

pub fn find_active<'b, 'a>(body: &'b Body<'a>, inputs: &'b Inputs, outputs: &'b Outputs) -> Active<'b, 'a> {
    let (varied, useful) = (find_varied(body, inputs), find_useful(body, outputs));
    let both = |id: &ValueId| varied.is_varied(*id) && useful.is_useful(*id);
    let insts = body.insts().map(|(id, _)| id);
    let values: BTreeSet<ValueId> = body.function.param_ids().chain(insts).filter(both).collect();
    let adjoints = values.iter().copied().filter(|id| body.function.inst(*id).is_some()).collect();
    let mut active = Active { varied, useful, values, adjoints };
    let writes = active.find_writes(body);
    active.adjoints.extend(writes);
    active
}

impl Active<'_, '_> {
    pub fn is_active(&self, id: ValueId) -> bool {
        self.values.contains(&id)
    }

    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.values.iter().copied()
    }

    /// Whether the reverse sweep has something to do for an instruction.
    pub fn has_adjoint(&self, id: ValueId) -> bool {
        self.adjoints.contains(&id)
    }

    /// Writes of memory that is useful after them: what is varied in it gets its adjoint from there, and what varied
    /// before is cut off by them.
    fn find_writes(&self, body: &Body) -> BTreeSet<ValueId> {
        let mut wanted = BTreeSet::new();
        for block in body.blocks() {
            self.useful.replay(block, &mut |id, _, _, after| {
                let mut writes = body.touches_of(id, Kind::Write);
                if writes.any(|write| body.meets_any(write, Kind::Read, after)) {
                    wanted.insert(id);
                }
            });
        }
        let mut found = BTreeSet::new();
        for block in body.blocks() {
            self.varied.replay(block, &mut |id, inst, before, after| {
                let fresh = |write| after.contains(body.elements.fresh(write));
                let cuts = |write| body.meets_any(write, Kind::Write, before);
                let mut writes = body.touches_of(id, Kind::Write);
                if wanted.contains(&id) && writes.any(|write| fresh(write) || cuts(write))
                    || self.has_active_call(body, id, inst)
                {
                    found.insert(id);
                }
            });
        }
        found
    }

    /// Whether a call of unknown code gets varied content and what it does is useful.
    fn has_active_call(&self, body: &Body, id: ValueId, inst: &Inst) -> bool {
        let unknown = inst.op.call().is_some() && body.callee(inst).is_none();
        unknown && matches!(inst.op, Op::Call(_) | Op::Invoke { .. }) && self.is_active(id)
    }

    /// The active inputs and outputs of a function that a call passes.
    pub fn at_call(&self, body: &Body, id: ValueId, inst: &Inst) -> (BTreeSet<Input>, BTreeSet<Output>) {
        let (mut inputs, mut outputs) = (BTreeSet::new(), BTreeSet::new());
        for (at, argument) in inst.arguments().iter().enumerate() {
            if argument.value().is_some_and(|value| self.varied.is_varied(value)) {
                inputs.insert(Input::Param(at));
            }
        }
        let Some(block) = body.nesting.home(id) else { return (inputs, outputs) };
        self.varied.replay(block, &mut |at, _, before, _| {
            // What varies where the callee only writes is cut off by it.
            let touches = body.touches_of(id, Kind::Read).chain(body.touches_of(id, Kind::Write));
            for touch in touches.filter(|_| at == id) {
                if body.meets_any(touch, Kind::Write, before) {
                    inputs.extend(body.touch(touch).place.map(Input::Place));
                }
            }
        });
        if self.useful.is_useful(id) {
            outputs.insert(Output::Result);
        }
        self.useful.replay(block, &mut |at, _, _, after| {
            for write in body.touches_of(id, Kind::Write).filter(|_| at == id) {
                if body.meets_any(write, Kind::Read, after) {
                    outputs.extend(body.touch(write).place.map(Output::Place));
                }
            }
        });
        (inputs, outputs)
    }
}
