//! Does a loop leave alone, in one run, the memory that it reads?
//!
//! A load and a store of one loop → whether the store ever touches in some pass what the load reads in some pass of the same run, whichever
//! comes first. Where the pointers are buffers that change places, that is asked for every order in which they may stand.
//! Safe error: it does.

use std::collections::{BTreeMap, BTreeSet};

use super::exchanged::{Standing, find_standings, fix, root_of};
use super::guarded::is_void;
use super::linear::Linear;
use super::objects::are_apart;
use super::overwriting::Overwriting;
use super::pair::build_question;
use super::problem::Problem;
use crate::model::{Function, Object, Program, ValueId};

/// A load and a store.
type Pair = (ValueId, ValueId);

/// Whether a test on entry has found that an object is apart from the others of which it has.
pub type Tested<'a> = dyn Fn(&Object) -> bool + 'a;

/// The pairs in which the store never touches, in a run of the innermost loop around both, what the load reads in it.
pub fn find_apart_in_runs(
    overwriting: &Overwriting,
    program: &Program,
    pairs: &BTreeSet<Pair>,
    tested: &Tested,
) -> BTreeSet<Pair> {
    let function = overwriting.nesting.function;
    let (mut found, mut by_roots): (BTreeSet<Pair>, BTreeMap<Pair, BTreeSet<Pair>>) = Default::default();
    for (load, store) in pairs {
        if overwriting.is_apart_in_run(*load, *store, tested) {
            found.insert((*load, *store));
        } else if let Some(roots) = roots_of(function, *load).zip(roots_of(function, *store)) {
            by_roots.entry(roots).or_default().insert((*load, *store));
        }
    }
    for ((first, second), pairs) in by_roots {
        let standings = find_standings(&overwriting.nesting, first, second).unwrap_or_default();
        let mut left = if standings.is_empty() { BTreeSet::new() } else { pairs };
        for standing in standings {
            retain_apart(function, program, &standing, &mut left, tested);
        }
        found.extend(left);
    }
    found
}

/// Keeps the pairs that are apart as long as phis stand for these.
fn retain_apart(
    function: &Function,
    program: &Program,
    standing: &Standing,
    pairs: &mut BTreeSet<Pair>,
    tested: &Tested,
) {
    if pairs.is_empty() {
        return;
    }
    let asked = pairs.iter().flat_map(|(load, store)| [*load, *store]).collect();
    let fixed = fix(function, standing, &asked);
    let overwriting = Overwriting::of(&fixed, program);
    pairs.retain(|(load, store)| overwriting.is_apart_in_run(*load, *store, tested));
}

/// Where the address of an access comes from.
fn roots_of(function: &Function, access: ValueId) -> Option<ValueId> {
    root_of(function, function.memory.get(&access)?.pointer.as_ref()?)
}

impl Overwriting<'_> {
    fn is_apart_in_run(&self, load: ValueId, store: ValueId, tested: &Tested) -> bool {
        let Some((read, written)) = self.access(load).zip(self.access(store)) else { return false };
        let parted = |x: &Object, y: &Object| x != y && tested(x) && tested(y);
        let named = !read.objects.is_empty() && !written.objects.is_empty();
        if are_apart(self.program, &self.nesting, read, written)
            || named && read.objects.iter().all(|x| written.objects.iter().all(|y| parted(x, y)))
        {
            return true;
        }
        if self.nesting.is_wild() || read.loops != written.loops {
            return false;
        }
        let Some(question) = build_question(&self.nesting, &self.accesses, read, written, None) else {
            return false;
        };
        !question.bases_differ && in_one_run(&question.problem).is_some_and(|problem| is_void(&problem))
    }
}

/// The problem for passes of one run of the innermost loop.
fn in_one_run(problem: &Problem) -> Option<Problem> {
    let mut within = problem.clone();
    let around = problem.levels.len().checked_sub(1)?;
    let levels = problem.levels[..around].iter().map(|level| (level.source, level.sink));
    let ties = problem.ties.iter().filter(|tie| tie.depth <= around).map(|tie| (tie.first, tie.second));
    for (first, second) in levels.chain(ties) {
        let gap = Linear::var(second).minus(&Linear::var(first))?;
        within.constraints.push(gap.scale(-1)?);
        within.constraints.push(gap);
    }
    Some(within)
}
