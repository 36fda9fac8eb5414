//! What a random nest looks like: two accesses below some common loops, each below loops of its own.
//!
//! Most nests have constant strides; every fifth is over an array whose extents are symbols ([`crate::shape`]).

use crate::random::Random;

/// An expression; the width is that of the nest's index type, or 64 bits above a `Widen`.
#[derive(Clone, Debug)]
pub enum Expr {
    /// The index variable of a loop of this nest.
    Index(usize),
    Const(i64),
    Symbol(usize),
    Add(usize, usize),
    Mul(usize, usize),
    /// Logical shift right by one.
    Half(usize),
    /// The low three bits.
    Low(usize),
    /// To 64 bits.
    Widen {
        signed: bool,
        of: usize,
    },
}

/// `for (i = start; i < end; i += step)`, or `>` for a negative step. `end` is an expression in outer indices.
#[derive(Clone, Debug)]
pub struct Loop {
    pub start: i64,
    pub step: i64,
    pub end: usize,
    pub tested: Tested,
}

/// Where a loop asks whether it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tested {
    /// In its header, as a compiler's front end writes it.
    Top,
    /// In its latch, behind a guard, as optimisation leaves it.
    Bottom,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub writes: bool,
    pub bytes: i64,
    /// Index expressions of 64 bits and the bytes each is multiplied by.
    pub indices: Vec<(usize, i64)>,
    /// Bytes added at the end.
    pub offset: i64,
    /// Runs only where the expression is above the number.
    pub guard: Option<(usize, i64)>,
    /// Whether each index is added by an address computation of its own.
    pub stepwise: bool,
}

#[derive(Clone, Debug)]
pub struct Nest {
    /// Whether the array's extents are symbols.
    pub shaped: bool,
    pub bits: u32,
    /// All expressions; operands come before their users.
    pub exprs: Vec<Expr>,
    pub loops: Vec<Loop>,
    /// How many of the loops are around both accesses; then come those of the first access, then of the second.
    pub common: usize,
    pub own: [usize; 2],
    pub accesses: [Access; 2],
    pub symbols: Vec<i64>,
    pub base: u64,
    /// Whether the model gets address computations, or only LLVM's expression of the address.
    pub chain: bool,
    /// Of the flags that hold, which the model is told.
    pub told: u64,
}

impl Nest {
    pub fn random(seed: u64) -> Nest {
        let random = &mut Random::new(seed);
        if seed % 5 == 1 { Nest::shaped(random) } else { Nest::strided(random) }
    }

    fn strided(random: &mut Random) -> Nest {
        let common = random.pick(&[0, 1, 1, 1, 2, 2, 2, 3, 4]);
        let room = |used: usize| (4 - used) as i64;
        let own = |random: &mut Random| {
            if random.once_in(4) { random.below(room(common).min(2) + 1) as usize } else { 0 }
        };
        let own = [own(random), own(random)];
        let mut nest = Nest {
            shaped: false,
            bits: random.pick(&[8, 8, 16, 32, 32, 64, 64]),
            exprs: Vec::new(),
            loops: Vec::new(),
            common,
            own,
            accesses: [Access::empty(), Access::empty()],
            symbols: Vec::new(),
            base: random.pick(&[4096, 1 << 40, (1 << 63) - 64, u64::MAX - 6000]),
            chain: random.once_in(2),
            told: if random.once_in(3) { random.bits() } else { u64::MAX },
        };
        if random.once_in(3) {
            let count = random.between(1, 2);
            nest.symbols = (0..count).map(|_| random.between(-3, 9)).collect();
        }
        // A third of the narrow nests lies at the edge of its type.
        let edge = nest.bits <= 16 && random.once_in(3);
        for at in 0..common + own[0] + own[1] {
            let new = nest.random_loop(random, at, edge);
            nest.loops.push(new);
        }
        nest.random_accesses(random, edge);
        nest
    }

    /// The loops around an access, outermost first.
    pub fn chain_of(&self, access: usize) -> Vec<usize> {
        let first = self.common + if access == 1 { self.own[0] } else { 0 };
        (0..self.common).chain(first..first + self.own[access]).collect()
    }

    /// The loops around a loop.
    pub fn outside(&self, of: usize) -> Vec<usize> {
        let second = of >= self.common + self.own[0];
        self.chain_of(usize::from(second)).into_iter().take_while(|at| *at != of).collect()
    }

    /// The bits of an expression.
    pub fn width(&self, expr: usize) -> u32 {
        match self.exprs[expr] {
            Expr::Index(_) | Expr::Const(_) | Expr::Symbol(_) => self.bits,
            Expr::Add(x, _) | Expr::Mul(x, _) | Expr::Half(x) | Expr::Low(x) => self.width(x),
            Expr::Widen { .. } => 64,
        }
    }

    pub fn push(&mut self, expr: Expr) -> usize {
        self.exprs.push(expr);
        self.exprs.len() - 1
    }

