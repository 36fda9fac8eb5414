"""explained.py BACKSWEEP FILE.c: what `explain --json` says of `march` adds up, and the tape of real runs grows by as much."""
import json
import subprocess
import sys


def run(*words):
    text = subprocess.run([sys.argv[1], *words], check=True, capture_output=True, text=True).stdout
    return json.loads(text)


def tape_bytes(numbers, steps):
    point = "u=" + ",".join(["1.5"] * numbers)
    return run("grad", sys.argv[2], "-f", "march", "--json", "--at", point, f"n={numbers}", f"steps={steps}")["tape_bytes"]


[march] = run("explain", sys.argv[2], "-f", "march", "--json")["functions"]
assert march["name"] == "march" and march["line"] == 4, march
outer, inner, last = march["loops"]
assert (inner["parent"], outer["parent"], last["parent"]) == (outer["loop"], None, None), march["loops"]
for loop in march["loops"]:
    noted = sum(note["bytes"] for note in march["notes"] if note["loop"] == loop["loop"])
    assert noted == loop["bytes"], (loop, noted)
assert inner["bytes"] == 8 and last["bytes"] == 0
causes = {(found["kind"], found["line"]) for found in march["obstacles"]}
assert ("overwritten", 9) in causes, causes

# One number more is an iteration more of the inner loop in each of three steps; one step more is one of the outer, with four inside.
# An array has room for the pass that only looks at the counter, and a word of its own.
start, wider, longer = tape_bytes(5, 3), tape_bytes(6, 3), tape_bytes(5, 4)
# What the caller finds in the end is kept once more.
assert wider - start == 3 * inner["bytes"] + 8, (start, wider)
least = outer["bytes"] + 4 * inner["bytes"]
assert least <= longer - start <= least + inner["bytes"] + 8, (start, longer, least)
