//! Called functions that only move and count integers in some of the memory they are given, as a sort does with indices while it
//! compares numbers elsewhere.
//!
//! Program + effects → for each function the *fed* parameters: into whose memory something may be put that is not an integer out of
//! memory of another parameter, or made here; and the *tapped*, out of whose memory such integers come. Where nothing that is tapped is
//! active before a call, nothing that is changed and not fed is behind it. Lattice: sets of parameters, by inclusion. Direction: from
//! callees to callers, to a fixed point over recursion.
//! Safe error: fed. Memory that was not handed over directly feeds whatever it is put into.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{Effect, find_roots};
use super::exceptions::is_of_exception;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Program, Type, ValueId};
use crate::rules::{CalleeRule, Rules, Shape};

type Params = BTreeSet<usize>;

/// What is known of the parameters of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    fed: Params,
    tapped: Params,
    /// Slots of its own into which more may be put than such integers.
    slots: BTreeSet<ValueId>,
}

/// Fills in what each effect says of the parameters that are fed and tapped.
pub fn find_fed(
    bodies: &[(&Function, Pointers)],
    effects: &mut BTreeMap<String, Effect>,
    program: &Program,
    rules: &Rules,
) {
    loop {
        let mut grew = false;
        for (function, pointers) in bodies {
            let Some(own) = effects.get(&function.name) else { continue };
            // A rule of the user's may do anything, and is said to from the beginning.
            if program.custom_rule(&function.name).is_some() {
                continue;
            }
            let slots = BTreeSet::new();
            let found = Walk { function, program, rules, pointers, effects, own, slots }.run();
            let Some(own) = effects.get_mut(&function.name) else { continue };
            let before = (own.fed.len(), own.tapped.len());
            own.fed.extend(found.fed);
            own.tapped.extend(found.tapped);
            grew |= (own.fed.len(), own.tapped.len()) != before;
        }
        if !grew {
            return;
        }
    }
}

/// Where something comes from that is put into memory.
#[derive(Clone)]
enum Source {
    /// The memory of these, or of none: a count that is made here, or what was compared.
    Params(Params),
    Elsewhere,
}

struct Walk<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    pointers: &'a Pointers,
    effects: &'a BTreeMap<String, Effect>,
    own: &'a Effect,
    /// The slots that are fed, as far as is known.
    slots: BTreeSet<ValueId>,
}

