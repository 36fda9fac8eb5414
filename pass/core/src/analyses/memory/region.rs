//! Which bytes does a touch reach in all the runs of the loops around it?
//!
//! The address as a polynomial in loop counters (see `dependence::affine`) → a [`Region`]: a block of bytes, repeated
//! along dimensions. Dimensions that lie end to end are one longer block: a loop over a whole array is one block of it.
//! All numbers are modulo 2^64, which does not matter to what is equal.
//! Safe error: none. For a write it has to be exactly the bytes that are surely written, for a read no byte too few.

use super::address::Address;
use super::body::Body;
use super::touch::{Touch, TouchId};
use crate::dependence::access::{Accesses, collect_accesses};
use crate::dependence::affine::Affine;
use crate::dependence::atoms::{AtomId, Atoms, Poly};
use crate::dependence::guards::{Scope, find_scope, is_behind_exit};
use crate::dependence::induction::evolution_of;
use crate::model::{BlockId, LoopId, Operand};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub start: Poly,
    pub bytes: Poly,
    /// Steps and how many there are, sorted.
    pub dimensions: Vec<Dimension>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    pub step: Poly,
    pub count: Poly,
}

/// Whether every byte is reached each time, or none beside those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Surely,
    AtMost,
}

/// Finds regions; what it makes of one place means the same at another.
pub struct Regions<'b, 'a> {
    body: &'b Body<'a>,
    accesses: Accesses,
}

impl<'b, 'a> Regions<'b, 'a> {
    pub fn of(body: &'b Body<'a>) -> Regions<'b, 'a> {
        Regions { body, accesses: collect_accesses(&body.nesting) }
    }

    pub fn atoms(&self) -> &Atoms {
        &self.accesses.atoms
    }

    /// The region of a touch within one iteration of the outermost `kept` loops around it.
    pub fn find(&mut self, touch: TouchId, kept: usize, bound: Bound) -> Option<Region> {
        let nesting = &self.body.nesting;
        let found = self.body.touch(touch);
        let home = self.body.home(touch)?;
        let chain = nesting.chain(home);
        if nesting.is_wild() || (bound == Bound::Surely && !found.sure) {
            return None;
        }
        let mut region = Region {
            start: self.address(found, home)?,
            bytes: self.length(found, home)?,
            dimensions: vec![],
        };
        let mut block = home;
        for of in chain.iter().skip(kept).rev() {
            if bound == Bound::Surely && !self.runs_always(*of, block) {
                return None;
            }
            region = self.widen(region, *of, block, bound)?;
            block = nesting.function.loops[of.0 as usize].header;
        }
        region.merge()
    }

    /// The region over all iterations of one more loop.
    fn widen(&mut self, region: Region, of: LoopId, block: BlockId, bound: Bound) -> Option<Region> {
        let counter = self.accesses.atoms.counter(of);
        let (start, step) = split(&region.start, counter)?;
        let fixed = |poly: &Poly| poly.atoms().all(|atom| self.atoms().get(atom).varies != Some(of));
        let rest = region.dimensions.iter().flat_map(|at| [&at.step, &at.count]);
        if ![&start, &step, &region.bytes].into_iter().chain(rest).all(fixed) {
            return None;
        }
        let count = self.runs(of, block)?;
        let mut region = Region { start, ..region };
        if step.0.is_empty() {
            // The same bytes each time, if there is a time.
            let runs = count.as_constant().is_some_and(|count| count > 0);
            return (bound == Bound::AtMost || runs).then_some(region);
        }
        region.dimensions.push(Dimension { step, count });
        Some(region)
    }

    /// How often a block runs in one run of a loop, where it runs in all iterations.
    fn runs(&mut self, of: LoopId, block: BlockId) -> Option<Poly> {
        let nesting = &self.body.nesting;
        let inside = &nesting.function.loops[of.0 as usize];
        let count = self.at(inside.header, |affine| affine.unsigned(inside.back_edges.as_ref()?))?;
        count.shift(i128::from(!is_behind_exit(nesting, of, block)))
    }

