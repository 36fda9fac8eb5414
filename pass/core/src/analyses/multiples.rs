//! Of what an index is a multiple: `2 * i + 1` is odd, whatever `i` is.
//!
//! Operand → what it is modulo a power of two. Such powers survive when integers wrap, and up to [`MOST`] in integers of any width.
//! Safe error: modulo one.

use super::offsets::{Offset, gcd};
use crate::model::{CastOp, Function, IntOp, Op, Operand};

/// Integers of eight bits wrap here.
const MOST: u128 = 256;
/// Computations beyond this are not followed.
const DEEPEST: usize = 8;

/// What an integer is: `start`, or that and multiples of `stride`.
pub fn multiples_of(function: &Function, index: &Operand) -> Offset {
    follow(function, index, DEEPEST)
}

fn follow(function: &Function, index: &Operand, fuel: usize) -> Offset {
    let anything = Offset { start: 0, stride: 1 };
    if let Operand::Const(constant) = index {
        return constant.as_signed().map_or(anything, |start| Offset { start, stride: 0 });
    }
    let Some(inst) = index.value().and_then(|id| function.inst(id)).filter(|_| fuel > 0) else {
        return anything;
    };
    let known = |at: usize| follow(function, &inst.operands[at], fuel - 1);
    let found = match &inst.op {
        Op::Int(IntOp::Add) => known(0).plus(known(1)),
        Op::Int(IntOp::Sub) => known(0).plus(known(1).times(-1)),
        Op::Int(IntOp::Mul) => match (known(0), known(1)) {
            (x, Offset { start, stride: 0 }) | (Offset { start, stride: 0 }, x) => x.times(start),
            _ => return anything,
        },
        Op::Int(IntOp::Shl) => match known(1) {
            Offset { start: by @ 0..8, stride: 0 } => known(0).times(1 << by),
            _ => return anything,
        },
        Op::Cast(CastOp::SExt | CastOp::ZExt | CastOp::Trunc) | Op::Freeze => known(0),
        _ => return anything,
    };
    found.in_powers()
}

impl Offset {
    fn plus(self, other: Offset) -> Offset {
        Offset { start: self.start.wrapping_add(other.start), stride: gcd(self.stride, other.stride) }
    }

    fn times(self, factor: i128) -> Offset {
        Offset {
            start: self.start.wrapping_mul(factor),
            stride: self.stride.wrapping_mul(factor.unsigned_abs()),
        }
    }

    /// The same modulo the largest power of two that is known.
    fn in_powers(self) -> Offset {
        let stride = gcd(self.stride, MOST);
        Offset { start: self.start.rem_euclid(stride as i128), stride }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_program;

    #[test]
    fn indices_are_known_modulo_powers_of_two() {
        let text = "function @f(%i: i32, %j: i32) -> i64 {
^0:
  %a: i32 = shl %i, i32 1
  %b: i32 = add %a, i32 1
  %c: i64 = sext %b
  %d: i32 = mul %j, i32 12
  %e: i32 = sub %a, %d
  %g: i32 = mul %i, %j
  %h: i32 = mul %j, i32 0
  ret %c
}";
        let program = parse_program(text).expect("a program");
        let function = &program.functions[0];
        let known = |at: u32| {
            let Offset { start, stride } = multiples_of(function, &Operand::Value(crate::model::ValueId(at)));
            (start, stride)
        };
        assert_eq!(
            [2, 3, 4, 5, 6, 7, 8].map(known),
            [(0, 2), (1, 2), (1, 2), (0, 4), (0, 2), (0, 1), (0, 256)]
        );
    }
}
