#!/bin/sh
# The figures of the tape, each beside its baseline. Needs the release build of the runtime.
#
#   bench/tape.sh [COMPILER]      default: clang-22, else cc
#   SPILL_DIR=DIR                 where the spill file goes; default: a temporary directory
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
compiler=${1:-$(command -v clang-22 || command -v cc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$compiler" -O3 -std=gnu11 -Wall -Wextra -Werror -I "$root/include" "$root/bench/tape.c" \
    "${CARGO_TARGET_DIR:-$root/target}/release/libbacksweep_rt.a" -pthread -lm -o "$work/tape"

echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(uname -sr)"
echo "compiler: $("$compiler" --version | head -1), -O3"
"$work/tape"
for megabytes in 16 256; do
    cap=$((megabytes << 20))
    BACKSWEEP_TAPE_SPILL=${SPILL_DIR:-$work} BACKSWEEP_TAPE_RESIDENT=$cap "$work/tape" spill "$cap"
done
