# All commands of the project. Each command installs its dependencies if possible.

PORT ?= 3000
HOST ?= 127.0.0.1
DATA ?= ./data
FLEET ?= 24
LINK_PORT ?= 8070
FILES_PORT ?= 8080
HTTPS_PORT ?= 3443
export PORT HOST DATA FLEET LINK_PORT FILES_PORT HTTPS_PORT

# Uses the Node version of the lockfile, so that all commands run the same version, and packs are identical on every machine.
SHELL := /bin/bash
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# Debian's name of an architecture.
OWN_ARCH := $(shell dpkg --print-architecture 2>/dev/null)
ARCH := $(or $(ARCH),$(OWN_ARCH))
export ARCH

# The target that installs what the native programs need.
MEDIA := media

# Terminates child processes when make is killed.
EXIT_WITH_PARENT := $(if $(shell command -v setpriv),setpriv --pdeathsig TERM)
TS_PROJECTS := contract pack license process-log data-files accounts web-server tls device-link cloud bundler src engine hub firewall updater fleet test firmware-pack supervisor make bench
SOURCES := $(shell find src contract static bundler) package-lock.json LICENSE rollup.config.mjs rollup.cloud.mjs

.DEFAULT_GOAL := verbs
.PHONY: verbs run cloud cloud-move cloud-migrate wire test test-needs sanitized fuzz-targets build-for-tests ndi-runtime-for-tests programs ndi-runtime device-report soak shots check audit size bench firmware-pack firmware-pack-webroot firmware-pack-update firmware-pack-swu firmware-pack-disk firmware-pack-raucb firmware-verify deb oci release dev build native packages media browsers image servers networks backup restore

verbs:
	@sed -n 's/^## \([a-z-]*\): /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22
	@echo "PORT=$(PORT) HOST=$(HOST) DATA=$(DATA) FLEET=$(FLEET) LINK_PORT=$(LINK_PORT) FILES_PORT=$(FILES_PORT) HTTPS_PORT=$(HTTPS_PORT)"

## run: build, start the hub with FLEET demo devices, print the address; CLOUD=host:port with INVITATION in the environment registers it
run: packages native build
	@exec $(EXIT_WITH_PARENT) node make/run.ts

## cloud: start the cloud, where hubs register; with DATABASE_URL as one of many nodes on PostgreSQL; PORT, HOST, LINK_PORT, CLOUD_DATA, KEY_FILE, CERT, KEY, HTTPS, PLAIN_LINKS, HUB_DOMAIN, PEER_PORT
# Its port for browsers is not the one of a hub on the same machine.
cloud: export PORT := $(if $(filter file,$(origin PORT)),3100,$(PORT))
cloud: packages dist-cloud/index.html
	@exec $(EXIT_WITH_PARENT) node make/cloud.ts

## cloud-move: move the data of one node from SQLite (CLOUD_DATA) to an empty PostgreSQL (DATABASE_URL)
cloud-move: packages
	@node cloud/move-to-postgres.ts

## cloud-migrate: prepare PostgreSQL (DATABASE_URL) for nodes that work as the user of APPLICATION_DATABASE_URL
cloud-migrate: packages
	@node cloud/migrate.ts

## test: run every test, or with ONLY='a b' those with a or b in their path
test:
	@$(MAKE) -s -j test-needs MEDIA=programs
	@node test/run.mjs $(ONLY)

# What tests need is installed and built side by side.
test-needs: native sanitized build-for-tests ndi-runtime-for-tests

build-for-tests: packages
	@! node test/run.mjs --needs-build $(ONLY) || $(MAKE) build

# Without the NDI runtime the tests that need it are skipped, and listed before the result.
ndi-runtime-for-tests:
	@make/ndi-runtime.sh || true

# Debian packages for all tests, in one call of apt-get.
programs:
	@make/install.sh media browsers image servers networks fuzzing

## ndi-runtime: fetch an NDI runtime for the tests to the user's cache, and print where its licences are
ndi-runtime:
	@make/ndi-runtime.sh

## device-report: ask the device at ADDRESS what it answers, changing nothing, and write FILE; reads its password from standard input
device-report: packages
	@node hub/device-report.ts '$(ADDRESS)' '$(or $(USER_NAME),Admin)' '$(or $(FILE),device-report.json)'

## soak: run the tests that take more than a minute, or with ONLY='a b' some of them
soak: packages programs native sanitized build
	@make/install.sh deb clean-root appliance virtual-machine
	@node test/run.mjs --soak $(ONLY)

## shots: pictures of every screen in both languages, both themes and three widths on one sheet; ONLY=part of a path
shots: packages programs native build
	@node test/shots/main.ts $(ONLY)

## wire: write docs/rights.md, and the tables, examples and codes of docs/wire.md, from the declarations in contract/
wire: packages
	@node make/wire.ts

## check: types, lint, format, house rules, budgets
# Each checker of tsc checks again what its files import: four, the default, take twice the processor time of one.
check: packages build
	@for project in $(TS_PROJECTS); do echo "tsc $$project"; tsc -p $$project --checkers 1 || failed=1; done; exit $$failed
	@biome check
	@node test/run.mjs test/house

