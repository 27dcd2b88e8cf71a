# Sonde: everything is built by the Swift package manager; this file spells the usual calls.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
# Folders of their own: the flags differ, and one folder for both would be rebuilt each time.
RELEASE  = .build-release
RELEASED = $(RELEASE)/release
BUILD    = $(SWIFT) build --configuration release --static-swift-stdlib \
	--scratch-path $(RELEASE) $(LINKER)
# The linker that comes with Swift: faster than the system's, and silent about Foundation's mktemp.
LINKER   = $(if $(filter Linux,$(shell uname)),-Xswiftc -use-ld=lld)
# Where the manual page and the shells' completions are put.
COMPLETIONS = $(DESTDIR)$(PREFIX)/share
MAN         = $(COMPLETIONS)/man/man1
# How many tests run at once: with all of them at once, those that talk to servers wait too long for
# their turn and are taken for peers that have fallen silent.
WIDTH    = $(if $(shell $(SWIFT) test --help-hidden 2>/dev/null | grep parallelization-width),\
	--experimental-maximum-parallelization-width 6)
CHECKS   = --explicit-target-dependency-import-check=error
# The run of the tests is long, and often only the end of what it says is kept: what failed is told
# once more there, each with the first lines of its reason.
LOG      = .build/test.log
define ISSUES
/^[^ ]+ (Test|Suite) / { left = /recorded an issue/ ? 40 : 0; issues += left }
left-- > 0
END { if (!issues) print "No test: the run itself broke off, see above." }
endef
export ISSUES

.PHONY: run build dist deb check-deb test test-postgres fuzz test-tsan test-asan typecheck pictures example bench bench-server bench-explorer lint install uninstall clean setup setup-tests

run: build
	$(RELEASED)/sonde

build: setup
	$(BUILD) --product sonde

test: setup-tests
	$(SWIFT) build --build-tests $(CHECKS)
	@{ $(SWIFT) test --skip-build --disable-xctest $(WIDTH) 2>&1; echo $$? >$(LOG).status; } | \
	  tee $(LOG); read status <$(LOG).status; \
	  [ $$status -eq 0 ] || { printf '\nWhat failed, again:\n'; awk "$$ISSUES" $(LOG); }; exit $$status

# The tests of PostgreSQL stores alone; where no server can be started they fail.
test-postgres: setup-tests
	$(SWIFT) build --build-tests
	SONDE_TEST_POSTGRES=1 $(SWIFT) test --skip-build --disable-xctest $(WIDTH) --filter 'Postgres|InstantApp'

# Damaged input for all parsers and both ends of a session, for about an hour. A crash comes again with
# the seed that was printed last: make fuzz SEED=…
FUZZERS = 12
HOUR    = 3600
fuzz: setup-tests
	$(SWIFT) build --build-tests
	SONDE_FUZZ_SECONDS=$$(($(HOUR) / $(FUZZERS))) $(if $(SEED),SONDE_FUZZ_SEED=$(SEED)) \
	  $(SWIFT) test --skip-build --disable-xctest --no-parallel --filter FuzzTests

# The tests of stores and sessions under a sanitizer, each built in a folder of its own.
SANITIZED = StoresTests|SyncTests|LiveQueriesTests|DataSourcesTests|WebSocketsTests
test-tsan: setup-tests
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.txt" \
	  $(SWIFT) test --sanitize=thread --scratch-path .build-tsan --disable-xctest $(WIDTH) \
	  --filter '$(SANITIZED)'

# What the parts of the system keep until the end is not reported as lost.
test-asan: setup-tests
	ASAN_OPTIONS=detect_leaks=0 \
	  $(SWIFT) test --sanitize=address --scratch-path .build-asan --disable-xctest $(WIDTH) \
	  --filter '$(SANITIZED)|FuzzTests'

# What the compiler refuses of queries, and how long the slowest expression of the guide takes it.
typecheck: setup-tests
	$(SWIFT) build --build-tests
	SONDE_TIME_TYPE_CHECKING=1 \
	  $(SWIFT) test --skip-build --disable-xctest --filter CompilingTests | grep -v started

# The screens in the README and in docs/, and the pages of keys and queries, written by the tests that
# compare them.
pictures: setup-tests
	SONDE_RECORD_SCREENS=1 $(SWIFT) test --disable-xctest \
	  --filter 'PictureTests|ReadmeTests|DocumentationPageTests.reference'

