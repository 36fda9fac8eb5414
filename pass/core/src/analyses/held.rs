//! Which addresses are held where: how far one gets that is stored.
//!
//! A pointer found in memory may be a copy of any address that was ever stored, unless one looks where each was put. The rows
//! of a matrix that a function makes lie in the matrix's own list of rows, and whoever follows a pointer from somewhere else
//! does not come to them.
//!
//! Lattice: for each value and for each memory of the function's own, the set of the memory whose address it may carry, as a
//! pointer or as a number, by inclusion, and how far from its start; and whether it may be the bits of a float. Transfer: what is
//! made of something carries what that does; a store adds to the bytes that its pointer leads to, a load gives all that is in them, a
//! copy brings along what lies where it reads. Own is what the function allocates, and what a parameter leads to
//! that is promised to be alone; all else is outside, and so is what some code was given that is not followed.
//! No order of execution is looked at; members of a struct, and columns of a small table, are, where they are told apart.
//! Safe error: an address is held in more places.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::exceptions::is_marker;
use super::handed_numbers::HandedNumbers;
use super::later::{ends_slots, is_pure};
use super::memory_calls::{MemoryCall, memory_call};
use super::offsets::{Extent, Offset, steps_of};
use super::pointers::Base;
use crate::model::{
    CastOp, Constant, Flags, Function, Inst, IntOp, Layout, Op, Operand, Program, Type, ValueId,
};
use crate::rules::Rules;

/// What is carried: an address of some memory, the bits of a float, or a number that is handed over, which may be an address. What comes
/// from outside may be any of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Own(ValueId),
    Float,
    Given,
    Outside,
}

impl Of {
    fn own(self) -> Option<ValueId> {
        if let Of::Own(id) = self { Some(id) } else { None }
    }
}

/// How far from the start of its memory an address is; of what is no address that says nothing.
type Carried = BTreeMap<Of, Offset>;

/// What lies in one memory, by the bytes to which it was put; it may be anywhere where these are not known.
type Contents = BTreeMap<Option<Extent>, Carried>;

/// An address that may be that of any byte.
const ANYWHERE: Offset = Offset { start: 0, stride: 1 };

/// In memory in which more places are told apart, they are not.
const MOST_PLACES: usize = 256;

/// In larger functions no places are told apart: each access would be held against each.
const LARGEST: usize = 8_000;

#[derive(Default)]
pub struct Held {
    /// What each value may carry.
    carried: BTreeMap<ValueId, Carried>,
    /// What lies in each memory of the function's own.
    contents: BTreeMap<ValueId, Contents>,
    /// Memory of which somebody outside may have the address.
    known_outside: BTreeSet<ValueId>,
    /// Memory to which somebody may come when the function has returned.
    left_behind: BTreeSet<ValueId>,
}

impl Held {
    /// Nothing where no pointer is found in memory.
    pub fn of(function: &Function, program: &Program, rules: &Rules) -> Option<Held> {
        let finds = |inst: &Inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer();
        function.insts.iter().any(finds).then(|| Held::search(function, program, rules))
    }

    fn search(function: &Function, program: &Program, rules: &Rules) -> Held {
        let mut search = Search { function, program, rules, held: Held::default(), changed: true };
        search.read_params();
        while std::mem::take(&mut search.changed) {
            for (id, inst) in function.inst_ids().zip(&function.insts) {
                search.follow(id, inst);
            }
        }
        search.leave();
        search.held
    }

    /// The integers that are no float's bits, nor an address, by where they come from. Several ask.
    pub fn numbers_of(function: &Function, program: &Program) -> Arc<Numbers> {
        program.once_of(function, || Numbers(Held::find_numbers(function, program)))
    }

    fn find_numbers(function: &Function, program: &Program) -> BTreeSet<ValueId> {
        let held = Held::search(function, program, Rules::shared());
        let is_integer = |id: &ValueId| matches!(function.value_type(*id).scalar(), Type::Int(_));
        let integers = function.inst_ids().filter(is_integer);
        let is_number = |carried: &Carried| carried.keys().all(|of| *of == Of::Given);
        integers.filter(|id| held.carried.get(id).is_none_or(is_number)).collect()
    }

    /// Whether two bases never are the same memory, by where their addresses may be found.
    pub fn are_apart(&self, a: &Base, b: &Base) -> bool {
        self.leads(a).is_disjoint(&self.leads(b))
    }

