//! What extraction would have found out about a generated function: promises on addresses, and facts about accesses.

use backsweep_core::model::{AliasClass, Flags, Function, MemoryFact, Object, Op, Operand, ValueId};

/// Completes a function: addresses are in bounds, sums do not wrap, and each access has its facts.
pub fn complete(function: &mut Function) {
    for inst in &mut function.insts {
        match inst.op {
            Op::Gep(_) => inst.flags = Flags::INBOUNDS,
            Op::Int(_) => inst.flags = Flags::NSW,
            _ => {}
        }
    }
    let facts: Vec<(ValueId, MemoryFact)> =
        function.inst_ids().filter_map(|id| Some((id, fact_of(function, id)?))).collect();
    function.memory.extend(facts);
}

fn fact_of(function: &Function, id: ValueId) -> Option<MemoryFact> {
    let inst = function.inst(id)?;
    let (reads, writes, pointer) = match &inst.op {
        Op::Load(_) => (true, false, Some(&inst.operands[0])),
        Op::Store(_) => (false, true, Some(&inst.operands[1])),
        Op::Call(_) => (true, true, None),
        _ => return None,
    };
    Some(MemoryFact {
        reads,
        writes,
        pointer: pointer.cloned(),
        objects: pointer.and_then(|pointer| object_of(function, pointer)).into_iter().collect(),
        address: None,
        class: AliasClass(0),
        clobber: None,
    })
}

fn object_of(function: &Function, pointer: &Operand) -> Option<Object> {
    let mut at = pointer.value()?;
    loop {
        match function.inst(at) {
            None => return Some(Object::Param(at)),
            Some(inst) => match inst.op {
                Op::Gep(_) => at = inst.operands[0].value()?,
                Op::Alloca(_) => return Some(Object::Local(at)),
                _ => return Some(Object::Through(at)),
            },
        }
    }
}
