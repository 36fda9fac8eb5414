//! `backsweep explain FILE -f F`: for each line what is active, recorded, computed again or put back, and what stands in
//! the way of less; as text, as JSON, as one page of HTML. With `--structure`, how outputs depend on inputs; with `--graph`, the
//! linearised graphs of its straight-line code.
//!
//! The file is translated as `grad` does it, and a printing pass of the plugin reads it. Requests that the file itself makes
//! of the function are explained as they are; where it makes none, the gradient for all parameters is.

mod annotated;
mod graph;
mod page;
mod report;
mod text;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;

use crate::debug_info::DebugInfo;
use crate::harness::{self, Modes};
use crate::install::{self, Install};
use crate::ir_text::read_definitions;
use crate::point::stand_in;
use crate::refusal::{Code, Refusal};
use crate::scratch::Scratch;
use crate::signature::{find_signature, find_symbol, name_in_source};
use crate::subject::{check_readable, fold_case};
use crate::translate::{Language, translate_to_ir};
use report::{Explained, Request, Sources, read_requests};

#[derive(Args)]
pub struct ExplainRequest {
    /// C, C++, Fortran, Rust or LLVM IR
    file: PathBuf,
    /// Name of the function, as in the source or as a symbol; without it, all that the file itself asks derivatives of
    #[arg(long, short, required_if_eq("structure", "true"))]
    function: Option<String>,
    /// Which outputs are linear in which inputs, and which are sums of terms that depend on few of them
    #[arg(long, conflicts_with_all = ["json", "html"])]
    structure: bool,
    /// Print one JSON object instead of text
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Write one self-contained page with the annotated source
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,
    /// The linearised graphs of a function's straight-line code, before and after elimination
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["function", "structure", "json", "html"])]
    graph: Option<String>,
    /// Of this block alone, by its number
    #[arg(long, requires = "graph")]
    block: Option<u32>,
    /// Where graphs go: a drawing (.svg) or a file for Graphviz (.dot); without it they are printed as text
    #[arg(long, short, value_name = "FILE", requires = "graph")]
    output: Option<PathBuf>,
    /// Flags for the compiler of FILE, after `--`
    #[arg(last = true)]
    flags: Vec<OsString>,
}

