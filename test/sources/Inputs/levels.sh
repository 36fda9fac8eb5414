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
"$CLANG" -O1 -c "$inputs/check.c" -o check.o

# build LEVEL…: the program, as `program`.
build() {
    case $source in
        *.c) "$CLANG" "$@" -g "$INCLUDE" -I"$inputs" "$PASS" "$source" check.o -o program "${runtime[@]}" ;;
        *.cpp) "$CLANGXX" -std=c++20 "$@" -g "$INCLUDE" -I"$inputs" -I/usr/include/eigen3 "$PASS" "$source" check.o -o program "${runtime[@]}" ;;
        *.f90) "$FLANG" "$@" -g -I"$inputs" "$PASS" "$source" check.o -o program "${runtime[@]}" ;;
        *.rs) "${rustc[@]}" --crate-name program --edition 2024 "$@" -g "$source" -o program -C link-arg=check.o -C "link-arg=${runtime[0]}" ;;
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
