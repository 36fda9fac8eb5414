//! All adjoint analyses of one function in one setting.
//!
//! Bodies + setting → [`Facts`], lent to whoever asks. A call whose callee computes and nothing else can be run again for
//! its derivative (model 1.11); then the callee is studied in the setting of the call, as one whose results nobody looks
//! at. Other calls have their derivative made in two halves.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::active::{Active, find_active};
use super::liveness::{Kept, Live, find_live};
use super::recorded::{Recorded, find_recorded};
use super::useful::Outputs;
use super::uses::{CalleeUses, Rerun, Uses, find_uses};
use super::varied::Inputs;
use super::write::{Written, find_written};
use crate::analyses::memory::body::Body;
use crate::analyses::memory::element::Element;
use crate::analyses::memory::touch::Kind;
use crate::analyses::pointers::Base;
use crate::analyses::summarise::Bodies;
use crate::analyses::summary::{Input, Output, Summary};
use crate::model::{Function, Inst, LoopId, Program, ValueId};
use crate::request::{Activity, Request};

/// What is active around a function, and what of it is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub kept: Kept,
}

/// What holds of one function in one setting.
pub struct Facts<'b, 'a> {
    pub body: &'b Body<'a>,
    pub active: &'b Active<'b, 'a>,
    pub uses: &'b Uses,
    pub live: &'b Live<'b, 'a>,
    pub recorded: &'b Recorded<'b, 'a>,
    pub written: &'b Written<'b, 'a>,
}

/// Studies functions; what it has found of called ones it keeps.
pub struct Study<'b, 'a> {
    pub bodies: &'b Bodies<'a>,
    reruns: Reruns,
    callees: RefCell<BTreeMap<(String, Setting), CalleeUses>>,
}

/// Which calls are run again for their derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reruns {
    Never,
    /// Those of functions that compute and nothing else.
    WherePossible,
}

impl<'b, 'a> Study<'b, 'a> {
    pub fn of(bodies: &'b Bodies<'a>, reruns: Reruns) -> Study<'b, 'a> {
        Study { bodies, reruns, callees: RefCell::default() }
    }

    /// `None` where the function has no body. Each iteration of a `fused` loop is reversed right behind itself.
    pub fn facts<T>(
        &self,
        name: &str,
        setting: &Setting,
        fused: &BTreeSet<LoopId>,
        ask: &mut dyn FnMut(&Facts) -> T,
    ) -> Option<T> {
        let body = self.bodies.body(name)?;
        let setting = setting.spread(body);
        let active = find_active(body, &setting.inputs, &setting.outputs);
        let uses = find_uses(body, &active, &|id, inst| self.callee_uses(body, &active, id, inst));
        let live = find_live(body, &uses, &setting.kept);
        let recorded = find_recorded(body, &uses, &live, fused);
        let written = find_written(body, &uses, &live, &recorded);
        Some(ask(&Facts {
            body,
            active: &active,
            uses: &uses,
            live: &live,
            recorded: &recorded,
            written: &written,
        }))
    }

    /// The functions that are run again for their derivatives, each in its setting.
    pub fn settings_of_calls(&self, facts: &Facts) -> Vec<(String, Setting)> {
        let calls = facts.body.insts().filter(|(id, _)| facts.uses.reruns(*id));
        let setting = |(id, inst): (ValueId, &Inst)| {
            let (inputs, outputs) = facts.active.at_call(facts.body, id, inst);
            Some((
                inst.callee_name()?.to_owned(),
                setting_of_call(facts.body.callee(inst)?, &inputs, &outputs),
            ))
        };
        calls.filter_map(setting).collect()
    }

    /// What the derivative of a called function reads.
    fn callee_uses(&self, body: &Body, active: &Active, id: ValueId, inst: &Inst) -> CalleeUses {
        let summary = body.callee(inst).filter(|summary| self.reruns != Reruns::Never && !summary.effects);
        let (Some(name), Some(summary)) = (inst.callee_name(), summary) else { return CalleeUses::Halves };
        let (inputs, outputs) = active.at_call(body, id, inst);
        let setting = setting_of_call(summary, &inputs, &outputs);
        let key = (name.to_owned(), setting);
        if let Some(known) = self.callees.borrow().get(&key) {
            return known.clone();
        }
        // Met again while it is being studied, it is taken to read everything.
        self.callees.borrow_mut().insert(key.clone(), CalleeUses::Everything);
        let found = self.facts(name, &key.1, &BTreeSet::new(), &mut |facts| self.inputs_read(name, facts));
        let found = found.unwrap_or(CalleeUses::Everything);
        self.callees.borrow_mut().insert(key, found.clone());
        found
    }

