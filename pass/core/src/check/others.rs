//! Do all others who touch what lies behind a pointer take it for integers, too? Or for floats of one kind?
//!
//! Whoever is given the memory by a call, and whoever gave it, is asked in turn, and so is who calls a function that returns its address.
//! Nobody answers for memory whose address is stored, or returned in a struct or to the user, or which is given to code that is not
//! seen. What a function is given from outside the program nobody else names.

use std::collections::BTreeSet;

use super::counted::{Seeing, Seen};
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::stands::{Stand, divisor, join, meetings};
use super::structs::fits_struct;
use super::tellers::{Moved, Teller, find_told};
use crate::kinds::Spaced;
use crate::model::{Constant, FloatKind, Function, Inst, Op, Operand, Type, ValueId};

/// A walk that meets one place at more distances than this would not end, so that they are no longer told from each other.
const MOST_DISTANCES: usize = 4;

/// Where somebody knows the memory: the function, its name for the place, and where that starts as seen from the one who asks.
type Known = (String, Place, (i128, i128));

/// What came of asking around.
pub(super) struct Asked {
    /// Some of the memory is the user's.
    pub is_users: bool,
}

/// The bytes that are asked about, of a place of the one who asks.
struct Question<'q> {
    moved: Moved,
    whether: Whether<'q>,
}

/// Whether they are integers, floats, or structs with floats at some places and integers everywhere else.
#[derive(Clone, Copy)]
enum Whether<'q> {
    Integers,
    Floats(FloatKind),
    Structs(&'q Spaced),
}

impl Question<'_> {
    fn is_answered_by(&self, seen: &Seen, at: i128) -> bool {
        let told = match self.whether {
            Whether::Floats(kind) => seen.ty == Some(Type::Float(kind)),
            Whether::Integers => seen.counted,
            Whether::Structs(spaced) => return fits_struct(seen, at, spaced),
        };
        told && at >= 0 && at + seen.bytes <= self.moved.bytes
    }

    /// Floats may be anywhere in an array. Of numbers it is told which multiples their indices are.
    fn stand_of(&self, seeing: &Seeing, pointer: &Operand) -> Stand {
        if self.is_of_floats() { seeing.stand_of(pointer) } else { seeing.exactly(pointer) }
    }

    fn is_of_floats(&self) -> bool {
        matches!(self.whether, Whether::Floats(_))
    }
}

impl<'a> Seeing<'a> {
    /// `tellers` receives those others who say that an integer is there.
    pub(super) fn others_agree(&self, pointer: &Operand, moved: Moved, tellers: &mut Vec<Teller>) -> bool {
        let question = Question { moved, whether: Whether::Integers };
        let places = self.named(pointer);
        !places.iter().any(|place| self.is_lent(place))
            || places.into_iter().all(|place| self.ask_around(place, &question, tellers, false).is_some())
    }

    /// Asks all who know memory that these bytes are moved to, or come from; `None` where somebody takes them for anything but integers.
    pub(super) fn ask_followers(
        &self,
        pointer: &Operand,
        moved: Moved,
        tellers: &mut Vec<Teller>,
    ) -> Option<Asked> {
        let question = Question { moved, whether: Whether::Integers };
        let mut is_users = false;
        for place in self.named(pointer) {
            is_users |= self.ask_around(place, &question, tellers, true)?.is_users;
        }
        Some(Asked { is_users })
    }

    /// Whether all who know the memory behind pointers touch it as floats of one kind, one behind the other, and at least one of them
    /// touches every such float.
    pub(super) fn agrees_on_floats(&self, pointers: &[Operand], kind: FloatKind) -> bool {
        let bytes = i128::from(kind.bits() / 8);
        let mut told = BTreeSet::new();
        for pointer in pointers {
            let mut stand = self.stand_of(pointer);
            stand.step = divisor(stand.step, bytes);
            let question =
                Question { moved: Moved { stand, bytes, piece: 0 }, whether: Whether::Floats(kind) };
            let mut tellers = Vec::new();
            let places = self.named(pointer);
            let mut agrees = |place: &Place| {
                self.answer(place, Stand { start: 0, step: 0 }, &question, &mut tellers)?;
                self.ask_around(place.clone(), &question, &mut tellers, false)
            };
            if places.is_empty() || !places.iter().all(|place| agrees(place).is_some()) {
                return false;
            }
            told.extend(find_told(question.moved, &tellers, |at, bytes| self.words(at, bytes)));
        }
        self.words(0, bytes).all(|word| told.contains(&word))
    }

