#!/bin/sh
# Makes every symbol of a Rust static library local, except those of our C ABI.
#
#   localise.sh LIBRARY.a
#
# A staticlib carries all of Rust's std as global symbols, so two of them in one program clash, and anyone may link
# against names we do not mean to offer. All members are linked into one object (only what the ABI reaches is
# kept), and in it everything but bs_tape_* and bs_rt_* becomes local. Runs in place and does nothing the second
# time. ld and objcopy are in binutils, which Rust's own linking needs anyway.
set -eu

library=$1
OBJCOPY=${OBJCOPY:-objcopy}
LD=${LD:-ld}
NM=${NM:-nm}

exports() { "$NM" -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }

if [ -z "$(exports "$library" | grep -v '^bs_\(tape\|rt\)_' || true)" ]; then
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exports "$library" | grep '^bs_\(tape\|rt\)_' > "$work/keep"
[ -s "$work/keep" ] || { echo "localise.sh: $library exports no bs_* symbol" >&2; exit 1; }

# -u makes each exported symbol a root; the rest is kept only if a root reaches it. Groups are resolved here: one
# that another Rust library has too would be dropped at the final link, and our local references with it.
# shellcheck disable=SC2046
"$LD" -r --gc-sections --force-group-allocation $(sed 's/^/-u /' "$work/keep") -o "$work/whole.o" --whole-archive "$library"
# std's embedded bitcode goes: linked into one section it is no bitcode any more, and tools with an LLVM plugin
# (ar, nm) stop at it.
"$OBJCOPY" --keep-global-symbols="$work/keep" --strip-debug --strip-unneeded \
    --remove-section=.llvmbc --remove-section=.llvmcmd "$work/whole.o" "$work/backsweep_rt.o"
rm -f "$work/out.a"
"${AR:-ar}" rcsD "$work/out.a" "$work/backsweep_rt.o"
# Written through, not renamed: cargo's two names of the file stay one file.
touch -r "$library" "$work/time"
cat "$work/out.a" > "$library"
touch -r "$work/time" "$library"
