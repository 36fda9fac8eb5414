#!/usr/bin/env python3
"""Which programs are refused, and why: differentiates every program of this folder and of test/corpus at two levels.

census.py [--filter TEXT] [--most SHARE]        the tests of this folder run their programs at every level by themselves

A program becomes bitcode by its own compiler. Those of the corpus have `f(x, n)` and no hook, so a module with the
requests is linked to them. `opt` with the plugin answers the requests; what it accepts is linked with `check.c` and must
be right. Prints the share of refused requests by language, and their causes by code. Fails where an accepted program is
wrong, or more than SHARE percent are refused.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "test", "corpus"))
import languages  # noqa: E402

BUILD = os.path.join(ROOT, "build", "census")
RELEASE = os.environ.get("BACKSWEEP_BUILD", os.path.join(ROOT, "target", "release"))
PLUGIN = os.path.join(RELEASE, "libbacksweep.so")
RUNTIME = os.path.join(RELEASE, "libbacksweep_rt.a")
LEVELS = ["O0", "O2"]
TIME_LIMIT = 120

# The programs of the corpus depend smoothly on their four numbers near here.
POINT = "0.9 1.1 0.7 1.3".split()

# Those that compute in less than double precision somewhere.
KINDS = {
    "half_precision": "half",
    "lstm": "float",
    "complex_numbers": "float",
    "vector_extension": "float",
    "complex_class": "float",
    "lambdas": "float",
    "extended_precision": "mixed",
}

REQUESTS = """
declare double @f(ptr, i32)
declare void @__backsweep_gradient_void(ptr, ...)
declare double @__backsweep_tangent(ptr, ...)
define double @primal(ptr %x, i32 %n) {
  %y = call double @f(ptr %x, i32 %n)
  ret double %y
}
define void @gradient(ptr %x, ptr %dx, i32 %n) {
  call void (ptr, ...) @__backsweep_gradient_void(ptr @f, ptr %x, ptr %dx, i32 %n)
  ret void
}
define double @tangent(ptr %x, ptr %dx, i32 %n) {
  %d = call double (ptr, ...) @__backsweep_tangent(ptr @f, ptr %x, ptr %dx, i32 %n)
  ret double %d
}
"""


class Outcome:
    """What became of one program at one level."""

    def __init__(self, source, level):
        self.name = os.path.join(os.path.basename(os.path.dirname(source)), os.path.basename(source))
        self.language = os.path.basename(os.path.dirname(source))
        self.level = level
        # Code → first message, where the plugin refused.
        self.refusals = {}
        self.fault = None


def run(command):
    try:
        return subprocess.run(command, capture_output=True, timeout=TIME_LIMIT, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"runs longer than {TIME_LIMIT} s")


def call(outcome, command):
    """Runs a command that has no reason to fail; what it prints, or nothing where it failed."""
    done = run(command)
    if done.returncode != 0:
        outcome.fault = f"status {done.returncode} of {' '.join(command)}\n" + done.stderr[-500:] + done.stdout[-500:]
        return None
    return done.stdout


def judge(source, level):
    outcome = Outcome(source, level)
    # rustc names what it makes on the way after the output's directory.
    folder = os.path.join(BUILD, outcome.language, os.path.basename(source), level)
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, "program")
    own = os.path.dirname(os.path.dirname(source)) == HERE
    include = ["-I" + os.path.join(ROOT, "include"), "-I" + os.path.join(HERE, "Inputs"), "-I/usr/include/eigen3"]
    program = base + ".bc"
    command = languages.bitcode_command(source, level, program, include)
    # flang looks for included files, too.
    command += include[1:2] if source.endswith(".f90") else []
    if call(outcome, command) is None:
        return outcome
    if not own and not add_requests(outcome, program, base):
        return outcome
    differentiated = base + ".o.bc"
    passes = "default<O2>"
    done = run([languages.tool("opt"), f"-load-pass-plugin={PLUGIN}", f"-passes={passes}", program, "-o", differentiated])
    for message, code in re.findall(r"backsweep: (.*?) \[(BS\d+)\]", done.stderr):
        outcome.refusals.setdefault(code, message)
    if done.returncode != 0 and not outcome.refusals:
        outcome.fault = f"opt ends with {done.returncode}: {done.stderr[-600:]}"
    elif not outcome.refusals:
        check(outcome, source, own, differentiated, base)
    return outcome


def add_requests(outcome, program, base):
    """The program without its own `main`, and with the three functions that `check.c` calls."""
    requests = base + ".requests.ll"
    with open(requests, "w", encoding="utf-8") as file:
        file.write(REQUESTS)
    renamed = base + ".renamed.ll"
    text = call(outcome, [languages.tool("llvm-dis"), program, "-o", "-"])
    if text is None:
        return False
    # flang's and rustc's `main` call the program's own, which then is nobody's.
    with open(renamed, "w", encoding="utf-8") as file:
        file.write(re.sub(r"@main\b", "@corpus_main", text))
    return call(outcome, [languages.tool("llvm-link"), renamed, requests, "-o", program]) is not None


def check(outcome, source, own, differentiated, base):
    words = POINT
    kind = KINDS.get(os.path.splitext(os.path.basename(source))[0], "conditioned")
    if own:
        kind, words = find_point(source)
    libraries = [RUNTIME, "-lm", "-lpthread", "-ldl", "-lstdc++"]
    linker = [languages.tool("flang" if source.endswith(".f90") else "clang")]
    objects = [base + ".program.o", os.path.join(BUILD, "check.o")]
    if call(outcome, [languages.tool("clang"), "-O0", "-fPIC", "-c", "-x", "ir", differentiated, "-o", objects[0]]) is None:
        return
    if source.endswith(".rs"):
        stub = os.path.join(BUILD, "empty.rs")
        links = [f"-Clink-arg={path}" for path in [*objects, *libraries]]
        if call(outcome, ["rustc", "--crate-name=program", stub, "-o", base + ".exe", *links]) is None:
            return
    elif call(outcome, [*linker, *objects, *libraries, "-o", base + ".exe"]) is None:
        return
    done = run([base + ".exe", kind, *words])
    if done.returncode != 0:
        outcome.fault = f"wrong at {' '.join(words)}: {done.stdout[:600]}{done.stderr[:200]}"


def find_point(source):
    """How exact a program's arithmetic is, and where it is differentiated; nothing for a program that is run in another way."""
    with open(source, encoding="utf-8") as file:
        found = re.search(r"RUN: (?:%levels %s|%t) (\w+) (.*)", file.read())
    return found and (found[1], found[2].split())


