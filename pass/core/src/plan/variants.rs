//! A request needs the derivatives of called functions too: the plans of all of them, each variant once.

use std::collections::BTreeSet;

use super::arrivals::Arrival;
use super::globals::GlobalShadow;
use super::half::plan_half;
use super::joint::{Joint, find_places, gradient_name, gradient_of};
use super::partings::find_partings;
use super::price::Price;
use super::revived::refuse_revived;
use super::separation::plan_separation;
use super::{Plan, contracted_name, make_plan, make_plan_apart};
use crate::config::{Config, Switch};
use crate::model::{Function, Program, ValueId};
use crate::refusal::Refusal;
use crate::request::{Activity, Mode, Request};
use crate::rules::Rules;

/// One derivative function: its plan and its name.
pub struct Variant {
    pub name: String,
    pub plan: Plan,
}

/// The function that cannot be differentiated, and why.
pub struct Refused {
    pub function: String,
    pub refusals: Vec<Refusal>,
}

/// The plan of a request first, then those of the functions that its derivative calls. Where one of these makes a shadow of a
/// global that others of them touch without one, all are planned anew with one shadow for all, if that goes.
pub fn make_plans(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
) -> Result<Vec<Variant>, Refused> {
    let _remembering = program.remember();
    let mut request = request.clone();
    let mut variants = plan_carried(function, program, rules, &mut request, config)?;
    loop {
        let known = request.shared.len();
        request.shared.extend(parted_globals(&variants));
        if request.shared.len() == known {
            return Ok(variants);
        }
        match plan_carried(function, program, rules, &mut request, config) {
            Ok(shared) => variants = shared,
            Err(_) => return Ok(variants),
        }
    }
}

/// The globals of which a function that is called may have another shadow than its caller: what `make_plans` could not mend.
/// A derivative that finds two of one memory when it runs ends with a message.
pub fn parted_globals(variants: &[Variant]) -> BTreeSet<String> {
    let called = variants.iter().filter(|variant| variant.plan.request.nested);
    called.flat_map(|variant| own_globals(&variant.plan)).collect()
}

/// The globals that a called function makes a shadow of that its caller knows nothing of, and compares with what it is given: the
/// caller may hand over the same global without a shadow.
fn own_globals(plan: &Plan) -> BTreeSet<String> {
    let compared = plan.arrivals.values().flatten().filter_map(|arrival| match arrival {
        Arrival::Belongs(name) => Some(name),
        Arrival::Outside(_) | Arrival::HasShadow | Arrival::Elements => None,
    });
    let made = |name: &&String| {
        let choice = plan.globals.get(*name).map(|decision| &decision.choice);
        matches!(choice, Some(GlobalShadow::Slot { .. } | GlobalShadow::Heap { .. }))
    };
    compared.filter(made).cloned().collect()
}

/// Where two halves of a derivative are among what is called, one may tell that pointers in their records need shadows: then all
/// are planned anew.
fn plan_carried(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &mut Request,
    config: &Config,
) -> Result<Vec<Variant>, Refused> {
    loop {
        let refused = match plan_once(function, program, rules, request, config) {
            Ok(variants) => return refuse_revived(program, &variants).map_or(Ok(variants), Err),
            Err(refused) => refused,
        };
        let known = request.carried.len();
        request.carried.extend(refused.refusals.iter().flat_map(|refusal| refusal.carries.clone()));
        if request.carried.len() == known {
            return Err(refused);
        }
    }
}

fn plan_once(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
) -> Result<Vec<Variant>, Refused> {
    let plan = |function: &Function, request: &Request| {
        make_plan(function, program, rules, request, config)
            .map_err(|refusals| Refused { function: function.name.clone(), refusals })
    };
    let mut variants = vec![Variant { name: variant_name(request), plan: plan(function, request)? }];
    if let Some(apart) = plan_version(&mut variants[0].plan, function, program, rules, config) {
        variants.push(apart);
    }
    let half = |function: &Function, request: &Request, config: &Config| {
        joint_half(function, program, rules, request, config)
            .map_err(|refusals| Refused { function: function.name.clone(), refusals })
    };
    let (mut known, mut next) = (BTreeSet::new(), 0);
    while next < variants.len() {
        for wanted in called_variants(&variants[next].plan) {
            let name = variant_name(&wanted);
            let callee = program.function(&wanted.function);
            if let Some(callee) = callee.filter(|_| known.insert(name.clone())) {
                let plan = match wanted.joint && wanted.nested {
                    true => half(callee, &wanted, config)?,
                    false => plan(callee, &wanted)?,
                };
                variants.push(Variant { name, plan });
            }
        }
        next += 1;
    }
    Ok(variants)
}

