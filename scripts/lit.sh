#!/bin/bash
# Runs lit over test/; arguments go to lit. Finds lit in LLVM 22, on the path, or as a Python module.
set -euo pipefail
cd "$(dirname "$0")/.."

find_lit() {
    for candidate in lit-22 /usr/lib/llvm-22/bin/lit lit; do
        if command -v "$candidate" >/dev/null; then
            echo "$candidate"
            return
        fi
    done
    if python3 -c 'import lit.main' 2>/dev/null; then
        echo "python3 -m lit.main"
        return
    fi
    echo "lit: not found; it comes with llvm-22-tools (make setup)" >&2
    exit 1
}

lit=$(find_lit)
# shellcheck disable=SC2086 # The Python form is several words.
exec $lit -v --order=lexical "$@" test
