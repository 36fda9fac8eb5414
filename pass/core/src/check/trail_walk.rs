//! Trails through the instructions of one function, or of all that call each other.
//!
//! Whenever more is learnt of a value, its users are looked at again, and whenever more is learnt of a memory, whoever reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Proof;
use super::callers::{Caller, Callers};
use super::lasting::leaves_memory_alone;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::stale::may_lead_to_floats;
use super::stands::Stand;
use super::trails::{LARGEST, Origin, Origins, Trails, add_all, one};
use crate::model::{CastOp, Function, Inst, Layout, Op, Operand, Program, Type, ValueId};
use crate::rules::Rules;

impl Proof<'_> {
    /// Whether no pointer ever leads to both places, as their addresses never lie in the same memory.
    pub fn have_own_trails(&self, a: &Place, b: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        trails.ends(a).is_disjoint(&trails.ends(b))
    }

    /// Whether no code that is not seen comes to a place.
    pub fn is_kept_from_outside(&self, place: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        !trails.ends(place).contains(&None)
    }

    /// Whether a place is only ever memory that the call made itself, that lasts as long as the call, and to which no trail leads from what
    /// the caller gets or gave.
    pub fn is_never_met(&self, place: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        trails.ends(place).into_iter().all(|end| {
            let lasts = |id: ValueId| match self.function.inst(id) {
                Some(inst) if matches!(inst.op, Op::Alloca(_)) => self.is_alive_at_the_end(&Place::Slot(id)),
                Some(_) => true,
                None => false,
            };
            end.is_some_and(|id| lasts(id) && !trails.met.contains(&id))
        })
    }

    /// Whether an integer is no float's bits, nor an address, wherever it comes from in the functions that call each other.
    pub fn is_number_all_the_way(&self, integer: ValueId) -> bool {
        let whole = self.whole_trails();
        let through = whole.trails.through.get(&integer);
        through.is_none_or(|through| through.keys().all(|origin| *origin == Origin::Handed))
    }

    fn whole_trails(&self) -> Arc<Whole> {
        self.program.once_of(self.function, || self.walk_all().find_whole())
    }

    pub(super) fn walk_all(&self) -> Walk<'_> {
        Walk::through_all(self.function, self.program, self.rules)
    }

    fn find_trails(&self) -> Trails {
        let walk = Walk::through_one(self.function, self.program, self.rules);
        let mut trails = walk.find_trails();
        walk.leave(&mut trails);
        trails
    }
}

/// The trails of all functions, of which the first is asked about.
pub(super) struct Whole {
    pub(super) trails: Trails,
    /// Memory to which somebody comes who is not seen, then or when the program has returned.
    pub(super) met: BTreeSet<ValueId>,
}

/// The functions that trails are followed through. The values of each are numbered behind those of the one before.
pub struct Walk<'a> {
    program: &'a Program,
    rules: &'a Rules,
    functions: Vec<&'a Function>,
    starts: Vec<u32>,
    /// Who uses what, by these numbers.
    users: BTreeMap<ValueId, BTreeSet<ValueId>>,
    /// The calls of each function that is gone into.
    calls: BTreeMap<&'a str, BTreeSet<ValueId>>,
    callers: Callers<'a>,
    /// Whether what is read as a float where nobody sees is one, and no address.
    takes_floats_for_floats: bool,
}