## audit: look up known vulnerabilities of the locked packages; error 1: there are some, 3: the registry did not answer
audit:
	@node make/audit.ts

## size: bytes of the first load: previous, current, limit, breakdown; PEERS=1 also measures comparable consoles
size: packages build
	@node firmware-pack/size/size.ts

## bench: run the benchmarks, with results in bench/out/
bench: packages build
	@node bench/run.ts $(ONLY)

## firmware-pack: FORMAT=webroot (signed update of the console), update, swu, raucb, disk (the whole hub); keys: firmware-pack/README.md
firmware-pack: firmware-pack-$(or $(FORMAT),webroot)

firmware-pack-%:
	@echo "FORMAT=$*: there is no such format. Formats: webroot, update, swu, raucb, disk." >&2; exit 1

# Always rebuilds, because the output of an interrupted build, or of a build for another purpose, looks complete.
firmware-pack-webroot: packages image
	@rollup -c --silent
	@touch dist/index.html
	@node firmware-pack/pack.ts

firmware-pack-update: image deb
	@node firmware-pack/hub-update.ts

firmware-pack-swu: image deb
	@node firmware-pack/hub-swu.ts

firmware-pack-disk firmware-pack-raucb: firmware-pack-%: deb
	@make/install.sh appliance
	@node firmware-pack/appliance/build.ts $*

## firmware-verify: check PACK=path without building it; PUBLIC_KEY=path or the development key
firmware-verify: packages image
	@node firmware-pack/verify-pack.ts $(if $(PACK),"$(PACK)")

## deb: the Debian package, in build/; ARCH=amd64|arm64 (this machine's), VERSION and MAINTAINER (those of package.json)
# Always rebuilds the console, as firmware-pack does.
deb: packages $(if $(filter $(ARCH),$(OWN_ARCH)),native,native-$(ARCH))
	@make/install.sh deb
	@rollup -c --silent
	@rollup -c rollup.cloud.mjs --silent
	@touch dist/index.html dist-cloud/index.html
	@node make/deb.ts

## oci: an image for containers, in build/; ARCH, VERSION
oci: deb
	@make/install.sh oci
	@node make/oci.ts

## release: channel files, notes and updates for a web server, in build/release/; SIGNING_KEY, PUBLISHED=folder, BUNDLES='paths'
release: packages $(if $(filter undefined,$(origin BUNDLES)),firmware-pack-update)
	@node make/release.ts

## backup: copy everything in DATA to one archive, TO=file; the hub may run
backup: packages
	@node hub/backup-data.ts "$(TO)"

## restore: replace the contents of DATA with a backup, FROM=file; the hub must not run
restore: packages
	@node hub/restore-data.ts "$(FROM)"

## dev: rebuild and reload on change
dev: packages native build
	@exec $(EXIT_WITH_PARENT) node make/dev.ts

native: build/headend-recorder build/headend-srt build/headend-hide-args.so build/headend-ndi build/headend-watchdog

build/headend-recorder build/headend-srt build/headend-hide-args.so build/headend-ndi build/headend-watchdog &: $(wildcard engine/native/*/*.[ch] engine/native/*/*/*.[ch]) make/native.sh | $(MEDIA)
	@make/native.sh

# The native programs of another architecture than this machine's.
native-%: | packages
	@make/install.sh deb deb-$*
	@make/sysroot.sh $*
	@make/native.sh --for $*

# The programs with sanitizers, for tests of what strangers send, and a fuzz target for each parser.
SANITIZED := build/sanitized/headend-relay build/sanitized/headend-recorder build/sanitized/headend-srt
NATIVE_SOURCES := $(wildcard engine/native/*/*.[ch] engine/native/*/*/*.[ch])
FUZZ_SOURCES := $(wildcard test/engine/native/fuzz/*.[ch])
FUZZ_TARGETS := $(filter-out build/fuzz/receivers,$(patsubst test/engine/native/fuzz/%.c,build/fuzz/%,$(filter %.c,$(FUZZ_SOURCES))))

sanitized: $(SANITIZED)

$(SANITIZED) &: $(NATIVE_SOURCES) make/native.sh | $(MEDIA)
	@make/native.sh --sanitized

fuzz-targets: $(FUZZ_TARGETS)

$(FUZZ_TARGETS) &: $(NATIVE_SOURCES) $(FUZZ_SOURCES) make/fuzz.sh
	@make/fuzz.sh

build: dist/index.html dist-cloud/index.html

dist/index.html: $(SOURCES) | packages
	@rollup -c --silent
	@touch $@

dist-cloud/index.html: $(SOURCES) | packages
	@rollup -c rollup.cloud.mjs --silent
	@touch $@

packages:
	@make/install.sh packages

media: | packages
	@make/install.sh media

browsers: | packages media
	@make/install.sh browsers

image: | packages
	@make/install.sh image

servers: | packages media
	@make/install.sh servers

networks: | packages
	@make/install.sh networks
