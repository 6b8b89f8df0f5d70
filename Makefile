# Every target makes the virtual environment it needs, and only when something in pyproject.toml has changed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests start many processes, and each would compile the whole package anew where this is set.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: tour test test-heavy test-all check lint types layers docs gallery studies-quick bench attack chaos fuzz serve scripts screenshots \
        pictures wheel-test hooks clean

tour: $(VENV)/core
	$(BIN)/tablero tour

# What a change may break, in four minutes on two cores.  Any tests: make test ARGS="-k sudoku"
test: $(VENV)/dev
	$(BIN)/pytest $(or $(ARGS),-m "not heavy")

# The rest of them; tests/conftest.py says which.
test-heavy: $(VENV)/dev
	$(BIN)/pytest -m heavy

test-all: $(VENV)/dev
	$(BIN)/pytest

check: lint types layers test-all

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

# Which room may import which.
layers: $(VENV)/dev
	$(BIN)/lint-imports

docs: $(VENV)/docs
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# Every study, its figure and its page, into the docs; what was measured before is kept.  In minutes: make gallery ARGS=--quick
gallery: $(VENV)/dev
	$(BIN)/python -m studies run all $(ARGS) -o docs/gallery

# Every study as --quick has it, and whether tables, figures and pages are what the designs and the gallery say.
studies-quick: $(VENV)/dev
	$(BIN)/python -m tests.quick_studies $(ARGS)

bench: $(VENV)/bench
	$(BIN)/python -m bench

# Jobs on a local cluster while scheduler, workers and coordinator are killed, frozen and started six at once: a hundred times.
chaos: $(VENV)/dev
	$(BIN)/python -m tests.chaos --kills 100

# Spoilt texts, argument lists and job files.  More: make attack ARGS="--inputs 10000000 --seconds 7200"
attack: $(VENV)/dev
	$(BIN)/python -m tests.attack $(ARGS)

# Requests of all kinds against a running server.  More: make fuzz ARGS="--examples 500"
fuzz: $(VENV)/browser
	$(BIN)/python -m tests.api_fuzz $(ARGS)

# The web page: http://127.0.0.1:8700
serve: $(VENV)/web
	$(BIN)/tablero serve

# Types of the page's scripts, where node is there.
scripts:
	@if command -v npm >/dev/null; then npm exec --yes --package=typescript@5 -- tsc -p jsconfig.json; \
	else echo "no npm here: the scripts' types are not checked"; fi

# Every page of the web page, light, dark and narrow, into the docs.
screenshots: $(VENV)/browser
	$(BIN)/python docs/make_screenshots.py

# The pictures of docs/pictures.md, by the commands that stand there.
pictures: $(VENV)/core
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python docs/make_pictures.py

# The package as strangers get it, on every Python at hand.  One of them: make wheel-test ARGS="--python 3.12"
wheel-test: $(VENV)/release
	$(BIN)/python -m tests.wheel $(ARGS)

# Lint and types before every commit.
hooks: $(VENV)/dev
	$(BIN)/pre-commit install

$(VENV)/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check "pip>=25.1"
	touch $@

$(VENV)/core: $(VENV)/pip pyproject.toml
	$(BIN)/pip install -q -e ".[graphs]"
	touch $@

$(VENV)/dev: $(VENV)/pip pyproject.toml
	$(BIN)/pip install -q -e ".[all]" --group dev
	touch $@

$(VENV)/web: $(VENV)/pip pyproject.toml
	$(BIN)/pip install -q -e ".[graphs,sheets,web]"
	touch $@

$(VENV)/release: $(VENV)/pip pyproject.toml
	$(BIN)/pip install -q --group release
	touch $@

# For tests in a browser; the browser itself is the system's chromium.
$(VENV)/browser: $(VENV)/dev
	$(BIN)/pip install -q --group browser
	touch $@

$(VENV)/docs: $(VENV)/pip pyproject.toml
	$(BIN)/pip install -q -e ".[graphs]" --group docs
	touch $@

$(VENV)/bench: $(VENV)/pip pyproject.toml
	$(BIN)/pip install -q -e ".[cluster,graphs]" --group bench
	touch $@

clean:
	rm -rf .venv .venv-newest .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .checked_kernels .attack .hypothesis .coverage tour docs/_build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
