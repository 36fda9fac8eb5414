//! `backsweep`: differentiates a function at a point, and runs LLVM's tools with the plugin loaded.
//!
//! Exit status: 0, 1 where the driver refuses (one line says why), 2 for a wrong command line. `backsweep opt`
//! exits as opt did.

mod refusal;

mod install;
mod scratch;

mod debug_info;
mod ir_text;
mod near;
mod signature;

mod harness;
mod point;
mod translate;

mod grad;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::{Args, Parser, Subcommand};

use grad::GradRequest;
use install::Install;
use refusal::Refusal;

#[derive(Parser)]
#[command(name = "backsweep", version, about = "Derivatives of compiled programs")]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Print the value and the gradient of a function at a point
    Grad(GradRequest),
    /// Run opt with the plugin loaded
    #[command(disable_help_flag = true)]
    Opt {
        /// Arguments of opt, for example -passes='print<backsweep-model>' file.ll
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Print what a build system needs to use the plugin
    Config(ConfigRequest),
}

#[derive(Args)]
#[group(required = true, multiple = true)]
struct ConfigRequest {
    /// Path of the plugin
    #[arg(long)]
    plugin: bool,
    /// What to link: the runtime and the libraries it needs
    #[arg(long)]
    libs: bool,
    /// Compiler flags: the include directory and the plugin
    #[arg(long)]
    cflags: bool,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Task::Grad(request) => grad::print_gradient(&request),
        Task::Opt { arguments } => run_opt(&arguments),
        Task::Config(request) => print_config(&request),
    };
    result.unwrap_or_else(|refusal| {
        eprintln!("backsweep: {refusal}");
        ExitCode::FAILURE
    })
}

fn run_opt(arguments: &[OsString]) -> Result<ExitCode, Refusal> {
    let install = Install::find()?;
    let mut plugin = OsString::from("-load-pass-plugin=");
    plugin.push(install.plugin()?);
    let status = Command::new(install::find_tool("opt")?)
        .arg(plugin)
        .args(arguments)
        .status()
        .map_err(|error| Refusal::new(format!("opt does not start: {error}")))?;
    // A signal leaves no code; 1 says "failed" without inventing one.
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

fn print_config(request: &ConfigRequest) -> Result<ExitCode, Refusal> {
    let install = Install::find()?;
    if request.plugin {
        println!("{}", install.plugin()?.display());
    }
    if request.cflags {
        println!("-I{} -fpass-plugin={}", install.include()?.display(), install.plugin()?.display());
    }
    if request.libs {
        println!("{} {}", install.runtime()?.display(), install::SYSTEM_LIBRARIES.join(" "));
    }
    Ok(ExitCode::SUCCESS)
}
