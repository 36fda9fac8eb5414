//! Which addresses that are known modulo 2^64 only are off by the same multiple of it?
//!
//! Every access of a function gets a class; in one class all addresses differ from their forms by one and the same
//! multiple of 2^64 at all times, in class 0 by none. So differences within a class are exact. A class starts with an
//! access that is steady in all its loops ([`super::steady`]); two accesses of one object belong together where one runs
//! before the other in the same iteration and their forms differ by at most 2^63 there.
//! Safe error: no class.

use std::collections::BTreeMap;

use super::access::{Access, Accesses};
use super::atoms::{Atoms, Key, Poly};
use super::nesting::Nesting;
use super::passage::{Known, Way, leads_to, passes};
use super::steady::{Corners, Run, find_run, is_near, within_object};
use crate::model::{BlockId, Object};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(usize);

impl Class {
    /// The addresses that are what their forms say.
    pub const EXACT: Class = Class(0);
}

/// How many accesses before it an access is held against.
const MOST_TRIED: usize = 12;

/// Gives every address its class, and notes what the sizes of objects say; whether that was news.
pub fn find_drifts(nesting: &Nesting, accesses: &mut Accesses) -> bool {
    let list = accesses.list.clone();
    let asks = |access: &Access| is_open(access) || has_multiple(&accesses.atoms, access);
    if nesting.is_wild() || !list.iter().any(asks) {
        return false;
    }
    let mut objects: BTreeMap<&Object, Vec<usize>> = BTreeMap::new();
    for (at, access) in list.iter().enumerate() {
        if let Some(object) = fixed_object(nesting, access) {
            objects.entry(object).or_default().push(at);
        }
    }
    objects.retain(|_, members| members.iter().any(|at| asks(&list[*at])));
    let mut drifts: Drifts = list.iter().map(drift).collect();
    let mut news = false;
    for mut members in objects.into_values() {
        members.sort_by_key(|at| (nesting.position(list[*at].block), list[*at].inst));
        let members = Members { nesting, list: &list, members };
        let runs = members.find_runs(accesses);
        members.classify(accesses, &mut drifts, &runs);
        for (at, run) in members.members.iter().zip(runs) {
            news |= accesses.note_sizes(nesting, list[*at].block, run.sizes);
        }
    }
    for (access, drift) in accesses.list.iter_mut().zip(drifts) {
        if let Ok(address) = &mut access.address {
            address.drift = drift;
        }
    }
    news
}

/// Of each access.
type Drifts = Vec<Option<Class>>;

fn drift(access: &Access) -> Option<Class> {
    access.address.as_ref().ok().and_then(|address| address.drift)
}

/// Whether a multiple of a modulus stands in the form of an address.
fn has_multiple(atoms: &Atoms, access: &Access) -> bool {
    let wraps = |id| matches!(atoms.get(id).key, Key::Wrap(..));
    access.address.as_ref().is_ok_and(|address| address.form.atoms().any(wraps))
}

/// Whether an address is known modulo 2^64 only.
fn is_open(access: &Access) -> bool {
    access.address.as_ref().is_ok_and(|address| address.drift.is_none())
}

/// The object of an access with a known form, where it is one and the same whenever the access runs.
fn fixed_object<'a>(nesting: &Nesting, access: &'a Access) -> Option<&'a Object> {
    let ([only], Ok(_)) = (&access.objects[..], &access.address) else { return None };
    let fixed = match only {
        Object::Param(_) | Object::Global(_) => true,
        Object::Local(id) | Object::Through(id) => {
            nesting.home(*id).is_some_and(|home| nesting.innermost(home).is_none())
        }
    };
    fixed.then_some(only)
}

/// The accesses of one object, in the order of the body.
struct Members<'a> {
    nesting: &'a Nesting<'a>,
    list: &'a [Access],
    members: Vec<usize>,
}

