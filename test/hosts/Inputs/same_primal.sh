#!/bin/bash
# same_primal.sh WITH WITHOUT: the primal must be the same bit by bit, then the gradients are checked.
set -euo pipefail

with=$1
without=$2
"$with" primal >"$with.primal.txt"
"$without" primal >"$with.reference.txt"
# A program that prints nothing would agree with itself.
[ -s "$with.primal.txt" ] || { echo "no primal was printed by $with" >&2; exit 1; }
diff "$with.reference.txt" "$with.primal.txt"
"$with"
