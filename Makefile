# Every target makes the virtual environment it needs, and only when something in pyproject.toml has changed.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: tour test check lint types docs bench chaos serve clean

tour: .venv/core
	$(BIN)/tablero tour

test: .venv/dev
	$(BIN)/pytest

check: lint types test

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

docs: .venv/docs
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: .venv/bench
	$(BIN)/python -m bench

# A job on a local cluster while scheduler, workers and coordinator are killed a hundred times.
chaos: .venv/dev
	$(BIN)/python -m tests.chaos --kills 100

# The tour's page in a browser: http://127.0.0.1:8000
serve: tour
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory tour 8000

.venv/pip:
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --disable-pip-version-check "pip>=25.1"
	touch $@

.venv/core: .venv/pip pyproject.toml
	$(BIN)/pip install -q -e ".[graphs]"
	touch $@

.venv/dev: .venv/pip pyproject.toml
	$(BIN)/pip install -q -e ".[graphs,cluster,sheets,tune]" --group dev
	touch $@

.venv/docs: .venv/pip pyproject.toml
	$(BIN)/pip install -q -e . --group docs
	touch $@

.venv/bench: .venv/pip pyproject.toml
	$(BIN)/pip install -q -e ".[bench,cluster,graphs]"
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis tour docs/_build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
