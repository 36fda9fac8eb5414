//! Memory that was allocated after a pointer was there.
//!
//! A loop that makes a vector in each pass reads what the pass before has made and writes to what this one makes. Both
//! come from one place of the program, so that objects do not tell them apart; but whatever is allocated behind the moment
//! at which a pointer was computed is not what that pointer leads to, as long as nothing is freed in between, which counts
//! as a write.
//!
//! Input: a function. Output: for a read and a write, whether on every way to the write its memory is allocated behind the pointer
//! that is read through. From the write its own pointer is followed backwards, through the moments at which its values were
//! computed, until the allocation runs; a pointer that is computed on this way may lead to the memory.
//! Safe error: it may.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use super::memory_calls::{MemoryCall, memory_call};
use crate::model::{BlockId, Constant, Function, Inst, Op, Operand, ValueId};

pub struct Newer<'a> {
    function: &'a Function,
    flow: &'a Flow,
    home: &'a BTreeMap<ValueId, BlockId>,
    known: RefCell<BTreeMap<ValueId, Option<Way>>>,
}

/// With which instruction of a block a stretch begins, where not at the start, and in front of which it ends, where not at the end.
type Stretch = (Option<ValueId>, Option<ValueId>);

/// The stretches between an allocation and a write.
#[derive(Clone, Default)]
struct Way {
    stretches: BTreeMap<BlockId, Vec<Stretch>>,
}

impl Way {
    fn holds(&self, block: BlockId, id: ValueId) -> bool {
        let stretches = self.stretches.get(&block).into_iter().flatten();
        let within = |(from, to): &Stretch| from.is_none_or(|from| id >= from) && to.is_none_or(|to| id < to);
        stretches.into_iter().any(within)
    }
}

/// Ways longer than this are not walked.
const MOST_STEPS: usize = 2_000;

impl<'a> Newer<'a> {
    pub fn of(function: &'a Function, flow: &'a Flow, home: &'a BTreeMap<ValueId, BlockId>) -> Newer<'a> {
        Newer { function, flow, home, known: RefCell::default() }
    }

    /// Whether what a write writes to, whenever it comes behind the load, is allocated behind the pointer of that.
    pub fn is_made_behind(&self, load: ValueId, write: ValueId) -> bool {
        let Some(pointer) = self.function.inst(load).and_then(|load| self.root(&load.operands[0])) else {
            return false;
        };
        let Some(block) = self.home.get(&pointer) else { return false };
        let mut known = self.known.borrow_mut();
        let way = known.entry(write).or_insert_with(|| self.find_way(write));
        way.as_ref().is_some_and(|way| !way.holds(*block, pointer))
    }

    /// What an address is a place behind.
    fn root(&self, pointer: &Operand) -> Option<ValueId> {
        let mut root = pointer.value()?;
        while let Some(Inst { op: Op::Gep(_) | Op::Freeze, operands, .. }) = self.function.inst(root) {
            root = operands[0].value()?;
        }
        Some(root)
    }

    /// Whether a pointer comes from allocations alone. This is asked first, since it needs no walk through blocks, and most pointers come
    /// from elsewhere.
    fn is_made_of_allocations(&self, pointer: ValueId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::from([pointer]), vec![pointer]);
        while let Some(value) = waiting.pop() {
            let Some(sources) = self.function.inst(value).and_then(sources) else { return false };
            for (from, operand) in sources {
                if from.is_some_and(|from| !self.flow.is_reachable(from)) {
                    continue;
                }
                waiting.extend(operand.value().filter(|source| seen.insert(*source)));
            }
        }
        true
    }

    /// The way back from a write to where its memory is allocated; nothing where the pointer may come from anywhere else.
    fn find_way(&self, write: ValueId) -> Option<Way> {
        let pointer = written(self.function.inst(write)?)?.value()?;
        if !self.is_made_of_allocations(pointer) {
            return None;
        }
        let mut way = Way::default();
        let mut seen: BTreeSet<(BlockId, ValueId)> = BTreeSet::new();
        let mut waiting = vec![(*self.home.get(&write)?, Some(write), pointer)];
        while let Some((block, before, value)) = waiting.pop() {
            if seen.len() > MOST_STEPS {
                return None;
            }
            let here = self.home.get(&value) == Some(&block) && before.is_none_or(|before| value < before);
            // The phis of a block are there at once.
            let is_phi = self.function.inst(value).is_some_and(|inst| matches!(inst.op, Op::Phi { .. }));
            way.stretches.entry(block).or_default().push(((here && !is_phi).then_some(value), before));
            if !here {
                // A parameter is followed as far as the entry.
                let arrivals = self.flow.predecessors(block);
                if arrivals.is_empty() {
                    return None;
                }
                waiting.extend(
                    arrivals
                        .iter()
                        .filter(|from| seen.insert((**from, value)))
                        .map(|from| (*from, None, value)),
                );
                continue;
            }
            let inst = self.function.inst(value)?;
            for (from, operand) in sources(inst)? {
                let Some(source) = operand.value() else {
                    // Nobody writes through no pointer.
                    if matches!(operand, Operand::Const(Constant::Null(_))) {
                        continue;
                    }
                    return None;
                };
                match from {
                    Some(from) if !self.flow.is_reachable(from) => {}
                    Some(from) => {
                        if seen.insert((from, source)) {
                            waiting.push((from, None, source));
                        }
                    }
                    None => waiting.push((block, Some(value), source)),
                }
            }
        }
        Some(way)
    }
}

/// What a pointer is made from, and for a phi at the end of which block; nothing where it is an allocation.
fn sources(inst: &Inst) -> Option<Vec<(Option<BlockId>, &Operand)>> {
    match &inst.op {
        Op::Call(_) | Op::Invoke { .. } if matches!(memory_call(inst), Some(MemoryCall::Allocate { .. })) => {
            Some(Vec::new())
        }
        Op::Gep(_) | Op::Freeze => Some(vec![(None, &inst.operands[0])]),
        Op::Select => Some(inst.operands[1..3].iter().map(|x| (None, x)).collect()),
        Op::Phi { from } => Some(from.iter().copied().map(Some).zip(&inst.operands).collect()),
        _ => None,
    }
}

/// The one pointer through which an instruction writes, or frees.
fn written(inst: &Inst) -> Option<&Operand> {
    match (&inst.op, memory_call(inst)) {
        (Op::Store(_), _) => inst.operands.get(1),
        (_, Some(MemoryCall::Copy | MemoryCall::Fill | MemoryCall::Free { pointer: 0 })) => {
            inst.operands.first()
        }
        _ => None,
    }
}
