# Shortcuts for the commands that README.md and CONTRIBUTING.md spell out.

FUZZTIME ?= 30s

.PHONY: help test lint check ci fuzz bench vuln quickstart

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## every test of every module, with the race detector
	go run ./internal/dev test -race

lint: ## go vet and staticcheck over every module
	go run ./internal/dev lint

check: ## style, imports, modules, lint and api
	go run ./internal/dev check

ci: ## all that CI runs
	.ci/run

fuzz: ## each fuzz target for FUZZTIME
	go run ./internal/dev fuzz -time $(FUZZTIME)

bench: ## the benchmarks
	go run ./bench
	go test -run '^$$' -bench . -benchmem . ./openresponses ./agenttool

vuln: ## known vulnerabilities in what the modules require
	go run ./internal/dev vuln

quickstart: ## the program that README.md begins with
	go run ./examples/quickstart
