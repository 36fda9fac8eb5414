//! Loads from cells that whatever is stored afterwards leaves alone, though it is stored into the same memory.
//!
//! A solver of triangular equations writes one unknown after the other and reads those that are done; a factorisation
//! leaves each column when it is finished. What was read there is the same at the end, and need not be recorded.
//!
//! Two accesses meet later in some pass of a loop around both: in the same passes of the outer ones and in a later one of
//! this, or in one pass of all. In each of these cases the distance of the two addresses is a polynomial in counters, and
//! is shown to be at least the bytes of an access: as it stands, or but for a multiple of the length of a row. Dependence
//! testing, which comes to its answers by other ways, has to agree.
//! Safe error: overwritten.

mod forms;
mod poly;

use std::collections::BTreeMap;

use self::forms::Forms;
use self::poly::{Bounds, Poly, Side, Var};
use super::flow::Flow;
use crate::dependence::overwriting::Overwriting;
use crate::model::{BlockId, Function, Layout, LoopId, Op, Program, Type, ValueId};

/// More pairs of accesses are not looked at, and none in larger functions.
const MOST_PAIRS: usize = 2_000;
const LARGEST: usize = 5_000;

pub struct Ahead<'a> {
    function: &'a Function,
    forms: Forms<'a>,
    flow: &'a Flow,
    layout: Layout,
    program: &'a Program,
    /// As soon as it is asked.
    overwriting: Option<Overwriting<'a>>,
    pairs: usize,
}

/// One of two accesses.
struct Access {
    id: ValueId,
    block: BlockId,
    loops: Vec<LoopId>,
    bytes: i128,
}

/// In which passes the accesses run.
#[derive(Clone, Copy)]
enum Case {
    /// The later one in a later pass of the loop of this place among those around both.
    Later(usize),
    /// In one pass of all.
    Same,
}

impl<'a> Ahead<'a> {
    pub fn of(
        function: &'a Function,
        program: &'a Program,
        flow: &'a Flow,
        home: &'a BTreeMap<ValueId, BlockId>,
    ) -> Option<Ahead<'a>> {
        (function.insts.len() <= LARGEST).then(|| Ahead {
            function,
            forms: Forms { function, program, home },
            flow,
            layout: Layout::parse(&program.layout),
            program,
            overwriting: None,
            pairs: 0,
        })
    }

    /// Whether no run of these stores that comes after one of the load overwrites what that has read.
    pub fn leave_alone(&mut self, load: ValueId, stores: &[ValueId]) -> bool {
        // The last ones in the text are the likeliest to overwrite it.
        let apart = stores.iter().rev().all(|store| {
            self.pairs += 1;
            self.pairs <= MOST_PAIRS && self.are_apart(load, *store) == Some(true)
        });
        if !apart {
            return false;
        }
        let (function, program) = (self.function, self.program);
        let overwriting = self.overwriting.get_or_insert_with(|| Overwriting::of(function, program));
        stores.iter().all(|store| !overwriting.may_come(load, *store))
    }

    fn are_apart(&self, load: ValueId, store: ValueId) -> Option<bool> {
        let is_load = |op: &Op| matches!(op, Op::Load(_));
        let early = self.read_access(load, &is_load)?;
        let late = self.read_access(store, &|op| matches!(op, Op::Store(_)))?;
        let common = early.loops.iter().zip(&late.loops).take_while(|(x, y)| x == y).count();
        let passes = (0..common).map(Case::Later);
        let same = self.may_follow(&early, &late, common).then_some(Case::Same);
        Some(passes.chain(same).all(|case| self.is_apart_in(&early, &late, case) == Some(true)))
    }

    /// Whether the later access may run behind the earlier one in one pass of all loops around both.
    fn may_follow(&self, early: &Access, late: &Access, common: usize) -> bool {
        if early.block == late.block {
            return late.id > early.id;
        }
        let around = common.checked_sub(1).map(|innermost| early.loops[innermost]);
        let walls: Vec<BlockId> = around.iter().map(|id| self.function.loops[id.0 as usize].header).collect();
        let next = self.flow.successors(early.block).iter();
        next.into_iter().any(|next| self.flow.reach(*next, &walls).contains(&late.block))
    }

    fn read_access(&self, id: ValueId, counts: &dyn Fn(&Op) -> bool) -> Option<Access> {
        let inst = self.function.inst(id).filter(|inst| counts(&inst.op))?;
        let ty = self.function.accessed_type(inst)?;
        let block = *self.forms.home.get(&id)?;
        let bytes = i128::from(self.layout.store_size(&ty)?);
        let loops = self.forms.loops_around(block);
        matches!(ty, Type::Float(_) | Type::Int(_)).then_some(Access { id, block, loops, bytes })
    }

    fn is_apart_in(&self, early: &Access, late: &Access, case: Case) -> Option<bool> {
        let common = early.loops.iter().zip(&late.loops).take_while(|(x, y)| x == y).count();
        let shared = if let Case::Later(at) = case { at } else { common };
        let side = |own: Side| {
            let both = &early.loops[..shared];
            move |id: LoopId| if both.contains(&id) { Side::Both } else { own }
        };
        let mut bounds = Bounds::default();
        for (access, own) in [(early, Side::Early), (late, Side::Late)] {
            for around in &access.loops {
                let counter = Var::Counter(*around, side(own)(*around));
                let most = self.forms.most_passes(access.block, *around, &side(own));
                bounds.most.extend(most.map(|most| (counter, most)));
            }
        }
        let address = |access: &Access, own: Side| {
            let known = self.function.memory.get(&access.id)?.address.as_ref()?;
            self.forms.read(known, access.block, &side(own))
        };
        let mut distance = address(late, Side::Late)?.minus(&address(early, Side::Early)?);
        if let Case::Later(at) = case {
            let of = early.loops[at];
            let next = Poly::var(Var::Counter(of, Side::Early)).plus(&Poly::number(1));
            let (counter, more) = (Var::Counter(of, Side::Late), bounds.new_slack());
            let later = next.plus(&Poly::var(more));
            distance = distance.put(counter, &later)?;
            let put = |(var, most): (Var, Poly)| Some((var, most.put(counter, &later)?));
            let known = std::mem::take(&mut bounds.most).into_iter().filter(|(var, _)| *var != counter);
            bounds.most = known.filter_map(put).collect();
            // What is said of the later counter is said of what it is made of.
            if let Some(most) = self.forms.most_passes(late.block, of, &side(Side::Late)) {
                bounds.most.push((more, most.minus(&next)));
                bounds.most.push((Var::Counter(of, Side::Early), most.minus(&Poly::number(1))));
            }
        }
        Some(is_never_within(&bounds, &distance, early.bytes, late.bytes))
    }
}

