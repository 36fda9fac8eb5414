#!/usr/bin/env python3
"""Round trip of the model's text over everything compilers emit for the corpus and for the lit tests' sources.

run.py [--long] [--filter TEXT]

Each source becomes bitcode at three levels (kept in build/corpus until the source changes), each bitcode a model by
`print<backsweep-model>`; `model-check` parses, prints, compares, verifies and counts. Each program of the corpus is
also run once and its value compared with values.txt. The long form has what the short one leaves out, and nothing of that:
the programs at the other levels, and the models of what further passes make of the bitcode.
"""

import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import time

import languages

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "corpus")
RELEASE = os.environ.get("BACKSWEEP_BUILD", os.path.join(ROOT, "target", "release"))
PLUGIN = os.path.join(RELEASE, "libbacksweep.so")
INCLUDE = ["-I" + os.path.join(ROOT, "include"), "-I" + os.path.join(ROOT, "test", "hosts", "Inputs")]

# No single compilation or extraction here takes seconds; beyond this it hangs.
TIME_LIMIT = 120

# Sources that tests of other things compile; what cannot be compiled by itself is left to those tests.
OTHER_SOURCES = ["examples/*.c", "test/hosts/*.run.*", "test/driver/Inputs/*.*", "test/requests/*.run.*"]

# What other pass pipelines make of the IR is IR that nobody wrote for us.
PIPELINES = {
    "o3": "default<O3>",
    "reg2mem": "function(reg2mem)",
    "unroll": "function(loop-simplify,lcssa,loop-unroll<O3;full-unroll-max=64>)",
    "slp": "function(sroa,slp-vectorizer)",
    "lowerswitch": "function(lower-switch)",
    "structurize": "function(lower-switch,fix-irreducible,unify-loop-exits,structurizecfg)",
    "extract": "loop-extract",
    "scalarize": "function(scalarizer,loop-versioning)",
    "merge": "mergefunc,hotcoldsplit,partial-inliner",
    "invoke": "function(lower-invoke,lower-expect,flatten-cfg,mergeicmps,loop-mssa(licm),gvn,newgvn)",
}


class Run:
    def __init__(self, options):
        self.options = options
        self.failures = []
        # Pipelines of LLVM's that fail by themselves on some IR: `structurizecfg` on exceptions.
        self.inapplicable = 0
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("BACKSWEEP_OPTIONS")}

    def call(self, what, command, output=None):
        """Runs a command; a failure is noted. `output`: a file for what it prints on stderr."""
        try:
            done = subprocess.run(command, capture_output=True, env=self.environment, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return self.fail(what, f"runs longer than {TIME_LIMIT} s: {' '.join(command)}")
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-3:]
            return self.fail(what, f"status {done.returncode}: {' '.join(command)}\n    " + "\n    ".join(last))
        if output:
            with open(output, "wb") as file:
                file.write(done.stderr)
        return done.stdout.decode(errors="replace")

    def fail(self, what, why):
        self.failures.append(f"{what}: {why}")
        return None

    def bitcode(self, source, level):
        """The bitcode of a source, compiled anew only where the source or this directory's scripts changed."""
        # By its whole name: sources of two languages may be called alike, and they are compiled at the same time.
        output = os.path.join(BUILD, "bitcode", os.path.basename(os.path.dirname(source)), f"{os.path.basename(source)}.{level}.bc")
        newest = max(os.path.getmtime(path) for path in [source, languages.__file__])
        if not os.path.exists(output) or os.path.getmtime(output) < newest:
            os.makedirs(os.path.dirname(output), exist_ok=True)
            command = languages.bitcode_command(source, level, output, INCLUDE)
            if self.call(key_of(source), command) is None:
                return None
        return output

    def model(self, bitcode, group):
        """The model of a bitcode file, as an argument of model-check."""
        output = model_of(bitcode)
        command = print_command(bitcode, "print<backsweep-model>")
        if self.call(os.path.basename(bitcode), command, output) is None:
            return None
        return f"{group}={output}"

    def models_of(self, source, group):
        made = []
        for level in languages.LEVELS if not source.endswith(".ll") else ["ir"]:
            bitcode = self.bitcode(source, level)
            if bitcode is None:
                continue
            if self.options.long:
                made += [self.mutant(bitcode, name) for name in PIPELINES]
            else:
                made.append(self.model(bitcode, group))
        return [argument for argument in made if argument]

    def mutant(self, bitcode, name):
        """The model of what a pipeline makes of the bitcode."""
        output = bitcode.replace(".bc", f".{name}.bc")
        # A process less, half of the time. Not where our own passes are part of the pipeline, as of every default one. Whose fault a
        # failure is shows in two steps.
        if not PIPELINES[name].startswith("default"):
            command = print_command(bitcode, f"{PIPELINES[name]},print<backsweep-model>")
            with open(model_of(output), "wb") as file:
                done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=file, env=self.environment, check=False, timeout=TIME_LIMIT)
            if done.returncode == 0:
                return f"{name}={model_of(output)}"
        command = [languages.tool("opt"), f"-passes={PIPELINES[name]}", bitcode, "-o", output]
        if subprocess.run(command, capture_output=True, check=False, timeout=TIME_LIMIT).returncode != 0:
            self.inapplicable += 1
            return None
        return self.model(output, name)

    def check_value(self, source, level, expected):
        """Builds and runs a program of the corpus; it prints the value at its point."""
        output = os.path.join(BUILD, "program", f"{key_of(source)}.{level}")
        if not os.path.exists(output) or os.path.getmtime(output) < os.path.getmtime(source):
            os.makedirs(os.path.dirname(output), exist_ok=True)
            if self.call(key_of(source), languages.program_command(source, level, output)) is None:
                return
        printed = self.call(key_of(source), [output])
        if printed is not None and not same_values(printed.split(), expected.get(key_of(source), [])):
            self.fail(key_of(source), f"prints {printed.strip()} at -{level}, values.txt says otherwise")


