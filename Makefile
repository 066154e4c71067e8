# Each target that needs system packages first installs those that are missing.
PREFIX ?= /usr/local
# What `make release` built.
PROGRAM ?= .build/release/timer-node
# What `make release-web` built, in the same folder.
WEB_PROGRAM ?= $(dir $(PROGRAM))timer-web
# Where `make package` puts the packages.
DIST ?= dist
# The commands that build the programs and that strip them to measure their size; see scripts/package-arm64.
SWIFT ?= swift
export STRIP ?= strip

.PHONY: help docs-tables demo demo-web test test-fast test-all test-trixie test-cluster build build-web release release-web install install-web uninstall uninstall-web package \
	images test-images test-package release-files test-arm64 test-docs test-home-assistant test-web fuzz coverage mutants pictures benchmark benchmark-fleet requirements requirements-web print-requirements print-libraries package-requirements \
	demo-requirements demo-web-requirements test-requirements lint format clean cache clean-cache
.DEFAULT_GOAL := help

# Warnings are errors here and not in Package.swift, where they would break packages that depend on the library. The
# index for editors is off, because writing it takes a fifth of the compile time. XCTest is off, because no test uses
# it; Swift Testing must then be enabled explicitly, or `swift test` runs nothing. The scripts use the same flags, so
# that nothing is compiled twice.
export SWIFT_FLAGS := --disable-index-store --disable-xctest --enable-swift-testing -Xswiftc -warnings-as-errors
# Installed programs are optimised across our modules, and the linker drops every function that is never called. For
# that, each function needs its own section, and the program must not export all of its symbols, as
# --static-swift-stdlib would make it do. Data that is written only at startup, such as the addresses of other
# libraries' functions, becomes read-only afterwards. lld does this on every Debian release; GNU ld does not.
RELEASE_FLAGS := -Xswiftc -cross-module-optimization -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xlinker --no-export-dynamic -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now

# What `make build` and `make build-web` built.
built := .build/debug/timer-node
built.web := .build/debug/timer-web

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-19s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Each target installs all its packages at once, before anything is built.
demo: demo-requirements build ## Run a short talk on a simulated stoplight, with a private broker
	@scripts/demo $(built)

demo-web: demo-web-requirements build build-web ## The same, with the web server and its pages
	@scripts/demo $(built) $(built.web)

test: test-requirements ## Run all tests, including those on a simulated GPIO chip
	@scripts/test

# The tests of the pure modules use no broker, GPIO chip, disk or other program.
test-fast: requirements-web ## Run only the tests of the pure modules, in virtual time
	swift build $(SWIFT_FLAGS) --build-tests
	swift test $(SWIFT_FLAGS) --skip-build \
		--filter '^(TimerEngine|TimerProtocol|TimerClient|IoTNode|NodeConfiguration|WebCore)Tests\.'

test-trixie: requirements-web ## Run the GPIO tests on Debian 13, with libgpiod 2, in a separate root folder
	@scripts/test-trixie

test-cluster: test-requirements ## Test a node on ejabberd and mosquitto clusters whose three members fail one by one
	@scripts/test-cluster

# Without the web, none of the packages that it needs is fetched.
build: requirements ## Build the node for debugging
	WITHOUT_WEB=1 swift build $(SWIFT_FLAGS) --product timer-node

build-web: requirements-web ## Build the web server for debugging
	swift build $(SWIFT_FLAGS) --product timer-web

release: requirements ## Build the node for installation: optimised, with the Swift libraries linked in
	WITHOUT_WEB=1 $(SWIFT) build $(SWIFT_FLAGS) $(RELEASE_FLAGS) -c release --static-swift-stdlib --product timer-node
	@scripts/check-size $(PROGRAM) 21

release-web: requirements-web ## The same for the web server
	$(SWIFT) build $(SWIFT_FLAGS) $(RELEASE_FLAGS) -c release --static-swift-stdlib --product timer-web
	@scripts/check-size $(WEB_PROGRAM) 30

