#!/usr/bin/env python3
"""Asks for derivatives of functions nobody meant to be differentiated, and counts how it ends.

request-anything.py [--seed N] [--each N] [--save DIR] FILE…     FILE: LLVM IR, text or bitcode

For each file and some of its functions, chosen at random, a call of a hook with the default tokens is appended and the
plugin runs. Right outcomes are IR that LLVM's verifier accepts, or a diagnostic with its code. A crash, a hang, an internal
error (BS099) or broken IR is a failure: its first line is printed and its module kept in DIR. Status 1 where there is one.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUGIN = os.path.join(os.environ.get("BACKSWEEP_BUILD", os.path.join(ROOT, "target", "release")), "libbacksweep.so")
LLVM_BIN = os.environ.get("BACKSWEEP_LLVM_BIN", "/usr/lib/llvm-22/bin")
OPT = [os.path.join(LLVM_BIN, "opt"), f"-load-pass-plugin={PLUGIN}"]

TIME_LIMIT = 60
MODES = ["gradient", "tangent"]
FLOATS = {"half", "bfloat", "float", "double", "x86_fp80", "fp128"}


def run(command, text=None):
    """Status and what was printed; a hang has the status `hang`."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "hang", ""
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def split_list(text):
    """The parts between commas outside of brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for at, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif not quoted and char in "([{<":
            depth += 1
        elif not quoted and char in ")]}>" and text[at - 1] != "-":
            depth -= 1
        elif char == "," and depth == 0 and not quoted:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def first_type(text):
    """The type that begins a text in the model's grammar, in LLVM's spelling; None where we do not write it."""
    space = re.match(r"ptr\((\d+)\)", text)
    if space:
        return f"ptr addrspace({space.group(1)})"
    word = re.match(r"(ptr|void|i\d+|half|bfloat|float|double|x86_fp80|fp128)\b", text)
    if word:
        return word.group(1)
    if text[0] not in "<{[" or "scalable" in text or "ptr(" in text:
        return None
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "<{[") - (char in ">}]")
        if depth == 0:
            return text[: at + 1]
    return None


def read_functions(model):
    """Name, parameter types and result type of each function with a body."""
    found = []
    for line in model.splitlines():
        head = re.match(r'function @("(?:[^"\\]|\\.)*"|[^(]+)\((.*)\) -> (.*)', line)
        if not head:
            continue
        params = [part for part in split_list(head.group(2)) if part != "..."]
        texts = [re.sub(r'^%\d+(?: ("[^"]*"|[^:]*))?: ', "", part) for part in params]
        types = [first_type(text) for text in texts]
        result = first_type(head.group(3))
        if result and None not in types:
            found.append((head.group(1), types, result))
    return found


def request(function, mode):
    """A function that calls a hook with the default tokens, as text."""
    name, types, result = function
    params, values, outputs = [], [], []
    for index, ty in enumerate(types):
        values.append(f"{ty} %a{index}")
        if ty.startswith("ptr") or (ty in FLOATS and mode == "tangent"):
            values.append(f"{ty} %d{index}")
        elif ty in FLOATS:
            outputs.append(ty)
    params = list(values)
    if mode == "gradient":
        gives = "void" if not outputs else outputs[0] if len(outputs) == 1 else "{ " + ", ".join(outputs) + " }"
    else:
        gives = result if result in FLOATS else "void"
    hook = f"@__backsweep_{mode}_anything"
    call = f"call {gives} (ptr, ...) {hook}({', '.join([f'ptr @{name}', *values])})"
    body = f"  {call}\n  ret void" if gives == "void" else f"  %r = {call}\n  ret {gives} %r"
    return f"\ndeclare {gives} {hook}(ptr, ...)\ndefine {gives} @anything({', '.join(params)}) {{\n{body}\n}}\n"


def judge(status, printed):
    """`differentiated`, `refused BSnnn`, or None with what went wrong."""
    codes = re.findall(r"\[(BS\d+)\]", printed)
    if status == 0:
        return "differentiated", ""
    if status == 1 and codes and "BS099" not in codes:
        return f"refused {codes[0]}", ""
    lines = [line for line in printed.splitlines() if line.strip()]
    internal = [line for line in lines if "BS099" in line]
    return None, f"status {status}: {(internal or lines or ['nothing printed'])[0][:300]}"


def try_function(file, text, function, mode):
    module = text + request(function, mode).encode()
    status, printed = run([*OPT, "-passes=backsweep,verify", "-disable-output", "-"], module)
    outcome, problem = judge(status, printed)
    return file, function, mode, outcome, problem, module


def jobs_of(file, options):
    """The file as text, with the functions and modes to be tried."""
    status, model = run([*OPT, "-passes=print<backsweep-model>", "-disable-output", file])
    text = run([OPT[0], "-S", "-o", "-", file])[1].encode()
    if status != 0:
        return [(file, text, ("?", [], "void"), "print")]
    functions = read_functions(model)
    # The seed and the file's own name decide, not the order in which threads come.
    chance = random.Random(f"{options.seed} {os.path.basename(file)}")
    chosen = chance.sample(functions, min(options.each, len(functions)))
    return [(file, text, function, mode) for function in chosen for mode in MODES]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=2, help="functions of each file")
    parser.add_argument("--save", default=os.path.join(ROOT, "build", "request-anything"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.save, exist_ok=True)
    totals, problems = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for jobs in pool.map(lambda file: jobs_of(file, options), options.files):
            for file, function, mode, outcome, problem, module in pool.map(lambda job: try_function(*job), jobs):
                totals[outcome or "failed"] += 1
                if outcome is None:
                    problems[re.sub(r"%\S+|\d+", "_", problem)] += 1
                    kept = os.path.join(options.save, f"{sum(problems.values())}.ll")
                    with open(kept, "wb") as output:
                        output.write(module)
                    print(f"{kept}: @{function[0]} of {file}, {mode}: {problem}")
    for outcome, count in sorted(totals.items()):
        print(f"{count:6} {outcome}")
    print(f"{len(problems)} distinct failures")
    return 1 if problems or not totals else 0


if __name__ == "__main__":
    sys.exit(main())
