//! What comes where: which addresses, and which bits of floats, each value may carry, and what lies in each memory.
//!
//! Lattice: for each value and for each memory that is made here, the set of the memory whose address it may carry, as a
//! pointer or as a number, by inclusion, and how far from its start; and whether it may be the bits of a float. Transfer: what is
//! made of something carries what that does; a store adds to the bytes that its pointer leads to, a load gives all that is in them, a
//! copy brings along what lies where it reads. Known is what is made by the functions that are looked at, one or all of a program, and what a
//! parameter leads to that is promised to be alone; all else is outside, and so is what some code was given that is not followed.
//! No order of execution is looked at, nor who calls a function; members of a struct, and columns of a small table, are, where they are told
//! apart.
//! Safe error: more is carried.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::carriage::{Carried, Of, Place, a_float, bare, grow, outside};
use super::exceptions::is_marker;
use super::globals::Globals;
use super::later::{ends_slots, is_pure};
use super::memory_calls::{MemoryCall, memory_call};
use super::offsets::{Extent, Offset, steps_of};
use super::scope::{By, Scope};
use crate::model::{
    CastOp, Constant, Flags, Function, Inst, IntOp, Layout, Op, Operand, Program, Type, ValueId,
};
use crate::rules::Rules;

/// What lies in one memory, by the bytes to which it was put; it may be anywhere where these are not known.
pub type Contents = BTreeMap<Option<Extent>, Carried>;

/// An address that may be that of any byte.
const ANYWHERE: Offset = Offset { start: 0, stride: 1 };

/// The bytes of an address.
const ADDRESS: u64 = 8;

/// In memory in which more places are told apart, they are not.
const MOST_PLACES: usize = 256;

/// In larger functions no places are told apart: each access would be held against each.
const LARGEST: usize = 8_000;

#[derive(Default)]
pub struct Origins {
    /// What each value may carry.
    pub carried: BTreeMap<Place, Carried>,
    /// What lies in each memory that is made here.
    pub contents: BTreeMap<Place, Contents>,
    /// Memory of which somebody outside may have the address.
    pub known_outside: BTreeSet<Place>,
    /// Whether places in one memory are told apart.
    pub tells_places: bool,
}

impl Origins {
    pub fn of(scope: &Scope, program: &Program, rules: &Rules) -> Origins {
        let is_large = scope.functions.iter().map(|function| function.insts.len()).sum::<usize>() > LARGEST;
        let returned = vec![Carried::new(); scope.functions.len()];
        let function = scope.functions[0];
        let found = Origins { tells_places: !is_large, ..Origins::default() };
        let mut search = Search {
            scope,
            here: 0,
            function,
            program,
            rules,
            bare: OnceCell::new(),
            found,
            returned,
            changed: true,
        };
        search.read_params();
        while std::mem::take(&mut search.changed) {
            for (here, function) in scope.functions.iter().enumerate() {
                (search.here, search.function) = (here, function);
                for (id, inst) in function.inst_ids().zip(&function.insts) {
                    search.follow(id, inst);
                }
            }
        }
        search.found
    }
}

/// What was found so far.
struct Search<'a> {
    scope: &'a Scope<'a>,
    /// The function that is looked at.
    here: usize,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    /// The constants without floats, as soon as is asked.
    bare: OnceCell<BTreeSet<String>>,
    found: Origins,
    /// What each function returns.
    returned: Vec<Carried>,
    changed: bool,
}

