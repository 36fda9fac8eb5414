//! How much is moved together by a web or a copy.

use super::touches::Touches;
use super::webs::Web;
use crate::model::Type;

/// What is moved at once: so many bytes, in pieces that are moved whole, and again and again.
pub struct Moved {
    pub bytes: u64,
    /// From one to the next, 0 where it is one.
    pub period: u64,
    pub unit: u64,
}

impl Moved {
    pub fn by_web(web: &Web, touches: &Touches) -> Moved {
        let value = web.values.first().map(|id| touches.function.value_type(*id).clone());
        let store = || web.stores.first().and_then(|id| touches.function.inst(*id));
        let ty = value.or_else(|| store().map(|inst| touches.function.operand_type(&inst.operands[0])));
        Moved { bytes: web.bytes, ..Moved::by(&ty.unwrap_or(Type::Void), touches) }
    }

    pub fn by(ty: &Type, touches: &Touches) -> Moved {
        let size = |ty: &Type| touches.layout().store_size(ty).unwrap_or(0);
        Moved { bytes: size(ty), period: 0, unit: size(ty.scalar()) }
    }

    pub fn by_copy(bytes: u64, period: u64) -> Moved {
        Moved { bytes, period, unit: 0 }
    }
}
