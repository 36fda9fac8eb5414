#!/bin/bash
# fuzz.sh SECONDS: random programs against the oracle, until the time is over.
set -euo pipefail
cd "$(dirname "$0")/.."

export BACKSWEEP_FUZZ_SECONDS=$1
# Test functions named fuzz_* read the variable; in `make test` they run for about a second.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo test --release --workspace fuzz_ 2>&1 | tee "$log"
if ! grep -Eq '^test .*fuzz_' "$log"; then
    echo "fuzz: there is no test named fuzz_* yet, so nothing was fuzzed" >&2
    exit 1
fi

# Another seed every time: what fails stays in build/loops, and its seed becomes a test.
cargo build --release -p backsweep-pass -p backsweep-rt
python3 test/loops/Inputs/random/run.py --seconds "$1" --seed "$(($(date +%s) % 1000000 * 1000))"
