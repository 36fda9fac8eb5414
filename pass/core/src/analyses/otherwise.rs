//! Copied memory that somebody takes for floats of another kind than a copy would move, if it would move any, or for pointers: here, or in a function that
//! is handed the memory, as where a pointer to a function chooses who writes it. Two floats in a double would be added as a double.
//!
//! Copy + kind → whether there is somebody.
//! Safe error: there is, but that memory found through pointers in memory is taken for different memory where it has different names.

use std::collections::BTreeSet;

use super::activity::Activity;
use super::pointers::{Base, Pointers};
use crate::model::{FloatKind, Function, Inst, Op, Operand, Program, Type, ValueId};

pub fn is_taken_otherwise(
    function: &Function,
    program: &Program,
    activity: &Activity,
    (copy, kind): (&Inst, Option<FloatKind>),
) -> bool {
    // What is found in memory may be anything that is found there. Only what is known to be the same memory is a dispute.
    let places: BTreeSet<Base> = copy.operands[..2].iter().flat_map(|x| activity.memory_behind(x)).collect();
    let leads = |pointer: &Operand| !activity.memory_behind(pointer).is_disjoint(&places);
    Others { program, kind, seen: BTreeSet::new() }.are_met(function, &leads)
}

/// Who touches memory as something else.
struct Others<'a> {
    program: &'a Program,
    kind: Option<FloatKind>,
    /// Parameters of functions that were looked at.
    seen: BTreeSet<(&'a str, u32)>,
}

/// Whether an address is kept as a number, as in front of what is aligned by hand: nobody follows it to a shadow.
fn is_number(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.integer)
}

impl<'a> Others<'a> {
    /// Floats of another kind, or pointers: an address that is moved as a number comes without its shadow.
    fn is_other(&self, ty: &Type) -> bool {
        let moved = |kind: FloatKind| *ty.scalar() == Type::Float(kind);
        ty.scalar().is_pointer() || ty.is_real() && !self.kind.is_some_and(moved)
    }

    /// Whether a function, or one that it hands such a pointer to, touches what the pointers lead to.
    fn are_met(&mut self, function: &'a Function, leads: &dyn Fn(&Operand) -> bool) -> bool {
        function.insts.iter().any(|inst| {
            let pointer = match &inst.op {
                Op::Load(_) => &inst.operands[0],
                Op::Store(_) => &inst.operands[1],
                op if op.call().is_some() => return self.are_met_behind(inst, leads),
                _ => return false,
            };
            let touched = function.accessed_type(inst).filter(|_| !is_number(inst));
            touched.is_some_and(|ty| self.is_other(&ty)) && leads(pointer)
        })
    }

    fn are_met_behind(&mut self, call: &'a Inst, leads: &dyn Fn(&Operand) -> bool) -> bool {
        let body = call.callee_name().and_then(|name| self.program.function(name));
        let Some(body) = body.filter(|body| !body.is_declaration()) else { return false };
        let given = call.arguments().iter().enumerate().filter(|(_, argument)| leads(argument));
        for (at, _) in given {
            let param = at as u32;
            if !self.seen.insert((body.name.as_str(), param)) {
                continue;
            }
            let (pointers, base) = (Pointers::shared(body, self.program), Base::Param(ValueId(param)));
            if self.are_met(body, &|pointer| pointers.of_operand(pointer).contains(&base)) {
                return true;
            }
        }
        false
    }
}
