//! Exceptions: who may leave by one gives the tape back, and what a callee had recorded when it threw is not needed.
//!
//! Safe error: a call not known to return by itself alone may throw. Promises of functions with bodies count for nothing where the
//! user gave rules that do not promise the same.

use super::memory_calls::memory_call;
use super::{Obligation, Proof};
use crate::model::{BlockId, Inst, Op, ValueId};
use crate::request::Mode;
use crate::rules::CalleeRule;

const QUESTION: &str = "backsweep.threw";

impl Proof<'_> {
    pub fn check_exceptions(&mut self) {
        let live: Vec<(ValueId, &Inst)> = self.live_insts();
        let thrower = live.iter().find(|(_, inst)| self.throws(inst)).map(|(id, _)| *id);
        if let Some(call) = thrower.filter(|_| !self.plan.may_be_left && !self.promises_not_to_throw()) {
            let message =
                format!("{} may throw, and the plan says that nothing leaves so", self.describe(call));
            self.report(Obligation::Tape, message);
        }
        if self.plan.request.mode == Mode::Tangent {
            return;
        }
        for (id, _) in live {
            if self.plan.calls.contains_key(&id) && self.is_caught(id) {
                let message = format!("what {} did before it threw is never undone", self.describe(id));
                self.report(Obligation::Records, message);
            }
        }
    }

    fn promises_not_to_throw(&self) -> bool {
        self.function.attributes.iter().any(|attribute| attribute == "nounwind") && !self.rules_throw()
    }

    fn rules_throw(&self) -> bool {
        let quiet = |name: &str| {
            let function = self.program.functions.iter().find(|function| function.name == name);
            function.is_some_and(|function| function.attributes.iter().any(|promise| promise == "nounwind"))
        };
        self.program.rules.iter().any(|rule| {
            let halves =
                rule.halves.iter().any(|halves| !quiet(&halves.augmented) || !quiet(&halves.reverse));
            halves || rule.tangent.as_ref().is_some_and(|tangent| !quiet(tangent))
        })
    }

    fn throws(&self, inst: &Inst) -> bool {
        let Some(call) = inst.op.call() else { return false };
        let name = inst.callee_name().unwrap_or_default();
        let callee = self.program.functions.iter().find(|function| function.name == name);
        let promised = |attributes: &[String]| attributes.iter().any(|attribute| attribute == "nounwind");
        let body = callee.is_some_and(|callee| !callee.blocks.is_empty());
        let ruled = self.program.rules.iter().any(|rule| rule.function == name);
        if name == "backsweep.resume" || (body || ruled) && self.rules_throw() {
            return true;
        }
        if promised(&call.attributes) || callee.is_some_and(|callee| promised(&callee.attributes)) {
            return false;
        }
        let known = match self.rules.lookup_callee(self.program.known_name(name)) {
            CalleeRule::Row(_) | CalleeRule::Reduction(_) => true,
            CalleeRule::Inactive(_) | CalleeRule::Unknown => memory_call(inst).is_some(),
        };
        let quiet = name.starts_with("llvm.") || name.starts_with("_FortranA");
        body || name.starts_with("_Znwm") || name.starts_with("_Znam") || !(known || quiet)
    }

    /// Whether control may come to a return by the edge on which this call has thrown.
    fn is_caught(&self, call: ValueId) -> bool {
        let Some(block) = self.paths.home(call) else { return true };
        let mut behind = self.function.block(block).insts.iter().skip_while(|id| **id != call).skip(1);
        let asked = behind
            .find(|id| self.function.inst(**id).is_some_and(|inst| inst.callee_name() == Some(QUESTION)));
        let guarded = self.function.inst(call).and_then(|inst| inst.op.call()).is_some_and(|call| {
            call.attributes.iter().any(|attribute| attribute.contains("backsweep-guarded"))
        });
        let Some(question) = asked.filter(|_| guarded) else { return false };
        let end = self.function.terminator(block).and_then(|id| self.function.inst(id));
        let mut waiting: Vec<BlockId> = match end {
            Some(Inst { op: Op::CondBr { yes, .. }, operands, .. })
                if operands[0].value() == Some(*question) =>
            {
                vec![*yes]
            }
            _ => self.function.successors(block),
        };
        let mut seen = vec![false; self.function.blocks.len()];
        while let Some(block) = waiting.pop() {
            if self.paths.returns().contains(&block) {
                return true;
            }
            if !std::mem::replace(&mut seen[block.0 as usize], true) {
                waiting.extend(self.function.successors(block));
            }
        }
        false
    }
}
