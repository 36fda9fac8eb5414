#!/bin/sh
# The slow checks of the runtime: valgrind, AddressSanitizer, ThreadSanitizer, and many random programs.
#
# Called by `make test-product`. Needs cc with its sanitizers, valgrind, and nothing installed by us.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
cargo build --release -p backsweep-rt
library=${CARGO_TARGET_DIR:-$root/target}/release/libbacksweep_rt.a
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/spill"

compile() { # NAME SOURCE FLAGS...
    name=$1 source=$2
    shift 2
    cc -std=gnu99 -g -O1 "$@" -I include "runtime/tests/programs/$source" "$library" -pthread -lm -o "$work/$name"
}

# Each program plain, checked, in chunks and spilled.
everywhere() {
    "$@"
    BACKSWEEP_TAPE_CHECK=1 "$@"
    BACKSWEEP_TAPE_RESERVE=0 "$@"
    BACKSWEEP_TAPE_SPILL="$work/spill" BACKSWEEP_TAPE_RESIDENT=1M "$@"
    [ -z "$(ls -A "$work/spill")" ] || { echo "a spill file is left" >&2; exit 1; }
}

for source in records.c objects.c threads.c; do
    echo "== valgrind $source"
    compile plain "$source"
    everywhere valgrind --quiet --error-exitcode=1 --leak-check=full \
        --errors-for-leak-kinds=definite,indirect "$work/plain"
    echo "== AddressSanitizer and UndefinedBehaviorSanitizer $source"
    compile address "$source" -fsanitize=address,undefined -fno-sanitize-recover=all
    everywhere env ASAN_OPTIONS=detect_leaks=1 "$work/address"
    echo "== ThreadSanitizer $source"
    compile thread "$source" -fsanitize=thread
    everywhere env TSAN_OPTIONS=halt_on_error=1 "$work/thread"
done

echo "== many random programs"
BACKSWEEP_TEST_CASES=${BACKSWEEP_TEST_CASES:-5000} cargo test --release -p backsweep-rt --test model
