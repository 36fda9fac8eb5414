//! In which of the memory that a called function is given it only moves and counts integers.
//!
//! All parameters are taken to be *kept* so at first. Whoever puts a float, an address, or an integer of unknown origin behind one, or
//! an integer out of memory that is not kept, is found out, and his parameters are struck off; until nobody is. Integers may be *taken*
//! out of memory that nobody changes: who calls has to know that of it.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::{Reach, follow};
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use super::unfollowed::is_exception;
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Program, Type, ValueId};
use crate::rules::{CalleeRule, Rules, Shape};

type Params = BTreeSet<usize>;

/// Strikes off, of the parameters of each function, what is not kept, and finds those that integers are taken out of.
pub fn find_kept(
    bodies: &[(&Function, &Places)],
    reaches: &mut BTreeMap<String, Reach>,
    from: (&Program, &Rules),
) {
    let (program, rules) = from;
    for (function, _) in bodies {
        let ruled = program.custom_rule(&function.name).is_some();
        if let Some(reach) = reaches.get_mut(&function.name) {
            reach.kept = if ruled { Params::new() } else { (0..function.params.len()).collect() };
        }
    }
    loop {
        let mut struck = false;
        for (function, places) in bodies {
            let slots = slots_of(function);
            let mut body = Body { function, places, program, rules, reaches: &*reaches, slots };
            let (lost, taken) = (body.find_all_lost(), body.find_taken());
            if let Some(reach) = reaches.get_mut(&function.name) {
                let before = reach.kept.len();
                reach.kept.retain(|at| !lost.contains(at));
                struck |= reach.kept.len() < before || !taken.is_subset(&reach.taken);
                reach.taken.extend(taken);
            }
        }
        if !struck {
            return;
        }
    }
}

struct Body<'a> {
    function: &'a Function,
    places: &'a Places,
    program: &'a Program,
    rules: &'a Rules,
    reaches: &'a BTreeMap<String, Reach>,
    /// The slots of its own that are kept, as far as nobody was found out.
    slots: BTreeSet<ValueId>,
}

/// Of what is not kept.
#[derive(Default)]
struct Lost {
    params: Params,
    slots: BTreeSet<ValueId>,
}

fn slots_of(function: &Function) -> BTreeSet<ValueId> {
    let is_slot = |id: &ValueId| function.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Alloca(_)));
    function.inst_ids().filter(is_slot).collect()
}

