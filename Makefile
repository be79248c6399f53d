# make alone prints this menu.

SWIFT ?= swift
# Flags of each build in .build, and of the tests that run there: `make check` has one build for all that it looks at.
SWIFT_BUILD_FLAGS ?=
export SWIFT_BUILD_FLAGS
CHECKED = --explicit-target-dependency-import-check error
PANEL = .build/debug/panel
comma := ,
# Applications are packages; they share one folder of what is built of the libraries. Their build plans are made each time: a cached one is
# that of the package before, if this was tested less than a second ago.
APPLICATION_BUILD = --scratch-path .build/applications --disable-build-manifest-caching
APPLICATIONS = Tally Thermostat Mutation Radio Parts ColourLamp
# The folders of panels; those of a package with kinds of its own are further down, and its own command tests them.
PANELS = $(patsubst %/,%,$(sort $(dir $(wildcard Examples/*/*.panel.yaml))))

.DEFAULT_GOAL := help
.PHONY: help setup run install uninstall test check examples application prove projects explore format format-check layers warnings coverage docs api bench count late measure seeds mutants fuzz asan digests tsan lab bench-lab attack storm trixie deb deb-check repository page browser network servers latency fleet pi soak clean

help: ## Print this menu.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing: libgpiod, libasound, libyaml, libmicrohttpd, libsndfile and pkg-config, with apt.
	@tools/setup

run: setup ## Build, and start a simulated doorbell, Examples/doorbell, in this terminal.
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --product panel
	@$(PANEL) simulate Examples/doorbell/doorbell.panel.yaml
	@echo
	@echo "To use the command panel, install it:    make install"
	@echo "Or use the program that was built here:  $(CURDIR)/$(PANEL) --help"

install: setup ## Build the program for release, and install it with its manual page, completions, schemas and examples: PREFIX (/usr/local), DESTDIR.
	@tools/build-panel .build/panel
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install .build/panel

uninstall: ## Remove what `make install` has installed, from the same PREFIX and DESTDIR.
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install --remove

test: setup ## Build, and run all tests and the examples' scenarios.
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --build-tests
	@SWIFT="$(SWIFT)" tools/run-tests $(SWIFT_BUILD_FLAGS)
	@$(MAKE) --no-print-directory examples

examples: ## Check the example panels, run their scenarios, prove the last one of the guide, run the commands of the tutorials, and test the example applications.
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --product panel
	@$(PANEL) check --strict Examples/*/*.panel.yaml
	@tools/pictures --check $(PANEL)
	@$(PANEL) test $(PANELS)
	@$(PANEL) prove Examples/steps/10-garage.panel.yaml
	@for page in README docs/panels/install docs/panels/first-panel docs/panels/ten-steps docs/panels/testing docs/panels/concepts/*; do \
	  Tests/Docs/run $${page%.md}.md $(PANEL) || exit 1; \
	done
	@Tests/Install/run $(PANEL)
	@$(PANEL) recording replay Examples/cellar-light/recordings --panel Examples/cellar-light/cellar-light.panel.yaml
	@for application in $(APPLICATIONS); do $(SWIFT) test $(APPLICATION_BUILD) --package-path Examples/$$application || exit 1; done
	@SWIFT="$(SWIFT)" Tests/Docs/swift-application --no-release
	@Tests/Docs/compiler-messages
	@$(SWIFT) run $(APPLICATION_BUILD) --package-path Examples/ColourLamp colour-panel test Examples/ColourLamp/Panels
	@printf 'click claim\nexpect state=claimed\n' | \
	  $(SWIFT) run $(APPLICATION_BUILD) --skip-build --package-path Examples/ColourLamp colour-panel simulate Examples/ColourLamp/Panels/meeting-room.panel.yaml

application: ## Follow docs/swift/application.md in an empty folder, with its release build.
	@SWIFT="$(SWIFT)" Tests/Docs/swift-application

prove: ## Prove that what the example panels say must never be can't be; three of them within limits.
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --product panel
	@for panel in $$(grep -l '^never:' Examples/*/*.panel.yaml); do \
	  case $$panel in \
	    */chess-clock.*) limits="--limit white-time=0s..2s --limit black-time=0s..2s" ;; \
	    */simon.*) limits="--limit song=0..3 --limit goal=1..3" ;; \
	    */look-around.*) limits="--limit front=28..31" ;; \
	    *) limits= ;; \
	  esac; \
	  $(PANEL) prove $$panel $$limits --seconds 600 || exit 1; \
	done

projects: ## Check, test and prove twenty panels of things that makers build, written from the documentation alone.
	@$(SWIFT) build -c release --product panel
	@Tests/Projects/run .build/release/panel

explore: ## Operate the example panels at random, in RUNS runs each, 10000 unless given: nothing may be found but planted faults.
	@$(SWIFT) build -c release --product panel
	@tools/explore $(RUNS)

check: ## Everything that is checked before a change is accepted, in this order; the checkout has to be clean afterwards.
	@tools/check $(CHECKED)

