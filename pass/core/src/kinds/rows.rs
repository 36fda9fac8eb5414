//! Arrays of floats by how they are stepped through, where they are found in memory: also the rows that lie behind one array of pointers.
//!
//! Function + pointer → whether floats alone lie where it leads, as far as this function touches it.
//! Safe error: not.

use std::collections::BTreeSet;

use super::places::Place;
use super::touches::{Kind, Touches};
use crate::analyses::offsets::Extent;
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Layout, Op, Operand, Program, ValueId};

/// Whether somebody steps through floats where a pointer leads, by whatever load of one address it was found, or of one array of
/// addresses, and nobody here touches anything else there. A struct with a pointer is not stepped through by floats, and what lies in an array
/// of pointers is of one type.
pub fn is_array_of_floats(function: &Function, program: &Program, pointer: &Operand) -> bool {
    let (layout, pointers) = (Layout::parse(&program.layout), Pointers::shared(function, program));
    let touches = Touches::of(function, program, &pointers, &layout);
    let mut places = touches.places_of(pointer);
    places.extend(find_rows(&places, &touches));
    let touching = || places.iter().flat_map(|place| touches.at(place));
    touching().all(|touch| matches!(touch.kind, Kind::Float(_)))
        && touching().any(|touch| touch.extent.at.stride == u128::from(touch.extent.bytes))
}

/// The memory behind pointers that are found in one array with those that lead to the given.
fn find_rows(places: &BTreeSet<Place>, touches: &Touches) -> BTreeSet<Place> {
    let function = touches.function;
    let arrays: Vec<Slot> = places.iter().filter_map(|place| slot_of(place, touches)).collect();
    let loads = function.inst_ids().filter(|id| is_found_pointer(function, *id)).map(Place::Loaded);
    let rows = loads.filter(|row| slot_of(row, touches).is_some_and(|slot| slot.is_in_one_array(&arrays)));
    rows.collect()
}

fn is_found_pointer(function: &Function, id: ValueId) -> bool {
    function.inst(id).is_some_and(|inst| matches!(inst.op, Op::Load(_)) && inst.ty.is_pointer())
}

/// Where a pointer is found.
struct Slot {
    memory: BTreeSet<Place>,
    extent: Extent,
}

fn slot_of(place: &Place, touches: &Touches) -> Option<Slot> {
    let Place::Loaded(load) = place else { return None };
    let inst = touches.function.inst(*load)?;
    let extent = touches.seen.offsets.extent(&inst.operands[0], &inst.ty);
    Some(Slot { memory: touches.places_of(&inst.operands[0]), extent })
}

impl Slot {
    /// Whether it is stepped to from pointer to pointer in an array in which one of the others lies. Members of a struct are not.
    fn is_in_one_array(&self, others: &[Slot]) -> bool {
        let steps = |slot: &Slot| slot.extent.at.stride == u128::from(slot.extent.bytes);
        others.iter().any(|other| {
            !self.memory.is_empty()
                && self.memory == other.memory
                && (steps(self) || steps(other))
                && self.extent.meets(other.extent)
        })
    }
}
