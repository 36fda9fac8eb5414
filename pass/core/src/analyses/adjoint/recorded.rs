//! To-be-recorded: what the reverse sweep of everything so far reads of the primal, and so, what has to be saved before
//! it is overwritten.
//!
//! Lattice: sets of values and of reads of memory, by inclusion. Bottom: the empty set. Direction: forward. Boundary: the
//! empty set.
//! Transfer (equations 1.8 and 1.9): `use(I';U) = use(I') ∪ use(U)`, and after `I` that without `kill(I)` where `I` is
//! live, since what it overwrites is saved before and restored on the way back. What is *recorded* at a live `I` is
//! `out(I) ∩ use(I';U)` (model 1.7). `I'` may read what `I` itself computed; that is in the set behind `I`.
//! A value read from memory that still holds it counts as that memory, an address as what it is made of, and a parameter
//! as nothing: both sweeps are given it. The derivative of a call that is run again restores what it reads from a snapshot
//! (model 1.11), so that its reads of memory are not in the set.
//! Safe error: in the set (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::liveness::Live;
use super::reload::{Reloads, find_reloads};
use super::uses::Uses;
use crate::analyses::bits::Bits;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::element::Element;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::solver::{Analysis, Direction, Edge, Solution, solve};
use crate::dependence::objects::is_single_slot;
use crate::model::{BlockId, CastOp, Inst, IntOp, LoopId, Op, Operand, ValueId};

struct Recording<'b, 'a> {
    body: &'b Body<'a>,
    uses: &'b Uses,
    live: &'b Live<'b, 'a>,
    /// What each `I'` reads, as bits of the state before it.
    reads: BTreeMap<ValueId, Bits>,
    /// Loops of which each iteration is reversed right behind itself.
    fused: &'b BTreeSet<LoopId>,
}

pub struct Recorded<'b, 'a> {
    analysis: Recording<'b, 'a>,
    solution: Solution<Bits>,
    saved: BTreeMap<ValueId, Saved>,
}

/// What has to be saved before an instruction runs: of what it overwrites, that which is read on the way back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Whether its own value of the time before is.
    pub value: bool,
    /// Its writes to memory.
    pub memory: BTreeSet<TouchId>,
}

pub fn find_recorded<'b, 'a>(
    body: &'b Body<'a>,
    uses: &'b Uses,
    live: &'b Live<'b, 'a>,
    fused: &'b BTreeSet<LoopId>,
) -> Recorded<'b, 'a> {
    let reads = find_reads(body, uses);
    let analysis = Recording { body, uses, live, reads, fused };
    let solution = solve(&analysis, body.function, body.flow());
    let mut saved = BTreeMap::new();
    for block in body.blocks() {
        solution.replay(&analysis, body.function, block, &mut |id, _, before, _| {
            let found = analysis.find_saved(id, before);
            if found != Saved::default() {
                saved.insert(id, found);
            }
        });
    }
    Recorded { analysis, solution, saved }
}

impl Recorded<'_, '_> {
    pub fn saved(&self, id: ValueId) -> Option<&Saved> {
        self.saved.get(&id)
    }

    /// Whether what a write overwrites is restored on the way back.
    pub fn is_restored(&self, write: TouchId) -> bool {
        let id = self.analysis.body.touch(write).inst();
        id.and_then(|id| self.saved(id)).is_some_and(|saved| saved.memory.contains(&write))
    }

    /// What the derivative of an instruction reads, addresses and reloads resolved.
    pub fn reads_of(&self, id: ValueId) -> impl Iterator<Item = Element> + '_ {
        let bits = self.analysis.reads.get(&id).into_iter().flat_map(|bits| bits.iter());
        bits.map(|bit| self.analysis.body.elements.element(bit))
    }

    /// Visits the instructions of a block, each with the set before and after it.
    pub fn replay(&self, block: BlockId, visit: &mut dyn FnMut(ValueId, &Inst, &Bits, &Bits)) {
        self.solution.replay(&self.analysis, self.analysis.body.function, block, visit);
    }
}