    /// Whether all who know the memory behind a pointer touch it as such structs; `tellers` receives who of them counts with what is in
    /// there.
    pub(super) fn others_hold_structs(
        &self,
        pointer: &Operand,
        moved: Moved,
        spaced: &Spaced,
        tellers: &mut Vec<Teller>,
    ) -> bool {
        let question = Question { moved, whether: Whether::Structs(spaced) };
        let places = self.named(pointer);
        places.into_iter().all(|place| self.ask_around(place, &question, tellers, false).is_some())
    }

    /// Whether a called function, or a calling one, knows the place: what a callee returned it knew before.
    pub(super) fn is_lent(&self, place: &Place) -> bool {
        if matches!(place, Place::Returned(_)) {
            return true;
        }
        let gives = |inst: &Inst| {
            self.is_seen(inst) && inst.arguments().iter().any(|x| self.named(x).contains(place))
        };
        let given = matches!(place, Place::Param(_)) && {
            let name = Some(self.function.name.as_str());
            let insts = self.program.functions.iter().flat_map(|function| &function.insts);
            insts.into_iter().any(|inst| inst.callee_name() == name)
        };
        given || self.function.insts.iter().any(gives)
    }

    fn is_seen(&self, call: &Inst) -> bool {
        let callee = call.callee_name().and_then(|name| self.program.function(name));
        callee.is_some_and(|callee| !callee.blocks.is_empty())
    }

    /// `moved` says whether those are asked as well who know memory that integers are moved to, or from.
    fn ask_around(
        &self,
        place: Place,
        question: &Question,
        tellers: &mut Vec<Teller>,
        moved: bool,
    ) -> Option<Asked> {
        let mut is_users = false;
        let mut waiting: Vec<Known> = vec![(self.function.name.clone(), place, (0, 0))];
        let mut met: BTreeSet<Known> = BTreeSet::new();
        while let Some((name, place, (start, step))) = waiting.pop() {
            let here = met.iter().filter(|other| (&other.0, &other.1) == (&name, &place));
            let stands: Vec<Stand> = here.map(|other| Stand { start: other.2.0, step: other.2.1 }).collect();
            let mut from = Stand { start, step };
            if stands.iter().any(|known| is_among(from, *known)) {
                continue;
            }
            if stands.len() >= MOST_DISTANCES {
                from = stands.into_iter().fold(from, join);
            }
            let there = self.eyes_of(&name)?;
            if !met.is_empty() {
                there.answer(&place, from, question, tellers)?;
            }
            there.pass_on((&place, from), question, &mut waiting)?;
            if moved {
                there.move_on((&place, from), question, &mut waiting);
            }
            is_users |= matches!(place, Place::Param(_)) && !self.program.is_mentioned(&name);
            match &place {
                Place::Param(id) => self.go_back((&name, *id), from, question, &mut waiting),
                Place::Returned(call) => self.go_into((there, *call), from, question, &mut waiting)?,
                _ => {}
            }
            met.insert((name, place, (from.start, from.step)));
        }
        Some(Asked { is_users })
    }

    /// Whether what a function reads is an integer, as that function sees it.
    pub(super) fn counts_in(&self, function: &Function, integer: ValueId) -> bool {
        self.eyes_of(&function.name).is_some_and(|there| there.is_integer(integer))
    }

