//! Who else touches the very bytes that an access reads or writes.
//!
//! Access + touches → those at places that are known as well as its own. An index into an array beside a member might be any
//! number, and still stays in its array.

use super::places::Place;
use super::reach::meetings;
use super::touches::{Kind, Touch, Touches, is_declared};
use crate::analyses::offsets::Extent;
use crate::model::{Inst, Type};

pub struct Same {
    pub extent: Extent,
    pub touches: Vec<Touch>,
    /// The bytes of a scalar that the access moves.
    scalar: u64,
}

impl Same {
    /// `None` where the size of what is moved is not known.
    pub fn of(access: &Inst, touches: &Touches) -> Option<Same> {
        let ty = touches.function.accessed_type(access).unwrap_or(Type::Void);
        let size_of = |ty: &Type| touches.layout().store_size(ty);
        let (bytes, scalar) = (size_of(&ty)?, size_of(ty.scalar())?);
        let pointer = access.operands.last()?;
        let extent = Extent { at: touches.seen.offsets.of_operand(pointer), bytes };
        let here = touches.places_of(pointer);
        // What is declared to be another member is in an object of another type that is found by the same names. A slot is
        // one object, and so is a global; and what is not declared may be of any type.
        let slot = here.iter().any(|place| matches!(place, Place::Stack(_) | Place::Global(_)));
        let one = slot || !is_declared(access);
        let counts = |touch: &&Touch| (one || !touch.member) && touch.extent.at.is_as_exact_as(extent.at);
        let all = here.iter().flat_map(|place| touches.at(place)).filter(counts).copied().collect();
        Some(Same { extent, touches: all, scalar })
    }

    /// Whether somebody takes them for a float or a pointer.
    pub fn is_disputed(&self) -> bool {
        self.meeting().any(|touch| matches!(touch.kind, Kind::Float(_) | Kind::Pointer))
    }

    /// Whether somebody takes them for floats as long as what is moved.
    pub fn is_float(&self) -> bool {
        self.meeting().any(|touch| matches!(touch.kind, Kind::Float(_)) && touch.extent.bytes == self.scalar)
    }

    fn meeting(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| !meetings(self.extent, touch.extent).is_empty())
    }
}
