#!/bin/bash
# Tests the product as a user gets it: installed into a prefix, away from the source tree. And what takes long: the tape under
# valgrind, what further passes make of the corpus, derivatives of functions that nobody meant. Nothing of `make test` again.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
source_tree=$PWD

passed=0
failed=0

# check NAME COMMAND…: one test; goes on after a failure.
check() {
    local name=$1 before=$SECONDS
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $name ($((SECONDS - before)) s)"
    else
        failed=$((failed + 1))
        echo "FAILED  $name ($((SECONDS - before)) s)"
    fi
}

# join_heavy: waits for what was begun in the background, and shows what it printed only where it failed.
join_heavy() {
    wait "$heavy" || {
        tail -n 30 "$heavy_log"
        return 1
    }
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

# run_logged COMMAND…: shows what a command printed only where it fails.
run_logged() {
    "$@" >log.txt 2>&1 || {
        tail -n 30 log.txt
        return 1
    }
}

# copy_project NAME: a fresh copy of test/product/NAME in the prefix, where nothing of the source tree is near.
copy_project() {
    rm -rf "$1" && cp -r "$source_tree/test/product/$1" .
}

# build_cmake PROJECT OPTION…: configures, builds and tests.
build_cmake() {
    local project=$1
    shift
    copy_project "$project" &&
        run_logged cmake -S "$project" -B "$project/build" -DCMAKE_BUILD_TYPE=Release "$@" &&
        run_logged cmake --build "$project/build" &&
        run_logged ctest --test-dir "$project/build" --output-on-failure
}

test_cmake() {
    build_cmake cmake -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_Fortran_COMPILER=flang-22 \
        -DCMAKE_PREFIX_PATH="$1"
}

test_cmake_refuses_gcc() {
    copy_project cmake
    sed -i 's/project(demo C CXX Fortran)/project(demo C)/' cmake/CMakeLists.txt
    ! cmake -S cmake -B cmake/build -DCMAKE_C_COMPILER=gcc -DCMAKE_PREFIX_PATH="$PWD" >log.txt 2>&1 &&
        grep -q 'C is compiled by GNU.*the plugin needs clang-22' log.txt
}

test_cmake_wrapped() {
    CC="$PWD/bin/backsweep cc" CXX="$PWD/bin/backsweep c++" build_cmake wrapped
}

test_make() {
    copy_project make && run_logged make -C make CC="$PWD/bin/backsweep cc" check
}

test_autotools() {
    copy_project autotools && (cd autotools && run_logged autoreconf -i &&
        CC="$OLDPWD/bin/backsweep cc" run_logged ./configure && run_logged make check)
}

test_meson() {
    copy_project meson && CC="$PWD/bin/backsweep cc" CXX="$PWD/bin/backsweep c++" run_logged meson setup meson/build meson &&
        run_logged meson test -C meson/build
}

test_pkg_config() {
    copy_project pkg-config && PKG_CONFIG_PATH=$PWD/lib/pkgconfig run_logged make -C pkg-config check
}

# In both profiles: unoptimised code is differentiated too.
test_cargo() {
    copy_project cargo && (cd cargo && export RUSTC_WRAPPER=$OLDPWD/bin/backsweep-rustc &&
        run_logged cargo run --offline && run_logged cargo run --offline --release)
}

test_destdir() {
    run_logged make -C "$source_tree" install DESTDIR="$PWD/stage" PREFIX=/opt/backsweep &&
        (cd stage/opt/backsweep && cp "$source_tree/examples/rosenbrock.c" . && test_driver)
}

# The package, unpacked and moved: what it holds works by itself.
test_deb() {
    run_logged make -C "$source_tree" deb && rm -rf unpacked &&
        dpkg-deb -x "$source_tree"/build/backsweep_*.deb unpacked &&
        [ -s unpacked/usr/share/doc/backsweep/copyright ] &&
        (cd unpacked/usr && cp "$source_tree/examples/rosenbrock.c" . && test_driver && test_cmake "$PWD")
}

# An include that is not found stays in the page as it is written, and mdBook only warns.
test_book() {
    run_logged scripts/book.sh && ! grep -rq '#include ../' build/book --include=*.html &&
        grep -q 'BS021' build/book/reference/diagnostics.html && grep -q 'bs_dup_noneed' build/book/reference/hooks.html
}

# The page of `explain`, in a browser.
test_explain_page() {
    cp "$source_tree/test/driver/Inputs/explained.c" . &&
        run_logged bin/backsweep explain explained.c -f march --html page.html &&
        run_logged python3 "$source_tree/test/product/explain/screenshot.py" page.html page.png
}

summary=$source_tree/build/test-product-summary
rm -f "$summary"
scripts/setup.sh chromium cmake valgrind pkg-config meson ninja-build autoconf automake || exit 1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
scripts/install.sh "$prefix" || exit 1
# Valgrind runs one program after the other, and leaves a processor to the rest.
heavy_log=$prefix/heavy.txt
runtime/tests/heavy.sh >"$heavy_log" 2>&1 &
heavy=$!
cp examples/rosenbrock.c "$prefix/"
cd "$prefix" || exit 1

check "backsweep grad from an installation" test_driver
check "the page of backsweep explain in a browser" test_explain_page
check "backsweep config is enough to compile" test_config
check "CMake package of an installation" test_cmake "$prefix"
check "CMake package of the source tree" test_cmake "$source_tree/cmake"
check "CMake package refuses another compiler" test_cmake_refuses_gcc
check "CMake with the wrappers" test_cmake_wrapped
check "make with the wrappers" test_make
check "autotools with the wrappers" test_autotools
check "Meson with the wrappers" test_meson
check "pkg-config" test_pkg_config
check "cargo with the wrapper" test_cargo
check "make install with DESTDIR" test_destdir
check "Debian package" test_deb
cd "$source_tree" || exit 1
check "the book is built, and includes what it refers to" test_book
check "models of the corpus at every level, and of what further passes make of it" python3 test/corpus/run.py --long
check "programs of the corpus: a right derivative or a refusal" python3 test/sources/census.py --filter test/corpus/ --most 2
check "any function of the corpus: a derivative or a diagnostic" \
    python3 scripts/request-anything.py --each 6 build/corpus/bitcode/*/*.O0.bc build/corpus/bitcode/*/*.O2.bc build/corpus/bitcode/*/*.O3v.bc
check "tape under valgrind and the sanitizers" join_heavy
echo "$passed passed, $failed failed" | tee "$summary"
[ "$failed" = 0 ]
