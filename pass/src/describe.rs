//! What the printing passes say of each request whose function is known. The module stays as it is.

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::Config;
use backsweep_core::model::{Function, Layout, Program};
use backsweep_core::preaccumulation::dot::{export_dot, frame_dot};
use backsweep_core::preaccumulation::flatten::Reader;
use backsweep_core::preaccumulation::report::describe_graphs;
use backsweep_core::refusal::Refusal;
use backsweep_core::request::{Hook, Request, parse_request};
use backsweep_core::rules::Rules;

use crate::differentiate::plan_request;
use crate::extract::extract_functions;
use crate::inactive::Inactive;
use crate::llvm::{Module, shim};
use crate::prepare::prepare;
use crate::requests::{Targets, find_sites, find_targets};

/// A request with the function it names, prepared as for differentiation.
struct Asked<'a> {
    program: &'a Program,
    function: &'a Function,
    request: Request,
    rules: &'a Rules,
    config: &'a Config,
}

type Described = Result<String, Vec<Refusal>>;

/// The plans.
pub fn describe_plans(module: Module, context: *mut shim::Context, config: &Config) -> String {
    describe_requests(module, context, config, &|asked| {
        let Asked { program, function, request, rules, config } = asked;
        plan_request(program, &function.name, request, rules, config).map(|plan| plan.to_string())
    })
}

/// The linearised graphs of straight-line code, before and after elimination.
pub fn describe_all_graphs(module: Module, context: *mut shim::Context, config: &Config) -> String {
    describe_requests(module, context, config, &|asked| read_graphs(asked, describe_graphs))
}

/// The same for Graphviz.
pub fn export_all_graphs(module: Module, context: *mut shim::Context, config: &Config) -> String {
    frame_dot(&describe_requests(module, context, config, &|asked| read_graphs(asked, export_dot)))
}

fn read_graphs(asked: &Asked, write: fn(&Reader) -> String) -> Described {
    let Asked { program, function, rules, .. } = *asked;
    let activity = find_activity(function, program, rules, &asked.request)?;
    let strong_zero = asked.config.strong_zero;
    Ok(write(&Reader { function, program, rules, activity: &activity, strong_zero }))
}

fn describe_requests(
    module: Module,
    context: *mut shim::Context,
    config: &Config,
    describe: &dyn Fn(&Asked) -> Described,
) -> String {
    let (rules, inactive) = (Rules::new(), Inactive::of(module));
    let layout = Layout::parse(&module.layout());
    let mut text = String::new();
    for site in find_sites(module) {
        let (Hook::Derivative(mode), Some(Targets::One(target))) =
            (site.hook, site.function_operand().map(find_targets))
        else {
            continue;
        };
        if target.is_declaration() {
            continue;
        }
        let copy = prepare(module, context, target, &rules, &inactive);
        let mut extraction = extract_functions(module, context, &[copy]);
        inactive.mark(&mut extraction.program);
        let program = &extraction.program;
        let described = program.function(&copy.name()).map(|function| {
            let request = parse_request(&site.read(module, mode), function, &layout)?;
            describe(&Asked { program, function, request, rules: &rules, config })
        });
        match described {
            Some(Ok(found)) => text.push_str(&found),
            Some(Err(refusals)) => {
                refusals.iter().for_each(|refusal| text.push_str(&format!("{refusal}\n")));
            }
            None => {}
        }
        copy.delete_function(context);
    }
    text
}
