//! The function that a command is about: found in the user's file, bound to a point, built into a program, run.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::complex_step::ComplexStep;
use crate::harness::{self, Modes};
use crate::install::Install;
use crate::narrowing::{Narrowing, find_narrowing};
use crate::point::{Missing, Point, bind_point};
use crate::probes::{Site, add_probes};
use crate::progress::wait_telling;
use crate::refusal::{Code, Refusal};
use crate::scratch::Scratch;
use crate::signature::{Signature, find_signature};
use crate::translate::{Language, compile_harness, link_program, translate_to_ir};

#[derive(Args)]
pub struct Subject {
    /// C, C++, Fortran, Rust or LLVM IR
    pub file: PathBuf,
    /// Name of the function, as in the source or as a symbol
    #[arg(long, short)]
    pub function: String,
    /// One value per scalar parameter, a list per array: x=1.5 v=1,2,3
    #[arg(long = "at", value_name = "NAME=V1,V2,…", num_args = 1..)]
    at: Vec<String>,
    /// Flags for the compiler of FILE, after `--`
    #[arg(last = true)]
    flags: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probed {
    Yes,
    No,
}

/// The function behind the driver's own `main`, ready to run.
pub struct Program {
    pub signature: Signature,
    /// What each number is that the program knows of, in its order: `x`, `y[0]`.
    pub names: Vec<String>,
    /// Where it rounds to a narrower float than `double`, see [`find_narrowing`].
    pub narrowing: Option<Narrowing>,
    point: Point,
    path: PathBuf,
    scratch: Scratch,
}

impl Subject {
    pub fn build_program(&self, modes: Modes, main: &str, missing: Missing) -> Result<Program, Refusal> {
        Ok(self.build(modes, main, missing, Probed::No)?.0)
    }

    /// The same with a probe before each use of a number, and where they stand.
    pub fn build_probed(
        &self,
        modes: Modes,
        main: &str,
        missing: Missing,
    ) -> Result<(Program, Vec<Site>), Refusal> {
        self.build(modes, main, missing, Probed::Yes)
    }

    fn build(
        &self,
        modes: Modes,
        main: &str,
        missing: Missing,
        probed: Probed,
    ) -> Result<(Program, Vec<Site>), Refusal> {
        check_readable(&self.file)?;
        let install = Install::find()?;
        let language = Language::of_file(&self.file)?;
        let scratch = Scratch::create()?;

        let text = translate_to_ir(&self.file, language, &self.flags, &install, &scratch)?;
        let signature = find_signature(&text, &fold_case(&self.function, language))?;
        let at: Vec<String> = self.at.iter().map(|text| fold_case(text, language)).collect();
        let point = bind_point(&at, &signature, missing)?;
        let names = harness::name_numbers(&signature, &point);
        if names.is_empty() {
            let name = &signature.name;
            return Err(Refusal::new(
                Code::Signature,
                format!("`{name}` has no float parameter to differentiate for"),
            ));
        }

        let narrowing = find_narrowing(&text, &signature.symbol);
        let (text, sites) = match probed {
            Probed::Yes => add_probes(&text),
            Probed::No => (text, Vec::new()),
        };
        let module = scratch.path("harness.ll");
        fs::write(&module, harness::append_program(&text, &signature, &point, modes)).map_err(|error| {
            Refusal::new(Code::Writing, format!("cannot write {}: {error}", module.display()))
        })?;
        let object = compile_harness(&module, &install, &scratch)?;
        let path = link_program(&object, main, language, &install, &scratch)?;
        Ok((Program { signature, names, narrowing, point, path, scratch }, sites))
    }
}

impl Program {
    /// The same function by the complex step, where its source can be compiled that way.
    pub fn build_complex_step(&self, subject: &Subject) -> Option<ComplexStep> {
        let language = Language::of_file(&subject.file).ok()?;
        let install = Install::find().ok()?;
        let (signature, point) = (&self.signature, &self.point);
        ComplexStep::build(&subject.file, language, signature, point, &subject.flags, &install, &self.scratch)
    }

    /// Value and derivative where `numbers` says, see [`ComplexStep::derivative`].
    pub fn run_complex_step(&self, step: &ComplexStep, numbers: &str) -> Option<(f64, f64)> {
        step.derivative(numbers, &self.scratch)
    }

    /// The lines that the program reports, in a file of its own: what the function prints goes to the user.
    pub fn run(&self, arguments: &[String]) -> Result<Vec<String>, Refusal> {
        let report = self.scratch.path("report.txt");
        let status = Command::new(&self.path)
            .arg(&report)
            .args(arguments)
            .spawn()
            .and_then(|child| wait_telling(child, &format!("running `{}`", self.signature.name)))
            .map_err(|error| {
                Refusal::new(Code::Program, format!("the differentiated program does not start: {error}"))
            })?;
        if !status.success() {
            return Err(Refusal::new(
                Code::Program,
                format!("the differentiated program ended with {status}"),
            ));
        }
        let text = fs::read_to_string(&report).map_err(|error| {
            Refusal::new(Code::Program, format!("the differentiated program reported nothing: {error}"))
        })?;
        Ok(text.lines().map(str::to_string).collect())
    }
}

pub fn refuse_report() -> Refusal {
    Refusal::new(Code::Program, "the differentiated program stopped before it had reported everything")
}

pub fn check_readable(file: &Path) -> Result<(), Refusal> {
    fs::File::open(file)
        .and_then(|opened| opened.metadata())
        .map_err(|error| Refusal::new(Code::File, format!("cannot read {}: {error}", file.display())))
        .and_then(|metadata| match metadata.is_file() {
            true => Ok(()),
            false => Err(Refusal::new(Code::File, format!("cannot read {}: not a file", file.display()))),
        })
}

/// Fortran's names are the same in any case, and debug information has them in lower case.
pub fn fold_case(text: &str, language: Language) -> String {
    if language == Language::Fortran { text.to_lowercase() } else { text.to_string() }
}
