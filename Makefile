# Two commands do everything: `make demo` and `make test`. Both make their own .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOWEST := .venv-lowest

.PHONY: demo test unit test-lowest docs bench lint clean

demo: $(READY)
	@echo "elgeo: running the whole job on the embedded example"
	@rm -rf demo-output
	@$(BIN)/elgeo demo -o demo-output

test: $(READY)
	@echo "elgeo: style, types and tests (a few minutes; kernels are compiled on the first run)"
	@$(MAKE) --no-print-directory -j 2 lint unit

# three workers for two processors, since tests wait for processes they start, and those load bytecode instead of compiling;
# a worker keeps the tests that follow each other, with what they share, until another has none left
# in a fresh clone one process makes the bytecode of all tests before, not each worker for itself
unit: $(READY)
	@test -d tests/__pycache__ || PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qq > /dev/null 2>&1 || true
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist worksteal

# mypy keeps what it makes: looking for garbage in it took three tenths of the time
lint: $(READY)
	@$(BIN)/ruff check src tests benchmarks
	@$(BIN)/ruff format --check src tests benchmarks
	@$(BIN)/python -c "import gc; gc.disable(); from mypy.__main__ import console_entry; console_entry()"

test-lowest:
	@echo "elgeo: the tests on the lowest versions that pyproject.toml allows, in $(LOWEST)"
	@test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	@$(LOWEST)/bin/python .ci/lowest > $(LOWEST)/lowest.txt
	@$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(LOWEST)/lowest.txt torch
	@$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(LOWEST)/lowest.txt --editable ".[test]"
	@$(LOWEST)/bin/python -m pytest -n 2 --dist worksteal $(TESTS)

docs: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[docs]"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "elgeo: the site is site/index.html"

bench: $(READY)
	@for script in benchmarks/[a-z]*.py; do echo "elgeo: $$script"; $(BIN)/python $$script || exit 1; done

$(READY): pyproject.toml constraints.txt
	@echo "elgeo: making $(VENV) and installing what constraints.txt pins (once; a few minutes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt torch
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) $(LOWEST) build dist site demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis
