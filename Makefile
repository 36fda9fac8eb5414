# `make demo` and `make test` are all that is needed on a fresh Debian 12 with make and cargo.

SHELL := /bin/bash
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# What tests need beyond the product itself: C++ vectors of Eigen are differentiated through our header.
TEST_PACKAGES = libeigen3-dev
# What gradients are measured beside; a column of the table stays empty without it.
BENCH_PACKAGES = libadolc-dev

.PHONY: help setup build demo test lit test-product fuzz bench bench-quick fmt clean install deb book

help:
	@echo 'make demo          install what is missing, build, differentiate examples/rosenbrock.c'
	@echo 'make test          the same set-up, then every test'
	@echo 'make lit           only the tests under test/ (LIT_ARGS=--filter=hosts for some of them)'
	@echo 'make test-product  what is slow and seldom breaks: installations, build systems, the book, a browser'
	@echo 'make fuzz          random programs for FUZZ_SECONDS (default 60)'
	@echo 'make bench         measurements; bench-quick is a short form'
	@echo 'make install       into PREFIX (default /usr/local), DESTDIR is honoured'
	@echo 'make book          the book in build/book, with mdBook (installed by cargo when missing)'
	@echo 'make deb           a Debian package in build/'
	@echo 'make fmt clean'

setup:
	@scripts/setup.sh

build: setup
	@cargo build --release --workspace
	@scripts/fortran-module.sh target/release

demo: build
	@scripts/demo.sh

test:
	@scripts/setup.sh $(TEST_PACKAGES)
	@scripts/test.sh

lit: build
	@scripts/setup.sh $(TEST_PACKAGES)
	@scripts/lit.sh $(LIT_ARGS)

test-product: build
	@scripts/test-product.sh

fuzz: setup
	@scripts/fuzz.sh $(FUZZ_SECONDS)

bench: build
	@scripts/setup.sh $(BENCH_PACKAGES) || echo 'bench: without ADOL-C, its column stays empty' >&2
	@scripts/bench.sh full

bench-quick: build
	@scripts/setup.sh $(BENCH_PACKAGES) || echo 'bench: without ADOL-C, its column stays empty' >&2
	@scripts/bench.sh quick

fmt:
	cargo fmt --all

clean:
	cargo clean
	rm -rf build

install: build
	@scripts/install.sh "$(DESTDIR)$(PREFIX)"

deb: build
	@scripts/deb.sh

book:
	@scripts/book.sh
