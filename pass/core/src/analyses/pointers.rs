//! Where pointers lead: for each pointer, the allocations it can point into.
//!
//! Function + globals → [`Pointers`]. Lattice: sets of bases, by inclusion. Bottom: the empty set. Direction: with the
//! flow of values; no order of execution is looked at. Of what is found in memory only the contents of constant globals
//! are known.
//! Safe error: too many bases. What cannot be followed is `Unknown`, which is never taken for "not active".

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::caught_panics::is_table_of_panic;
use super::filled_outside::find_filled_outside;
use super::globals::{Globals, is_thread_address};
use super::memory_calls::{MemoryCall, memory_call};
use super::slot_bounds::SlotBounds;
use super::tape_records::{Pushes, is_made_tape, is_of_half, is_tape, record_call};
use crate::model::{CastOp, Constant, Function, Global, Inst, Op, Operand, Program, ValueId};

/// What `isspace` and the like become: each yields the address of a pointer into a constant table of integers, to which nobody writes.
const CLASSES_OF_LETTERS: [&str; 3] = ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"];

/// An allocation, or the place where a pointer to one comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// What a pointer parameter points to.
    Param(ValueId),
    /// A stack slot of this function.
    Stack(ValueId),
    /// What an allocating call returned.
    Heap(ValueId),
    Global(String),
    /// What a pointer found in memory points to.
    Loaded(ValueId),
    /// What a pointer points to that a function returned whose derivative is called, and a record that one half of a
    /// derivative lays for the other.
    Returned(ValueId),
    /// No memory: null, what stands in for it, and the addresses of functions and of the tape of a derivative, behind which there is
    /// nothing for us to read or write; and the C library's tables of letters and those of caught panics, in which there is nothing to
    /// differentiate.
    Null,
    Unknown,
}

#[derive(Default)]
pub struct Pointers {
    bases: BTreeMap<ValueId, BTreeSet<Base>>,
    /// The global that each symbol in the function leads to, through aliases.
    symbols: BTreeMap<String, String>,
    /// The functions among the symbols.
    functions: BTreeSet<String>,
    /// The globals whose addresses a constant global holds.
    tables: BTreeMap<String, BTreeSet<String>>,
    /// The memory made here in which code out of sight leaves pointers.
    filled_outside: BTreeSet<ValueId>,
}

impl Pointers {
    /// The same of a function that many ask about, as a callee.
    pub fn shared(function: &Function, program: &Program) -> Arc<Pointers> {
        program.once_of(function, || Pointers::of(function, program))
    }

    pub fn of(function: &Function, program: &Program) -> Pointers {
        let mut pointers = Pointers::default();
        pointers.read_symbols(function, program);
        pointers.filled_outside = find_filled_outside(function, program);
        for id in function.param_ids().filter(|id| function.value_type(*id).holds_pointer()) {
            let base = if is_tape(function, id) { Base::Null } else { Base::Param(id) };
            pointers.bases.insert(id, BTreeSet::from([base]));
        }
        let pushes = Pushes::of(function);
        let holders = function.inst_ids().filter(|id| function.value_type(*id).holds_pointer());
        let mut waiting: BTreeSet<ValueId> = holders.collect();
        let readers = readers_of(function, &waiting);
        let mut bounds = SlotBounds::of(function, &readers);
        // Phis make circles, so sets grow until none does; who reads none that grew finds what he has found.
        while let Some(id) = waiting.pop_first() {
            let found = pointers.find(function, program, (&pushes, &mut bounds), id);
            if pointers.bases.get(&id) != Some(&found) {
                pointers.bases.insert(id, found);
                waiting.extend(readers.get(&id).into_iter().flatten());
            }
        }
        pointers
    }

    fn read_symbols(&mut self, function: &Function, program: &Program) {
        let globals = Globals::of(program);
        let mut met = Vec::new();
        for operand in function.insts.iter().flat_map(|inst| &inst.operands) {
            let Operand::Const(constant) = operand else { continue };
            if let (Some(symbol), Some((name, _))) = (constant.symbol(), globals.resolve(constant)) {
                if program.function(&name).is_some() {
                    self.functions.insert(symbol.into());
                    continue;
                }
                self.symbols.insert(symbol.into(), name.clone());
                met.push(name);
            }
        }
        while let Some(name) = met.pop() {
            let is_table = |global: &&Global| {
                global.constant && !globals.holds_unknown(global) && globals.pointer_cells(global).is_some()
            };
            let known = globals.get(&name).filter(is_table);
            if let Some(global) = known.filter(|_| !self.tables.contains_key(&name)) {
                let contents = globals.contents(global);
                met.extend(contents.iter().cloned());
                self.tables.insert(name, contents);
            }
        }
    }

