# A thin front for CMake. Everything is built under build/ (and build-asan/ for the sanitizer run).
WERROR ?= OFF
JOBS   ?= $(shell nproc)
SHELL   = /bin/bash -o pipefail
CMAKE   = cmake -G Ninja -DTYCHO_WERROR=$(WERROR)

.PHONY: all build run test setup-test unit asan bench bench-peers nightly clean setup
all: build

setup:
	@scripts/setup

build: setup
	@$(CMAKE) -S . -B build -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >/dev/null
	@cmake --build build -j $(JOBS) -- --quiet | { grep -v 'no work to do' || true; }

run: build
	@scripts/run

test: setup-test unit asan

setup-test:
	@scripts/setup test

unit: build
	@ctest --test-dir build --output-on-failure -j $(JOBS)

# the same tests under ASan and UBSan, and the controls that prove a leak or undefined behaviour fails the run
asan: setup
	@$(CMAKE) -S . -B build-asan -DCMAKE_BUILD_TYPE=Debug -DTYCHO_SANITIZE=ON --log-level=WARNING >/dev/null
	@cmake --build build-asan -j $(JOBS) -- --quiet | { grep -v 'no work to do' || true; }
	@ctest --test-dir build-asan --output-on-failure -j $(JOBS)

bench: build
	@for b in $$(build/tycho bench --list); do build/tycho bench $$b || exit 1; done

# the same scene by Blender's Cycles and POV-Ray, where they are installed (scripts/setup peers)
bench-peers: build
	@scripts/bench-peers

# what is too long for every submission: clang, and the long forms of the tests
nightly: test
	@scripts/setup nightly
	@CC=clang $(CMAKE) -S . -B build-clang -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >/dev/null
	@cmake --build build-clang -j $(JOBS) -- --quiet
	@TYCHO_LONG=1 ctest --test-dir build-clang --output-on-failure -j $(JOBS)

clean:
	@rm -rf build build-asan build-clang
