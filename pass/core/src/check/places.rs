//! Where a pointer may lead: the checker's own walk over the values that pointers are made of.
//!
//! Safe error: too many places. What is not understood leads [`Place::Outside`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::elements::leads_to_elements;
use super::globals::{fixed_contents, initial_targets, target_of};
use super::left_outside::find_left_outside;
use super::memory_calls::{MemoryCall, memory_call};
use super::out_of_slots::OutOfSlots;
use super::taped::{is_record, is_tape_given, laid_by};
use crate::analyses::pointers::Base;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, ValueId};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// What a parameter points to.
    Param(ValueId),
    /// A stack slot.
    Slot(ValueId),
    /// What an allocating call returned.
    Made(ValueId),
    /// What a pointer that was loaded points to.
    Found(ValueId),
    /// What a pointer points to that a function returned whose derivative is called, or a record between two functions.
    Returned(ValueId),
    Global(String),
    Outside,
}

#[derive(Default)]
pub struct Places {
    of_values: BTreeMap<ValueId, BTreeSet<Place>>,
    /// What each constant address leads to.
    of_constants: HashMap<Constant, BTreeSet<Place>>,
    /// For each pointer that is found, the globals that it leads to as long as nothing was stored where it was found.
    at_start: BTreeMap<ValueId, BTreeSet<String>>,
    /// What the pointers in globals of fixed contents lead to.
    fixed: BTreeMap<String, BTreeSet<Place>>,
    /// The memory made here in which pointers may be left by code that nobody sees.
    left_outside: BTreeSet<ValueId>,
    /// The addresses that lie in no slot that they were made from.
    out_of_slots: OutOfSlots,
}

impl Places {
    /// Of a callee many plans ask.
    pub fn of(function: &Function, program: &Program) -> Arc<Places> {
        program.once_of(function, || Places::find(function, program))
    }

    fn find(function: &Function, program: &Program) -> Places {
        let holds_pointer = |id: &ValueId| function.value_type(*id).holds_pointer();
        let params = function.param_ids().filter(holds_pointer);
        let of_values = params
            .filter(|id| !is_tape_given(function, *id))
            .map(|id| (id, BTreeSet::from([Place::Param(id)])))
            .collect();
        let mut places = Places { of_values, ..Places::default() };
        places.read_constants(function, program);
        places.out_of_slots = OutOfSlots::of(function);
        places.left_outside = find_left_outside(function, program);
        let pointers: Vec<(ValueId, &Inst)> = function
            .inst_ids()
            .filter(holds_pointer)
            .filter_map(|id| Some((id, function.inst(id)?)))
            .collect();
        loop {
            let mut grew = false;
            for (id, inst) in &pointers {
                let found = places.made_by(*id, inst, function, program);
                let known = places.of_values.entry(*id).or_default();
                grew |= !found.is_subset(known);
                known.extend(found);
            }
            if !grew {
                break;
            }
        }
        let loads: Vec<(ValueId, &Inst)> =
            pointers.into_iter().filter(|(_, inst)| matches!(inst.op, Op::Load(_))).collect();
        while loads.iter().fold(false, |grew, (id, inst)| places.start(*id, inst, program) || grew) {}
        places
    }

    /// Adds what a pointer leads to that is found where another global, or something found before, was initialised.
    fn start(&mut self, id: ValueId, load: &Inst, program: &Program) -> bool {
        let mut leads = BTreeSet::new();
        if leads_to_elements(program, &load.operands[0]) {
            return false;
        }
        for place in self.lead(&load.operands[0]) {
            let holders = match place {
                Place::Global(name) => BTreeSet::from([name]),
                Place::Found(before) => self.found_at_start(before),
                _ => BTreeSet::new(),
            };
            leads.extend(holders.iter().flat_map(|name| initial_targets(program, name)));
        }
        let known = self.at_start.entry(id).or_default();
        let count = known.len();
        known.extend(leads);
        known.len() > count
    }

    pub fn found_at_start(&self, load: ValueId) -> BTreeSet<String> {
        self.at_start.get(&load).cloned().unwrap_or_default()
    }

    fn read_constants(&mut self, function: &Function, program: &Program) {
        let mut globals = Vec::new();
        for operand in function.insts.iter().flat_map(|inst| &inst.operands) {
            if let Operand::Const(constant) = operand
                && let Some((name, _)) = target_of(program, constant)
            {
                // Behind the address of a function there is nothing.
                if program.function(&name).is_some() {
                    self.of_constants.insert(constant.clone(), BTreeSet::new());
                    continue;
                }
                self.of_constants.insert(constant.clone(), BTreeSet::from([Place::Global(name.clone())]));
                globals.push(name);
            }
        }
        while let Some(name) = globals.pop() {
            let held = program.global(&name).and_then(|global| fixed_contents(program, global));
            if let Some(held) = held.filter(|_| !self.fixed.contains_key(&name)) {
                globals.extend(held.iter().cloned());
                self.fixed.insert(name, held.into_iter().map(Place::Global).collect());
            }
        }
    }

    /// Where a pointer that a load found in a place leads.
    fn held(&self, place: &Place, load: ValueId) -> BTreeSet<Place> {
        let fixed = match place {
            Place::Global(name) => self.fixed.get(name).cloned(),
            Place::Slot(id) | Place::Made(id) if self.left_outside.contains(id) => {
                Some(BTreeSet::from([Place::Outside]))
            }
            _ => None,
        };
        fixed.unwrap_or(BTreeSet::from([Place::Found(load)]))
    }

