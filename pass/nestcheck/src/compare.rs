//! Holds what the dependence test says of a nest against what happened in it.

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::dependence::direction::Directions;
use backsweep_core::dependence::finding::{Finding, Kind, Pair, test_pair};
use backsweep_core::dependence::{Dependences, Verdict, find_dependences};

use crate::nest::{Expr, Nest};
use crate::run::{Trace, run};
use crate::write::write_program;

/// What is counted over many nests.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub nests: u64,
    pub pairs: u64,
    pub unsound: u64,
    /// Pairs of affine nests without symbols that never meet, and those of them proved so.
    pub affine_apart: u64,
    pub affine_proved: u64,
    /// The same for nests with symbolic extents.
    pub shaped_apart: u64,
    pub shaped_proved: u64,
    /// The same for nests with other symbols, wrapping or missing flags.
    pub other_apart: u64,
    pub other_proved: u64,
    /// Atomic direction vectors claimed and seen, in affine nests without symbols.
    pub claimed: u64,
    pub seen: u64,
    /// The same in nests with symbolic extents.
    pub shaped_claimed: u64,
    pub shaped_seen: u64,
    pub unknown: u64,
    pub by_test: BTreeMap<String, u64>,
    /// The first seeds of each sort that deserve a look.
    pub unsound_seeds: Vec<(u64, String)>,
    pub missed_seeds: Vec<u64>,
}

/// What one ordered pair of accesses did: for every common iteration distance, seen from the earlier execution.
type Distances = BTreeSet<Vec<i64>>;

/// Tests one seed; nests that do not run as described are passed over.
pub fn check_seed(seed: u64, counts: &mut Counts) {
    let nest = Nest::random(seed);
    let Some(trace) = run(&nest) else { return };
    counts.nests += 1;
    let (program, ids) = write_program(&nest, &trace);
    let found = find_dependences(&program, &program.functions[0]);
    let place = |which: usize| {
        found.accesses.list.iter().position(|access| access.inst == ids[which]).expect("it is there")
    };
    let sort = Sort::of(&nest, &trace);
    for (x, y) in [(0, 1), (0, 0), (1, 1)] {
        if !nest.accesses[x].writes && !nest.accesses[y].writes {
            continue;
        }
        counts.pairs += 1;
        let places = (place(x), place(y));
        let known = found
            .pairs
            .iter()
            .find(|pair| (pair.first, pair.second) == places || (pair.second, pair.first) == places);
        let pair = known
            .cloned()
            .unwrap_or_else(|| test_pair(&program, &found.nesting, &found.accesses, places.0, places.1));
        let common = if x == y { nest.chain_of(x).len() } else { nest.common };
        let (forward, backward) = observe(&nest, &trace, x, y, common);
        let sides = [(&forward, x, y), (&backward, y, x)];
        let wrong = sides.iter().find_map(|(seen, from, to)| {
            let (from, to) = ((place(*from), *from), (place(*to), *to));
            find_unsound(&nest, &pair, from, to, seen)
                .or_else(|| find_unforeseen(&found, &pair, from, to, seen))
        });
        if let Some(reason) = wrong {
            counts.unsound += 1;
            counts.unsound_seeds.push((seed, format!("pair ({x}, {y}): {reason}; {:?}", pair.finding)));
        }
        count(counts, seed, &pair, sort, &forward, &backward);
    }
}

/// The distances with which the first access runs before the second where they overlap, and the other way round.
fn observe(nest: &Nest, trace: &Trace, x: usize, y: usize, common: usize) -> (Distances, Distances) {
    let (mut forward, mut backward) = (Distances::new(), Distances::new());
    let (a, b) = (i128::from(nest.accesses[x].bytes), i128::from(nest.accesses[y].bytes));
    let mut sorted: Vec<usize> = (0..trace.instances[y].len()).collect();
    sorted.sort_by_key(|at| trace.instances[y][*at].address);
    for (place, from) in trace.instances[x].iter().enumerate() {
        // Bytes [from, from + a) and [to, to + b) overlap; addresses near 2^64 do not go round.
        let low = i128::from(from.address) - b + 1;
        let first = sorted.partition_point(|at| i128::from(trace.instances[y][*at].address) < low);
        for other in &sorted[first..] {
            let to = &trace.instances[y][*other];
            if i128::from(to.address) >= i128::from(from.address) + a {
                break;
            }
            if x == y && place == *other {
                continue;
            }
            let distance: Vec<i64> = (0..common).map(|k| to.at[k] - from.at[k]).collect();
            let earlier = match distance.iter().find(|part| **part != 0) {
                Some(part) => *part > 0,
                None => x != y || place < *other,
            };
            if earlier {
                forward.insert(distance);
            } else {
                backward.insert(distance.iter().map(|part| -part).collect());
            }
        }
    }
    (forward, backward)
}

/// A dependence that happened and that no edge of the pair foresees. Accesses are given by their places in the list and
/// in the nest.
fn find_unsound(
    nest: &Nest,
    pair: &Pair,
    (from, x): (usize, usize),
    (to, y): (usize, usize),
    seen: &Distances,
) -> Option<String> {
    let kind = match (nest.accesses[x].writes, nest.accesses[y].writes) {
        (true, true) => Kind::Output,
        (true, false) => Kind::Flow,
        (false, true) => Kind::Anti,
        (false, false) => Kind::Input,
    };
    let admits = |distance: &&Vec<i64>| {
        pair.edges.iter().any(|edge| {
            edge.from == from && edge.to == to && edge.kind == kind && edge.vector.carried_fits(distance)
        })
    };
    let distance = seen.iter().find(|distance| !admits(distance))?;
    Some(format!("{kind} with distance {distance:?} was not foreseen"))
}

