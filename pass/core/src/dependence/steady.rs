//! From which loop inwards does an address stay what its form says, up to one multiple of 2^64?
//!
//! An address known modulo 2^64 differs from its form by a multiple of it, the *drift*. No object is larger than 2^63 - 1
//! bytes and none lies across the end of the address space, so two accesses of one object are less than 2^63 apart: where
//! their forms differ by at most 2^63, the forms differ by what the addresses do, and the drift is the same. That carries
//! an access from one iteration of a loop to the next, if it runs in both: with all loops inside in their first iteration,
//! or from the last iteration of those to the first.
//!
//! An access with its form → a [`Run`]. Safe error: loops too few.

use super::access::{Access, Accesses};
use super::affine::Affine;
use super::atoms::{Atoms, Poly};
use super::guards::is_behind_exit;
use super::linear::Interval;
use super::nesting::Nesting;
use super::passage::{Known, Way, passes};
use crate::model::{LoopId, Scev};

/// Levels are positions in an access's list of loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// In the loops from here inwards the access runs in every iteration that takes the back edge.
    pub always: usize,
    /// In the loops from here inwards the drift is the same.
    pub steady: usize,
    /// What is at least zero wherever the access runs, because its loops stay in one object.
    pub sizes: Vec<Poly>,
}

/// Whether a polynomial is known to lie within ±2^63.
pub fn is_near(affine: &Affine, poly: &Poly) -> bool {
    let below = poly.scale(-1).and_then(|poly| poly.shift(HALF));
    let above = poly.shift(HALF);
    [below, above].iter().all(|side| side.as_ref().is_some_and(|side| affine.is_natural(side)))
}

/// `exact`: the drift is known to be the same everywhere.
pub fn find_run(nesting: &Nesting, accesses: &mut Accesses, access: &Access, exact: bool) -> Run {
    let depth = access.loops.len();
    let mut run = Run { always: depth, steady: depth, sizes: Vec::new() };
    for level in (0..depth).rev() {
        let whole = run.steady == level + 1;
        let mut walk = Walk { nesting, access, level, counter: None, whole };
        let always = walk.runs_on(accesses);
        walk.counter = Some(access.loops[level]);
        let steady = exact || (always || walk.runs_on(accesses)) && walk.is_steady(accesses);
        if steady && whole {
            run.steady = level;
        }
        if !always {
            break;
        }
        run.always = level;
        if steady && nesting.counts_out(access.loops[level]) {
            run.sizes.extend(walk.sizes(accesses));
        }
    }
    if exact {
        run.steady = 0;
    }
    run
}

/// One loop around an access, with the loops inside it known to run the access always.
struct Walk<'a> {
    nesting: &'a Nesting<'a>,
    access: &'a Access,
    level: usize,
    counter: Option<LoopId>,
    /// Whether the address is steady in the loops inside.
    whole: bool,
}

impl Walk<'_> {
    fn of(&self) -> LoopId {
        self.access.loops[self.level]
    }

    fn inner(&self) -> &[LoopId] {
        &self.access.loops[self.level + 1..]
    }

    /// What holds in every iteration of the loop between two that run the access.
    fn known(&self, accesses: &mut Accesses) -> Known<'_> {
        let (ranges, facts, ways) = Default::default();
        let fixed = &self.access.loops[..self.level];
        let mut known = Known { fixed, counter: self.counter, first: self.inner(), ranges, facts, ways };
        let scope = accesses.scope(self.access.block).clone();
        known.take(&mut accesses.atoms, &scope);
        known
    }

    /// Whether the access runs in every such iteration, in the first iterations of the loops inside. Without a free
    /// counter: in every iteration, if it runs in one.
    fn runs_on(&self, accesses: &mut Accesses) -> bool {
        let known = self.known(accesses);
        let at = &self.nesting.function.loops[self.of().0 as usize];
        let way = Way { from: at.header, to: &at.latches, within: Some(self.of()) };
        passes(self.nesting, &mut accesses.atoms, &known, &way, self.access.block)
    }

    /// Whether the address goes from iteration to iteration as the form does.
    fn is_steady(&self, accesses: &mut Accesses) -> bool {
        let known = self.known(accesses);
        let corners = Corners { nesting: self.nesting, access: self.access, inner: self.inner() };
        // Whatever else changes in the loop may change the address in ways the counters do not tell.
        let first = corners.first(&mut accesses.atoms);
        let Some(first) = first.filter(|first| known.admits(&accesses.atoms, first)) else { return false };
        let counter = accesses.atoms.counter(self.of());
        let next = Poly::atom(counter).shift(1).and_then(|next| first.put(counter, &next));
        let Some(step) = next.as_ref().and_then(|next| next.minus(&first)) else { return false };
        // From the last iteration of the inner loops, and back to it.
        let last = if self.whole { corners.last(accesses, &known) } else { None };
        let span = last.and_then(|last| last.minus(&first));
        let down = span.as_ref().and_then(|span| step.minus(span));
        // What leaves the function on the way may keep the last iterations of the later round from being run.
        let ends = self.inner().iter().all(|of| self.nesting.counts_out(*of));
        let later = span.as_ref().filter(|_| ends);
        let after = later.and_then(|span| span.put(counter, &Poly::atom(counter).shift(1)?));
        let up = after.and_then(|after| step.plus(&after));
        let affine = known.affine(self.nesting, &mut accesses.atoms, self.access.block);
        let near = |gap: &Poly| known.admits(affine.atoms, gap) && is_near(&affine, gap);
        [Some(step), down, up].iter().flatten().any(near)
    }

    /// The address stays in its object from the first to the last iteration: of this loop alone, with those inside it in
    /// their first, and of all of them. A step of unknown length is at least as long as it is known to be.
    fn sizes(&self, accesses: &mut Accesses) -> Vec<Poly> {
        let (fixed, begun) = self.access.loops.split_at(self.level);
        let (ranges, facts, ways) = Default::default();
        let mut known = Known { fixed, counter: None, first: begun, ranges, facts, ways };
        let scope = accesses.scope(self.access.block).clone();
        known.take(&mut accesses.atoms, &scope);
        let all = Corners { nesting: self.nesting, access: self.access, inner: begun };
        let Some(first) = all.first(&mut accesses.atoms) else { return Vec::new() };
        let alone = all.last_of_outermost(accesses, &known);
        let whole = if self.whole { all.last(accesses, &known) } else { None };
        let least = all.least_of_outermost(accesses, &known);
        let spans = [alone, whole].into_iter().flatten().filter_map(|last| last.minus(&first)).chain(least);
        let admitted: Vec<Poly> = spans.filter(|span| known.admits(&accesses.atoms, span)).collect();
        let bytes = self.access.bytes.unwrap_or(1);
        admitted.iter().flat_map(|span| within_object(bytes, span)).collect()
    }
}

