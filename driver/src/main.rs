//! `backsweep`: differentiates a function at a point, and runs LLVM's tools with the plugin loaded.
//!
//! Exit status: 0, 1 where the driver refuses (one line says why), 2 for a wrong command line. `backsweep opt` and the
//! wrapped compilers exit as the tool did.

mod json;
mod refusal;

mod install;
mod progress;
mod scratch;

mod debug_info;
mod ir_text;
mod near;
mod signature;

mod harness;
mod point;
mod translate;

mod complex_step;
mod narrowing;
mod probes;
mod subject;

mod check;
mod explain;
mod grad;

mod link_phase;
mod wrapper;

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::{Args, Parser, Subcommand};

use check::CheckRequest;
use explain::ExplainRequest;
use grad::GradRequest;
use install::Install;
use refusal::{Code, Refusal};
use wrapper::Compiler;

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
    /// Compare reverse mode with forward mode and with central differences, at a point or at random ones
    Check(CheckRequest),
    /// Tell for each line what the gradient records there, what stands in the way, and what to write instead
    Explain(ExplainRequest),
    /// Compile and link C with clang, plugin and runtime: CC="backsweep cc"
    #[command(disable_help_flag = true)]
    Cc(Wrapped),
    /// The same with clang++: CXX="backsweep c++"
    #[command(name = "c++", disable_help_flag = true)]
    Cpp(Wrapped),
    /// The same with flang: FC="backsweep fc"
    #[command(disable_help_flag = true)]
    Fc(Wrapped),
    /// The same with rustc
    #[command(disable_help_flag = true)]
    Rustc(Wrapped),
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

/// Here for the help text; `wrapper::find_call` takes the words before clap could change them (it drops a `--`).
#[derive(Args)]
struct Wrapped {
    /// Arguments of the compiler; --lto also differentiates functions of other files, when linking
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
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
    let result = match wrapper::find_call(env::args_os()) {
        Some((compiler, arguments)) => wrapper::run_compiler(compiler, arguments),
        None => run_task(Cli::parse().command),
    };
    result.unwrap_or_else(|refusal| {
        eprintln!("backsweep: {refusal}");
        ExitCode::FAILURE
    })
}

fn run_task(task: Task) -> Result<ExitCode, Refusal> {
    match task {
        Task::Grad(request) => grad::print_gradient(&request),
        Task::Check(request) => check::check_gradient(&request),
        Task::Explain(request) => explain::explain_function(&request),
        Task::Cc(call) => wrapper::run_compiler(Compiler::C, call.arguments),
        Task::Cpp(call) => wrapper::run_compiler(Compiler::Cpp, call.arguments),
        Task::Fc(call) => wrapper::run_compiler(Compiler::Fortran, call.arguments),
        Task::Rustc(call) => wrapper::run_compiler(Compiler::Rust, call.arguments),
        Task::Opt { arguments } => run_opt(&arguments),
        Task::Config(request) => print_config(&request),
    }
}

fn run_opt(arguments: &[OsString]) -> Result<ExitCode, Refusal> {
    let install = Install::find()?;
    let mut plugin = OsString::from("-load-pass-plugin=");
    plugin.push(install.plugin()?);
    let status = Command::new(install::find_tool("opt")?)
        .arg(plugin)
        .args(arguments)
        .status()
        .map_err(|error| Refusal::new(Code::Installation, format!("opt does not start: {error}")))?;
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
