//! Random nests over an array whose extents are symbols: `a[i][j]` of a variable-length array, or `a[i*n + j]` by hand.
//!
//! Most are what a person would write. Some are not: loops that leave the extent, extents that are zero, negative or so
//! large that rows wrap round the address space, accesses that run in some rows only.

use crate::nest::{Access, Expr, Loop, Nest, Tested};
use crate::random::Random;

/// Extents for which rows lie half or all of the address space apart, or nearly so.
const HUGE: [i64; 9] =
    [1 << 57, 1 << 58, (1 << 58) + 1, 1 << 59, (1 << 60) - 1, 1 << 60, 1 << 61, i64::MAX, -(1 << 60)];

fn is_huge(extent: i64) -> bool {
    extent.unsigned_abs() > 1 << 50
}

/// How the extents multiply.
#[derive(Clone, Copy)]
enum Form {
    /// `(i*n + j)*m + k`
    Horner,
    /// `i*(n*m) + j*m + k`
    Strides,
    /// The same, each product added by an address computation of its own.
    Stepwise,
}

impl Nest {
    pub fn shaped(random: &mut Random) -> Nest {
        let dims = random.pick(&[2, 2, 2, 2, 3]);
        let own = if random.once_in(4) { [1, 1] } else { [0, 0] };
        let huge = random.once_in(4);
        let mut nest = Nest {
            shaped: true,
            bits: if huge { 64 } else { random.pick(&[16, 32, 64, 64]) },
            exprs: Vec::new(),
            loops: Vec::new(),
            common: dims - own[0],
            own,
            accesses: [Access::empty(), Access::empty()],
            symbols: Vec::new(),
            base: random.pick(&[1 << 20, 1 << 40, 1 << 40, (1 << 63) - 64]),
            chain: !random.once_in(4),
            told: if random.once_in(3) { random.bits() } else { u64::MAX },
        };
        // The first symbol bounds the outermost loop, the others are extents.
        nest.symbols.push(random.between(0, 5));
        let most = if dims == 2 { 6 } else { 4 };
        for _ in 1..dims {
            let odd = random.once_in(10);
            let size = random.between(if odd { -1 } else { 2 }, most);
            nest.symbols.push(if huge && random.once_in(2) { random.pick(&HUGE) } else { size });
        }
        for at in 0..nest.common + own[0] + own[1] {
            let new = nest.shaped_loop(random, at);
            nest.loops.push(new);
        }
        nest.shaped_accesses(random);
        nest
    }

    /// The dimension that a loop runs over.
    fn dimension(&self, of: usize) -> usize {
        of.min(self.common)
    }

    fn shaped_loop(&mut self, random: &mut Random, at: usize) -> Loop {
        let tested = random.pick(&[Tested::Top, Tested::Bottom]);
        let extent = self.dimension(at);
        if is_huge(self.symbols[extent]) || random.once_in(12) {
            return Loop { start: 0, step: 1, end: self.push(Expr::Const(random.between(1, 4))), tested };
        }
        let outer = self.outside(at);
        if let Some(of) = outer.last().filter(|_| random.once_in(8)) {
            // Triangular.
            let index = self.push(Expr::Index(*of));
            let more = self.push(Expr::Const(1));
            return Loop { start: 0, step: 1, end: self.push(Expr::Add(index, more)), tested };
        }
        let symbol = self.push(Expr::Symbol(extent));
        if random.once_in(8) {
            // From the last element down.
            let start = self.symbols[extent] - 1;
            return Loop { start, step: -1, end: self.push(Expr::Const(-1)), tested };
        }
        let start = random.pick(&[0, 0, 1, 1, 2]);
        let change = random.pick(&[0, 0, 0, 0, -1, -1, 1]);
        if change == 0 {
            return Loop { start, step: 1, end: symbol, tested };
        }
        let change = self.push(Expr::Const(change));
        Loop { start, step: random.pick(&[1, 1, 2]), end: self.push(Expr::Add(symbol, change)), tested }
    }

