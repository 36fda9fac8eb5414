"""commands.py ROOT RELEASE OUTPUT: the commands on the page of diagnostics do what it says.

Each `sh` block is run where the C block above it is `example.c`. The first of a section has to fail and to print the section's id;
every further one has to succeed.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

from diagnostics import has_commands, sections


def check_section(name, blocks, directory, environment):
    directory.mkdir(parents=True, exist_ok=True)
    problems, count = [], 0
    for language, text in blocks:
        if language == "c":
            (directory / "example.c").write_text(text)
            continue
        run = subprocess.run(["bash", "-c", text], cwd=directory, env=environment, capture_output=True, text=True, timeout=300)
        printed = run.stdout + run.stderr
        if count == 0 and (run.returncode == 0 or f"[{name}]" not in printed):
            problems.append(f"{name}: the first command does not end with it:\n{text}{printed}")
        if count > 0 and run.returncode != 0:
            problems.append(f"{name}: command {count + 1} fails:\n{text}{printed}")
        count += 1
    return problems


def main():
    root, release, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    environment = dict(os.environ, PATH=f"{release}:{os.environ['PATH']}")
    found = {name: blocks for name, blocks in sections(root).items() if has_commands(blocks)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = [pool.submit(check_section, name, blocks, output / name, environment) for name, blocks in found.items()]
    problems = [problem for check in checks for problem in check.result()]
    # A page format that nobody recognises any more would pass without a run.
    if len(found) < 15:
        problems.append(f"only {len(found)} sections have commands")
    print("\n".join(problems) or f"{len(found)} sections")
    sys.exit(bool(problems))


main()
