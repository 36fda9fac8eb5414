//! Nothing is read or written where nobody knows whose memory it is, here or in what is called, as long as there is memory with
//! a shadow: it might be that.

use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use super::role::Role;
use super::{Obligation, Proof};
use crate::model::{Function, Inst, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    pub fn check_unfollowed(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        if varied.shadowed.is_empty() && self.plan.calls.is_empty() {
            return;
        }
        let mut faults = Vec::new();
        for (id, inst) in insts {
            let lost = match inst.op {
                Op::Load(_) | Op::Store(_) => is_unfollowed(self.function, &self.places, inst),
                _ => matches!(self.role(inst), Role::Call) && self.goes_unfollowed(inst),
            };
            if lost {
                faults.push(format!("{} touches memory that is not followed", self.describe(*id)));
            }
        }
        faults.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }
}

/// Whether an instruction reads, writes or moves floats or pointers, as far as one can tell, at an address of which nothing
/// is known.
pub fn is_unfollowed(function: &Function, places: &Places, inst: &Inst) -> bool {
    let nobodys = |x: &Operand| places.lead(x).contains(&Place::Outside) && !is_exception(function, x);
    let counts = |ty: &Type| !matches!(ty.scalar(), Type::Int(_));
    match (&inst.op, memory_call(inst)) {
        (Op::Load(_), _) => counts(&inst.ty) && nobodys(&inst.operands[0]),
        (Op::Store(_), _) => counts(&function.operand_type(&inst.operands[0])) && nobodys(&inst.operands[1]),
        (_, Some(MemoryCall::Copy)) => inst.operands[..2].iter().any(nobodys),
        (_, Some(MemoryCall::Fill)) => nobodys(&inst.operands[0]),
        _ => false,
    }
}

/// Whether an address lies in an exception that is being made.
pub fn is_exception(function: &Function, address: &Operand) -> bool {
    let mut made = address.value().and_then(|id| function.inst(id));
    while let Some(Inst { op: Op::Gep(_), operands, .. }) = made {
        made = operands[0].value().and_then(|id| function.inst(id));
    }
    made.is_some_and(|inst| inst.callee_name() == Some("__cxa_allocate_exception"))
}
