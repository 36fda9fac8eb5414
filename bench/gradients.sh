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
mkdir -p "$out/objects" "$out/adolc"

for source in bench/programs/*.c; do
    target/release/backsweep cc "${flags[@]}" -c "$source" -o "$out/objects/$(basename "$source" .c).o"
done
# ADOL-C's column: Debian's libadolc-dev, if it is installed, and the programs that compile with its type.
adolc=()
adolc_says="ADOL-C: not installed (apt-get install libadolc-dev), so its column is empty"
if [ -e /usr/include/adolc/adolc.h ]; then
    for source in bench/programs/*.c; do
        object="$out/adolc/$(basename "$source" .c).o"
        if clang++-22 -x c++ -std=c++17 "${flags[@]}" -w -Iinclude -include bench/adolc.hpp -c "$source" -o "$object" 2>/dev/null; then
            adolc+=("$object")
        fi
    done
    adolc+=(-ladolc -lstdc++)
    adolc_says="ADOL-C: $(dpkg-query -W -f '${Version}' libadolc-dev 2>/dev/null || echo 'of this system'), taping each time; - where a \
program does not compile with its type, or it gives another gradient"
fi
target/release/backsweep cc -O2 bench/main.c "$out"/objects/*.o "${adolc[@]}" -o "$out/gradients" -lm

echo "machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
echo "compiler: $(target/release/backsweep cc --version | head -n 1), ${flags[*]}"
echo "$adolc_says"
"$out/gradients" "$rounds" "$out/gradients.csv"
python3 bench/chart.py "$out/gradients.csv" "$out/gradients.svg"
echo "written: $out/gradients.csv $out/gradients.svg"
