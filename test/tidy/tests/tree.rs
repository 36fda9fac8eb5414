//! Runs every tidy rule over the repository.

use std::fs;
use std::path::{Path, PathBuf};

use backsweep_tidy::check_file;

/// What tools write; it is not ours to judge.
const NOT_OURS: [&str; 5] = [".git", "target", "build", "Output", "__pycache__"];

#[test]
fn the_tree_keeps_its_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the crate lies in the tree");
    let mut files = Vec::new();
    collect_files(&root, &mut files);
    let paths: Vec<String> = files.iter().map(|file| relative(&root, file)).collect();
    // An empty walk would prove nothing.
    for expected in ["Cargo.toml", "pass/core/src/lib.rs", "pass/core/Cargo.toml", "test/lit.cfg.py"] {
        assert!(paths.iter().any(|path| path == expected), "{expected} was not visited");
    }

    let findings: Vec<String> = files
        .iter()
        .zip(&paths)
        .flat_map(|(file, path)| {
            let bytes = fs::read(file).unwrap_or_else(|error| panic!("{path}: {error}"));
            check_file(path, &String::from_utf8_lossy(&bytes))
        })
        .map(|finding| finding.to_string())
        .collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

fn collect_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).expect("a directory of the tree can be read");
    for entry in entries.map(|entry| entry.expect("a directory entry can be read")) {
        let path = entry.path();
        let kind = entry.file_type().expect("an entry has a type");
        if NOT_OURS.contains(&entry.file_name().to_string_lossy().as_ref()) {
            continue;
        }
        if kind.is_dir() {
            collect_files(&path, files);
        } else if kind.is_file() {
            files.push(path);
        }
    }
}

fn relative(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).expect("the walk began at the root").to_string_lossy().into_owned()
}