def find_sources(text):
    mine = [path for path in sorted(glob.glob(f"{HERE}/*/*.run.*")) if find_point(path) and "two_files" not in path]
    corpus = sorted(path for folder in ["c", "cpp", "fortran", "rust"] for path in glob.glob(f"{ROOT}/test/corpus/{folder}/*"))
    return [path for path in mine + corpus if text in path]


def print_shares(outcomes):
    refused = [outcome for outcome in outcomes if outcome.refusals]
    for language in sorted({outcome.language for outcome in outcomes}):
        all_of = [outcome for outcome in outcomes if outcome.language == language]
        bad = [outcome for outcome in all_of if outcome.refusals]
        print(f"{language:8} {len(bad):3} of {len(all_of):3} refused ({100 * len(bad) / len(all_of):.0f} %)")
    causes = collections.Counter()
    for outcome in refused:
        # The first is what stands in the way; the others often follow from it.
        causes.update({shorten(message) for message in outcome.refusals.values()})
    for cause, count in causes.most_common():
        print(f"  {count:3} {cause}")
    for outcome in refused:
        code, message = next(iter(outcome.refusals.items()))
        print(f"    {outcome.name} -{outcome.level}: {code} {message[:110]}")
    return 100 * len(refused) / max(1, len(outcomes))


def shorten(message):
    """The cause without the names."""
    return re.sub(r"`[^`]*`", "`…`", message)[:100]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--filter", default="", help="only programs whose path contains this")
    parser.add_argument("--most", type=float, default=100, help="percent of requests that may be refused")
    options = parser.parse_args()
    os.makedirs(BUILD, exist_ok=True)
    with open(os.path.join(BUILD, "empty.rs"), "w", encoding="utf-8") as file:
        file.write("#![no_main]\n")
    check_c = os.path.join(HERE, "Inputs", "check.c")
    subprocess.run([languages.tool("clang"), "-O1", "-c", check_c, "-o", os.path.join(BUILD, "check.o")], check=True)
    jobs = [(source, level) for source in find_sources(options.filter) for level in LEVELS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda job: judge(*job), jobs))
    share = print_shares(outcomes)
    faults = [outcome for outcome in outcomes if outcome.fault]
    for outcome in faults:
        print(f"FAILED {outcome.name} -{outcome.level}: {outcome.fault}")
    print(f"{len(outcomes)} requests, {share:.1f} % refused, {len(faults)} failures")
    return 1 if faults or share > options.most or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