    /// Whether a block runs in every iteration of a loop that ends by its only exit, for as often as `runs` says.
    fn runs_always(&self, of: LoopId, block: BlockId) -> bool {
        let nesting = &self.body.nesting;
        let inside = &nesting.function.loops[of.0 as usize];
        let ([latch], [exiting]) = (&inside.latches[..], &inside.exiting[..]) else { return false };
        nesting.dominates(block, *latch)
            && (is_behind_exit(nesting, of, block) || nesting.dominates(block, *exiting))
    }

    fn address(&mut self, touch: &Touch, home: BlockId) -> Option<Poly> {
        let known = self.accesses.list.iter().find(|access| Some(access.inst) == touch.inst());
        if let Some(Ok(address)) = known.map(|access| &access.address) {
            return Some(address.form.clone());
        }
        let Address { root, bytes, terms, .. } = touch.address.as_ref()?;
        self.at(home, |affine| {
            let start = affine.value(root)?.shift(*bytes)?;
            terms.iter().try_fold(start, |sum, (term, factor)| {
                let evolution = evolution_of(affine.nesting, &Operand::Value(*term));
                sum.add_scaled(&affine.signed(&evolution)?, *factor)
            })
        })
    }

    fn length(&mut self, touch: &Touch, home: BlockId) -> Option<Poly> {
        if let Some(bytes) = touch.span.bytes {
            return Some(Poly::constant(i128::from(bytes)));
        }
        let length = touch.length.as_ref()?;
        self.at(home, |affine| {
            let evolution = evolution_of(affine.nesting, length);
            affine.unsigned(&evolution)
        })
    }

    fn at<T>(&mut self, block: BlockId, read: impl FnOnce(&mut Affine) -> Option<T>) -> Option<T> {
        let nesting = &self.body.nesting;
        let Scope { ranges, facts, .. } = find_scope(nesting, &mut self.accesses.atoms, block);
        read(&mut Affine {
            nesting,
            atoms: &mut self.accesses.atoms,
            block,
            ranges,
            facts,
            first: Vec::new(),
        })
    }

    /// The depth of the deepest loop in which part of a region differs from iteration to iteration.
    pub fn depth(&self, region: &Region) -> usize {
        let rest = region.dimensions.iter().flat_map(|at| [&at.step, &at.count]);
        let loops = [&region.start, &region.bytes]
            .into_iter()
            .chain(rest)
            .flat_map(Poly::atoms)
            .filter_map(|atom| self.atoms().get(atom).varies);
        loops.map(|of| self.body.nesting.depth(of)).max().unwrap_or(0)
    }
}

/// A polynomial as `rest + factor·atom`, where it is linear in the atom.
fn split(poly: &Poly, atom: AtomId) -> Option<(Poly, Poly)> {
    let (mut rest, mut factor) = (Poly::default(), Poly::default());
    for (product, number) in &poly.0 {
        let mut others = product.clone();
        others.retain(|other| *other != atom);
        match product.len() - others.len() {
            0 => drop(rest.0.insert(others, *number)),
            1 => drop(factor.0.insert(others, *number)),
            _ => return None,
        }
    }
    Some((rest, factor))
}

impl Region {
    /// Joins the dimensions that lie end to end.
    fn merge(mut self) -> Option<Region> {
        loop {
            let negated = self.bytes.scale(-1)?;
            let next = self.dimensions.iter().position(|at| at.step == self.bytes || at.step == negated);
            let Some(next) = next else { break };
            let Dimension { step, count } = self.dimensions.remove(next);
            if step == negated {
                self.start = self.start.plus(&step.times(&count.shift(-1)?)?)?;
            }
            self.bytes = self.bytes.times(&count)?;
        }
        self.dimensions.sort_by(|x, y| (&x.step.0, &x.count.0).cmp(&(&y.step.0, &y.count.0)));
        Some(self)
    }

    /// Whether every byte of the other is one of this.
    pub fn covers(&self, other: &Region) -> bool {
        let natural = |poly: Option<Poly>| poly.and_then(|poly| poly.as_constant()).is_some_and(|x| x >= 0);
        let ahead = other.start.minus(&self.start);
        let end = |region: &Region| region.start.plus(&region.bytes);
        let spare = end(self).zip(end(other)).and_then(|(own, others)| own.minus(&others));
        self.dimensions == other.dimensions && natural(ahead) && natural(spare)
    }
}