    fn inputs_read(&self, name: &str, facts: &Facts) -> CalleeUses {
        let mut rerun = Rerun::default();
        let (live, written) = (facts.live.at_entry(), facts.written.at_entry());
        for (bit, kind) in
            live.iter().map(|bit| (bit, Kind::Read)).chain(written.iter().map(|bit| (bit, Kind::Write)))
        {
            match facts.body.elements.element(bit) {
                Element::Value(id) => drop(rerun.params.insert(id.0 as usize)),
                Element::Touch(touch, _) if facts.body.touch(touch).inst().is_none() => {}
                Element::Touch(touch, _) => match (self.bodies.place(name, touch), kind) {
                    (Some(place), Kind::Read) => drop(rerun.reads.insert(place)),
                    (Some(place), Kind::Write) => drop(rerun.overwrites.insert(place)),
                    (None, _) if facts.body.touch(touch).bases.iter().all(Base::is_local) => {}
                    (None, _) => return CalleeUses::Everything,
                },
            }
        }
        CalleeUses::Rerun(rerun)
    }
}

fn setting_of_call(summary: &Summary, inputs: &BTreeSet<Input>, outputs: &BTreeSet<Output>) -> Setting {
    let base = |at: &usize| summary.places[*at].base.clone();
    let mut setting = Setting::default();
    for input in inputs {
        match input {
            Input::Param(at) => drop(setting.inputs.values.insert(ValueId(*at as u32))),
            Input::Place(at) => drop(setting.inputs.memory.insert(base(at))),
        }
    }
    for output in outputs {
        match output {
            Output::Result => setting.outputs.result = true,
            Output::Place(at) => drop(setting.outputs.memory.insert(base(at))),
        }
    }
    setting.kept.effects = true;
    setting
}

impl Setting {
    /// The setting that a request describes.
    pub fn of_request(program: &Program, function: &Function, request: &Request) -> Setting {
        let mut setting = Setting::default();
        let mut reached = BTreeSet::new();
        for id in function.param_ids() {
            let activity = request.activity(id.0 as usize);
            let pointer = function.value_type(id).holds_pointer();
            match (activity.is_active(), pointer) {
                (true, true) => drop(reached.insert(Base::Param(id))),
                (true, false) => drop(setting.inputs.values.insert(id)),
                (false, _) => {}
            }
            if pointer && activity != Activity::DupNoNeed {
                setting.kept.memory.insert(Base::Param(id));
            }
        }
        if !reached.is_empty() {
            // Pointers found in active memory lead to active memory.
            reached.insert(Base::Unknown);
        }
        let globals =
            function.insts.iter().flat_map(|inst| &inst.operands).filter_map(|operand| match operand {
                crate::model::Operand::Const(constant) => constant.symbol(),
                crate::model::Operand::Value(_) => None,
            });
        let globals = globals.filter(|name| program.global(name).is_some());
        setting.kept.memory.extend(globals.map(|name| Base::Global(name.into())));
        setting.kept.memory.insert(Base::Unknown);
        setting.kept.effects = true;
        setting.kept.result = request.primal_return;
        setting.inputs.memory = reached.clone();
        setting.outputs = Outputs { result: request.active_return, memory: reached };
        setting
    }

    /// With every base of a function that `Base::Unknown` stands for.
    fn spread(&self, body: &Body) -> Setting {
        let mut setting = self.clone();
        let found: BTreeSet<Base> = body
            .touches
            .iter()
            .flat_map(|touch| touch.bases.iter())
            .filter(|base| {
                matches!(base, Base::Loaded(_) | Base::Returned(_))
                    || (base.is_local() && body.captured.contains(base))
            })
            .cloned()
            .collect();
        for memory in [&mut setting.inputs.memory, &mut setting.outputs.memory, &mut setting.kept.memory] {
            if memory.contains(&Base::Unknown) {
                memory.extend(found.iter().cloned());
            }
        }
        setting
    }
}
