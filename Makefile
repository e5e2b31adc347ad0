# Every target works from a fresh clone; `make help` lists them.
SHELL := /bin/bash
GO ?= go
# All targets compile with the same flags, and so share the build cache.
export GOFLAGS := -tags=duckdb_arrow -buildvcs=false -trimpath
export CGO_ENABLED := 1

BIN      := bin
BALLAST  := $(BIN)/ballast
TOOLS    := $(BIN)/tools
LISTEN   ?= 127.0.0.1:8080
DATA     ?= data
BARS     ?=
ONCE     ?=
PEERS    ?=
SMOKE    ?=
COUNT    ?= 1

GOLANGCI_VERSION := v2.15.0
SQLC_VERSION     := v1.31.1
VERSITYGW_VERSION := v1.8.0
TOXIPROXY_VERSION := v2.5.0

.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: prerequisites build ## build, import a sample market, build three models, show their metrics (BARS=FILE[,FILE] for your own bars, ONCE=1 to end afterwards)
	@$(BALLAST) demo $(if $(BARS),--bars "$(BARS)") $(if $(ONCE),--once) $(if $(filter command\ line environment,$(origin LISTEN)),--listen "$(LISTEN)")

run: prerequisites build ## start the service on ./data (DATA=, LISTEN=)
	$(BALLAST) serve --data-dir "$(DATA)" --listen "$(LISTEN)"

build: ## compile bin/ballast
	@mkdir -p $(BIN)
	@echo "building $(BALLAST) (the first time takes some minutes)"
	@$(GO) build -ldflags "-X main.commit=$$(git describe --always --dirty 2>/dev/null)" -o $(BALLAST) ./cmd/ballast

# Without debugging symbols, a test binary with DuckDB links in half the time, and with
# the linker gold, where there is one, in two thirds of the rest. Stack traces, profiles
# and the race detector do not need the symbols.
GOLD := $(shell command -v ld.gold >/dev/null && echo ' -extldflags=-fuse-ld=gold')
test race soak: export GOFLAGS += '-ldflags=-w$(GOLD)'

test: prerequisites ## the tests that every change needs, in a few minutes (with 2 cores and a filled build cache)
	@GO="$(GO)" scripts/test -timeout 15m ./...

race: prerequisites ## the tests of what works concurrently, and those that kill and crowd the service, under the race detector, in about 15 minutes
	@GO="$(GO)" scripts/test -race -timeout 25m $$(GO="$(GO)" scripts/race-packages)

soak: prerequisites ## more kills and crowds, long properties and fuzzing, in about two hours, and the cluster; needs the machine to itself (FUZZTIME=)
	@GO="$(GO)" BALLAST_SOAK=1 scripts/test -count=1 -p 1 -timeout 90m ./...
	@$(MAKE) cluster
	@scripts/fuzz $(or $(FUZZTIME),20s)

contract: prerequisites build ## check a demonstration against its OpenAPI document with schemathesis, in a few minutes (EXAMPLES=20 per operation, SEED=)
	@scripts/contract $(BALLAST) $(or $(EXAMPLES),20) $(if $(SEED),--seed $(SEED))

client-python: prerequisites build ## check the Python client: ruff, mypy, its wheel, and pytest on the oldest and newest Python found (3.10 or later)
	@scripts/client-python $(BALLAST) $(BIN)/python

notebooks: prerequisites build ## execute the notebooks of examples/notebooks
	@scripts/notebooks $(BALLAST) $(BIN)/python

browser: prerequisites ## test the pages in Chromium, with axe-core, in a few minutes (BALLAST_SCREENSHOTS=folder keeps pictures)
	@GO="$(GO)" scripts/browser

fuzz: ## run each fuzz target for FUZZTIME (default 20s)
	@scripts/fuzz $(or $(FUZZTIME),20s)