    /// The memory of the function's own that a base may be, where it can be no other.
    pub fn own_memory(&self, base: &Base) -> Option<BTreeSet<ValueId>> {
        self.leads(base).into_iter().map(Of::own).collect()
    }

    /// The same, where nobody else comes to that memory, then or when the function has returned.
    pub fn own_memory_alone(&self, base: &Base) -> Option<BTreeSet<ValueId>> {
        self.own_memory(base).filter(|own| own.is_disjoint(&self.left_behind))
    }

    /// Whether a value may carry an address.
    pub fn carries_address(&self, value: &Operand) -> bool {
        match value {
            Operand::Value(id) => {
                self.carried.get(id).is_some_and(|found| found.keys().any(|of| *of != Of::Float))
            }
            Operand::Const(constant) => constant.symbol().is_some(),
        }
    }

    fn leads(&self, base: &Base) -> BTreeSet<Of> {
        let own = |id: &ValueId| self.contents.contains_key(id).then(|| BTreeSet::from([Of::Own(*id)]));
        let address = |of: &Of| match of {
            Of::Float => None,
            Of::Given => Some(Of::Outside),
            Of::Own(_) | Of::Outside => Some(*of),
        };
        let addresses = |found: &Carried| found.keys().filter_map(address).collect();
        let found: Option<BTreeSet<Of>> = match base {
            Base::Stack(id) | Base::Heap(id) | Base::Param(id) => own(id),
            Base::Loaded(id) => {
                self.carried.get(id).map(addresses).filter(|found: &BTreeSet<Of>| !found.is_empty())
            }
            Base::Global(_) | Base::Returned(_) | Base::Null | Base::Unknown => None,
        };
        let mut found = found.unwrap_or(BTreeSet::from([Of::Outside]));
        if found.iter().any(|of| of.own().is_some_and(|id| self.known_outside.contains(&id))) {
            found.insert(Of::Outside);
        }
        found
    }
}

pub struct Numbers(pub BTreeSet<ValueId>);

/// What was found so far.
struct Search<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    held: Held,
    changed: bool,
}

