//! The values at hand while a function is generated, and the statements to choose from.

use std::collections::BTreeSet;

use backsweep_core::model::{Constant, FloatKind, FloatOp, Function, Global, Op, Operand, Type, ValueId};

use super::calls::Helper;
use super::{Options, Rng, Stage};
use crate::build::{Builder, int};
use crate::format::to_bits;

/// A float and a bound on its size.
#[derive(Clone, Debug)]
pub(crate) struct Real {
    pub operand: Operand,
    pub kind: FloatKind,
    pub bound: f64,
}

/// Floats larger than this are folded back before they are used again.
pub(crate) const LIMIT: f64 = 8.0;
/// What memory holds, and what helpers take and return, is no larger.
pub(crate) const STORED: f64 = 2.0;
/// Branches and loops inside each other.
const DEPTH: usize = 3;

pub(crate) struct Scope<'a> {
    pub f: Builder,
    pub rng: &'a mut Rng,
    pub options: Options,
    pub helpers: &'a [Helper],
    /// What dominates the place where the next instruction goes.
    pub reals: Vec<Real>,
    /// Integers of 32 bits.
    pub ints: Vec<Operand>,
    /// Pointers to at least `ARRAY` doubles.
    pub arrays: Vec<Operand>,
    /// Those of them that were allocated at some depth of regions, and are freed when an iteration ends.
    pub buffers: Vec<(usize, Operand)>,
    /// Global tables of such pointers.
    pub tables: Vec<Global>,
    /// Counters of the loops around, of 64 bits and below `ARRAY`.
    pub counters: Vec<Operand>,
    pub depth: usize,
    /// Floats that something uses.
    pub used: BTreeSet<ValueId>,
    /// What is returned is no larger.
    pub result_bound: f64,
}

