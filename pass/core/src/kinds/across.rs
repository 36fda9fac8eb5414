//! Who else touches the memory behind a place: callers, callees, theirs, and so on, until nobody is left.
//!
//! Function and place → the touches of all others, told from where the place starts. `None` where somebody may touch the memory
//! who is not seen: its address lies in memory, or is returned to the user or in a struct, or code without a body is given it.
//! Beside what is relayed, of which anything may be missing, this is complete, so that it tells of integers too.
//! Safe error: `None`.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::distance::Distance;
use super::evidence::pointers_of;
use super::places::Place;
use super::touches::{Kind, Touch, Touches};
use super::webs::{Web, find_webs};
use crate::analyses::carriers::{CarrierParams, find_movers_with, find_params};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Pointers;
use crate::model::{Constant, Function, Inst, Layout, Op, Operand, Program, ValueId};

/// Recursion that walks on through memory, or elements that are moved up by one, come back to a place at ever other distances. More
/// than these are taken for one that is known up to multiples of a step.
pub(super) const MOST_DISTANCES: usize = 4;

/// What pointers lead to, in each function with a body that was asked about.
pub type AllPointers<'a> = Vec<(&'a Function, OnceCell<Arc<Pointers>>)>;

pub fn find_all_pointers(program: &Program) -> AllPointers<'_> {
    let bodies = program.functions.iter().filter(|function| !function.is_declaration());
    bodies.map(|function| (function, OnceCell::new())).collect()
}

pub struct Across<'a> {
    program: &'a Program,
    layout: &'a Layout,
    params: Arc<CarrierParams>,
    functions: BTreeMap<&'a str, Body<'a>>,
}

/// What a function does with memory, as soon as somebody comes to it: mostly few are come to.
struct Body<'a> {
    function: &'a Function,
    pointers: &'a OnceCell<Arc<Pointers>>,
    touches: OnceCell<Touches<'a>>,
    /// What it moves as integers.
    webs: OnceCell<Vec<Web>>,
}

/// Which memory belongs to a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// What copies move to it and from it.
    ByCopies,
    /// What integers that are only moved go to and come from as well.
    ByAllMoves,
}

/// What others say of a place.
#[derive(Default)]
pub struct Heard {
    pub touches: BTreeSet<Touch>,
    /// Some of the memory is the user's, who may touch it otherwise.
    pub is_users: bool,
}

/// A place in a function, and how far its start is from the start of the place that was asked for.
type Node<'a> = (&'a str, Place, Distance);