impl Search<'_> {
    fn read_params(&mut self) {
        let handed = HandedNumbers::of(self.program);
        for (id, param) in self.function.param_ids().zip(&self.function.params) {
            let alone = param.attributes.iter().any(|text| text == "noalias");
            match &param.ty {
                ty if ty.holds_pointer() && alone => {
                    self.held.contents.insert(id, Contents::from([(None, outside())]));
                    self.carry(id, Carried::from([(Of::Own(id), Offset::default())]));
                }
                ty if ty.scalar().is_float() => {}
                Type::Int(_) if handed.contains(self.function, id) => {
                    self.carry(id, Carried::from([(Of::Given, Offset::default())]))
                }
                // No address has room in a shorter one.
                Type::Int(bits) if *bits < 64 => self.carry(id, a_float()),
                _ => self.carry(id, outside()),
            }
        }
    }

    fn follow(&mut self, id: ValueId, inst: &Inst) {
        match &inst.op {
            Op::Alloca(_) => self.make(id),
            Op::Load(_) => {
                let found = self.found_behind(&inst.operands[0], self.bytes_of(&inst.ty));
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
            Op::Select | Op::Freeze | Op::Attach(_) | Op::Phi { .. } => self.carry_all(id, &inst.operands),
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
            Op::Ret | Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } | Op::Unreachable => {}
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

    /// Whether nothing of the function runs behind a call, so that it does not matter what was done there.
    fn ends_program(&self, inst: &Inst) -> bool {
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
        self.held.contents.entry(id).or_default();
        self.carry(id, Carried::from([(Of::Own(id), Offset::default())]));
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
            Operand::Value(id) => self.held.carried.get(id).cloned().unwrap_or_default(),
            Operand::Const(Constant::Int { .. } | Constant::Float { .. } | Constant::Null(_)) => {
                Carried::new()
            }
            Operand::Const(Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_)) => Carried::new(),
            Operand::Const(constant) if constant.is_nowhere() => Carried::new(),
            Operand::Const(_) => outside(),
        }
    }

    /// The memory that a pointer leads to, and where in it; none for memory outside. A float is no address.
    fn leads_to(&self, pointer: &Operand) -> Vec<(Option<ValueId>, Offset)> {
        let carried = self.carried_by(pointer).into_iter().filter(|(of, _)| *of != Of::Float);
        carried.map(|(of, at)| (of.own(), at)).collect()
    }

    fn bytes_of(&self, ty: &Type) -> u64 {
        Layout::parse(&self.program.layout).store_size(ty).unwrap_or(1 << 20)
    }

    /// Where an address leads in some memory, as far as places are told apart.
    fn extent(&self, at: Offset, bytes: u64) -> Option<Extent> {
        (self.function.insts.len() <= LARGEST && at != ANYWHERE).then_some(Extent { at, bytes })
    }

    fn found_behind(&self, pointer: &Operand, bytes: u64) -> Carried {
        let mut found = Carried::new();
        for (own, at) in self.leads_to(pointer) {
            let Some(id) = own else {
                grow(&mut found, outside());
                continue;
            };
            let read = self.extent(at, bytes);
            let met = |put: &Option<Extent>| put.zip(read).is_none_or(|(put, read)| put.meets(read));
            let lying = self.held.contents.get(&id).into_iter().flatten();
            lying.filter(|(put, _)| met(put)).for_each(|(_, lying)| _ = grow(&mut found, lying.clone()));
        }
        found
    }

    /// Each thing comes to lie as far from where the copy begins as it lay before.
    fn copy(&mut self, inst: &Inst) {
        let [to, from, bytes] = &inst.arguments()[..3] else { return };
        let bytes = if let Operand::Const(bytes) = bytes { bytes.as_signed() } else { None };
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        for (own, start) in self.leads_to(from) {
            let Some(id) = own else {
                self.put(outside(), to, bytes);
                continue;
            };
            let read = bytes.and_then(|bytes| self.extent(start, bytes));
            let lying = self.held.contents.get(&id).cloned().unwrap_or_default();
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
        if !carried.is_empty() {
            self.changed |= grow(self.held.carried.entry(id).or_default(), carried);
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
            if own.is_none_or(|id| self.held.known_outside.contains(&id)) {
                self.give_out(carried.clone());
            }
        }
    }

    fn lay(&mut self, id: ValueId, written: Option<Extent>, carried: Carried) {
        let contents = self.held.contents.entry(id).or_default();
        let crowded = contents.len() >= MOST_PLACES && !contents.contains_key(&written);
        let written = written.filter(|_| !crowded);
        self.changed |= grow(contents.entry(written).or_default(), carried);
    }

    /// What the caller gets at: what it is given back, what it gave itself and what others were given; and all that can be found by
    /// these.
    fn leave(&mut self) {
        let returned = self.function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret | Op::Resume));
        let returned = returned.flat_map(|inst| &inst.operands).flat_map(|x| self.carried_by(x).into_keys());
        let params = self.function.param_ids().filter(|id| self.held.contents.contains_key(id)).map(Of::Own);
        let outside = self.held.known_outside.iter().copied().map(Of::Own);
        let mut waiting: Vec<Of> = returned.chain(params).chain(outside).collect();
        while let Some(of) = waiting.pop() {
            let Of::Own(id) = of else { continue };
            if self.held.left_behind.insert(id) {
                let lying = self.held.contents.get(&id).into_iter().flat_map(BTreeMap::values);
                waiting.extend(lying.flat_map(|carried| carried.keys().copied()));
            }
        }
    }

    /// Somebody outside has these addresses, and so all that can be found by them; and may leave there what is outside.
    fn give_out(&mut self, carried: Carried) {
        let mut waiting: Vec<Of> = carried.into_keys().collect();
        while let Some(of) = waiting.pop() {
            let Of::Own(id) = of else { continue };
            if self.held.known_outside.insert(id) {
                self.changed = true;
                let contents = self.held.contents.entry(id).or_default();
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

fn outside() -> Carried {
    Carried::from([(Of::Outside, Offset::default())])
}

fn a_float() -> Carried {
    Carried::from([(Of::Float, Offset::default())])
}

fn grow(known: &mut Carried, found: Carried) -> bool {
    let mut grew = false;
    for (of, at) in found {
        // How far what is no address is from a start is one number for all.
        let at = if of.own().is_some() { at } else { Offset::default() };
        let joined = known.get(&of).map_or(at, |before| before.join(at));
        grew |= known.insert(of, joined) != Some(joined);
    }
    grew
}
