//! Random functions of the model with loops over arrays, the facts about loops included.
//!
//! Choices → a program of `f` and perhaps a function that it calls. `f` takes a float, three arrays of floats, one of
//! integers and a count; arrays have [`CELLS`] elements and are touched below [`INDEX`] only.
//! Invariant: every index is in bounds and every run ends.

use backsweep_core::model::{
    BlockId, FloatOp, FloatPredicate, Gep, IntOp, IntPredicate, Loop, LoopId, Op, Operand, Program, Scev,
    Stride, Type,
};
use backsweep_oracle::build::{self, Builder, double, int};

use crate::choices::Choices;
use crate::shape::complete;

/// Elements that are touched; arrays have twice as many, so that one may begin in the middle of another.
pub const INDEX: usize = 8;
pub const CELLS: usize = 2 * INDEX;

/// The parameters of `f`.
pub const X: usize = 0;
pub const ARRAYS: [usize; 3] = [1, 2, 3];
pub const INDICES: usize = 4;
pub const COUNT: usize = 5;

/// Loops and branches inside each other.
const DEPTH: usize = 3;

pub struct Generated {
    pub program: Program,
    /// Which of the arrays nothing else leads to.
    pub alone: [bool; 3],
}

pub fn generate(choices: &mut Choices) -> Generated {
    let alone = [choices.chance(50), choices.chance(50), choices.chance(50)];
    // One array and much to do with it, or several.
    let crowded = choices.chance(50);
    let mut functions = Vec::new();
    let helper = choices.chance(40);
    if helper {
        let params = [Type::DOUBLE, Type::PTR, Type::PTR, Type::I64];
        let mut scope = Scope::new("g", &params, choices);
        scope.arrays = vec![scope.f.param(1), scope.f.param(2)];
        scope.count = scope.f.param(3);
        let size = 2 + scope.choices.below(8);
        scope.fill(size);
        functions.push(scope.finish());
    }
    let params = [Type::DOUBLE, Type::PTR, Type::PTR, Type::PTR, Type::PTR, Type::I64];
    let mut scope = Scope::new("f", &params, choices);
    let arrays = if crowded { &ARRAYS[..1] } else { &ARRAYS[..] };
    scope.arrays = arrays.iter().map(|at| scope.f.param(*at)).collect();
    scope.indices = Some(scope.f.param(INDICES));
    scope.count = scope.f.param(COUNT);
    scope.helper = helper;
    if scope.choices.chance(30) {
        scope.make_local_array();
    }
    scope.fill(40);
    let mut function = scope.finish();
    for (at, alone) in ARRAYS.iter().zip(alone) {
        if alone {
            function.params[*at].attributes.push("noalias".into());
        }
    }
    function.params[INDICES].attributes.push("noalias".into());
    functions.insert(0, function);
    Generated { program: build::program(functions), alone }
}

struct Scope<'c> {
    f: Builder,
    choices: &'c mut Choices,
    reals: Vec<Operand>,
    /// Each with its least value and the least that it is below.
    integers: Vec<(Operand, usize, usize)>,
    arrays: Vec<Operand>,
    indices: Option<Operand>,
    count: Operand,
    helper: bool,
    depth: usize,
    loops: Vec<Loop>,
    around: Vec<LoopId>,
}

