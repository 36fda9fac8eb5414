"""book.py ROOT RELEASE OUTPUT: every program of the book is compiled and run, and prints what the book says.

On a page, a block ```LANGUAGE,file=NAME is a file; a block ```sh is run where the page's files are; a block ```text after it is
what that prints. Every page of the summary exists, and every page is in the summary.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.S | re.M)


def check_page(page, directory, environment):
    """The problems of one page, and how many blocks were run."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    problems, runs, printed = [], 0, None
    for kind, text in BLOCK.findall(page.read_text()):
        if ",file=" in kind:
            (directory / kind.split(",file=")[1]).write_text(text)
        elif kind == "sh":
            run = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", text], cwd=directory, env=environment, capture_output=True, text=True, timeout=300
            )
            runs, printed = runs + 1, run.stdout
            if run.returncode != 0:
                problems.append(f"{page}: status {run.returncode} of\n{text}{run.stdout}{run.stderr}")
        elif kind == "text":
            if printed != text:
                problems.append(f"{page}: the page says\n{text}and what is printed is\n{printed}")
            printed = None
    return problems, runs


def check_summary(source):
    linked = set(re.findall(r"\]\((.*?\.md)\)", (source / "SUMMARY.md").read_text()))
    pages = {str(page.relative_to(source)) for page in source.rglob("*.md")} - {"SUMMARY.md"}
    problems = [f"{page} is in the summary and does not exist" for page in sorted(linked - pages)]
    problems += [f"{page} is not in the summary" for page in sorted(pages - linked)]
    for page in pages:
        folder = (source / page).parent
        prose = re.sub(r"^```\w.*?,file=.*?^```$", "", (source / page).read_text(), flags=re.S | re.M)
        for target in re.findall(r"\{\{#include (.*?)\}\}|\]\((?!http)([^)#]+)\)", prose):
            if not (folder / "".join(target)).exists():
                problems.append(f"{page} points to {''.join(target)}, which does not exist")
    return problems


def main():
    root, release, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    source = root / "docs/book/src"
    environment = dict(os.environ, PATH=f"{release}:{os.environ['PATH']}", crate=str(root / "rust/src/lib.rs"))
    problems, runs = check_summary(source), 0
    for page in sorted(source.rglob("*.md")):
        found, count = check_page(page, output / page.stem, environment)
        problems, runs = problems + found, runs + count
    # A page format that nobody recognises any more would pass without a run.
    if runs < 15:
        problems.append(f"only {runs} blocks were run")
    print("\n".join(problems) or f"{runs} blocks")
    sys.exit(bool(problems))


main()
