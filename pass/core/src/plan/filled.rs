//! Which places behind parameters a function fills before it reads them: what they held when it was called need not be saved.
//!
//! A loop fills its place where each pass stores behind, or in front of, what the pass before has stored; a copy or a fill of bytes does by
//! itself. Everything that is read through the parameter has to come after it, on all ways, and to lie between its ends. The
//! latter is asked when the program runs.
//! Safe error: not filled (costs tape, never truth).

use super::joint::{Memory, Place, Runs, Touch, Way};
use crate::analyses::memory_calls::memory_call;
use crate::dependence::nesting::Nesting;
use crate::model::{Function, LoopId, Op, Program, Scev};

pub fn find_fills(function: &Function, program: &Program, places: &mut [Place]) {
    let nesting = Nesting::of(program, function);
    if nesting.is_wild() {
        return;
    }
    for place in places.iter_mut().filter(|place| place.read) {
        let Memory::Param(_, touches) = &place.memory else { continue };
        let reads = || touches.iter().filter(|touch| touch.way == Way::Read);
        place.fill = touches.iter().position(|touch| {
            let around = find_filling(function, &nesting, touch);
            around.is_some_and(|around| reads().all(|read| comes_after(&nesting, read, touch, around)))
        });
    }
}

/// The loop that fills a place by a touch: none for a call.
fn find_filling(function: &Function, nesting: &Nesting, touch: &Touch) -> Option<Option<LoopId>> {
    let inst = function.inst(touch.id)?;
    if touch.way != Way::Write || touch.runs == Runs::Perhaps || touch.length.moves() {
        return None;
    }
    if memory_call(inst).is_some() {
        let whole = touch.address == Scev::Value(inst.operands[0].clone());
        return whole.then_some(None);
    }
    let Scev::Rec { start, step, of, .. } = &touch.address else { return None };
    let (Scev::Const { value: step, .. }, Scev::Const { value: bytes, .. }) = (&**step, &touch.length) else {
        return None;
    };
    let around = &function.loops[of.0 as usize];
    let home = nesting.home(touch.id)?;
    let dense = step.checked_abs() == Some(*bytes) && !start.moves();
    let alike = around.back_edges.as_ref().is_some_and(|turns| !turns.moves());
    let ([exiting], [latch]) = (&around.exiting[..], &around.latches[..]) else { return None };
    let before_it_ends = nesting.dominates(home, *exiting);
    let asked = touch.asked.contains(of) && *exiting == around.header;
    let each =
        nesting.innermost(home) == Some(*of) && nesting.dominates(home, *latch) && (before_it_ends || asked);
    (dense && alike && each && matches!(inst.op, Op::Store(_))).then_some(Some(*of))
}

/// Whether a read comes only when a place has been filled.
fn comes_after(nesting: &Nesting, read: &Touch, fill: &Touch, around: Option<LoopId>) -> bool {
    let (Some(home), Some(filled)) = (nesting.home(read.id), nesting.home(fill.id)) else { return false };
    match around {
        Some(of) => {
            let header = nesting.function.loops[of.0 as usize].header;
            !nesting.encloses(of, home) && nesting.dominates(header, home)
        }
        None if home == filled => {
            let insts = &nesting.function.block(home).insts;
            let at = |touch: &Touch| insts.iter().position(|id| *id == touch.id);
            at(fill) < at(read)
        }
        None => nesting.dominates(filled, home),
    }
}
