//! Which addresses are held where: how far one gets that is stored.
//!
//! A pointer found in memory may be a copy of any address that was ever stored, unless one looks where each was put. The rows
//! of a matrix that a function makes lie in the matrix's own list of rows, and whoever follows a pointer from somewhere else
//! does not come to them.
//!
//! Lattice: for each value and for each memory of the function's own, the set of the memory whose address it may carry, as a
//! pointer or as a number, by inclusion. Transfer: what is made of something carries what that does; a store adds to the memory
//! that its pointer leads to, a load gives all that is in it. Own is what the function allocates, and what a parameter leads to
//! that is promised to be alone; all else is outside, and so is what some code was given that is not followed.
//! No order of execution is looked at; members of a struct, and columns of a small table, are, where they are told apart.
//! Safe error: an address is held in more places.

use std::collections::{BTreeMap, BTreeSet};

use super::exceptions::is_marker;
use super::later::{ends_slots, is_pure};
use super::memory_calls::{MemoryCall, memory_call};
use super::offsets::Extent;
use super::pointers::Base;
use super::spots::Spots;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, Type, ValueId};
use crate::rules::Rules;

/// What an address is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Own(ValueId),
    Outside,
}

type Addresses = BTreeSet<Of>;

/// What lies in one memory, by the bytes to which it was put; it may be anywhere where these are not known.
type Contents = BTreeMap<Option<Extent>, Addresses>;

#[derive(Default)]
pub struct Held {
    /// What each value may carry.
    carried: BTreeMap<ValueId, Addresses>,
    /// What lies in each memory of the function's own.
    contents: BTreeMap<ValueId, Contents>,
    /// Memory of which somebody outside may have the address.
    known_outside: BTreeSet<ValueId>,
    /// Memory to which somebody may come when the function has returned.
    left_behind: BTreeSet<ValueId>,
}

impl Held {
    /// Nothing where no pointer is found in memory.
    pub fn of(function: &Function, program: &Program, rules: &Rules, spots: &Spots) -> Option<Held> {
        let finds = |inst: &Inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer();
        if !function.insts.iter().any(finds) {
            return None;
        }
        let mut search = Search { function, program, rules, spots, held: Held::default(), changed: true };
        search.read_params();
        while std::mem::take(&mut search.changed) {
            for (id, inst) in function.inst_ids().zip(&function.insts) {
                search.follow(id, inst);
            }
        }
        search.leave();
        Some(search.held)
    }

    /// Whether two bases never are the same memory, by where their addresses may be found.
    pub fn are_apart(&self, a: &Base, b: &Base) -> bool {
        self.leads(a).is_disjoint(&self.leads(b))
    }

    /// The memory of the function's own that a base may be, where it can be no other.
    pub fn own_memory(&self, base: &Base) -> Option<BTreeSet<ValueId>> {
        let own = |of: Of| if let Of::Own(id) = of { Some(id) } else { None };
        self.leads(base).into_iter().map(own).collect()
    }

    /// The same, where nobody else comes to that memory, then or when the function has returned.
    pub fn own_memory_alone(&self, base: &Base) -> Option<BTreeSet<ValueId>> {
        self.own_memory(base).filter(|own| own.is_disjoint(&self.left_behind))
    }

    /// Whether a value may carry an address.
    pub fn carries_address(&self, value: &Operand) -> bool {
        match value {
            Operand::Value(id) => self.carried.get(id).is_some_and(|found| !found.is_empty()),
            Operand::Const(constant) => constant.symbol().is_some(),
        }
    }

    fn leads(&self, base: &Base) -> Addresses {
        let own = |id: &ValueId| self.contents.contains_key(id).then(|| Addresses::from([Of::Own(*id)]));
        let found = match base {
            Base::Stack(id) | Base::Heap(id) | Base::Param(id) => own(id),
            Base::Loaded(id) => self.carried.get(id).filter(|found| !found.is_empty()).cloned(),
            Base::Global(_) | Base::Returned(_) | Base::Null | Base::Unknown => None,
        };
        let mut found = found.unwrap_or(Addresses::from([Of::Outside]));
        if found.iter().any(|of| matches!(of, Of::Own(id) if self.known_outside.contains(id))) {
            found.insert(Of::Outside);
        }
        found
    }
}