impl Walk<'_> {
    fn run(mut self) -> Found {
        loop {
            let found = self.pass();
            if found.slots.is_subset(&self.slots) {
                return found;
            }
            self.slots.extend(found.slots);
        }
    }

    fn pass(&self) -> Found {
        let mut found = Found::default();
        for inst in self.function.inst_ids().filter_map(|id| self.function.inst(id)) {
            match &inst.op {
                Op::Store(_) => {
                    let [value, pointer] = inst.operands.as_slice() else { continue };
                    // Under the name by which it is found, nobody would know the memory again.
                    if self.function.operand_type(value).holds_pointer() {
                        self.roots(value, &mut found);
                    }
                    // Its handlers know nothing of whose memory an exception is.
                    if !is_of_exception(self.function, pointer) {
                        self.put(self.source_of(value), pointer, &mut found);
                    }
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. } => {
                    self.feed(&inst.operands, &mut found);
                }
                Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => self.call(inst, &mut found),
                _ => {}
            }
        }
        found
    }

    fn call(&self, inst: &Inst, found: &mut Found) {
        if let Some(callee) = inst.callee_name().and_then(|name| self.effects.get(name)) {
            if !self.program.is_declared_inactive(inst) {
                self.call_body(inst, callee, found);
            }
            return;
        }
        match memory_call(inst) {
            Some(MemoryCall::Copy) => self.put(self.memory_of(&inst.operands[1]), &inst.operands[0], found),
            Some(MemoryCall::Fill) => self.put(self.source_of(&inst.operands[1]), &inst.operands[0], found),
            Some(MemoryCall::Free { .. } | MemoryCall::Allocate { .. }) => {}
            None => {
                let name = inst.callee_name().map(|name| self.program.known_name(name));
                match name.map(|name| self.rules.lookup_callee(name)) {
                    Some(CalleeRule::Inactive(_) | CalleeRule::Reduction(_)) => {}
                    Some(CalleeRule::Row(row)) if !matches!(row.shape, Shape::Stored { .. }) => {}
                    _ => self.feed(inst.arguments(), found),
                }
            }
        }
    }

    /// What the callee moves among its parameters moves among those behind the arguments, or comes from somewhere else.
    fn call_body(&self, inst: &Inst, callee: &Effect, found: &mut Found) {
        let integers = inst.arguments().iter().filter(|x| self.is_integer(x)).map(|x| self.source_of(x));
        let tapped = callee.tapped.iter().filter_map(|at| inst.arguments().get(*at));
        let sources: Vec<Source> = integers.chain(tapped.map(|x| self.memory_of(x))).collect();
        for (at, argument) in inst.arguments().iter().enumerate() {
            if callee.fed.contains(&at) {
                self.roots(argument, found);
            } else if callee.changed.contains(&at) {
                sources.iter().for_each(|source| self.put(source.clone(), argument, found));
            }
        }
    }

    fn put(&self, source: Source, pointer: &Operand, found: &mut Found) {
        match source {
            Source::Params(params) if params.is_disjoint(&self.own.fed) => found.tapped.extend(params),
            Source::Params(_) | Source::Elsewhere => self.roots(pointer, found),
        }
    }

    fn feed(&self, operands: &[Operand], found: &mut Found) {
        operands.iter().for_each(|operand| self.roots(operand, found));
    }

    fn is_integer(&self, operand: &Operand) -> bool {
        matches!(self.function.operand_type(operand).scalar(), Type::Int(_))
    }

    fn roots(&self, pointer: &Operand, found: &mut Found) {
        if self.function.operand_type(pointer).holds_pointer() {
            find_roots((self.function, self.pointers), pointer, &mut BTreeSet::new(), &mut found.fed);
            self.slots_behind(pointer, &mut BTreeSet::new(), &mut found.slots);
        }
    }

    /// The slots that a pointer was reached from.
    fn slots_behind(&self, pointer: &Operand, seen: &mut BTreeSet<ValueId>, slots: &mut BTreeSet<ValueId>) {
        for base in self.pointers.of_operand(pointer) {
            match base {
                Base::Stack(id) => drop(slots.insert(id)),
                Base::Loaded(id) | Base::Returned(id) if seen.insert(id) => {
                    let operands = self.function.inst(id).into_iter().flat_map(|inst| &inst.operands);
                    for operand in operands.filter(|x| x.value().is_some()) {
                        self.slots_behind(operand, seen, slots);
                    }
                }
                // It may be any slot whose address somebody knows.
                Base::Unknown => slots.extend(self.function.inst_ids().filter(|id| self.is_slot(*id))),
                Base::Loaded(_) | Base::Returned(_) => {}
                Base::Param(_) | Base::Heap(_) | Base::Global(_) | Base::Null => {}
            }
        }
    }

    fn is_slot(&self, id: ValueId) -> bool {
        self.function.inst(id).is_some_and(|inst| matches!(inst.op, Op::Alloca(_)))
    }

    /// Whose memory is read through a pointer.
    fn memory_of(&self, pointer: &Operand) -> Source {
        let mut params = Params::new();
        for base in self.pointers.of_operand(pointer) {
            match base {
                Base::Param(id) => drop(params.insert(id.0 as usize)),
                // What was put there was tapped when it was.
                Base::Stack(id) if !self.slots.contains(&id) => {}
                Base::Null => {}
                _ => return Source::Elsewhere,
            }
        }
        Source::Params(params)
    }

    /// What a value is made of, if it is an integer and no address or float has part in it. Who hands an integer over answers for it.
    fn source_of(&self, value: &Operand) -> Source {
        let (mut params, mut seen) = (Params::new(), BTreeSet::new());
        let mut waiting = vec![value];
        while let Some(operand) = waiting.pop() {
            if !self.is_integer(operand) {
                return Source::Elsewhere;
            }
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id) else { continue };
            match &inst.op {
                Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => {}
                Op::Int(_) if is_difference(self.function, inst) => {}
                Op::Int(_)
                | Op::Phi { .. }
                | Op::Select
                | Op::Freeze
                | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => waiting.extend(&inst.operands),
                Op::Load(_) => match self.memory_of(&inst.operands[0]) {
                    Source::Params(found) => params.extend(found),
                    _ => return Source::Elsewhere,
                },
                _ => return Source::Elsewhere,
            }
        }
        Source::Params(params)
    }
}

/// How far two addresses are from each other: a count, and no address any more.
fn is_difference(function: &Function, inst: &Inst) -> bool {
    matches!(inst.op, Op::Int(IntOp::Sub)) && inst.operands.iter().all(|x| is_address(function, x))
}

fn is_address(function: &Function, number: &Operand) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![number]);
    while let Some(operand) = waiting.pop() {
        let Some(id) = operand.value() else { return false };
        match function.inst(id) {
            Some(inst) if matches!(inst.op, Op::Phi { .. } | Op::Freeze) => {
                if seen.insert(id) {
                    waiting.extend(&inst.operands);
                }
            }
            Some(inst) if matches!(inst.op, Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr)) => {}
            _ => return false,
        }
    }
    true
}
