//! Runs a nest, with the wrapping arithmetic of the machine, and notes what happens.

use crate::nest::{Expr, Nest};

/// Which promises were kept in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub nuw: bool,
    pub nsw: bool,
}

#[derive(Clone, Debug)]
pub struct Instance {
    /// The iteration (counted from 0) of each loop around the access.
    pub at: Vec<i64>,
    pub address: u64,
}

pub struct Trace {
    pub instances: [Vec<Instance>; 2],
    /// Of the computation of each expression, wherever it was computed.
    pub kept: Vec<Kept>,
    /// Of the increment of each loop: over all increments, and over those whose result began another iteration.
    pub increments: Vec<Kept>,
    pub advances: Vec<Kept>,
    /// Of the address computations of each access: `inbounds`-like (unsigned base plus signed offset).
    pub addresses: [bool; 2],
    /// Whether a loop was ever entered with no iteration to do.
    pub empty: Vec<bool>,
    /// Whether any arithmetic wrapped in the reading that was used.
    pub wrapped: bool,
}

/// Beyond so many instances the nest is not worth the time.
const MOST_INSTANCES: usize = 600;

struct Runner<'a> {
    nest: &'a Nest,
    trace: Trace,
    index: Vec<i128>,
    at: Vec<i64>,
}

/// Executes the nest; `None` where its loops do not end as their bounds say, or run for too long.
pub fn run(nest: &Nest) -> Option<Trace> {
    let fine = Kept { nuw: true, nsw: true };
    let trace = Trace {
        instances: [Vec::new(), Vec::new()],
        kept: vec![fine; nest.exprs.len()],
        increments: vec![fine; nest.loops.len()],
        advances: vec![fine; nest.loops.len()],
        addresses: [true; 2],
        empty: vec![false; nest.loops.len()],
        wrapped: false,
    };
    let mut runner = Runner { nest, trace, index: vec![0; nest.loops.len()], at: vec![0; nest.loops.len()] };
    runner.enter(0, nest.common, &mut |runner| {
        for which in 0..2 {
            let chain = nest.chain_of(which);
            runner.enter_chain(&chain[nest.common..], which)?;
        }
        Some(())
    })?;
    Some(runner.trace)
}

/// The number modulo 2^bits, read as signed.
pub fn signed(value: i128, bits: u32) -> i128 {
    let shift = 128 - bits;
    (value << shift) >> shift
}

pub fn unsigned(value: i128, bits: u32) -> i128 {
    value & ((1i128 << bits) - 1)
}

impl Runner<'_> {
    fn enter(&mut self, from: usize, to: usize, body: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if from == to {
            return body(self);
        }
        self.repeat(from, &mut |runner| runner.enter(from + 1, to, body))
    }

    fn enter_chain(&mut self, chain: &[usize], which: usize) -> Option<()> {
        match chain.split_first() {
            None => self.touch(which),
            Some((first, rest)) => self.repeat(*first, &mut |runner| runner.enter_chain(rest, which)),
        }
    }

    fn repeat(&mut self, of: usize, body: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let (nest, bits) = (self.nest, self.nest.bits);
        let end = self.value(nest.loops[of].end);
        let (start, step) = (i128::from(nest.loops[of].start), i128::from(nest.loops[of].step));
        if signed(start, bits) != start {
            return None;
        }
        let goes = |index: i128| if step > 0 { index < end } else { index > end };
        if !goes(start) {
            self.trace.empty[of] = true;
            return Some(());
        }
        (self.index[of], self.at[of]) = (start, 0);
        loop {
            body(self)?;
            let sum = self.index[of] + step;
            let next = signed(sum, bits);
            let kept = Kept {
                nsw: next == sum,
                nuw: unsigned(self.index[of], bits) + unsigned(step, bits) < 1i128 << bits,
            };
            merge(&mut self.trace.increments[of], kept);
            // Wrapping round instead of ending: not the loop its bounds describe.
            if next != sum {
                return if goes(next) { None } else { Some(()) };
            }
            if !goes(next) {
                return Some(());
            }
            merge(&mut self.trace.advances[of], kept);
            self.index[of] = next;
            self.at[of] += 1;
        }
    }

    fn touch(&mut self, which: usize) -> Option<()> {
        let access = &self.nest.accesses[which];
        let mut address = i128::from(self.nest.base);
        for (index, stride) in &access.indices {
            address += self.value(*index) * i128::from(*stride);
            self.trace.addresses[which] &= (0..1i128 << 64).contains(&address);
        }
        address += i128::from(access.offset);
        self.trace.addresses[which] &= (0..1i128 << 64).contains(&address);
        let at = self.nest.chain_of(which).into_iter().map(|of| self.at[of]).collect();
        let instances = &mut self.trace.instances[which];
        instances.push(Instance { at, address: address as u64 });
        (instances.len() <= MOST_INSTANCES).then_some(())
    }

    /// The value of an expression now, signed.
    fn value(&mut self, expr: usize) -> i128 {
        let bits = self.nest.bits;
        match self.nest.exprs[expr] {
            Expr::Index(of) => self.index[of],
            Expr::Const(value) => signed(i128::from(value), bits),
            Expr::Symbol(at) => signed(i128::from(self.nest.symbols[at]), bits),
            Expr::Add(x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.note(expr, x + y, unsigned(x, bits) + unsigned(y, bits))
            }
            Expr::Mul(x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.note(expr, x * y, unsigned(x, bits).saturating_mul(unsigned(y, bits)))
            }
            Expr::Half(x) => unsigned(self.value(x), bits) >> 1,
            Expr::Low(x) => self.value(x) & 7,
            Expr::Widen { signed: true, of } => self.value(of),
            Expr::Widen { signed: false, of } => unsigned(self.value(of), bits),
        }
    }

    fn note(&mut self, expr: usize, exact: i128, natural: i128) -> i128 {
        let bits = self.nest.bits;
        let result = signed(exact, bits);
        let kept = Kept { nsw: result == exact, nuw: (0..1i128 << bits).contains(&natural) };
        merge(&mut self.trace.kept[expr], kept);
        self.trace.wrapped |= !kept.nsw;
        result
    }
}

fn merge(all: &mut Kept, one: Kept) {
    all.nuw &= one.nuw;
    all.nsw &= one.nsw;
}
