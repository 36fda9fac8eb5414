#!/bin/bash
# Installs what building and testing Backsweep needs, and nothing else. Run by `make`; safe to run again.
#
# BACKSWEEP_SETUP=check only looks and fails where something is missing.
set -euo pipefail

# Why each package is here:
#   g++           brings the C++ library, compiles the plugin's C++ shim where clang cannot, and links Rust code
#   llvm-22-dev   headers for the shim, opt and llc; brings llvm-22-tools (FileCheck, lit, not)
#   clang-22      host of C and C++ programs, and of `backsweep grad`; compiles the plugin's C++ shim
#   libclang-rt-22-dev  what clang's sanitizers link, for the tests of derivatives under them
#   flang-22      host of Fortran programs
#   lld-22        host of full and thin link-time optimisation
# Arguments are further packages that a target needs.
packages=(g++ llvm-22-dev llvm-22-tools clang-22 libclang-rt-22-dev flang-22 lld-22 "$@")

rust_version=1.95

fail() {
    echo "setup: $*" >&2
    exit 1
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

list_missing() {
    for package in "${packages[@]}"; do
        is_installed "$package" || echo "$package"
    done
}

# Prints the command that gives us root, or nothing when we are root already.
find_privilege() {
    if [ "$(id -u)" = 0 ]; then
        return
    fi
    # Without a terminal sudo cannot ask for a password: then only a passwordless one is of use.
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        echo "sudo"
        return
    fi
    fail "these Debian packages are missing and need root to install: $1" \
        "(run as root: apt-get install $1)"
}

install_packages() {
    local missing="$1" privilege log status=0
    [ "${BACKSWEEP_SETUP:-install}" = install ] || fail "missing Debian packages: $missing"
    command -v apt-get >/dev/null || fail "no apt-get here; install LLVM 22 with these parts by hand: $missing"
    privilege=$(find_privilege "$missing")
    echo "setup: installing from Debian's packages: $missing"
    log=$(mktemp)
    # shellcheck disable=SC2086 # The list and the privilege are words, and may be none.
    { $privilege apt-get update -q &&
        $privilege env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
    } >"$log" 2>&1 || status=$?
    if [ "$status" != 0 ]; then
        tail -n 15 "$log" >&2
        fail "apt-get could not install: $missing (whole log: $log; LLVM 22 is in Debian 12's security updates and on apt.llvm.org)"
    fi
    rm -f "$log"
    echo "setup: done"
}

# Debian's own cargo is older than the language edition used here, and would fail without saying so.
require_cargo() {
    command -v cargo >/dev/null || fail "cargo is missing; install Rust $rust_version or newer, see https://rustup.rs"
    local found
    found=$(cargo --version | awk '{ print $2 }')
    [ "$(printf '%s\n' "$rust_version" "$found" | sort -V | head -n 1)" = "$rust_version" ] ||
        fail "cargo is $found; install Rust $rust_version or newer, see https://rustup.rs"
}

main() {
    require_cargo
    # Without dpkg the names of packages mean nothing; then the tools themselves have to be there.
    if ! command -v dpkg-query >/dev/null; then
        command -v llvm-config-22 >/dev/null || fail "LLVM 22 is missing, and this is not a Debian system"
        return
    fi
    local missing
    missing=$(list_missing | xargs)
    [ -z "$missing" ] || install_packages "$missing"
}

main