# The installed files. The configuration belongs to the operator, so `make uninstall` leaves it. systemd and udev look
# in /usr/lib and in /usr/local/lib.
root := $(DESTDIR)$(PREFIX)
binary := $(root)/bin/timer-node
unit := $(root)/lib/systemd/system/timer-node.service
rule := $(root)/lib/udev/rules.d/60-timer-node-gpio.rules
group := $(root)/lib/sysusers.d/timer-node.conf
manual.1 := $(root)/share/man/man1/timer-node.1
manual.5 := $(root)/share/man/man5/timer-node.yaml.5
documents := $(root)/share/doc/timer-node
blueprints := home-assistant/blueprints/automation/timer-node
configuration := $(DESTDIR)/etc/timer-node/timer-node.yaml
# The Debian package installs a different one, which drives no lines.
CONFIGURATION ?= config/timer-node.yaml

web.binary := $(root)/bin/timer-web
web.unit := $(root)/lib/systemd/system/timer-web.service
web.manual.1 := $(root)/share/man/man1/timer-web.1
web.manual.5 := $(root)/share/man/man5/timer-web.yaml.5
web.pages := $(root)/share/timer-web
web.documents := $(root)/share/doc/timer-web
web.configuration := $(DESTDIR)/etc/timer-web/timer-web.yaml
web.avahi := $(DESTDIR)/etc/avahi/services/timer-web.service

shells := bash zsh fish
completions.bash = $(root)/share/bash-completion/completions/$(1)
completions.zsh = $(root)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)/_$(1)
completions.fish = $(root)/share/fish/vendor_completions.d/$(1).fish
completions = $(foreach shell,$(shells),"$(call completions.$(shell),$(1))")

# install_program PROGRAM, BINARY, UNIT, MAN1, MAN5: installs the files that both programs have. The manual pages and
# the completions are generated from the output of the program.
define install_program
	install -D "$(1)" "$(2)"
	install -D -m 644 "config/$(notdir $(3))" "$(3)"
	install -D -m 644 /dev/null "$(4)"
	scripts/man-page "$(1)" >"$(4)"
	install -D -m 644 /dev/null "$(5)"
	scripts/configuration-man-page "$(1)" >"$(5)"
	sed -i 's|/usr/|$(PREFIX)/|' "$(3)" "$(4)" "$(5)"
	$(foreach shell,$(shells),install -D -m 644 /dev/null "$(call completions.$(shell),$(notdir $(2)))" && \
		"$(1)" --generate-completion-script $(shell) >"$(call completions.$(shell),$(notdir $(2)))" &&) true
	sed -i '1{/^#!/d}' "$(call completions.bash,$(notdir $(2)))"
endef

