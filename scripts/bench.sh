#!/bin/bash
# bench.sh quick|full: runs bench/run, which measures gradient time ÷ primal time and bytes of tape.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -x bench/run ]; then
    echo "bench: there are no measurements yet (bench/run is missing)" >&2
    exit 1
fi
exec bench/run "$1"