    fn shaped_accesses(&mut self, random: &mut Random) {
        let size = random.pick(&[1, 4, 8, 8]);
        let form = random.pick(&[Form::Horner, Form::Strides, Form::Stepwise]);
        // Widened before or after the products are made, as `long` or `int` extents would have it.
        let early = random.once_in(2);
        // Huge extents are symbols, or constants: then the distance of rows is known.
        let known = self.symbols.iter().any(|size| is_huge(*size)) && !random.once_in(3);
        for which in 0..2 {
            let chain = self.chain_of(which);
            let subscripts: Vec<usize> =
                (0..self.symbols.len()).map(|at| self.shaped_subscript(random, &chain, at, early)).collect();
            let indices = self.flatten(form, &subscripts, size, (early, known));
            let guard = random.once_in(if known { 2 } else { 5 }).then(|| self.shaped_guard(random, &chain));
            self.accesses[which] = Access {
                writes: which == 1 || random.once_in(2),
                bytes: if random.once_in(12) { random.pick(&[1, 4, 8, 16]) } else { size },
                indices,
                offset: if random.once_in(12) { random.pick(&[-8, -4, 4, 8]) } else { 0 },
                guard,
                stepwise: matches!(form, Form::Stepwise),
            };
        }
    }

    /// Runs from some iteration on, up to some, or in all but one.
    fn shaped_guard(&mut self, random: &mut Random, chain: &[usize]) -> (usize, i64) {
        let index = self.push(Expr::Index(random.pick(chain)));
        match random.below(4) {
            0 => (index, random.between(-1, 1)),
            1 => {
                let factor = self.push(Expr::Const(-1));
                (self.push(Expr::Mul(index, factor)), random.between(-3, 0))
            }
            _ => {
                let shift = self.push(Expr::Const(random.between(5, 8)));
                let shifted = self.push(Expr::Add(index, shift));
                (self.push(Expr::Low(shifted)), 0)
            }
        }
    }

    fn shaped_subscript(&mut self, random: &mut Random, chain: &[usize], at: usize, early: bool) -> usize {
        let of = if random.once_in(10) { random.pick(chain) } else { chain[at] };
        let shift = random.pick(&[0, 0, 0, 0, -1, -1, 1]);
        let mut index = self.push(Expr::Index(of));
        if shift != 0 {
            let shift = self.push(Expr::Const(shift));
            index = self.push(Expr::Add(index, shift));
        }
        self.widened(index, early)
    }

    fn widened(&mut self, of: usize, wanted: bool) -> usize {
        if !wanted || self.width(of) == 64 { of } else { self.push(Expr::Widen { signed: true, of }) }
    }

    /// What is added to the base: indices of 64 bits and the bytes each is multiplied by.
    fn flatten(
        &mut self,
        form: Form,
        subscripts: &[usize],
        size: i64,
        (early, known): (bool, bool),
    ) -> Vec<(usize, i64)> {
        let mut extents = Vec::new();
        for at in 1..subscripts.len() {
            let constant = known && is_huge(self.symbols[at]);
            let symbol = self.push(if constant { Expr::Const(self.symbols[at]) } else { Expr::Symbol(at) });
            extents.push(self.widened(symbol, early));
        }
        if let Form::Horner = form {
            let mut sum = subscripts[0];
            for (subscript, extent) in subscripts[1..].iter().zip(extents) {
                let product = self.push(Expr::Mul(sum, extent));
                sum = self.push(Expr::Add(product, *subscript));
            }
            return vec![(self.widened(sum, true), size)];
        }
        let mut parts = Vec::new();
        for (at, subscript) in subscripts.iter().enumerate() {
            let stride = extents[at..].iter().copied().reduce(|x, y| self.push(Expr::Mul(x, y)));
            parts.push(stride.map_or(*subscript, |stride| self.push(Expr::Mul(*subscript, stride))));
        }
        if let Form::Stepwise = form {
            return parts.into_iter().map(|part| (self.widened(part, true), size)).collect();
        }
        let sum = parts.into_iter().reduce(|x, y| self.push(Expr::Add(x, y))).unwrap_or(subscripts[0]);
        vec![(self.widened(sum, true), size)]
    }
}
