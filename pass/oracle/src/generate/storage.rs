//! Memory: updates in place through pointers that may alias, copies, pointers chosen at run time.

use backsweep_core::model::{FloatKind, FloatOp, Op, Operand, Type};

use super::ARRAY;
use super::scope::{Real, STORED, Scope};
use crate::build::{double, int};

impl Scope<'_> {
    /// An array of the function's own, filled with constants.
    pub fn make_local_array(&mut self) {
        let array = self.f.alloca(Type::Array(ARRAY as u64, Box::new(Type::DOUBLE)), 1);
        for index in 0..ARRAY {
            let place = self.f.element(Type::DOUBLE, array.clone(), int(64, index as i128));
            let value = self.rng.real(STORED);
            self.f.store(double(value), place);
        }
        self.arrays.push(array);
    }

    /// An array that is allocated here, each time anew: on the heap, or as a slot where that may be in a loop.
    pub fn make_buffer(&mut self) {
        let bytes = int(64, 8 * ARRAY as i128);
        let heap = self.rng.chance(65);
        let array = if heap {
            self.f.call("malloc", Type::PTR, vec![bytes], true)
        } else {
            self.f.alloca(Type::Array(ARRAY as u64, Box::new(Type::DOUBLE)), 1)
        };
        for index in 0..ARRAY {
            let value = self.real_within(FloatKind::Double, STORED);
            let place = self.f.element(Type::DOUBLE, array.clone(), int(64, index as i128));
            self.f.store(value.operand, place);
        }
        self.arrays.push(array.clone());
        if heap {
            self.buffers.push((self.depth, array));
        }
    }

    /// Frees what this iteration allocated, by the pointer or by what memory holds of it.
    pub fn free_buffers(&mut self) {
        let here = self.depth;
        for (_, buffer) in self.buffers.clone().into_iter().filter(|(depth, _)| *depth == here) {
            let freed = if self.rng.chance(40) {
                let slot = self.f.alloca(Type::PTR, 1);
                self.f.store(buffer, slot.clone());
                self.f.load(Type::PTR, slot)
            } else {
                buffer
            };
            self.f.call("free", Type::Void, vec![freed], true);
        }
    }

    fn any_array(&mut self) -> Operand {
        let index = self.rng.below(self.arrays.len());
        self.arrays[index].clone()
    }

    fn any_place(&mut self) -> Operand {
        let array = self.any_array();
        let index = self.index(ARRAY);
        self.f.element(Type::DOUBLE, array, index)
    }

    fn read(&mut self, place: Operand) -> Real {
        let operand = self.f.load(Type::DOUBLE, place);
        Real { operand, kind: FloatKind::Double, bound: STORED }
    }

    pub fn make_update(&mut self) {
        match self.rng.below(10) {
            0..3 => {
                let place = self.any_place();
                let value = self.read(place);
                self.reals.push(value);
            }
            3..6 => {
                let value = self.real_within(FloatKind::Double, STORED);
                let place = self.any_place();
                self.f.store(value.operand, place);
            }
            6..9 => {
                // What stood there goes into what replaces it.
                let place = self.any_place();
                let old = self.read(place.clone());
                let factor = self.real_of(FloatKind::Double);
                let bound = factor.bound * STORED;
                let new = self.combine(FloatOp::Mul, &old, &factor, bound);
                let new = self.squash(new, STORED);
                self.f.store(new.operand, place);
            }
            _ => {
                let (condition, p, q) = (self.condition(), self.any_array(), self.any_array());
                let chosen = self.f.push(Op::Select, Type::PTR, vec![condition, p, q]);
                self.arrays.push(chosen);
            }
        }
    }

    /// A copy as bytes or as an integer, or a pointer kept in memory.
    pub fn make_copy(&mut self) {
        match self.rng.below(4) {
            0 => {
                let (from, to) = (self.any_array(), self.any_array());
                let bytes = int(64, 8 * self.rng.between(1, ARRAY) as i128);
                let arguments = vec![to, from, bytes, int(1, 0)];
                self.f.call("llvm.memmove.p0.p0.i64", Type::Void, arguments, false);
            }
            1 => {
                let array = self.any_array();
                let slot = self.f.alloca(Type::PTR, 1);
                self.f.store(array, slot.clone());
                let back = self.f.load(Type::PTR, slot);
                self.arrays.push(back);
            }
            _ => {
                let from = self.any_place();
                let bits = self.f.load(Type::I64, from);
                let to = self.any_place();
                self.f.store(bits, to);
            }
        }
    }
}
