//! The libraries link into C, C++, Fortran and Rust programs, and offer nothing but the ABI.

mod support;

use std::process::Command;
use support::program::{CC, Compiler, Library, compile, library_directory, run, succeed};

/// Every compiler and standard the header promises, warnings denied.
const DIALECTS: &[Compiler] = &[
    Compiler { command: "cc", flags: &["-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"] },
    Compiler { command: "cc", flags: &["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0"] },
    Compiler { command: "clang-22", flags: &["-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O3"] },
    Compiler { command: "clang-22", flags: &["-std=c23", "-Wall", "-Wextra", "-Werror", "-O1"] },
    Compiler {
        command: "c++",
        flags: &["-x", "c++", "-std=c++98", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"],
    },
    Compiler {
        command: "clang-22",
        flags: &["-x", "c++", "-std=c++20", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"],
    },
];

#[test]
fn records_in_every_dialect() {
    for dialect in DIALECTS {
        let source = if dialect.flags.contains(&"-x") { "records.cc" } else { "records.c" };
        let program = compile(source, &strip_language(dialect), Library::Static);
        for settings in [&[][..], &[("BACKSWEEP_TAPE_CHECK", "1")], &[("BACKSWEEP_TAPE_RESERVE", "0")]] {
            succeed(&program, &[], settings);
        }
    }
}

/// `-x c++` would also apply to the library; the file's name says it instead.
fn strip_language(dialect: &Compiler) -> Compiler {
    let flags = dialect.flags.strip_prefix(&["-x", "c++"]).unwrap_or(dialect.flags);
    Compiler { command: dialect.command, flags }
}

#[test]
fn records_with_the_shared_library() {
    succeed(&compile("records.c", &CC, Library::Shared), &[], &[]);
}

#[test]
fn records_without_shared_libraries() {
    let flags = &["-static", "-O2"];
    succeed(&compile("records.c", &Compiler { command: "cc", flags }, Library::Static), &[], &[]);
}

#[test]
fn throwing_and_jumping_in_cpp() {
    for command in ["c++", "clang++-22"] {
        let flags = &["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2"];
        let program = compile("unwind.cpp", &Compiler { command, flags }, Library::Static);
        for settings in [&[][..], &[("BACKSWEEP_TAPE_CHECK", "1")]] {
            succeed(&program, &[], settings);
        }
    }
}

#[test]
fn records_in_fortran() {
    let flang = Compiler { command: "flang-22", flags: &["-O2"] };
    succeed(&compile("records.f90", &flang, Library::Static), &[], &[]);
}

#[test]
fn records_in_rust() {
    let directory = format!("-L{}", library_directory().display());
    let target = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("records-rust");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/records.rs");
    let status = Command::new("rustc")
        .args(["--edition=2024", source, &directory, "-lstatic=backsweep_rt", "-o"])
        .arg(&target)
        .status()
        .expect("rustc runs");
    assert!(status.success());
    succeed(&target, &[], &[]);
}

#[test]
fn beside_another_rust_library() {
    let archive = concat!(env!("CARGO_TARGET_TMPDIR"), "/libtwo_rust.a");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/two_rust.rs");
    let status = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=staticlib", source, "-o", archive])
        .status()
        .expect("rustc runs");
    assert!(status.success());
    let main = Compiler { command: "cc", flags: &["-c", "-O2"] };
    let object = compile("two_rust.c", &main, Library::Shared);
    // Both orders, and both whole: any name that both define would be an error.
    let ours = library_directory().join("libbacksweep_rt.a");
    for archives in [[ours.as_os_str(), archive.as_ref()], [archive.as_ref(), ours.as_os_str()]] {
        let program = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two_rust");
        let output = Command::new("cc")
            .arg(&object)
            .arg("-Wl,--whole-archive")
            .args(archives)
            .args(["-Wl,--no-whole-archive", "-pthread", "-lm", "-o"])
            .arg(&program)
            .output()
            .expect("cc runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = run(&program, &[], &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn nothing_is_exported_but_the_abi() {
    for (library, flags) in [("libbacksweep_rt.a", "-g"), ("libbacksweep_rt.so", "-gD")] {
        let output = Command::new("nm")
            .args([flags, "--defined-only"])
            .arg(library_directory().join(library))
            .output()
            .expect("nm runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
        let strangers: Vec<_> =
            names.iter().filter(|n| !n.starts_with("bs_tape_") && !n.starts_with("bs_rt_")).collect();
        assert!(strangers.is_empty(), "{library} also exports {strangers:?}");
        assert!(names.contains(&"bs_rt_abi_3") && names.contains(&"bs_tape_push_slow"), "{names:?}");
    }
}

/// The header declares what the library defines, and no more.
#[test]
fn header_and_library_agree() {
    let header = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../include/backsweep_rt.h"))
        .expect("the header is there");
    let output = Command::new("nm")
        .args(["-g", "--defined-only"])
        .arg(library_directory().join("libbacksweep_rt.a"))
        .output()
        .expect("nm runs");
    for name in String::from_utf8_lossy(&output.stdout).lines().filter_map(|l| l.split_whitespace().nth(2)) {
        assert!(header.contains(name), "{name} is exported and not documented");
    }
}

/// A program compiled for another version of the ABI does not link, and the message names the version.
#[test]
fn another_version_does_not_link() {
    let source = concat!(env!("CARGO_TARGET_TMPDIR"), "/version.c");
    std::fs::write(
        source,
        "extern const unsigned bs_rt_abi_4; int main(void) { return (int)bs_rt_abi_4; }\n",
    )
    .expect("the scratch directory is writable");
    let output = Command::new("cc")
        .args([source, "-o", concat!(env!("CARGO_TARGET_TMPDIR"), "/version")])
        .arg(library_directory().join("libbacksweep_rt.a"))
        .output()
        .expect("cc runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("bs_rt_abi_4"));
}
