//! Whether a call of clang or flang ends with a link, and where libraries may stand in it.
//!
//! Only then does the runtime belong on the command line: added to `cc -v` or `cc -c`, it would be an input that the
//! user never gave. The compiler itself is asked, because response files, `-x`, configuration files and options with
//! values make a command line hard to read for anyone else.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// Each ends the work before the link. They save the question for what is compiled most often.
const STOPS: [&str; 6] = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];

/// Each takes the next word as its value, which then is no option whatever it looks like.
const TAKE_NEXT: [&str; 6] = ["-o", "-Xlinker", "-Xclang", "-Xassembler", "-Xpreprocessor", "-mllvm"];

/// What the user says who does the linking alone: nothing is to be added.
const OWN_LINK: [&str; 5] = ["-nostdlib", "-nodefaultlibs", "-nolibc", "-r", "-Wl,-r"];

pub fn is_linked(compiler: &Path, arguments: &[OsString]) -> bool {
    if arguments.is_empty() || has_option(arguments, &STOPS) || has_option(arguments, &OWN_LINK) {
        return false;
    }
    plan_of(compiler, arguments).contains(": linker, {")
}

/// `--` ends the options, and libraries are options: the inputs after it are written so that they need no `--`.
pub fn without_separator(arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(place) = arguments.iter().position(|argument| argument == "--") else { return arguments };
    let (options, inputs) = arguments.split_at(place);
    let inputs = inputs[1..].iter().map(|input| match input.to_string_lossy().chars().next() {
        Some('-' | '@') => Path::new(".").join(input).into_os_string(),
        _ => input.clone(),
    });
    options.iter().cloned().chain(inputs).collect()
}

fn has_option(arguments: &[OsString], options: &[&str]) -> bool {
    let mut previous: &OsStr = OsStr::new("");
    for argument in arguments.iter().take_while(|argument| *argument != "--") {
        let is_value = TAKE_NEXT.iter().any(|option| previous == *option);
        if !is_value && options.iter().any(|option| argument == option) {
            return true;
        }
        // A value is no option that takes the next word: `-o -o` names a file.
        previous = if is_value { OsStr::new("") } else { argument };
    }
    false
}

/// Clang 22 crashes when it is to list a call with this library, which changes nothing about the list.
const CRASHES: &str = "-lstdc++";

/// The compiler's own list of what it would do. What it has to complain of it will say when it really runs.
fn plan_of(compiler: &Path, arguments: &[OsString]) -> String {
    let arguments = arguments.iter().filter(|argument| *argument != CRASHES);
    let output =
        Command::new(compiler).arg("-ccc-print-phases").args(arguments).stdin(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn a_value_is_no_option() {
        assert!(has_option(&words("-O2 -c a.c"), &STOPS));
        assert!(!has_option(&words("a.c -o -c"), &STOPS));
        assert!(has_option(&words("a.c -o -o -c"), &STOPS));
        assert!(!has_option(&words("a.o -Xlinker -c"), &STOPS));
        assert!(!has_option(&words("-- -c"), &STOPS));
    }

    #[test]
    fn inputs_after_a_separator_stay_inputs() {
        assert_eq!(without_separator(words("-O2 -- -a.c @b.c c.c")), words("-O2 ./-a.c ./@b.c c.c"));
        assert_eq!(without_separator(words("a.c -lm")), words("a.c -lm"));
    }
}
