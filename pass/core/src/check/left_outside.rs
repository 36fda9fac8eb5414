//! Memory made here in which code that nobody sees may leave a pointer of its own, as the checker knows it.
//!
//! Follows each allocation to where it is handed over, into the functions that are called, too.

use std::collections::{BTreeMap, BTreeSet};

use super::memory_calls::{MemoryCall, memory_call};
use super::taped::is_record;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::is_known_inactive;

/// The addresses that were followed, by function.
type Walked<'a> = BTreeSet<(&'a str, ValueId)>;

/// The memory where what a load finds may have been left.
pub fn find_left_outside(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let makes =
        |inst: &Inst| matches!(inst.op, Op::Alloca(_)) || memory_call(inst) == Some(MemoryCall::Allocate);
    let users = Users::of(function);
    let left = |id: &ValueId| {
        function.inst(*id).is_some_and(makes)
            && users.finds_pointers(*id)
            && users.is_left_outside(program, *id)
    };
    function.inst_ids().filter(left).collect()
}

/// Who uses each value of a function.
struct Users<'a> {
    function: &'a Function,
    of_values: BTreeMap<ValueId, Vec<ValueId>>,
}

impl<'a> Users<'a> {
    fn of(function: &'a Function) -> Users<'a> {
        let mut of_values: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            for used in inst.operands.iter().filter_map(Operand::value) {
                of_values.entry(used).or_default().push(id);
            }
        }
        Users { function, of_values }
    }

    /// The values that are addresses in the same memory, and the instructions that use one.
    fn walk(&self, from: ValueId) -> (BTreeSet<ValueId>, Vec<&'a Inst>) {
        let (mut found, mut waiting) = (BTreeSet::from([from]), vec![from]);
        let mut users = BTreeSet::new();
        while let Some(address) = waiting.pop() {
            for id in self.of_values.get(&address).into_iter().flatten() {
                users.insert(*id);
                let goes_on = self.function.inst(*id).is_some_and(|inst| goes_on(inst, address));
                waiting.extend((goes_on && found.insert(*id)).then_some(*id));
            }
        }
        (found, users.into_iter().filter_map(|id| self.function.inst(id)).collect())
    }

    fn finds_pointers(&self, memory: ValueId) -> bool {
        let (_, users) = self.walk(memory);
        users.iter().any(|inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer())
    }

    fn is_left_outside(&self, program: &'a Program, memory: ValueId) -> bool {
        let pointer = |inst: &Inst| matches!(&inst.op, Op::Alloca(slot) if slot.allocated.is_pointer());
        let one = self.function.inst(memory).is_some_and(pointer);
        (one || !self.is_kept(program, memory)) && self.is_left(program, memory, &mut BTreeSet::new())
    }

    /// Whether pointers are put there in sight.
    fn is_kept(&self, program: &Program, memory: ValueId) -> bool {
        let (addresses, users) = self.walk(memory);
        let is_address = |x: &Operand| x.value().is_some_and(|id| addresses.contains(&id));
        users.iter().any(|inst| match &inst.op {
            Op::Store(_) => {
                let nothing = matches!(inst.operands[0], Operand::Const(Constant::Null(_)));
                let pointer = self.function.operand_type(&inst.operands[0]).holds_pointer();
                is_address(&inst.operands[1]) && pointer && !nothing
            }
            _ if memory_call(inst) == Some(MemoryCall::Copy) => is_address(&inst.operands[0]),
            _ => {
                let seen = inst.callee_name().is_some_and(|name| program.is_followed(name));
                seen && inst.arguments().iter().any(is_address)
            }
        })
    }

    /// Whether code out of sight is given an address there.
    fn is_left(&self, program: &'a Program, from: ValueId, walked: &mut Walked<'a>) -> bool {
        if !walked.insert((&self.function.name, from)) {
            return false;
        }
        let (addresses, users) = self.walk(from);
        let is_address = |x: &Operand| x.value().is_some_and(|id| addresses.contains(&id));
        users.iter().filter(|inst| inst.op.call().is_some()).any(|inst| {
            let given = (0..).zip(inst.arguments()).filter(|(_, x)| is_address(x));
            given
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
                .into_iter()
                .any(|at| leaves(inst, program, at, walked))
        })
    }
}

/// Whether an address leads to another in the same memory.
fn goes_on(inst: &Inst, address: ValueId) -> bool {
    match &inst.op {
        Op::Gep(_) => inst.operands[0].value() == Some(address),
        Op::Phi { .. } | Op::Select | Op::Freeze => true,
        Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => true,
        _ => false,
    }
}

/// Whether a call hands what it is given there to code out of sight.
fn leaves<'a>(call: &Inst, program: &'a Program, at: usize, walked: &mut Walked<'a>) -> bool {
    let seen = call.callee_name().filter(|name| program.is_followed(name));
    match seen.and_then(|name| program.function(name)) {
        Some(callee) if !program.is_declared_inactive(call) => {
            let unnamed = at >= callee.params.len();
            unnamed || Users::of(callee).is_left(program, ValueId(at as u32), walked)
        }
        _ => is_out_of_sight(call, program, at),
    }
}

/// Whether nobody sees what a call does to the memory that it is given there, and it is not known to leave no pointers.
pub(super) fn is_out_of_sight(call: &Inst, program: &Program, at: usize) -> bool {
    let Some(name) = call.callee_name() else { return true };
    let attributes =
        program.function(name).and_then(|callee| callee.params.get(at)).map(|param| &param.attributes);
    let read = attributes.is_some_and(|all| all.iter().any(|text| text == "readonly" || text == "readnone"));
    let known = memory_call(call).is_some() || is_record(call) || name.starts_with("llvm.");
    !read && !known && !is_known_inactive(program.known_name(name))
}