    /// How the function of that name sees memory.
    fn eyes_of(&self, name: &str) -> Option<&Seeing<'a>> {
        if name == self.function.name {
            return Some(self);
        }
        let all = self.others.get_or_init(|| {
            let bodies = self.program.functions.iter().filter(|function| !function.blocks.is_empty());
            let others = bodies.filter(|function| function.name != self.function.name);
            others.map(|other| (other.name.clone(), Seeing::of(other, self.program))).collect()
        });
        all.get(name)
    }

    /// `None` where something else is touched there than what was asked for, within the bytes.
    fn answer(
        &self,
        place: &Place,
        from: Stand,
        question: &Question,
        tellers: &mut Vec<Teller>,
    ) -> Option<()> {
        for seen in self.seen.iter().filter(|seen| seen.places.contains(place)) {
            // Who hands over a float's bits as an integer is refused.
            if !question.is_of_floats() && self.puts_parameter(seen.by) {
                continue;
            }
            let stand = moved(from, seen.exact, 1);
            for at in meetings(question.moved.stand, question.moved.bytes, (stand, seen.bytes)) {
                if !question.is_answered_by(seen, at) {
                    return None;
                }
            }
            // Floats lie one behind the other where all who touch them say so.
            let walks = seen.walks || question.is_of_floats();
            // Of structs it is known where their floats are, and asked who counts with the rest.
            if seen.counted || !matches!(question.whether, Whether::Structs(_)) {
                tellers.push(Teller { stand, walks, ..seen.teller() });
            }
        }
        Some(())
    }

    /// Whether an integer is put into memory as the function was given it.
    fn puts_parameter(&self, store: ValueId) -> bool {
        let store = self.function.inst(store).filter(|inst| matches!(inst.op, Op::Store(_)));
        let value = store.and_then(|store| store.operands[0].value());
        value.is_some_and(|id| {
            self.function.inst(id).is_none() && matches!(self.function.value_type(id), Type::Int(_))
        })
    }

    /// Whom this function gives the memory to; `None` where nobody knows what becomes of it.
    fn pass_on(
        &self,
        (place, from): (&Place, Stand),
        question: &Question,
        waiting: &mut Vec<Known>,
    ) -> Option<()> {
        if !matches!(place, Place::Param(_) | Place::Slot(_) | Place::Made(_) | Place::Returned(_)) {
            return None;
        }
        let leads = |x: &Operand| self.named(x).contains(place);
        for inst in &self.function.insts {
            let lost = match &inst.op {
                Op::Store(_) => leads(&inst.operands[0]),
                Op::Ret if inst.operands.iter().any(leads) => {
                    self.hand_back(&inst.operands[0], from, question, waiting).is_none()
                }
                Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } if inst.operands.iter().any(leads) => {
                    self.pass_to(inst, (place, from), question, waiting).is_none()
                }
                _ => false,
            };
            if lost {
                return None;
            }
        }
        Some(())
    }

    /// Whoever calls this function and gets an address in the memory; `None` where that is the user, or the address is part of something
    /// larger.
    fn hand_back(
        &self,
        address: &Operand,
        from: Stand,
        question: &Question,
        waiting: &mut Vec<Known>,
    ) -> Option<()> {
        let alone = self.function.operand_type(address).is_pointer();
        if !alone || !self.program.is_mentioned(&self.function.name) {
            return None;
        }
        let start = moved(from, question.stand_of(self, address), 1);
        for caller in &self.program.functions {
            let gets = |id: &ValueId| {
                caller.inst(*id).is_some_and(|inst| inst.callee_name() == Some(&self.function.name))
            };
            for call in caller.inst_ids().filter(gets) {
                let place = Place::Returned(call);
                // Somebody may have been told to take no interest in what the callee returns.
                if !self.eyes_of(&caller.name)?.named(&Operand::Value(call)).contains(&place) {
                    return None;
                }
                waiting.push((caller.name.clone(), place, (start.start, start.step)));
            }
        }
        Some(())
    }

    /// Where the memory comes from that `call`, in another function, got from its callee.
    fn go_into(
        &self,
        (there, call): (&Seeing<'a>, ValueId),
        from: Stand,
        question: &Question,
        waiting: &mut Vec<Known>,
    ) -> Option<()> {
        let call = there.function.inst(call).filter(|call| there.is_seen(call) && call.ty.is_pointer())?;
        let name = call.callee_name().filter(|name| self.program.custom_rule(name).is_none())?;
        let callee = self.eyes_of(name)?;
        let ends = callee.function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret));
        for address in ends.flat_map(|end| &end.operands) {
            let start = moved(from, question.stand_of(callee, address), -1);
            callee.queue(callee.named(address), start, waiting);
        }
        Some(())
    }

    /// Where this function moves integers that lie in the memory, and where they come from.
    fn move_on(&self, (place, from): (&Place, Stand), question: &Question, waiting: &mut Vec<Known>) {
        let loads = self.function.inst_ids().filter(|id| {
            let load = self.function.inst(*id).filter(|inst| matches!(inst.op, Op::Load(_)));
            load.is_some_and(|inst| matches!(inst.ty.scalar(), Type::Int(_)))
        });
        for pointers in loads.filter_map(|load| self.follow_moves(load)) {
            for here in pointers.iter().filter(|here| self.named(here).contains(place)) {
                for there in &pointers {
                    let start = moved(
                        moved(from, question.stand_of(self, here), 1),
                        question.stand_of(self, there),
                        -1,
                    );
                    self.queue(self.named(there), start, waiting);
                }
            }
        }
    }

    fn pass_to(
        &self,
        call: &Inst,
        (place, from): (&Place, Stand),
        question: &Question,
        waiting: &mut Vec<Known>,
    ) -> Option<()> {
        let leads = |x: &Operand| self.named(x).contains(place);
        match memory_call(call) {
            Some(MemoryCall::Copy) => {
                let ends = [(0, 1), (1, 0)].map(|(one, other)| (&call.operands[one], &call.operands[other]));
                for (here, there) in ends.into_iter().filter(|(here, _)| leads(here)) {
                    let start = moved(
                        moved(from, question.stand_of(self, here), 1),
                        question.stand_of(self, there),
                        -1,
                    );
                    self.queue(self.named(there), start, waiting);
                }
                return Some(());
            }
            Some(MemoryCall::Fill) => {
                return matches!(call.operands[1], Operand::Const(Constant::Int { .. })).then_some(());
            }
            Some(MemoryCall::Allocate | MemoryCall::Free) => return Some(()),
            None => {}
        }
        let name = call.callee_name()?;
        let says_only = |mark: &&str| name.strip_prefix("llvm.").is_some_and(|rest| rest.starts_with(*mark));
        if ["lifetime.", "dbg.", "assume", "prefetch"].iter().any(says_only) {
            return Some(());
        }
        if !self.is_seen(call) || self.program.custom_rule(name).is_some() {
            return None;
        }
        for (at, argument) in call.arguments().iter().enumerate().filter(|(_, x)| leads(x)) {
            let start = moved(from, question.stand_of(self, argument), 1);
            waiting.push((name.into(), Place::Param(ValueId(at as u32)), (start.start, start.step)));
        }
        Some(())
    }

    /// Who gave a parameter's memory.
    fn go_back(
        &self,
        (callee, param): (&str, ValueId),
        from: Stand,
        question: &Question,
        waiting: &mut Vec<Known>,
    ) {
        for function in &self.program.functions {
            let Some(caller) = self.eyes_of(&function.name) else { continue };
            for call in caller.function.insts.iter().filter(|inst| inst.callee_name() == Some(callee)) {
                if let Some(argument) = call.arguments().get(param.0 as usize) {
                    let start = moved(from, question.stand_of(caller, argument), -1);
                    caller.queue(caller.named(argument), start, waiting);
                }
            }
        }
    }

    fn queue(&self, places: BTreeSet<Place>, at: Stand, waiting: &mut Vec<Known>) {
        let name = &self.function.name;
        waiting.extend(places.into_iter().map(|place| (name.clone(), place, (at.start, at.step))));
    }
}

/// Whether a place that may be at one of some distances is at one of others, whichever it is at.
fn is_among(these: Stand, those: Stand) -> bool {
    let apart = these.start - those.start;
    match those.step {
        0 => these.step == 0 && apart == 0,
        step => these.step % step == 0 && apart % step == 0,
    }
}

fn moved(stand: Stand, by: Stand, sign: i128) -> Stand {
    Stand { start: stand.start + sign * by.start, step: divisor(stand.step, by.step) }.plain()
}
