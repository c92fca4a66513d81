# The two commands: `make play` opens a table in the browser, `make test` tests everything.
# While you work: `make check`, under a minute.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
WORKERS ?= 2

QUICK = tests/core --ignore tests/core/test_fuzz.py tests/i18n tests/render tests/package/test_extras.py tests/package/test_workflows.py tests/test_readme.py

.PHONY: play web check test test-all lint bench picture screenshots clean

play: $(VENV)/play.stamp
	@echo "azulejos: opening a table (stop with Ctrl-C) ..."
	@$(BIN)/azulejos serve $(SERVE)

check: $(VENV)/test.stamp
	@$(MAKE) --no-print-directory lint
	AZULEJOS_JIT=0 $(BIN)/python -m pytest -m "not slow" -n $(WORKERS) -q $(QUICK)

test: $(VENV)/test.stamp browser node
	@echo "azulejos: linting and type checking ..."
	@$(MAKE) --no-print-directory lint
	@echo "azulejos: compiling the rules of every game (a minute or two, once) ..."
	@$(BIN)/azulejos warm
	@echo "azulejos: testing ..."
	$(BIN)/python -m pytest -m "not slow" -n $(WORKERS) --dist loadgroup -q --durations 15 --durations-min 5

test-all: $(VENV)/test.stamp $(VENV)/train.stamp browser node
	@$(MAKE) --no-print-directory lint
	@$(BIN)/azulejos warm
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -q --durations 40 --durations-min 20
	@echo "azulejos: once more with index checks compiled in ..."
	AZULEJOS_BOUNDS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -q src/azulejos/conformance tests/contract tests/games

lint: $(VENV)/test.stamp
	$(BIN)/ruff check src tests bench examples
	$(BIN)/isort --check --quiet src
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports --no-cache
	$(BIN)/python tools/names.py

# The site as a folder of static files that plays without a server: artefacts/web.
web: $(VENV)/play.stamp
	@$(BIN)/azulejos export-web artefacts/web

# The picture of the README; draw it again when the drawings changed.
picture: $(VENV)/play.stamp
	$(BIN)/azulejos draw - --names Ana,Kiln -o docs/table.svg < docs/table.txt

# Every page and every table in six window sizes, by day and in the evening: artefacts/screens.
screenshots: $(VENV)/test.stamp browser
	$(BIN)/python -m bench.screens

bench: $(VENV)/test.stamp
	$(BIN)/python -m bench

$(BIN)/python:
	@echo "azulejos: making a virtual environment in $(VENV) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "azulejos needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/play.stamp: $(BIN)/python pyproject.toml constraints.txt
	@echo "azulejos: installing what a table needs (a minute on first use) ..."
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[web]'
	@touch $@

$(VENV)/test.stamp: $(BIN)/python pyproject.toml constraints.txt
	@echo "azulejos: installing what the tests need (some minutes on first use) ..."
ifdef HASHES  # only what has the hashes of deploy/requirements-ci.txt (Linux, Python 3.11)
	@$(BIN)/python -m pip install -q --require-hashes -r deploy/requirements-ci.txt
	@$(BIN)/python -m pip install -q --no-deps --no-build-isolation --no-index -e .
else
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[all,dev]'
endif
	@touch $@ $(VENV)/play.stamp

$(VENV)/train.stamp: $(VENV)/test.stamp
	@echo "azulejos: installing what training needs (large) ..."
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[train]'
	@touch $@

.PHONY: browser node
browser:
	@sh tests/browser.sh

node: $(BIN)/python
	@sh tests/node.sh $(VENV)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis artefacts
