//! The linearised graphs of each request of a module, before and after elimination, as text. The module stays as it is.

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::{Config, Switch};
use backsweep_core::preaccumulation::dot::{export_dot, frame_dot};
use backsweep_core::preaccumulation::flatten::{Reader, Split};
use backsweep_core::preaccumulation::report::describe_graphs;

use crate::facts::describe_requests;
use crate::known::Calls;
use crate::llvm::{Module, shim};

/// The graphs, one edge a line.
pub fn describe_all_graphs(module: Module, context: *mut shim::Context, config: &Config) -> String {
    write_graphs(module, context, config, &|reader| {
        describe_graphs(reader, split_of(config), config.eliminate.as_ref())
    })
}

/// The same for Graphviz.
pub fn export_all_graphs(module: Module, context: *mut shim::Context, config: &Config) -> String {
    frame_dot(&write_graphs(module, context, config, &|reader| {
        export_dot(reader, split_of(config), config.eliminate.as_ref())
    }))
}

fn split_of(config: &Config) -> Split {
    match config.layered {
        Switch::On => Split::Layered,
        Switch::Off => Split::Contiguous,
    }
}

/// Functions are looked at as they are differentiated.
fn write_graphs(
    module: Module,
    context: *mut shim::Context,
    config: &Config,
    write: &dyn Fn(&Reader) -> String,
) -> String {
    describe_requests(module, context, Calls::Inline, &|program, rules, name, request| {
        let Some(function) = program.function(name) else { return String::new() };
        let strong_zero = config.strong_zero;
        match find_activity(function, program, rules, request) {
            Ok(activity) => write(&Reader { function, program, rules, activity: &activity, strong_zero }),
            Err(refusals) => refusals.iter().map(|refusal| format!("{refusal}\n")).collect(),
        }
    })
}
