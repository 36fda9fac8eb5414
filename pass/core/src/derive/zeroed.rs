//! Memory for shadows: filled with zeros, and the C library knows by then how much of it the next call will ask for again.

use super::builder::Builder;
use super::tape::call_runtime;
use crate::model::{Operand, Type};

/// Below so many bytes the C library keeps what is freed in any case.
const SMALL: i128 = 64 << 10;

/// A shadow that lives as long as its memory is one that the runtime knows (`lasting`).
pub fn make_zeroed(builder: &mut Builder, count: Operand, size: Operand, lasting: bool) -> Operand {
    if !is_small(&count, &size) {
        call_runtime(builder, "bs_rt_make_room", Type::Void, vec![count.clone(), size.clone()]);
    }
    let maker = if lasting { "bs_rt_lasting_shadow" } else { "calloc" };
    call_runtime(builder, maker, Type::PTR, vec![count, size])
}

fn is_small(count: &Operand, size: &Operand) -> bool {
    let number = |operand: &Operand| match operand {
        Operand::Const(constant) => constant.as_signed(),
        Operand::Value(_) => None,
    };
    let bytes = number(count).zip(number(size)).and_then(|(count, size)| count.checked_mul(size));
    bytes.is_some_and(|bytes| (0..SMALL).contains(&bytes))
}
