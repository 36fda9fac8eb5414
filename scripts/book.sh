#!/bin/bash
# book.sh: writes the book of docs/book into build/book. mdBook comes from crates.io, into build/tools.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.4.52
mdbook=$(command -v mdbook || true)
if [ -z "$mdbook" ]; then
    mdbook=build/tools/bin/mdbook
    # Unoptimised: it renders for a second what would take minutes to compile.
    [ -x "$mdbook" ] || CARGO_PROFILE_DEV_DEBUG=false \
        cargo install --quiet --debug mdbook --version "$version" --no-default-features --root build/tools
fi
"$mdbook" build docs/book
echo "build/book/index.html"
