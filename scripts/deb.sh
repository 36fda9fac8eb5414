#!/bin/bash
# deb.sh: writes build/backsweep_VERSION_ARCHITECTURE.deb from what was built.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
architecture=$(dpkg --print-architecture)
package=build/backsweep_${version}_$architecture
rm -rf "$package"
scripts/install.sh "$package/usr" >/dev/null

doc=$package/usr/share/doc/backsweep
# Debian's names for these two.
mv "$doc/LICENSE" "$doc/copyright"
gzip -9n "$doc/CHANGELOG.md" && mv "$doc/CHANGELOG.md.gz" "$doc/changelog.gz"

mkdir "$package/DEBIAN"
# The plugin is loaded into a compiler of exactly this LLVM. The driver runs clang and opt; the other hosts are a choice.
cat >"$package/DEBIAN/control" <<END_CONTROL
Package: backsweep
Version: $version
Architecture: $architecture
Maintainer: The Backsweep authors <backsweep@localhost>
Section: devel
Priority: optional
Depends: libc6, libgcc-s1, libstdc++6, clang-22, llvm-22
Recommends: lld-22, flang-22
Installed-Size: $(du -sk "$package/usr" | cut -f 1)
Description: derivatives of compiled programs
 A pass plugin for LLVM 22 that differentiates C, C++, Fortran and Rust
 programs while they are compiled, with compiler wrappers, headers, a
 Fortran module and a Rust crate.
END_CONTROL
dpkg-deb --root-owner-group --build "$package" "$package.deb" >/dev/null
rm -rf "$package"
echo "$package.deb"
