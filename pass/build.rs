//! Compiles the C++ shim with the flags of the LLVM it will be loaded into, and the bodies for runtime libraries to bitcode.

use std::process::Command;

const SOURCES: [&str; 61] = [
    "plugin",
    "report",
    "transform",
    "elements",
    "exceptions",
    "zeros",
    "carried",
    "carried_origins",
    "carried_types",
    "carried_uses",
    "byval",
    "custom",
    "promote",
    "ir",
    "query",
    "signs",
    "masks",
    "moved_lanes",
    "told",
    "pieces",
    "casts",
    "addresses",
    "record",
    "pointees",
    "members",
    "rows",
    "declared_copies",
    "misread_members",
    "puns",
    "realloc",
    "nowhere",
    "early_stores",
    "alignments",
    "allocators",
    "lanes",
    "moves",
    "packs",
    "assembly",
    "rounded",
    "jumps",
    "variadic",
    "packed",
    "x86",
    "x86_moves",
    "compared",
    "handed_on",
    "edges",
    "selected",
    "parted",
    "short_loops",
    "sums",
    "turned",
    "within",
    "widen",
    "steady",
    "tables",
    "inner_arrays",
    "chosen",
    "wide_moves",
    "halves",
    "dimensions",
];

fn main() {
    compile_bodies();
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let config = format!("{prefix}/bin/llvm-config");
    let output = Command::new(&config)
        .arg("--cxxflags")
        .output()
        .unwrap_or_else(|error| panic!("cannot run {config} ({error}); `make` installs LLVM 22"));
    let flags = String::from_utf8(output.stdout).expect("llvm-config prints text");
    let mut build = cc::Build::new();
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
    for source in SOURCES {
        build.file(format!("shim/{source}.cpp"));
    }
    build.compile("backsweep_shim");
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
