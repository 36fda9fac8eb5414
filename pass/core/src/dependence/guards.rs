//! What is known wherever a block runs?
//!
//! From the entry down the dominators: the bounds of the loops entered (`0 ≤ counter ≤ back edges`, one less behind the
//! only exit test), and the conditions of branches whose one side leads here, for the same iteration: a dominator
//! inside the same loops has run in this iteration, and control came from it through that edge. Branching on poison is
//! undefined, so flags in the condition hold as well. `llvm.assume` counts like a branch.
//! Safe error: too little.

use std::collections::HashMap;

use super::affine::Affine;
use super::atoms::{Atoms, Poly};
use super::condition::facts_of;
use super::linear::{Interval, ceil_div, floor_div};
use super::nesting::Nesting;
use crate::model::{BlockId, LoopId, Op, Operand, Scev};

/// What holds at one block.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub ranges: HashMap<super::atoms::AtomId, Interval>,
    /// Each is at least zero.
    pub facts: Vec<Poly>,
    /// The same, from the sizes of objects: of use where expressions are read, and seldom where pairs are tested.
    pub sizes: Vec<Poly>,
}

impl Scope {
    /// Reads expressions at the scope's block.
    pub fn affine<'a>(&self, nesting: &'a Nesting<'a>, atoms: &'a mut Atoms, block: BlockId) -> Affine<'a> {
        let facts = self.facts.iter().chain(&self.sizes).cloned().collect();
        Affine { nesting, atoms, block, ranges: self.ranges.clone(), facts, first: Vec::new() }
    }
}

pub fn find_scope(nesting: &Nesting, atoms: &mut Atoms, block: BlockId) -> Scope {
    let mut affine =
        Affine { nesting, atoms, block, ranges: HashMap::new(), facts: Vec::new(), first: Vec::new() };
    let path = nesting.dominators(block);
    // Twice: bounds of loops are simpler where guards below them are known, and the other way round.
    for _ in 0..2 {
        let known = std::mem::take(&mut affine.facts);
        note_path(&mut affine, &path, &known);
        settle(&mut affine);
    }
    Scope { ranges: affine.ranges, facts: affine.facts, sizes: Vec::new() }
}

/// Everything on the way down; `known` may be used on the way, and stays only if it is found again.
fn note_path(affine: &mut Affine, path: &[BlockId], known: &[Poly]) {
    affine.facts = known.to_vec();
    let mut found = Facts { list: Vec::new() };
    let entered: Vec<LoopId> = path.iter().filter_map(|here| entered(affine, *here)).collect();
    for of in &entered {
        let (of, nesting) = (*of, affine.nesting);
        let counter = affine.atoms.counter(of);
        affine.narrow(counter, Interval { low: Some(0), high: nesting.most_back_edges(of) });
    }
    for (at, here) in path.iter().enumerate() {
        if let Some(above) = at.checked_sub(1).map(|at| path[at]) {
            found.note_branch(affine, above, *here);
        }
        if *here != affine.block {
            found.note_assumptions(affine, *here);
        }
    }
    entered.into_iter().for_each(|of| found.note_bounds(affine, of));
    affine.facts = found.list;
}

/// The loop around the place in question whose header a block is.
fn entered(affine: &Affine, here: BlockId) -> Option<LoopId> {
    let nesting = affine.nesting;
    let of = nesting.innermost(here).filter(|of| nesting.function.loops[of.0 as usize].header == here)?;
    nesting.encloses(of, affine.block).then_some(of)
}

/// Rounds in which ranges are read off facts once more; chains of symbols are short.
const ROUNDS: usize = 3;

/// Ranges of single atoms from all facts, those of the atoms themselves included.
pub fn settle(affine: &mut Affine) {
    let own = affine.facts.iter().flat_map(Poly::atoms).flat_map(|id| affine.atoms.get(id).facts.clone());
    let all: Vec<Poly> = own.chain(affine.facts.iter().cloned()).collect();
    for _ in 0..ROUNDS {
        let before = affine.ranges.clone();
        all.iter().for_each(|fact| read_ranges(affine, fact));
        if affine.ranges == before {
            break;
        }
    }
}

/// Whether a block runs only in iterations that pass the loop's only exit test, so never in the last one.
pub fn is_behind_exit(nesting: &Nesting, of: LoopId, block: BlockId) -> bool {
    match nesting.function.loops[of.0 as usize].exiting[..] {
        [only] => {
            let innermost = nesting.innermost(only) == Some(of);
            innermost && only != block && nesting.dominates(only, block) && nesting.encloses(of, block)
        }
        _ => false,
    }
}

