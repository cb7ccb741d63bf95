# A thin front for CMake. Everything is built under build/ (and build-asan/, build-tsan/ for the sanitizer runs).
WERROR ?= OFF
JOBS   ?= $(shell nproc)
# one more than there are cores: some tests wait for a clock, a browser or the other side of a line
TESTS  ?= $(shell expr $(JOBS) + 1)
SHELL   = /bin/bash -o pipefail
CMAKE   = cmake -G Ninja -DTYCHO_WERROR=$(WERROR)
QUIET   = -- --quiet | { grep -v 'no work to do' || true; }

.PHONY: all build bundle python run test test-fast test-long setup-test unit asan tsan bench bench-peers study clean setup
all: build

setup:
	@scripts/setup

build: setup
	@$(CMAKE) -S . -B build -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >/dev/null
	@cmake --build build -j $(JOBS) $(QUIET)

run: build
	@scripts/run

# the tests labelled fast and slow, then again under the sanitizers
test: setup-test unit asan tsan

setup-test:
	@scripts/setup test

unit: build
	@ctest --test-dir build --output-on-failure -j $(TESTS) -L 'fast|slow'

# a few minutes: for each commit
test-fast: setup-test build
	@ctest --test-dir build --output-on-failure -j $(TESTS) -L fast

# under ASan and UBSan, with the controls that prove a leak or undefined behaviour fails the run
asan: setup
	@$(CMAKE) -S . -B build-asan -DCMAKE_BUILD_TYPE=Debug -DTYCHO_SANITIZE=ON --log-level=WARNING >/dev/null
	@cmake --build build-asan -j $(JOBS) $(QUIET)
	@ctest --test-dir build-asan --output-on-failure -j $(TESTS) -L 'fast|slow'

# cameras, lidar and dynamics together under ThreadSanitizer, with a control that races
tsan: setup-test
	@CC=clang $(CMAKE) -S . -B build-tsan -DCMAKE_BUILD_TYPE=Debug -DTYCHO_TSAN=ON --log-level=WARNING >/dev/null
	@cmake --build build-tsan -j $(JOBS) --target test_threads $(QUIET)
	@ctest --test-dir build-tsan --output-on-failure -j $(JOBS) -L 'fast|slow'

# one archive that runs from anywhere: program, shared libraries, models, scenarios; without GDAL
bundle: setup
	@scripts/setup bundle
	@tools/bundle build-bundle/tycho-bundle.tar.xz

# the Python package as a wheel with all that it needs, into build-bundle/
python: setup
	@scripts/setup bundle
	@python3 python/backend.py build-bundle

bench: build
	@for b in $$(build/tycho bench --list); do build/tycho bench $$b || exit 1; done

# the same scene by Blender's Cycles and POV-Ray, where they are installed (scripts/setup peers)
bench-peers: build
	@scripts/bench-peers

# rendered ground against photographs of the Moon: hours, resumable (docs/transfer.md)
study:
	@scripts/study

# the hours: the long forms of the tests, by gcc and by clang
test-long: test
	@TYCHO_LONG=1 ctest --test-dir build --output-on-failure -j $(JOBS)
	@CC=clang $(CMAKE) -S . -B build-clang -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >/dev/null
	@cmake --build build-clang -j $(JOBS) -- --quiet
	@TYCHO_LONG=1 ctest --test-dir build-clang --output-on-failure -j $(JOBS)

clean:
	@rm -rf build build-asan build-tsan build-clang
