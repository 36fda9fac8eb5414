//! Between the two halves of split mode nothing is lost: what is read is an argument of both, or on the tape.
//!
//! The tape holds every kept value and every recorded edge, in the order of the plan; so what is kept needs a size
//! that is known, and the plans of the two halves have to keep the same.

use super::{Fault, Obligation, Proof};
use crate::model::{Layout, ValueId};
use crate::plan::{Merge, Plan, Slot, Storage};
use crate::request::{Mode, Request};

impl Proof<'_> {
    pub fn check_tape(&mut self) {
        let plan = self.plan;
        if !matches!(plan.request.mode, Mode::Augmented | Mode::Reverse) {
            return;
        }
        let layout = Layout::parse(&self.program.layout);
        for (value, decision) in &plan.storage {
            let problem = match &decision.choice {
                Storage::Argument => {
                    let taken = plan.params.contains(&Slot::Primal { param: value.0 as usize });
                    (!taken).then_some("is read as an argument that is not taken")
                }
                Storage::Recompute => None,
                Storage::Rerun => Some("is computed by a loop that may run otherwise in the other half"),
                Storage::Keep
                | Storage::SaveOnOverwrite
                | Storage::Invert { .. }
                | Storage::Uncompute { .. } => {
                    let sized =
                        self.function.inst(*value).is_some_and(|inst| layout.size_of(&inst.ty).is_some());
                    (!sized).then_some("goes on the tape, and has no size known when compiling")
                }
            };
            if let Some(problem) = problem {
                let message = format!("{} {problem}", self.describe(*value));
                self.report(Obligation::Tape, message);
            }
        }
    }
}

/// The same for all plans of a request: of each second half whose first half is among them.
pub fn check_all_halves<'a>(plans: impl Iterator<Item = &'a Plan> + Clone) -> Vec<Fault> {
    let is_half = |plan: &&Plan, mode: Mode| plan.request.mode == mode && plan.joint.is_none();
    let first_of = |reverse: &Plan| {
        let first = Request { mode: Mode::Augmented, seeds: Vec::new(), ..reverse.request.clone() };
        plans.clone().find(|plan| is_half(plan, Mode::Augmented) && plan.request == first)
    };
    let second = plans.clone().filter(|plan| is_half(plan, Mode::Reverse));
    second.filter_map(|reverse| Some(check_halves(first_of(reverse)?, reverse))).flatten().collect()
}

/// Whether the tape that one half leaves behind is the tape that the other reads.
pub fn check_halves(augmented: &Plan, reverse: &Plan) -> Vec<Fault> {
    let kept = |plan: &Plan| -> Vec<ValueId> {
        let cell = |choice: &Storage| !matches!(choice, Storage::Argument | Storage::Recompute);
        plan.storage.iter().filter(|(_, decision)| cell(&decision.choice)).map(|(value, _)| *value).collect()
    };
    let shadows = |plan: &Plan| -> Vec<(ValueId, Storage)> {
        plan.shadows.iter().map(|(value, decision)| (*value, decision.choice.clone())).collect()
    };
    let recorded = |plan: &Plan| -> Vec<_> {
        let records = |merge: &Merge| !matches!(merge, Merge::Reevaluate { .. });
        let merges = plan.merges.iter().filter(|(_, decision)| records(&decision.choice));
        merges.map(|(block, decision)| (*block, decision.choice.clone())).collect()
    };
    let mut faults = Vec::new();
    let mut require = |holds: bool, message: &str| {
        if !holds {
            let function = reverse.function.clone();
            faults.push(Fault { obligation: Obligation::Tape, function, message: message.into() });
        }
    };
    let modes = (augmented.request.mode, reverse.request.mode);
    require(modes == (Mode::Augmented, Mode::Reverse), "these are not the two halves of split mode");
    require(augmented.function == reverse.function, "the halves are of different functions");
    let body = |plan: &Plan| plan.local.as_ref().map(|local| local.attached.function.clone());
    require(body(augmented) == body(reverse), "the halves have different local Jacobians");
    require(kept(augmented) == kept(reverse), "the halves keep different values on the tape");
    require(shadows(augmented) == shadows(reverse), "the halves keep different shadows on the tape");
    let globals = |plan: &Plan| -> Vec<_> {
        plan.globals.iter().map(|(name, decision)| (name.clone(), decision.choice.clone())).collect()
    };
    require(globals(augmented) == globals(reverse), "the halves put shadows of globals in different places");
    require(recorded(augmented) == recorded(reverse), "the halves record different edges on the tape");
    require(augmented.records == reverse.records, "the halves record different items on the tape");
    faults
}