/// No object is larger than this, less one byte.
const HALF: i128 = 1 << 63;

/// What is at least zero because a polynomial is the distance of two addresses in one object, both at least so many bytes
/// before its end.
pub fn within_object(bytes: u64, span: &Poly) -> Vec<Poly> {
    let room = HALF - 1 - i128::from(bytes);
    let sides = [span.scale(-1), Some(span.clone())];
    sides.into_iter().flatten().filter_map(|side| Some(side.shift(room)?.reduced())).collect()
}

/// The form of an access at the ends of its inner loops.
pub struct Corners<'a> {
    pub nesting: &'a Nesting<'a>,
    pub access: &'a Access,
    pub inner: &'a [LoopId],
}

impl Corners<'_> {
    /// In the first iterations.
    pub fn first(&self, atoms: &mut Atoms) -> Option<Poly> {
        let form = self.access.address.as_ref().ok()?.form.clone();
        let zero = Poly::default();
        self.inner.iter().try_fold(form, |form, of| form.put(atoms.counter(*of), &zero))
    }

    /// In the last iterations, if the loops run out and always run the access.
    pub fn last(&self, accesses: &mut Accesses, known: &Known) -> Option<Poly> {
        let form = self.access.address.as_ref().ok()?.form.clone();
        self.inner.iter().rev().try_fold(form, |form, of| {
            let last = self.last_iteration(accesses, known, *of)?;
            form.put(accesses.atoms.counter(*of), &last)
        })
    }

    /// In the last iteration of the outermost of the loops, and the first ones of the others.
    pub fn last_of_outermost(&self, accesses: &mut Accesses, known: &Known) -> Option<Poly> {
        let (of, inner) = self.inner.split_first()?;
        let last = self.last_iteration(accesses, known, *of)?;
        let first = Corners { inner, ..*self }.first(&mut accesses.atoms)?;
        first.put(accesses.atoms.counter(*of), &last)
    }

    /// How far that is from the first iteration, with the least length that the steps can have. Only where the form is
    /// linear in the counter.
    pub fn least_of_outermost(&self, accesses: &mut Accesses, known: &Known) -> Option<Poly> {
        let (of, inner) = self.inner.split_first()?;
        let last = self.last_iteration(accesses, known, *of)?;
        let first = Corners { inner, ..*self }.first(&mut accesses.atoms)?;
        let counter = accesses.atoms.counter(*of);
        let at = |value: i128| first.put(counter, &Poly::constant(value));
        let step = at(1)?.minus(&at(0)?)?;
        let linear = at(0)?.plus(&step.times(&Poly::atom(counter))?)? == first;
        let affine = known.affine(self.nesting, &mut accesses.atoms, self.access.block);
        let Interval { low, high } = affine.interval(&step);
        let length = low.filter(|low| *low > 0).or(high.filter(|high| *high < 0))?;
        let forward = linear && affine.is_natural(&last);
        last.scale(length).filter(|_| forward && known.admits(affine.atoms, &step))
    }

    fn last_iteration(&self, accesses: &mut Accesses, known: &Known, of: LoopId) -> Option<Poly> {
        let at = &self.nesting.function.loops[of.0 as usize];
        let count = at.back_edges.as_ref().filter(|count| !matches!(count, Scev::UMin(_)))?;
        let behind = is_behind_exit(self.nesting, of, self.access.block);
        // Left at its only latch, the loop runs the access in its last iteration too.
        if !behind && (at.exiting != at.latches || at.latches.len() != 1) {
            return None;
        }
        let mut affine = known.affine(self.nesting, &mut accesses.atoms, self.access.block);
        // Loops between stand for any iteration here, not for the first.
        affine.first.clear();
        affine.unsigned(count)?.shift(-i128::from(behind))
    }
}