impl Search<'_> {
    fn read_params(&mut self) {
        for (here, function) in self.scope.functions.iter().enumerate() {
            (self.here, self.function) = (here, function);
            if let Some(by) = self.scope.entered(here) {
                function.param_ids().for_each(|id| self.enter(id, by));
            }
        }
    }

    /// What comes in through a parameter from who is not seen.
    fn enter(&mut self, id: ValueId, by: By) {
        let param = &self.function.params[id.0 as usize];
        let alone = param.attributes.iter().any(|text| text == "noalias");
        match &param.ty {
            ty if ty.holds_pointer() && alone => {
                self.found.contents.insert((self.here, id), Contents::from([(None, outside())]));
                self.carry(id, Carried::from([(Of::Own((self.here, id)), Offset::default())]));
            }
            ty if ty.scalar().is_float() => {}
            // The user hands over no bits of a float that has a derivative.
            Type::Int(_) if by == By::TheUser => {
                self.carry(id, Carried::from([(Of::Given, Offset::default())]))
            }
            // No address has room in a shorter one.
            Type::Int(bits) if u64::from(*bits) < 8 * ADDRESS => self.carry(id, a_float()),
            _ => self.carry(id, outside()),
        }
    }

    fn follow(&mut self, id: ValueId, inst: &Inst) {
        match &inst.op {
            Op::Alloca(_) => self.make(id),
            Op::Load(_) => {
                let float = self.scope.takes_floats_for_floats && inst.ty.scalar().is_float();
                let outside = if float { Of::Float } else { Of::Outside };
                let bytes = self.bytes_of(&inst.ty);
                let mut found = self.found_behind(&inst.operands[0], bytes, outside);
                if !inst.ty.scalar().is_float() {
                    found.extend(self.bare_behind(&inst.operands[0]));
                }
                // Less than an address out of a constant is a number.
                if bytes < ADDRESS {
                    found.remove(&Of::Bare);
                }
                self.carry(id, found);
            }
            Op::Store(_) => {
                let ty = self.function.operand_type(&inst.operands[0]);
                let mut stored = self.carried_by(&inst.operands[0]);
                if inst.operands[0].value().is_some() && ty.holds_float() {
                    stored.extend(a_float());
                }
                self.put(stored, &inst.operands[1], Some(self.bytes_of(&ty)));
            }
            // The address of nothing, counted on by an address, is that address.
            Op::Gep(_) if inst.operands[0].value().is_none() => self.carry_bits(id, &inst.operands),
            Op::Gep(_) => self.step(id, inst),
            Op::Cast(CastOp::IntToPtr) => {
                self.give_out(self.carried_by(&inst.operands[0]));
                self.carry(id, outside());
            }
            Op::Cast(CastOp::AddrSpaceCast) => self.carry_all(id, &inst.operands),
            Op::Cast(CastOp::BitCast) => {
                self.carry_all(id, &inst.operands);
                if self.function.operand_type(&inst.operands[0]).holds_float() {
                    self.carry(id, a_float());
                }
            }
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::PtrToAddr) => {
                self.carry_bits(id, &inst.operands);
            }
            Op::Int(IntOp::Sub) if self.is_distance(inst) => {}
            Op::Int(_) => self.carry_bits(id, &inst.operands),
            Op::Attach(_) => self.carry_all(id, &inst.operands[..1]),
            Op::Select | Op::Freeze | Op::Phi { .. } => self.carry_all(id, &inst.operands),
            Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => {
                self.carry_all(id, &inst.operands);
            }
            Op::ExtractValue { .. } => self.carry_all(id, &inst.operands),
            Op::InsertValue { .. } => {
                self.carry_all(id, &inst.operands);
                if self.function.operand_type(&inst.operands[1]).holds_float() {
                    self.carry(id, a_float());
                }
            }
            // What is computed from the bits of an address is none any more.
            Op::FNeg | Op::Float(_) | Op::ICmp(_) | Op::FCmp(_) => {}
            Op::Cast(
                CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp,
            ) => {}
            // Behind the end of a call nothing is read that this tells apart.
            Op::Ret => {
                for value in &inst.operands {
                    let mut given = self.carried_by(value);
                    if value.value().is_some() && self.function.operand_type(value).holds_float() {
                        given.extend(a_float());
                    }
                    self.changed |= grow(&mut self.returned[self.here], given);
                }
            }
            Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } | Op::Unreachable => {}
            Op::Fence { .. } => {}
            Op::Call(_) | Op::Invoke { .. } => self.follow_call(id, inst),
            Op::AtomicRmw { .. }
            | Op::CompareExchange { .. }
            | Op::VaArg
            | Op::LandingPad { .. }
            | Op::IndirectBr { .. }
            | Op::CallBr { .. }
            | Op::Resume
            | Op::Opaque { .. } => self.lose(id, &inst.operands),
        }
    }

    fn follow_call(&mut self, id: ValueId, inst: &Inst) {
        if let Some(callee) = self.scope.callee(inst).filter(|_| memory_call(inst).is_none()) {
            return self.follow_into(callee, id, inst);
        }
        match memory_call(inst) {
            Some(MemoryCall::Allocate { .. }) => self.make(id),
            Some(MemoryCall::Free { .. }) => {}
            Some(MemoryCall::Fill) => {
                self.put(self.carried_by(&inst.arguments()[1]), &inst.arguments()[0], None);
                self.carry_all(id, &inst.arguments()[..1]);
            }
            Some(MemoryCall::Copy) => {
                self.copy(inst);
                self.carry_all(id, &inst.arguments()[..1]);
            }
            None if ends_slots(inst) || keeps_size(inst) || self.ends_program(inst) => {}
            None if inst.callee_name().is_some_and(is_marker) => self.lose(id, &[]),
            None if is_pure(inst, self.program, self.rules) => {
                if !inst.ty.scalar().is_float() {
                    self.carry_bits(id, inst.arguments());
                }
            }
            None => self.lose(id, inst.arguments()),
        }
    }

    /// What is given comes in, and what is returned comes out.
    fn follow_into(&mut self, callee: usize, id: ValueId, call: &Inst) {
        let params = self.scope.functions[callee].params.len();
        for (at, argument) in call.arguments().iter().enumerate() {
            let mut given = self.carried_by(argument);
            if argument.value().is_some() && self.function.operand_type(argument).holds_float() {
                given.extend(a_float());
            }
            match at < params {
                true => self.carry_at((callee, ValueId(at as u32)), given),
                false => self.give_out(given),
            }
        }
        self.carry(id, self.returned[callee].clone());
    }

    /// Whether nothing of the function runs behind a call, so that it does not matter what was done there, or nothing is kept of what
    /// it is given.
    fn ends_program(&self, inst: &Inst) -> bool {
        let ends = |name: &str| !self.program.is_followed(name) && self.rules.ends_with_message(name);
        if inst.callee_name().is_some_and(ends) {
            return true;
        }
        let callee = inst.callee_name().and_then(|name| self.program.function(name));
        let promised = inst
            .op
            .call()
            .map(|call| &call.attributes)
            .into_iter()
            .chain(callee.map(|callee| &callee.attributes));
        let promised: Vec<&str> = promised.flatten().map(String::as_str).collect();
        promised.contains(&"noreturn") && promised.contains(&"nounwind")
    }

    /// What is given to somebody who may do anything with it, and gives anything back.
    fn lose(&mut self, id: ValueId, given: &[Operand]) {
        for operand in given {
            self.give_out(self.carried_by(operand));
        }
        self.carry(id, outside());
    }

    fn make(&mut self, id: ValueId) {
        self.found.contents.entry((self.here, id)).or_default();
        self.carry(id, Carried::from([(Of::Own((self.here, id)), Offset::default())]));
    }

    fn step(&mut self, id: ValueId, inst: &Inst) {
        let steps = steps_of(inst).filter(|_| inst.ty.is_pointer());
        let stays = inst.flags.has(Flags::INBOUNDS);
        let moved = |from: Offset| match steps {
            Some(steps) if stays => from.shifted(steps, 1),
            // A product that has wrapped is still a multiple of the powers of two in it.
            Some(steps) => from.shifted(steps, 1).by_powers_of_two(),
            None => ANYWHERE,
        };
        let from = self.carried_by(&inst.operands[0]);
        self.carry(id, from.into_iter().map(|(of, at)| (of, moved(at))).collect());
    }

    fn carried_by(&self, operand: &Operand) -> Carried {
        match operand {
            Operand::Value(id) => self.found.carried.get(&(self.here, *id)).cloned().unwrap_or_default(),
            Operand::Const(constant) => self.carried_by_constant(constant),
        }
    }

    fn carried_by_constant(&self, constant: &Constant) -> Carried {
        match constant {
            Constant::Int { .. } | Constant::Float { .. } | Constant::Null(_) => Carried::new(),
            Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_) => Carried::new(),
            Constant::Aggregate { parts, .. } => {
                parts.iter().flat_map(|part| self.carried_by_constant(part)).collect()
            }
            constant if constant.is_nowhere() => Carried::new(),
            constant if constant.symbol().is_some_and(|name| self.is_bare(name)) => bare(),
            _ => outside(),
        }
    }

    fn is_bare(&self, name: &str) -> bool {
        let constants = self.bare.get_or_init(|| Globals::of(self.program).without_floats());
        constants.contains(name) || self.program.function(name).is_some()
    }

    /// What is found behind an address of a constant without floats.
    fn bare_behind(&self, pointer: &Operand) -> Carried {
        if self.carried_by(pointer).contains_key(&Of::Bare) { bare() } else { Carried::new() }
    }

    /// The memory that a pointer leads to, and where in it; none for memory outside. A float is no address, and nobody writes to
    /// constants.
    fn leads_to(&self, pointer: &Operand) -> Vec<(Option<Place>, Offset)> {
        let memory = |of: &Of| !matches!(of, Of::Float | Of::Bare);
        let carried = self.carried_by(pointer).into_iter().filter(|(of, _)| memory(of));
        carried.map(|(of, at)| (of.own(), at)).collect()
    }

    fn bytes_of(&self, ty: &Type) -> u64 {
        Layout::parse(&self.program.layout).store_size(ty).unwrap_or(1 << 20)
    }

    /// Where an address leads in some memory, as far as places are told apart.
    fn extent(&self, at: Offset, bytes: u64) -> Option<Extent> {
        (self.found.tells_places && at != ANYWHERE).then_some(Extent { at, bytes })
    }

    fn found_behind(&self, pointer: &Operand, bytes: u64, outside: Of) -> Carried {
        let mut found = Carried::new();
        for (own, at) in self.leads_to(pointer) {
            let Some(id) = own else {
                grow(&mut found, Carried::from([(outside, Offset::default())]));
                continue;
            };
            let read = self.extent(at, bytes);
            let met = |put: &Option<Extent>| put.zip(read).is_none_or(|(put, read)| put.meets(read));
            let lying = self.found.contents.get(&id).into_iter().flatten();
            lying.filter(|(put, _)| met(put)).for_each(|(_, lying)| _ = grow(&mut found, lying.clone()));
        }
        found
    }

    /// Each thing comes to lie as far from where the copy begins as it lay before.
    fn copy(&mut self, inst: &Inst) {
        let [to, from, bytes] = &inst.arguments()[..3] else { return };
        let bytes = if let Operand::Const(bytes) = bytes { bytes.as_signed() } else { None };
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        self.put(self.bare_behind(from), to, bytes);
        for (own, start) in self.leads_to(from) {
            let Some(id) = own else {
                self.put(outside(), to, bytes);
                continue;
            };
            let read = bytes.and_then(|bytes| self.extent(start, bytes));
            let lying = self.found.contents.get(&id).cloned().unwrap_or_default();
            for (put, carried) in lying {
                let Some(put) = put else {
                    self.put(carried, to, bytes);
                    continue;
                };
                if read.is_none_or(|read| read.meets(put)) {
                    let apart = Extent { at: put.at.shifted(start, -1), ..put };
                    self.put_at(&carried, to, bytes.map_or(apart, |bytes| apart.within(bytes)));
                }
            }
        }
    }

    /// Whether two addresses in the same memory are subtracted: only who has the one comes to the other by it.
    fn is_distance(&self, inst: &Inst) -> bool {
        let [from, to] = [0, 1].map(|at| self.carried_by(&inst.operands[at]).into_keys().collect::<Vec<_>>());
        !from.is_empty() && from == to && from.iter().all(|of| of.own().is_some())
    }

    fn carry_all(&mut self, id: ValueId, operands: &[Operand]) {
        operands.iter().for_each(|operand| self.carry(id, self.carried_by(operand)));
    }

    /// The same of what is computed with, so that an address leads anywhere.
    fn carry_bits(&mut self, id: ValueId, operands: &[Operand]) {
        let all = operands.iter().flat_map(|operand| self.carried_by(operand));
        self.carry(id, all.map(|(of, _)| (of, ANYWHERE)).collect());
    }

    fn carry(&mut self, id: ValueId, carried: Carried) {
        self.carry_at((self.here, id), carried);
    }

    fn carry_at(&mut self, place: Place, carried: Carried) {
        if !carried.is_empty() {
            self.changed |= grow(self.found.carried.entry(place).or_default(), carried);
        }
    }

    /// Puts something where a pointer leads, or anywhere in that memory where it is not known how much.
    fn put(&mut self, carried: Carried, pointer: &Operand, bytes: Option<u64>) {
        match bytes {
            Some(bytes) => self.put_at(&carried, pointer, Extent { at: Offset::default(), bytes }),
            None => self.put_at(&carried, pointer, Extent { at: ANYWHERE, bytes: 1 }),
        }
    }

    /// Puts something that far from where a pointer leads.
    fn put_at(&mut self, carried: &Carried, pointer: &Operand, place: Extent) {
        if carried.is_empty() {
            return;
        }
        for (own, at) in self.leads_to(pointer) {
            if let Some(id) = own {
                let written = self.extent(at.shifted(place.at, 1), place.bytes);
                self.lay(id, written, carried.clone());
            }
            if own.is_none_or(|id| self.found.known_outside.contains(&id)) {
                self.give_out(carried.clone());
            }
        }
    }

    fn lay(&mut self, id: Place, written: Option<Extent>, carried: Carried) {
        let contents = self.found.contents.entry(id).or_default();
        let crowded = contents.len() >= MOST_PLACES && !contents.contains_key(&written);
        let written = written.filter(|_| !crowded);
        self.changed |= grow(contents.entry(written).or_default(), carried);
    }

    /// Somebody outside has these addresses, and so all that can be found by them; and may leave there what is outside.
    fn give_out(&mut self, carried: Carried) {
        let mut waiting: Vec<Of> = carried.into_keys().collect();
        while let Some(of) = waiting.pop() {
            let Of::Own(id) = of else { continue };
            if self.found.known_outside.insert(id) {
                self.changed = true;
                let contents = self.found.contents.entry(id).or_default();
                contents.entry(None).or_default().extend(outside());
                waiting.extend(contents.values().flat_map(|carried| carried.keys().copied()));
            }
        }
    }
}

/// Whether the runtime is told of an allocation how large it is, or asked: what it notes of an address is not followed by anybody.
fn keeps_size(call: &Inst) -> bool {
    call.callee_name().is_some_and(|name| name.starts_with("bs_rt_block"))
}