bench: prerequisites build ## the benchmark suite, each figure beside its limit (SMOKE=1 takes a minute, COUNT=6 for benchstat, PEERS=1 requires bt and vectorbt, GROWTH=1 shows how costs grow)
	$(GO) run ./cmd/bench --ballast $(BALLAST) --count $(COUNT) $(if $(PEERS),--peers) $(if $(SMOKE),--smoke) $(if $(GROWTH),--growth)

cluster: prerequisites build $(TOOLS)/versitygw $(TOOLS)/toxiproxy ## try several machines on this one: fairness, faults, upgrades, recovery, scaling; needs root, iproute2 and haproxy (QUICK=1 takes a quarter of an hour, ONLY=cutoff,cold, BEFORE=an older binary)
	@{ command -v haproxy && command -v ip; } >/dev/null || { echo "make cluster needs haproxy and iproute2: apt-get install haproxy iproute2"; exit 1; }
	$(GO) run ./cmd/cluster --ballast $(BALLAST) --store $(TOOLS)/versitygw --proxy $(TOOLS)/toxiproxy $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(BEFORE),--before $(BEFORE))

object-storage: $(TOOLS)/versitygw ## test buckets against a real S3 server, versitygw
	BALLAST_S3_SERVER="$(CURDIR)/$(TOOLS)/versitygw" $(GO) test -count=1 -run OnAnS3Server ./storage/columnar

lake: prerequisites build ## compare published Iceberg tables with the runs' files in pyiceberg, DuckDB and Spark (Java 17 or later), in a few minutes
	@scripts/lake $(BALLAST)

lint: $(TOOLS)/golangci-lint ## gofmt, go vet, golangci-lint, and squawk over the migrations
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run: make format"; exit 1; }
	$(GO) vet ./...
	$(TOOLS)/golangci-lint run ./...
	@scripts/lint-migrations $(BIN)/python

format: ## gofmt every file
	gofmt -w $$(git ls-files '*.go')

generate: $(TOOLS)/sqlc ## write the generated code again
	PATH="$(CURDIR)/$(TOOLS):$$PATH" $(GO) generate ./...

check-generated: generate ## fail if generated code is not current
	@git diff --exit-code --stat || { echo "generated code was not current: commit what make generate wrote"; exit 1; }

tidy-check: ## fail if go.mod or go.sum is not tidy
	@$(GO) mod tidy -diff || { echo "go.mod or go.sum is not tidy: run go mod tidy and commit both"; exit 1; }

prerequisites: ## check for a C++ compiler and PostgreSQL, and install them if possible
	@scripts/prerequisites

clean: ## remove build output (not the data folder)
	rm -rf $(BIN)

$(TOOLS)/golangci-lint:
	@mkdir -p $(TOOLS)
	GOFLAGS= GOBIN="$(CURDIR)/$(TOOLS)" $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

$(TOOLS)/sqlc:
	@mkdir -p $(TOOLS)
	GOFLAGS= GOBIN="$(CURDIR)/$(TOOLS)" $(GO) install github.com/sqlc-dev/sqlc/cmd/sqlc@$(SQLC_VERSION)

$(TOOLS)/versitygw:
	@mkdir -p $(TOOLS)
	GOFLAGS= GOBIN="$(CURDIR)/$(TOOLS)" $(GO) install github.com/versity/versitygw/cmd/versitygw@$(VERSITYGW_VERSION)

$(TOOLS)/toxiproxy:
	@mkdir -p $(TOOLS)
	GOFLAGS= GOBIN="$(CURDIR)/$(TOOLS)/toxiproxy-build" $(GO) install github.com/Shopify/toxiproxy/v2/cmd/server@$(TOXIPROXY_VERSION)
	@mv $(TOOLS)/toxiproxy-build/server $@ && rmdir $(TOOLS)/toxiproxy-build

.PHONY: help demo run build test race soak contract client-python notebooks browser fuzz bench cluster object-storage lake lint format generate check-generated tidy-check prerequisites clean
