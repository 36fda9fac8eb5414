//! Floats that are moved between places where others keep pointers, and pointers that are moved where others keep floats:
//! optimisers and programs name what they move by one member of a union. A pointer that is moved as a float comes without its
//! shadow, and a float that is moved as a pointer without its derivative.
//!
//! Function + touches → the stores of such floats and pointers. A place counts where the other is read or written at the very same
//! offsets, counted from the same start, so an array of floats beside pointers in one struct is none. For a pointer one end of its
//! way is enough where its offset is surely the same, since the other end may be touched under a name that is not followed; where it
//! may meet floats at both ends, offsets need not be the same. Where one end is a member that the program declares to be a pointer,
//! an array of floats beside it, in a struct by its declared type, does not count because an index into it might be any number.
//! A member that is declared to be a pointer is none in an object of another type, in which a float is declared there.
//! A float whose place no struct's type tells counts at any offsets that meet pointers of which none tells it either: an element of an
//! array of unions.
//! A record that one half of a derivative lays for the other holds at each place what both know it to be.
//! Safe error: disputed (is refused).

use std::collections::{BTreeMap, BTreeSet};

use super::places::Place;
use super::relayed::Relayed;
use super::touches::{Kind, Touch, Touches, is_declared, is_other_member, is_stepped_to};
use crate::analyses::carried::is_in_record;
use crate::analyses::offsets::{Extent, find_start};
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Inst, Layout, Op, Operand, Program, Type, ValueId};

pub fn find_disputed(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let moved = find_moved(function);
    // Where nobody keeps a pointer in memory none is moved; most numerical code is like that.
    if moved.is_empty() || !keeps_pointers(program) {
        return BTreeSet::new();
    }
    let (layout, pointers) = (Layout::parse(&program.layout), Pointers::shared(function, program));
    let touches = Touches::of(function, program, &pointers, &layout);
    let relayed = if touches.has_others() { Relayed::of(program, &layout) } else { Default::default() };
    let accesses =
        [Other::Float, Other::Pointer].map(|other| (other, Accesses::of(function, &touches, other)));
    let places = OtherPlaces { function, touches: &touches, relayed: &relayed, accesses: accesses.into() };
    let disputed = moved.into_iter().filter(|(store, loads)| {
        let Some(Inst { operands, .. }) = function.inst(*store) else { return false };
        let ty = function.operand_type(&operands[0]);
        let (other, pointer) =
            if ty.holds_pointer() { (Other::Float, true) } else { (Other::Pointer, false) };
        let at_ends = |how: How| {
            let read =
                |load: &ValueId| function.inst(*load).is_some_and(|load| places.meet(load, other, how));
            (
                function.inst(*store).is_some_and(|store| places.meet(store, other, how)),
                loads.iter().any(read),
            )
        };
        // One end tells what is moved: a float that is read as a pointer nobody puts where a pointer is declared.
        let is_member = |id: &ValueId| function.inst(*id).is_some_and(is_stepped_to);
        let declared = is_member(store) || loads.iter().all(is_member);
        let meeting = if declared { How::MeetingAsExactly } else { How::Meeting };
        let both = |(written, read): (bool, bool)| written && read;
        let either = |(written, read): (bool, bool)| written || read;
        both(at_ends(How::Same))
            || pointer && (either(at_ends(How::SurelySame)) || both(at_ends(meeting)))
            || !pointer && !declared && both(at_ends(How::MeetingUndeclared))
    });
    disputed.map(|(store, _)| store).collect()
}

/// What others read and write where something is moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Other {
    Float,
    Pointer,
}

/// How their places lie to those of what is moved. Offsets of an address that is one of several are known up to a stride that may
/// say nothing any more; such addresses are surely the same never, and met only by their strides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Same,
    SurelySame,
    Meeting,
    /// The same, but for elements of arrays in structs whose places are known less well than that of what is moved.
    MeetingAsExactly,
    /// The same, but for what is stepped to by the type of its struct.
    MeetingUndeclared,
}

/// Where pointers and floats are read and written, here and by others.
struct OtherPlaces<'a> {
    function: &'a Function,
    touches: &'a Touches<'a>,
    relayed: &'a Relayed,
    accesses: BTreeMap<Other, Accesses<'a>>,
}

