//! What other functions say of memory that a function is given, or gives them.
//!
//! Program → for each function and place the touches of its callers, shifted by where the pointer stood that they passed,
//! and those of the functions that it calls. A function that is called by several says nothing of one to the other. Of
//! integers nothing is relayed: that one is no float has to be seen where it is moved.
//!
//! Where one keeps a pointer in a global and another finds it there, it is handed over as well. Since a global may lead here now and there
//! then, that says what may be moved, and not what is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::distance::Distance;
use super::places::Place;
use super::touches::{Kind, Touch, Touches};
use crate::analyses::carriers::{find_movers_with, find_params};
use crate::analyses::offsets::{Extent, Offset};
use crate::analyses::pointers::Pointers;
use crate::model::{Layout, Op, Operand, Program, ValueId};

pub type ByPlace = BTreeMap<Place, BTreeSet<Touch>>;

/// Calls lead this far. What lies farther away is not heard, so that recursion that walks on through memory comes to an
/// end.
const MOST_STEPS: usize = 4;

/// More hands than these are not looked at that keep pointers in globals and find them.
const MOST_KEPT: usize = 1024;

/// By the name of the function.
#[derive(Default)]
pub struct Relayed {
    passed: BTreeMap<String, ByPlace>,
    /// The same, with what is handed over in globals, if anything is.
    kept: Option<BTreeMap<String, ByPlace>>,
}

/// A pointer that is passed.
struct Passed {
    caller: String,
    callee: String,
    param: Place,
    places: BTreeSet<Place>,
    at: Distance,
}

impl Relayed {
    pub fn of(program: &Program, layout: &Layout) -> Arc<Relayed> {
        program.once("", || Relayed::find(program, layout))
    }

    fn find(program: &Program, layout: &Layout) -> Relayed {
        let (mut own, mut passed, mut hands) = (BTreeMap::new(), Vec::new(), Vec::new());
        let bodies = || program.functions.iter().filter(|function| !function.is_declaration());
        if bodies().count() < 2 {
            return Relayed::default();
        }
        let params = find_params(program);
        for function in bodies() {
            let pointers = Pointers::shared(function, program);
            let carriers = find_movers_with(function, &params);
            let touches = Touches::with(function, program, (&*pointers, layout), carriers);
            passed.extend(find_passed(&touches));
            hands.extend(find_hands(&touches));
            let mut told = touches.by_place;
            let matters = |touch: &Touch| matches!(touch.kind, Kind::Float(_) | Kind::Pointer);
            told.values_mut().for_each(|touches| touches.retain(matters));
            own.insert(function.name.clone(), told);
        }
        let kept = find_kept(&hands);
        let told = relay(&own, &passed);
        let kept = (!kept.is_empty()).then(|| {
            passed.extend(kept);
            relay(&own, &passed)
        });
        Relayed { passed: told, kept }
    }

    pub fn to(&self, function: &str) -> impl Iterator<Item = (&Place, &BTreeSet<Touch>)> {
        self.passed.get(function).into_iter().flatten()
    }

    /// The same, with what those say who keep a pointer in a global that is found there, or find what is kept.
    pub fn with_kept(&self, function: &str) -> impl Iterator<Item = (&Place, &BTreeSet<Touch>)> {
        self.kept.as_ref().unwrap_or(&self.passed).get(function).into_iter().flatten()
    }
}

/// What is said along the ways on which pointers are passed.
fn relay(own: &BTreeMap<String, ByPlace>, passed: &[Passed]) -> BTreeMap<String, ByPlace> {
    let (mut from_callees, mut from_callers) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..MOST_STEPS {
        let (mut down, mut up) = (from_callers.clone(), from_callees.clone());
        for one in passed {
            for place in &one.places {
                let said =
                    [heard(own, &one.callee, &one.param), heard(&from_callees, &one.callee, &one.param)];
                tell(&mut up, &one.caller, place, said.concat().iter().map(|touch| touch.moved(one.at, 1)));
                let said = [heard(own, &one.caller, place), heard(&from_callers, &one.caller, place)];
                let moved = said.concat();
                tell(&mut down, &one.callee, &one.param, moved.iter().map(|touch| touch.moved(one.at, -1)));
            }
        }
        (from_callers, from_callees) = (down, up);
    }
    let mut relayed: BTreeMap<String, ByPlace> = from_callers;
    for (name, places) in from_callees {
        let known = relayed.entry(name).or_default();
        places.into_iter().for_each(|(place, touches)| known.entry(place).or_default().extend(touches));
    }
    relayed
}