    fn find(
        &self,
        function: &Function,
        program: &Program,
        (pushes, bounds): (&Pushes, &mut SlotBounds),
        id: ValueId,
    ) -> BTreeSet<Base> {
        let Some(inst) = function.inst(id) else { return BTreeSet::from([Base::Unknown]) };
        let one = |base| BTreeSet::from([base]);
        match &inst.op {
            Op::Alloca(_) => one(Base::Stack(id)),
            Op::Load(_) => {
                self.of_operand(&inst.operands[0]).iter().flat_map(|base| self.held_by(base, id)).collect()
            }
            // So addresses are made of numbers.
            Op::Gep(_)
                if is_number(&inst.operands[0]) && inst.operands.iter().any(|x| x.value().is_some()) =>
            {
                one(Base::Unknown)
            }
            Op::Gep(_) => {
                let mut bases = self.of_operand(&inst.operands[0]);
                // Where it comes from one place only it says itself how much of that it needs.
                if bases.len() > 1 {
                    bases.retain(|base| match base {
                        Base::Stack(slot) => !bounds.is_out_of(*slot, id),
                        _ => true,
                    });
                }
                bases
            }
            Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => {
                self.of_operand(&inst.operands[0])
            }
            Op::ExtractValue { .. } if is_table_of_panic(function, inst) => one(Base::Null),
            Op::Phi { .. }
            | Op::ExtractElement
            | Op::InsertElement
            | Op::ShuffleVector { .. }
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. } => {
                inst.operands.iter().flat_map(|operand| self.of_operand(operand)).collect()
            }
            Op::Select => inst.operands[1..].iter().flat_map(|operand| self.of_operand(operand)).collect(),
            Op::Call(_) | Op::Invoke { .. } => match memory_call(inst) {
                Some(MemoryCall::Allocate { .. }) => one(Base::Heap(id)),
                None if is_of_half(inst) => one(Base::Returned(id)),
                None if record_call(inst).is_some() => made_by(pushes.of_record(inst)),
                _ if is_made_tape(inst) => one(Base::Null),
                _ if is_thread_address(inst) => self.of_operand(&inst.operands[0]),
                _ if inst.callee_name().is_some_and(|name| CLASSES_OF_LETTERS.contains(&name)) => {
                    one(Base::Null)
                }
                None if is_followed(program, inst) => one(Base::Returned(id)),
                _ => one(Base::Unknown),
            },
            _ => one(Base::Unknown),
        }
    }

    /// Where a pointer leads that the load finds in memory.
    fn held_by(&self, base: &Base, load: ValueId) -> BTreeSet<Base> {
        match base {
            Base::Null => BTreeSet::from([Base::Null]),
            Base::Global(name) => match self.tables.get(name) {
                Some(held) => held.iter().cloned().map(Base::Global).collect(),
                None => BTreeSet::from([Base::Loaded(load)]),
            },
            Base::Stack(id) | Base::Heap(id) if self.filled_outside.contains(id) => {
                BTreeSet::from([Base::Unknown])
            }
            _ => BTreeSet::from([Base::Loaded(load)]),
        }
    }

    /// Whether a place that a pointer may lead to is of some kind, without a copy of them all.
    pub fn any_base(&self, operand: &Operand, is: impl Fn(&Base) -> bool) -> bool {
        match operand {
            Operand::Value(value) => self.bases.get(value).into_iter().flatten().any(is),
            Operand::Const(_) => self.of_operand(operand).iter().any(is),
        }
    }

    /// The bases of a pointer operand.
    pub fn of_operand(&self, operand: &Operand) -> BTreeSet<Base> {
        match operand {
            Operand::Value(value) => self.bases.get(value).cloned().unwrap_or_default(),
            Operand::Const(constant) if constant.is_nowhere() => BTreeSet::from([Base::Null]),
            Operand::Const(Constant::Symbol { name, .. }) if self.functions.contains(name) => {
                BTreeSet::from([Base::Null])
            }
            Operand::Const(constant @ (Constant::Symbol { .. } | Constant::Offset { .. })) => {
                let name = constant.symbol().and_then(|name| self.symbols.get(name));
                BTreeSet::from([name.map_or(Base::Unknown, |name| Base::Global(name.clone()))])
            }
            Operand::Const(Constant::Undef(_) | Constant::Poison(_)) => BTreeSet::new(),
            Operand::Const(constant) if !constant.ty().holds_pointer() => BTreeSet::new(),
            Operand::Const(_) => BTreeSet::from([Base::Unknown]),
        }
    }
}

/// Whether a pointer is a number that is not null.
fn is_number(pointer: &Operand) -> bool {
    matches!(pointer, Operand::Const(constant @ (Constant::Expr { .. } | Constant::Offset { .. })) if constant.is_nowhere())
}

/// What a record is made by; nobody knows where one leads that is laid elsewhere.
fn made_by(pushes: &[ValueId]) -> BTreeSet<Base> {
    match pushes.is_empty() {
        true => BTreeSet::from([Base::Unknown]),
        false => pushes.iter().copied().map(Base::Heap).collect(),
    }
}

/// Which of the instructions that hold pointers read each value.
fn readers_of(function: &Function, holders: &BTreeSet<ValueId>) -> HashMap<ValueId, Vec<ValueId>> {
    let mut readers: HashMap<ValueId, Vec<ValueId>> = HashMap::new();
    for id in holders {
        let operands = function.inst(*id).into_iter().flat_map(|inst| &inst.operands);
        for value in operands.filter_map(Operand::value).filter(|value| holders.contains(value)) {
            readers.entry(value).or_default().push(*id);
        }
    }
    readers
}

fn is_followed(program: &Program, inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| program.is_followed(name)) && !program.is_declared_inactive(inst)
}

impl Base {
    /// Whether the allocation belongs to one call of this function, so that we can make a shadow for it.
    pub fn is_local(&self) -> bool {
        self.made_by().is_some()
    }

    /// The instruction that makes such memory.
    pub fn made_by(&self) -> Option<ValueId> {
        match self {
            Base::Stack(id) | Base::Heap(id) => Some(*id),
            _ => None,
        }
    }
}
