//! The rules, each with the reason it exists.

use std::fmt;

use crate::code_text::blank_comments_and_literals;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub path: String,
    /// 0 where the finding is about the file as a whole.
    pub line: usize,
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.text)
    }
}

/// A file beyond this many lines has lost its one subject.
const MAX_LINES: usize = 500;

/// Model, rules, analyses, plan and derivation: plain data, testable without LLVM.
const LLVM_FREE: &str = "pass/core/";

/// What runs in a compiler only; its tests are those of lit, and cargo runs none here (`pass/Cargo.toml`).
const WITHOUT_TESTS: &str = "pass/src/";

/// This crate plants violations in its own tests and names them in its rules.
const SELF: &str = "test/tidy/";

pub fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(find_llvm_name(path, text));
    findings.extend(find_vague_name(path));
    findings.extend(find_long_file(path, text));
    findings.extend(find_switched_off(path, text));
    findings.extend(find_unrun_test(path, text));
    findings
}

/// LLVM is named at the borders only; a symbol such as "llvm.sin" is data and stands in a string. A word counts
/// that begins with the name; `as_llvm_says` is a test's sentence and uses nothing of LLVM.
fn find_llvm_name(path: &str, text: &str) -> Vec<Finding> {
    let code = match path.strip_prefix(LLVM_FREE) {
        Some(_) if path.ends_with(".rs") => blank_comments_and_literals(text),
        Some(_) if path.ends_with("Cargo.toml") => strip_hash_comments(text),
        Some(_) | None => return Vec::new(),
    };
    find_lines(path, &code, |line| {
        words(line)
            .find(|word| ["llvm", "inkwell"].iter().any(|name| word.to_lowercase().starts_with(name)))
            .map(|word| format!("`{word}` names LLVM in a crate that must not know it"))
    })
}

/// A helper lives with its only caller, or its noun names a file.
fn find_vague_name(path: &str) -> Vec<Finding> {
    let is_vague = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part);
        ["util", "utils", "helper", "helpers", "misc"].contains(&stem)
    };
    match path.split('/').find(|part| is_vague(part)) {
        Some(part) => vec![whole_file(path, format!("`{part}` does not say what it holds"))],
        None => Vec::new(),
    }
}

fn find_long_file(path: &str, text: &str) -> Vec<Finding> {
    let is_source =
        [".rs", ".c", ".cpp", ".h", ".hpp", ".py", ".sh", ".f90"].iter().any(|e| path.ends_with(e));
    let lines = text.lines().count();
    if is_source && lines > MAX_LINES {
        return vec![whole_file(
            path,
            format!("{lines} lines; split it by subject, the limit is {MAX_LINES}"),
        )];
    }
    Vec::new()
}

/// A test that does not run and code that is not there look like a pass.
fn find_switched_off(path: &str, text: &str) -> Vec<Finding> {
    if path.starts_with(SELF) {
        return Vec::new();
    }
    if path.ends_with(".rs") {
        let code = blank_comments_and_literals(text);
        let mut findings = find_any(path, &code, &["#[ignore", "todo!", "unimplemented!"]);
        findings.extend(find_lit_markers(path, text));
        return findings;
    }
    find_lit_markers(path, text)
}

/// A test that nobody runs looks like a pass, too.
fn find_unrun_test(path: &str, text: &str) -> Vec<Finding> {
    if !path.starts_with(WITHOUT_TESTS) {
        return Vec::new();
    }
    find_lines(path, &blank_comments_and_literals(text), |line| {
        line.contains("#[test]").then(|| "cargo runs no test in this crate; write one for lit".to_string())
    })
}

/// lit reads its markers in comments of any language.
fn find_lit_markers(path: &str, text: &str) -> Vec<Finding> {
    match path.starts_with("test/") && !path.ends_with(".md") {
        true => find_any(path, text, &["XFAIL", "UNSUPPORTED:", "REQUIRES:"]),
        false => Vec::new(),
    }
}

fn find_any(path: &str, text: &str, markers: &[&str]) -> Vec<Finding> {
    find_lines(path, text, |line| {
        let marker = markers.iter().find(|marker| line.contains(**marker))?;
        Some(format!("`{marker}` switches something off; assert today's behaviour instead, and say why"))
    })
}