impl<'a> Walk<'a> {
    pub fn through_one(function: &'a Function, program: &'a Program, rules: &'a Rules) -> Walk<'a> {
        Walk::through(vec![function], Callers::nobody(), program, rules)
    }

    pub fn through_all(function: &'a Function, program: &'a Program, rules: &'a Rules) -> Walk<'a> {
        let callers = Callers::of(function, program);
        let others = program.functions.iter().filter(|other| callers.is_gone_into(&other.name));
        let others = others.filter(|other| other.name != function.name);
        let functions = std::iter::once(function).chain(others).collect();
        Walk::through(functions, callers, program, rules)
    }

    fn through(
        functions: Vec<&'a Function>,
        callers: Callers<'a>,
        program: &'a Program,
        rules: &'a Rules,
    ) -> Walk<'a> {
        let (mut next, mut starts) = (0, Vec::new());
        for function in &functions {
            starts.push(next);
            next += function.params.len() as u32 + function.insts.len() as u32;
        }
        let (mut users, mut calls) = (BTreeMap::new(), BTreeMap::new());
        for (function, start) in functions.iter().zip(&starts) {
            for id in function.inst_ids() {
                let (Some(inst), at) = (function.inst(id), ValueId(start + id.0)) else { continue };
                for used in inst.operands.iter().filter_map(Operand::value) {
                    let known: &mut BTreeSet<ValueId> = users.entry(ValueId(start + used.0)).or_default();
                    known.insert(at);
                }
                if let Some(name) = inst.callee_name() {
                    let known: &mut BTreeSet<ValueId> = calls.entry(name).or_default();
                    known.insert(at);
                }
            }
        }
        Walk { program, rules, functions, starts, users, calls, callers, takes_floats_for_floats: false }
    }

    /// The functions, and what the numbers of their values begin with.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&'a Function, u32)> {
        self.functions.iter().copied().zip(self.starts.iter().copied())
    }

