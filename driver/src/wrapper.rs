//! `backsweep cc|c++|fc|rustc ARGUMENTS…`: the compiler with plugin and runtime added, and otherwise itself.
//!
//! The compiler takes the place of this process, so its exit status, messages and signals are its own. Called by the
//! name `backsweep-cc` (a link to the driver) it is the same, for build systems that want a compiler in one word.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::install::{self, Install};
use crate::link_phase::{is_linked, without_separator};
use crate::refusal::{Code, Refusal};

/// Ours among the compiler's options: functions of other files are differentiated too, by the linker.
const LTO: &str = "--lto";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    C,
    Cpp,
    Fortran,
    Rust,
}

impl Compiler {
    fn of_word(word: &str) -> Option<Compiler> {
        match word {
            "cc" => Some(Compiler::C),
            "c++" => Some(Compiler::Cpp),
            "fc" => Some(Compiler::Fortran),
            "rustc" => Some(Compiler::Rust),
            _ => None,
        }
    }

    fn tool(self) -> &'static str {
        match self {
            Compiler::C => "clang",
            Compiler::Cpp => "clang++",
            Compiler::Fortran => "flang",
            Compiler::Rust => "rustc",
        }
    }
}

/// The wrapped compiler and its arguments, when the command line asks for one.
pub fn find_call(words: impl Iterator<Item = OsString>) -> Option<(Compiler, Vec<OsString>)> {
    let mut words = words.peekable();
    let program = words.next()?;
    let name = Path::new(&program).file_name()?.to_str()?.to_string();
    let compiler = match name.strip_prefix("backsweep-") {
        Some(word) => Compiler::of_word(word)?,
        None => Compiler::of_word(words.next()?.to_str()?)?,
    };
    Some((compiler, words.collect()))
}

/// Becomes the compiler; returns only when that is impossible.
pub fn run_compiler(compiler: Compiler, arguments: Vec<OsString>) -> Result<ExitCode, Refusal> {
    let install = Install::find()?;
    let mut command = match compiler {
        Compiler::Rust => rust_command(arguments, &install)?,
        Compiler::C | Compiler::Cpp | Compiler::Fortran => clang_command(compiler, arguments, &install)?,
    };
    let error = command.exec();
    Err(Refusal::new(
        Code::Installation,
        format!("{} does not start: {error}", command.get_program().to_string_lossy()),
    ))
}

fn clang_command(
    compiler: Compiler,
    arguments: Vec<OsString>,
    install: &Install,
) -> Result<Command, Refusal> {
    let given = arguments.len();
    let own: Vec<OsString> = arguments.into_iter().filter(|argument| argument != LTO).collect();
    let lto = own.len() < given;
    let tool = install::find_tool(compiler.tool())?;
    let link = is_linked(&tool, &own);

    let mut command = Command::new(tool);
    command.args(compile_flags(compiler, lto, install)?);
    match link {
        true => command.args(without_separator(own)).args(link_flags(lto, install)?),
        false => command.args(own),
    };
    Ok(command)
}

fn compile_flags(compiler: Compiler, lto: bool, install: &Install) -> Result<Vec<OsString>, Refusal> {
    let mut flags: Vec<OsString> = vec![join("-fpass-plugin=", &install.plugin()?)];
    if lto {
        flags.push("-flto=full".into());
    }
    if compiler == Compiler::Fortran {
        flags.extend(install.fortran_modules().map(|directory| join("-I", &directory)));
        return Ok(flags);
    }
    // After every directory the user names, so that a header of theirs is never hidden.
    flags.extend(["-idirafter".into(), install.include()?.into()]);
    // A step that does not use them, such as a link, must not warn of options that the user did not write.
    flags.insert(0, "--start-no-unused-arguments".into());
    flags.push("--end-no-unused-arguments".into());
    Ok(flags)
}

fn link_flags(lto: bool, install: &Install) -> Result<Vec<OsString>, Refusal> {
    let mut flags: Vec<OsString> = Vec::new();
    if lto {
        flags.extend(["-fuse-ld=lld".into(), "-Xlinker".into()]);
        flags.push(join("--load-pass-plugin=", &install.plugin()?));
    }
    // To the linker directly: after `-x c` the compiler would take a plain path for a C file. The brackets keep a
    // program that needs no library from depending on one.
    flags.push("-Wl,--push-state,--as-needed".into());
    flags.extend(["-Xlinker".into(), install.runtime()?.into()]);
    flags.extend(install::SYSTEM_LIBRARIES.map(OsString::from));
    flags.push("-Wl,--pop-state".into());
    Ok(flags)
}

fn rust_command(mut arguments: Vec<OsString>, install: &Install) -> Result<Command, Refusal> {
    // As RUSTC_WRAPPER of cargo we get the compiler's path first.
    let wraps =
        arguments.first().is_some_and(|first| Path::new(first).file_stem() == Some(OsStr::new("rustc")));
    let program =
        if wraps { arguments.remove(0) } else { env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()) };
    let mut command = Command::new(program);
    let given = arguments.len();
    arguments.retain(|argument| argument != LTO);
    let lto = arguments.len() < given;
    // Without arguments rustc prints its help; ours must not change that.
    let nothing = arguments.is_empty();
    command.args(arguments);
    if nothing {
        return Ok(command);
    }
    if lto {
        return Err(Refusal::new(
            Code::Lto,
            "rustc links with its own linker, where the plugin cannot be loaded; for functions of other crates make them \
             generic or #[inline], and leave --lto out",
        ));
    }
    // The plugin option is unstable, and this is how a stable compiler takes it. The last option wins: request and
    // function have to be in one unit.
    command.env("RUSTC_BOOTSTRAP", "1");
    command.arg(join("-Zllvm-plugins=", &install.plugin()?)).arg("-Ccodegen-units=1");
    // The standard library's generic functions are made here, and not looked for in the library, which has no body to show.
    command.arg("-Zshare-generics=no");
    command.arg(join("-Clink-arg=", &install.runtime()?));
    Ok(command)
}

fn join(option: &str, path: &PathBuf) -> OsString {
    let mut joined = OsString::from(option);
    joined.push(path);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &[&str]) -> Option<(Compiler, Vec<OsString>)> {
        find_call(words.iter().map(OsString::from))
    }

    #[test]
    fn a_compiler_is_called_by_word_or_by_name() {
        assert_eq!(
            call(&["/bin/backsweep", "cc", "-c", "--"]),
            Some((Compiler::C, vec!["-c".into(), "--".into()]))
        );
        assert_eq!(call(&["./backsweep-c++", "cc"]), Some((Compiler::Cpp, vec!["cc".into()])));
        assert_eq!(call(&["backsweep", "fc"]), Some((Compiler::Fortran, vec![])));
        assert_eq!(call(&["backsweep", "grad", "cc"]), None);
        assert_eq!(call(&["backsweep"]), None);
        assert_eq!(call(&["backsweep-2"]), None);
    }
}
