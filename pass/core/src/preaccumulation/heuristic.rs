//! Which target next? Heuristics are filters: each keeps the targets it likes best, and passes them on to the next.
//!
//! A [`Sequence`] is written as its filters' names, `HS,LM,R`: highest sibling degree, of those the lowest Markowitz
//! degree, of those the last in topological order.

use std::fmt;
use std::str::FromStr;

use super::algebra::Algebra;
use super::eliminate::{Around, Reduction, Target};
use super::reach::Reach;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The fewest products.
    LowestMarkowitz,
    /// The fewest products beyond those that whatever order would make: inputs above times outputs below.
    LowestRelativeMarkowitz,
    /// The last in topological order, as reverse mode does.
    Reverse,
    /// The first in topological order, as forward mode does.
    Forward,
    /// The most paths in common with the step before, whose labels are still in registers; all where none has any.
    HighestSiblingDegree,
    /// The largest drop of the sum of all Markowitz degrees.
    MostReduction,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence(Vec<Filter>);

const NAMES: [(&str, Filter); 6] = [
    ("LM", Filter::LowestMarkowitz),
    ("LRM", Filter::LowestRelativeMarkowitz),
    ("R", Filter::Reverse),
    ("F", Filter::Forward),
    ("HS", Filter::HighestSiblingDegree),
    ("MOMR", Filter::MostReduction),
];

impl FromStr for Sequence {
    type Err = String;

    fn from_str(text: &str) -> Result<Sequence, String> {
        let read = |word: &str| {
            let found = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
            found.map(|(_, filter)| *filter).ok_or_else(|| {
                let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
                format!("`{word}` is no heuristic; there are {}", names.join(", "))
            })
        };
        text.split(',').map(read).collect::<Result<Vec<_>, _>>().map(Sequence)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            |filter: &Filter| NAMES.iter().find(|(_, known)| known == filter).map_or("", |entry| entry.0);
        f.write_str(&self.0.iter().map(name).collect::<Vec<_>>().join(","))
    }
}

/// Eliminates until nothing is left to eliminate. Returns the steps taken.
pub fn run<R, A>(system: &mut R, algebra: &mut A, sequence: &Sequence, reach: &Reach) -> Vec<Target>
where
    R: Reduction,
    A: Algebra<Label = R::Label>,
{
    let mut steps: Vec<Target> = Vec::new();
    let mut last = None;
    while let Some(target) = choose(system, sequence, last.as_ref(), reach) {
        last = Some(system.around(target));
        system.eliminate(algebra, target);
        steps.push(target);
    }
    steps
}

/// The target that a sequence settles on; where it leaves several, the last in topological order.
pub fn choose<R: Reduction>(
    system: &R,
    sequence: &Sequence,
    last: Option<&Around>,
    reach: &Reach,
) -> Option<Target> {
    let mut targets = system.targets();
    for filter in sequence.0.iter().chain([&Filter::Reverse]) {
        if targets.len() <= 1 {
            break;
        }
        targets = filter.keep(system, targets, last, reach);
    }
    targets.last().copied()
}

impl Filter {
    fn keep<R: Reduction>(
        self,
        system: &R,
        targets: Vec<Target>,
        last: Option<&Around>,
        reach: &Reach,
    ) -> Vec<Target> {
        match self {
            Filter::LowestMarkowitz => keep_lowest(targets, |target| system.degree(*target)),
            Filter::LowestRelativeMarkowitz => keep_lowest(targets, |target| {
                system.degree(*target) as i64 - reach.least_products(*target, system.pivot(*target)) as i64
            }),
            Filter::Reverse => keep_lowest(targets, |target| std::cmp::Reverse(rank(system, *target))),
            Filter::Forward => keep_lowest(targets, |target| rank(system, *target)),
            Filter::HighestSiblingDegree => {
                let Some(last) = last else { return targets };
                keep_lowest(targets, |target| {
                    std::cmp::Reverse(sibling_degree(&system.around(*target), last))
                })
            }
            Filter::MostReduction => keep_lowest(targets, |target| degree_after(system, *target)),
        }
    }
}

/// Where a target stands in topological order: by the vertex its paths lead over, then by the other end.
fn rank<R: Reduction>(system: &R, target: Target) -> (super::graph::Vertex, Target) {
    (system.pivot(target), target)
}

/// Paths that a step has in common with the step before.
fn sibling_degree(around: &Around, last: &Around) -> usize {
    let common_after = around.after.intersection(&last.after).count();
    common_after * around.before.intersection(&last.before).count()
}

fn degree_after<R: Reduction>(system: &R, target: Target) -> usize {
    let mut tried = system.clone();
    tried.eliminate(&mut Structure(std::marker::PhantomData), target);
    tried.overall_degree()
}

/// Labels that are only carried along: what is asked is the shape.
struct Structure<L>(std::marker::PhantomData<L>);

impl<L: Clone> Algebra for Structure<L> {
    type Label = L;

    fn product(&mut self, outer: &L, _: &L) -> L {
        outer.clone()
    }

    fn sum(&mut self, x: &L, _: &L) -> L {
        x.clone()
    }
}

fn keep_lowest<K: Ord>(targets: Vec<Target>, key: impl Fn(&Target) -> K) -> Vec<Target> {
    let keyed: Vec<(K, Target)> = targets.into_iter().map(|target| (key(&target), target)).collect();
    let Some(lowest) = keyed.iter().map(|(key, _)| key).min() else { return Vec::new() };
    keyed.iter().filter(|(key, _)| key == lowest).map(|(_, target)| *target).collect()
}
