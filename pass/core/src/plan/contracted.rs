//! Calls with a small interface that give their partial derivatives at once: interface contraction.
//!
//! A call `z = f(a, b, …)` whose active arguments are a few numbers, and which gives one and does nothing else that carries a
//! derivative, is wholly told by `∂z/∂a` and `∂z/∂b`. The forward sweep then runs the gradient of `f` in its place, with one as the
//! adjoint of `z`: that gives the result and the partials, and takes back from the tape all that it has put there. The partials are
//! values of the caller, like any other; the reverse sweep multiplies, and does not call `f`. However many passes the loops of `f`
//! make, what a call may leave on the tape is those numbers. The work is that of a call that records as it goes: the callee runs
//! forwards once and backwards once, only sooner.
//! Whatever else the callee does, it does as often and in the same order. It must write nothing that the caller may read again on
//! the way back, and call nothing that calls it.
//! Safe error: not contracted (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::local::{Local, plan_with_local};
use super::price::Price;
use super::variants::letters_of;
use super::{Given, Plan, PlannedCall, Planner};
use crate::analyses::effects::Effects;
use crate::analyses::exceptions::{is_guarded, may_be_left};
use crate::config::{Preaccumulate, StrongZero, Switch};
use crate::model::{CALLED_CONTRACTED, FloatKind, Function, Inst, Program, Type, ValueId};
use crate::preaccumulation::contracted::{ContractedCall, Interface, contract};
use crate::refusal::Refusal;
use crate::request::{Activity, Fit, Mode, Request};

/// One such call, and the request for the gradient that answers it.
#[derive(Clone, Debug)]
pub struct Contracted {
    pub at: ContractedCall,
    pub request: Request,
    pub reason: String,
}

/// More partials than these are mostly more than what the callee records.
const MOST_ACTIVE: usize = 4;

/// The plan of a function in which calls are contracted where the user, or who chooses for him, has said so.
pub fn plan_with_contracted(given: &Given, planner: &Planner) -> Result<Plan, Vec<Refusal>> {
    let mut plain = plan_with_local(given, planner)?;
    if plain.request.mode != Mode::Gradient || !calls_marked(given.function, given.program) {
        return Ok(plain);
    }
    let (mut chosen, mut refused) = (Chosen::new(), BTreeMap::new());
    for (id, call) in marked_calls(&mut plain, given.program) {
        match find_interface(given, id, call) {
            Ok(found) => drop(chosen.insert(id, found)),
            Err(reason) => drop(refused.insert(id, reason)),
        }
    }
    let mut plan = match plan_contracted(given, planner, &chosen) {
        Some(plan) => plan,
        None => {
            let reason = || "there is no plan of its caller then".to_string();
            refused.extend(chosen.into_keys().map(|id| (id, reason())));
            plain
        }
    };
    for (id, call) in marked_calls(&mut plan, given.program) {
        let reason = refused.get(&id);
        call.uncontracted = reason.map(|reason| format!("it should be contracted, and it cannot: {reason}"));
    }
    Ok(plan)
}

type Chosen = BTreeMap<ValueId, (Interface, Request)>;

/// The plan with these calls contracted; none where there are none.
fn plan_contracted(given: &Given, planner: &Planner, chosen: &Chosen) -> Option<Plan> {
    if chosen.is_empty() {
        return None;
    }
    let interfaces = chosen.iter().map(|(id, (interface, _))| (*id, interface.clone())).collect();
    let (first, written) = contract(given.function, given.program, &interfaces);
    let number_of = |id: ValueId| first.number(id).unwrap_or(id);
    let body = Given { function: &first.function, ..*given };
    let mut plan =
        plan_with_local(&body, &|function, number| planner(function, &|id| number(number_of(id)))).ok()?;
    let inner = plan.local.take();
    let number = |id| inner.as_ref().and_then(|inner| inner.attached.number(id)).unwrap_or(id);
    let contracted = written.iter().map(|(id, call)| Contracted {
        at: call.renumbered(&number),
        request: chosen[id].1.clone(),
        reason: "its gradient runs at once, and its partial derivatives are what is kept of it".into(),
    });
    let contracted = contracted.collect();
    plan.local = Some(match inner {
        Some(Local { attached, prices, recipes, .. }) => {
            Local { attached: attached.behind(&first), contracted, prices, recipes }
        }
        None => {
            let price = Price::of(&plan, &first.function, given.program, given.rules);
            Local { attached: first, contracted, prices: (price, price), recipes: Vec::new() }
        }
    });
    Some(plan)
}

/// Whether a function calls one whose calls are to be contracted.
fn calls_marked(function: &Function, program: &Program) -> bool {
    function.insts.iter().filter_map(Inst::callee_name).any(|name| is_marked(program, name))
}