impl Members<'_> {
    fn find_runs(&self, accesses: &mut Accesses) -> Vec<Run> {
        let of = |at: &usize| {
            let access = &self.list[*at];
            let exact = drift(access) == Some(Class::EXACT);
            let mut run = find_run(self.nesting, accesses, access, exact);
            let reach = access.address.as_ref().ok().and_then(|address| address.reach.as_ref());
            run.sizes.extend(reach.into_iter().flat_map(|reach| within_object(0, reach)));
            run
        };
        self.members.iter().map(of).collect()
    }

    fn classify(&self, accesses: &mut Accesses, drifts: &mut Drifts, runs: &[Run]) {
        for (at, run) in self.members.iter().zip(runs) {
            if run.steady == 0 && drifts[*at].is_none() {
                drifts[*at] = Some(Class(at + 1));
            }
        }
        for later in 0..self.members.len() {
            self.join_earlier(accesses, drifts, runs, later);
        }
    }

    /// Puts two accesses into one class, where that is known of an access and one before it.
    fn join_earlier(&self, accesses: &mut Accesses, drifts: &mut Drifts, runs: &[Run], later: usize) {
        let mut tried = 0;
        for earlier in (0..later).rev() {
            let places = [earlier, later].map(|at| self.members[at]);
            let [first, second] = places.map(|at| drifts[at]);
            if first == second {
                continue;
            }
            tried += 1;
            if tried > MOST_TRIED {
                break;
            }
            // The one that surely runs too must have a class: it covers all iterations of the other.
            let joined = first.is_some() && self.is_covered(accesses, runs, later, earlier)
                || second.is_some() && self.is_covered(accesses, runs, earlier, later);
            if joined {
                let joint = first.into_iter().chain(second).min();
                let old: Vec<_> = [first, second].into_iter().filter(Option::is_some).collect();
                drifts.iter_mut().filter(|at| old.contains(at)).for_each(|at| *at = joint);
                places.into_iter().for_each(|at| drifts[at] = joint);
            }
        }
    }

    /// Whether in every iteration of the common loops that runs one access another, the anchor, runs too, in the first
    /// iterations of loops of its own; and their forms are near each other there, or at some ends of loops that always
    /// run both. All of these count by their place in the list of members.
    fn is_covered(&self, accesses: &mut Accesses, runs: &[Run], one: usize, anchor: usize) -> bool {
        let [a, b] = [anchor, one].map(|at| &self.list[self.members[at]]);
        let common = a.loops.iter().zip(&b.loops).take_while(|(x, y)| x == y).count();
        let pair = |outer: usize| Together { nesting: self.nesting, a, b, outer };
        if runs[anchor].always > common || !pair(common).surely_runs(accesses, anchor < one) {
            return false;
        }
        let least = runs[anchor].always.max(runs[one].always).max(runs[one].steady);
        pair(common).is_near_there(accesses)
            || (least..=common).rev().any(|outer| pair(outer).is_near_at_ends(accesses))
    }
}

/// An anchor `a` and an access `b`, and the loops around both, of which the outer ones are in one iteration.
struct Together<'a> {
    nesting: &'a Nesting<'a>,
    a: &'a Access,
    b: &'a Access,
    outer: usize,
}

impl Together<'_> {
    /// What is known in an iteration of the outer loops that runs the second access.
    fn known(&self, accesses: &mut Accesses) -> Known<'_> {
        let (ranges, facts) = Default::default();
        let (fixed, own) = self.a.loops.split_at(self.outer);
        let mut known = Known { fixed, counter: None, first: own, ranges, facts };
        let scope = accesses.scope(self.b.block).clone();
        known.take(&mut accesses.atoms, &scope);
        known
    }

    /// Whether the anchor runs in the iterations that run the other access, before it or after it.
    fn surely_runs(&self, accesses: &mut Accesses, before: bool) -> bool {
        let (nesting, a, b) = (self.nesting, self.a.block, self.b.block);
        if a == b {
            return before || nesting.goes_through(a);
        }
        let known = self.known(accesses);
        let within = known.fixed.last().copied();
        if !before {
            return leads_to(nesting, &mut accesses.atoms, &known, (b, a), within);
        }
        let from = within.map_or(BlockId(0), |of| nesting.function.loops[of.0 as usize].header);
        passes(nesting, &mut accesses.atoms, &known, &Way { from, to: &[b], within }, a)
    }

    fn corners<'a>(&'a self, access: &'a Access) -> Corners<'a> {
        Corners { nesting: self.nesting, access, inner: &access.loops[self.outer..] }
    }

    /// Wherever the second access runs, the first one in the first iterations of loops of its own.
    fn is_near_there(&self, accesses: &mut Accesses) -> bool {
        let known = self.known(accesses);
        let scope = accesses.scope(self.b.block).clone();
        let atoms = &mut accesses.atoms;
        let from = self.corners(self.a).first(atoms).filter(|form| known.admits(atoms, form));
        let (Some(from), Ok(to)) = (from, &self.b.address) else { return false };
        let affine = scope.affine(self.nesting, atoms, self.b.block);
        to.form.minus(&from).is_some_and(|gap| is_near(&affine, &gap))
    }

    /// In the first or last iterations of loops that always run both.
    fn is_near_at_ends(&self, accesses: &mut Accesses) -> bool {
        let known = self.known(accesses);
        let ends = [self.a, self.b].map(|access| {
            let corners = self.corners(access);
            let runs_out = corners.inner.first().is_none_or(|of| self.nesting.counts_out(*of));
            let last = if runs_out { corners.last(accesses, &known) } else { None };
            [corners.first(&mut accesses.atoms), last]
        });
        let affine = known.affine(self.nesting, &mut accesses.atoms, self.b.block);
        let near = |from: &Poly, to: &Poly| {
            let gap = to.minus(from).filter(|gap| known.admits(affine.atoms, gap));
            [from, to].iter().all(|form| known.admits(affine.atoms, form))
                && gap.is_some_and(|gap| is_near(&affine, &gap))
        };
        let [from, to] = &ends;
        from.iter().flatten().any(|from| to.iter().flatten().any(|to| near(from, to)))
    }
}
