//! The derivative of a run, as models 1.7 and 1.11 make it, with nothing but what the facts keep and save.
//!
//! Facts + trace → the first thing that goes wrong. The forward sweep runs the live instructions only and saves what the
//! facts say; the reverse sweep restores it and reads what the derivative instructions need, each from where the facts say
//! it is. Every value read must be, to the last bit, what it was in the run. At the end memory may differ from what it was
//! at the start only where the facts say so.

use std::collections::BTreeSet;

use backsweep_core::analyses::adjoint::study::{Facts, Setting, Study};
use backsweep_core::analyses::memory::address::Span;
use backsweep_core::analyses::memory::element::Element;
use backsweep_core::analyses::memory::touch::{Kind, TouchId};
use backsweep_core::analyses::pointers::Base;
use backsweep_core::model::{Op, Operand, ValueId};

use crate::machine::{Cell, Frame, Memory, Step, Trace, Value, run};
use crate::needs::Need;

/// One derivative of one run of a function.
pub struct Sweep<'s, 'f, 'b, 'a> {
    pub study: &'s Study<'b, 'a>,
    pub facts: &'s Facts<'f, 'a>,
    pub setting: &'s Setting,
    pub trace: &'s Trace<'a>,
    pub needs: &'s [Need],
}

/// What was saved before a step, and what of the arguments was there.
#[derive(Default)]
struct Saved {
    value: Option<Value>,
    cells: Vec<(Cell, Value)>,
    snapshot: Vec<(Cell, Value)>,
}

type Outcome<T> = Result<T, String>;

