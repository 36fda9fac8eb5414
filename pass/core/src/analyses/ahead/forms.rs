//! Addresses and bounds of loops as polynomials in the counters of loops, at one of two moments.
//!
//! Whole numbers, as if nothing wrapped: a loop that counts to 2^60 does not end in our time.

use std::collections::BTreeMap;

use super::poly::{Poly, Side, Var};
use crate::model::{BlockId, Constant, Function, LoopId, Operand, Program, Scev, Type, ValueId, Wrap};

pub struct Forms<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub home: &'a BTreeMap<ValueId, BlockId>,
}

/// Whose counter counts for each loop.
pub type Sides<'a> = &'a dyn Fn(LoopId) -> Side;

impl Forms<'_> {
    /// The loops around a block, the outermost first.
    pub fn loops_around(&self, block: BlockId) -> Vec<LoopId> {
        let all = (0..self.function.loops.len() as u32).map(LoopId);
        let mut around: Vec<LoopId> = all.filter(|id| self.is_in(block, *id)).collect();
        around.sort_by_key(|id| std::cmp::Reverse(self.function.loops[id.0 as usize].blocks.len()));
        around
    }

    fn is_in(&self, block: BlockId, around: LoopId) -> bool {
        self.function.loops[around.0 as usize].blocks.contains(&block)
    }

    /// An expression as it is while a block runs.
    pub fn read(&self, scev: &Scev, block: BlockId, sides: Sides) -> Option<Poly> {
        let read = |scev: &Scev| self.read(scev, block, sides);
        match scev {
            Scev::Const { value, .. } => Some(Poly::number(*value)),
            Scev::Value(Operand::Value(id)) => self.is_steady(*id).then(|| Poly::var(Var::Symbol(*id))),
            Scev::Value(Operand::Const(Constant::Symbol { name, .. })) => {
                let place = self.program.globals.iter().position(|global| global.name == *name)?;
                Some(Poly::var(Var::Global(place)))
            }
            Scev::Add(_, terms) => {
                terms.iter().try_fold(Poly::default(), |sum, term| Some(sum.plus(&read(term)?)))
            }
            Scev::Mul(_, factors) => {
                factors.iter().try_fold(Poly::number(1), |all, one| all.times(&read(one)?))
            }
            Scev::Rec { start, step, of, .. } => {
                let passes = Poly::var(Var::Counter(*of, sides(*of)));
                Some(read(start)?.plus(&read(step)?.times(&passes)?))
            }
            Scev::SExt(_, x) if keeps_sign(x) || self.stays_below(x, block, sides) => read(x),
            _ => None,
        }
    }

    /// Whether a value is one number for the whole of a call.
    fn is_steady(&self, id: ValueId) -> bool {
        let looped = |block: &BlockId| self.function.loops.iter().any(|around| around.blocks.contains(block));
        self.function.inst(id).is_none() || self.home.get(&id).is_some_and(|block| !looped(block))
    }

    /// What the counter of a loop around a block does not exceed while the block runs.
    pub fn most_passes(&self, block: BlockId, around: LoopId, sides: Sides) -> Option<Poly> {
        let found = &self.function.loops[around.0 as usize];
        let back_edges = found.back_edges.as_ref()?;
        // A loop that is left at its header runs the others of its blocks once for each time that it goes round.
        if found.exiting != [found.header] || block == found.header {
            return self.read(back_edges, block, sides);
        }
        // It does go round, then, and no number that is not positive says how often.
        let says = |found: &Poly| !found.is_at_most(0);
        let times: Vec<Poly> = self.choices(back_edges, block, sides)?.into_iter().filter(says).collect();
        let [times] = &times[..] else { return None };
        Some(times.minus(&Poly::number(1)))
    }

    /// What a number is one of: the larger of some, perhaps with something added.
    fn choices(&self, scev: &Scev, block: BlockId, sides: Sides) -> Option<Vec<Poly>> {
        let (larger, rest): (Vec<&Scev>, Vec<&Scev>) = match scev {
            Scev::Add(_, terms) => terms.iter().partition(|term| matches!(term, Scev::SMax(_))),
            other => (vec![other], Vec::new()),
        };
        let read = |scev: &Scev| self.read(scev, block, sides);
        let rest = rest.into_iter().try_fold(Poly::default(), |sum, term| Some(sum.plus(&read(term)?)))?;
        match larger[..] {
            [] => Some(vec![rest]),
            [Scev::SMax(terms)] => terms.iter().map(|term| Some(rest.plus(&read(term)?))).collect(),
            [only] => Some(vec![rest.plus(&read(only)?)]),
            _ => None,
        }
    }

    /// Whether a number that counts up stays below one of its own bits, and so never wraps, though nobody promises it.
    fn stays_below(&self, scev: &Scev, block: BlockId, sides: Sides) -> bool {
        let Scev::Rec { start, step, of, .. } = scev else { return false };
        let (Scev::Const { value: first, .. }, Scev::Const { bits, value: by }) = (&**start, &**step) else {
            return false;
        };
        let counts_up = *first >= 0 && *by > 0 && self.is_in(block, *of);
        let Some(most) = self.most_passes(block, *of, sides).filter(|_| counts_up) else { return false };
        let Some(last) = most.times(&Poly::number(*by)) else { return false };
        let last = last.plus(&Poly::number(*first));
        let of_its_bits = |symbol: &ValueId| *self.function.value_type(*symbol) == Type::Int(*bits);
        let fits = |symbol: ValueId| Poly::var(Var::Symbol(symbol)).minus(&last).is_at_least(0);
        last.symbols().filter(of_its_bits).any(fits)
    }
}

/// Whether a number is the same in more bits.
fn keeps_sign(scev: &Scev) -> bool {
    match scev {
        Scev::Const { .. } | Scev::Value(_) => true,
        Scev::Add(Wrap { nsw, .. }, parts) | Scev::Mul(Wrap { nsw, .. }, parts) => {
            *nsw && parts.iter().all(keeps_sign)
        }
        Scev::Rec { wrap, start, step, .. } => wrap.nsw && keeps_sign(start) && keeps_sign(step),
        _ => false,
    }
}