/// A dependence that happened and that the verdict on the loop carrying it denies.
fn find_unforeseen(
    found: &Dependences,
    pair: &Pair,
    (from, x): (usize, usize),
    (to, y): (usize, usize),
    seen: &Distances,
) -> Option<String> {
    let list = &found.accesses.list;
    let straight = x < y && list[from].block == list[to].block;
    seen.iter().find_map(|distance| {
        let level = distance.iter().position(|part| *part != 0)?;
        let denied = match &found.verdicts[pair.common[level].0 as usize] {
            Verdict::Parallel => true,
            // Vector code runs all of the earlier instruction before the later one.
            Verdict::Vectorisable { width, .. } => {
                !straight && width.is_none_or(|width| i128::from(distance[level]) < width)
            }
            Verdict::Carried(_) => false,
        };
        denied.then(|| format!("the verdict on loop {level} denies distance {distance:?}"))
    })
}

/// Whether an edge's vector foresees a distance.
trait Fits {
    fn carried_fits(&self, distance: &[i64]) -> bool;
}

impl Fits for backsweep_core::dependence::direction::Vector {
    fn carried_fits(&self, distance: &[i64]) -> bool {
        let carried = match distance.iter().position(|part| *part != 0) {
            Some(level) => self.carried.contains(&level),
            None => self.within,
        };
        carried
            && distance.iter().enumerate().all(|(level, part)| {
                let sign = match part {
                    0 => Directions::EQUAL,
                    1.. => Directions::LESS,
                    _ => Directions::GREATER,
                };
                self.directions[level].has(sign)
                    && self.distances[level].is_none_or(|known| known == i128::from(*part))
            })
    }
}

/// What the counts tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Affine, no symbols, no wrapping, every flag told.
    Plain,
    /// Symbolic extents.
    Shaped,
    Other,
}

impl Sort {
    fn of(nest: &Nest, trace: &Trace) -> Sort {
        // A zero extension of what may be negative wraps as well.
        let odd =
            |expr: &Expr| matches!(expr, Expr::Half(_) | Expr::Low(_) | Expr::Widen { signed: false, .. });
        let plain =
            !nest.exprs.iter().any(odd) && nest.symbols.is_empty() && !trace.wrapped && nest.told == u64::MAX;
        if nest.shaped {
            Sort::Shaped
        } else if plain {
            Sort::Plain
        } else {
            Sort::Other
        }
    }
}

fn count(counts: &mut Counts, seed: u64, pair: &Pair, sort: Sort, forward: &Distances, backward: &Distances) {
    let apart = forward.is_empty() && backward.is_empty();
    let proved = matches!(pair.finding, Finding::Independent { .. });
    let label = match &pair.finding {
        Finding::Independent { by } => format!("independent by {by}"),
        Finding::Dependent { by } => format!("dependent by {by}"),
        Finding::Unknown { reason } => format!("unknown: {reason}"),
    };
    counts.unknown += u64::from(matches!(pair.finding, Finding::Unknown { .. }));
    *counts.by_test.entry(label).or_default() += 1;
    if apart {
        let (all, good) = match sort {
            Sort::Plain => (&mut counts.affine_apart, &mut counts.affine_proved),
            Sort::Shaped => (&mut counts.shaped_apart, &mut counts.shaped_proved),
            Sort::Other => (&mut counts.other_apart, &mut counts.other_proved),
        };
        *all += 1;
        *good += u64::from(proved);
        if sort == Sort::Plain && !proved {
            counts.missed_seeds.push(seed);
        }
    }
    let (claimed, seen) = match sort {
        Sort::Plain => (&mut counts.claimed, &mut counts.seen),
        Sort::Shaped => (&mut counts.shaped_claimed, &mut counts.shaped_seen),
        Sort::Other => return,
    };
    // Of an access with itself both orders are the same pairs.
    *seen += (signs(forward) + if pair.first == pair.second { 0 } else { signs(backward) }) as u64;
    *claimed += pair.edges.iter().map(|edge| edge.vector.count()).sum::<u64>();
}

/// How many different direction vectors there are.
fn signs(seen: &Distances) -> usize {
    let of = |distance: &Vec<i64>| distance.iter().map(|part| part.signum()).collect::<Vec<i64>>();
    seen.iter().map(of).collect::<BTreeSet<_>>().len()
}

impl Counts {
    /// Hundredths of a percent of the affine pairs without symbols that never meet are proved independent.
    pub fn exactness(&self) -> f64 {
        if self.affine_apart == 0 { 1.0 } else { self.affine_proved as f64 / self.affine_apart as f64 }
    }

    pub fn describe(&self) -> String {
        let mut text = format!(
            "{} nests, {} pairs, {} unsound\naffine without symbols: {} of {} independent pairs proved ({:.4} %), \
             {} direction vectors claimed for {} seen\nsymbolic extents: {} of {} independent pairs proved, {} direction \
             vectors claimed for {} seen\nothers: {} of {} independent pairs proved\n{} unknown\n",
            self.nests,
            self.pairs,
            self.unsound,
            self.affine_proved,
            self.affine_apart,
            100.0 * self.exactness(),
            self.claimed,
            self.seen,
            self.shaped_proved,
            self.shaped_apart,
            self.shaped_claimed,
            self.shaped_seen,
            self.other_proved,
            self.other_apart,
            self.unknown,
        );
        for (label, count) in &self.by_test {
            text += &format!("  {count:9} {label}\n");
        }
        for (seed, reason) in self.unsound_seeds.iter().take(20) {
            text += &format!("unsound: seed {seed}: {reason}\n");
        }
        for seed in self.missed_seeds.iter().take(20) {
            text += &format!("missed: seed {seed}\n");
        }
        text
    }
}