format: ## Format all Swift files in place.
	@$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Examples

layers: ## Print how many files of each target import each other target, and check that with Package.swift.
	@tools/layers

format-check: ## Check the format of all Swift files.
	@$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Examples

warnings: setup ## Build everything; a warning is an error.
	@SWIFT_BUILD_FLAGS="$(CHECKED)" tools/build-without-warnings

coverage: setup ## Print how much of each folder the tests run.
	@tools/coverage

docs: setup ## Build a site of all public declarations and of docs; a warning is an error.
	@tools/docs

api: ## Print the changes since the last tag that break programs which use the libraries.
	@tools/api-changes

bench: setup ## Measure, and compare with the figures in Benchmarks/results.md; BEFORE=COMMIT: and with the panel program of then.
	@Benchmarks/setup
	@$(SWIFT) build --package-path Benchmarks -c release --product bench
ifdef BEFORE
	@rm -rf Benchmarks/.build/before && mkdir -p Benchmarks/.build/before
	@git archive "$(BEFORE)" | tar -x -C Benchmarks/.build/before
	@$(SWIFT) build --package-path Benchmarks/.build/before -c release --product panel -Xlinker --strip-debug
	@PANEL_BEFORE=Benchmarks/.build/before/.build/release/panel Benchmarks/.build/release/bench Benchmarks/results.md $(BENCH)
else
	@Benchmarks/.build/release/bench Benchmarks/results.md $(BENCH)
endif

count: setup ## Count the instructions of most rows of Benchmarks/results.md: 3 % more than is recorded fails.
	@Benchmarks/setup
	@$(SWIFT) build --package-path Benchmarks -c release --product bench
	@Benchmarks/.build/release/bench Benchmarks/results.md --counted

page: ## Make the monitor's page of its sources, Sources/Monitor/Page.
	@tools/page

browser: setup ## Test the monitor's page in Chromium on simulated panels; TEST=... for some tests. Pictures are left in .build/browser.
	@Tests/Browser/setup
	@tools/page --check
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --product panel
	@$(SWIFT) build $(APPLICATION_BUILD) --package-path Examples/Tally --product tally
	@Tests/Browser/run $(TEST)

soak: setup ## Watch a busy panel for 1000000 events, EVENTS of them, with a page and seven other watchers: memory, scrolling, what is missing.
	@Tests/Browser/setup
	@$(SWIFT) build -c release --product panel
	@PANEL="$(CURDIR)/.build/release/panel" /usr/bin/python3 -B Tests/Browser/soak.py $(EVENTS)

late: setup ## Run devices on a real clock beside two busy threads, and look whether their hardware was used against its data sheet.
	@$(SWIFT) build --package-path Benchmarks -c release --product late
	@Benchmarks/.build/release/late

measure: setup ## Measure what an idle panel costs, also as a service: size, start, memory, wake-ups, what it writes to the disk.
	@Tests/Network/setup
	@tools/measure

seeds: setup ## Print, case by case, what is taken over from the systems that this one comes from, and whether it holds; with OPTIMIZED=1 also in a release build.
	@Tests/Browser/setup
	@tools/seeds $(if $(OPTIMIZED),--optimized)

mutants: setup ## Change the sources in 175 small ways, one at a time, and print which change no test notices; MUTANTS=m2,r17 for some, JOBS=N, CHECK=1 to check their list only, FRESH=1 to forget earlier results.
ifdef CHECK
	@/usr/bin/python3 -B -m unittest discover -s tools/mutants
else
	@$(if $(FRESH),rm -f .build/mutants/results.json .build/mutants/suites.json)
	@JOBS=$(JOBS) /usr/bin/python3 -B tools/mutants run $(subst $(comma), ,$(MUTANTS))
endif

fuzz: export TEST_TARGETS = PanelKitTests
fuzz: setup ## Read two million damaged files, recording lines and random expressions, COUNT and SEED of them: no crash, no hang, each problem with its place.
	@$(SWIFT) build --build-tests -c release -Xswiftc -enable-testing --scratch-path .build/fuzz
	@FUZZ_COUNT=$(or $(COUNT),1200000) FUZZ_SEED=$(or $(SEED),1) SWIFT_BACKTRACE=enable=no $(SWIFT) test --skip-build -c release \
	  -Xswiftc -enable-testing --scratch-path .build/fuzz --filter FuzzTests

asan: export TEST_TARGETS = MonitorTests PanelKitTests
asan: setup ## Read a million damaged lines of recordings, and answer a million random requests, under AddressSanitizer; COUNT and SEED of them.
	@$(SWIFT) build --build-tests -c release -Xswiftc -enable-testing --sanitize=address --scratch-path .build/asan
	@FUZZ_COUNT=$(or $(COUNT),1000000) FUZZ_REQUESTS=$(or $(COUNT),1000000) FUZZ_SEED=$(or $(SEED),1) SWIFT_BACKTRACE=enable=no \
	  $(SWIFT) test --skip-build -c release -Xswiftc -enable-testing --sanitize=address --scratch-path .build/asan \
	  --disable-xctest --filter 'RecordingFuzzTests|MonitorFuzzTests'