def model_of(bitcode):
    """Where the text of the model goes."""
    output = bitcode.replace(os.path.join(BUILD, "bitcode"), os.path.join(BUILD, "model")) + ".model"
    os.makedirs(os.path.dirname(output), exist_ok=True)
    return output


def print_command(bitcode, passes):
    return [languages.tool("opt"), f"-load-pass-plugin={PLUGIN}", f"-passes={passes}", "-disable-output", bitcode]


def key_of(source):
    """`c/fft` for a program of the corpus, `hosts/c.run` for a source of other tests."""
    folder, name = os.path.split(source)
    return os.path.join(os.path.basename(folder), os.path.splitext(name)[0])


def same_values(printed, expected):
    """Levels and targets round differently (fused operations, vectors); the programs are well conditioned."""
    if len(printed) != len(expected):
        return False
    return all(abs(float(p) - float(e)) <= 2e-5 * max(1.0, abs(float(e))) for p, e in zip(printed, expected))


def read_values():
    with open(os.path.join(HERE, "values.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {words[0]: words[1:] for words in lines}


def find_sources(options):
    corpus = [path for folder in ["c", "cpp", "fortran", "rust"] for path in sorted(glob.glob(f"{HERE}/{folder}/*"))]
    others = [path for pattern in OTHER_SOURCES for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    others = [path for path in others if os.path.splitext(path)[1] in languages.SUFFIXES]
    wanted = [path for path in corpus if options.filter in path], [path for path in others if options.filter in path]
    return wanted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--filter", default="", help="only sources whose path contains this")
    run = Run(parser.parse_args())
    started = time.time()
    corpus, others = find_sources(run.options)
    expected = read_values()
    # `broken.c` is there to be refused, a thin-LTO test is two files in one, and `rosenbrock.rs` has no `main`.
    others = [path for path in others if not path.endswith(("broken.c", "lto-thin.run.c", "rosenbrock.rs"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        models = [pool.submit(run.models_of, path, os.path.basename(os.path.dirname(path))) for path in corpus]
        models += [pool.submit(run.models_of, path, "lit") for path in others]
        for level in [level for level in languages.LEVELS if (level == "O2") != run.options.long]:
            for path in corpus:
                pool.submit(run.check_value, path, level, expected)
        arguments = [argument for model in models for argument in model.result()]
    status = subprocess.run([os.path.join(RELEASE, "model-check"), *arguments], check=False).returncode
    for failure in sorted(run.failures):
        print(f"FAILED {failure}")
    print(f"{len(corpus)} programs, {len(others)} other sources, {len(arguments)} models, "
          f"{run.inapplicable} not made by LLVM, {len(run.failures)} failures, {time.time() - started:.0f} s")
    return 1 if status != 0 or run.failures or not corpus else 0


if __name__ == "__main__":
    sys.exit(main())
