# Sonde is built by the Swift package manager; this file has the usual calls.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
# Separate folders, because different flags would rebuild a shared one each time.
RELEASE  = .build-release
RELEASED = $(RELEASE)/release
# The traits of the package become compiler flags in the order of a set, which would be random in each run.
# Another order would rebuild everything.
BUILDER  = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# Without colors, since they are a compiler flag that depends on the terminal: a build in a terminal would
# rebuild everything that was built without one.
BUILD    = $(BUILDER) --configuration release --static-swift-stdlib --no-color-diagnostics \
	--scratch-path $(RELEASE) $(LINKER)
# Swift's own linker: faster than the system's, and without a warning about Foundation's mktemp. With a
# section for each function and without exported symbols, it can leave out the functions that nothing calls.
# Types such as Set<Key> are made by direct calls. Made from their names, each would search all protocol
# conformances of the program, which would take half of the time to the first frame.
# The functions that run for each key are placed next to each other, see the target `order`.
LINKER   = $(if $(filter Linux,$(shell uname)),-Xswiftc -use-ld=lld -Xlinker --no-export-dynamic $(PACKED) \
	-Xlinker --symbol-ordering-file=$(CURDIR)/$(ORDER) -Xlinker --no-warn-symbol-ordering \
	-Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
# The packed form of 120,000 relocations, which saves 3 MB of the file and of memory. It needs glibc 2.36.
PACKED   = $(if $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print 1 }'),\
	-Xlinker -z -Xlinker pack-relative-relocs)
ORDER    = Sources/sonde.order
# The folder of the manual page and the completions.
COMPLETIONS = $(DESTDIR)$(PREFIX)/share
MAN         = $(COMPLETIONS)/man/man1
# The number of concurrent tests. With more, tests that talk to servers wait so long for the processor that
# their connections time out.
WIDTH    = $(if $(shell $(SWIFT) test --help-hidden 2>/dev/null | grep parallelization-width),\
	--experimental-maximum-parallelization-width 6)
CHECKS   = --explicit-target-dependency-import-check=error
# Further flags of the test build, such as -Xswiftc -gnone, which saves a sixth of the compiler's time.
FLAGS    =
TESTS    = $(BUILDER) --build-tests $(CHECKS) $(FLAGS)
# The test log is long, so failures are printed again at its end, each with the first lines of its reason.
LOG      = .build/test.log
define ISSUES
/^[^ ]+ (Test|Suite) / { left = /recorded an issue/ ? 40 : 0; issues += left }
left-- > 0
END { if (!issues) print "The test run itself failed, see above." }
endef
export ISSUES

.PHONY: run build dist deb check-deb test test-postgres fuzz test-tsan test-asan typecheck pictures example test-libraries bench bench-server bench-explorer order lint install uninstall clean setup setup-tests

run: build
	$(RELEASED)/sonde

build: setup
	$(BUILD) --product sonde

test: setup-tests
	$(TESTS)
	@{ $(SWIFT) test --skip-build --disable-xctest $(WIDTH) 2>&1; echo $$? >$(LOG).status; } | \
	  tee $(LOG); read status <$(LOG).status; \
	  [ $$status -eq 0 ] || { printf '\nWhat failed, again:\n'; awk "$$ISSUES" $(LOG); }; exit $$status

# Only the tests of PostgreSQL stores; they fail if no server can be started.
test-postgres: setup-tests
	$(TESTS)
	SONDE_TEST_POSTGRES=1 $(SWIFT) test --skip-build --disable-xctest $(WIDTH) --filter 'Postgres|InstantApp'

# Damaged input for all parsers and both ends of a session, for about an hour. Repeat a crash with the last
# printed seed: make fuzz SEED=…
FUZZERS = 12
HOUR    = 3600
fuzz: setup-tests
	$(TESTS)
	SONDE_FUZZ_SECONDS=$$(($(HOUR) / $(FUZZERS))) $(if $(SEED),SONDE_FUZZ_SEED=$(SEED)) \
	  $(SWIFT) test --skip-build --disable-xctest --no-parallel --filter FuzzTests

# The tests of stores and sessions under a sanitizer, each built in a separate folder.
SANITIZED = StoresTests|SyncTests|LiveQueriesTests|DataSourcesTests|WebSocketsTests
test-tsan: setup-tests
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.txt" \
	  $(SWIFT) test --sanitize=thread --scratch-path .build-tsan --disable-xctest $(WIDTH) \
	  --filter '$(SANITIZED)'

# Memory that system libraries keep until the exit is not reported as leaks.
test-asan: setup-tests
	ASAN_OPTIONS="detect_leaks=0:suppressions=$(CURDIR)/Tests/address-sanitizer.txt" \
	  $(SWIFT) test --sanitize=address --scratch-path .build-asan --disable-xctest $(WIDTH) \
	  --filter '$(SANITIZED)|FuzzTests'

# The compiler's errors for wrong queries, and its time for the slowest expression of the guide.
typecheck: setup-tests
	$(TESTS)
	SONDE_TIME_TYPE_CHECKING=1 \
	  $(SWIFT) test --skip-build --disable-xctest --filter CompilingTests | grep -v started

# The tests that compare the screens in the README and docs/ and the page of keys write them.
pictures: setup-tests
	SONDE_RECORD_SCREENS=1 $(SWIFT) test --disable-xctest $(CHECKS) $(FLAGS) \
	  --filter 'PictureTests|ReadmeTests'

# Builds an example package that uses the libraries, and runs its tests.
example: setup
	$(SWIFT) test --package-path Tests/DataSourcesExample --disable-xctest

# Tests of the libraries in packages of their own, which see only public symbols, in debug and in
# release; those of DataSources also under the address sanitizer.
OUTSIDE = Tests/OutsidePackages
test-libraries: setup
	for package in DataSources Queries; do for configuration in debug release; do \
	  $(SWIFT) test --package-path $(OUTSIDE)/$$package --configuration $$configuration \
	    --disable-xctest $(WIDTH) || exit 1; \
	done; done
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --package-path $(OUTSIDE)/DataSources \
	  --scratch-path $(OUTSIDE)/DataSources/.build-asan --sanitize=address --disable-xctest $(WIDTH)

# BENCH="--help" lists all measurements.
bench: setup
	$(BUILD) --product sonde-bench
	$(RELEASED)/sonde-bench $(BENCH)

# A server with a thousand clients, with busy clients and with hostile ones.
bench-server: build
	$(BUILD) --product sonde-bench
	for what in load busy rest hostile; do \
	  SONDE_SHARE="$(CURDIR)" $(RELEASED)/sonde-bench $$what || exit 1; done

# The cost of keys in each pane, with a million rows, which are generated the first time.
bench-explorer: build
	$(BUILD) --product sonde-bench
	SONDE_SHARE="$(CURDIR)" $(RELEASED)/sonde-bench explorer

# Lists the functions that run for each key. Call it after larger changes; it needs valgrind and six minutes.
order: build
	$(BUILD) --product sonde-bench
	$(RELEASED)/sonde-bench order >$(RELEASE)/new.order && mv $(RELEASE)/new.order $(ORDER)
	rm -f $(RELEASED)/sonde
	$(BUILD) --product sonde

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
# Their version is a number; that of every other build ends in -dev.
DIST = dist
dist deb: export SONDE_PACKAGE = 1
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
	rm -rf .build .build-tsan .build-asan $(RELEASE) Tests/DataSourcesExample/.build $(OUTSIDE)/*/.build*

# Requirements: ncurses, SQLite and zlib with their headers; for the tests also tmux and PostgreSQL, of
# which they start their own server. Missing packages are installed, with apt-get on Debian and Ubuntu, with Homebrew on macOS.
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