impl OtherPlaces<'_> {
    /// Whether they are met where an instruction reads or writes what is moved.
    fn meet(&self, access: &Inst, other: Other, how: How) -> bool {
        let (pointer, ty) = match access.op {
            Op::Store(_) => (&access.operands[1], self.function.operand_type(&access.operands[0])),
            _ => (&access.operands[0], access.ty.clone()),
        };
        if is_in_record(self.function, pointer) {
            return false;
        }
        let (extent, start) =
            (self.touches.seen.offsets.extent(pointer, &ty), find_start(self.function, pointer));
        let places = self.touches.places_of(pointer);
        // Where the program steps to a pointer in its struct there is one, and a float that is declared there is in an object of
        // another type. A slot is one object, and so is a global.
        let one = places.iter().any(|place| matches!(place, Place::Stack(_) | Place::Global(_)));
        let is_apart = |member: bool| member && !one && is_stepped_to(access);
        let lies = |other: Extent, element: bool| match how {
            How::Same | How::SurelySame => other.at == extent.at,
            How::Meeting => true,
            How::MeetingUndeclared => !element,
            How::MeetingAsExactly => !element || other.at.is_as_exact_as(extent.at),
        };
        let fits = |other: Extent, element: bool| lies(other, element) && other.meets(extent);
        let is_other = |kind: Kind| match kind {
            Kind::Pointer => other == Other::Pointer,
            Kind::Float(_) => other == Other::Float,
            _ => false,
        };
        let mut heard =
            self.relayed.with_kept(&self.function.name).filter(|(place, _)| places.contains(*place));
        let mut here = self.accesses[&other].near(&places);
        // What is one of several addresses here is so to others, too, unless all stand at one distance.
        let tells = how == How::Same || start.is_some() || extent.at.stride == 0;
        tells
            && heard.any(|(_, touches)| {
                let counts = |touch: &&Touch| is_other(touch.kind) && !is_apart(touch.member);
                touches.iter().filter(counts).any(|touch| fits(touch.extent, touch.stepped))
            })
            || here.any(|there| {
                let known = start.is_some() && there.start.is_some();
                let begins = match how {
                    How::Same => !known || start == there.start,
                    How::SurelySame => known && start == there.start,
                    How::Meeting | How::MeetingAsExactly | How::MeetingUndeclared => known,
                };
                begins && !is_apart(is_other_member(there.by)) && fits(there.extent, is_stepped_to(there.by))
            })
    }
}

/// All that read or write pointers, or floats, by the places where they do.
struct Accesses<'a> {
    all: Vec<Access<'a>>,
    by_place: BTreeMap<Place, Vec<usize>>,
}

struct Access<'a> {
    by: &'a Inst,
    extent: Extent,
    start: Option<i128>,
}

impl<'a> Accesses<'a> {
    fn of(function: &'a Function, touches: &Touches, other: Other) -> Accesses<'a> {
        let mut accesses = Accesses { all: Vec::new(), by_place: BTreeMap::new() };
        for (address, ty, by) in function.insts.iter().filter_map(|inst| access_to(function, inst, other)) {
            for place in touches.places_of(address) {
                accesses.by_place.entry(place).or_default().push(accesses.all.len());
            }
            let (extent, start) = (touches.seen.offsets.extent(address, &ty), find_start(function, address));
            accesses.all.push(Access { by, extent, start });
        }
        accesses
    }

    /// Those of some places; one of several of them comes more than once.
    fn near(&self, places: &BTreeSet<Place>) -> impl Iterator<Item = &Access<'a>> {
        let numbers = places.iter().filter_map(|place| self.by_place.get(place)).flatten();
        numbers.map(|number| &self.all[*number])
    }
}

fn keeps_pointers(program: &Program) -> bool {
    let accesses =
        |function: &Function| function.insts.iter().any(|x| access_to(function, x, Other::Pointer).is_some());
    program.functions.iter().any(accesses)
}

/// Through what a pointer or a float, or several, are read or written, as what, and by whom.
fn access_to<'a>(function: &Function, inst: &'a Inst, other: Other) -> Option<(&'a Operand, Type, &'a Inst)> {
    let (address, ty) = match inst.op {
        Op::Load(_) => (&inst.operands[0], inst.ty.clone()),
        Op::Store(_) => (&inst.operands[1], function.operand_type(&inst.operands[0])),
        _ => return None,
    };
    let is_one = match other {
        Other::Float => ty.holds_float(),
        // An address that is kept as a number is followed by nobody.
        Other::Pointer => ty.holds_pointer() && !is_declared(inst),
    };
    // Of an address with a pointer at it only where it begins counts.
    let extent = if other == Other::Pointer { Type::PTR } else { ty };
    is_one.then_some((address, extent, inst))
}

/// The stores of floats and pointers that were read elsewhere, with the loads that read them.
fn find_moved(function: &Function) -> Vec<(ValueId, Vec<ValueId>)> {
    let stores = function.inst_ids().filter_map(|id| {
        let store = function.inst(id).filter(|inst| matches!(inst.op, Op::Store(_)))?;
        let loads = find_loads(function, &store.operands[0]);
        (!loads.is_empty()).then_some((id, loads))
    });
    stores.collect()
}

/// The loads that a float or a pointer comes from unchanged.
fn find_loads(function: &Function, value: &Operand) -> Vec<ValueId> {
    let (mut loads, mut waiting, mut seen) = (Vec::new(), vec![value], BTreeSet::new());
    while let Some(value) = waiting.pop() {
        let ty = function.operand_type(value);
        if !ty.holds_float() && !ty.is_pointer() {
            continue;
        }
        let Some(id) = value.value().filter(|id| seen.insert(*id)) else { continue };
        let Some(inst) = function.inst(id) else { continue };
        match inst.op {
            Op::Load(_) => loads.push(id),
            Op::Phi { .. } | Op::Select | Op::Freeze | Op::ShuffleVector { .. } => {
                waiting.extend(&inst.operands)
            }
            Op::InsertElement | Op::ExtractElement | Op::InsertValue { .. } | Op::ExtractValue { .. } => {
                waiting.extend(&inst.operands);
            }
            _ => {}
        }
    }
    loads
}
