//! Programs in C, C++, Fortran and Rust that use the runtime through its header and its libraries.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Which library a program is linked with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Library {
    Static,
    Shared,
}

/// A compiler with its flags, and how its name is told apart in file names.
pub struct Compiler {
    pub command: &'static str,
    pub flags: &'static [&'static str],
}

pub const CC: Compiler =
    Compiler { command: "cc", flags: &["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O2", "-g"] };

/// Compiles `tests/programs/<source>` and returns the program.
pub fn compile(source: &str, compiler: &Compiler, library: Library) -> PathBuf {
    let target = scratch_file(source, compiler, library);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include");
    let mut command = Command::new(compiler.command);
    command.args(compiler.flags).arg("-I").arg(include).arg(sources.join(source)).arg("-o").arg(&target);
    match library {
        Library::Static => command.arg(library_directory().join("libbacksweep_rt.a")),
        Library::Shared => command
            .arg("-L")
            .arg(library_directory())
            .arg("-lbacksweep_rt")
            .arg(format!("-Wl,-rpath,{}", library_directory().display())),
    };
    command.args(["-pthread", "-lm"]);
    let output = command.output().unwrap_or_else(|e| panic!("{} cannot be run: {e}", compiler.command));
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    target
}

/// Where cargo puts the static and the shared library when it builds the tests: beside the tests.
pub fn library_directory() -> PathBuf {
    let exe = std::env::current_exe().expect("a test knows its own file");
    exe.parent().expect("a file is in a directory").to_path_buf()
}

/// Runs a program with settings and nothing else of ours in its environment.
pub fn run(program: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments);
    for (name, _) in std::env::vars_os().filter(|(n, _)| n.to_string_lossy().starts_with("BACKSWEEP_")) {
        command.env_remove(name);
    }
    // Cargo's own entries lead to a library that an earlier build may have left there.
    command.env_remove("LD_LIBRARY_PATH");
    command.envs(settings.iter().copied());
    command.output().unwrap_or_else(|e| panic!("{} cannot be run: {e}", program.display()))
}

/// Runs a program that must succeed; returns what it printed on standard error.
pub fn succeed(program: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> String {
    let output = run(program, arguments, settings);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program:?} {arguments:?} {settings:?}: {}\n{text}", output.status);
    text
}

/// Runs a program that must end with our exit status and exactly one line on standard error, which is returned.
pub fn refuse(program: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> String {
    let output = run(program, arguments, settings);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(70), "{arguments:?} {settings:?}: {}\n{text}", output.status);
    assert_eq!(text.lines().count(), 1, "one clear message, not:\n{text}");
    assert!(text.starts_with("backsweep tape: "), "{text}");
    text
}

fn scratch_file(source: &str, compiler: &Compiler, library: Library) -> PathBuf {
    let kind = match library {
        Library::Static => "static",
        Library::Shared => "shared",
    };
    // One file per source, compiler, flags and library: tests run at the same time.
    let flags: String = compiler.flags.concat().chars().filter(char::is_ascii_alphanumeric).collect();
    let thread = std::thread::current().name().unwrap_or("main").replace(':', "_");
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{source}-{}-{kind}-{flags}-{thread}", compiler.command.replace('/', "_")))
}