/// One half of a call that runs twice.
fn joint_half(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
) -> Result<Plan, Vec<Refusal>> {
    match find_places(function, program, rules, &request.steady) {
        Ok(places) => {
            let split = Request { joint: false, steady: Vec::new(), ..request.clone() };
            let joint = Joint { places, split, gradient: gradient_of(request) };
            plan_half(function, program, rules, request, config, joint)
        }
        // Who plans a call asks the same before.
        Err(_) => make_plan(
            function,
            program,
            rules,
            &Request { joint: false, steady: Vec::new(), ..request.clone() },
            config,
        ),
    }
}

/// Where overlapping parameters are all that makes a plan record or compute more, a version for those that are apart; the plan
/// then tests for it.
fn plan_version(
    plan: &mut Plan,
    function: &Function,
    program: &Program,
    rules: &Rules,
    config: &Config,
) -> Option<Variant> {
    let left = |plan: &Plan| plan.omitted.len();
    if plan.request.mode != Mode::Gradient || config.analyses.guard == Switch::Off {
        return None;
    }
    let body = plan.body(program)?;
    let mut separation = plan_separation(body, program, &plan.activity).unwrap_or_default();
    separation.partings = find_partings(body, program, rules, &plan.activity, &separation);
    if separation.is_empty() {
        return None;
    }
    let original =
        |id: ValueId| plan.local.as_ref().and_then(|local| local.attached.origin(id)).unwrap_or(id);
    let as_given = separation.renumbered(function, &original);
    let version = make_plan_apart(function, program, rules, &plan.request, config, Some(as_given)).ok()?;
    let bytes = |plan: &Plan| plan.body(program).map(|body| Price::of(plan, body, program, rules).bytes);
    (bytes(&version)? < bytes(plan)? || left(&version) > left(plan)).then(|| {
        plan.separation = Some(separation);
        Variant { name: version_name(&plan.request), plan: version }
    })
}

/// The name of the version for parameters that are apart.
pub fn version_name(request: &Request) -> String {
    format!("backsweep.apart.{}", request.variant().replace(' ', "_"))
}

/// The derivatives that a planned one calls.
fn called_variants(plan: &Plan) -> Vec<Request> {
    let mut wanted = Vec::new();
    if let Some(joint) = &plan.joint {
        wanted.push(joint.split.clone());
        wanted.extend((plan.request.mode == Mode::Reverse).then(|| joint.gradient.clone()));
    }
    let contracted = plan.local.iter().flat_map(|local| &local.contracted);
    wanted.extend(contracted.map(|contracted| contracted.request.clone()));
    for call in plan.calls.values().filter(|call| call.custom.is_none()) {
        match plan.request.mode {
            Mode::Tangent | Mode::Reverse => wanted.push(call.request.clone()),
            Mode::Augmented => wanted.push(call.augmented()),
            Mode::Gradient => wanted.extend([call.augmented(), call.request.clone()]),
        }
    }
    wanted
}

/// Names the derivative of a function: the same for the same variant, and for no other.
pub fn variant_name(request: &Request) -> String {
    let base = format!("backsweep.{}.{}", request.mode.name(), request.function);
    match (request.nested, request.joint) {
        (false, true) => gradient_name(request),
        (false, false) if request.contracted => contracted_name(request),
        (false, false) => base,
        (true, joint) => format!("{base}{}.{}", if joint { ".joint" } else { "" }, letters_of(request)),
    }
}

/// What tells the variants of one function's derivative apart.
pub fn letters_of(request: &Request) -> String {
    let letter = |activity: Activity| match activity {
        Activity::Const => 'c',
        Activity::Dup => 'd',
        Activity::DupNoNeed => 'n',
        Activity::DupFresh => 'f',
        Activity::Out => 'o',
    };
    let letters: String = request.arguments.iter().map(|argument| letter(argument.activity)).collect();
    let active = if request.active_return { "r" } else { "" };
    let shadow = if request.shadow_return { "s" } else { "" };
    let globals: String = request.globals.iter().map(|global| format!(".{global}")).collect();
    let steady: String = request.steady.iter().map(|param| format!(".{param}")).collect();
    let carried: String = request.carried.iter().map(|place| format!(".{place}")).collect();
    format!("{letters}.{active}{shadow}{}{steady}{globals}{carried}", request.width)
}
