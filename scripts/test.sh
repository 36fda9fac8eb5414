#!/bin/bash
# Runs every test, goes on after a failure, and ends with one summary and the line `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

passed=0
failed=0
summary=""
logs=build/test-logs
mkdir -p "$logs"
rm -f build/test-summary

# note NAME PASSED FAILED: adds a line to the summary.
note() {
    passed=$((passed + $2))
    failed=$((failed + $3))
    summary+=$(printf '  %-14s %5d passed %5d failed' "$1" "$2" "$3")$'\n'
}

# run_logged NAME COMMAND…: shows and keeps what the command prints, and returns its status.
run_logged() {
    local name=$1
    shift
    echo "== $name: $*"
    "$@" 2>&1 | tee "$logs/$name.log"
    return "${PIPESTATUS[0]}"
}

# run_step NAME COMMAND…: a command that either passes or fails as a whole.
run_step() {
    if run_logged "$@"; then note "$1" 1 0; else note "$1" 0 1; fi
}

# sum_column FILE PATTERN: adds the number that stands first after PATTERN on each line that has it.
sum_column() {
    sed -nE "s/.*$2 *([0-9]+).*/\1/p" "$1" | awk '{ total += $1 } END { print total + 0 }'
}

run_cargo_tests() {
    local status=0 ok bad
    run_logged cargo-test cargo test --workspace --no-fail-fast || status=$?
    ok=$(sum_column "$logs/cargo-test.log" '^test result: [a-zA-Z]+\.')
    bad=$(sum_column "$logs/cargo-test.log" '^test result: .* passed;')
    # A crate that does not compile reports no test; it must not look like a success.
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    note cargo-test "$ok" "$bad"
}

# begin_clippy, join_clippy: the release profile, because its build script has compiled the C++ shim already. Much of it has one
# processor at work, and so has compiling the tests: each takes what the other leaves.
begin_clippy() {
    echo "== clippy: in the background; what it prints follows behind cargo-test"
    cargo clippy --release --workspace --all-targets -- -D warnings >"$logs/clippy.log" 2>&1 &
    clippy=$!
}

join_clippy() {
    local status=0
    wait "$clippy" || status=1
    echo "== clippy"
    cat "$logs/clippy.log"
    note clippy $((1 - status)) "$status"
}

run_lit() {
    local status=0 ok all bad
    run_logged lit scripts/lit.sh || status=$?
    ok=$(sum_column "$logs/lit.log" '^ *Passed *:')
    all=$(sum_column "$logs/lit.log" '^Total Discovered Tests:')
    # Whatever did not pass counts as failed: nothing here is skipped or expected to fail.
    bad=$((all - ok))
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    note lit "$ok" "$bad"
}

started=$SECONDS
run_step build cargo build --release --workspace
run_step module scripts/fortran-module.sh target/release
run_step fmt cargo fmt --all --check
begin_clippy
run_cargo_tests
join_clippy
run_lit
# What compilers emit for the corpus is a model, and its text says all of it.
run_step corpus python3 test/corpus/run.py

echo
echo "Summary ($((SECONDS - started)) s; logs in $logs)"
printf '%s' "$summary"
echo "$passed passed, $failed failed" | tee build/test-summary
[ "$failed" = 0 ]
