//! What requests come to, as text: the module stays as it is.

use backsweep_core::config::Config;
use backsweep_core::explain::{describe_files, describe_refusals, describe_report, explain};
use backsweep_core::model::{Layout, Program};
use backsweep_core::plan::{Refused, Variant};
use backsweep_core::refusal::Refusal;
use backsweep_core::request::{Hook, parse_request};
use backsweep_core::rules::Rules;

use super::weighed::{Asked, Attempt};
use super::{is_nested, plan_request};
use crate::extract::extract_prepared;
use crate::known::Known;
use crate::llvm::{Module, shim};
use crate::prepare::prepare_all;
use crate::requests::{Targets, find_sites, find_targets};

/// What is said of the plans of one request, or of there being none: of the program they were made from, and by the name of
/// the user's function.
type Describe<'a> = dyn Fn(&Program, &Rules, Result<&[Variant], &[Refusal]>, &str) -> String + 'a;

/// The plan of every request whose function is known, as text; the module stays as it is.
pub fn describe_plans(module: Module, context: *mut shim::Context, config: &Config) -> String {
    describe_variants(module, context, config, &|_, _, made, _| match made {
        Ok(variants) => variants.iter().map(|variant| variant.plan.to_string()).collect(),
        Err(refusals) => refusals.iter().map(|refusal| format!("{refusal}\n")).collect(),
    })
}

/// What the plans of every request mean for the lines of the source, see `backsweep_core::explain::describe_report`.
pub fn explain_plans(module: Module, context: *mut shim::Context, config: &Config) -> String {
    describe_variants(module, context, config, &|program, rules, made, name| {
        let variants = match made {
            Ok(variants) => variants,
            Err(refusals) => return describe_files(program) + &describe_refusals(name, refusals),
        };
        let reports = explain(program, rules, variants);
        let texts = reports.iter().map(|report| {
            let own = report.function.name == variants[0].plan.function;
            describe_report(report, if own { name } else { &report.function.name })
        });
        describe_files(program) + &texts.collect::<String>()
    })
}

fn describe_variants(
    module: Module,
    context: *mut shim::Context,
    config: &Config,
    describe: &Describe,
) -> String {
    let mut known = Known::of(module, context).with(config);
    known.mark_numbers(module);
    let layout = Layout::parse(&module.layout());
    let mut text = String::new();
    let (sites, mut config) = (find_sites(module), config.clone());
    if is_nested(&sites) {
        config = config.for_nested();
        known.strategies.leave_unheeded();
    }
    for site in sites {
        let (Hook::Derivative(mode), Some(Targets::One(function))) =
            (site.hook, site.function_operand().map(find_targets))
        else {
            continue;
        };
        if function.is_declaration() && !known.is_known_by_call(function) {
            continue;
        }
        known.strategies.ask(&site);
        let asked = Asked { context, function, mode, config: &config };
        let Attempt { prepared, extraction, variants, .. } = asked.plan(&mut known, &|known| {
            let prepared = prepare_all(module, context, function, known);
            let (extraction, name) =
                (extract_prepared(module, context, &prepared, known), prepared.copy.name());
            let model = extraction.program.function(&name);
            let refuse = |refusals| Refused { function: name.clone(), refusals };
            let request = model.map_or_else(
                || Err(refuse(Vec::new())),
                |model| parse_request(&site.read(module, mode), model, &layout).map_err(refuse),
            );
            let given = request.as_ref().map(|request| site.constants(request)).unwrap_or_default();
            let variants = request.and_then(|request| {
                plan_request(&extraction.program, &name, &request, &known.rules, &config)
            });
            Attempt { prepared, extraction, variants, given }
        });
        let made = variants.as_ref().map(Vec::as_slice).map_err(|refused| refused.refusals.as_slice());
        text += &describe(&extraction.program, &known.rules, made, &function.name());
        prepared.delete(context);
    }
    known.custom.delete_adapters(context);
    text
}
