#!/bin/bash
# Differentiates examples/rosenbrock.c with the plugin that was just built, and shows what was run.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/demo
mkdir -p "$out"
compile=(clang-22 -O2 -g -Iinclude -fpass-plugin=target/release/libbacksweep.so
    examples/rosenbrock.c -o "$out/rosenbrock"
    target/release/libbacksweep_rt.a -lm -lpthread -ldl)

echo
echo "\$ ${compile[*]}"
"${compile[@]}"
echo "\$ $out/rosenbrock"
"$out/rosenbrock"
