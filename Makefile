# SPDX-License-Identifier: BSD-2-Clause
#
# Short names for what CMake and CTest do.  `make CC=clang BUILD=build-clang`
# builds with another compiler beside the first.
BUILD ?= build
PREFIX ?= /usr/local
CTEST_FLAGS ?=
HEDDLE := $(BUILD)/bin/heddle

generator := $(if $(shell command -v ninja),-G Ninja)
# With make's own default compiler, CMake is left to find one.
compiler := $(if $(filter-out default,$(origin CC)),-DCMAKE_C_COMPILER=$(CC))
ctest := ctest --test-dir $(BUILD) --output-on-failure --parallel $(shell nproc) $(CTEST_FLAGS)

.PHONY: all tests uninstall deps linux demo check check-quick check-rules check-tiny check-deep baselines bench bench-compare bench-page real real-figures study-quick study install clean

# The tool with its runtime, manual pages and completions; `tests` also builds the test programs.
all: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel --target heddle_tool

tests: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel

# A configuration that fails leaves a cache without a build file: it is removed, so that the next call configures again.
$(BUILD)/CMakeCache.txt: CMakeLists.txt
	@cmake -S . -B $(BUILD) $(generator) $(compiler) || { rm -f $@; exit 1; }
	@touch $@

deps:
	@tools/install-deps

# A kernel for the tests of Linux, which are left out without it.
linux:
	@tools/fetch-linux $(BUILD)/linux || echo "no kernel: the tests of Linux are left out" >&2

demo: deps
	@$(MAKE) --no-print-directory all
	@tools/demo $(BUILD)

check: deps linux
	@$(MAKE) --no-print-directory tests
	@$(ctest)

# The fast tests of each area: at most 90 seconds on two cores.
check-quick: tests
	@$(ctest) --label-regex '^quick$$'

# The numbered rules of the sources (HD_CHECK), checked while litmus programs run.
check-rules: deps
	@cmake -S . -B $(BUILD)/rules $(generator) $(compiler) -DHEDDLE_CHECKS=ON -DHEDDLE_TESTS=OFF
	@cmake --build $(BUILD)/rules --parallel
	@for directory in basic checks faults heap threads points; do \
		echo "rules: $$directory"; \
		HEDDLE=$(abspath $(BUILD))/rules/bin/heddle tests/litmus/run -p $$directory || [ $$? = 77 ] || exit 1; done

# Caches and tables as small as possible (HD_LIMIT): what happens when they are full.
check-tiny: deps
	@cmake -S . -B $(BUILD)/tiny $(generator) $(compiler) -DHEDDLE_TINY=ON
	@cmake --build $(BUILD)/tiny --parallel
	@ctest --test-dir $(BUILD)/tiny --output-on-failure --parallel $(shell nproc) \
		--label-regex '^quick$$' --tests-regex '^unit/|^litmus/basic$$'

# Everything again, longer, the unit tests under ASan and UBSan, and real programs.
check-deep: deps linux
	@$(MAKE) --no-print-directory tests
	@HEDDLE_DEEP=1 $(ctest)
	@cmake -S . -B $(BUILD)/sanitized $(generator) $(compiler) -DHEDDLE_SANITIZE=ON
	@cmake --build $(BUILD)/sanitized --parallel --target heddle_unit_tests
	@ctest --test-dir $(BUILD)/sanitized --output-on-failure --tests-regex '^unit/'
	@$(MAKE) --no-print-directory check-tiny
	@HEDDLE=$(HEDDLE) bench/real/run || [ $$? = 77 ]

baselines: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/baselines/run

# How fast it is: the tables, or docs/benchmarks.md made anew.
bench: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/speed/run

# Both builds in turn, workload by workload: make bench-compare REVISION=f6e8218
bench-compare: all
	@test -n "$(REVISION)" || { echo "make bench-compare REVISION=the revision to compare with" >&2; exit 1; }
	@rm -rf $(BUILD)/compare && mkdir -p $(BUILD)/compare/source
	@git archive $(REVISION) | tar -x -C $(BUILD)/compare/source
	@cmake -S $(BUILD)/compare/source -B $(BUILD)/compare/build $(generator) $(compiler) -DHEDDLE_TESTS=OFF
	@cmake --build $(BUILD)/compare/build --parallel
	@bench/speed/compare $(BUILD)/compare/build/bin/heddle $(HEDDLE)

bench-page: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/speed/run -p >$(BUILD)/benchmarks.md
	@mv $(BUILD)/benchmarks.md docs/benchmarks.md

# Real programs, whose sources come from Debian's archive; exit 77: they cannot be had.
real: all
	@HEDDLE=$(HEDDLE) bench/real/run -f

# Their speed only, and the section of docs/benchmarks.md that tells it.
real-figures: all
	@HEDDLE=$(HEDDLE) bench/real/run -F bench/real/figures.tsv
	@bench/speed/run -r docs/benchmarks.md

# Every technique side by side (docs/study.md): within 5 minutes, within an hour.
study-quick: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/study/run quick $(BUILD)/study-quick

study: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/study/run full $(BUILD)/study

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

# Removes what `make install` of this build directory has installed.
uninstall:
	@tools/uninstall "$(BUILD)" "$(DESTDIR)"

clean:
	@cmake -E rm -rf $(BUILD)
