#!/usr/bin/env python3
"""compile.py check|quick|full: what compiling a gradient takes, by the shape and the size of the function.

Programs of four shapes (straight-line, branchy, many loops, many functions) are generated at several sizes and compiled with
-O2 -g, with a gradient asked for and without. The columns: instructions of the primal; seconds of the plain compile; seconds of
our own part of the plugin (pipelines that it runs within are LLVM's, and apart); their ratio; how own time grows per tenfold of
size beyond n log n; the whole compile over that of its output handed to the same compiler; the whole compile over that of a reverse
sweep written by hand, which keeps its numbers in an array (straight-line and branchy); instructions emitted per instruction of the primal.
"""

import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUGIN = f"-fpass-plugin={ROOT}/target/release/libbacksweep.so"
CLANG = os.environ.get("CLANG", "clang-22")
OPT = os.environ.get("OPT", "opt-22")
SIZES = {"check": [200], "quick": [1_000, 10_000], "full": [1_000, 10_000, 100_000]}
FLAGS = ["-O2", "-g", "-w", f"-I{ROOT}/include"]


# Statements of some ten instructions on eight variables, none of which grows; the variables whose old values their derivatives take, in
# the order of t[0], t[1] and so on; and how a hand would write them backwards, d being the derivative of what was assigned.
KINDS = [
    ("v[{a}] = 0.5 * v[{b}] * v[{c}] + 0.1 * x[{i}];", "bc",
     "u[{b}] += 0.5 * d * t[1]; u[{c}] += 0.5 * d * t[0]; dx[{i}] += 0.1 * d;"),
    ("v[{a}] = sin(v[{b}]) * 0.5 + v[{c}] / (2.0 + v[{a}] * v[{a}]);", "bca",
     "double q = 1 / (2.0 + t[2] * t[2]); u[{b}] += 0.5 * d * cos(t[0]); u[{c}] += d * q; u[{a}] -= 2 * d * t[1] * q * q * t[2];"),
    ("v[{a}] = v[{a}] * 0.3 + x[{i}] * v[{b}] - 0.2 * v[{c}];", "b",
     "u[{a}] += 0.3 * d; u[{b}] += d * x[{i}]; u[{c}] -= 0.2 * d; dx[{i}] += d * t[0];"),
]


def draw(rng, k):
    a, b, c = (rng.randrange(8) for _ in range(3))
    return rng.choice(KINDS), {"a": a, "b": b, "c": c, "i": k % 16}


def statement(rng, k):
    (text, _, _), names = draw(rng, k)
    return text.format(**names)


def by_hand(rng, k, room):
    """A statement with what it keeps at t[room] and behind, and its reverse."""
    (text, kept, back), names = draw(rng, k)
    keeps = " ".join(f"t[{room + at}] = v[{names[name]}];" for at, name in enumerate(kept))
    back = re.sub(r"t\[(\d)\]", lambda at: f"t[{room + int(at[1])}]", back.format(**names))
    return f"{keeps} {text.format(**names)}", f"double d = u[{names['a']}]; u[{names['a']}] = 0; {back}"


