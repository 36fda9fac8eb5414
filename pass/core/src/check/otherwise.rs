//! Does somebody take what is copied for pointers, or for floats of another kind than the plan moves, if it moves any?
//!
//! Whoever reads or writes the memory here is asked, and every function with a body that is handed a pointer to it.

use std::collections::BTreeSet;

use super::Proof;
use super::places::{Place, Places};
use crate::model::{FloatKind, Function, Inst, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    pub fn is_taken_otherwise(&self, copy: &Inst, kind: Option<FloatKind>) -> bool {
        let start: BTreeSet<Place> = copy.operands[..2].iter().flat_map(|x| self.places.lead(x)).collect();
        let is_moved = |ty: &Type| kind.is_some_and(|kind| *ty.scalar() == Type::Float(kind));
        let disputes = |ty: &Type| ty.holds_pointer() || ty.is_real() && !is_moved(ty);
        // An address that is declared to be kept as a number is none that anybody follows.
        let disputed = |function: &Function, inst: &Inst| match &inst.op {
            Op::Load(access) if !access.integer => disputes(&inst.ty),
            Op::Store(access) if !access.integer => disputes(&function.operand_type(&inst.operands[0])),
            _ => false,
        };
        let pointer_of = |inst: &'a Inst| inst.operands.get(usize::from(matches!(inst.op, Op::Store(_))));
        let touches = |inst: &'a Inst| {
            disputed(self.function, inst) && pointer_of(inst).is_some_and(|x| self.leads_to(x, &start))
        };
        if self.function.insts.iter().any(touches) {
            return true;
        }
        let mut waiting: Vec<(&'a Function, ValueId)> =
            self.handed_on(self.function, |argument| self.leads_to(argument, &start));
        let mut met = BTreeSet::new();
        while let Some((body, param)) = waiting.pop() {
            if !met.insert((body.name.as_str(), param)) {
                continue;
            }
            let (places, own) = (Places::of(body, self.program), BTreeSet::from([Place::Param(param)]));
            let touches = |inst: &'a Inst| {
                disputed(body, inst) && pointer_of(inst).is_some_and(|x| places.leads_to(x, &own))
            };
            if body.insts.iter().any(touches) {
                return true;
            }
            waiting.extend(self.handed_on(body, |argument| places.leads_to(argument, &own)));
        }
        false
    }

    /// The parameters by which functions are handed such a pointer.
    fn handed_on(&self, caller: &Function, leads: impl Fn(&Operand) -> bool) -> Vec<(&'a Function, ValueId)> {
        let mut handed = Vec::new();
        for call in caller.insts.iter().filter(|inst| inst.op.call().is_some()) {
            let callee = call.callee_name().and_then(|name| self.program.function(name));
            let Some(body) = callee.filter(|body| !body.blocks.is_empty()) else { continue };
            let found = call.arguments().iter().zip(body.param_ids()).filter(|(argument, _)| leads(argument));
            handed.extend(found.map(|(_, param)| (body, param)));
        }
        handed
    }
}
