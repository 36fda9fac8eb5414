//! Memory for shadows: filled with zeros, and the C library knows by then how much of it the next call will ask for again.

use super::builder::Builder;
use super::tape::call_runtime;
use crate::model::{Operand, Type};

/// A shadow that lives as long as its memory is one that the runtime knows (`lasting`). The runtime counts small ones, too: a
/// loop may make many.
pub fn make_zeroed(builder: &mut Builder, count: Operand, size: Operand, lasting: bool) -> Operand {
    call_runtime(builder, "bs_rt_make_room", Type::Void, vec![count.clone(), size.clone()]);
    let maker = if lasting { "bs_rt_lasting_shadow" } else { "calloc" };
    call_runtime(builder, maker, Type::PTR, vec![count, size])
}
