#!/bin/sh
# Runs rustc, and makes the symbols of libbacksweep_rt.a local as soon as it is written.
#
# Set in .cargo/config.toml, so that every `cargo build` in this repository leaves the library as it is meant to be:
# cargo has no step after linking, and a Makefile's would be undone by the next build.
set -eu

"$@"

name='' directory='' suffix='' static=''
previous=''
for argument in "$@"; do
    case $previous in
        --crate-name) name=$argument ;;
        --out-dir) directory=$argument ;;
        --crate-type) case $argument in *staticlib*) static=yes ;; esac ;;
        -C) case $argument in extra-filename=*) suffix=${argument#extra-filename=} ;; esac ;;
    esac
    previous=$argument
done
library=$directory/lib$name$suffix.a
if [ "$name" = backsweep_rt ] && [ -n "$static" ] && [ -f "$library" ]; then
    "$(dirname "$0")/localise.sh" "$library"
fi
