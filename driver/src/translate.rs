//! Runs compilers: the user's file to LLVM IR, and the harness to a program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::{self, Install, SYSTEM_LIBRARIES};
use crate::progress::wait_telling;
use crate::refusal::{Code, Refusal};
use crate::scratch::Scratch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Fortran,
    Rust,
    Ir,
}

impl Language {
    pub fn of_file(file: &Path) -> Result<Language, Refusal> {
        let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        match extension {
            "c" => Ok(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" => Ok(Language::Cpp),
            "rs" => Ok(Language::Rust),
            "ll" | "bc" => Ok(Language::Ir),
            _ if ["f", "for", "f90", "f95", "f03", "f08", "f18"].contains(&&*extension.to_lowercase()) => {
                Ok(Language::Fortran)
            }
            _ => Err(Refusal::new(
                Code::File,
                format!(
                    "{}: cannot tell the language; known are .c .cpp .cc .cxx .f .f90 .f95 .f03 .f08 .rs .ll .bc",
                    file.display()
                ),
            )),
        }
    }
}

/// Textual IR with debug information, before any optimisation.
pub fn translate_to_ir(
    file: &Path,
    language: Language,
    flags: &[OsString],
    install: &Install,
    scratch: &Scratch,
) -> Result<String, Refusal> {
    let output = scratch.path("user.ll");
    let mut command = match language {
        // -O2 without passes: the IR says how the optimiser may treat it, and nothing has happened yet.
        Language::C => clang_command("clang", &["-O2", "-Xclang", "-disable-llvm-passes"])?,
        Language::Cpp => clang_command("clang++", &["-O2", "-Xclang", "-disable-llvm-passes"])?,
        Language::Fortran => {
            let mut command = Command::new(install::find_tool("flang")?);
            command.args(["-O0", "-g", "-S", "-emit-llvm", "-module-dir"]).arg(scratch.directory());
            // The file may use the module `backsweep` for requests of its own.
            if let Some(modules) = install.fortran_modules() {
                command.arg("-I").arg(modules);
            }
            command
        }
        Language::Rust => rust_command(),
        Language::Ir => {
            let mut command = Command::new(install::find_tool("opt")?);
            command.args(["-S", "-passes=verify"]);
            command
        }
    };
    if matches!(language, Language::C | Language::Cpp) {
        // The file may include backsweep.h for requests of its own.
        command.arg("-I").arg(install.include()?);
    }
    command.args(flags).arg(file).arg("-o").arg(&output);
    let doing = format!("compiling {}", file.display());
    run_tool(&mut command, &doing, Code::Compile, &format!("{} does not compile (above)", file.display()))?;
    std::fs::read_to_string(&output).map_err(|error| {
        Refusal::new(Code::Compile, format!("cannot read the compiled {}: {error}", file.display()))
    })
}

fn clang_command(tool: &str, level: &[&str]) -> Result<Command, Refusal> {
    let mut command = Command::new(install::find_tool(tool)?);
    command.args(level).args(["-g", "-fno-discard-value-names", "-S", "-emit-llvm"]);
    Ok(command)
}

fn rust_command() -> Command {
    let mut command = Command::new("rustc");
    command.args(["--emit=llvm-ir", "--crate-type=lib", "--edition=2024", "-Cdebuginfo=2", "-Copt-level=0"]);
    // One unit, so that all bodies are in one module; line numbers and no overflow checks, as in a release.
    command.args(["-Ccodegen-units=1", "-Cdebug-assertions=off", "-Awarnings"]);
    command
}

/// The harness module to an object with the plugin, where the plugin may refuse.
pub fn compile_harness(module: &Path, install: &Install, scratch: &Scratch) -> Result<PathBuf, Refusal> {
    let output = scratch.path("harness.o");
    let mut pass = OsString::from("-fpass-plugin=");
    pass.push(install.plugin()?);
    let mut command = Command::new(install::find_tool("clang")?);
    command.args(["-O2", "-fPIC", "-Wno-override-module", "-c"]).arg(pass).arg(module).arg("-o").arg(&output);
    run_tool(&mut command, "differentiating", Code::Refused, "the gradient was refused (above)")?;
    Ok(output)
}

/// What `main` calls of the generated module.
const PROGRAM_H: &str = include_str!("program.h");
const LOCATE_H: &str = include_str!("locate.h");

/// Links with the compiler of the user's language, which knows its runtime library. `main` is the text of the driver's
/// own C file.
pub fn link_program(
    object: &Path,
    main: &str,
    language: Language,
    install: &Install,
    scratch: &Scratch,
) -> Result<PathBuf, Refusal> {
    let source = scratch.path("main.c");
    for (path, text) in
        [(&scratch.path("program.h"), PROGRAM_H), (&scratch.path("locate.h"), LOCATE_H), (&source, main)]
    {
        std::fs::write(path, text).map_err(|error| {
            Refusal::new(Code::Writing, format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let main_object = scratch.path("main.o");
    let mut compile = Command::new(install::find_tool("clang")?);
    compile
        .args(["-O2", "-fPIC", "-c", "-I"])
        .arg(install.include()?)
        .arg(&source)
        .arg("-o")
        .arg(&main_object);
    let failure = "the driver's own main.c does not compile (above)";
    run_tool(&mut compile, "compiling the driver's own main.c", Code::Fault, failure)?;

    let output = scratch.path("program");
    let mut link = Command::new(install::find_tool(match language {
        Language::C | Language::Rust => "clang",
        // C++'s runtime does no harm to other IR, and IR may come from C++.
        Language::Cpp | Language::Ir => "clang++",
        Language::Fortran => "flang",
    })?);
    link.arg(object).arg(&main_object).arg(install.runtime()?);
    if language == Language::Rust {
        link.args(rust_libraries()?);
    }
    link.args(SYSTEM_LIBRARIES).arg("-o").arg(&output);
    run_tool(&mut link, "linking", Code::Program, "the differentiated program does not link (above)")?;
    Ok(output)
}

/// Rust's standard library as a shared object: code of a library crate refers to it, in panics at least.
fn rust_libraries() -> Result<Vec<OsString>, Refusal> {
    let refuse = || Refusal::new(Code::Installation, "rustc does not tell where its standard library is");
    let output = Command::new("rustc").args(["--print", "target-libdir"]).output().map_err(|_| refuse())?;
    let directory = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let is_std = |name: &OsStr| name.to_str().is_some_and(|n| n.starts_with("libstd-") && n.ends_with(".so"));
    let library = std::fs::read_dir(&directory)
        .map_err(|_| refuse())?
        .filter_map(Result::ok)
        .find(|entry| is_std(&entry.file_name()))
        .ok_or_else(refuse)?;
    let mut search = OsString::from("-Wl,-rpath,");
    search.push(&directory);
    Ok(vec![library.path().into_os_string(), search])
}

/// Runs a tool whose messages go straight to the user. What it means where it fails is told with a code of its own.
fn run_tool(command: &mut Command, doing: &str, code: Code, failure: &str) -> Result<(), Refusal> {
    let name =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let status = command
        .spawn()
        .and_then(|child| wait_telling(child, doing))
        .map_err(|error| Refusal::new(Code::Installation, format!("{name} does not start: {error}")))?;
    if status.success() { Ok(()) } else { Err(Refusal::new(code, failure)) }
}