    fn random_loop(&mut self, random: &mut Random, at: usize, edge: bool) -> Loop {
        let step = random.pick(&[1, 1, 1, 1, 2, 3, -1, -2]);
        let most = [12, 7, 5, 4][(self.loops.len()).min(3)];
        let trips = random.between(1, most);
        let limit = if self.bits <= 16 { 1i64 << (self.bits - 1) } else { 1 << 20 };
        let start = if edge && random.once_in(2) {
            if step > 0 { limit - 1 - trips * step } else { -limit - trips * step }
        } else {
            random.between(-3, 4)
        };
        let last = start + (trips - 1) * step + step.signum() * random.between(1, step.abs());
        let mut end = self.push(Expr::Const(last));
        let outer: Vec<usize> = self.outside(at);
        if !outer.is_empty() && !edge && random.once_in(3) {
            // Triangular or trapezoidal: the bound follows an outer index.
            let index = self.push(Expr::Index(random.pick(&outer)));
            let factor = random.pick(&[1, 1, -1, 2]);
            let scaled = self.scaled(index, factor);
            end = self.push(Expr::Add(scaled, end));
        } else if !self.symbols.is_empty() && !edge && random.once_in(2) {
            let symbol = random.below(self.symbols.len() as i64) as usize;
            end = self.push(Expr::Symbol(symbol));
            if random.once_in(3) {
                let more = self.push(Expr::Const(random.between(-2, 3)));
                end = self.push(Expr::Add(end, more));
            }
        }
        Loop { start, step, end, tested: Tested::Bottom }
    }

    fn scaled(&mut self, of: usize, factor: i64) -> usize {
        if factor == 1 {
            return of;
        }
        let factor = self.push(Expr::Const(factor));
        self.push(Expr::Mul(of, factor))
    }

    fn random_accesses(&mut self, random: &mut Random, edge: bool) {
        let size = random.pick(&[1, 2, 4, 4, 8, 8]);
        let dims = random.pick(&[1, 1, 2, 2, 3]);
        let mut strides = vec![size];
        for _ in 1..dims {
            let extent = if random.once_in(4) { random.between(2, 9) } else { random.pick(&[32, 64, 100]) };
            strides.insert(0, strides[0] * extent);
        }
        // The paper's coupled pair, in every other nest: both accesses use much the same indices.
        let alike = random.once_in(2);
        let mut previous: Vec<(usize, i64, i64)> = Vec::new();
        for which in 0..2 {
            let chain = self.chain_of(which);
            let mut access = Access {
                writes: which == 1 || random.once_in(2),
                bytes: if random.once_in(8) { random.pick(&[1, 2, 4, 8, 16]) } else { size },
                indices: Vec::new(),
                offset: if random.once_in(10) { random.between(-4, 4) } else { 0 },
                ..Access::empty()
            };
            for (at, stride) in strides.iter().enumerate() {
                let index = match previous.get(at) {
                    Some((loop_of, factor, constant)) if alike && *loop_of < self.common => {
                        let (loop_of, factor, constant) = (*loop_of, *factor, *constant);
                        let shift = random.between(-2, 2);
                        self.affine(random, &[loop_of], Some(factor), constant + shift)
                    }
                    _ => self.fresh(random, &chain, &mut previous),
                };
                let index = self.decorate(random, index, edge);
                access.indices.push((index, *stride));
            }
            self.accesses[which] = access;
        }
    }

    /// An index of its own, which the other access may follow.
    fn fresh(
        &mut self,
        random: &mut Random,
        chain: &[usize],
        previous: &mut Vec<(usize, i64, i64)>,
    ) -> usize {
        let constant = random.between(-4, 6);
        let factor = random.pick(&[1, 1, 1, 1, 2, 3, -1, -2]);
        let Some(only) = chain.get(random.below(chain.len().max(1) as i64) as usize) else {
            previous.push((usize::MAX, 0, constant));
            return self.push(Expr::Const(constant));
        };
        previous.push((*only, factor, constant));
        if random.once_in(3) {
            return self.affine(random, chain, None, constant);
        }
        self.affine(random, &[*only], Some(factor), constant)
    }

    /// `Σ factor·index + constant`, of the index type.
    fn affine(&mut self, random: &mut Random, loops: &[usize], factor: Option<i64>, constant: i64) -> usize {
        let mut sum = self.push(Expr::Const(constant));
        for at in loops {
            let factor = factor.unwrap_or_else(|| random.pick(&[0, 1, 1, 2, -1, 3, 5]));
            let index = self.push(Expr::Index(*at));
            let scaled = self.scaled(index, factor);
            sum = self.push(Expr::Add(scaled, sum));
        }
        if !self.symbols.is_empty() && random.once_in(3) {
            let symbol = self.push(Expr::Symbol(random.below(self.symbols.len() as i64) as usize));
            sum = self.push(Expr::Add(sum, symbol));
        }
        sum
    }

    fn decorate(&mut self, random: &mut Random, index: usize, edge: bool) -> usize {
        let mut index = index;
        if random.once_in(25) {
            index = self.push(Expr::Half(index));
        } else if random.once_in(25) {
            index = self.push(Expr::Low(index));
        }
        if self.bits == 64 {
            return index;
        }
        let signed = if edge { random.once_in(2) } else { !random.once_in(6) };
        self.push(Expr::Widen { signed, of: index })
    }
}

impl Access {
    pub fn empty() -> Access {
        Access { writes: false, bytes: 1, indices: Vec::new(), offset: 0, guard: None, stepwise: false }
    }
}
