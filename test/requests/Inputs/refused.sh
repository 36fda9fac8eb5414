#!/bin/bash
# refused.sh OUTPUT COMMAND…: runs a compiler that must refuse, and prints its diagnostics.
#
# Refusing means: an ordinary exit status other than 0, a diagnostic of ours, no crash, no output file.
set -uo pipefail

output=$1
shift
rm -f "$output"
text=$("$@" -o "$output" 2>&1)
status=$?
echo "$text"

fail() {
    echo "refused.sh: $*" >&2
    exit 1
}

[ "$status" != 0 ] || fail "the compiler accepted it"
[ "$status" -lt 128 ] || fail "the compiler died with status $status"
[ ! -e "$output" ] || fail "it left $output"
grep -q 'backsweep:' <<<"$text" || fail "no diagnostic of Backsweep"
if grep -Eq 'Stack dump|PLEASE submit|panicked at' <<<"$text"; then
    fail "it crashed"
fi
