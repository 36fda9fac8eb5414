#!/bin/bash
# levels.sh SOURCE KIND X…: compiles a program at every level and checks its derivatives at the point (see check.c).
#
# The lit configuration sets CLANG, CLANGXX, FLANG, RUSTC_PASS, PASS, INCLUDE, RUNTIME and OUTPUT.
set -euo pipefail

source=$1
shift
inputs=$(dirname "$0")
folder=$OUTPUT/$(basename "$source")
mkdir -p "$folder"
cd "$folder"
read -ra runtime <<<"$RUNTIME"
read -ra rustc <<<"$RUSTC_PASS"
# Compiled once for all programs; two at a time may do it, and one takes the other's place.
checks=$OUTPUT/check.o
if [ ! "$checks" -nt "$inputs/check.c" ]; then
    "$CLANG" -O1 -c "$inputs/check.c" -o check.o
    mv check.o "$checks"
fi

# build LEVEL…: the program, as `program`. lld links C and C++ in a third of the time; the other tests link by what the compiler takes, and
# so do those in Fortran, whose internal procedures need a stack that can be executed, which lld has to be told.
build() {
    local common=("$@" -g -I"$inputs" "$PASS" "$source" "$checks" -o program "${runtime[@]}")
    case $source in
        *.c) "$CLANG" -fuse-ld=lld "$INCLUDE" "${common[@]}" ;;
        *.cpp) "$CLANGXX" -fuse-ld=lld -std=c++20 "$INCLUDE" -I/usr/include/eigen3 "${common[@]}" ;;
        *.f90) "$FLANG" "${common[@]}" ;;
        *.rs) "${rustc[@]}" --crate-name program --edition 2024 "$@" -g "$source" -o program -C "link-arg=$checks" -C "link-arg=${runtime[0]}" ;;
    esac
}

# Reads and writes outside of objects, leaks, and in the primal undefined behaviour; flang has no sanitizers.
sanitized="-O2 -fsanitize=address,undefined -fno-sanitize-recover=all"
case $source in
    *.rs) levels=("-Copt-level="{0,1,2,3} "-Copt-level=2 -Zsanitizer=address") ;;
    *.f90) levels=(-O0 -O1 -O2 -O3 "-O2 -ffast-math") ;;
    *) levels=(-O0 -O1 -O2 -O3 "-O2 -ffast-math" "$sanitized") ;;
esac
for level in "${levels[@]}"; do
    read -ra flags <<<"$level"
    build "${flags[@]}"
    ./program "$@" || { echo "levels.sh: $source is wrong at $level" >&2; exit 1; }
done
