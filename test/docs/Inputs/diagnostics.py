"""diagnostics.py ROOT OUTPUT COMMAND…: the page of diagnostics has every id, and its examples do what it says.

COMMAND compiles the file that is put at its end. The first C block of a section has to be refused with the section's id and
without an object; every further block has to be accepted. Sections with commands (`sh` blocks) are left to `commands.py`.
"""

import pathlib
import re
import subprocess
import sys

# What only the environment or a fault of ours can bring about. Each has a test of another kind, as those of a running program.
WITHOUT_EXAMPLE = {"BS022", "BS040", "BS099", "BS199"}

BLOCK = re.compile(r"^```(c|sh)\n(.*?)^```$", re.S | re.M)


def is_of_runtime(name):
    """Those of a running program, which no example can bring about while compiling."""
    return name.startswith("BS2")


def given_ids(root):
    """The ids that the sources can print."""
    ids = set()
    for refusals in ["pass/core/src/refusal.rs", "driver/src/refusal.rs"]:
        body = re.search(r"pub enum Code \{(.*?)\n\}", (root / refusals).read_text(), re.S)[1]
        ids |= {f"BS{int(number):03}" for number in re.findall(r"= (\d+),", body)}
    for source in (root / "pass").rglob("*.rs"):
        ids |= set(re.findall(r"\[(BS\d{3})\]", source.read_text()))
    for source in (root / "runtime/src").rglob("*.rs"):
        ids |= set(re.findall(r"BS\d{3}", source.read_text()))
    return ids


def tested_ids(root):
    """The ids that some test names which is not about this page."""
    ids = set()
    for folder in ["test", "pass", "runtime/tests"]:
        for test in (root / folder).rglob("*"):
            own = pathlib.Path(__file__).parent in test.parents or "src" in test.relative_to(root).parts
            if test.suffix in {".c", ".cpp", ".f90", ".rs", ".ll", ".test", ".sh"} and not own:
                ids |= set(re.findall(r"BS\d{3}", test.read_text(errors="replace")))
    return ids


def sections(root):
    """Id → blocks with their languages, in the order of the page."""
    page = (root / "docs/diagnostics.md").read_text()
    parts = re.split(r"^## (BS\d{3}): .*$", page, flags=re.M)[1:]
    return {name: BLOCK.findall(text) for name, text in zip(parts[::2], parts[1::2])}


def has_commands(blocks):
    return any(language == "sh" for language, _ in blocks)


def compile_block(block, output, command):
    """Exit status and messages; the object is gone before."""
    output.mkdir(parents=True, exist_ok=True)
    source, obj = output / "example.c", output / "example.o"
    source.write_text('#include "backsweep.h"\n' + block)
    obj.unlink(missing_ok=True)
    run = subprocess.run([*command, str(source), "-o", str(obj)], capture_output=True, text=True)
    return run.returncode, run.stderr, obj.exists()


def main():
    root, output, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    found = sections(root)
    problems = [f"{name} is printed and has no section" for name in sorted(given_ids(root) - found.keys())]
    problems += [f"{name} has a section and is never printed" for name in sorted(found.keys() - given_ids(root))]
    elsewhere = tested_ids(root)
    for name, blocks in found.items():
        if not blocks and name not in elsewhere:
            problems.append(f"{name} has neither an example nor a test")
        if bool(blocks) == (name in WITHOUT_EXAMPLE or is_of_runtime(name)):
            problems.append(f"{name}: {len(blocks)} examples")
        if has_commands(blocks):
            continue
        for number, (_, block) in enumerate(blocks):
            status, messages, written = compile_block(block, output, command)
            if number == 0 and (status == 0 or written or f"[{name}]" not in messages):
                problems.append(f"{name}: the first example is not refused with it:\n{messages}")
            if number > 0 and status != 0:
                problems.append(f"{name}: example {number + 1} is refused:\n{messages}")
    print("\n".join(problems) or f"{len(found)} sections")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