    pub(super) fn inst(&self, value: ValueId) -> Option<&'a Inst> {
        let number = self.home(value);
        self.functions[number].inst(ValueId(value.0 - self.starts[number]))
    }

    pub(super) fn take_floats_for_floats(self) -> Walk<'a> {
        Walk { takes_floats_for_floats: true, ..self }
    }

    pub(super) fn find_whole(&self) -> Whole {
        let mut trails = self.find_trails();
        self.leave(&mut trails);
        Whole { met: std::mem::take(&mut trails.met), trails }
    }

    /// Whoever calls from outside comes to what it gave, what it is given back, and what others were given.
    fn leave(&self, trails: &mut Trails) {
        for (number, function) in self.functions.iter().enumerate() {
            if self.callers.enter(&function.name).is_none() {
                continue;
            }
            trails.base = self.starts[number];
            let handed = |inst: &&Inst| matches!(inst.op, Op::Ret | Op::Resume);
            for inst in function.insts.iter().filter(handed) {
                trails.meet(trails.of_all(&inst.operands));
            }
            // What others of the program give it here is not theirs.
            let given = function.param_ids().map(|id| Origin::Own(ValueId(trails.base + id.0)));
            let theirs = given.filter(|own| own.own().is_some_and(|id| trails.lying.contains_key(&id)));
            trails.meet(theirs.map(|own| (own, Stand::default())).collect());
        }
        trails.base = 0;
        trails.meet(trails.out.iter().map(|own| (Origin::Own(*own), Stand::ANYWHERE)).collect());
    }

    /// The function that a value is of.
    fn home(&self, value: ValueId) -> usize {
        self.starts.partition_point(|start| *start <= value.0) - 1
    }

    pub fn find_trails(&self) -> Trails {
        let size: usize = self.functions.iter().map(|function| function.insts.len()).sum();
        let fixed = self.find_fixed();
        let mut trails = Trails { is_large: size > LARGEST, fixed, ..Trails::default() };
        let mut readers = BTreeSet::new();
        for (number, function) in self.functions.iter().enumerate() {
            trails.base = self.starts[number];
            for id in function.inst_ids() {
                let Some(inst) = function.inst(id) else { continue };
                let at = ValueId(trails.base + id.0);
                if matches!(inst.op, Op::Load(_)) || memory_call(inst) == Some(MemoryCall::Copy) {
                    readers.insert(at);
                }
                trails.waiting.insert(at);
            }
            if let Some(by) = self.callers.enter(&function.name) {
                function.param_ids().for_each(|id| begin_at(function, id, by, &mut trails));
            }
        }
        while !trails.waiting.is_empty() {
            while let Some(value) = trails.waiting.pop_first() {
                let number = self.home(value);
                trails.base = self.starts[number];
                let id = ValueId(value.0 - trails.base);
                let Some(inst) = self.functions[number].inst(id) else { continue };
                if self.follow_trail(number, value, inst, &mut trails) {
                    trails.waiting.extend(self.users.get(&value).into_iter().flatten());
                }
            }
            // All that was put somewhere meanwhile is read at once.
            if std::mem::take(&mut trails.memory_grew) {
                trails.waiting.extend(&readers);
            }
        }
        trails.base = 0;
        trails
    }

    fn find_fixed(&self) -> BTreeSet<String> {
        let functions = self.program.functions.iter().map(|function| &function.name);
        let globals = self.program.globals.iter().map(|global| &global.name);
        let without = globals.filter(|name| !may_lead_to_floats(self.program, name));
        functions.chain(without).cloned().collect()
    }

    /// Whether the program ends in a call, by the promises of the call and of who is called, or a message is made of what is given.
    fn never_goes_on(&self, call: &Inst) -> bool {
        let message = |name: &str| !self.program.is_followed(name) && self.rules.ends_with_message(name);
        if call.callee_name().is_some_and(message) {
            return true;
        }
        let of_call = call.op.call().map_or(&[][..], |call| &call.attributes);
        let callee = call.callee_name().and_then(|name| self.program.function(name));
        let of_callee = callee.map_or(&[][..], |callee| &callee.attributes);
        ["noreturn", "nounwind"]
            .iter()
            .all(|promise| of_call.iter().chain(of_callee).any(|text| text == promise))
    }

    fn bytes_of(&self, ty: &Type) -> i128 {
        Layout::parse(&self.program.layout).store_size(ty).map_or(1 << 20, i128::from)
    }

    /// What is put somewhere, or handed over, whole: a float with its bits.
    fn handed(&self, number: usize, value: &Operand, trails: &Trails) -> Origins {
        let mut handed = trails.of(value);
        if value.value().is_some() && self.functions[number].operand_type(value).holds_float() {
            handed.extend(one(Origin::Bits));
        }
        handed
    }

    /// Into a function that is called, and out of it.
    fn go_into(&self, callee: usize, number: usize, call: (ValueId, &Inst), trails: &mut Trails) -> bool {
        for (at, argument) in call.1.arguments().iter().enumerate() {
            let handed = self.handed(number, argument, trails);
            if at >= self.functions[callee].params.len() {
                trails.let_out(handed);
                continue;
            }
            let param = ValueId(self.starts[callee] + at as u32);
            if trails.pass(param, handed) {
                trails.waiting.extend(self.users.get(&param).into_iter().flatten());
            }
        }
        let returned = trails.returned.get(&callee).cloned().unwrap_or_default();
        trails.pass(call.0, returned)
    }

    fn give_back(&self, number: usize, back: &Inst, trails: &mut Trails) {
        for value in &back.operands {
            let handed = self.handed(number, value, trails);
            if add_all(trails.returned.entry(number).or_default(), &handed) {
                let calls = self.calls.get(self.functions[number].name.as_str());
                trails.waiting.extend(calls.into_iter().flatten());
            }
        }
    }

    /// Follows what comes through an instruction; whether more goes on through its result.
    fn follow_trail(&self, number: usize, id: ValueId, inst: &Inst, trails: &mut Trails) -> bool {
        let (call, function) = (memory_call(inst), self.functions[number]);
        match &inst.op {
            Op::Alloca(_) => return trails.begin(id),
            _ if call == Some(MemoryCall::Allocate) => return trails.begin(id),
            _ if call == Some(MemoryCall::Free) => return false,
            _ if call == Some(MemoryCall::Fill) => {
                trails.leave(&trails.of(&inst.arguments()[1]), &inst.arguments()[0], None);
                return trails.pass(id, trails.of(&inst.arguments()[0]));
            }
            _ if call == Some(MemoryCall::Copy) => {
                trails.bring(&inst.arguments()[1], &inst.arguments()[0], length_of(inst));
                return trails.pass(id, trails.of(&inst.arguments()[0]));
            }
            Op::Load(_) => {
                let float = self.takes_floats_for_floats && inst.ty.scalar().is_float();
                return trails.pass(id, trails.read(&inst.operands[0], self.bytes_of(&inst.ty), float));
            }
            Op::Store(_) => {
                let stored = self.handed(number, &inst.operands[0], trails);
                let bytes = self.bytes_of(&function.operand_type(&inst.operands[0]));
                trails.leave(&stored, &inst.operands[1], Some((Stand::default(), bytes)));
                return false;
            }
            Op::Gep(_) if inst.operands[0].value().is_some() => return trails.step(id, inst),
            Op::Ret => {
                self.give_back(number, inst, trails);
                return false;
            }
            Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => return false,
            Op::Unreachable | Op::Fence { .. } => return false,
            _ => {}
        }
        if inst.op.call().is_some() {
            let callee = inst.callee_name().filter(|name| self.callers.is_gone_into(name));
            if let Some(callee) = callee.and_then(|name| self.functions.iter().position(|x| x.name == name)) {
                return self.go_into(callee, number, (id, inst), trails);
            }
            // The end of a slot, or the size of an allocation, of which the runtime keeps account.
            let word = inst.callee_name().is_some_and(|name| {
                name.contains("lifetime") || name.contains("stackrestore") || name.starts_with("bs_rt_block")
            });
            if word || self.never_goes_on(inst) {
                return false;
            }
            if leaves_memory_alone(inst, self.program, self.rules) {
                let float = inst.ty.scalar().is_float();
                return !float && trails.pass(id, trails.made_of(inst.arguments()));
            }
            trails.let_out(trails.of_all(inst.arguments()));
            return trails.pass(id, one(Origin::Unseen));
        }
        let floats = |operand: &Operand| function.operand_type(operand).holds_float();
        match goes_on_as(inst) {
            GoesOn::Whole(operands) => {
                let mut all = trails.of_all(operands);
                // What was a float may go on as an integer.
                if !inst.ty.scalar().is_float() && operands.iter().any(floats) {
                    all.extend(one(Origin::Bits));
                }
                trails.pass(id, all)
            }
            GoesOn::Bits(_) if trails.is_distance(inst) => false,
            GoesOn::Bits(operands) => trails.pass(id, trails.made_of(operands)),
            GoesOn::Nothing => false,
            GoesOn::Anything => {
                trails.let_out(trails.of_all(&inst.operands));
                trails.pass(id, one(Origin::Unseen))
            }
        }
    }
}

