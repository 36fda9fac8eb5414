//! Which loads read what nobody writes while the function runs?
//!
//! Fortran passes extents and bounds by address and reads them again and again. A load of memory that no access of the
//! function can write, through a pointer from outside all loops, gives the same number whenever it runs; so do two such
//! loads through the same pointer. Each is mapped to the first of its kind.
//! Safe error: a load too few.

use std::collections::HashMap;

use super::access::is_silent;
use super::objects::are_distinct_sets;
use crate::model::{Function, Inst, MemoryFact, Op, Operand, Ordering, Program, Type, ValueId};

pub fn find_unchanging(program: &Program, function: &Function) -> HashMap<ValueId, ValueId> {
    let writes: Vec<&MemoryFact> = function
        .memory
        .iter()
        .filter(|(id, fact)| fact.writes && !function.inst(**id).is_some_and(is_silent))
        .map(|(_, fact)| fact)
        .collect();
    let mut first: HashMap<(&Operand, &Type), ValueId> = HashMap::new();
    let mut unchanging = HashMap::new();
    for (id, fact) in &function.memory {
        let Some((inst, pointer)) = function.inst(*id).and_then(|inst| Some((inst, plain_load(inst)?)))
        else {
            continue;
        };
        let kept = |write: &&MemoryFact| are_distinct_sets(program, function, &fact.objects, &write.objects);
        if is_outside(function, pointer) && writes.iter().all(kept) {
            unchanging.insert(*id, *first.entry((pointer, &inst.ty)).or_insert(*id));
        }
    }
    unchanging
}

/// The pointer of an integer load that is neither volatile nor atomic.
fn plain_load(inst: &Inst) -> Option<&Operand> {
    match &inst.op {
        Op::Load(access) if !access.volatile && access.ordering == Ordering::NotAtomic => {
            matches!(inst.ty, Type::Int(_)).then(|| inst.operands.first())?
        }
        _ => None,
    }
}

/// Parameters and constants, which are one pointer however often they are used.
fn is_outside(function: &Function, pointer: &Operand) -> bool {
    pointer.value().is_none_or(|id| (id.0 as usize) < function.params.len())
}
