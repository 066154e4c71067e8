# Each target that needs packages of the system installs those that are missing first.
PREFIX ?= /usr/local
# What `make release` built.
PROGRAM ?= .build/release/timer-node

.PHONY: help demo test test-trixie build release install uninstall benchmark packages test-packages lint format clean
.DEFAULT_GOAL := help

# Warnings are errors here and not in Package.swift, where they would break packages that depend on the library.
SWIFT_FLAGS := -Xswiftc -warnings-as-errors
# What is installed is optimised across our modules, and the linker leaves out each function that nothing calls. For that
# each function needs a section of its own, and the program must not export them all, as --static-swift-stdlib has it.
RELEASE_FLAGS := -Xswiftc -cross-module-optimization -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xlinker --no-export-dynamic

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## Run a short talk on a simulated stoplight, with a broker of its own
	@scripts/install-packages mosquitto mosquitto-clients
	@scripts/demo "$$(swift build $(SWIFT_FLAGS) --show-bin-path)/timer-node"

test: packages test-packages ## Run every test, those on a simulated GPIO chip included
	@scripts/test

test-trixie: packages ## Run the tests on the GPIO chip on Debian 13, with libgpiod 2, in a folder of its own
	@scripts/test-trixie

build: packages ## Build for debugging
	swift build $(SWIFT_FLAGS)

release: packages ## Build what is installed: optimised, with the Swift libraries inside
	swift build $(SWIFT_FLAGS) $(RELEASE_FLAGS) -c release --static-swift-stdlib --product timer-node

# systemd and udev look in /usr/lib and in /usr/local/lib.
binary := $(DESTDIR)$(PREFIX)/bin/timer-node
unit := $(DESTDIR)$(PREFIX)/lib/systemd/system/timer-node.service
rule := $(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-timer-node-gpio.rules
documents := $(DESTDIR)$(PREFIX)/share/doc/timer-node
configuration := $(DESTDIR)/etc/timer-node/timer-node.yaml

install: ## Install what `make release` built, unit and udev rule, and a configuration where there is none
	install -D "$(PROGRAM)" "$(binary)"
	install -D -m 644 config/timer-node.service "$(unit)"
	sed -i 's|/usr/|$(PREFIX)/|' "$(unit)"
	install -D -m 644 config/60-timer-node-gpio.rules "$(rule)"
	install -D -m 644 -t "$(documents)" docs/*.md
	install -D -m 644 -t "$(documents)/pictures" docs/pictures/*
	install -D -m 644 -t "$(documents)/examples" config/*.yaml
	install -D -m 644 -t "$(documents)/examples/mosquitto" config/mosquitto/*
	[ -e "$(configuration)" ] || install -D -m 644 config/timer-node.yaml "$(configuration)"

uninstall: ## Remove what `make install` installed, but for the configuration
	rm -f "$(binary)" "$(unit)" "$(rule)"
	rm -rf "$(documents)"

benchmark: release ## Compare what `make release` built with a floor in C and with mqtt-io; write docs/performance.md
	@scripts/install-packages mosquitto mosquitto-clients valgrind binutils gcc libc6-dev python3-venv
	@Benchmarks/benchmark .build/release/timer-node --page docs/performance.md

packages:
	@scripts/install-packages pkg-config libmosquitto-dev libssl-dev libgpiod-dev libyaml-dev

test-packages:
	@scripts/install-packages mosquitto mosquitto-clients openssl gpiod procps strace tmux

lint: ## Check format, documentation, scripts, rules and imports
	@scripts/install-packages shellcheck python3
	swift format lint --strict -r Package.swift Sources Tests
	shellcheck $(filter-out scripts/modules,$(wildcard scripts/*)) .ci/run Tests/guest/build-kernel Tests/guest/run Tests/guest/init Tests/guest/chip \
		Tests/guest/own-chip
	scripts/check-rules
	scripts/modules --check

format: ## Bring the sources into format
	swift format --in-place -r Package.swift Sources Tests

clean: ## Remove what was built
	rm -rf .build .build-*
