//! What the reverse sweep reads of a run, found on the run itself.
//!
//! Trace + what is useful after it → for each step whether it carries a derivative in this run, and which of its
//! operands the reverse of it reads. A product reads the other factor, a sine its argument, memory its address.
//! A static analysis has to say at least this much.

use std::collections::BTreeSet;

use backsweep_core::model::{FloatOp, Op, Operand, ValueId};

use crate::machine::{Cell, Step, Trace};

/// What one step of a run has to do with the derivative.
#[derive(Clone, Debug, Default)]
pub struct Need {
    pub active: bool,
    pub operands: Vec<usize>,
    /// Of a call: the same for its inside.
    pub inner: Vec<Need>,
}

/// Values and cells whose derivative is wanted, at one moment of the way back.
#[derive(Clone, Debug, Default)]
struct Wanted {
    values: BTreeSet<ValueId>,
    cells: BTreeSet<Cell>,
    /// What the phis of a block take, wanted before all of them at once.
    arriving: Vec<ValueId>,
}

/// The needs of every step; `cells` are those whose content is useful at the end, and becomes those useful at the start.
pub fn find_needs(trace: &Trace, result: bool, cells: &mut BTreeSet<Cell>) -> (Vec<Need>, BTreeSet<usize>) {
    let mut wanted = Wanted { cells: std::mem::take(cells), ..Wanted::default() };
    let mut needs: Vec<Need> = Vec::new();
    for step in trace.steps.iter().rev() {
        if !matches!(step.inst.op, Op::Phi { .. }) {
            wanted.values.extend(wanted.arriving.drain(..));
        }
        needs.push(judge(step, result, &mut wanted));
    }
    wanted.values.extend(wanted.arriving.drain(..));
    needs.reverse();
    *cells = wanted.cells;
    let params = trace.function.params.len() as u32;
    let params = wanted.values.into_iter().filter(|id| id.0 < params).map(|id| id.0 as usize);
    (needs, params.collect())
}

fn judge(step: &Step, result: bool, wanted: &mut Wanted) -> Need {
    match &step.inst.op {
        Op::Ret => {
            if result {
                wanted.values.extend(step.inst.operands.iter().filter_map(Operand::value));
            }
            return Need::default();
        }
        Op::Br { .. } | Op::CondBr { .. } | Op::Alloca(_) => return Need::default(),
        Op::Store(_) => return judge_store(step, wanted),
        Op::Call(_) if step.inner.is_some() => return judge_call(step, wanted),
        Op::Call(_) if !step.written.is_empty() => return judge_copy(step, wanted),
        _ => {}
    }
    if !wanted.values.remove(&step.id) {
        return Need::default();
    }
    if let Op::Phi { .. } = step.inst.op {
        wanted.arriving.extend(step.inst.operands[step.arrived].value());
        return Need { active: step.result.is_varied(), ..Need::default() };
    }
    let mut want = |operand: &Operand| wanted.values.extend(operand.value());
    let active = step.result.is_varied();
    let varied = |at: usize| step.operands[at].is_varied();
    let mut need = Need { active, ..Need::default() };
    match &step.inst.op {
        Op::Load(_) => {
            wanted.cells.extend(&step.read);
            need.operands.extend(active.then_some(0));
        }
        Op::Float(op) => {
            step.inst.operands.iter().for_each(want);
            if *op == FloatOp::Mul && active {
                need.operands.extend((0..2).filter(|at| varied(1 - at)));
            }
        }
        Op::Call(_) => {
            want(&step.inst.operands[0]);
            need.operands.extend(active.then_some(0));
        }
        // Integers and addresses pass no derivative.
        _ => {}
    }
    need
}

fn judge_store(step: &Step, wanted: &mut Wanted) -> Need {
    let (cell, old) = step.written[0];
    if !wanted.cells.remove(&cell) {
        return Need::default();
    }
    wanted.values.extend(step.inst.operands[0].value());
    let active = step.operands[0].is_varied() || old.is_varied();
    Need { active, operands: if active { vec![1] } else { vec![] }, inner: vec![] }
}

fn judge_copy(step: &Step, wanted: &mut Wanted) -> Need {
    let mut active = false;
    let mut sources: BTreeSet<Cell> = BTreeSet::new();
    for (at, (cell, old)) in step.written.iter().enumerate() {
        if wanted.cells.remove(cell) {
            active |= old.is_varied() || step.moved.get(at).is_some_and(|value| value.is_varied());
            sources.extend(step.read.get(at));
        }
    }
    wanted.cells.extend(sources);
    let moves = !step.read.is_empty();
    let operands = if active { if moves { vec![0, 1] } else { vec![0] } } else { vec![] };
    Need { active, operands, inner: vec![] }
}

fn judge_call(step: &Step, wanted: &mut Wanted) -> Need {
    let Some(inner) = &step.inner else { return Need::default() };
    let result = wanted.values.remove(&step.id);
    let mut cells = wanted.cells.clone();
    let (inner_needs, params) = find_needs(inner, result, &mut cells);
    wanted.cells = cells;
    for at in params {
        wanted.values.extend(step.inst.operands[at].value());
    }
    let active = inner_needs.iter().any(|need| need.active);
    Need { active, operands: vec![], inner: inner_needs }
}