/// For each `I'` the bits of what it reads.
fn find_reads(body: &Body, uses: &Uses) -> BTreeMap<ValueId, Bits> {
    let reloads = find_reloads(body);
    let mut reads = BTreeMap::new();
    for block in body.blocks() {
        reloads.replay(block, &mut |id, inst, before| {
            if uses.has_adjoint(id) {
                let mut bits = Bits::default();
                let mut seen = BTreeSet::new();
                // A call is run again before what it overwrites is restored.
                let state = if uses.reruns(id) { reloads.behind(id, inst, before) } else { before.clone() };
                uses.values_of(id)
                    .for_each(|value| resolve(body, &reloads, value, &state, &mut seen, &mut bits));
                reads.insert(id, bits);
            }
        });
    }
    reads
}

/// The bits that a value is computed from again.
fn resolve(
    body: &Body,
    reloads: &Reloads,
    value: ValueId,
    state: &Bits,
    seen: &mut BTreeSet<ValueId>,
    bits: &mut Bits,
) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let Some(inst) = body.function.inst(value) else { continue };
        if !seen.insert(value) || is_single_slot(&body.nesting, value) {
            continue;
        }
        if is_recomputable(inst) {
            waiting.extend(inst.operands.iter().filter_map(Operand::value));
        } else if let Some((_, found)) = reloads.bits(value, state) {
            bits.extend(found);
            waiting.extend(inst.operands.iter().filter_map(Operand::value));
        } else {
            bits.insert(body.elements.value(value));
        }
    }
}

/// Integer and address arithmetic that cannot trap and reads no memory.
fn is_recomputable(inst: &Inst) -> bool {
    match &inst.op {
        Op::Int(op) => !matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem),
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::AddrSpaceCast) => true,
        Op::ICmp(_) | Op::Gep(_) => true,
        _ => false,
    }
}

impl Recording<'_, '_> {
    /// `out(I) ∩ use(I';U)`.
    fn find_saved(&self, id: ValueId, before: &Bits) -> Saved {
        let body = self.body;
        // The derivative of a call runs it again even where the forward sweep does not.
        let live = self.live.is_live(id);
        let again: BTreeSet<TouchId> = self.uses.overwrites(id).collect();
        let mut used = before.clone();
        used.extend(self.reads.get(&id).into_iter().flat_map(|bits| bits.iter()));
        let writes = body.touches_of(id, Kind::Write).filter(|write| live || again.contains(write));
        Saved {
            value: live && before.contains(body.elements.value(id)),
            memory: writes.filter(|write| body.meets_any(*write, Kind::Read, &used)).collect(),
        }
    }

    /// Forgets what was computed in an iteration that is reversed already.
    fn forget(&self, of: LoopId, state: &mut Bits) {
        let body = self.body;
        let inside =
            |value: ValueId| body.nesting.home(value).is_some_and(|home| body.nesting.encloses(of, home));
        let gone: Vec<usize> = state
            .iter()
            .filter(|bit| match body.elements.element(*bit) {
                Element::Value(value) => inside(value),
                Element::Touch(touch, _) => body.is_inside(touch, of),
            })
            .collect();
        gone.into_iter().for_each(|bit| state.remove(bit));
    }
}

impl Analysis for Recording<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        Bits::default()
    }

    fn apply(&self, id: ValueId, _: &Inst, state: &mut Bits) {
        let body = self.body;
        state.extend(self.reads.get(&id).into_iter().flat_map(|bits| bits.iter()));
        if self.live.is_live(id) {
            state.remove(body.elements.value(id));
            body.touches_of(id, Kind::Write).for_each(|write| body.remove_overwritten(write, state));
        }
        if self.uses.reads_result(id) {
            state.insert(body.elements.value(id));
        }
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        let body = self.body;
        let lives = |write| body.touch(write).inst().is_some_and(|id| self.live.is_live(id));
        body.remove_behind(edge, &lives, state);
        for of in self.fused {
            let within = body.nesting.encloses(*of, edge.from);
            if within && (body.closed_by(edge) == Some(*of) || !body.nesting.encloses(*of, edge.to)) {
                self.forget(*of, state);
            }
        }
        body.pass_edge(edge, state);
    }
}
