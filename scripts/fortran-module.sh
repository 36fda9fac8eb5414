#!/bin/bash
# fortran-module.sh DIR: writes backsweep.mod, which `use backsweep` reads, into DIR. Without flang there is nobody to read it.
set -euo pipefail
cd "$(dirname "$0")/.."

flang=${BACKSWEEP_LLVM_BIN:-/usr/lib/llvm-22/bin}/flang
if [ ! -x "$flang" ] && ! flang=$(command -v flang-22); then
    echo "flang 22 is missing: no Fortran module" >&2
    exit 0
fi
"$flang" -fsyntax-only -module-dir "$1" include/backsweep.f90
