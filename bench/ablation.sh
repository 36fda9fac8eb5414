#!/bin/bash
# ablation.sh check|quick|full [DIR]: what each analysis of the planner is worth. Every program of bench/programs is compiled
# once as shipped and once with each analysis replaced by the answer that is always safe; all are checked like those of
# gradients.sh. Writes one gradients.csv for each into DIR (default build/ablation), and the table ablation.csv.
set -euo pipefail
cd "$(dirname "$0")/.."

form=${1:-full}
out=${2:-build/ablation}
for disabled in nothing activity liveness tbr write mincut restore left notape preaccumulate fuse idle strip tables chosen walks edges short joint contract guard rows \
    invert sums; do
    option=
    if [ "$disabled" != nothing ]; then
        option="disable=$disabled"
    fi
    mkdir -p "$out/$disabled"
    if ! BACKSWEEP_OPTIONS=$option bench/gradients.sh "$form" "$out/$disabled" > "$out/$disabled/log"; then
        cat "$out/$disabled/log" >&2
        echo "ablation: a derivative is wrong, or there is none, without $disabled" >&2
        exit 1
    fi
done
head -n 2 "$out/nothing/log"
python3 bench/ablation.py "$out"
