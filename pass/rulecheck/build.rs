//! Compiles the functions twice, over double and over __float128, and links libquadmath, which comes with gcc.

fn main() {
    println!("cargo:rerun-if-changed=c");
    cc::Build::new()
        .file("c/quotient.c")
        .compiler("gcc")
        .opt_level(1)
        .flag("-ffp-contract=off")
        .flag("-fno-builtin")
        .compile("rulecheck");
    // gcc knows where its libquadmath lies; the linker that rustc calls is told.
    let found = std::process::Command::new("gcc").arg("-print-file-name=libquadmath.a").output();
    let path = String::from_utf8(found.expect("gcc runs").stdout).expect("a path");
    let directory = std::path::Path::new(path.trim()).parent().expect("a directory");
    println!("cargo:rustc-link-search=native={}", directory.display());
    println!("cargo:rustc-link-lib=static:-bundle=quadmath");
    println!("cargo:rustc-link-lib=m");
}
