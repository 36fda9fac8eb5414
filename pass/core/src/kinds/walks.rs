//! Whether an access goes through memory element by element.
//!
//! Who counts with numbers one beside the other counts with all that lies there. Whoever jumps may leave out what is no number: every
//! second word, or those that a table does not list.
//! Safe error: no.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::touches::Reader;
use crate::model::{BlockId, CastOp, Function, Inst, IntOp, Op, Operand, Stride, Type, ValueId};

/// What an address is the sum of: a loop's counter of elements of that size, and what else is added that is not constant.
#[derive(Default)]
struct Sum<'a> {
    counters: Vec<ValueId>,
    others: Vec<&'a Operand>,
}

impl Reader<'_> {
    /// Whether an access goes through memory, and what lies there is a number each time, not only where something else is so.
    pub(super) fn counts_each_time(&self, (id, access): (ValueId, &Inst), pointer: &Operand) -> bool {
        let size = self.function.accessed_type(access).and_then(|ty| self.layout.store_size(&ty));
        let steps = |by: &ValueId| {
            let block = self.blocks.get(by).copied();
            let walk = Walk { function: self.function, blocks: &self.blocks, each_time: &self.each_time };
            size.zip(block).is_some_and(|(size, block)| walk.is_walk(block, pointer, size))
        };
        let as_it_is = |user: &ValueId| {
            let operands = self.function.inst(*user).into_iter().flat_map(|inst| &inst.operands);
            operands.into_iter().any(|x| unwidened(self.function, x) == Some(id))
        };
        match &access.op {
            Op::Load(_) => self.find_counting(id).iter().filter(|user| as_it_is(user)).any(&steps),
            _ => steps(&id),
        }
    }
}

/// What an integer is before it is widened.
fn unwidened(function: &Function, operand: &Operand) -> Option<ValueId> {
    let id = operand.value()?;
    match function.inst(id) {
        Some(Inst { op: Op::Cast(CastOp::SExt | CastOp::ZExt) | Op::Freeze, operands, .. }) => {
            unwidened(function, &operands[0])
        }
        _ => Some(id),
    }
}

enum Counter {
    /// A number that is known.
    Nothing,
    /// A phi that is counted up or down by one, and maybe a known number more.
    Phi(ValueId),
}

/// Where it is looked for walks.
#[derive(Clone, Copy)]
struct Walk<'a> {
    function: &'a Function,
    blocks: &'a BTreeMap<ValueId, BlockId>,
    each_time: &'a RefCell<BTreeMap<(BlockId, BlockId), bool>>,
}

impl Walk<'_> {
    /// Whether the address of what is accessed in a block moves on by so many bytes each time that a loop comes back, and is accessed each
    /// time.
    fn is_walk(self, block: BlockId, pointer: &Operand, bytes: u64) -> bool {
        let mut sum = Sum::default();
        let mut pointer = pointer;
        while let Some(inst) = made(self.function, pointer) {
            match &inst.op {
                Op::Gep(gep) => {
                    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
                        match (stride, self.counter(index)) {
                            (Stride::Field(_), _) | (_, Some(Counter::Nothing)) => {}
                            (Stride::Scale(step), Some(Counter::Phi(phi))) if *step == bytes => {
                                sum.counters.push(phi)
                            }
                            _ => sum.others.push(index),
                        }
                    }
                }
                Op::Freeze | Op::Cast(_) => {}
                _ => break,
            }
            pointer = &inst.operands[0];
        }
        match pointer.value() {
            Some(phi) if self.steps(phi, bytes) => sum.counters.push(phi),
            _ => sum.others.push(pointer),
        }
        let [counter] = sum.counters[..] else { return false };
        self.is_passed_each_time(block, counter)
            && sum.others.iter().all(|other| self.stands_still(other, counter))
    }

    fn counter(self, index: &Operand) -> Option<Counter> {
        if is_number(index) {
            return Some(Counter::Nothing);
        }
        let inst = made(self.function, index)?;
        match &inst.op {
            Op::Cast(_) | Op::Freeze => self.counter(&inst.operands[0]),
            Op::Int(IntOp::Add | IntOp::Sub) if is_number(&inst.operands[1]) => {
                self.counter(&inst.operands[0])
            }
            Op::Phi { .. } => index.value().filter(|phi| self.steps(*phi, 1)).map(Counter::Phi),
            _ => None,
        }
    }

    /// Whether a phi is moved by so much whenever its loop comes back, and by nothing else.
    fn steps(self, phi: ValueId, by: u64) -> bool {
        let Some(inst) = self.function.inst(phi).filter(|inst| matches!(inst.op, Op::Phi { .. })) else {
            return false;
        };
        let by_one = |next: &Operand| {
            let Some(next) = made(self.function, next).filter(|next| next.operands[0] == Operand::Value(phi))
            else {
                return false;
            };
            let scale = match &next.op {
                Op::Int(IntOp::Add | IntOp::Sub) => 1,
                Op::Gep(gep) => match gep.strides[..] {
                    [Stride::Scale(bytes)] => bytes,
                    _ => return false,
                },
                _ => return false,
            };
            let count = if let Operand::Const(count) = &next.operands[1] { count.as_signed() } else { None };
            count.is_some_and(|count| count.unsigned_abs() * u128::from(scale) == u128::from(by))
        };
        let (again, first): (Vec<_>, Vec<_>) = inst.operands.iter().partition(|x| by_one(x));
        !again.is_empty() && first.iter().all(|x| self.stands_still(x, phi))
    }

    /// Whether the loop of a counter does not come back but by a block.
    fn is_passed_each_time(self, block: BlockId, counter: ValueId) -> bool {
        let Some(header) = self.blocks.get(&counter).copied() else { return false };
        if let Some(known) = self.each_time.borrow().get(&(block, header)) {
            return *known;
        }
        let found = self.comes_back_only_by(block, header);
        self.each_time.borrow_mut().insert((block, header), found);
        found
    }

    fn comes_back_only_by(self, block: BlockId, header: BlockId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::from([block]), vec![header]);
        while let Some(passed) = waiting.pop() {
            if seen.insert(passed) {
                let next = self.function.successors(passed);
                if next.contains(&header) {
                    return false;
                }
                waiting.extend(next);
            }
        }
        true
    }

    /// Whether what is computed here is the same each time that a counter is counted on, as far as it is not read from memory.
    fn stands_still(self, value: &Operand, counter: ValueId) -> bool {
        let header = self.blocks.get(&counter);
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![value]);
        while let Some(value) = waiting.pop() {
            let Some(inst) = made(self.function, value) else { continue };
            let Some(id) = value.value().filter(|id| seen.insert(*id)) else { continue };
            match &inst.op {
                Op::Phi { .. } if self.blocks.get(&id) == header => return false,
                // Pointers to what is walked through lie in memory; numbers there may be counted, too.
                Op::Load(_) if matches!(inst.ty, Type::Ptr(_)) => {}
                Op::Load(_) | Op::Call(_) | Op::Invoke { .. } => return false,
                _ => {}
            }
            waiting.extend(&inst.operands);
        }
        true
    }
}

fn made<'a>(function: &'a Function, value: &Operand) -> Option<&'a Inst> {
    function.inst(value.value()?)
}

fn is_number(operand: &Operand) -> bool {
    matches!(operand, Operand::Const(_))
}
