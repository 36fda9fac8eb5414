//! Derivatives with blocks so long that the host would spend minutes on them.

use crate::model::Function;

/// Instructions of a block from which the host's vectoriser of straight-line code is kept away: it numbers the whole block
/// anew after each group that it has joined, and so takes a time that is quadratic (50 of 120 seconds at 50,000
/// instructions of the primal, 200 at twice as many). What it finds in code of this length is worth little.
const LONG: usize = 40_000;

/// LLVM has no word for that pass alone. This one also keeps loops of the function scalar, and copies of memory out of vector
/// registers; a function with so long a block lives by neither.
const SPARED: &str = "noimplicitfloat";

pub fn spare_vectoriser(mut derived: Function) -> Function {
    if derived.blocks.iter().any(|block| block.insts.len() > LONG) {
        derived.attributes.push(SPARED.into());
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::{LONG, SPARED, spare_vectoriser};
    use crate::derive::builder::{Builder, zero_of};
    use crate::model::{Function, IntOp, Layout, Op, Operand, Type};

    fn of_length(length: usize) -> Function {
        let mut builder = Builder::new("long".into(), Vec::new(), Type::Void, Layout::default());
        let block = builder.add_block("entry");
        builder.move_to(block);
        let zero = Operand::Const(zero_of(&Type::I64));
        for _ in 0..length {
            builder.push(Op::Int(IntOp::Add), Type::I64, vec![zero.clone(), zero.clone()]);
        }
        builder.finish()
    }

    #[test]
    fn only_long_blocks_are_spared() {
        let spared =
            |length| spare_vectoriser(of_length(length)).attributes.iter().any(|name| name == SPARED);
        assert!(!spared(LONG));
        assert!(spared(LONG + 1));
    }
}
