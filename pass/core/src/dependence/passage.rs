//! Does control surely pass a block on its way from one place to another?
//!
//! Branches are followed both ways, unless what is known decides them: facts and ranges that hold for the iterations of
//! the outer loops in question. Loops in `first` are in their first iteration wherever a branch inside them is met, so
//! a way that begins another one of theirs is given up: how it goes on is not known.
//! Safe error: it might not.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::affine::Affine;
use super::atoms::{AtomId, Atoms, Key, Poly};
use super::condition::decide;
use super::guards::Scope;
use super::linear::Interval;
use super::nesting::Nesting;
use crate::model::{BlockId, LoopId, Op};

/// From `from` to any of `to`, without leaving `within` or starting its next iteration.
pub struct Way<'a> {
    pub from: BlockId,
    pub to: &'a [BlockId],
    pub within: Option<LoopId>,
}

/// What may be used to decide branches.
pub struct Known<'a> {
    /// Loops that are in one iteration on the whole way; what changes there counts as a symbol.
    pub fixed: &'a [LoopId],
    /// A loop whose counter may stand in facts, though it may differ from what it was where they were found.
    pub counter: Option<LoopId>,
    /// Loops whose first iterations are asked about.
    pub first: &'a [LoopId],
    pub ranges: HashMap<AtomId, Interval>,
    pub facts: Vec<Poly>,
    /// Where control may go on from blocks, as far as somebody came there.
    pub ways: RefCell<HashMap<BlockId, Vec<BlockId>>>,
}

impl Known<'_> {
    /// Takes from a scope what is known with these loops fixed. A fact in which the free counter stands holds in all
    /// iterations between two in which it was found, if it is linear in it.
    pub fn take(&mut self, atoms: &mut Atoms, scope: &Scope) {
        let zeros: Vec<AtomId> = self.first.iter().map(|of| atoms.counter(*of)).collect();
        let own = self.counter.map(|of| atoms.counter(of));
        let zero = Poly::default();
        let first = |fact: &Poly| zeros.iter().try_fold(fact.clone(), |fact, id| fact.put(*id, &zero));
        let linear = |fact: &Poly| {
            fact.0.keys().all(|product| product.iter().filter(|id| Some(**id) == own).count() <= 1)
        };
        let begun = scope.facts.iter().chain(&scope.sizes).filter_map(first);
        let facts = begun.filter(|fact| self.admits(atoms, fact) && linear(fact)).collect();
        self.facts = facts;
        self.ways.take();
        let admitted = scope.ranges.iter().filter(|(id, _)| self.admits(atoms, &Poly::atom(**id)));
        self.ranges = admitted.map(|(id, range)| (*id, *range)).collect();
    }

    /// Whether a polynomial is one number on the whole way, or changes with the free counter only.
    pub fn admits(&self, atoms: &Atoms, poly: &Poly) -> bool {
        poly.atoms().all(|id| {
            let atom = atoms.get(id);
            let fixed = atom.varies.is_none_or(|of| self.fixed.contains(&of));
            fixed || matches!(atom.key, Key::Counter(of) if Some(of) == self.counter)
        })
    }

    /// Whether an edge begins another iteration of a loop whose first one is asked about.
    fn begins_another(&self, nesting: &Nesting, from: BlockId, to: BlockId) -> bool {
        let again =
            |of: &LoopId| nesting.function.loops[of.0 as usize].header == to && nesting.encloses(*of, from);
        self.first.iter().any(again)
    }

    /// Reads expressions as they are at a block.
    pub fn affine<'a>(&self, nesting: &'a Nesting<'a>, atoms: &'a mut Atoms, block: BlockId) -> Affine<'a> {
        let (ranges, facts) = (self.ranges.clone(), self.facts.clone());
        Affine { nesting, atoms, block, ranges, facts, first: self.first.to_vec() }
    }
}

pub fn passes(nesting: &Nesting, atoms: &mut Atoms, known: &Known, way: &Way, through: BlockId) -> bool {
    let mut seen = BTreeSet::from([way.from]);
    let mut waiting = vec![way.from];
    while let Some(block) = waiting.pop() {
        if block == through {
            continue;
        }
        if way.to.contains(&block) {
            return false;
        }
        for next in possible_successors(nesting, atoms, known, block) {
            if known.begins_another(nesting, block, next) {
                return false;
            }
            let stays = way.within.is_none_or(|of| {
                nesting.encloses(of, next) && nesting.function.loops[of.0 as usize].header != next
            });
            if stays && seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    true
}

/// Whether control that has come to a block surely goes on to another one, in the same iteration of `within`.
pub fn leads_to(
    nesting: &Nesting,
    atoms: &mut Atoms,
    known: &Known,
    (from, to): (BlockId, BlockId),
    within: Option<LoopId>,
) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(block) = waiting.pop() {
        if block == to && block != from {
            continue;
        }
        let next = possible_successors(nesting, atoms, known, block);
        let stays = |next: &BlockId| {
            within.is_none_or(|of| {
                nesting.encloses(of, *next) && nesting.function.loops[of.0 as usize].header != *next
            })
        };
        let again = next.iter().any(|next| known.begins_another(nesting, block, *next));
        if again || next.is_empty() || !next.iter().all(stays) || !nesting.goes_through(block) {
            return false;
        }
        waiting.extend(next.into_iter().filter(|next| seen.insert(*next)));
    }
    true
}

fn possible_successors(nesting: &Nesting, atoms: &mut Atoms, known: &Known, block: BlockId) -> Vec<BlockId> {
    let all = nesting.flow.successors(block).to_vec();
    let Some(inst) = nesting.function.terminator(block).and_then(|id| nesting.function.inst(id)) else {
        return all;
    };
    let (Op::CondBr { yes, no }, Some(condition)) = (&inst.op, inst.operands.first()) else { return all };
    if let Some(known) = known.ways.borrow().get(&block) {
        return known.clone();
    }
    let mut affine = known.affine(nesting, atoms, block);
    let ways = match decide(&mut affine, condition, &|atoms, poly| known.admits(atoms, poly)) {
        Some(true) => vec![*yes],
        Some(false) => vec![*no],
        None => all,
    };
    known.ways.borrow_mut().insert(block, ways.clone());
    ways
}