    fn made_by(&self, id: ValueId, inst: &Inst, function: &Function, program: &Program) -> BTreeSet<Place> {
        let through = |operands: &[Operand]| operands.iter().flat_map(|x| self.lead(x)).collect();
        match &inst.op {
            Op::Alloca(_) => BTreeSet::from([Place::Slot(id)]),
            Op::Load(_) => {
                self.lead(&inst.operands[0]).iter().flat_map(|place| self.held(place, id)).collect()
            }
            Op::Gep(_) if starts_at_number(inst) => BTreeSet::from([Place::Outside]),
            Op::Gep(_) => {
                let mut places: BTreeSet<Place> = through(&inst.operands[..1]);
                if places.len() > 1 {
                    places.retain(
                        |place| !matches!(place, Place::Slot(slot) if self.out_of_slots.contains(*slot, id)),
                    );
                }
                places
            }
            Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => through(&inst.operands),
            Op::ExtractValue { path } if path == &[1] && takes_panic(function, &inst.operands[0]) => {
                BTreeSet::new()
            }
            Op::Phi { .. } | Op::ExtractElement | Op::ExtractValue { .. } => through(&inst.operands),
            Op::InsertElement | Op::InsertValue { .. } | Op::ShuffleVector { .. } => through(&inst.operands),
            Op::Select => through(&inst.operands[1..]),
            _ if is_own_copy(inst) => through(&inst.operands[..1]),
            _ if matches!(memory_call(inst), Some(MemoryCall::Allocate)) => BTreeSet::from([Place::Made(id)]),
            // Nobody looks into the tape but through its records.
            _ if inst.callee_name() == Some("bs_tape_of_thread") => BTreeSet::new(),
            _ if is_record(inst) => laid_by(function, id, inst),
            _ if program.is_declared_inactive(inst) => BTreeSet::from([Place::Outside]),
            _ if finds_letters(inst) => BTreeSet::new(),
            _ if inst.callee_name().is_some_and(|name| program.is_followed(name)) => {
                BTreeSet::from([Place::Returned(id)])
            }
            _ => BTreeSet::from([Place::Outside]),
        }
    }

    /// Null, what stands in for it, and what is undefined lead nowhere.
    pub fn lead(&self, pointer: &Operand) -> BTreeSet<Place> {
        let constant = match pointer {
            Operand::Value(value) => return self.of_values.get(value).cloned().unwrap_or_default(),
            Operand::Const(constant) => constant,
        };
        match constant {
            _ if constant.is_nowhere() => BTreeSet::new(),
            Constant::Undef(_) | Constant::Poison(_) => BTreeSet::new(),
            Constant::Int { .. } | Constant::Float { .. } => BTreeSet::new(),
            Constant::Zero(_) => BTreeSet::new(),
            Constant::Aggregate { parts, .. } => {
                parts.iter().flat_map(|part| self.lead(&Operand::Const(part.clone()))).collect()
            }
            _ => self.of_constants.get(constant).cloned().unwrap_or(BTreeSet::from([Place::Outside])),
        }
    }

    /// Whether a pointer may lead to one of these places.
    pub fn leads_to(&self, pointer: &Operand, places: &BTreeSet<Place>) -> bool {
        match pointer {
            Operand::Value(value) => {
                self.of_values.get(value).is_some_and(|behind| !behind.is_disjoint(places))
            }
            Operand::Const(_) => !self.lead(pointer).is_disjoint(places),
        }
    }
}

/// Whether an address is counted from a number that is not null, by what is known only when the program runs.
fn starts_at_number(inst: &Inst) -> bool {
    let number = |constant: &Constant| !matches!(constant, Constant::Null(_)) && constant.is_nowhere();
    let starts = matches!(&inst.operands[0], Operand::Const(constant) if number(constant));
    starts && inst.operands[1..].iter().any(|x| x.value().is_some())
}

/// The calling thread's copy of a global.
pub fn is_own_copy(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.split('.').take(3).eq(["llvm", "threadlocal", "address"]))
}

/// Whether a call yields the C library's table of what kinds of letters there are: it holds constants.
fn finds_letters(inst: &Inst) -> bool {
    let kind = inst.callee_name().and_then(|name| name.strip_prefix("__ctype_")?.strip_suffix("_loc"));
    kind.is_some_and(|kind| ["b", "tolower", "toupper"].contains(&kind))
}

/// Whether a value is what Rust's library makes of a panic that is caught: a box, and behind it the constant table of what is in there.
fn takes_panic(function: &Function, pair: &Operand) -> bool {
    let name = pair.value().and_then(|id| function.inst(id)).and_then(Inst::callee_name).unwrap_or_default();
    let own = "std9panicking12catch_unwind7cleanup";
    let mangled = name.starts_with("_RNvNvNtC") && name.ends_with(&format!("_3{own}"));
    mangled || name.starts_with(&format!("_ZN3{own}17h"))
}

impl Place {
    /// The plan's name for the place.
    pub fn base(&self) -> Base {
        match self {
            Place::Param(id) => Base::Param(*id),
            Place::Slot(id) => Base::Stack(*id),
            Place::Made(id) => Base::Heap(*id),
            Place::Found(id) => Base::Loaded(*id),
            Place::Returned(id) => Base::Returned(*id),
            Place::Global(name) => Base::Global(name.clone()),
            Place::Outside => Base::Unknown,
        }
    }
}