impl Body<'_> {
    /// What is taken out of a slot that is not kept is no integer for certain, wherever it was put.
    fn find_all_lost(&mut self) -> Params {
        loop {
            let (lost, known) = (self.find_lost(), self.slots.len());
            self.slots.retain(|slot| !lost.slots.contains(slot));
            if self.slots.len() == known {
                return lost.params;
            }
        }
    }

    fn find_lost(&self) -> Lost {
        let (tainted, mut lost) = (self.find_tainted(), Lost::default());
        let unclear = |x: &Operand| !self.is_integer(x) || x.value().is_some_and(|id| tainted.contains(&id));
        for inst in &self.function.insts {
            match (&inst.op, memory_call(inst)) {
                // Nobody takes an exception for what a parameter leads to.
                (Op::Store(_), _) if is_exception(self.function, &inst.operands[1]) => {
                    self.lose(&inst.operands[..1], &mut lost);
                }
                (Op::Store(_), _) if self.is_pointer(&inst.operands[0]) => {
                    self.lose(&inst.operands, &mut lost)
                }
                (Op::Store(_), _) if unclear(&inst.operands[0]) => self.lose(&inst.operands[1..], &mut lost),
                (Op::Store(_), _) | (_, Some(MemoryCall::Allocate | MemoryCall::Free)) => {}
                (_, Some(MemoryCall::Copy)) if self.is_kept(&inst.operands[1]) => {}
                (_, Some(MemoryCall::Fill)) if !unclear(&inst.operands[1]) => {}
                (_, Some(MemoryCall::Copy | MemoryCall::Fill)) => self.lose(&inst.operands[..1], &mut lost),
                (Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. }, _) => {
                    self.lose(&inst.operands, &mut lost);
                }
                (op, None) if op.call().is_some() => self.lose_in_call(inst, &unclear, &mut lost),
                _ => {}
            }
        }
        lost
    }

    fn lose_in_call(&self, inst: &Inst, unclear: &dyn Fn(&Operand) -> bool, lost: &mut Lost) {
        if self.program.is_declared_inactive(inst) {
            return;
        }
        let Some(reach) = inst.callee_name().and_then(|name| self.reaches.get(name)) else {
            let rule = inst.callee_name().map(|name| self.rules.lookup_callee(self.program.known_name(name)));
            return match rule {
                Some(CalleeRule::Inactive(_) | CalleeRule::Reduction(_)) => {}
                Some(CalleeRule::Row(row)) if !matches!(row.shape, Shape::Stored { .. }) => {}
                _ => self.lose(inst.arguments(), lost),
            };
        };
        let numbers = inst.arguments().iter().filter(|x| self.is_integer(x));
        let taken = reach.taken.iter().filter_map(|at| inst.arguments().get(*at));
        let apart = numbers.into_iter().all(|x| !unclear(x)) && taken.into_iter().all(|x| self.is_kept(x));
        let given = reach.params.iter().filter(|at| !apart || !reach.kept.contains(*at));
        for argument in given.filter_map(|at| inst.arguments().get(*at)) {
            self.lose(std::slice::from_ref(argument), lost);
        }
    }

    /// The parameters out of whose memory integers come into other memory.
    fn find_taken(&self) -> Params {
        let mut taken = Params::new();
        let mut take = |pointer: &Operand| {
            taken.extend(self.places.lead(pointer).into_iter().filter_map(|place| match place {
                Place::Param(id) => Some(id.0 as usize),
                _ => None,
            }));
        };
        for inst in self.find_put().into_iter().filter_map(|id| self.function.inst(id)) {
            if matches!(inst.op, Op::Load(_)) {
                take(&inst.operands[0]);
            }
        }
        for inst in &self.function.insts {
            let reach = inst.callee_name().and_then(|name| self.reaches.get(name));
            match (memory_call(inst), reach) {
                (Some(MemoryCall::Copy), _) => take(&inst.operands[1]),
                (None, Some(reach)) => {
                    reach.taken.iter().filter_map(|at| inst.arguments().get(*at)).for_each(&mut take);
                }
                _ => {}
            }
        }
        taken
    }

    /// The integers that are stored or handed to a callee that stores some, and those that they are computed from.
    fn find_put(&self) -> BTreeSet<ValueId> {
        let put = self.function.insts.iter().flat_map(|inst| match &inst.op {
            Op::Store(_) => &inst.operands[..1],
            _ if memory_call(inst) == Some(MemoryCall::Fill) => &inst.operands[1..2],
            op if op.call().is_some() && self.puts_integers(inst) => inst.arguments(),
            _ => &[],
        });
        let (mut found, mut waiting) = (BTreeSet::new(), put.collect::<Vec<_>>());
        while let Some(operand) = waiting.pop() {
            let Some(id) = operand.value().filter(|_| self.is_integer(operand)) else { continue };
            let Some(inst) = self.function.inst(id).filter(|_| found.insert(id)) else { continue };
            let computes = matches!(
                inst.op,
                Op::Int(_)
                    | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
                    | Op::Phi { .. }
                    | Op::Freeze
                    | Op::Select
            );
            if computes {
                waiting.extend(&inst.operands);
            }
        }
        found
    }

    fn puts_integers(&self, call: &Inst) -> bool {
        let reach = call.callee_name().and_then(|name| self.reaches.get(name));
        reach.is_some_and(|reach| !reach.params.is_disjoint(&reach.kept))
    }

    /// The integers that may be something else: forward from where they come from.
    fn find_tainted(&self) -> BTreeSet<ValueId> {
        let (mut tainted, addresses) = (BTreeSet::new(), self.find_addresses());
        loop {
            let before = tainted.len();
            for id in self.function.inst_ids() {
                let Some(inst) = self.function.inst(id) else { continue };
                if matches!(inst.ty.scalar(), Type::Int(_)) && self.taints(inst, &tainted, &addresses) {
                    tainted.insert(id);
                }
            }
            if tainted.len() == before {
                return tainted;
            }
        }
    }

    fn taints(&self, inst: &Inst, tainted: &BTreeSet<ValueId>, addresses: &BTreeSet<ValueId>) -> bool {
        let measured = |x: &Operand| x.value().is_some_and(|id| addresses.contains(&id));
        let holds = |x: &Operand| x.value().is_some_and(|id| tainted.contains(&id));
        match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => false,
            Op::Int(IntOp::Sub) if inst.operands.iter().all(measured) => false,
            Op::Int(_)
            | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
            | Op::Phi { .. }
            | Op::Freeze
            | Op::Select => inst.operands.iter().any(holds),
            Op::Load(_) => !self.is_kept(&inst.operands[0]),
            _ => true,
        }
    }

    /// Whether a pointer leads to nothing but memory that is kept.
    fn is_kept(&self, pointer: &Operand) -> bool {
        let Some(own) = self.reaches.get(&self.function.name) else { return false };
        let kept = |place: Place| match place {
            Place::Param(id) => own.kept.contains(&(id.0 as usize)),
            Place::Slot(id) => self.slots.contains(&id),
            _ => false,
        };
        self.is_pointer(pointer) && self.places.lead(pointer).into_iter().all(kept)
    }

    fn lose(&self, operands: &[Operand], lost: &mut Lost) {
        let mut waiting: Vec<&Operand> = operands.iter().filter(|x| self.is_pointer(x)).collect();
        let mut met = BTreeSet::new();
        while let Some(pointer) = waiting.pop() {
            follow(self.function, self.places, pointer, &mut BTreeSet::new(), &mut lost.params);
            for place in self.places.lead(pointer) {
                match place {
                    Place::Slot(id) => drop(lost.slots.insert(id)),
                    Place::Outside => lost.slots.extend(&self.slots),
                    Place::Found(id) | Place::Returned(id) if met.insert(id) => {
                        waiting.extend(self.function.inst(id).into_iter().flat_map(|inst| &inst.operands));
                    }
                    _ => {}
                }
            }
        }
    }

    fn is_pointer(&self, operand: &Operand) -> bool {
        self.function.operand_type(operand).holds_pointer()
    }

    fn is_integer(&self, operand: &Operand) -> bool {
        matches!(self.function.operand_type(operand).scalar(), Type::Int(_))
    }

    /// Addresses as numbers: forward from where they are made numbers.
    fn find_addresses(&self) -> BTreeSet<ValueId> {
        let mut addresses = BTreeSet::new();
        loop {
            let before = addresses.len();
            for id in self.function.inst_ids() {
                let Some(inst) = self.function.inst(id) else { continue };
                let known = |x: &Operand| x.value().is_some_and(|of| of == id || addresses.contains(&of));
                let is = match inst.op {
                    Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) => true,
                    Op::Phi { .. } | Op::Freeze => inst.operands.iter().all(known),
                    _ => false,
                };
                if is {
                    addresses.insert(id);
                }
            }
            if addresses.len() == before {
                return addresses;
            }
        }
    }
}
