#!/bin/bash
# gradients.sh check|quick|full [DIR]: every program of bench/programs, its gradient by the plugin beside its hand-written
# adjoint. Writes gradients.csv and a chart, gradients.svg, into DIR (default build/bench). `check` is for the tests: one
# round, whose times mean nothing. The exit status tells whether every derivative was right.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-full} in
check) rounds=1 ;;
quick) rounds=9 ;;
full) rounds=41 ;;
*)
    echo "gradients: check, quick or full, not $1" >&2
    exit 2
    ;;
esac
flags=(-O3 -march=native)
out=${2:-build/bench}
mkdir -p "$out/objects"

for source in bench/programs/*.c; do
    target/release/backsweep cc "${flags[@]}" -c "$source" -o "$out/objects/$(basename "$source" .c).o"
done
target/release/backsweep cc -O2 bench/main.c "$out"/objects/*.o -o "$out/gradients" -lm

echo "machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
echo "compiler: $(target/release/backsweep cc --version | head -n 1), ${flags[*]}"
"$out/gradients" "$rounds" "$out/gradients.csv"
python3 bench/chart.py "$out/gradients.csv" "$out/gradients.svg"
echo "written: $out/gradients.csv $out/gradients.svg"
