//! Bad use and a system that refuses: one clear message, status 70, never a signal and never silence.

mod support;

use std::path::PathBuf;
use std::process::Command;
use support::program::{CC, Library, compile, refuse, succeed};

const CHECKED: (&str, &str) = ("BACKSWEEP_TAPE_CHECK", "1");
const IN_CHUNKS: (&str, &str) = ("BACKSWEEP_TAPE_RESERVE", "0");

fn misuse() -> PathBuf {
    compile("misuse.c", &CC, Library::Static)
}

fn expect(program: &std::path::Path, what: &str, settings: &[(&str, &str)], words: &[&str]) {
    let message = refuse(program, &[what], settings);
    for word in words {
        assert!(message.contains(word), "{what} {settings:?}: no '{word}' in: {message}");
    }
}

/// What is found in every run, checked or not.
#[test]
fn bad_use_is_always_refused() {
    let program = misuse();
    for settings in [&[][..], &[CHECKED], &[IN_CHUNKS]] {
        expect(&program, "pop-of-nothing", settings, &["unmatched pop", "'main'", "8 bytes", "[BS204]\n"]);
        expect(&program, "double-free", settings, &["double free", "'loss'", "[BS207]\n"]);
        expect(&program, "double-free-object", settings, &["double free", "'second'"]);
        expect(&program, "reverse-twice", settings, &["use after free", "'loss'"]);
        expect(&program, "reverse-of-nothing", settings, &["use after free", "'loss'"]);
        expect(
            &program,
            "tape-of-another",
            settings,
            &["wrong order", "'other'", "40 bytes of 'loss'", "[BS205]\n"],
        );
        expect(&program, "tape-of-another-size", settings, &["wrong order", "'loss' sweeps back over 48"]);
        expect(
            &program,
            "spoiled",
            settings,
            &["'loss' sweeps back over the tape at 0x", "half done [BS205]\n"],
        );
        expect(&program, "spoiled-twice", settings, &["double free", "'loss'"]);
        expect(&program, "owned-object", settings, &["double free", "'main'"]);
        expect(&program, "free-of-stack", settings, &["'main'", "not a live tape object"]);
        expect(&program, "wrong-thread-call", settings, &["another thread", "[BS208]\n"]);
        expect(&program, "bad-mark", settings, &["mark", "'main'", "[BS209]\n"]);
        expect(&program, "abi", settings, &["version 4", "version 3", "'a library'", "[BS210]\n"]);
        expect(&program, "huge", settings, &["'main'", "more than there are addresses", "[BS202]\n"]);
        expect(&program, "huge-block", settings, &["'main'", "more than there are addresses"]);
        expect(&program, "alignment", settings, &["'main'", "alignment of 24"]);
    }
    expect(&program, "unmatched-pop", &[], &["unmatched pop", "'main'", "16 bytes", "holds 8"]);
}

#[test]
fn checked_run_finds_the_rest() {
    let program = misuse();
    for settings in [&[CHECKED][..], &[CHECKED, IN_CHUNKS]] {
        expect(&program, "unmatched-pop", settings, &["wrong order", "'main'", "8 bytes", "16 bytes"]);
        expect(
            &program,
            "order",
            settings,
            &[
                "wrong order",
                "'pop_what_was_pushed_elsewhere' pops a record of 16",
                "8 bytes pushed by 'main'",
            ],
        );
        expect(&program, "kind", settings, &["wrong order", "'other' pops a block", "a record", "'main'"]);
        expect(&program, "corrupt", settings, &["corrupt", "'main'", "[BS206]\n"]);
        expect(&program, "stray-free", settings, &["is not live"]);
        expect(&program, "double-free-large", settings, &["double free", "'loss'"]);
        expect(&program, "wrong-thread", settings, &["another thread", "'push_there'"]);
        expect(&program, "mark-in-record", settings, &["mark", "'main'"]);
    }
}

#[test]
fn limit_names_the_function_and_the_bytes() {
    let program = misuse();
    let limit = ("BACKSWEEP_TAPE_LIMIT", "100000");
    for settings in [&[limit][..], &[limit, IN_CHUNKS]] {
        let words = ["limit of 100000 bytes", "'recurse'", "asked for 8 bytes", "100000 are held"];
        expect(&program, "limit", settings, &words);
        let words = ["limit of 100000 bytes", "'loss'", "asked for 60000 bytes", "60000 are held"];
        expect(&program, "limit-split", settings, &words);
    }
    expect(&program, "limit", &[limit, CHECKED], &["limit of 100000 bytes", "'recurse'", "[BS201]\n"]);
    // Three bytes more hold no further record, and the fast path may not take them for one.
    let uneven = ("BACKSWEEP_TAPE_LIMIT", "100003");
    for what in ["limit", "limit-cursor"] {
        for settings in [&[uneven][..], &[uneven, IN_CHUNKS]] {
            let words = ["limit of 100003 bytes", "asked for 8 bytes", "100000 are held"];
            expect(&program, what, settings, &words);
        }
    }
}