/// What a parameter brings in from who is not gone through.
fn begin_at(function: &Function, param: ValueId, by: Caller, trails: &mut Trails) {
    let (ty, at) = (function.value_type(param), ValueId(trails.base + param.0));
    let promised = function.params[param.0 as usize].attributes.iter().any(|text| text == "noalias");
    if ty.holds_pointer() && promised {
        trails.through.insert(at, one(Origin::Own(at)));
        trails.lying.insert(at, BTreeMap::from([(None, one(Origin::Unseen))]));
    } else if matches!(ty, Type::Int(_)) && by == Caller::User {
        trails.through.insert(at, one(Origin::Handed));
    } else if matches!(ty, Type::Int(bits) if *bits < 64) {
        trails.through.insert(at, one(Origin::Bits));
    } else if !ty.scalar().is_float() {
        trails.through.insert(at, one(Origin::Unseen));
    }
}

/// How many bytes a copy moves, where that is a constant.
fn length_of(copy: &Inst) -> Option<i128> {
    if let Operand::Const(length) = &copy.arguments()[2] { length.as_signed() } else { None }
}

enum GoesOn<'a> {
    /// These operands, or parts of them, as they are.
    Whole(&'a [Operand]),
    /// What is made of their bits.
    Bits(&'a [Operand]),
    Nothing,
    Anything,
}

/// What of an address is in the result of an instruction that neither touches memory nor calls.
fn goes_on_as(inst: &Inst) -> GoesOn<'_> {
    use CastOp::{AddrSpaceCast, BitCast, IntToPtr, PtrToAddr, PtrToInt, SExt, Trunc, ZExt};
    match &inst.op {
        // A step leads to no other memory than the pointer it begins at, unless that is a number.
        Op::Gep(_) | Op::Int(_) => GoesOn::Bits(&inst.operands),
        Op::Cast(Trunc | ZExt | SExt | PtrToInt | PtrToAddr) => GoesOn::Bits(&inst.operands),
        Op::Attach(_) => GoesOn::Whole(&inst.operands[..1]),
        Op::Select | Op::Freeze | Op::Phi { .. } => GoesOn::Whole(&inst.operands),
        Op::Cast(BitCast | AddrSpaceCast) => GoesOn::Whole(&inst.operands),
        Op::Cast(IntToPtr) => GoesOn::Anything,
        Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. } => GoesOn::Whole(&inst.operands),
        Op::FNeg | Op::Float(_) | Op::ICmp(_) | Op::FCmp(_) | Op::Cast(_) => GoesOn::Nothing,
        _ => GoesOn::Anything,
    }
}