fn is_marked(program: &Program, callee: &str) -> bool {
    let marks = program.function(callee).into_iter().flat_map(|function| &function.attributes);
    marks.into_iter().any(|text| text == CALLED_CONTRACTED)
}

/// Those that the plan has as calls, by their numbers in the function that was given.
fn marked_calls<'a>(plan: &'a mut Plan, program: &'a Program) -> Vec<(ValueId, &'a mut PlannedCall)> {
    let (calls, local) = (&mut plan.calls, &plan.local);
    let origin = |id: ValueId| match local {
        Some(local) => local.attached.origin(id),
        None => Some(id),
    };
    let marked = calls.iter_mut().filter(|(_, call)| is_marked(program, &call.callee));
    marked.filter_map(|(id, call)| Some((origin(*id)?, call))).collect()
}

/// What is active of a call, and the request for its partials; or why there is none.
fn find_interface(given: &Given, id: ValueId, call: &PlannedCall) -> Result<(Interface, Request), String> {
    let Given { function, program, rules, config } = *given;
    let analyses = &config.analyses;
    if analyses.contract == Switch::Off || analyses.preaccumulate == Preaccumulate::Never {
        return Err("that is switched off, or derivatives are differentiated once more".into());
    }
    let (Some(inst), Some(callee)) = (function.inst(id), program.function(&call.callee)) else {
        return Err("there is no such call".into());
    };
    if call.custom.is_some() {
        return Err("its derivative is a rule that the program gives".into());
    }
    let given: Vec<Type> = inst.arguments().iter().map(|x| function.operand_type(x)).collect();
    if callee.ret != inst.ty || !callee.params.iter().map(|param| &param.ty).eq(&given) || callee.variadic {
        return Err("it is called as another function than it is".into());
    }
    let active = find_active(inst, function, &call.request)?;
    if is_guarded(inst) || may_be_left(callee, program, rules) {
        return Err("an exception may leave it".into());
    }
    if comes_back(program, &call.callee) {
        return Err("it calls itself".into());
    }
    let effects = Effects::of_callees(function, program, rules, &call.request.carried);
    let Some(effect) = effects.of_callee(inst) else { return Err("what it does is not known".into()) };
    if effect.leaves || effect.unfollowed {
        return Err("it calls what is out of sight, or follows pointers that it finds".into());
    }
    if !effect.changed.is_empty() || !effect.written.is_empty() || effect.frees_others {
        return Err("it writes to memory that is not its own".into());
    }
    let guarded = config.strong_zero != StrongZero::Never;
    Ok((Interface { active, guarded }, request_of(&call.request)))
}

/// The active arguments: numbers of the type of the result, by value, and nothing beside them.
fn find_active(inst: &Inst, function: &Function, request: &Request) -> Result<Vec<usize>, String> {
    let number = matches!(inst.ty, Type::Float(FloatKind::Single | FloatKind::Double));
    if !number || !request.active_return {
        return Err("what it gives is not one active number".into());
    }
    if !request.globals.is_empty() || request.arguments.iter().any(|x| x.activity.has_shadow()) {
        return Err("it is handed active memory".into());
    }
    let arguments = request.arguments.iter().enumerate();
    let active: Vec<usize> =
        arguments.filter(|(_, x)| x.activity == Activity::Out).map(|(at, _)| at).collect();
    if active.iter().any(|at| function.operand_type(&inst.arguments()[*at]) != inst.ty) {
        return Err("its active arguments are of other types than its result".into());
    }
    match active.len() {
        0 => Err("no argument is active".into()),
        1..=MOST_ACTIVE => Ok(active),
        more => Err(format!("{more} arguments are active, and {MOST_ACTIVE} may be")),
    }
}

/// A whole gradient for one as the adjoint of the result, with the result beside it.
fn request_of(call: &Request) -> Request {
    Request {
        mode: Mode::Gradient,
        width: 1,
        seeds: Vec::new(),
        tape: None,
        primal_return: true,
        nested: false,
        joint: false,
        contracted: true,
        steady: Vec::new(),
        fit: Fit::Same,
        ..call.clone()
    }
}

/// Whether a function may come to call itself.
fn comes_back(program: &Program, name: &str) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![name]);
    while let Some(caller) = waiting.pop() {
        let body = program.function(caller).into_iter().flat_map(|function| &function.insts);
        for callee in body.filter_map(Inst::callee_name) {
            if callee == name {
                return true;
            }
            if seen.insert(callee) {
                waiting.push(callee);
            }
        }
    }
    false
}

/// The name of such a gradient, which no request of a user's has.
pub fn contracted_name(request: &Request) -> String {
    format!("backsweep.contracted.{}.{}", request.function, letters_of(request))
}

impl fmt::Display for Contracted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.at.end().unwrap_or(self.at.call).0;
        write!(f, "%{end}: contracted, %{} calls {}; {}", self.at.call.0, self.request, self.reason)
    }
}
