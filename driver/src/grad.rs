//! `backsweep grad FILE --function F --at name=v1,v2,…`: the value and the gradient at one point.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;

use crate::harness;
use crate::install::Install;
use crate::point::bind_point;
use crate::refusal::Refusal;
use crate::scratch::Scratch;
use crate::signature::{Signature, find_signature};
use crate::translate::{Language, compile_harness, link_program, translate_to_ir};

#[derive(Args)]
pub struct GradRequest {
    /// C, C++, Fortran, Rust or LLVM IR
    file: PathBuf,
    /// Name of the function, as in the source or as a symbol
    #[arg(long)]
    function: String,
    /// One value per scalar parameter, a list per array: x=1.5 v=1,2,3
    #[arg(long = "at", value_name = "NAME=V1,V2,…", num_args = 1.., required = true)]
    at: Vec<String>,
    /// Flags for the compiler of FILE, after `--`
    #[arg(last = true)]
    flags: Vec<OsString>,
}

pub fn print_gradient(request: &GradRequest) -> Result<ExitCode, Refusal> {
    check_readable(&request.file)?;
    let install = Install::find()?;
    let language = Language::of_file(&request.file)?;
    let scratch = Scratch::create()?;

    let text = translate_to_ir(&request.file, language, &request.flags, &install, &scratch)?;
    let signature = find_signature(&text, &fold_case(&request.function, language))?;
    let at: Vec<String> = request.at.iter().map(|text| fold_case(text, language)).collect();
    let point = bind_point(&at, &signature)?;
    let labels = harness::plan_report(&signature, &point);
    if labels.is_empty() {
        return Err(Refusal::new(format!(
            "`{}` has no float parameter to differentiate for",
            signature.name
        )));
    }

    let module = scratch.path("harness.ll");
    fs::write(&module, harness::append_main(&text, &signature, &point))
        .map_err(|error| Refusal::new(format!("cannot write {}: {error}", module.display())))?;
    let object = compile_harness(&module, &install, &scratch)
        .map_err(|refusal| explain_memory(refusal, &signature))?;
    let program = link_program(&object, language, &install, &scratch)?;
    let numbers = run_program(&program, &scratch)?;
    print_numbers(&labels, &numbers)
}

fn check_readable(file: &Path) -> Result<(), Refusal> {
    fs::File::open(file)
        .and_then(|opened| opened.metadata())
        .map_err(|error| Refusal::new(format!("cannot read {}: {error}", file.display())))
        .and_then(|metadata| match metadata.is_file() {
            true => Ok(()),
            false => Err(Refusal::new(format!("cannot read {}: not a file", file.display()))),
        })
}

/// Fortran's names are the same in any case, and debug information has them in lower case.
fn fold_case(text: &str, language: Language) -> String {
    if language == Language::Fortran { text.to_lowercase() } else { text.to_string() }
}

/// An array is the likeliest reason of a refusal as long as memory is not differentiated.
fn explain_memory(refusal: Refusal, signature: &Signature) -> Refusal {
    match signature.has_memory() {
        true => Refusal::new(format!(
            "{refusal}; `{}` takes its arguments through memory, which this version may not differentiate yet",
            signature.name
        )),
        false => refusal,
    }
}

fn run_program(program: &Path, scratch: &Scratch) -> Result<Vec<f64>, Refusal> {
    let report = scratch.path("report.txt");
    let status = Command::new(program)
        .arg(&report)
        .status()
        .map_err(|error| Refusal::new(format!("the differentiated program does not start: {error}")))?;
    if !status.success() {
        return Err(Refusal::new(format!("the differentiated program ended with {status}")));
    }
    let text = fs::read_to_string(&report)
        .map_err(|error| Refusal::new(format!("the differentiated program reported nothing: {error}")))?;
    text.lines()
        .map(|line| {
            line.parse().map_err(|_| Refusal::new(format!("the program reported `{line}`, no number")))
        })
        .collect()
}

fn print_numbers(labels: &[String], numbers: &[f64]) -> Result<ExitCode, Refusal> {
    let (value, gradient) = match numbers.split_first() {
        Some((value, gradient)) if gradient.len() == labels.len() => (value, gradient),
        _ => {
            return Err(Refusal::new("the differentiated program stopped before it had reported everything"));
        }
    };
    let width = labels.iter().map(String::len).max().unwrap_or(0).max("value".len());
    println!("{:width$}  {value}", "value");
    for (label, derivative) in labels.iter().zip(gradient) {
        println!("{label:width$}  {derivative}");
    }
    Ok(ExitCode::SUCCESS)
}