impl<'c> Scope<'c> {
    fn new(name: &str, params: &[Type], choices: &'c mut Choices) -> Scope<'c> {
        let f = Builder::new(name, params, Type::DOUBLE);
        let (reals, count) = (vec![f.param(0)], f.param(0));
        Scope {
            f,
            choices,
            reals,
            integers: vec![],
            arrays: vec![],
            indices: None,
            count,
            helper: false,
            depth: 0,
            loops: vec![],
            around: vec![],
        }
    }

    fn finish(mut self) -> backsweep_core::model::Function {
        let value = self.real();
        self.f.ret(value);
        let loops = self.loops;
        let mut function = self.f.finish();
        function.loops = loops;
        complete(&mut function);
        function
    }

    fn fill(&mut self, most: usize) {
        for _ in 0..most {
            if self.choices.is_over() {
                return;
            }
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.choices.below(20) {
            0..2 => self.load(),
            2..4 => self.use_place(),
            4..8 => self.store(),
            8..11 => self.arithmetic(),
            11 => self.update(),
            12 if self.depth < DEPTH => self.branch(),
            13..15 if self.depth < DEPTH => self.repeat(),
            15 if self.depth < DEPTH => self.sweep(),
            16 => self.move_integer(),
            17 if self.helper => self.call(),
            18 => self.copy(),
            19 => self.make_slot(),
            _ => self.arithmetic(),
        }
    }

    fn real(&mut self) -> Operand {
        match self.choices.below(self.reals.len() + 1) {
            0 => double(0.5 + self.choices.below(3) as f64),
            _ => {
                let recent = self.choices.below(self.reals.len().min(6));
                self.reals[self.reals.len() - 1 - recent].clone()
            }
        }
    }

    fn index(&mut self) -> Operand {
        if !self.integers.is_empty() && self.choices.chance(75) {
            let at = self.choices.below(self.integers.len());
            let (operand, least, bound) = self.integers[at].clone();
            let step = match self.choices.below(4) {
                0 if bound < INDEX => 1,
                1 if least > 0 => -1,
                _ => return operand,
            };
            return self.f.same(Op::Int(IntOp::Add), vec![operand, int(64, step)]);
        }
        int(64, self.choices.below(INDEX) as i128)
    }

    fn place(&mut self) -> Operand {
        let array = self.choices.pick(&self.arrays).clone();
        if self.choices.chance(15) {
            // A field of a structure of two floats.
            let index = self.index();
            let low = self.f.same(Op::Int(IntOp::And), vec![index, int(64, 3)]);
            let field = 8 * self.choices.below(2) as u64;
            let source = Type::structure(vec![Type::DOUBLE, Type::DOUBLE]);
            let gep = Gep { source, strides: vec![Stride::Scale(16), Stride::Field(field)] };
            return self.f.push(Op::Gep(gep), Type::PTR, vec![array, low, int(32, i128::from(field / 8))]);
        }
        let index = self.index();
        self.f.element(Type::DOUBLE, array, index)
    }

    fn load(&mut self) {
        let place = self.place();
        let value = self.f.load(Type::DOUBLE, place);
        self.reals.push(value);
    }

    /// A place whose content the derivative needs.
    fn use_place(&mut self) {
        let place = self.place();
        let value = self.f.load(Type::DOUBLE, place);
        let other = self.real();
        let product = self.f.same(Op::Float(FloatOp::Mul), vec![value, other]);
        self.reals.push(product);
    }

    /// A place overwritten by something computed from it.
    fn update(&mut self) {
        let place = self.place();
        let value = self.f.load(Type::DOUBLE, place.clone());
        let product = self.f.same(Op::Float(FloatOp::Mul), vec![value.clone(), value]);
        self.f.store(product, place);
    }

    fn store(&mut self) {
        let value = self.real();
        let place = self.place();
        self.f.store(value, place);
    }

    fn arithmetic(&mut self) {
        let (x, y) = (self.real(), self.real());
        let value = match self.choices.below(6) {
            0 => self.f.call("sin", Type::DOUBLE, vec![x], true),
            1 | 2 => self.f.same(Op::Float(FloatOp::Mul), vec![x, y]),
            3 => self.f.same(Op::Float(FloatOp::Sub), vec![x, y]),
            _ => self.f.same(Op::Float(FloatOp::Add), vec![x, y]),
        };
        // Kept small, so that long runs stay finite.
        let value = self.f.same(Op::Float(FloatOp::Mul), vec![value, double(0.5)]);
        self.reals.push(value);
    }

    /// What is made inside is not at hand behind.
    fn inside(&mut self, body: &mut dyn FnMut(&mut Scope)) {
        let kept = (self.reals.len(), self.integers.len(), self.arrays.len());
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.reals.truncate(kept.0);
        self.integers.truncate(kept.1);
        self.arrays.truncate(kept.2);
    }

    fn branch(&mut self) {
        let (x, y) = (self.real(), self.real());
        let condition = self.f.push(Op::FCmp(FloatPredicate::Olt), Type::BOOL, vec![x, y]);
        let (yes, no) = (self.f.add_block(), self.f.add_block());
        self.f.branch(condition, yes, no);
        let mut edges = Vec::new();
        for block in [yes, no] {
            self.f.go_to(block);
            self.inside(&mut |scope| {
                let size = scope.choices.below(5);
                scope.fill(size);
                edges.push((scope.real(), scope.f.here()));
            });
        }
        let join = self.f.add_block();
        for (_, block) in &edges {
            self.f.go_to(*block);
            self.f.jump(join);
        }
        self.f.go_to(join);
        let (operands, from) = edges.into_iter().unzip();
        let value = self.f.push(Op::Phi { from }, Type::DOUBLE, operands);
        self.reals.push(value);
    }

    /// A loop over `first..n`, `n` a constant or the count.
    fn repeat(&mut self) {
        let (first, last, back, bound) = match self.choices.below(3) {
            0 => (0, self.count.clone(), self.back_edges_of_count(), INDEX),
            small => {
                let first = self.choices.below(2);
                let count =
                    if small == 1 { 1 + self.choices.below(3) } else { INDEX - self.choices.below(2) };
                let back = Scev::Const { bits: 64, value: count.saturating_sub(first) as i128 };
                (first, int(64, count as i128), back, count)
            }
        };
        let start = self.real();
        let size = 2 + self.choices.below(6);
        self.make_loop(first, last, back, &start, &mut |scope, counter| {
            scope.integers.push((counter.clone(), first, bound));
            scope.fill(size);
            scope.real()
        });
    }

    /// A loop that writes the beginning of an array.
    fn sweep(&mut self) {
        let array = self.choices.pick(&self.arrays).clone();
        let other = self.choices.pick(&self.arrays).clone();
        let last = self.count.clone();
        let back = self.back_edges_of_count();
        let start = self.real();
        let mode = self.choices.below(3);
        self.make_loop(0, last, back, &start, &mut |scope, counter| {
            scope.integers.push((counter.clone(), 0, INDEX));
            let value = match mode {
                0 => scope.real(),
                _ => {
                    let place = scope.f.element(Type::DOUBLE, other.clone(), counter.clone());
                    let read = scope.f.load(Type::DOUBLE, place);
                    let factor = scope.real();
                    scope.f.same(Op::Float(FloatOp::Mul), vec![read, factor])
                }
            };
            let place = scope.f.element(Type::DOUBLE, array.clone(), counter.clone());
            scope.f.store(value.clone(), place);
            value
        });
    }

    /// How often a loop over the count goes round.
    fn back_edges_of_count(&self) -> Scev {
        Scev::SMax(vec![Scev::Const { bits: 64, value: 0 }, Scev::Value(self.count.clone())])
    }

    fn make_loop(
        &mut self,
        first_index: usize,
        last: Operand,
        back: Scev,
        start: &Operand,
        body: &mut dyn FnMut(&mut Scope, &Operand) -> Operand,
    ) {
        let entry = self.f.here();
        let (head, first) = (self.f.add_block(), self.f.add_block());
        self.f.jump(head);
        self.f.go_to(head);
        let counter =
            self.f.push(Op::Phi { from: vec![entry] }, Type::I64, vec![int(64, first_index as i128)]);
        let carried = self.f.push(Op::Phi { from: vec![entry] }, Type::DOUBLE, vec![start.clone()]);
        let more = self.f.push(Op::ICmp(IntPredicate::Slt), Type::BOOL, vec![counter.clone(), last]);
        self.f.go_to(first);
        let of = LoopId(self.loops.len() as u32);
        let outer = self.around.last().copied();
        self.loops.push(Loop {
            header: head,
            parent: outer,
            preheader: Some(entry),
            blocks: vec![],
            latches: vec![],
            exiting: vec![head],
            exits: vec![],
            back_edges: Some(back),
        });
        self.around.push(of);
        self.inside(&mut |scope| {
            scope.reals.push(carried.clone());
            let value = body(scope, &counter);
            let next = scope.f.same(Op::Int(IntOp::Add), vec![counter.clone(), int(64, 1)]);
            let latch = scope.f.here();
            scope.f.add_incoming(&counter, next, latch);
            scope.f.add_incoming(&carried, value, latch);
            scope.f.jump(head);
            scope.loops[of.0 as usize].latches = vec![latch];
        });
        self.around.pop();
        let exit = self.f.add_block();
        self.f.go_to(head);
        self.f.branch(more, first, exit);
        self.loops[of.0 as usize].blocks = (head.0..exit.0).map(BlockId).collect();
        self.loops[of.0 as usize].exits = vec![exit];
        self.f.go_to(exit);
        self.reals.push(carried);
    }

    fn move_integer(&mut self) {
        let Some(indices) = self.indices.clone() else { return self.arithmetic() };
        let at = self.index();
        let place = self.f.element(Type::I64, indices, at);
        if self.choices.chance(50) {
            let value = self.index();
            self.f.store(value, place);
        } else {
            let loaded = self.f.load(Type::I64, place);
            let value = self.f.same(Op::Int(IntOp::And), vec![loaded, int(64, INDEX as i128 - 1)]);
            self.integers.push((value, 0, INDEX));
        }
    }

    fn call(&mut self) {
        let x = self.real();
        let (p, q) = (self.choices.pick(&self.arrays).clone(), self.choices.pick(&self.arrays).clone());
        let count = self.count.clone();
        let value = self.f.call("g", Type::DOUBLE, vec![x, p, q, count], false);
        self.reals.push(value);
    }

    /// Many bytes at once.
    fn copy(&mut self) {
        let (to, from) = (self.choices.pick(&self.arrays).clone(), self.choices.pick(&self.arrays).clone());
        let bytes = match self.choices.below(2) {
            0 => int(64, 8 * (1 + self.choices.below(INDEX)) as i128),
            _ => self.f.same(Op::Int(IntOp::Mul), vec![self.count.clone(), int(64, 8)]),
        };
        if self.choices.chance(50) {
            let arguments = vec![to, from, bytes, int(1, 0)];
            self.f.call("llvm.memmove.p0.p0.i64", Type::Void, arguments, false);
        } else {
            self.f.call("llvm.memset.p0.i64", Type::Void, vec![to, int(8, 0), bytes, int(1, 0)], false);
        }
    }

    fn make_local_array(&mut self) {
        let array = self.f.alloca(Type::Array(CELLS as u64, Box::new(Type::DOUBLE)), 1);
        let bytes = int(64, 8 * CELLS as i128);
        self.f.call(
            "llvm.memset.p0.i64",
            Type::Void,
            vec![array.clone(), int(8, 0), bytes, int(1, 0)],
            false,
        );
        self.arrays.push(array);
    }

    /// A pointer that goes through memory.
    fn make_slot(&mut self) {
        let array = self.choices.pick(&self.arrays).clone();
        if self.depth > 0 || self.choices.chance(60) {
            return self.arithmetic();
        }
        let slot = self.f.alloca(Type::PTR, 1);
        self.f.store(array, slot.clone());
        let back = self.f.load(Type::PTR, slot);
        self.arrays.push(back);
    }
}
