#!/bin/bash
# jacobians.sh check|quick|full [DIR]: what local Jacobians are worth. Every kernel of bench/jacobians is compiled with them and with
# `disable=preaccumulate`; all derivatives are checked. Writes jacobians.csv into DIR (default build/bench). `check` is for the tests:
# one round, whose times mean nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-full} in
check) rounds=1 ;;
quick) rounds=9 ;;
full) rounds=41 ;;
*)
    echo "jacobians: check, quick or full, not $1" >&2
    exit 2
    ;;
esac
flags=(-O3 -march=native)
out=${2:-build/bench}
mkdir -p "$out/jacobians"

for source in bench/jacobians/*.c; do
    name=$out/jacobians/$(basename "$source" .c)
    target/release/backsweep cc "${flags[@]}" -DVARIANT=with -c "$source" -o "$name-with.o"
    BACKSWEEP_OPTIONS=disable=preaccumulate target/release/backsweep cc "${flags[@]}" -DVARIANT=without -c "$source" \
        -o "$name-without.o"
done
target/release/backsweep cc -O2 bench/jacobians.c "$out"/jacobians/*.o -o "$out/jacobians/bench" -lm

echo "machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
echo "compiler: $(target/release/backsweep cc --version | head -n 1), ${flags[*]}"
"$out/jacobians/bench" "$rounds" "$out/jacobians.csv"
echo "written: $out/jacobians.csv"