# The package that an outsider could copy: that it still builds on this one, and passes its tests.
example: setup
	$(SWIFT) test --package-path Tests/DataSourcesExample --disable-xctest

# BENCH="--help" says what else can be measured.
bench: setup
	$(BUILD) --product sonde-bench
	$(RELEASED)/sonde-bench $(BENCH)

# A server that is called by a thousand clients, by busy ones and by hostile ones.
bench-server: build
	$(BUILD) --product sonde-bench
	for what in load busy rest hostile; do \
	  SONDE_SHARE="$(CURDIR)" $(RELEASED)/sonde-bench $$what || exit 1; done

# What keys cost in each pane of the program, over a million rows that are made the first time.
bench-explorer: build
	$(BUILD) --product sonde-bench
	SONDE_SHARE="$(CURDIR)" $(RELEASED)/sonde-bench explorer

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/sonde"
	install -m 755 -s $(RELEASED)/sonde "$(DESTDIR)$(PREFIX)/bin/sonde"
	cp -R themes demo-data "$(DESTDIR)$(PREFIX)/share/sonde/"
	install -d "$(MAN)" "$(COMPLETIONS)/bash-completion/completions" \
	  "$(COMPLETIONS)/zsh/site-functions" "$(COMPLETIONS)/fish/vendor_completions.d"
	$(RELEASED)/sonde manual >"$(MAN)/sonde.1"
	$(RELEASED)/sonde manual --completions bash >"$(COMPLETIONS)/bash-completion/completions/sonde"
	$(RELEASED)/sonde manual --completions zsh >"$(COMPLETIONS)/zsh/site-functions/_sonde"
	$(RELEASED)/sonde manual --completions fish >"$(COMPLETIONS)/fish/vendor_completions.d/sonde.fish"

# An archive and a Debian package in dist/, each with its checksum. The same program makes the same bytes.
DIST = dist
dist: build
	.ci/packaging/dist $(RELEASED)/sonde $(RELEASE)/checkouts $(DIST)

deb: build
	.ci/packaging/deb $(RELEASED)/sonde $(RELEASE)/checkouts $(DIST)

# Installs the package in a fresh Debian system and opens the demo there. Needs root and debootstrap.
check-deb:
	.ci/packaging/check-deb $(lastword $(sort $(wildcard $(DIST)/*.deb)))

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/sonde"
	rm -rf "$(DESTDIR)$(PREFIX)/share/sonde"
	rm -f "$(MAN)/sonde.1" "$(COMPLETIONS)/bash-completion/completions/sonde" \
	  "$(COMPLETIONS)/zsh/site-functions/_sonde" "$(COMPLETIONS)/fish/vendor_completions.d/sonde.fish"

clean:
	rm -rf .build .build-tsan .build-asan $(RELEASE) Tests/DataSourcesExample/.build

# What the system must have: ncurses, SQLite and zlib with their headers; for the tests tmux and
# PostgreSQL as well, of which they start a server of their own.
# Only what is missing is installed, with apt-get on Debian and Ubuntu, with Homebrew on macOS.
ROOT = $(if $(filter 0,$(shell id -u)),,sudo)
APT  = $(ROOT) apt-get update -qq && $(ROOT) env DEBIAN_FRONTEND=noninteractive \
	apt-get install -y -qq --no-install-recommends

setup:
	@if [ "$$(uname)" = Darwin ]; then \
	  brew list ncurses >/dev/null 2>&1 || brew install ncurses; \
	elif [ ! -e /usr/include/ncursesw/ncurses.h ] && [ ! -e /usr/include/ncurses.h ]; then \
	  echo "Installing libncurses-dev"; $(APT) libncurses-dev; \
	fi
	@if [ "$$(uname)" != Darwin ] && [ ! -e /usr/include/sqlite3.h ]; then \
	  echo "Installing libsqlite3-dev"; $(APT) libsqlite3-dev; \
	fi
	@if [ "$$(uname)" != Darwin ] && [ ! -e /usr/include/zlib.h ]; then \
	  echo "Installing zlib1g-dev"; $(APT) zlib1g-dev; \
	fi

setup-tests: setup
	@if ! command -v tmux >/dev/null; then \
	  echo "Installing tmux"; \
	  if [ "$$(uname)" = Darwin ]; then brew install tmux; else $(APT) tmux; fi; \
	fi
	@if ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then \
	  echo "Installing PostgreSQL"; \
	  if [ "$$(uname)" = Darwin ]; then brew install postgresql@17; else $(APT) postgresql; fi; \
	fi
