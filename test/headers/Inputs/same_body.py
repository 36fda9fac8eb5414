"""same_body.py FILE.s ONE OTHER: do two functions of an assembly file have the same instructions?

Register allocation may name things in another order, so what is compared is the list of mnemonics with the kinds of
their operands, and the constants by their contents.
"""

import difflib
import re
import sys


def body(text, name):
    """The instructions from a function's label to its end."""
    match = re.search(rf"^{name}:.*?\n(.*?)^\.Lfunc_end", text, re.M | re.S)
    if not match:
        sys.exit(f"{name} is not in the file")
    lines = (re.sub(r"#.*", "", line).strip() for line in match[1].splitlines())
    return [line for line in lines if line and not line.startswith((".", "#")) and not line.endswith(":")]


def plain(instruction, constants):
    instruction = re.sub(r"\.LCPI\d+_\d+", lambda label: constants.get(label[0], label[0]), instruction)
    instruction = re.sub(r"\.L[\w.]+", "LABEL", instruction)
    instruction = re.sub(r"%xmm\d+", "XMM", instruction)
    instruction = re.sub(r"%r\w+|%e\w\w", "REG", instruction)
    return re.sub(r"-?\d*\(REG", "MEM(REG", instruction)


def main():
    path, one, other = sys.argv[1:]
    text = open(path, encoding="utf-8").read()
    found = re.findall(r"^(\.LCPI\d+_\d+):\n((?:\t\.(?:quad|long|zero|short|byte)\t.*\n)+)", text, re.M)
    constants = {label: f"<{' '.join(data.split())}>" for label, data in found}
    first, second = ([plain(i, constants) for i in body(text, name)] for name in (one, other))
    if first != second:
        print(f"{one} and {other} differ")
        print("\n".join(difflib.unified_diff(first, second, one, other, lineterm="")))
        sys.exit(1)
    print(f"{len(first)} instructions each")


main()
