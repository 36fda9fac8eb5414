#!/bin/bash
# Tests the product as a user gets it: installed into a prefix, away from the source tree.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
source_tree=$PWD

passed=0
failed=0

# check NAME COMMAND…: one test; goes on after a failure.
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
    fi
}

test_driver() {
    bin/backsweep grad rosenbrock.c --function rosenbrock --at x=-1.2 y=1 | tee grad.txt
    grep -Eq '^x .*-215\.(6|59999)' grad.txt && grep -Eq '^y .*-(88|87\.9999)' grad.txt
}

# The words of `config` have to be enough to compile by hand.
test_config() {
    # shellcheck disable=SC2046 # The flags are meant to split into words.
    clang-22 -O2 $(bin/backsweep config --cflags) rosenbrock.c -o by-hand $(bin/backsweep config --libs) && ./by-hand
}

test_cmake() {
    mkdir -p project
    cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(demo C)
find_package(backsweep REQUIRED)
add_executable(demo ../rosenbrock.c)
backsweep_enable(demo)
END
    cmake -S project -B project/build -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$2" >cmake.log 2>&1 || return 1
    cmake --build project/build >>cmake.log 2>&1 && project/build/demo
}

test_cmake_refuses_gcc() {
    rm -rf project
    ! test_cmake gcc "$PWD" && grep -q 'C is compiled by GNU.*the plugin needs clang-22' cmake.log
}

test_cmake_source_tree() {
    rm -rf project
    test_cmake clang-22 "$source_tree/cmake"
}

scripts/setup.sh cmake valgrind || exit 1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
scripts/install.sh "$prefix" || exit 1
cp examples/rosenbrock.c "$prefix/"
cd "$prefix" || exit 1

check "tape under valgrind and the sanitizers" "$source_tree/runtime/tests/heavy.sh"
check "backsweep grad from an installation" test_driver
check "backsweep config is enough to compile" test_config
check "CMake package of an installation" test_cmake clang-22 "$prefix"
check "CMake package of the source tree" test_cmake_source_tree
check "CMake package refuses another compiler" test_cmake_refuses_gcc
cd "$source_tree" || exit 1
check "models of the corpus at every level, and of what further passes make of it" python3 test/corpus/run.py --long
check "programs of the corpus: a right derivative or a refusal" python3 test/sources/census.py
check "any function of the corpus: a derivative or a diagnostic" \
    python3 scripts/request-anything.py --each 6 build/corpus/bitcode/*/*.O0.bc build/corpus/bitcode/*/*.O2.bc build/corpus/bitcode/*/*.O3v.bc
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