digests: setup ## Replay recordings, operate all example panels at random and run their scenarios, built in debug and in release: the same digests. ON=trixie: with Swift 6.0.3 too; ON=arm64: for arm64, in an emulator.
	@Tests/Digests/run $(ON)

tsan: export TEST_TARGETS = CycleCoreTests HardwareDriversTests HardwareLinuxTests HardwarePlatformTests StoresTests TerminalTests
tsan: setup ## Run the tests of lanes and threads under ThreadSanitizer.
	@$(SWIFT) build --product hardware-panelsPackageTests --sanitize=thread --scratch-path .build/tsan
	@SWIFT="$(SWIFT)" tools/run-tests --sanitize=thread --scratch-path .build/tsan \
	  --filter 'LanesTests|NonBlockingWriterTests|LinuxLoopTests|ALSASinkTests|SharedStateDriverTests|StoreOrderTests|WorkerT|PlaybackLoopTests|AudioPlayerTests|PlayerThreadTests|ExpanderThreadTests|RecordingRingTests|FlightRecorderTests'

lab: setup ## Run the conformance tests everywhere, on a real kernel in an emulator too; FILTER=... for some, GUESTS="1 2 arm64" for some kernels, HOST=user@pi for there.
ifdef HOST
	@Tests/Lab/there "$(HOST)" "$(FILTER)"
else
	@Tests/Lab/setup
	@GUESTS="$(GUESTS)" Tests/Lab/run "$(FILTER)"
endif

bench-lab: setup ## Measure from an edge to the output that follows it, against a C program on libgpiod, on the lab's kernel.
	@Tests/Lab/setup
	@Tests/Lab/latency/run

network: setup ## Test the client of a broker against Debian's mosquitto on this machine.
	@Tests/Network/setup
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --build-tests
	@REAL_BROKER=1 SWIFT="$(SWIFT)" tools/run-tests $(SWIFT_BUILD_FLAGS) --disable-xctest --filter 'MosquittoBrokerTests'
	@Tests/Network/run

servers: setup ## Kill, stop and change real sound servers, PipeWire and PulseAudio, under a panel, TIMES times each, 1 unless given; as root.
	@Tests/Servers/setup
	@$(SWIFT) build -c release --product panel
	@Tests/Servers/run --times $(or $(TIMES),1) .build/release/panel

latency: setup ## Print the time from a press to the lamp with the network in each state, COUNT presses each, 300 unless given; as root.
	@Tests/Network/setup
	@$(SWIFT) build --package-path Benchmarks -c release --product bench
	@Benchmarks/.build/release/bench --latency $(COUNT)

fleet: setup ## Run the network side of COUNT panels, 5000 unless given, against one mosquitto: docs/run/fleet.md; as root.
	@Tests/Network/setup
	@$(SWIFT) build --package-path Benchmarks -c release --product fleet
	@Benchmarks/.build/release/fleet $(COUNT)

attack: setup ## Try what an attacker would try at the monitor, the control socket, the files of panels and a broker, and print what came of it.
	@$(SWIFT) build $(SWIFT_BUILD_FLAGS) --product panel
	@Tests/Network/setup
	@Tests/Attack/outside
	@Tests/Attack/run
	@Tests/Attack/broker

storm: setup ## Run a panel on the lab's kernel in a storm of edges, and example panels through a day of virtual time: what it takes, what is wrong.
	@Tests/Lab/setup
	@Tests/Lab/storm/run

trixie: setup ## Build the project and run its tests in a Debian 13 root, with its own Swift and libgpiod 2.
	@Tests/Lab/setup
	@Tests/Lab/build-there test

deb: ## Build the Debian packages of panel for amd64 and arm64, for Debian 12 and 13, and their checksums, into .build/packages; as root.
	@Packaging/setup
	@Packaging/build
	@cd .build/packages && sha256sum *.deb >SHA256SUMS

deb-check: ## Build the packages twice, compare them, and install, use, upgrade and purge them in systems of Debian 12 and 13; as root.
	@Packaging/setup check
	@Packaging/check

pi: ## Install the package on an emulated Raspberry Pi 3 and try it, with the outputs read from outside; CASE=... for some; as root.
	@Tests/Pi/setup
	@Tests/Pi/run $(CASE)

repository: ## Put the packages of .build/packages into a signed apt repository, TO=FOLDER (.build/repository), suite canary: docs/run/fleet.md.
	@Packaging/setup repository
	@ls .build/packages/*.deb >/dev/null 2>&1 || $(MAKE) --no-print-directory deb
	@Packaging/repository add "$(or $(TO),.build/repository)" .build/packages/*.deb

clean: ## Remove what was built.
	@rm -rf .build Benchmarks/.build Examples/*/.build