install: ## Install what `make release` built, its unit and udev rule, and a configuration unless one exists
	$(call install_program,$(PROGRAM),$(binary),$(unit),$(manual.1),$(manual.5))
	install -D -m 644 config/60-timer-node-gpio.rules "$(rule)"
	install -D -m 644 config/timer-node.sysusers "$(group)"
	install -D -m 644 -t "$(documents)" docs/*.md
	install -D -m 644 -t "$(documents)/pictures" docs/pictures/*
	install -D -m 644 -t "$(documents)/examples" $(filter-out config/package.yaml config/timer-web.yaml,$(wildcard config/*.yaml))
	install -D -m 644 -t "$(documents)/examples/mosquitto" config/mosquitto/*
	install -D -m 644 -t "$(documents)/examples/clusters" config/clusters/*.md
	install -D -m 644 -t "$(documents)/examples/clusters/mosquitto" config/clusters/mosquitto/*
	install -D -m 644 -t "$(documents)/examples/clusters/ejabberd" config/clusters/ejabberd/*
	install -D -m 644 -t "$(documents)/examples/home-assistant" config/home-assistant/*.yaml
	install -D -m 644 -t "$(documents)/examples/$(blueprints)" config/$(blueprints)/*.yaml
	install -D -m 644 -t "$(documents)/examples/openhab" config/openhab/*
	install -D -m 644 -t "$(documents)/examples/node-red" config/node-red/*
	[ -e "$(configuration)" ] || install -D -m 644 "$(CONFIGURATION)" "$(configuration)"

install-web: ## Install what `make release-web` built, its pages and unit, and a configuration unless one exists
	$(call install_program,$(WEB_PROGRAM),$(web.binary),$(web.unit),$(web.manual.1),$(web.manual.5))
	install -d "$(web.pages)"
	cp -RT www "$(web.pages)"
	chmod -R u=rwX,go=rX "$(web.pages)"
	install -D -m 644 -t "$(web.documents)" docs/web.md docs/web-configuration.md
	install -D -m 644 -t "$(web.documents)/pictures" docs/pictures/web-*
	install -D -m 644 -t "$(web.documents)/examples" config/web/nginx.conf config/web/Caddyfile
	install -D -m 644 -t "$(web.documents)/examples/monitoring" config/monitoring/*
	install -D -m 644 config/web/timer-web.avahi.service "$(web.avahi)"
	[ -e "$(web.configuration)" ] || install -D -m 644 config/timer-web.yaml "$(web.configuration)"

uninstall: ## Remove what `make install` installed, except the configuration
	rm -f "$(binary)" "$(unit)" "$(rule)" "$(group)" "$(manual.1)" "$(manual.5)" $(call completions,timer-node)
	rm -rf "$(documents)"

uninstall-web: ## Remove what `make install-web` installed, except the configuration
	rm -f "$(web.binary)" "$(web.unit)" "$(web.manual.1)" "$(web.manual.5)" "$(web.avahi)" $(call completions,timer-web)
	rm -rf "$(web.documents)" "$(web.pages)"

ifeq ($(ARCH),arm64)
package:
	@scripts/package-arm64 "$(DIST)"
else
package: release release-web package-requirements ## Build Debian packages of both in dist, for this machine's Debian release; with ARCH=arm64 for Debian 12 and 13 on arm64
	@scripts/package "$(PROGRAM)" "$(WEB_PROGRAM)" "$(DIST)"
endif

# Podman and Docker run them; an x86-64 machine builds those for arm64 as well.
ARCHITECTURES ?= $(if $(filter x86_64,$(shell uname -m)),amd64 arm64,arm64)
images: requirements-web ## Build container images of both in dist, for the ARCHITECTURES (amd64 arm64)
	@scripts/images "$(DIST)" $(ARCHITECTURES)

release-files: ## Check that TAG is the version of the build, and write the checksums of the packages in dist
	@[ "$(TAG)" = "v$$($(PROGRAM) --version)" ] || { echo "found the tag $(TAG), expected v$$($(PROGRAM) --version)" >&2; exit 1; }
	cd $(DIST) && sha256sum *.deb >SHA256SUMS

test-package: requirements-web package-requirements ## Install, upgrade, remove and purge the package on Debian 12 and 13, each in a separate root folder
	@scripts/test-package

test-images: requirements-web ## Run the images with podman, with a broker and on the simulated GPIO chip
	@scripts/test-images $(ARCHITECTURES)

test-arm64: requirements-web ## Test the packages for arm64 on emulated machines, one of them a Raspberry Pi 3B
	@scripts/test-arm64

test-docs: package ## Run each command in README.md and docs with the package on Debian 12, in a separate root folder
	@scripts/test-docs

test-home-assistant: release release-web ## Test the discovery with two versions of Home Assistant (1 GB each; takes a few minutes the first time)
	@TIMER_WEB="$(abspath $(WEB_PROGRAM))" scripts/test-home-assistant "$(PROGRAM)"

test-web: build build-web ## Test the web server with Chromium, a broker and nodes
	swift build $(SWIFT_FLAGS) --product page-cases
	@scripts/test-web $(built) $(built.web)

pictures: build build-web ## Take the pictures in docs/pictures from the running program, with the package's typeface
	@PICTURES=docs/pictures scripts/test-web $(built) $(built.web) Tests/web/test_pictures.py

test-all: ## Run the suites that make test skips, one after another; SUITES="test-web …" runs only these
	@scripts/test-all $(SUITES)

cache: ## List what is cached for all clones: the test guest's kernel, other Debian systems, PyPI packages, Home Assistants
	@scripts/cache list

clean-cache: ## Remove everything that is cached
	@scripts/cache clean

benchmark: release release-web ## Compare what `make release` built with a minimal C program and with mqtt-io; write docs/development/performance.md
	@scripts/install-packages mosquitto mosquitto-clients valgrind binutils gcc libc6-dev python3-venv \
		python3-paho-mqtt python3-yaml strace
	@Benchmarks/benchmark .build/release/timer-node --page docs/development/performance.md
	@Benchmarks/lines .build/release/timer-node --page docs/development/performance.md
	@Benchmarks/web .build/release/timer-node .build/release/timer-web --page docs/development/performance.md
	@Benchmarks/floods .build/release/timer-node

benchmark-fleet: release ## Run 1,000 nodes on mosquitto, 300 on clusters, and measure the cost of a node; write docs/development/fleet.md
	@scripts/install-packages mosquitto mosquitto-clients ejabberd erlang-base iproute2 python3-matplotlib \
		python3-paho-mqtt python3-yaml
	@Benchmarks/fleet .build/release/timer-node --page docs/development/fleet.md --picture docs/development/fleet.svg

# The packages needed to build the programs; scripts/with-trixie and scripts/arm64 install the same on Debian.
LIBRARIES := libmosquitto-dev libssl-dev libgpiod-dev libyaml-dev
LIBRARIES_WEB := libqrencode-dev zlib1g-dev
REQUIREMENTS := pkg-config tzdata $(LIBRARIES)
REQUIREMENTS_WEB := $(REQUIREMENTS) $(LIBRARIES_WEB)
requirements:
	@scripts/install-packages $(REQUIREMENTS)

requirements-web:
	@scripts/install-packages $(REQUIREMENTS_WEB)

print-requirements:
	@echo $(REQUIREMENTS_WEB)

print-libraries:
	@echo $(LIBRARIES) $(LIBRARIES_WEB)

package-requirements:
	@scripts/install-packages debhelper lintian fonts-inter fonttools python3-brotli

demo-requirements:
	@scripts/install-packages $(REQUIREMENTS) mosquitto mosquitto-clients

demo-web-requirements:
	@scripts/install-packages $(REQUIREMENTS_WEB) mosquitto mosquitto-clients qrencode

test-requirements:
	@scripts/install-packages $(REQUIREMENTS_WEB) mosquitto mosquitto-clients openssl gcc libc6-dev gpiod procps strace \
		tmux python3 qrencode curl

lint: requirements-web ## Check the formatting, documentation, scripts, C headers, rules and imports
	@scripts/install-packages shellcheck python3
	swift format lint --strict -r Package.swift Sources Tests
	shellcheck -x $(filter-out scripts/coverage scripts/modules scripts/mutants scripts/count-results scripts/test-results,$(wildcard scripts/*)) .ci/run Tests/guest/build-kernel Tests/guest/run Tests/guest/init Tests/guest/chip \
		Tests/guest/own-chip Tests/guest/tests Tests/package/operate Tests/package/operate-web config/containers/timer-start config/home-assistant-app/start Tests/images/operate Tests/images/light Tests/images/app Tests/arm64/init Tests/arm64/initramfs Tests/arm64/instructions Tests/arm64/memory Tests/arm64/operate Tests/arm64/follow Tests/arm64/run-emulated Tests/docs/run-page Tests/docs/check-commands
	scripts/check-headers
	scripts/check-rules
	scripts/modules --check

fuzz: requirements ## Feed random bytes to everything that reads what others wrote, each target for TIME seconds (10)
	@scripts/fuzz

coverage: test-requirements ## Measure which lines and regions of the pure modules the tests execute
	@scripts/coverage

mutants: requirements-web ## Change the pure modules in one of COUNT places (400) at a time, chosen by SEED (1), and see whether their tests notice
	@scripts/install-packages python3 rsync
	@scripts/mutants --seed $(or $(SEED),1) --count $(or $(COUNT),400)

docs-tables: test-requirements ## Generate the field tables in docs/topics.md from the records
	swift build $(SWIFT_FLAGS) --build-tests
	DOCS_TABLES=write swift test $(SWIFT_FLAGS) --skip-build --no-parallel --filter FieldTableTests

format: ## Format the sources
	swift format --in-place -r Package.swift Sources Tests

clean: ## Remove all build products
	rm -rf .build .build-* dist
