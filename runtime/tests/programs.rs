//! C programs through the header: what a tape does when it is used well.

mod support;

use std::path::Path;
use support::program::{CC, Library, compile, succeed};

const CHECKED: (&str, &str) = ("BACKSWEEP_TAPE_CHECK", "1");
const IN_CHUNKS: (&str, &str) = ("BACKSWEEP_TAPE_RESERVE", "0");

fn everywhere(source: &str) {
    let program = compile(source, &CC, Library::Static);
    for settings in [&[][..], &[CHECKED], &[IN_CHUNKS], &[("BACKSWEEP_TAPE_LIMIT", "4G")]] {
        succeed(&program, &[], settings);
    }
}

fn spilling(source: &str) {
    let directory = scratch_directory(source);
    let path = directory.to_str().expect("a path of text");
    let program = compile(source, &CC, Library::Static);
    succeed(&program, &[], &[("BACKSWEEP_TAPE_SPILL", path), ("BACKSWEEP_TAPE_RESIDENT", "256K")]);
    assert_empty(&directory);
}

fn scratch_directory(name: &str) -> std::path::PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spill-{name}"));
    // An earlier run that failed may have left its files.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the scratch directory is writable");
    directory
}

fn assert_empty(directory: &Path) {
    let left = std::fs::read_dir(directory).expect("the directory is there").count();
    assert_eq!(left, 0, "a spill file is left in {}", directory.display());
}

#[test]
fn objects() {
    everywhere("objects.c");
    spilling("objects.c");
}

#[test]
fn threads() {
    everywhere("threads.c");
    spilling("threads.c");
}

#[test]
fn forked_children() {
    everywhere("fork.c");
    spilling("fork.c");
}

#[test]
fn handler_that_jumps_out() {
    let program = compile("handler.c", &CC, Library::Static);
    succeed(&program, &[], &[("BACKSWEEP_TAPE_LIMIT", "10000")]);
    succeed(&program, &[], &[("BACKSWEEP_TAPE_LIMIT", "10000"), IN_CHUNKS]);
}

#[test]
fn memory_is_kept_and_given_back() {
    let program = compile("trim.c", &CC, Library::Static);
    succeed(&program, &[], &[]);
    succeed(&program, &[], &[IN_CHUNKS]);
}

#[test]
fn spill_file_holds_what_the_cap_does_not() {
    let directory = scratch_directory("eight");
    let path = directory.to_str().expect("a path of text");
    let program = compile("spill.c", &CC, Library::Static);
    for cap in ["1048576", "16777216"] {
        let settings = [("BACKSWEEP_TAPE_SPILL", path), ("BACKSWEEP_TAPE_RESIDENT", cap)];
        succeed(&program, &[cap], &settings);
        assert_empty(&directory);
        succeed(&program, &[cap], &[settings[0], settings[1], IN_CHUNKS]);
    }
}

#[test]
fn blocks_larger_than_the_cap_are_paged_out() {
    let directory = scratch_directory("block");
    let path = directory.to_str().expect("a path of text");
    let program = compile("large_block.c", &CC, Library::Static);
    succeed(&program, &[], &[("BACKSWEEP_TAPE_SPILL", path), ("BACKSWEEP_TAPE_RESIDENT", "16M")]);
    assert_empty(&directory);
}

#[test]
fn spill_file_vanishes_after_a_crash() {
    let directory = scratch_directory("crash");
    let path = directory.to_str().expect("a path of text");
    let program = compile("spill.c", &CC, Library::Static);
    let settings = [("BACKSWEEP_TAPE_SPILL", path), ("BACKSWEEP_TAPE_RESIDENT", "1048576")];
    let output = support::program::run(&program, &["1048576", "crash"], &settings);
    assert_eq!(output.status.code(), None, "it was killed");
    assert_empty(&directory);
}

#[test]
fn statistics_line_is_exact() {
    let program = compile("statistics.c", &CC, Library::Static);
    let stats = ("BACKSWEEP_TAPE_STATS", "1");
    let line = |arguments| succeed(&program, arguments, &[stats]);
    assert_eq!(line(&[]), "backsweep tape: peak 0 bytes, total 0 bytes, spilled 0 bytes\n");
    assert_eq!(line(&["stack"]), "backsweep tape: peak 8000 bytes, total 16000 bytes, spilled 0 bytes\n");
    assert_eq!(line(&["split"]), "backsweep tape: peak 300 bytes, total 400 bytes, spilled 0 bytes\n");
    assert_eq!(line(&["threads"]), "backsweep tape: peak 8000 bytes, total 80000 bytes, spilled 0 bytes\n");
    assert_eq!(succeed(&program, &["stack"], &[]), "", "nothing is printed unless it is asked for");
}