/// Upper bounds of a count; of a minimum, each part is one.
fn bounds(affine: &mut Affine, count: &Scev, behind: bool) -> Vec<Poly> {
    match count {
        Scev::UMin(parts) => parts.iter().flat_map(|part| bounds(affine, part, behind)).collect(),
        // Counters start at zero: below max(0, n) means below n.
        Scev::SMax(parts) if behind => {
            let nonpositive = |part: &&Scev| !matches!(part, Scev::Const { value, .. } if *value <= 0);
            let rest: Vec<&Scev> = parts.iter().filter(nonpositive).collect();
            match rest[..] {
                [only] if rest.len() < parts.len() => affine.signed(only).into_iter().collect(),
                _ => affine.unsigned(count).into_iter().collect(),
            }
        }
        Scev::ZExt(_, inner) if matches!(**inner, Scev::UMin(_) | Scev::SMax(_)) => {
            bounds(affine, inner, behind)
        }
        _ => affine.unsigned(count).into_iter().collect(),
    }
}

/// What was found on the way.
struct Facts {
    list: Vec<Poly>,
}

impl Facts {
    fn note_branch(&mut self, affine: &mut Affine, above: BlockId, here: BlockId) {
        let nesting = affine.nesting;
        // Only through this edge does control come here (or back here, in a loop entered through it), and only while
        // the loops of the branch still run.
        let inside = nesting.innermost(above).is_none_or(|of| nesting.encloses(of, affine.block));
        let mut entries =
            nesting.flow.predecessors(here).iter().filter(|from| !nesting.dominates(here, **from));
        if entries.next() != Some(&above) || entries.next().is_some() || !inside {
            return;
        }
        let Some(inst) = nesting.function.terminator(above).and_then(|id| nesting.function.inst(id)) else {
            return;
        };
        if let Op::CondBr { yes, no } = inst.op
            && yes != no
            && let Some(condition) = inst.operands.first()
        {
            self.note_condition(affine, condition, yes == here);
        }
    }

    fn note_assumptions(&mut self, affine: &mut Affine, block: BlockId) {
        let nesting = affine.nesting;
        if nesting.innermost(block).is_some_and(|of| !nesting.encloses(of, affine.block)) {
            return;
        }
        for id in &nesting.function.block(block).insts {
            let Some(inst) = nesting.function.inst(*id) else { continue };
            if inst.callee_name() == Some("llvm.assume")
                && let Some(condition) = inst.arguments().first()
            {
                self.note_condition(affine, condition, true);
            }
        }
    }

    fn note_condition(&mut self, affine: &mut Affine, condition: &Operand, holds: bool) {
        facts_of(affine, condition, holds).into_iter().for_each(|fact| self.note(affine, fact));
    }

    /// The counter's bound by the number of back edges.
    fn note_bounds(&mut self, affine: &mut Affine, of: LoopId) {
        let nesting = affine.nesting;
        let counter = affine.atoms.counter(of);
        let Some(count) = &nesting.function.loops[of.0 as usize].back_edges else { return };
        let single = !matches!(count, Scev::UMin(_));
        if let Some(most) = nesting.most_back_edges(of).filter(|_| single && nesting.counts_out(of))
            && let Some(fact) = affine.unsigned(count).and_then(|count| Poly::constant(most).minus(&count))
        {
            self.note(affine, fact);
        }
        let behind = is_behind_exit(nesting, of, affine.block);
        for bound in bounds(affine, count, behind) {
            let bound = bound.shift(-i128::from(behind));
            if let Some(fact) = bound.and_then(|bound| bound.minus(&Poly::atom(counter))) {
                self.note(affine, fact);
            }
        }
    }

    fn note(&mut self, affine: &mut Affine, fact: Poly) {
        read_ranges(affine, &fact);
        // A negative constant stays: it says that the block never runs.
        if fact.as_constant().is_none_or(|value| value < 0) && !self.list.contains(&fact) {
            affine.facts.push(fact.clone());
            self.list.push(fact);
        }
    }
}

/// Reads off a fact the range of each atom given those of the others.
fn read_ranges(affine: &mut Affine, fact: &Poly) {
    for (product, factor) in &fact.0 {
        let [id] = product[..] else { continue };
        let mut rest = fact.clone();
        rest.0.remove(product);
        // factor·x + rest ≥ 0, so factor·x ≥ -max(rest).
        let Some(most) = affine.interval(&rest).high.and_then(i128::checked_neg) else { continue };
        let range = if *factor > 0 {
            Interval { low: Some(ceil_div(most, *factor)), high: None }
        } else {
            let Some(bound) = most.checked_neg() else { continue };
            Interval { low: None, high: Some(floor_div(bound, factor.abs())) }
        };
        affine.narrow(id, range);
    }
}