/// Who keeps a pointer in a global, or finds one there.
struct Hand {
    function: String,
    /// The global, and how far from its start.
    at: (String, i128),
    keeps: bool,
    places: BTreeSet<Place>,
    stands: Distance,
}

fn find_hands(touches: &Touches) -> Vec<Hand> {
    let function = touches.function;
    let hands = function.inst_ids().filter_map(|id| {
        let inst = function.inst(id)?;
        let (address, pointer, keeps) = match inst.op {
            Op::Load(_) => (&inst.operands[0], Operand::Value(id), false),
            Op::Store(_) => (&inst.operands[1], inst.operands[0].clone(), true),
            _ => return None,
        };
        if !function.operand_type(&pointer).is_pointer() {
            return None;
        }
        let holders = touches.places_of(address);
        let (Some(Place::Global(name)), 1) = (holders.first(), holders.len()) else { return None };
        let Offset { start, stride: 0 } = touches.seen.offsets.of_operand(address) else { return None };
        let places = touches.places_of(&pointer);
        let stands = Distance::roughly(touches.seen.offsets.of_operand(&pointer));
        Some(Hand { function: function.name.clone(), at: (name.clone(), start), keeps, places, stands })
    });
    hands.collect()
}

/// Pointers that one function keeps in a global and another finds there, as if they were passed.
fn find_kept(hands: &[Hand]) -> Vec<Passed> {
    if hands.len() > MOST_KEPT {
        return Vec::new();
    }
    let mut kept = Vec::new();
    for found in hands.iter().filter(|hand| !hand.keeps) {
        let there = |hand: &&Hand| hand.keeps && hand.at == found.at && hand.function != found.function;
        for keeper in hands.iter().filter(there) {
            kept.extend(found.places.iter().map(|place| Passed {
                caller: keeper.function.clone(),
                callee: found.function.clone(),
                param: place.clone(),
                places: keeper.places.clone(),
                at: keeper.stands,
            }));
        }
    }
    kept
}

fn find_passed(touches: &Touches) -> Vec<Passed> {
    let function = touches.function;
    let mut passed = Vec::new();
    for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
        let callee = inst.callee_name().filter(|name| touches.program.is_followed(name));
        let Some(callee) = callee else { continue };
        for (at, argument) in inst.arguments().iter().enumerate() {
            let places = touches.places_of(argument);
            if !places.is_empty() {
                passed.push(Passed {
                    caller: function.name.clone(),
                    callee: callee.into(),
                    param: Place::Param(ValueId(at as u32)),
                    places,
                    at: Distance::roughly(touches.seen.offsets.of_operand(argument)),
                });
            }
        }
    }
    passed
}

fn heard(said: &BTreeMap<String, ByPlace>, function: &str, place: &Place) -> Vec<Touch> {
    let touches = said.get(function).and_then(|places| places.get(place));
    touches.into_iter().flatten().copied().collect()
}

fn tell(
    heard: &mut BTreeMap<String, ByPlace>,
    function: &str,
    place: &Place,
    touches: impl Iterator<Item = Touch>,
) {
    let mut touches = touches.peekable();
    if touches.peek().is_some() {
        let places = heard.entry(function.into()).or_default();
        places.entry(place.clone()).or_default().extend(touches);
    }
}

impl Touch {
    /// The same touch as seen from a pointer that stands elsewhere.
    pub fn moved(&self, by: Distance, sign: i128) -> Touch {
        let at = Distance { rough: self.extent.at, exact: self.exact }.shifted(by, sign);
        let extent = Extent { at: at.rough, bytes: self.extent.bytes };
        Touch { extent, exact: at.exact, block: None, ..*self }
    }

    /// The same touch where its memory is known by names that start any number of such steps apart.
    pub fn spread(&self, step: u128) -> Touch {
        let by = Distance::roughly(Offset { start: 0, stride: step });
        Touch { block: self.block, ..self.moved(by, 1) }
    }

    /// Whether a number that is counted with is one of those that lie so far apart, rather than among what lies between them: it is
    /// not jumped over any, and it is known which of them these are.
    pub fn tells_of(&self, step: u128) -> bool {
        let far = self.exact.stride.max(self.extent.bytes.into());
        self.walks || self.exact.stride == 0 || self.exact.stride >= self.jump && far >= step
    }
}
