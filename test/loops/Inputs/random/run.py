#!/usr/bin/env python3
"""Random loop programs, differentiated with all strategies and without any: the gradients agree, and with the tangent.

run.py [--seed N] [--files N] [--each N] [--seconds S] [--jobs N] [--keep DIR] [--with OPTIONS]
OPTIONS are for all strategies: `put-back=always` has them meet memory that is put back far more often. Each file has EACH functions; without --seconds it makes FILES files. Prints what disagrees and leaves its file in DIR.
Ends with 1 where anything does. Where adjoints grow beyond all measure on the way and cancel, as by `tanh(a[i] - a[i])`, reverse
and forward mode differ by rounding: look at the function before you believe it.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time

import generate

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", "..", ".."))
RELEASE = os.environ.get("BACKSWEEP_BUILD", os.path.join(ROOT, "target", "release"))
CLANG = os.environ.get("BACKSWEEP_CLANG", "clang-22")
PASS = [f"-fpass-plugin={RELEASE}/libbacksweep.so", f"-I{ROOT}/include", f"-I{HERE}"]
WITHOUT = "disable=fuse,idle,notape,guard,rows,strip,tables,chosen,walks,invert,sums,mincut,restore,preaccumulate,reevaluate"
LEVELS = [["-O1"], ["-O2"], ["-O3", "-march=x86-64-v3"], ["-O0"], ["-O2", "-fno-vectorize", "-fno-unroll-loops"]]
TOLERANCE = 1e-9
TIME_LIMIT = 300


def write(path, seed, each):
    made = generate.functions(seed, each)
    # Where a function is told that its arrays lie apart, they do.
    names = [(function.name, function.restrict) for function in made]
    lines = ['#include "frame.h"', ""]
    lines += [function.text() + "\n" for function in made]
    lines += [f"DIFFERENTIATE({name})" for name, _ in names]
    lines += ["#ifdef MAIN"]
    lines += [f"PUSH_FORWARD({name})\ngradient without_{name};" for name, _ in names]
    lines += ["int main(void)", "{"]
    for name, apart in names:
        call = "run_apart" if apart else "run"
        lines.append(f'    {call}("{name}", with_{name}, without_{name}, tangent_{name}, {TOLERANCE});')
    # A generator that makes little but what grows beyond all numbers compares nothing.
    lines += ["    return failures > 0 || 2 * unbounded > compared;", "}", "#endif", ""]
    with open(path, "w") as file:
        file.write("\n".join(lines))


def call(command, options):
    environment = dict(os.environ, BACKSWEEP_OPTIONS=options)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"{' '.join(command)}: takes more than {TIME_LIMIT} s"
    return "" if done.returncode == 0 else (done.stdout + done.stderr)[:2000] or f"ended with {done.returncode}"


def judge(seed, each, keep, strategies):
    """What is wrong with the file of a seed; nothing where all agree."""
    base = os.path.join(keep, f"loops-{seed}")
    source, level = base + ".c", LEVELS[seed % len(LEVELS)]
    write(source, seed, each)
    compile_ = [CLANG, *level, *PASS, "-c", source]
    steps = [
        (compile_ + ["-DWAY=with", "-DMAIN", "-o", base + ".with.o"], strategies),
        (compile_ + ["-DWAY=without", "-o", base + ".without.o"], WITHOUT),
        ([CLANG, base + ".with.o", base + ".without.o", f"{RELEASE}/libbacksweep_rt.a", "-lm", "-lpthread", "-o", base], ""),
        ([base], ""),
    ]
    wrong = next((text for text in (call(*step) for step in steps) if text), "")
    for end in ["", ".with.o", ".without.o"] + ([] if wrong else [".c"]):
        if os.path.exists(base + end):
            os.remove(base + end)
    return wrong and f"{source} at {' '.join(level)}:\n{wrong}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--with", dest="strategies", default="")
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "loops"))
    given = parser.parse_args()
    os.makedirs(given.keep, exist_ok=True)
    start, seeds, failed, ran = time.monotonic(), iter(range(given.seed, 1 << 62)), 0, 0

    def over():
        return time.monotonic() - start > given.seconds if given.seconds else ran >= given.files

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        while not over():
            batch = [next(seeds) for _ in range(given.jobs if given.seconds else min(given.jobs, given.files - ran))]
            for wrong in pool.map(lambda seed: judge(seed, given.each, given.keep, given.strategies), batch):
                ran += 1
                if wrong:
                    failed += 1
                    print(wrong, flush=True)
    print(f"{ran * given.each} functions in {ran} files, {failed} files with failures")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