/// What was found so far.
struct Search<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    spots: &'a Spots<'a>,
    held: Held,
    changed: bool,
}

impl Search<'_> {
    fn read_params(&mut self) {
        for (id, param) in self.function.param_ids().zip(&self.function.params) {
            let alone = param.attributes.iter().any(|text| text == "noalias");
            match &param.ty {
                ty if ty.holds_pointer() && alone => {
                    self.held.contents.insert(id, Contents::from([(None, Addresses::from([Of::Outside]))]));
                    self.held.carried.insert(id, Addresses::from([Of::Own(id)]));
                }
                // No address has room in a shorter one.
                Type::Int(bits) if *bits < 64 => {}
                ty if ty.scalar().is_float() => {}
                _ => _ = self.held.carried.insert(id, Addresses::from([Of::Outside])),
            }
        }
    }

    fn follow(&mut self, id: ValueId, inst: &Inst) {
        match &inst.op {
            Op::Alloca(_) => self.make(id),
            Op::Load(_) => {
                let part = self.part(&inst.operands[0], &inst.ty);
                self.carry(id, self.found_behind(&inst.operands[0], part));
            }
            Op::Store(_) => {
                let part = self.part(&inst.operands[1], &self.function.operand_type(&inst.operands[0]));
                self.put(self.addresses_of(&inst.operands[0]), &inst.operands[1], part);
            }
            // The address of nothing, counted on by an address, is that address.
            Op::Gep(_) if inst.operands[0].value().is_none() => self.carry_all(id, &inst.operands),
            Op::Gep(_) => self.carry_all(id, &inst.operands[..1]),
            Op::Cast(CastOp::IntToPtr) => {
                self.give_out(self.addresses_of(&inst.operands[0]));
                self.carry(id, Addresses::from([Of::Outside]));
            }
            Op::Cast(
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::PtrToInt
                | CastOp::PtrToAddr
                | CastOp::BitCast
                | CastOp::AddrSpaceCast,
            ) => self.carry_all(id, &inst.operands),
            Op::Int(_) | Op::Select | Op::Freeze | Op::Attach(_) | Op::Phi { .. } => {
                self.carry_all(id, &inst.operands)
            }
            Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => {
                self.carry_all(id, &inst.operands);
            }
            Op::ExtractValue { .. } | Op::InsertValue { .. } => self.carry_all(id, &inst.operands),
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
            Some(MemoryCall::Fill) => self.carry_all(id, &inst.arguments()[..1]),
            Some(MemoryCall::Copy) => {
                self.put(self.found_behind(&inst.arguments()[1], None), &inst.arguments()[0], None);
                self.carry_all(id, &inst.arguments()[..1]);
            }
            None if ends_slots(inst) || keeps_size(inst) => {}
            None if inst.callee_name().is_some_and(is_marker) => self.lose(id, &[]),
            None if is_pure(inst, self.program, self.rules) => {
                if !inst.ty.scalar().is_float() {
                    self.carry_all(id, inst.arguments());
                }
            }
            None => self.lose(id, inst.arguments()),
        }
    }

    /// What is given to somebody who may do anything with it, and gives anything back.
    fn lose(&mut self, id: ValueId, given: &[Operand]) {
        for operand in given {
            self.give_out(self.addresses_of(operand));
        }
        self.carry(id, Addresses::from([Of::Outside]));
    }

    fn make(&mut self, id: ValueId) {
        self.held.contents.entry(id).or_default();
        self.carry(id, Addresses::from([Of::Own(id)]));
    }

    fn addresses_of(&self, operand: &Operand) -> Addresses {
        match operand {
            Operand::Value(id) => self.held.carried.get(id).cloned().unwrap_or_default(),
            Operand::Const(Constant::Int { .. } | Constant::Float { .. } | Constant::Null(_)) => {
                Addresses::new()
            }
            Operand::Const(Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_)) => Addresses::new(),
            Operand::Const(_) => Addresses::from([Of::Outside]),
        }
    }

    /// What an access touches of the function's own memory.
    fn part(&self, pointer: &Operand, ty: &Type) -> Option<(ValueId, Extent)> {
        match self.spots.of_access(pointer, ty).part()? {
            (Base::Stack(id) | Base::Heap(id) | Base::Param(id), extent) => Some((*id, extent)),
            _ => None,
        }
    }

    fn found_behind(&self, pointer: &Operand, part: Option<(ValueId, Extent)>) -> Addresses {
        let mut found = Addresses::new();
        for of in self.addresses_of(pointer) {
            let Of::Own(id) = of else {
                found.insert(Of::Outside);
                continue;
            };
            let read = part.filter(|(own, _)| *own == id).map(|(_, extent)| extent);
            let met = |put: &Option<Extent>| put.zip(read).is_none_or(|(put, read)| put.meets(read));
            let lying = self.held.contents.get(&id).into_iter().flatten();
            found.extend(lying.filter(|(put, _)| met(put)).flat_map(|(_, addresses)| addresses));
        }
        found
    }

    fn carry_all(&mut self, id: ValueId, operands: &[Operand]) {
        let all = operands.iter().flat_map(|operand| self.addresses_of(operand)).collect();
        self.carry(id, all);
    }

    fn carry(&mut self, id: ValueId, addresses: Addresses) {
        if !addresses.is_empty() {
            self.changed |= grow(self.held.carried.entry(id).or_default(), addresses);
        }
    }

    fn put(&mut self, addresses: Addresses, pointer: &Operand, part: Option<(ValueId, Extent)>) {
        if addresses.is_empty() {
            return;
        }
        for of in self.addresses_of(pointer) {
            match of {
                Of::Own(id) => {
                    let written = part.filter(|(own, _)| *own == id).map(|(_, extent)| extent);
                    let contents = self.held.contents.entry(id).or_default();
                    self.changed |= grow(contents.entry(written).or_default(), addresses.clone());
                    if self.held.known_outside.contains(&id) {
                        self.give_out(addresses.clone());
                    }
                }
                Of::Outside => self.give_out(addresses.clone()),
            }
        }
    }

    /// What the caller gets at: what it is given back, what it gave itself and what others were given; and all that can be found by
    /// these.
    fn leave(&mut self) {
        let returned = self.function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret | Op::Resume));
        let returned = returned.flat_map(|inst| &inst.operands).flat_map(|x| self.addresses_of(x));
        let params = self.function.param_ids().filter(|id| self.held.contents.contains_key(id)).map(Of::Own);
        let outside = self.held.known_outside.iter().copied().map(Of::Own);
        let mut waiting: Vec<Of> = returned.chain(params).chain(outside).collect();
        while let Some(of) = waiting.pop() {
            let Of::Own(id) = of else { continue };
            if self.held.left_behind.insert(id) {
                waiting.extend(
                    self.held.contents.get(&id).into_iter().flat_map(|lying| lying.values().flatten()),
                );
            }
        }
    }

    /// Somebody outside has these addresses, and so all that can be found by them; and may leave there what is outside.
    fn give_out(&mut self, addresses: Addresses) {
        let mut waiting: Vec<Of> = addresses.into_iter().collect();
        while let Some(of) = waiting.pop() {
            let Of::Own(id) = of else { continue };
            if self.held.known_outside.insert(id) {
                self.changed = true;
                let contents = self.held.contents.entry(id).or_default();
                contents.entry(None).or_default().insert(Of::Outside);
                waiting.extend(contents.values().flatten().copied());
            }
        }
    }
}

/// Whether the runtime is told of an allocation how large it is, or asked: what it notes of an address is not followed by anybody.
fn keeps_size(call: &Inst) -> bool {
    call.callee_name().is_some_and(|name| name.starts_with("bs_rt_block"))
}

fn grow(known: &mut Addresses, found: Addresses) -> bool {
    let before = known.len();
    known.extend(found);
    known.len() > before
}
