"""How each language of the corpus is compiled: to bitcode at three levels, and to a program."""

import os
import shutil

LLVM_BIN = os.environ.get("BACKSWEEP_LLVM_BIN", "/usr/lib/llvm-22/bin")

# The last one gives vectors of four doubles.
LEVELS = ["O0", "O2", "O3v"]

SUFFIXES = {".c": "c", ".cpp": "cpp", ".f90": "fortran", ".rs": "rust", ".ll": "ir"}


def tool(name):
    inside = os.path.join(LLVM_BIN, name)
    return inside if os.path.exists(inside) else shutil.which(name + "-22") or name


def _clang_flags(level):
    return ["-g", *(["-O3", "-march=x86-64-v3"] if level == "O3v" else [f"-{level}"])]


def _rustc_flags(level):
    cpu = ["-Ctarget-cpu=x86-64-v3"] if level == "O3v" else []
    # Debug assertions belong to the unoptimised level, as in cargo's profiles.
    # The wrapper gives the same: bodies of the standard library's generic functions are made here.
    return ["-Zshare-generics=no", "--edition=2024", "-g", f"-Copt-level={level[1]}", "-Ccodegen-units=1", "--crate-name=corpus", *cpu]


def compiler(source, level, include):
    """The command up to the output, and what makes it write bitcode."""
    language = SUFFIXES[os.path.splitext(source)[1]]
    if language == "c":
        return [tool("clang"), *_clang_flags(level), "-Wno-psabi", *include, source], ["-c", "-emit-llvm"]
    if language == "cpp":
        flags = ["-std=c++20", "-Wno-psabi", *include]
        return [tool("clang++"), *_clang_flags(level), *flags, source], ["-c", "-emit-llvm"]
    if language == "fortran":
        return [tool("flang"), *_clang_flags(level), source], ["-c", "-emit-llvm"]
    if language == "rust":
        return ["env", "RUSTC_BOOTSTRAP=1", os.environ.get("RUSTC", "rustc"), *_rustc_flags(level), source], ["--emit=llvm-bc"]
    return [tool("opt"), source], []


def bitcode_command(source, level, output, include):
    command, as_bitcode = compiler(source, level, include)
    return [*command, *as_bitcode, *_modules(source, output), "-o", output]


def program_command(source, level, output):
    command, _ = compiler(source, level, [])
    libraries = [] if source.endswith(".rs") else ["-lm"]
    return [*command, *libraries, *_modules(source, output), "-o", output]


def _modules(source, output):
    """Fortran's module files go beside the output: every program has a module of the same name."""
    if not source.endswith(".f90"):
        return []
    folder = output + ".modules"
    os.makedirs(folder, exist_ok=True)
    return ["-module-dir", folder, f"-I{folder}"]
