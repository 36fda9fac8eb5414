#!/bin/bash
# sanitized.sh OUTPUT COMPILER FLAG…: builds a program that differentiates with each sanitizer, and runs it.
#
# AddressSanitizer looks for accesses outside of objects and for leaks, ThreadSanitizer for races; both look at generated
# code too. UndefinedBehaviorSanitizer looks at the primal, and its handlers must not disturb the derivative. A report ends
# the program with a status that is not zero.
set -euo pipefail

output=$1
shift
for level in -O0 -O2; do
    for sanitizer in address,undefined thread; do
        "$1" "$level" -g -fsanitize="$sanitizer" -fno-sanitize-recover=all "${@:2}" -o "$output"
        "$output" || { echo "sanitized.sh: wrong at $level with -fsanitize=$sanitizer" >&2; exit 1; }
    done
done
