//! Every id that the sources can print has a section in `docs/diagnostics.md` and a test that expects it, and no other id has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Where tests are; what is written about ids elsewhere proves nothing.
const TESTS: [&str; 3] = ["test", "pass/core/tests", "runtime/tests"];
/// Judges of the tree, which expect no diagnostic of a program.
const JUDGES: [&str; 2] = ["test/tidy", "test/docs/Inputs/diagnostics.py"];
/// Where the codes of refusals are listed: the plugin's and the command's.
const LISTS: [&str; 2] = ["pass/core/src/refusal.rs", "driver/src/refusal.rs"];

#[test]
fn every_diagnostic_is_documented_and_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let printed = printed_ids(&root);
    assert!(printed.len() > 30, "only {printed:?} were found in the sources");
    let page = fs::read_to_string(root.join("docs/diagnostics.md")).expect("the page can be read");
    let sections: BTreeSet<String> =
        page.lines().filter_map(|line| line.strip_prefix("## ")).flat_map(ids_in).collect();
    let mut tested: BTreeMap<String, PathBuf> = BTreeMap::new();
    for directory in TESTS {
        visit(&root.join(directory), &mut |file| {
            let judge = JUDGES.iter().any(|judge| file.starts_with(root.join(judge)));
            let text = if judge { String::new() } else { read(file) };
            ids_in(&text).into_iter().for_each(|id| drop(tested.insert(id, file.to_path_buf())));
        });
    }
    let tested: BTreeSet<String> = tested.into_keys().collect();
    let missing = |from: &BTreeSet<String>| printed.difference(from).cloned().collect::<Vec<_>>();
    assert_eq!(
        missing(&sections),
        Vec::<String>::new(),
        "printed, and without a section in docs/diagnostics.md"
    );
    assert_eq!(missing(&tested), Vec::<String>::new(), "printed, and expected by no test");
    let gone: Vec<&String> = sections.difference(&printed).collect();
    assert!(gone.is_empty(), "in docs/diagnostics.md, and never printed: {gone:?}");
}

/// The codes of refusals, of which each has to be used somewhere, and ids that stand in messages as they are.
fn printed_ids(root: &Path) -> BTreeSet<String> {
    let mut sources = String::new();
    for directory in ["pass/core/src", "pass/src", "pass/shim", "runtime/src", "driver/src"] {
        visit(&root.join(directory), &mut |file| sources += &read(file));
    }
    let mut ids: BTreeSet<String> = ids_in(&sources).into_iter().collect();
    for line in LISTS.iter().flat_map(|list| codes_in(&read(&root.join(list)))) {
        let Some((name, number)) = line.split_once(" = ") else { continue };
        assert!(sources.contains(&format!("Code::{name}")), "`Code::{name}` is given by nobody");
        ids.insert(format!("BS{:03}", number.parse::<u32>().expect("a code is a number")));
    }
    ids
}

/// `Name = 1`, for each code of a list.
fn codes_in(list: &str) -> Vec<String> {
    let body = list.split("pub enum Code {").nth(1).and_then(|rest| rest.split('}').next()).unwrap_or("");
    body.lines().map(|line| line.trim().trim_end_matches(',').to_string()).collect()
}

/// `BS` and three digits.
fn ids_in(text: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for (at, _) in text.match_indices("BS") {
        let digits: String = text[at + 2..].chars().take_while(char::is_ascii_digit).collect();
        if digits.len() == 3 {
            ids.push(format!("BS{digits}"));
        }
    }
    ids
}

fn visit(directory: &Path, each: &mut dyn FnMut(&Path)) {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    for path in entries.map(|entry| entry.expect("a directory entry can be read").path()) {
        match path.is_dir() {
            true => visit(&path, each),
            false => each(&path),
        }
    }
}

fn read(file: &Path) -> String {
    let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}
