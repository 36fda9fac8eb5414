//! Which addresses that are known modulo 2^64 only are off by the same multiple of it?
//!
//! Every access of a function gets a class; in one class all addresses differ from their forms by one and the same
//! multiple of 2^64 at all times, in class 0 by none. So differences within a class are exact. A class starts with an
//! access that is steady in all its loops ([`super::steady`]). An access of the same object joins where one of the class
//! runs whenever it runs, and their forms differ by at most 2^63 there; with it come all that run only where it runs.
//!
//! Invariant: in every call that runs any access of a class, the one that started it runs too. Without that, two classes
//! that meet in an access which need not run would be taken for one in a call that does not run it.
//! Safe error: no class.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::access::{Access, Accesses};
use super::atoms::{Atoms, Key, Poly};
use super::nesting::Nesting;
use super::passage::{Known, Way, leads_to, passes};
use super::steady::{Corners, Run, find_run, is_near, within_object};
use crate::model::{BlockId, LoopId, Object};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(usize);

impl Class {
    /// The addresses that are what their forms say.
    pub const EXACT: Class = Class(0);

    /// The class that an access starts.
    fn started_by(access: usize) -> Class {
        Class(access + 1)
    }
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
    // Classes of an earlier round do not count: forms may have been read anew since, each by itself.
    let mut drifts: Drifts = list.iter().map(|access| (!is_open(access)).then_some(Class::EXACT)).collect();
    let mut news = false;
    for mut members in objects.into_values() {
        members.sort_by_key(|at| (nesting.position(list[*at].block), list[*at].inst));
        let members = Members { nesting, list: &list, members, asked: Asked::default() };
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

/// Whether a multiple of a modulus stands in the form of an address.
fn has_multiple(atoms: &Atoms, access: &Access) -> bool {
    let wraps = |id| matches!(atoms.get(id).key, Key::Wrap(..));
    access.address.as_ref().is_ok_and(|address| address.form.atoms().any(wraps))
}

/// Whether an address is known modulo 2^64 only.
fn is_open(access: &Access) -> bool {
    access.address.as_ref().is_ok_and(|address| address.drift != Some(Class::EXACT))
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
    asked: Asked<'a>,
}

/// What was found out about accesses so far: of those in one block the same is known, and of many the same is asked.
#[derive(Default)]
struct Asked<'a> {
    known: RefCell<HashMap<Place<'a>, Rc<Known<'a>>>>,
    /// Whether the anchor in the first block surely runs where the second block does, which it may come before.
    runs: RefCell<HashMap<(BlockId, BlockId, bool), bool>>,
}

/// A block, how many loops around it are in one iteration, and the loops in their first iterations.
type Place<'a> = (BlockId, usize, &'a [LoopId]);

impl<'a> Members<'a> {
    fn find_runs(&self, accesses: &mut Accesses) -> Vec<Run> {
        let of = |at: &usize| {
            let access = &self.list[*at];
            let mut run = find_run(self.nesting, accesses, access, !is_open(access));
            let reach = access.address.as_ref().ok().and_then(|address| address.reach.as_ref());
            run.sizes.extend(reach.into_iter().flat_map(|reach| within_object(0, reach)));
            run
        };
        self.members.iter().map(of).collect()
    }

