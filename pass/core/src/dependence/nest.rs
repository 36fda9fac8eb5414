//! What do the loops of a function allow?
//!
//! A function → every pair of accesses that share an outermost loop, and a [`Verdict`] for each loop:
//! * *parallel*: no dependence is carried by the loop, in memory, in a register or by deciding whether it goes on;
//! * *vectorisable* up to a width: every carried dependence either goes forward in the body (vector code keeps that
//!   order) or is at least so many iterations long; innermost loops only;
//! * otherwise *carried*, with what carries it.
//!
//! Safe error: carried.

use super::access::{Accesses, collect_accesses};
use super::finding::{Edge, Finding, Kind, Pair, test_pair};
use super::induction::evolution_of;
use super::nesting::Nesting;
use crate::model::{Access as Touch, Function, LoopId, Op, Operand, Ordering, Program, Scev, ValueId};

/// Beyond so many pairs in one function none is tested, and everything is unknown.
pub const MOST_PAIRS: usize = 20_000;

pub struct Dependences<'a> {
    pub function: &'a Function,
    pub nesting: Nesting<'a>,
    pub accesses: Accesses,
    /// By outermost loop, then by place in the body.
    pub pairs: Vec<Pair>,
    pub verdicts: Vec<Verdict>,
    /// Set where there were too many pairs.
    pub capped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Parallel,
    /// Up to so many iterations at once, `None` for any number.
    Vectorisable {
        width: Option<i128>,
        carried: Vec<Carrier>,
    },
    Carried(Vec<Carrier>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The dependence of that pair.
    Memory {
        pair: usize,
        kind: Kind,
        unknown: bool,
    },
    /// A value handed from one iteration to the next.
    Register(ValueId),
    /// An ordered access: atomic or volatile.
    Ordered(ValueId),
    /// Each iteration decides whether there is a next one: how many there are is not known on entry.
    Control,
    TooManyPairs,
}

pub fn find_dependences<'a>(program: &Program, function: &'a Function) -> Dependences<'a> {
    let nesting = Nesting::of(program, function);
    let accesses = collect_accesses(&nesting);
    let order = order_of(&nesting, &accesses);
    let mut places = Vec::new();
    for (at, first) in order.iter().enumerate() {
        for second in &order[at..] {
            if shares_nest(&accesses, *first, *second) {
                places.push((*first, *second));
            }
        }
    }
    let capped = places.len() > MOST_PAIRS;
    places.retain(|_| !capped);
    places.sort_by_key(|(first, _)| accesses.list[*first].loops[0]);
    let pairs: Vec<Pair> =
        places.into_iter().map(|(x, y)| test_pair(program, &nesting, &accesses, x, y)).collect();
    let mut found = Dependences { function, nesting, accesses, pairs, verdicts: Vec::new(), capped };
    found.verdicts = (0..function.loops.len() as u32).map(|of| judge(&found, LoopId(of))).collect();
    found
}

/// Accesses as they stand in the body.
fn order_of(nesting: &Nesting, accesses: &Accesses) -> Vec<usize> {
    let mut order: Vec<usize> = (0..accesses.list.len()).collect();
    order.sort_by_key(|at| {
        let access = &accesses.list[*at];
        (nesting.position(access.block), access.inst)
    });
    order
}

fn shares_nest(accesses: &Accesses, first: usize, second: usize) -> bool {
    let (a, b) = (&accesses.list[first], &accesses.list[second]);
    let same = matches!((a.loops.first(), b.loops.first()), (Some(x), Some(y)) if x == y);
    // Reading the same cell twice orders nothing; a read is not tested against itself.
    same && (first != second || a.writes)
}

fn judge(found: &Dependences, of: LoopId) -> Verdict {
    let mut carriers: Vec<(Carrier, Option<i128>)> = Vec::new();
    for (at, pair) in found.pairs.iter().enumerate() {
        let Some(level) = pair.common.iter().position(|common| *common == of) else { continue };
        for edge in
            pair.edges.iter().filter(|edge| edge.kind != Kind::Input && edge.vector.carried.contains(&level))
        {
            let unknown = matches!(pair.finding, Finding::Unknown { .. });
            let carrier = Carrier::Memory { pair: at, kind: edge.kind, unknown };
            carriers.push((carrier, longest_width(found, pair, edge, level)));
        }
    }
    carriers.extend(carried_registers(found, of).map(|id| (Carrier::Register(id), Some(1))));
    carriers.extend(ordered_accesses(found, of).map(|id| (Carrier::Ordered(id), Some(1))));
    if found.function.loops[of.0 as usize].back_edges.is_none() || found.nesting.may_leave(of) {
        carriers.push((Carrier::Control, Some(1)));
    }
    if found.capped {
        carriers.push((Carrier::TooManyPairs, Some(1)));
    }
    if carriers.is_empty() {
        return Verdict::Parallel;
    }
    let width = carriers.iter().filter_map(|(_, width)| *width).min();
    let list = carriers.into_iter().map(|(carrier, _)| carrier).collect();
    let innermost = !found.function.loops.iter().any(|inner| inner.parent == Some(of));
    if innermost && width.is_none_or(|width| width > 1) {
        Verdict::Vectorisable { width, carried: list }
    } else {
        Verdict::Carried(list)
    }
}

/// How many iterations may run together in spite of a dependence; `None` for any number.
fn longest_width(found: &Dependences, pair: &Pair, edge: &Edge, level: usize) -> Option<i128> {
    // The whole vector of the earlier instruction runs before that of the later one.
    let forward = edge.from == pair.first && edge.to == pair.second && pair.first != pair.second;
    let straight = found.accesses.list[edge.from].block == found.accesses.list[edge.to].block;
    if forward && straight && !matches!(pair.finding, Finding::Unknown { .. }) {
        return None;
    }
    Some(edge.vector.distances[level].unwrap_or(1))
}

/// Header phis that are not induction variables.
fn carried_registers<'a>(found: &'a Dependences, of: LoopId) -> impl Iterator<Item = ValueId> + 'a {
    let header = found.function.loops[of.0 as usize].header;
    found.function.block(header).insts.iter().copied().filter(move |id| {
        let Some(inst) = found.function.inst(*id) else { return false };
        let Op::Phi { from } = &inst.op else { return false };
        let induction = matches!(evolution_of(&found.nesting, &Operand::Value(*id)), Scev::Rec { .. });
        !induction && !is_advancing(found, *id, from)
    })
}

/// A pointer moved by a fixed computation each time.
fn is_advancing(found: &Dependences, id: ValueId, from: &[crate::model::BlockId]) -> bool {
    let Some(inst) = found.function.inst(id).filter(|inst| inst.ty.is_pointer()) else { return false };
    let Some((of, _, next)) = super::induction::header_phi(&found.nesting, id, inst, from) else {
        return false;
    };
    let step = next.value().and_then(|next| found.function.inst(next));
    step.is_some_and(|step| {
        matches!(step.op, Op::Gep(_))
            && step.operands[0] == Operand::Value(id)
            && step.operands[1..].iter().all(|x| found.nesting.is_invariant(x, of))
    })
}

fn ordered_accesses<'a>(found: &'a Dependences, of: LoopId) -> impl Iterator<Item = ValueId> + 'a {
    let ordered = |touch: &Touch| {
        touch.volatile || !matches!(touch.ordering, Ordering::NotAtomic | Ordering::Unordered)
    };
    found.accesses.list.iter().filter(move |access| access.loops.contains(&of)).filter_map(move |access| {
        let inst = found.function.inst(access.inst)?;
        inst.op.access().is_some_and(ordered).then_some(access.inst)
    })
}
