//! Helper functions that generated programs call, some of which call themselves.

use backsweep_core::model::{FloatKind, Function, IntOp, IntPredicate, Op, Type};

use super::globals::Globals;
use super::scope::{Real, STORED, Scope};
use super::{Options, Rng};
use crate::build::{Builder, int};

/// A function that takes a depth, a double and an array, and returns a double.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    pub name: String,
}

/// Instructions of a helper, at most.
const SIZE: usize = 30;
/// How deep a helper may call itself.
const RECURSION: usize = 3;

pub(crate) fn make_helper(
    rng: &mut Rng,
    options: &Options,
    index: usize,
    earlier: &[Helper],
    globals: &Globals,
) -> (Function, Helper) {
    let name = format!("g{index}");
    let f = Builder::new(&name, &[Type::I32, Type::DOUBLE, Type::PTR], Type::DOUBLE);
    let size = rng.between(4, SIZE);
    let recursive = rng.chance(50);
    let mut scope = Scope::new(f, rng, *options, earlier);
    scope.use_globals(globals);
    scope.result_bound = STORED;
    if recursive {
        scope.make_recursion(&name);
    }
    scope.fill(size);
    scope.make_return();
    (scope.finish(), Helper { name })
}

impl Scope<'_> {
    /// At the start of a helper: a call of itself while the depth is above zero.
    fn make_recursion(&mut self, name: &str) {
        let (depth, array) = (self.f.param(0), self.f.param(2));
        let (again, join) = (self.f.add_block(), self.f.add_block());
        let entry = self.f.here();
        let outside = self.f.param(1);
        let more = self.f.push(Op::ICmp(IntPredicate::Sgt), Type::BOOL, vec![depth.clone(), int(32, 0)]);
        self.f.branch(more, again, join);
        self.f.go_to(again);
        let mut edge = (outside.clone(), again);
        self.inside(&mut |scope| {
            scope.make_update();
            let less = scope.f.same(Op::Int(IntOp::Sub), vec![depth.clone(), int(32, 1)]);
            let x = scope.real_within(FloatKind::Double, STORED).operand;
            let y = scope.f.call(name, Type::DOUBLE, vec![less, x, array.clone()], false);
            edge = (y, scope.f.here());
            scope.f.jump(join);
        });
        self.f.go_to(join);
        let phi = Op::Phi { from: vec![entry, edge.1] };
        let operand = self.f.push(phi, Type::DOUBLE, vec![outside, edge.0]);
        self.reals.push(Real { operand, kind: FloatKind::Double, bound: STORED });
    }

    pub fn make_helper_call(&mut self) {
        if self.helpers.is_empty() {
            return self.make_update();
        }
        let name = self.helpers[self.rng.below(self.helpers.len())].name.clone();
        let depth = int(32, self.rng.below(RECURSION + 1) as i128);
        let x = self.real_within(FloatKind::Double, STORED).operand;
        let array = self.arrays[self.rng.below(self.arrays.len())].clone();
        let operand = self.f.call(&name, Type::DOUBLE, vec![depth, x, array], false);
        self.reals.push(Real { operand, kind: FloatKind::Double, bound: STORED });
    }
}
