//! Memory that is freed when the outermost derivative is over, and its shadow.

use super::Source;
use super::builder::Builder;
use super::copies::Copies;
use super::shadows::Shadows;
use super::tape::call_runtime;
use crate::analyses::memory_calls::release_of;
use crate::model::{Constant, Inst, Operand, Type};

/// In the place of a call that frees: with the first shadow goes the memory itself.
pub fn put_off(source: &Source, builder: &mut Builder, copies: &Copies, shadows: &Shadows, free: &Inst) {
    let Some(release) = release_of(free) else { return };
    let release = Operand::Const(Constant::Symbol { name: release.into(), space: 0 });
    let mut memory = copies.operand(&free.operands[0]);
    for lane in 0..source.plan.width() {
        let shadow = shadows.of(&free.operands[0], lane);
        call_runtime(builder, "bs_rt_put_off", Type::Void, vec![memory, release.clone(), shadow]);
        memory = Operand::Const(Constant::Null(Type::PTR));
    }
}