pub fn explain_function(request: &ExplainRequest) -> Result<ExitCode, Refusal> {
    check_readable(&request.file)?;
    let install = Install::find()?;
    let language = Language::of_file(&request.file)?;
    let scratch = Scratch::create()?;
    let text = translate_to_ir(&request.file, language, &request.flags, &install, &scratch)?;
    if let Some(name) = &request.graph {
        let page = graph::Page { block: request.block, output: request.output.as_deref() };
        page.show(&text, &fold_case(name, language), &install, &scratch)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = request.function.as_ref().map(|name| fold_case(name, language));
    if let (true, Some(wanted)) = (request.structure, &wanted) {
        let symbol = find_symbol(&text, wanted)?;
        let printed = print_pass("structure", &scratch.path("user.ll"), &install)?;
        let page = find_page(&printed, &format!("structure of @{symbol}"));
        let page = page.ok_or_else(|| {
            Refusal::new(Code::Unexplained, format!("the plugin says nothing about `{symbol}`:\n{printed}"))
        })?;
        print!("{page}");
        return Ok(ExitCode::SUCCESS);
    }
    let sources = Sources { info: DebugInfo::read(&text), given: request.file.clone() };
    let mut found = match wanted {
        Some(wanted) => explain_one(&text, &wanted, &sources, &install, &scratch)?,
        None => explain_all(&sources, &install, &scratch)?,
    };
    refuse_refused(&found)?;
    let definitions = read_definitions(&text);
    let name_of = |symbol: &str| name_in_source(&definitions, &sources.info, symbol);
    found.iter_mut().for_each(|request| request.rename(&name_of));
    let mut explained: Vec<Explained> = found.into_iter().flat_map(|request| request.explained).collect();
    // The version that runs nearly always comes first.
    explained.sort_by_key(|found| found.head.get("version") == "overlapping");
    match (&request.html, request.json) {
        (Some(path), _) => {
            fs::write(path, page::write_page(&explained)).map_err(|error| {
                Refusal::new(Code::Writing, format!("cannot write {}: {error}", path.display()))
            })?;
            println!("{} has the page", path.display());
        }
        (None, true) => print!("{}", report::write_json(&explained)),
        (None, false) => print!("{}", text::write_text(&explained)),
    }
    Ok(ExitCode::SUCCESS)
}

/// What the file asks of one function, or the gradient for all parameters where it asks for nothing.
fn explain_one(
    text: &str,
    wanted: &str,
    sources: &Sources,
    install: &Install,
    scratch: &Scratch,
) -> Result<Vec<Request>, Refusal> {
    let symbol = find_symbol(text, wanted)?;
    ask_of(text, wanted, scratch, &|path| {
        let requests = read_requests(&print_pass("explain", path, install)?, sources)?;
        Ok(requests.into_iter().find(|found| found.function == symbol).map(|found| vec![found]))
    })
}

/// What is found in the file itself, or in the same with a request for the gradient of the function by all parameters.
fn ask_of<T>(
    text: &str,
    wanted: &str,
    scratch: &Scratch,
    find: &dyn Fn(&Path) -> Result<Option<T>, Refusal>,
) -> Result<T, Refusal> {
    if let Some(own) = find(&scratch.path("user.ll"))? {
        return Ok(own);
    }
    let advice = "; or differentiate it by a hook in the file, which is explained then";
    let signature = find_signature(text, wanted).map_err(|refusal| refusal.with(advice))?;
    let module = scratch.path("harness.ll");
    let program = harness::append_program(text, &signature, &stand_in(&signature), Modes::Reverse);
    fs::write(&module, program).map_err(|error| {
        Refusal::new(Code::Writing, format!("cannot write {}: {error}", module.display()))
    })?;
    find(&module)?
        .ok_or_else(|| Refusal::new(Code::Unexplained, format!("the plugin says nothing about `{wanted}`")))
}

fn explain_all(sources: &Sources, install: &Install, scratch: &Scratch) -> Result<Vec<Request>, Refusal> {
    let found = read_requests(&print_pass("explain", &scratch.path("user.ll"), install)?, sources)?;
    match found.is_empty() {
        true => Err(Refusal::new(
            Code::Unexplained,
            format!("{} asks for no derivative; name a function with -f", sources.given.display()),
        )),
        false => Ok(without_repeats(found)),
    }
}

/// Several calls may ask for the same.
fn without_repeats(requests: Vec<Request>) -> Vec<Request> {
    let mut different: Vec<Request> = Vec::new();
    for request in requests {
        if !different.contains(&request) {
            different.push(request);
        }
    }
    different
}

/// What is refused has no plan to explain.
fn refuse_refused(found: &[Request]) -> Result<(), Refusal> {
    let refused: Vec<&String> = found.iter().flat_map(|request| &request.refused).collect();
    if refused.is_empty() {
        return Ok(());
    }
    refused.iter().for_each(|message| eprintln!("{message}"));
    Err(Refusal::new(Code::Refused, "the gradient was refused (above)"))
}

/// What a printing pass says of a module.
fn print_pass(what: &str, module: &Path, install: &Install) -> Result<String, Refusal> {
    let mut plugin = OsString::from("-load-pass-plugin=");
    plugin.push(install.plugin()?);
    let output = Command::new(install::find_tool("opt")?)
        .arg(plugin)
        .arg(format!("-passes=print<backsweep-{what}>"))
        .arg("-disable-output")
        .arg(module)
        .output()
        .map_err(|error| Refusal::new(Code::Installation, format!("opt does not start: {error}")))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(Refusal::new(Code::Fault, format!("opt failed:\n{text}")))
    }
}

/// The heading and the indented lines behind it.
fn find_page(text: &str, heading: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| *line != heading);
    let first = lines.next()?;
    let rest = lines.take_while(|line| line.starts_with(' '));
    Some([first].into_iter().chain(rest).map(|line| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_where_the_next_begins() {
        let text =
            "structure of @ff\n  x\nstructure of @f\n  result: linear in x\n    more\nstructure of @g\n  y\n";
        let page = find_page(text, "structure of @f");
        assert_eq!(page.as_deref(), Some("structure of @f\n  result: linear in x\n    more\n"));
        assert_eq!(find_page(text, "structure of @h"), None);
    }
}