def straight(rng, size):
    return "", "\n".join(statement(rng, k) for k in range(size // 8))


def straight_by_hand(rng, size):
    there, back = zip(*(by_hand(rng, k, 3 * k) for k in range(size // 8)))
    return "\n".join(there), "\n".join(f"{{ {line} }}" for line in reversed(back))


def branchy(rng, size):
    tests = (f"if (v[{k % 8}] > {rng.random():.3f}) {{ {statement(rng, k)} }} else {{ {statement(rng, k + 1)} }}"
             for k in range(size // 20))
    return "", "\n".join(tests)


def branchy_by_hand(rng, size):
    there, back = [], []
    for k in range(size // 20):
        test = f"(t[{4 * k + 3}] = v[{k % 8}]) > {rng.random():.3f}"
        (yes, yes_back), (no, no_back) = by_hand(rng, k, 4 * k), by_hand(rng, k + 1, 4 * k)
        there.append(f"if ({test}) {{ {yes} }} else {{ {no} }}")
        back.append(f"if ({test.replace(f' = v[{k % 8}]', '')}) {{ {yes_back} }} else {{ {no_back} }}")
    return "\n".join(there), "\n".join(reversed(back))


def loops(rng, size):
    bodies = (f"for (int i = 1; i < n; i++) {{ w[i] = w[i - 1] * 0.5 + w[i] * v[{k % 8}]; {statement(rng, k)} }}"
              for k in range(size // 24))
    return "", "\n".join(bodies)


def functions(rng, size):
    made = [f"static __attribute__((noinline)) void part{k}(const double *x, double *v) {{ "
            + " ".join(statement(rng, k + j) for j in range(6)) + " }" for k in range(size // 60)]
    return "\n".join(made), "\n".join(f"part{k}(x, v);" for k in range(len(made)))


SHAPES = {"straight": straight, "branchy": branchy, "loops": loops, "functions": functions}
BY_HAND = {"straight": straight_by_hand, "branchy": branchy_by_hand}


def program(shape, size):
    before, body = SHAPES[shape](random.Random(7), size)
    return f"""#include <math.h>
#include "backsweep.h"
{before}
double f(const double *x, int n) {{
  double v[8], w[32];
  for (int i = 0; i < 8; i++) v[i] = x[i];
  for (int i = 0; i < 32; i++) w[i] = x[i % 16];
  {body}
  double s = 0;
  for (int i = 0; i < 8; i++) s += v[i];
  return s + w[n - 1];
}}
#ifdef GRADIENT
void g(const double *x, double *dx, int n) {{ __backsweep_gradient((void *)f, bs_dup, x, dx, n); }}
#endif
"""


def program_by_hand(shape, size):
    there, back = BY_HAND[shape](random.Random(7), size)
    return f"""#include <math.h>
void g(const double *restrict x, double *restrict dx, int n, double *restrict t) {{
  double v[8], u[8];
  for (int i = 0; i < 8; i++) v[i] = x[i];
  {there}
  for (int i = 0; i < 8; i++) u[i] = 1;
  dx[(n - 1) % 16] += 1;
  {back}
  for (int i = 0; i < 8; i++) dx[i] += u[i];
}}
"""


def seconds(command):
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    took = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"compile: {' '.join(command)}\n{done.stderr[:2000]}")
    return took, done.stdout + done.stderr


def own_seconds(report):
    """The plugin's part of `-ftime-report`: what runs within it is counted by its own name."""
    lines = (line for line in report.splitlines() if line.rstrip().endswith("::Differentiate"))
    return sum(float(re.findall(r"([\d.]+) \(\s*[\d.]+%\)", line)[-1]) for line in lines)


def instructions(path):
    """Lines of textual IR that stand in functions and are neither labels, names of debug information, nor comments."""
    with open(path) as file:
        return sum(line.startswith("  ") and not line.startswith("    #dbg") for line in file)


def measure(directory, shape, size):
    source = os.path.join(directory, f"{shape}{size}.c")
    with open(source, "w") as file:
        file.write(program(shape, size))
    primal, emitted = source + ".primal.ll", source + ".emitted.ll"
    unoptimised = [CLANG, *FLAGS, "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", source]
    seconds([*unoptimised, "-o", primal + "0"])
    seconds([OPT, "-passes=sroa", "-S", primal + "0", "-o", primal])
    seconds([*unoptimised, "-DGRADIENT", "-o", emitted + "0"])
    seconds([OPT, "-load-pass-plugin=" + PLUGIN.split("=")[1], "-passes=backsweep,sroa", "-S", emitted + "0", "-o", emitted])
    compiled = [CLANG, *FLAGS, "-c", "-o", source + ".o"]
    plain, _ = seconds([*compiled, source])
    whole, report = seconds([*compiled, "-DGRADIENT", PLUGIN, "-ftime-report", source])
    again, _ = seconds([CLANG, *FLAGS, "-c", emitted, "-o", source + ".o"])
    hand = None
    if shape in BY_HAND:
        with open(source, "w") as file:
            file.write(program_by_hand(shape, size))
        hand, _ = seconds([*compiled, source])
    count = instructions(primal)
    return {"hand": hand, "count": count, "plain": plain, "own": own_seconds(report), "whole": whole, "emitted": again,
            "size": (instructions(emitted) - count) / count}


def growth(before, after):
    """Own time over that of the size before, beyond what n log n gives: 1 is n log n."""
    expected = after["count"] * math.log(after["count"]) / (before["count"] * math.log(before["count"]))
    return after["own"] / before["own"] / expected


def main():
    sizes = SIZES[sys.argv[1] if len(sys.argv) > 1 else "full"]
    print("shape         instrs   plain s    own s  own/plain  growth  whole/emitted  whole/hand  size")
    with tempfile.TemporaryDirectory() as directory:
        for shape in SHAPES:
            before = None
            for size in sizes:
                row = measure(directory, shape, size)
                grown = f"{growth(before, row):6.2f}" if before else "      "
                hand = f"{row['whole'] / row['hand']:11.2f}" if row["hand"] else "          -"
                print(f"{shape:10} {row['count']:9} {row['plain']:9.2f} {row['own']:8.2f} {row['own'] / row['plain']:10.2f}  "
                      f"{grown} {row['whole'] / row['emitted']:14.2f} {hand} {row['size']:5.1f}", flush=True)
                before = row


main()