impl<'a> Across<'a> {
    pub fn of(program: &'a Program, all: &'a AllPointers<'a>, layout: &'a Layout) -> Across<'a> {
        let body = |(function, pointers): &'a (&'a Function, OnceCell<Arc<Pointers>>)| {
            let (touches, webs) = (OnceCell::new(), OnceCell::new());
            (function.name.as_str(), Body { function, pointers, touches, webs })
        };
        let functions = all.iter().map(body).collect();
        Across { program, layout, params: find_params(program), functions }
    }

    fn touches<'b>(&'b self, body: &'b Body<'a>) -> &'b Touches<'a> {
        body.touches.get_or_init(|| {
            let (function, program) = (body.function, self.program);
            let pointers = body.pointers.get_or_init(|| Pointers::shared(function, program));
            let carriers = find_movers_with(function, &self.params);
            Touches::with(function, program, (pointers, self.layout), carriers)
        })
    }

    pub fn at(&self, function: &str, place: &Place, joined: Joined) -> Option<Heard> {
        let (name, start) = (*self.functions.get_key_value(function)?.0, Distance::default());
        let mut met: BTreeMap<(&str, Place), BTreeSet<Distance>> = BTreeMap::new();
        let (mut waiting, mut found) = (vec![(name, place.clone(), start)], Heard::default());
        while let Some((name, place, at)) = waiting.pop() {
            let is_first = met.is_empty();
            let distances = met.entry((name, place.clone())).or_default();
            if distances.iter().any(|known| known.covers(at)) {
                continue;
            }
            let at = if distances.len() < MOST_DISTANCES { at } else { join_all(distances, at) };
            distances.insert(at);
            let touches = self.touches(self.functions.get(name)?);
            if !is_kept(touches, &place) {
                return None;
            }
            // The first is the one that asks, which knows its own.
            if !is_first {
                found.touches.extend(touches.at(&place).map(|touch| as_heard(touch.moved(at, 1))));
            }
            found.is_users |= matches!(place, Place::Param(_)) && !self.program.is_mentioned(name);
            if joined == Joined::ByAllMoves {
                self.follow_webs(touches, (&place, at), &mut waiting)?;
            }
            for call in touches.calls_at(&place).filter_map(|call| touches.function.inst(call)) {
                self.follow_call(touches, call, (&place, at), &mut waiting)?;
            }
            self.follow_returns(touches, (&place, at), &mut waiting)?;
            match place {
                Place::Param(id) => self.follow_callers(name, id, at, &mut waiting),
                Place::Returned(call) => self.follow_back(touches, call, at, &mut waiting)?,
                _ => {}
            }
        }
        Some(found)
    }

    /// Where integers go to and come from that are moved by this memory, if they are nothing but moved.
    fn follow_webs(
        &self,
        touches: &Touches<'a>,
        (place, at): (&Place, Distance),
        waiting: &mut Vec<Node<'a>>,
    ) -> Option<()> {
        let stands = |x: &Operand| touches.stands(x);
        let name = touches.function.name.as_str();
        let body = self.functions.get(name)?;
        let webs = body.webs.get_or_init(|| find_webs(body.function, self.layout));
        for web in webs.iter().filter(|web| !web.values.is_empty()) {
            let pointers = pointers_of(web, touches.function);
            for here in pointers.iter().filter(|here| touches.places_of(here).contains(place)) {
                if !web.floats.is_empty() {
                    return None;
                }
                for there in &pointers {
                    let apart = at.shifted(stands(here), 1).shifted(stands(there), -1);
                    waiting.extend(touches.places_of(there).into_iter().map(|other| (name, other, apart)));
                }
            }
        }
        Some(())
    }

    /// Whoever else is given the memory by a call.
    fn follow_call(
        &self,
        touches: &Touches<'a>,
        call: &'a Inst,
        (place, at): (&Place, Distance),
        waiting: &mut Vec<Node<'a>>,
    ) -> Option<()> {
        let leads = |x: &Operand| touches.places_of(x).contains(place);
        let stands = |x: &Operand| touches.stands(x);
        match memory_call(call) {
            Some(MemoryCall::Copy) => {
                let [to, from, ..] = call.operands.as_slice() else { return None };
                for (here, there) in [(to, from), (from, to)].into_iter().filter(|(here, _)| leads(here)) {
                    let apart = at.shifted(stands(here), 1).shifted(stands(there), -1);
                    let others = touches.places_of(there).into_iter();
                    waiting.extend(others.map(|other| (touches.function.name.as_str(), other, apart)));
                }
                return Some(());
            }
            Some(MemoryCall::Fill) => {
                let cleared = matches!(&call.operands[1], Operand::Const(Constant::Int { .. }));
                return cleared.then_some(());
            }
            Some(MemoryCall::Allocate { .. } | MemoryCall::Free { .. }) => return Some(()),
            None => {}
        }
        let (callee, _) = self.functions.get_key_value(call.callee_name()?)?;
        if self.program.custom_rule(callee).is_some() {
            return None;
        }
        for (index, argument) in call.arguments().iter().enumerate().filter(|(_, x)| leads(x)) {
            waiting.push((callee, Place::Param(ValueId(index as u32)), at.shifted(stands(argument), 1)));
        }
        Some(())
    }

    /// Whoever finds the memory behind what this function returns.
    fn follow_returns(
        &self,
        touches: &Touches<'a>,
        (place, at): (&Place, Distance),
        waiting: &mut Vec<Node<'a>>,
    ) -> Option<()> {
        let returned = returned_by(touches.function);
        for value in returned.filter(|value| touches.places_of(value).contains(place)) {
            // Of several pointers that are returned together it is not known which is which, nor what the user does with one.
            let name = &touches.function.name;
            if !touches.function.operand_type(value).is_pointer() || !self.program.is_mentioned(name) {
                return None;
            }
            let start = at.shifted(touches.stands(value), 1);
            for (caller, call) in self.calls_of(&touches.function.name) {
                let place = Place::Returned(call);
                // Of a function that is declared inactive nobody follows what it returns.
                let body = self.functions.get(caller)?;
                if !self.touches(body).places_of(&Operand::Value(call)).contains(&place) {
                    return None;
                }
                waiting.push((caller, place, start));
            }
        }
        Some(())
    }

    /// What a callee returned is memory that it was given, or made.
    fn follow_back(
        &self,
        touches: &Touches<'a>,
        call: ValueId,
        at: Distance,
        waiting: &mut Vec<Node<'a>>,
    ) -> Option<()> {
        let call = touches.function.inst(call)?;
        let (name, body) = self.functions.get_key_value(call.callee_name()?)?;
        if !call.ty.is_pointer() || self.program.custom_rule(name).is_some() {
            return None;
        }
        let there = self.touches(body);
        for value in returned_by(body.function) {
            let start = at.shifted(there.stands(value), -1);
            waiting.extend(there.places_of(value).into_iter().map(|place| (*name, place, start)));
        }
        Some(())
    }

    /// All calls of a function, with who makes them.
    fn calls_of(&self, callee: &str) -> impl Iterator<Item = (&'a str, ValueId)> {
        self.functions.iter().flat_map(move |(name, body)| {
            let function = body.function;
            let calls = function
                .inst_ids()
                .filter(move |id| function.inst(*id).is_some_and(|inst| inst.callee_name() == Some(callee)));
            calls.map(|id| (*name, id))
        })
    }

    /// What callers give. Who calls a derivative from outside is not seen, and taken at the word of those who are.
    fn follow_callers(&self, callee: &str, param: ValueId, at: Distance, waiting: &mut Vec<Node<'a>>) {
        for (name, body) in &self.functions {
            let calls = body.function.insts.iter().filter(|inst| inst.callee_name() == Some(callee));
            for argument in calls.filter_map(|call| call.arguments().get(param.0 as usize)) {
                let touches = self.touches(body);
                let start = at.shifted(touches.stands(argument), -1);
                waiting.extend(touches.places_of(argument).into_iter().map(|place| (*name, place, start)));
            }
        }
    }
}

/// All these distances and one more, as one.
pub(super) fn join_all(distances: &BTreeSet<Distance>, more: Distance) -> Distance {
    distances.iter().fold(more, |all, one| all.join(*one))
}

/// What somebody was given as an integer is no float with a derivative: who hands its bits over so is refused.
fn as_heard(touch: Touch) -> Touch {
    let kind = if touch.kind == Kind::Given { Kind::Looked } else { touch.kind };
    Touch { kind, ..touch }
}

/// Whether a function knows the memory by this name only, and lets nobody else know it but those that it calls, or that call it.
fn is_kept(touches: &Touches, place: &Place) -> bool {
    matches!(place, Place::Stack(_) | Place::Heap(_) | Place::Param(_) | Place::Returned(_))
        && !touches.is_stored(place)
}

fn returned_by(function: &Function) -> impl Iterator<Item = &Operand> {
    function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret)).flat_map(|inst| &inst.operands)
}
