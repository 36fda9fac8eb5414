//! `backsweep explain FILE -f F --structure`: what the plugin finds out about a function, as text.
//!
//! The file is translated as `grad` does it, and a printing pass of the plugin reads it; of what that prints the part
//! about the function is shown.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::Args;

use crate::install::{self, Install};
use crate::refusal::Refusal;
use crate::scratch::Scratch;
use crate::signature::find_symbol;
use crate::subject::{check_readable, fold_case};
use crate::translate::{Language, translate_to_ir};

#[derive(Args)]
pub struct ExplainRequest {
    /// C, C++, Fortran, Rust or LLVM IR
    file: PathBuf,
    /// Name of the function, as in the source or as a symbol
    #[arg(long, short)]
    function: String,
    /// Which outputs are linear in which inputs, and which are sums of terms that depend on few of them
    #[arg(long, required = true)]
    structure: bool,
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
    let symbol = find_symbol(&text, &fold_case(&request.function, language))?;
    let printed = print_pass("structure", &install, &scratch)?;
    let page = find_page(&printed, &format!("structure of @{symbol}"));
    let page =
        page.ok_or_else(|| Refusal::new(format!("the plugin says nothing about `{symbol}`:\n{printed}")))?;
    print!("{page}");
    Ok(ExitCode::SUCCESS)
}

/// What a printing pass says of the translated file.
fn print_pass(what: &str, install: &Install, scratch: &Scratch) -> Result<String, Refusal> {
    let mut plugin = OsString::from("-load-pass-plugin=");
    plugin.push(install.plugin()?);
    let output = Command::new(install::find_tool("opt")?)
        .arg(plugin)
        .arg(format!("-passes=print<backsweep-{what}>"))
        .arg("-disable-output")
        .arg(scratch.path("user.ll"))
        .output()
        .map_err(|error| Refusal::new(format!("opt does not start: {error}")))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(text) } else { Err(Refusal::new(format!("opt failed:\n{text}"))) }
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
