#!/bin/bash
# install.sh PREFIX: copies the built product into PREFIX, laid out as the driver expects it. Nothing in it names
# PREFIX: the tree may be moved, and DESTDIR be put in front.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=$1
install -d "$prefix"/{bin,include,lib/backsweep,lib/cmake/backsweep,lib/pkgconfig} \
    "$prefix"/share/{doc/backsweep,backsweep/rust/src}
install -m 755 target/release/backsweep "$prefix/bin/"
# For build systems that want a compiler in one word, and for cargo's RUSTC_WRAPPER.
for compiler in cc c++ fc rustc; do
    ln -sf backsweep "$prefix/bin/backsweep-$compiler"
done
install -m 755 target/release/libbacksweep.so "$prefix/lib/backsweep/"
install -m 644 target/release/libbacksweep_rt.a "$prefix/lib/backsweep/"
install -m 644 include/* "$prefix/include/"
scripts/fortran-module.sh "$prefix/include"
install -m 644 cmake/backsweep-config.cmake "$prefix/lib/cmake/backsweep/"
install -m 644 rust/Cargo.toml "$prefix/share/backsweep/rust/"
install -m 644 rust/src/*.rs "$prefix/share/backsweep/rust/src/"
install -m 644 README.md LICENSE CHANGELOG.md "$prefix/share/doc/backsweep/"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# Seen from the file itself, so that it moves with the tree.
cat >"$prefix/lib/pkgconfig/backsweep.pc" <<END_PC
prefix=\${pcfiledir}/../..
plugin=\${prefix}/lib/backsweep/libbacksweep.so

Name: backsweep
Description: Derivatives of compiled programs, a plugin for clang 22 and flang 22
Version: $version
Cflags: -I\${prefix}/include -fpass-plugin=\${plugin}
Libs: \${prefix}/lib/backsweep/libbacksweep_rt.a -lm -lpthread -ldl
END_PC
chmod 644 "$prefix/lib/pkgconfig/backsweep.pc"
echo "installed into $prefix"
