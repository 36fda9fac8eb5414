//! Compiles the C++ shim with the flags of the LLVM it will be loaded into, and the bodies for runtime libraries to bitcode.

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &[&str] = &[
    "plugin",
    "report",
    "transform",
    "elements",
    "error_numbers",
    "exceptions",
    "zeros",
    "carried",
    "carried_origins",
    "carried_types",
    "carried_uses",
    "bit_registers",
    "byval",
    "custom",
    "promote",
    "ir",
    "query",
    "signs",
    "masks",
    "filled_vectors",
    "moved_lanes",
    "first_lanes",
    "told",
    "pieces",
    "casts",
    "addresses",
    "joined_floats",
    "record",
    "pointees",
    "members",
    "typed",
    "rows",
    "declared_copies",
    "misread_members",
    "puns",
    "short_floats",
    "memory_classes",
    "numbered_memory",
    "laid_over",
    "realloc",
    "nowhere",
    "unlaid",
    "unread",
    "null_questions",
    "early_stores",
    "alignments",
    "allocators",
    "lanes",
    "shuffled_words",
    "cleared_results",
    "moves",
    "packs",
    "assembly",
    "neighbours",
    "rounded",
    "jumps",
    "variadic",
    "packed",
    "x86",
    "x86_moves",
    "columns",
    "met_again",
    "compared",
    "early_loads",
    "handed_on",
    "joined",
    "nest_rows",
    "edges",
    "selected",
    "parted",
    "foreseen",
    "fetched",
    "called_tables",
    "classes",
    "fields",
    "reached",
    "shifts",
    "short_loops",
    "sum_rows",
    "sums",
    "turned",
    "within",
    "promoted",
    "headers",
    "owed",
    "put_back",
    "cleared",
    "widen",
    "steady",
    "tables",
    "walked",
    "inner_arrays",
    "cells",
    "chosen",
    "wide_moves",
    "halves",
    "dimensions",
    "dummies",
    "returned_structs",
];

fn main() {
    compile_bodies();
    // The host may close the plugin while its threads still end, and their last act is to give back memory by our allocator: rustc
    // does that, and crashed now and then behind a message of ours.
    println!("cargo:rustc-link-arg-cdylib=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let prefix = Path::new(&prefix);
    let flags = ask_for_flags(prefix);
    let mut build = read_headers_once(prefix, &flags).unwrap_or_else(|| configure(&flags, None));
    for source in SOURCES {
        build.file(format!("shim/{source}.cpp"));
    }
    build.compile("backsweep_shim");
}

fn ask_for_flags(prefix: &Path) -> String {
    let config = prefix.join("bin/llvm-config");
    let output = Command::new(&config)
        .arg("--cxxflags")
        .output()
        .unwrap_or_else(|error| panic!("cannot run {} ({error}); `make` installs LLVM 22", config.display()));
    String::from_utf8(output.stdout).expect("llvm-config prints text")
}

/// How the shim is compiled, by the compiler that cc finds where none is named.
fn configure(flags: &str, compiler: Option<&Path>) -> cc::Build {
    let mut build = cc::Build::new();
    if let Some(compiler) = compiler {
        build.compiler(compiler);
    }
    // rustc's own LLVM exports few typeinfos, so none may be asked for.
    build.cpp(true).flag("-fno-rtti").flag("-fvisibility=hidden").flag("-fvisibility-inlines-hidden");
    // Asserting headers would ask for symbols that a release LLVM lacks; debug info would double the build time.
    build.debug(false).opt_level(1).define("NDEBUG", None).warnings(false);
    for flag in flags.split_whitespace() {
        match flag.strip_prefix("-I") {
            Some(path) => build.flag(format!("-isystem{path}")),
            None => build.flag(flag),
        };
    }
    build
}

/// Nine tenths of the time to compile a file of the shim would go into LLVM's headers. LLVM's own clang reads them once, with what
/// they instantiate, and each file begins behind them. Nothing where the user named a compiler, or clang does not do it: it may
/// be missing, or choose a C++ library whose headers are.
fn read_headers_once(prefix: &Path, flags: &str) -> Option<cc::Build> {
    let clang = prefix.join("bin/clang++");
    if std::env::var_os("CXX").is_some() || !clang.exists() {
        return None;
    }
    let mut build = configure(flags, Some(&clang));
    let directory = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names the directory"));
    let (header, read) = (directory.join("headers.h"), directory.join("headers.pch"));
    std::fs::write(&header, list_headers()).expect("cargo's directory can be written to");
    build.flag("-fpch-instantiate-templates");
    let mut command = build.get_compiler().to_command();
    command.args(["-x", "c++-header"]).arg(&header).arg("-o").arg(&read);
    command.output().ok().filter(|output| output.status.success())?;
    build.flag("-include-pch").flag(&read);
    Some(build)
}

/// Every header of LLVM that the shim includes, each once.
fn list_headers() -> String {
    let files = std::fs::read_dir("shim").expect("the shim is beside this file");
    let texts =
        files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a file is text"));
    let texts = texts.collect::<Vec<_>>();
    let lines = texts.iter().flat_map(|text| text.lines());
    let names = lines.filter_map(|line| line.strip_prefix("#include ")?.get(1..)?.split(['"', '>']).next());
    let names = names.filter(|name| name.starts_with("llvm/")).collect::<std::collections::BTreeSet<_>>();
    names.into_iter().map(|name| format!("#include <{name}>\n")).collect()
}

/// Simplified, but neither vectorised nor turned into memory functions, and without scopes from `noalias`, which hold for one
/// execution of the inlined body only.
fn compile_bodies() {
    println!("cargo:rerun-if-changed=bodies");
    let rustc = std::env::var("RUSTC").expect("cargo names the compiler");
    let output = std::env::var("OUT_DIR").expect("cargo names the directory") + "/bodies.bc";
    let flags = [
        "--edition=2024",
        "--crate-type=lib",
        "--crate-name=bodies",
        "--emit=llvm-bc",
        "-Copt-level=1",
        "-Cpanic=abort",
        "-Ccodegen-units=1",
        "-Cno-vectorize-loops",
        "-Cno-vectorize-slp",
        "-Cforce-unwind-tables=no",
        "-Cllvm-args=-disable-loop-idiom-all -unroll-runtime=false -enable-noalias-to-md-conversion=false",
    ];
    let status = Command::new(&rustc).args(flags).args(["bodies/lib.rs", "-o", &output]).status();
    assert!(status.is_ok_and(|status| status.success()), "{rustc} did not compile bodies/lib.rs");
}
