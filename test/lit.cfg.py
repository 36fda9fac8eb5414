"""lit configuration: what the tests under test/ may name, and where it is found.

test/README.md explains each substitution and suffix.
"""

import os
import shutil

import lit.formats

config.name = "backsweep"
# External: a RUN line is a shell script, so `cmp`, `export` and `$(…)` mean what they say.
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [
    ".run.c",
    ".run.cpp",
    ".run.f90",
    ".run.rs",
    ".run.ll",
    ".reject.c",
    ".reject.cpp",
    ".reject.f90",
    ".reject.rs",
    ".reject.ll",
    ".plan.c",
    ".plan.f90",
    ".plan.ll",
    ".facts.c",
    ".facts.ll",
    ".model.ll",
    ".graph.ll",
    ".driver.test",
]
config.excludes = ["Inputs", "Output"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(config.test_source_root)
config.test_exec_root = os.path.join(root, "build", "lit")

release = os.environ.get("BACKSWEEP_BUILD", os.path.join(root, "target", "release"))
llvm_bin = os.environ.get("BACKSWEEP_LLVM_BIN", "/usr/lib/llvm-22/bin")


def find_tool(name):
    """A tool of LLVM 22: from its own directory, else with the suffix on the path."""
    inside = os.path.join(llvm_bin, name)
    if os.path.exists(inside):
        return inside
    found = shutil.which(name + "-22")
    if found is None:
        lit_config.fatal(f"{name} of LLVM 22 is missing; `make setup` installs it")
    return found


def require_built(name):
    path = os.path.join(release, name)
    if not os.path.exists(path):
        lit_config.fatal(f"{path} is missing; `cargo build --release` builds it")
    return path


plugin = require_built("libbacksweep.so")
runtime = require_built("libbacksweep_rt.a")
driver = require_built("backsweep")
hosts = os.path.join(config.test_source_root, "hosts", "Inputs")
rustc = shutil.which(os.environ.get("RUSTC", "rustc"))
if rustc is None:
    lit_config.fatal("rustc is missing; install Rust 1.95, see https://rustup.rs")

# -Zllvm-plugins is an unstable option; the variable is how a stable compiler takes it.
rustc_pass = f"env RUSTC_BOOTSTRAP=1 {rustc} -Zllvm-plugins={plugin} -Z share-generics=no -C codegen-units=1"
include = f"-I{os.path.join(root, 'include')}"
libraries = f"{runtime} -lm -lpthread -ldl"

# A pattern ends in a word boundary, because one name may begin with another.
for name, value in [
    ("%plugin", plugin),
    ("%pass", f"-fpass-plugin={plugin}"),
    ("%link_pass", f"-Wl,--load-pass-plugin={plugin}"),
    ("%runtime", libraries),
    ("%include", include),
    ("%backsweep", driver),
    ("%clangxx", find_tool("clang++")),
    ("%clang_lto", f"{find_tool('clang')} -fuse-ld=lld -Wno-unused-command-line-argument"),
    ("%clang", find_tool("clang")),
    ("%flang", find_tool("flang")),
    ("%opt_plain", find_tool("opt")),
    ("%opt", f"{find_tool('opt')} -load-pass-plugin={plugin}"),
    ("%lld", find_tool("ld.lld")),
    ("%llc", find_tool("llc")),
    ("%llvm_dis", find_tool("llvm-dis")),
    ("%rustc_pass", rustc_pass),
    ("%rustc", f"{rustc} -C codegen-units=1"),
    ("%filecheck", find_tool("FileCheck")),
    ("%not", find_tool("not")),
    ("%split_file", find_tool("split-file")),
    ("%same_primal", os.path.join(hosts, "same_primal.sh")),
    ("%stub", os.path.join(hosts, "stub.c")),
    ("%levels", os.path.join(config.test_source_root, "sources", "Inputs", "levels.sh")),
    ("%sanitized", os.path.join(config.test_source_root, "sanitizers", "Inputs", "sanitized.sh")),
    ("%refused", os.path.join(config.test_source_root, "requests", "Inputs", "refused.sh")),
    ("%release", release),
    ("%root", root),
]:
    config.substitutions.append((name + r"\b", value))

# FileCheck and not are written bare in most LLVM tests; both spellings work here.
config.environment["PATH"] = os.pathsep.join([llvm_bin, os.environ.get("PATH", "")])
# What `levels.sh` compiles programs with.
for name, value in [
    ("CLANG", find_tool("clang")),
    ("CLANGXX", find_tool("clang++")),
    ("FLANG", find_tool("flang")),
    ("RUSTC_PASS", rustc_pass),
    ("PASS", f"-fpass-plugin={plugin}"),
    ("INCLUDE", include),
    ("RUNTIME", libraries),
    ("OUTPUT", os.path.join(config.test_exec_root, "sources")),
]:
    config.environment[name] = value
# The user's own settings must not change what is tested.
for variable in ["BACKSWEEP_OPTIONS", "BACKSWEEP_TAPE_LIMIT", "BACKSWEEP_TAPE_SPILL", "RUSTFLAGS"]:
    config.environment.pop(variable, None)
for variable in ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"]:
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
