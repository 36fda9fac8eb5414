//! Which adjoints share a cell in a large function, because no more than one of them is anything but nothing at a time.
//!
//! A function → for each value that shares one, the number of its cell. A value's adjoint is added to in the reverse of its users
//! and taken, which leaves nothing, in the reverse of its own block: so it is something only where the value lives in the forward
//! sweep, and values that live in no block together never meet in a cell. LLVM's time to turn a cell of several blocks into
//! registers goes by the size of the function, whoever uses it: a cell for each value takes the square of that.
//!
//! Safe error: a cell of its own (costs time of the compiler, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::Source;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::memory_calls::memory_call;
use crate::model::{BlockId, Inst, Op, Type, ValueId};
use crate::plan::Order;

/// So many cells times blocks are searched in no time: smaller functions have a cell for each value.
const SEARCHED: usize = 1_000_000;

/// A value that lives in more blocks than this has a cell of its own, so that nothing here takes the square either.
const MOST_BLOCKS: usize = 200;

/// The cells that are shared, by their types, and who shares each.
#[derive(Default)]
pub struct Shared {
    pub types: Vec<Type>,
    pub cell_of: BTreeMap<ValueId, usize>,
}

impl Shared {
    /// Of values whose adjoints are touched in the reverse of several blocks.
    pub fn of(source: &Source, flow: &Flow, values: &BTreeSet<ValueId>) -> Shared {
        let mut shared = Shared::default();
        if values.len() * source.function.blocks.len() <= SEARCHED || !is_in_order(source) {
            return shared;
        }
        let home = blocks_of_values(source.function);
        let uses = find_uses(source, &home, values);
        let mut taken: BTreeMap<BlockId, BTreeSet<usize>> = BTreeMap::new();
        for value in values {
            let inst = source.function.inst(*value);
            let Some(inst) = inst.filter(|inst| is_left_at_nothing(source, *value, inst)) else { continue };
            let (Some(home), Some(uses)) = (home.get(value), uses.get(value)) else { continue };
            let Some(blocks) = find_living(flow, *home, uses) else { continue };
            let busy: BTreeSet<usize> =
                blocks.iter().filter_map(|block| taken.get(block)).flatten().copied().collect();
            let cell = shared.find_cell(&inst.ty, &busy);
            shared.cell_of.insert(*value, cell);
            for block in blocks {
                taken.entry(block).or_default().insert(cell);
            }
        }
        shared
    }

    fn find_cell(&mut self, ty: &Type, busy: &BTreeSet<usize>) -> usize {
        let free = (0..self.types.len()).find(|cell| self.types[*cell] == *ty && !busy.contains(cell));
        free.unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        })
    }
}

/// Whether the reverse sweep retraces the forward sweep step by step. Where passes of a loop are reversed as soon as they have
/// run, what they add to waits in its cell while all that is behind the loop is reversed.
fn is_in_order(source: &Source) -> bool {
    let mut recounts = source.plan.recounts.values();
    source.plan.fused.is_empty() && !recounts.any(|recount| recount.order == Order::Forwards)
}

/// Where the adjoints of values are added to.
#[derive(Default)]
struct Uses {
    /// Blocks at whose end, or in which, the value still lives.
    from: Vec<BlockId>,
    /// Blocks whose phis the value goes into, on the edge.
    into: Vec<BlockId>,
}

fn find_uses(
    source: &Source,
    home: &BTreeMap<ValueId, BlockId>,
    values: &BTreeSet<ValueId>,
) -> BTreeMap<ValueId, Uses> {
    let mut uses: BTreeMap<ValueId, Uses> = BTreeMap::new();
    for (user, block) in home {
        let Some(inst) = source.function.inst(*user) else { continue };
        for (at, value) in inst.operands.iter().enumerate() {
            let Some(value) = value.value().filter(|value| values.contains(value)) else { continue };
            let known = uses.entry(value).or_default();
            match &inst.op {
                Op::Phi { from } => {
                    known.from.extend(from.get(at));
                    known.into.push(*block);
                }
                _ => known.from.push(*block),
            }
        }
    }
    uses
}

/// Whether the reverse of an instruction takes its adjoint and leaves nothing.
fn is_left_at_nothing(source: &Source, id: ValueId, inst: &Inst) -> bool {
    match inst.op {
        Op::Phi { .. } | Op::FNeg | Op::Float(_) | Op::Select | Op::Cast(_) | Op::Freeze | Op::Load(_) => {
            true
        }
        Op::Call(_) => !source.plan.calls.contains_key(&id) && memory_call(inst).is_none(),
        _ => false,
    }
}

/// The blocks in which a value lives; `None` where they are many.
fn find_living(flow: &Flow, home: BlockId, uses: &Uses) -> Option<BTreeSet<BlockId>> {
    let mut blocks = BTreeSet::from([home]);
    let mut waiting = uses.from.clone();
    while let Some(block) = waiting.pop() {
        if blocks.insert(block) {
            waiting.extend(flow.predecessors(block).iter().filter(|from| flow.is_reachable(**from)));
        }
        if blocks.len() > MOST_BLOCKS {
            return None;
        }
    }
    blocks.extend(&uses.into);
    Some(blocks)
}
