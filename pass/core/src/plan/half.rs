//! The plan of one half of a call that runs twice: what its signature is and which places it saves, and nothing else.

use super::{Joint, Plan, find_contraction, plan_params};
use crate::analyses::activity::find_activity;
use crate::config::Config;
use crate::config::Switch;
use crate::model::{Function, Program};
use crate::refusal::Refusal;
use crate::request::{Request, expected_parts};
use crate::rules::Rules;

/// One half of a call that runs twice: it has the parameters of any half, and decides nothing else.
pub fn plan_half(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
    joint: Joint,
) -> Result<Plan, Vec<Refusal>> {
    let activity = find_activity(function, program, rules, request)?;
    Ok(Plan {
        function: function.name.clone(),
        params: plan_params(function, request),
        results: expected_parts(request, function),
        request: request.clone(),
        strong_zero: config.strong_zero,
        sums: config.sums,
        contract: find_contraction(function),
        typed: Switch::Off,
        abreast: Switch::Off,
        invert: config.analyses.invert,
        activity,
        joint: Some(joint),
        storage: Default::default(),
        shadows: Default::default(),
        omitted: Default::default(),
        restored: Default::default(),
        left: Default::default(),
        reruns: Default::default(),
        merges: Default::default(),
        globals: Default::default(),
        pointers_in: Default::default(),
        arrivals: Default::default(),
        records: Default::default(),
        recounts: Default::default(),
        arrays: Default::default(),
        fresh: Default::default(),
        rows: Default::default(),
        fused: Default::default(),
        rooms: Default::default(),
        strips: Default::default(),
        resident: Default::default(),
        numbers: Default::default(),
        idle: Default::default(),
        separation: None,
        apart: None,
        calls: Default::default(),
        may_be_left: false,
        copies: Default::default(),
        slots: Default::default(),
        local: None,
    })
}
