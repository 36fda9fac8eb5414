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
        (Op::Load(_), _) => {
            counts(&inst.ty) && nobodys(&inst.operands[0]) && !finds_integers_alone(function, inst)
        }
        (Op::Store(_), _) => counts(&function.operand_type(&inst.operands[0])) && nobodys(&inst.operands[1]),
        (_, Some(MemoryCall::Copy)) => inst.operands[..2].iter().any(nobodys),
        (_, Some(MemoryCall::Fill)) => nobodys(&inst.operands[0]),
        _ => false,
    }
}

/// Whether nothing but integers is read through a pointer that an instruction reads, nor through what is found or stepped to from there, and
/// nothing else is done with any of these but to compare them.
fn finds_integers_alone(function: &Function, read: &Inst) -> bool {
    let place = |inst: &Inst| function.insts.iter().position(|known| std::ptr::eq(known, inst));
    let mut reached: Vec<&Inst> = vec![read];
    let mut at = 0;
    while at < reached.len() {
        let Some(number) = place(reached[at]) else { return false };
        let value = Operand::Value(ValueId((function.params.len() + number) as u32));
        at += 1;
        for user in function.insts.iter().filter(|user| user.operands.contains(&value)) {
            let on = matches!(user.op, Op::Load(_) | Op::Gep(_) | Op::Phi { .. } | Op::Freeze);
            let asks = matches!(user.op, Op::ICmp(_));
            let integer = matches!(user.op, Op::Load(_)) && matches!(user.ty, Type::Int(_));
            if on && user.ty.is_pointer() {
                if !reached.iter().any(|known| std::ptr::eq(*known, user)) {
                    reached.push(user);
                }
            } else if !asks && !integer {
                return false;
            }
        }
    }
    read.ty.is_pointer()
}

/// Whether an address lies in an exception that is being made.
pub fn is_exception(function: &Function, address: &Operand) -> bool {
    let mut made = address.value().and_then(|id| function.inst(id));
    while let Some(Inst { op: Op::Gep(_), operands, .. }) = made {
        made = operands[0].value().and_then(|id| function.inst(id));
    }
    made.is_some_and(|inst| inst.callee_name() == Some("__cxa_allocate_exception"))
}
