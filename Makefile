# The front door. Everything is made below build/; `make help` lists what there is.
# Installs missing Debian packages by itself, which needs root, as do making the root file system and running jails.

LISTEN ?= 127.0.0.1:8080
STATE ?= build/state
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 30

BIN := build/bin
SOURCES = $(shell git ls-files --cached --others --exclude-standard -- 'src/*.cc' 'src/*.h' 'guest/*.c' 'guest/*.h' 'bench/*.cc' 'tests/*.c' 'tests/*.cc' 'fuzz/*.cc')

.DEFAULT_GOAL := help
# Targets run in the order they are named: two builds in one directory would meet.
.NOTPARALLEL:
.PHONY: help build configure programs images run serve test bench fuzz format lint clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
	@echo
	@echo "  make serve LISTEN=127.0.0.1:8080 STATE=DIR    where it listens and keeps its files"

build: programs images ## programs in build/bin/, the root file system in build/images/

programs: configure ## only the programs
	cmake --build build --parallel $(JOBS)

# Tests and benchmarks stay out until they are asked for: their libraries need not be there.
configure:
	@tools/install-deps.sh build
	@[ -f build/build.ninja ] || cmake --preset release -DOUTRIGGER_TESTS=OFF -DOUTRIGGER_BENCH=OFF

images: programs ## only the root file system (nothing to do where it is up to date)
	@tools/install-deps.sh run
	@$(BIN)/outrigger runtime build

run: build ## starts a daemon, runs a program in python, node and bash through its API, stops it
	@tools/demo.sh

serve: build ## runs the daemon in the foreground
	@exec $(BIN)/outriggerd --listen "$(LISTEN)" --state-dir "$(STATE)"

test: ## every test there is: units, attackers, API, and the attackers again in a virtual machine
	@tools/install-deps.sh build run test
	@$(MAKE) --no-print-directory configure
	cmake build -DOUTRIGGER_TESTS=ON
	@$(MAKE) --no-print-directory build
	tests/run.sh

bench: ## measures, in ratios against a bare run and bubblewrap
	@tools/install-deps.sh build run bench
	@$(MAKE) --no-print-directory configure
	cmake build -DOUTRIGGER_BENCH=ON
	@$(MAKE) --no-print-directory build
	bench/run.sh

# In a build of its own, with sanitizers.
fuzz: ## fuzzes the auditor's parsers for FUZZ_SECONDS each
	@tools/install-deps.sh build fuzz
	@[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
	cmake --build build/fuzz --target fuzz_programs --parallel $(JOBS)
	fuzz/run.sh build/fuzz "$(FUZZ_SECONDS)"

format: ## formats the sources
	@tools/install-deps.sh develop
	clang-format-19 -i $(SOURCES)

# Not the unit tests: what gtest's macros expand to is not ours to mend.
# Nothing is built for it, so nothing may be precompiled: that is how the preset dev is.
lint: ## checks format and lints
	@tools/install-deps.sh build test develop
	clang-format-19 --dry-run -Werror $(SOURCES)
	cmake --preset dev -DOUTRIGGER_TESTS=ON
	run-clang-tidy-19 -quiet -p build/dev '^$(CURDIR)/(src|guest)/.*(?<!_test)\.cc$$'

clean: ## removes build/
	rm -rf --one-file-system build
