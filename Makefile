# One target, one thing. `make run` and `make test` work on a fresh clone with Node 20 or later and make.

.DEFAULT_GOAL := help
.PHONY: help run test test-fast check format build pipeline serve bench bench-quick calibration golden index-null walk release clean

SOURCE ?= demo
SOURCES := $(shell find quant files api check snapshots aside accounts pipeline server cli scripts web -path snapshots/data -prune -o \( -name '*.ts' -o -name '*.tsx' -o -name '*.json' \) -print 2>/dev/null)

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/' | expand -t 18

run: build ## publish a demo snapshot if there is none, print a key, serve on 127.0.0.1:8080; another port: PORT=8081
	@$(if $(filter command,$(origin PORT)),HINDSIGHT_PORT='$(PORT)') node dist/scripts/dev/run.js

test: build ## install, build, run every test
	npx vitest run

test-fast: build ## what a change in quant/ or in a route needs, in under a minute
	npx vitest run test/quant test/server/routes test/server/openapi test/server/requests test/accounts/plan.test.ts test/accounts/plans.test.ts test/pipeline/golden.test.ts test/snapshots/data-doc.test.ts

check: node_modules/.installed ## format, types, lint: what CI runs before the tests
	npm run --silent check

format: node_modules/.installed ## rewrite every file in the house format
	npm run --silent format

build: dist/.built ## compile to dist/

pipeline: build ## one nightly run: make pipeline SOURCE=demo | csv:DIR | exchange:NAME
	@node dist/scripts/hindsight.js pipeline --source '$(SOURCE)'

serve: build ## serve the current snapshot
	@node --v8-pool-size=1 dist/scripts/hindsight.js serve

bench: build ## the whole benchmark; parts by ARGS="--only reads,start", options in docs/performance.md
	@node dist/scripts/bench/bench.js $(ARGS)

bench-quick: build ## a first look at reads, latency and start in about two minutes
	@node dist/scripts/bench/bench.js --quick --only reads,latency,start $(ARGS)

index-null: build ## the overfitting index where nothing can be learnt, on the current snapshot
	@node dist/scripts/dev/index-null.js

calibration: build ## how often a check calls luck skill; resumable, options by ARGS="--quick"
	@node dist/scripts/dev/calibration.js $(ARGS)

golden: build ## rewrite the golden files; review the diff
	HINDSIGHT_GOLDEN=write npx vitest run test/pipeline/golden.test.ts test/snapshots/data-doc.test.ts test/server/openapi/examples.test.ts test/api/api-doc.test.ts
	@npx oxfmt docs/data.md docs/api.md

walk: build ## the files of deploy/ by their own tools, then docs/run.md as printed, from install to rollback
	HINDSIGHT_REQUIRE_DEPLOY=1 HINDSIGHT_REQUIRE_REDIS=1 npx vitest run test/deploy
	HINDSIGHT_WALK=1 npx vitest run --project walk

release: ## a version that can be tagged, its archive and checksums: make release VERSION=1.1.0
	@scripts/release.sh '$(VERSION)'

clean: ## remove what was built and installed; snapshots and accounts stay
	rm -rf dist node_modules

node_modules/.installed: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

# A running server may still want files of an earlier bundle, so they stay for an hour.
dist/.built: node_modules/.installed tsconfig.json tsconfig.build.json rolldown.config.ts $(SOURCES)
	@find dist/bundle -type f -mmin +60 -delete 2>/dev/null || true
	npm run --silent build
	@touch $@
