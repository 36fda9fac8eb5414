#!/bin/bash
# install.sh PREFIX: copies the built product into PREFIX, laid out as the driver expects it.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=$1
install -d "$prefix/bin" "$prefix/lib/backsweep" "$prefix/lib/cmake/backsweep" "$prefix/include" "$prefix/share/doc/backsweep"
install -m 755 target/release/backsweep "$prefix/bin/"
install -m 755 target/release/libbacksweep.so "$prefix/lib/backsweep/"
install -m 644 target/release/libbacksweep_rt.a "$prefix/lib/backsweep/"
install -m 644 include/* "$prefix/include/"
install -m 644 cmake/backsweep-config.cmake "$prefix/lib/cmake/backsweep/"
install -m 644 README.md LICENSE CHANGELOG.md "$prefix/share/doc/backsweep/"
echo "installed into $prefix"
