#!/bin/sh
# Pairs of accesses that the dependence test answers in a second on one core, and the slowest pair.
set -eu
cd "$(dirname "$0")/.."
exec cargo run --quiet --release -p backsweep-nestcheck --bin speed
