//! What the analyses find out about each request of a module, as text. The module stays as it is.
//!
//! Functions are looked at as they are differentiated, but for one thing: what is marked `noinline` stays a call, so that
//! what is known of calls can be seen.

use std::collections::BTreeSet;

use backsweep_core::analyses::adjoint::describe::{Topic, describe_facts as describe};
use backsweep_core::analyses::adjoint::study::{Reruns, Setting, Study};
use backsweep_core::analyses::summarise::Bodies;
use backsweep_core::model::{Layout, Program};
use backsweep_core::request::{Hook, Request, parse_request};
use backsweep_core::rules::Rules;

use crate::extract::extract_prepared;
use crate::known::{Calls, Known};
use crate::llvm::{Module, shim};
use crate::prepare::prepare_all;
use crate::requests::{Targets, find_sites, find_targets};

/// The facts on one topic, by the name of its printing pass.
pub fn describe_facts(module: Module, context: *mut shim::Context, topic: &str) -> String {
    let Some(topic) = Topic::of(topic) else { return String::new() };
    describe_requests(module, context, Calls::AsMarked, &|program, rules, name, request| {
        let bodies = Bodies::of(program, rules, name);
        let study = Study::of(&bodies, Reruns::WherePossible);
        let Some(function) = program.function(name) else { return String::new() };
        let setting = Setting::of_request(program, function, request);
        describe(&study, name, &setting, &BTreeSet::new(), topic)
    })
}

/// One text for each request whose function is known, in order.
pub fn describe_requests(
    module: Module,
    context: *mut shim::Context,
    calls: Calls,
    describe: &dyn Fn(&Program, &Rules, &str, &Request) -> String,
) -> String {
    let known = Known { calls, ..Known::of(module, context) };
    let layout = Layout::parse(&module.layout());
    let mut text = String::new();
    for site in find_sites(module) {
        let (Hook::Derivative(mode), Some(Targets::One(function))) =
            (site.hook, site.function_operand().map(find_targets))
        else {
            continue;
        };
        if function.is_declaration() && !known.is_told(function) {
            continue;
        }
        let prepared = prepare_all(module, context, function, &known);
        let name = prepared.copy.name();
        let program = extract_prepared(module, context, &prepared, &known).program;
        let request =
            program.function(&name).map(|model| parse_request(&site.read(module, mode), model, &layout));
        match request {
            Some(Ok(request)) => text.push_str(&describe(&program, &known.rules, &name, &request)),
            Some(Err(refusals)) => refusals.iter().for_each(|refusal| text.push_str(&format!("{refusal}\n"))),
            None => {}
        }
        prepared.delete(context);
    }
    known.custom.delete_adapters(context);
    text
}
