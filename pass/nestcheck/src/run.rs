//! Runs a nest, with the wrapping arithmetic of the machine, and notes what happens.
//!
//! The accesses of a program lie in one object, smaller than half the address space and not across its end; a nest that
//! touches what no object can hold is no program, and is passed over.

use crate::nest::{Access, Expr, Nest};

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
    /// Of the address computations of each access, step by step: whether both ends were always in or at the end of the
    /// object, as `inbounds` promises where the step is not zero.
    pub inside: [Vec<bool>; 2],
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
    /// The bytes touched, and the ends of each address step that was not zero.
    object: Hull,
    steps: [Vec<Hull>; 2],
}

/// Everything from the lowest to the highest address seen; addresses here do not wrap.
#[derive(Clone, Copy, Debug)]
struct Hull {
    low: i128,
    high: i128,
}

/// Executes the nest; `None` where its loops do not end as their bounds say, or run for too long.
pub fn run(nest: &Nest) -> Option<Trace> {
    let fine = Kept { nuw: true, nsw: true };
    let trace = Trace {
        instances: [Vec::new(), Vec::new()],
        kept: vec![fine; nest.exprs.len()],
        increments: vec![fine; nest.loops.len()],
        advances: vec![fine; nest.loops.len()],
        inside: [Vec::new(), Vec::new()],
        empty: vec![false; nest.loops.len()],
        wrapped: false,
    };
    let count = nest.loops.len();
    let steps = [0, 1].map(|which| vec![Hull::EMPTY; steps_of(&nest.accesses[which])]);
    let (index, at) = (vec![0; count], vec![0; count]);
    let mut runner = Runner { nest, trace, index, at, object: Hull::EMPTY, steps };
    runner.enter(0, nest.common, &mut |runner| {
        for which in 0..2 {
            let chain = nest.chain_of(which);
            runner.enter_chain(&chain[nest.common..], which)?;
        }
        Some(())
    })?;
    runner.judge_steps()
}

/// One step for each index, one for the offset.
fn steps_of(access: &Access) -> usize {
    access.indices.len() + 1
}

impl Hull {
    const EMPTY: Hull = Hull { low: i128::MAX, high: i128::MIN };

    fn add(&mut self, from: i128, to: i128) {
        (self.low, self.high) = (self.low.min(from), self.high.max(to));
    }

    /// Whether one object could span it.
    fn is_object(&self) -> bool {
        self.low > self.high || self.low >= 0 && self.high <= 1 << 64 && self.high - self.low < 1 << 63
    }
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
        if let Some((expr, limit)) = access.guard
            && self.value(expr) <= i128::from(limit)
        {
            return Some(());
        }
        let mut ends = vec![i128::from(self.nest.base)];
        for (index, stride) in &access.indices {
            ends.push(ends[ends.len() - 1] + self.value(*index) * i128::from(*stride));
        }
        ends.push(ends[ends.len() - 1] + i128::from(access.offset));
        let address = ends[ends.len() - 1] as u64;
        self.object.add(address.into(), i128::from(address) + i128::from(access.bytes));
        for (step, pair) in self.steps[which].iter_mut().zip(ends.windows(2)) {
            if pair[0] != pair[1] {
                step.add(pair[0].min(pair[1]), pair[0].max(pair[1]));
            }
        }
        let at = self.nest.chain_of(which).into_iter().map(|of| self.at[of]).collect();
        let instances = &mut self.trace.instances[which];
        instances.push(Instance { at, address });
        (instances.len() <= MOST_INSTANCES).then_some(())
    }

    /// Gives the object as much room around the bytes touched as makes steps stay inside.
    fn judge_steps(mut self) -> Option<Trace> {
        if !self.object.is_object() {
            return None;
        }
        for (inside, steps) in self.trace.inside.iter_mut().zip(&self.steps) {
            for step in steps {
                let mut larger = self.object;
                larger.add(step.low, step.high);
                inside.push(larger.is_object());
                if larger.is_object() {
                    self.object = larger;
                }
            }
        }
        Some(self.trace)
    }

    /// The value of an expression now, signed.
    fn value(&mut self, expr: usize) -> i128 {
        let bits = self.nest.width(expr);
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
            Expr::Widen { signed: false, of } => unsigned(self.value(of), self.nest.bits),
        }
    }

    fn note(&mut self, expr: usize, exact: i128, natural: i128) -> i128 {
        let bits = self.nest.width(expr);
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