#[test]
fn settings_that_cannot_be_read_are_refused() {
    let program = misuse();
    for (name, value) in [
        ("BACKSWEEP_TAPE_LIMIT", "lots"),
        ("BACKSWEEP_TAPE_RESIDENT", "-1"),
        ("BACKSWEEP_TAPE_CHECK", "yes"),
        ("BACKSWEEP_TAPE_STATS", "2"),
    ] {
        let message = refuse(&program, &[], &[(name, value)]);
        assert!(
            message.contains(name) && message.contains(value) && message.ends_with("[BS211]\n"),
            "{message}"
        );
    }
}

/// Runs the program under `ulimit` settings, as a user would.
fn under_limits(limits: &str, what: &[&str], settings: &[(&str, &str)]) -> std::process::Output {
    Command::new("sh")
        .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
        .arg(misuse())
        .args(what)
        .envs(settings.iter().copied())
        .output()
        .expect("sh runs")
}

fn assert_refused(output: &std::process::Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(70), "{}: {text}", output.status);
    assert_eq!(text.lines().count(), 1, "{text}");
    for word in words {
        assert!(text.contains(word), "no '{word}' in: {text}");
    }
}

#[test]
fn refused_memory_is_an_error() {
    // 300 MB of addresses: the large reservation is refused, chunks carry on, and then they end too.
    let words = ["refused memory", "'main'", "Cannot allocate memory", "[BS202]"];
    assert_refused(&under_limits("ulimit -v 300000", &["fill"], &[]), &words);
    let words = ["refused memory for 400000064 bytes", "'block'"];
    assert_refused(&under_limits("ulimit -v 300000", &["block", "400000000"], &[]), &words);
    let words = ["refused memory", "'loss'"];
    assert_refused(&under_limits("ulimit -v 300000", &["split", "400000000"], &[]), &words);
    let output = under_limits("ulimit -v 300000", &["block", "100000000"], &[]);
    assert!(output.status.success(), "what fits in chunks goes on");
}

#[test]
fn full_spill_disk_is_an_error() {
    // A file may have 8 MiB: the same answer as a disk that is full, without needing one.
    let directory = env!("CARGO_TARGET_TMPDIR");
    let settings = [("BACKSWEEP_TAPE_SPILL", directory), ("BACKSWEEP_TAPE_RESIDENT", "1M")];
    // sh counts in blocks of 512 bytes.
    let output = under_limits("ulimit -f 16384", &["fill"], &settings);
    assert_refused(&output, &["spill file could not grow", "'main'", "File too large", "[BS203]"]);
    let output = under_limits("ulimit -f 16384", &["block", "50000000"], &settings);
    assert_refused(&output, &["spill file could not grow", "'block'"]);
    let output = under_limits("ulimit -f 16384", &["split", "50000000"], &settings);
    assert_refused(&output, &["spill file could not hold", "'loss'"]);
}

/// The real thing, where the test may mount a file system of its own.
#[test]
fn full_file_system_is_an_error() {
    let script = "mount -t tmpfs -o size=8m none \"$BACKSWEEP_TAPE_SPILL\" && exec \"$0\" fill";
    let directory = concat!(env!("CARGO_TARGET_TMPDIR"), "/full");
    std::fs::create_dir_all(directory).expect("the scratch directory is writable");
    let run = |arguments: &[&str]| {
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
            .args(arguments)
            .env("BACKSWEEP_TAPE_SPILL", directory)
            .env("BACKSWEEP_TAPE_RESIDENT", "1M")
            .output()
    };
    let probe = run(&["mount -t tmpfs -o size=8m none \"$BACKSWEEP_TAPE_SPILL\""]);
    if !probe.is_ok_and(|output| output.status.success()) {
        eprintln!("no right to mount here; full_spill_disk_is_an_error stands in");
        return;
    }
    let program = misuse();
    let output = run(&[script, program.to_str().expect("a path of text")]).expect("unshare runs");
    assert_refused(&output, &["spill file could not grow", "'main'", "No space left on device"]);
}

#[test]
fn missing_spill_directory_is_an_error() {
    let settings = [("BACKSWEEP_TAPE_SPILL", "/nonexistent")];
    expect(&misuse(), "fill", &settings, &["spill file", "'main'", "No such file"]);
}

#[test]
fn what_was_printed_is_not_lost() {
    let output = support::program::run(&misuse(), &["pop-of-nothing"], &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "printed before\n");
    succeed(&misuse(), &[], &[]);
}