fn find_lines(path: &str, text: &str, judge: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let numbered = (1..).zip(text.lines());
    numbered
        .filter_map(|(line, content)| Some(Finding { path: path.to_string(), line, text: judge(content)? }))
        .collect()
}

fn whole_file(path: &str, text: String) -> Finding {
    Finding { path: path.to_string(), line: 0, text }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').filter(|word| !word.is_empty())
}

fn strip_hash_comments(text: &str) -> String {
    text.lines().map(|line| line.split('#').next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of the findings.
    fn found(path: &str, text: &str) -> Vec<usize> {
        check_file(path, text).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn llvm_is_not_named_in_the_core() {
        assert_eq!(found("pass/core/src/a.rs", "\nuse llvm_sys::core;"), [2]);
        assert_eq!(found("pass/core/src/a.rs", "use inkwell::values;"), [1]);
        assert_eq!(found("pass/core/src/a.rs", "fn f(x: LLVMValueRef) {}\nfn g() {}\nlet x = Llvm;"), [1, 3]);
        assert_eq!(found("pass/core/Cargo.toml", "[dependencies]\nllvm-sys = \"221\""), [2]);
        assert_eq!(found("pass/core/Cargo.toml", "inkwell.workspace = true"), [1]);
    }

    #[test]
    fn llvm_may_be_named_elsewhere_and_in_words() {
        assert_eq!(found("pass/src/extract.rs", "use llvm_sys::core;"), []);
        assert_eq!(
            found("pass/core/src/a.rs", "//! As LLVM says.\nlet s = \"llvm.sin.f64\"; // llvm_sys"),
            []
        );
        assert_eq!(found("pass/core/src/a.rs", "fn sizes_are_as_llvm_says() {}"), []);
        assert_eq!(found("pass/core/Cargo.toml", "# no llvm-sys here"), []);
    }

    #[test]
    fn vague_names_are_found() {
        assert_eq!(found("pass/core/src/utils.rs", ""), [0]);
        assert_eq!(found("driver/src/utils/near.rs", ""), [0]);
        assert_eq!(found("driver/src/near.rs", ""), []);
    }

    #[test]
    fn long_files_are_found() {
        assert_eq!(found("pass/src/a.rs", &"x\n".repeat(501)), [0]);
        assert_eq!(found("pass/shim/a.cpp", &"x\n".repeat(501)), [0]);
        assert_eq!(found("pass/src/a.rs", &"x\n".repeat(500)), []);
        assert_eq!(found("Cargo.lock", &"x\n".repeat(501)), []);
    }

    #[test]
    fn what_is_switched_off_is_found() {
        assert_eq!(found("driver/src/a.rs", "#[test]\n#[ignore]\nfn f() { todo!() }"), [2, 3]);
        assert_eq!(found("pass/src/a.rs", "#[ignore = \"slow\"]"), [1]);
        assert_eq!(found("pass/src/a.rs", "unimplemented!(\"x\")"), [1]);
        assert_eq!(found("test/hosts/a.run.c", "// XFAIL: *"), [1]);
        assert_eq!(found("test/hosts/a.run.rs", "// UNSUPPORTED: linux\n// REQUIRES: x"), [1, 2]);
        assert_eq!(found("pass/src/a.rs", "// No todo! and no #[ignore] here."), []);
    }

    #[test]
    fn tests_that_cargo_does_not_run_are_found() {
        assert_eq!(
            found("pass/src/emit/a.rs", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {}\n}"),
            [3]
        );
        assert_eq!(found("pass/src/a.rs", "// No #[test] here."), []);
        assert_eq!(found("pass/core/src/a.rs", "#[test]\nfn f() {}"), []);
    }

    #[test]
    fn a_finding_reads_as_compilers_print_it() {
        let finding = &check_file("pass/core/src/a.rs", "\nllvm")[0];
        assert_eq!(
            finding.to_string(),
            "pass/core/src/a.rs:2: `llvm` names LLVM in a crate that must not know it"
        );
    }
}
