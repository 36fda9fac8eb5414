"""What `explain --json` says of `march`: the bytes of each line add up to what its loop records."""
import json
import sys

with open(sys.argv[1]) as file:
    [march] = json.load(file)["functions"]
assert march["name"] == "march" and march["line"] == 4, march
outer, inner, last = march["loops"]
assert (inner["parent"], outer["parent"], last["parent"]) == (outer["loop"], None, None), march["loops"]
for loop in march["loops"]:
    bytes = sum(note["bytes"] for note in march["notes"] if note["loop"] == loop["loop"])
    assert bytes == loop["bytes"], (loop, bytes)
assert inner["bytes"] == 16 and last["bytes"] == 0
causes = {(found["kind"], found["line"]) for found in march["obstacles"]}
assert ("overwritten", 9) in causes, causes