    fn classify(&self, accesses: &mut Accesses, drifts: &mut Drifts, runs: &[Run]) {
        for (at, run) in self.members.iter().zip(runs) {
            if run.steady == 0 && drifts[*at].is_none() {
                drifts[*at] = Some(Class::started_by(*at));
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
            let roles = [(later, earlier), (earlier, later)];
            let joining = roles.into_iter().find(|(one, anchor)| {
                drifts[self.members[*anchor]].is_some()
                    && self.speaks_for_class(accesses, drifts, runs, *one)
                    && self.is_covered(accesses, runs, *one, *anchor)
            });
            if let Some((one, anchor)) = joining {
                let [old, joint] = [one, anchor].map(|at| drifts[self.members[at]]);
                drifts.iter_mut().filter(|at| old.is_some() && **at == old).for_each(|at| *at = joint);
                drifts[self.members[one]] = joint;
            }
        }
    }

    /// Whether an access runs in every call that runs any of its class, so that what it is tied to the others are.
    /// The one that started the class does: whatever joined runs only where that one runs too.
    fn speaks_for_class(&self, accesses: &mut Accesses, drifts: &Drifts, runs: &[Run], one: usize) -> bool {
        let Some(class) = drifts[self.members[one]] else { return true };
        let starter = self.members.iter().position(|at| Class::started_by(*at) == class);
        starter.is_some_and(|starter| starter == one || self.runs_with(accesses, runs, starter, one))
    }

    /// Whether in every iteration of the common loops that runs one access another, the anchor, runs too, in the first
    /// iterations of loops of its own.
    fn runs_with(&self, accesses: &mut Accesses, runs: &[Run], one: usize, anchor: usize) -> bool {
        let together = self.together(one, anchor);
        runs[anchor].always <= together.outer && together.surely_runs(accesses, anchor < one)
    }

    /// In one iteration of all common loops.
    fn together(&self, one: usize, anchor: usize) -> Together<'_, 'a> {
        let [a, b] = [anchor, one].map(|at| &self.list[self.members[at]]);
        let outer = a.loops.iter().zip(&b.loops).take_while(|(x, y)| x == y).count();
        Together { nesting: self.nesting, asked: &self.asked, a, b, outer }
    }

    /// Whether one access runs with the anchor, and their forms are near each other there, or at some ends of loops that
    /// always run both. Both count by their place in the list of members.
    fn is_covered(&self, accesses: &mut Accesses, runs: &[Run], one: usize, anchor: usize) -> bool {
        if !self.runs_with(accesses, runs, one, anchor) {
            return false;
        }
        let together = self.together(one, anchor);
        let least = runs[anchor].always.max(runs[one].always).max(runs[one].steady);
        together.is_near_there(accesses)
            || (least..=together.outer)
                .rev()
                .any(|outer| Together { outer, ..together }.is_near_at_ends(accesses))
    }
}

/// An anchor `a` and an access `b`, and the loops around both, of which the outer ones are in one iteration.
struct Together<'b, 'a> {
    nesting: &'a Nesting<'a>,
    asked: &'b Asked<'a>,
    a: &'a Access,
    b: &'a Access,
    outer: usize,
}

impl<'a> Together<'_, 'a> {
    /// What is known in an iteration of the outer loops that runs the second access.
    fn known(&self, accesses: &mut Accesses) -> Rc<Known<'a>> {
        let (fixed, own) = self.a.loops.split_at(self.outer);
        let place = (self.b.block, self.outer, own);
        if let Some(known) = self.asked.known.borrow().get(&place) {
            return known.clone();
        }
        let (ranges, facts, ways) = Default::default();
        let mut known = Known { fixed, counter: None, first: own, ranges, facts, ways };
        let scope = accesses.scope(self.b.block).clone();
        known.take(&mut accesses.atoms, &scope);
        let known = Rc::new(known);
        self.asked.known.borrow_mut().insert(place, known.clone());
        known
    }

    /// Whether the anchor runs in the iterations that run the other access, before it or after it.
    fn surely_runs(&self, accesses: &mut Accesses, before: bool) -> bool {
        let (a, b) = (self.a.block, self.b.block);
        if a == b {
            return before || self.nesting.goes_through(a);
        }
        let place = (a, b, before);
        let known = self.asked.runs.borrow().get(&place).copied();
        known.unwrap_or_else(|| {
            let runs = self.goes_there(accesses, before);
            self.asked.runs.borrow_mut().insert(place, runs);
            runs
        })
    }

    fn goes_there(&self, accesses: &mut Accesses, before: bool) -> bool {
        let (nesting, a, b) = (self.nesting, self.a.block, self.b.block);
        let known = self.known(accesses);
        let within = known.fixed.last().copied();
        if !before {
            return leads_to(nesting, &mut accesses.atoms, &known, (b, a), within);
        }
        let from = within.map_or(BlockId(0), |of| nesting.function.loops[of.0 as usize].header);
        passes(nesting, &mut accesses.atoms, &known, &Way { from, to: &[b], within }, a)
    }

    fn corners(&self, access: &'a Access) -> Corners<'a> {
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