impl<'a> Scope<'a> {
    /// Parameters are the first values at hand.
    pub fn new(f: Builder, rng: &'a mut Rng, options: Options, helpers: &'a [Helper]) -> Scope<'a> {
        let mut scope = Scope {
            f,
            rng,
            options,
            helpers,
            reals: vec![],
            ints: vec![],
            arrays: vec![],
            buffers: vec![],
            tables: vec![],
            counters: vec![],
            depth: 0,
            used: BTreeSet::new(),
            result_bound: LIMIT,
        };
        for index in 0..scope.f.params() {
            let operand = scope.f.param(index);
            match scope.f.type_of(&operand) {
                Type::Float(kind) => scope.reals.push(Real { operand, kind, bound: STORED }),
                Type::Ptr(_) => scope.arrays.push(operand),
                _ => scope.ints.push(operand),
            }
        }
        scope
    }

    pub fn finish(self) -> Function {
        self.f.finish()
    }

    /// Adds statements until the function has that many more instructions.
    pub fn fill(&mut self, instructions: usize) {
        let end = self.f.len() + instructions;
        while self.f.len() < end {
            self.make_statement(end - self.f.len());
        }
    }

    fn make_statement(&mut self, room: usize) {
        let nested = self.depth < DEPTH && room > 12;
        let memory = self.options.stage == Stage::Memory;
        match self.rng.below(100) {
            0..30 => self.make_arithmetic(),
            30..52 => self.make_call_of_mathematics(),
            52..60 => self.make_integer(),
            60..65 => self.make_select(),
            65..69 => self.make_vector(),
            69..73 => self.make_structure(),
            73..80 if nested => self.make_diamond(room / 3),
            80..83 if nested => self.make_switch(room / 4),
            83..86 if nested => self.make_merge(),
            86..88 if nested => self.make_early_return(),
            88..92 if nested && memory => self.make_loop(room / 3),
            73..90 if memory && !self.tables.is_empty() && self.rng.chance(25) => self.make_table_access(),
            73..90 if memory => self.make_update(),
            90..94 if memory => self.make_copy(),
            94..96 if memory => self.make_buffer(),
            96..100 if memory => self.make_helper_call(),
            _ => self.make_arithmetic(),
        }
    }

    /// What is made inside a region is not at hand behind it.
    pub fn inside(&mut self, fill: &mut dyn FnMut(&mut Scope)) {
        let kept = (self.reals.len(), self.ints.len(), self.arrays.len(), self.counters.len());
        let buffers = self.buffers.len();
        self.depth += 1;
        fill(self);
        self.depth -= 1;
        self.reals.truncate(kept.0);
        self.ints.truncate(kept.1);
        self.arrays.truncate(kept.2);
        self.counters.truncate(kept.3);
        self.buffers.truncate(buffers);
    }

    /// Some float at hand or a constant. Those that nothing uses yet come first, so that most of what is computed
    /// has a way to the result.
    pub fn any_real(&mut self) -> Real {
        if self.reals.is_empty() || self.rng.chance(6) {
            let kind = super::real_kind(self.rng, &self.options);
            let value = self.rng.real(3.0);
            return self.constant(kind, value);
        }
        let count = self.reals.len();
        let unused = (0..count).rev().find(|index| !self.is_used(*index));
        let index = match unused {
            Some(index) if self.rng.chance(65) => index,
            _ => self.rng.below(count),
        };
        let real = self.reals[index].clone();
        self.used.extend(real.operand.value());
        real
    }

    fn is_used(&self, index: usize) -> bool {
        self.reals[index].operand.value().is_none_or(|value| self.used.contains(&value))
    }

    pub fn constant(&mut self, kind: FloatKind, value: f64) -> Real {
        let value = crate::format::round(kind, value);
        let operand = Operand::Const(Constant::Float { kind, bits: to_bits(kind, value) });
        Real { operand, kind, bound: value.abs() }
    }

    pub fn any_int(&mut self) -> Operand {
        if self.ints.is_empty() || self.rng.chance(20) {
            return int(32, self.rng.below(20) as i128 - 8);
        }
        let index = self.rng.below(self.ints.len());
        self.ints[index].clone()
    }

    /// Some float of that kind.
    pub fn real_of(&mut self, kind: FloatKind) -> Real {
        let real = self.any_real();
        self.convert(real, kind)
    }

    /// Some float of that kind and no larger than `bound`.
    pub fn real_within(&mut self, kind: FloatKind, bound: f64) -> Real {
        let real = self.real_of(kind);
        self.squash(real, bound)
    }

    /// The float with a bound no larger than that: itself, or scaled or folded.
    pub fn squash(&mut self, x: Real, bound: f64) -> Real {
        if x.bound <= bound {
            return x;
        }
        if x.bound < 5.0 * bound && self.rng.chance(60) {
            let factor = self.constant(x.kind, bound / x.bound * 0.999);
            return self.combine(FloatOp::Mul, &x, &factor, bound);
        }
        let name = if self.rng.chance(80) { "sin" } else { "tanh" };
        let folded = self.library(name, x.kind, std::slice::from_ref(&x), 1.0);
        if bound == 1.0 {
            return folded;
        }
        let factor = self.constant(x.kind, bound.min(2.0) * 0.96);
        self.combine(FloatOp::Mul, &folded, &factor, bound)
    }

    pub fn combine(&mut self, op: FloatOp, x: &Real, y: &Real, bound: f64) -> Real {
        let operand = self.f.same(Op::Float(op), vec![x.operand.clone(), y.operand.clone()]);
        Real { operand, kind: x.kind, bound }
    }

    /// A value made is a value at hand.
    pub fn keep(&mut self, real: Real) {
        let real = self.squash(real, LIMIT);
        self.reals.push(real);
    }

    pub fn make_return(&mut self) {
        let ret = self.f.ret_type();
        let value = match &ret {
            Type::Struct { fields, .. } => self.assemble(&ret, fields),
            Type::Array(count, element) => {
                let fields = vec![(**element).clone(); *count as usize];
                self.assemble(&ret, &fields)
            }
            _ => self.result_of(&ret),
        };
        self.f.ret(value);
    }

    fn result_of(&mut self, ty: &Type) -> Operand {
        let kind = if let Type::Float(kind) = ty { *kind } else { FloatKind::Double };
        let mut sum = self.real_within(kind, LIMIT);
        for _ in 0..3 {
            let next = self.real_within(kind, LIMIT);
            let bound = sum.bound + next.bound;
            sum = self.combine(FloatOp::Add, &sum, &next, bound);
        }
        let bound = self.result_bound;
        self.squash(sum, bound).operand
    }

    fn assemble(&mut self, ty: &Type, fields: &[Type]) -> Operand {
        let mut whole = Operand::Const(Constant::Poison(ty.clone()));
        for (index, field) in fields.iter().enumerate() {
            let part = self.result_of(field);
            let op = Op::InsertValue { path: vec![index as u32] };
            whole = self.f.push(op, ty.clone(), vec![whole, part]);
        }
        whole
    }
}