/// Whether the later access, which stands so far behind the earlier one, never has a byte of it.
fn is_never_within(bounds: &Bounds, distance: &Poly, early: i128, late: i128) -> bool {
    let none = Poly::default();
    let behind = |rest: &Poly| bounds.prove(rest, early);
    let before = |rest: &Poly| bounds.prove(&none.minus(rest), late);
    behind(distance)
        || before(distance)
        || rows_of(distance).iter().any(|row| {
            // Whole rows aside, it lies within one, clear of both of its ends.
            let within = |rest: &Poly| behind(rest) && before(&rest.minus(row));
            let rest = beside_rows(distance, row);
            within(&rest) || within(&rest.plus(row))
        })
}

/// What may be the length of a row: the factors of the counters.
fn rows_of(distance: &Poly) -> Vec<Poly> {
    let mut rows: Vec<Poly> = Vec::new();
    for (factors, by) in &distance.0 {
        let symbols: Vec<Var> =
            factors.iter().copied().filter(|factor| matches!(factor, Var::Symbol(_))).collect();
        let counted = symbols.len() < factors.len();
        let row = symbols.iter().try_fold(Poly::number(by.abs()), |row, var| row.times(&Poly::var(*var)));
        if let Some(row) = row.filter(|row| counted && !rows.contains(row)) {
            rows.push(row);
        }
    }
    rows
}

/// A distance without whole rows of it.
fn beside_rows(distance: &Poly, row: &Poly) -> Poly {
    let Some((length, per)) = row.0.iter().next() else { return distance.clone() };
    let beside = distance.0.iter().filter_map(|(factors, by)| {
        let holds = length.iter().all(|symbol| factors.contains(symbol));
        let left = if !holds { *by } else { nearest(*by, *per) };
        (left != 0).then(|| (factors.clone(), left))
    });
    Poly(beside.collect())
}

/// What a number is more than the nearest multiple of another, or less.
fn nearest(number: i128, of: i128) -> i128 {
    let rest = number.rem_euclid(of);
    if 2 * rest > of { rest - of } else { rest }
}
