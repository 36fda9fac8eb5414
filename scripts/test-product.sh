#!/bin/bash
# Tests the product as a user gets it: installed into a prefix, away from the source tree.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
scripts/install.sh "$prefix"

cp examples/rosenbrock.c "$prefix/"
cd "$prefix"
bin/backsweep grad rosenbrock.c --function rosenbrock --at x=-1.2 y=1 | tee out.txt
grep -Eq '^x .*-215\.(6|59999)' out.txt
grep -Eq '^y .*-(88|87\.9999)' out.txt
# The words of `config` have to be enough to compile by hand.
# shellcheck disable=SC2046 # The flags are meant to split into words.
clang-22 -O2 $(bin/backsweep config --cflags) rosenbrock.c -o rosenbrock $(bin/backsweep config --libs)
./rosenbrock
echo "2 passed, 0 failed"