impl<'a> Sweep<'_, '_, '_, 'a> {
    /// Forward and back on memory, which may hold anything where nothing is read.
    pub fn check(&self, arguments: &[Value], memory: &mut Memory) -> Outcome<()> {
        let start = memory.clone();
        let function = self.trace.function;
        let size = function.params.len() + function.insts.len();
        let mut frame = Frame {
            program: self.study.bodies.program,
            function,
            env: vec![Value::Spoiled; size],
            arguments,
        };
        let mut tape = Vec::new();
        let mut phis = Vec::new();
        for step in &self.trace.steps {
            if !matches!(step.inst.op, Op::Phi { .. }) {
                phis.drain(..).for_each(|(id, value)| frame.env[id] = value);
            }
            // Objects have the numbers that they had in the run.
            if memory.0.len() < step.objects {
                memory.0.resize(step.objects, Vec::new());
            }
            tape.push(self.forward(step, &mut frame, memory, &mut phis)?);
        }
        self.check_kept(&frame, memory)?;
        for ((step, need), saved) in self.trace.steps.iter().zip(self.needs).zip(tape).rev() {
            self.reverse(step, need, saved, &mut frame, memory)?;
        }
        self.check_overwritten(&frame, &start, memory)
    }

    fn forward(
        &self,
        step: &Step<'a>,
        frame: &mut Frame<'a, '_>,
        memory: &mut Memory,
        phis: &mut Vec<(usize, Value)>,
    ) -> Outcome<Saved> {
        let mut saved = Saved::default();
        if let (Op::Alloca(alloca), Value::Pointer { object, .. }) = (&step.inst.op, step.result) {
            if memory.0.len() <= object {
                memory.0.resize(object + 1, Vec::new());
            }
            memory.0[object] = vec![Value::Spoiled; alloca.bytes.div_ceil(8) as usize];
        }
        if !self.facts.live.is_live(step.id) {
            return Ok(saved);
        }
        let fact = self.facts.recorded.saved(step.id);
        if fact.is_some_and(|fact| fact.value) {
            saved.value = Some(frame.env[step.id.0 as usize]);
        }
        saved.cells = self.save_cells(step, frame, memory)?;
        let operands: Vec<Value> = step.inst.operands.iter().map(|x| frame.value(x)).collect();
        match &step.inst.op {
            Op::Phi { .. } => {
                let value = frame.value(&step.inst.operands[step.arrived]);
                phis.push((step.id.0 as usize, value));
            }
            Op::CondBr { .. } if !operands[0].same(step.operands[0]) => {
                return Err(format!("{} branches on what is not there", self.line(step.id)));
            }
            Op::Ret | Op::Br { .. } | Op::CondBr { .. } => {}
            Op::Alloca(_) => frame.env[step.id.0 as usize] = step.result,
            _ if step.inner.is_some() => {
                saved.snapshot = self.snapshot(step.id, frame, memory);
                self.forward_call(step, operands, frame, memory);
            }
            _ => {
                let done = frame
                    .execute(step.id, step.inst, operands, memory)
                    .map_err(|fault| format!("{} is live and cannot run: {fault:?}", self.line(step.id)))?;
                frame.env[step.id.0 as usize] = done.result;
            }
        }
        Ok(saved)
    }

    /// Runs a called function on what is there. Where that is not enough to run it, nothing it makes is there.
    fn forward_call(
        &self,
        step: &Step<'a>,
        operands: Vec<Value>,
        frame: &mut Frame<'a, '_>,
        memory: &mut Memory,
    ) {
        let before = memory.clone();
        match frame.execute(step.id, step.inst, operands, memory) {
            Ok(done) => frame.env[step.id.0 as usize] = done.result,
            Err(_) => {
                *memory = before;
                frame.env[step.id.0 as usize] = Value::Spoiled;
                for (cell, _) in &step.written {
                    memory.set(*cell, Value::Spoiled);
                }
            }
        }
    }

    fn save_cells(&self, step: &Step, frame: &Frame, memory: &Memory) -> Outcome<Vec<(Cell, Value)>> {
        let Some(fact) = self.facts.recorded.saved(step.id).filter(|fact| !fact.memory.is_empty()) else {
            return Ok(Vec::new());
        };
        let cells: BTreeSet<Cell> = if step.inner.is_some() {
            fact.memory.iter().flat_map(|touch| self.cells_of(*touch, frame, memory)).collect()
        } else {
            // An address that is saved from is computed by live instructions.
            let known = step.inst.operands.iter().zip(&step.operands).all(|(operand, value)| {
                !matches!(value, Value::Pointer { .. } | Value::Int(_)) || frame.value(operand).same(*value)
            });
            if !known {
                return Err(format!("{} saves from an address that is not there", self.line(step.id)));
            }
            step.written.iter().map(|(cell, _)| *cell).collect()
        };
        Ok(cells.into_iter().map(|cell| (cell, memory.get(cell))).collect())
    }

    fn snapshot(&self, call: ValueId, frame: &Frame, memory: &Memory) -> Vec<(Cell, Value)> {
        let touches = self.facts.written.snapshot(call);
        let cells: BTreeSet<Cell> =
            touches.into_iter().flat_map(|touch| self.cells_of(touch, frame, memory)).collect();
        cells.into_iter().map(|cell| (cell, memory.get(cell))).collect()
    }

    fn reverse(
        &self,
        step: &Step<'a>,
        need: &Need,
        mut saved: Saved,
        frame: &mut Frame<'a, '_>,
        memory: &mut Memory,
    ) -> Outcome<()> {
        let own = frame.env[step.id.0 as usize];
        if self.facts.uses.reads_result(step.id) && need.active && !own.same(step.result) {
            return Err(format!("{} reads its own result, which is gone", self.line(step.id)));
        }
        if self.facts.live.is_live(step.id) && saved.value.is_some() {
            frame.env[step.id.0 as usize] = saved.value.unwrap_or(Value::Spoiled);
        }
        if self.facts.uses.reruns(step.id) {
            if !self.facts.live.is_live(step.id) {
                saved.cells = self.save_cells(step, frame, memory)?;
            }
            restore(&saved.snapshot, memory);
            self.rerun(step, need, frame, memory)?;
        }
        restore(&saved.cells, memory);
        if need.active {
            if !self.facts.uses.has_adjoint(step.id) {
                return Err(format!("{} is active and has no derivative", self.line(step.id)));
            }
            if step.result.is_varied() && !self.facts.active.is_active(step.id) && step.inner.is_none() {
                return Err(format!("{} is active in this run", self.line(step.id)));
            }
        }
        let reads: BTreeSet<Element> = self.facts.recorded.reads_of(step.id).collect();
        for at in &need.operands {
            let found = self.read(&step.inst.operands[*at], &reads, frame, memory);
            if !found.is_some_and(|found| found.same(step.operands[*at])) {
                let (wanted, line) = (step.operands[*at], self.line(step.id));
                return Err(format!(
                    "the reverse of {line} reads operand {at}: {wanted:?}, and finds {found:?}"
                ));
            }
        }
        Ok(())
    }

    /// What the derivative instruction finds where the facts say that a value is.
    fn read(
        &self,
        operand: &Operand,
        reads: &BTreeSet<Element>,
        frame: &Frame,
        memory: &Memory,
    ) -> Option<Value> {
        let Operand::Value(id) = operand else { return Some(frame.value(operand)) };
        let Some(inst) = frame.function.inst(*id) else { return Some(frame.value(operand)) };
        let body = self.facts.body;
        if reads.contains(&Element::Value(*id)) {
            return Some(frame.env[id.0 as usize]);
        }
        let parts = || -> Option<Vec<Value>> {
            inst.operands.iter().map(|x| self.read(x, reads, frame, memory)).collect()
        };
        match &inst.op {
            // A slot is where it is.
            Op::Alloca(_) => Some(self.trace.steps.iter().find(|step| step.id == *id)?.result),
            Op::Load(_) => {
                let touch = body.touches_of(*id, Kind::Read).next()?;
                let told =
                    reads.iter().any(|read| matches!(read, Element::Touch(known, _) if *known == touch));
                let pointer = parts()?[0];
                told.then(|| memory.cell(pointer).ok().map(|cell| memory.get(cell)))?
            }
            Op::Gep(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) => {
                let done = frame.execute(*id, inst, parts()?, &mut Memory::default()).ok()?;
                Some(done.result)
            }
            _ => None,
        }
    }

    /// The derivative of the called function, on memory as it is now.
    fn rerun(&self, step: &Step<'a>, need: &Need, frame: &Frame<'a, '_>, memory: &mut Memory) -> Outcome<()> {
        let Some(inner) = &step.inner else { return Ok(()) };
        let reads: BTreeSet<Element> = self.facts.recorded.reads_of(step.id).collect();
        let given =
            |at: usize| self.read(&step.inst.operands[at], &reads, frame, memory).unwrap_or(Value::Spoiled);
        let arguments: Vec<Value> = (0..inner.arguments.len()).map(given).collect();
        let settings = self.study.settings_of_calls(self.facts);
        let reruns = self.facts.body.insts().filter(|(id, _)| self.facts.uses.reruns(*id));
        let at = reruns.map(|(id, _)| id).position(|id| id == step.id);
        let Some((name, setting)) = at.and_then(|at| settings.get(at)) else { return Ok(()) };
        let checked = self.study.facts(name, setting, &BTreeSet::new(), &mut |facts| {
            let sweep = Sweep { study: self.study, facts, setting, trace: inner, needs: &need.inner };
            sweep.check(&arguments, memory)
        });
        checked.unwrap_or(Ok(())).map_err(|fault| format!("in {name}: {fault}"))
    }

    /// The cells that a touch may be in.
    fn cells_of(&self, touch: TouchId, frame: &Frame, memory: &Memory) -> Vec<Cell> {
        let found = self.facts.body.touch(touch);
        let mut cells = Vec::new();
        for base in &found.bases {
            let start = match base {
                Base::Param(id) | Base::Stack(id) => frame.value(&Operand::Value(*id)),
                Base::Null => continue,
                _ => Value::Spoiled,
            };
            for (object, content) in memory.0.iter().enumerate() {
                for index in 0..content.len() {
                    let inside = match start {
                        Value::Pointer { object: own, offset } => {
                            own == object && is_in(&found.span, 8 * index as i128 - i128::from(offset))
                        }
                        _ => true,
                    };
                    if inside {
                        cells.push((object, index));
                    }
                }
            }
        }
        cells
    }

    /// What somebody looks at after the function is what it was in the run.
    fn check_kept(&self, frame: &Frame, memory: &Memory) -> Outcome<()> {
        if self.setting.kept.result {
            let last = self.trace.steps.last().map(|step| (step.inst, step.operands.first()));
            if let Some((inst, Some(wanted))) = last
                && !frame.value(&inst.operands[0]).same(*wanted)
            {
                return Err("the result is not what it was".into());
            }
        }
        let mut after = self.trace.before.clone();
        let again = run(frame.program, frame.function, self.trace.arguments.clone(), &mut after);
        again.map_err(|fault| format!("{fault:?}"))?;
        for base in &self.setting.kept.memory {
            let Base::Param(id) = base else { continue };
            let Value::Pointer { object, .. } = self.trace.arguments[id.0 as usize] else { continue };
            let same = |(x, y): (&Value, &Value)| x.same(*y);
            if !memory.0[object].iter().zip(&after.0[object]).all(same) {
                return Err(format!("memory behind {id} is not what it was"));
            }
        }
        Ok(())
    }

    /// Memory differs from what it was at the start only where the facts say so.
    fn check_overwritten(&self, frame: &Frame, start: &Memory, memory: &Memory) -> Outcome<()> {
        let told: BTreeSet<Cell> = self
            .facts
            .written
            .at_entry()
            .iter()
            .filter_map(|bit| match self.facts.body.elements.element(bit) {
                Element::Touch(touch, _) => Some(self.cells_of(touch, frame, memory)),
                Element::Value(_) => None,
            })
            .flatten()
            .collect();
        let made = self.trace.made();
        for (object, cells) in start.0.iter().enumerate().filter(|(object, _)| !made.contains(object)) {
            for (index, old) in cells.iter().enumerate() {
                let now = memory.get((object, index));
                let same = old.same(now) || matches!((old, now), (Value::Spoiled, Value::Spoiled));
                if !same && !told.contains(&(object, index)) {
                    return Err(format!("cell {index} of object {object} was {old:?} and is {now:?}"));
                }
            }
        }
        Ok(())
    }

    fn line(&self, id: ValueId) -> String {
        self.trace.function.line(id)
    }
}

fn restore(saved: &[(Cell, Value)], memory: &mut Memory) {
    for (cell, value) in saved {
        memory.set(*cell, *value);
    }
}

/// Whether the cell that starts so many bytes behind the start of an allocation is touched.
fn is_in(span: &Span, at: i128) -> bool {
    let Some(bytes) = span.bytes else { return true };
    let bytes = i128::from(bytes);
    let ahead = at - span.offset;
    match i128::try_from(span.stride) {
        Ok(0) => ahead > -8 && ahead < bytes,
        Ok(stride) => {
            let ahead = ahead.rem_euclid(stride);
            ahead < bytes || stride - ahead < 8
        }
        Err(_) => true,
    }
}
