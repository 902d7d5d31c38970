"""Every example in Python runs: those of the README and the docs, page by page, and those in docstrings."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.datasets.folder import save

ROOT = Path(__file__).parents[1]
SOURCE = Path(elgeo.__file__).parent
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
ELSEWHERE = {
    "docs/training.md": "training/test_docs.py",
    "docs/models.md": "models/test_models_page.py",
    "docs/your-own-ontology.md": "datasets/test_docs_own_ontology.py",
    "docs/new-terms.md": "evaluation/placing/test_docs.py",
    "docs/curation.md": "serve/test_docs.py",
}
"""Pages whose examples have tests of their own that ask for more."""
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GO = """format-version: 1.2
default-namespace: go

[Term]
id: GO:0008150
name: biological_process

[Term]
id: GO:0000001
name: mitochondrion inheritance
is_a: GO:0008150 ! biological_process
relationship: part_of GO:0000002 ! mitochondrial genome maintenance

[Term]
id: GO:0000002
name: mitochondrial genome maintenance
is_a: GO:0008150 ! biological_process

[Term]
id: GO:0000003
name: reproduction
is_a: GO:0008150 ! biological_process
relationship: part_of GO:0000001 ! mitochondrion inheritance

[Term]
id: GO:0000011
name: vacuole inheritance
is_a: GO:0000003 ! reproduction

[Term]
id: GO:0000012
name: single strand break repair
is_a: GO:0000002 ! mitochondrial genome maintenance

[Typedef]
id: part_of
name: part of
"""
BODY = """Prefix(:=<http://example.org/>)
Ontology(<http://example.org/body>
SubClassOf(:Heart ObjectIntersectionOf(:Organ ObjectSomeValuesFrom(:part_of :Chest)))
SubClassOf(:Chest ObjectSomeValuesFrom(:part_of :Body))
TransitiveObjectProperty(:part_of)
)
"""


def blocks(page: str) -> list[str]:
    """The examples in Python of a page."""
    return PYTHON.findall((ROOT / page).read_text(encoding="utf-8"))


def _marked(page: str) -> object:
    return pytest.param(page, marks=pytest.mark.slow if "elgeo.train(" in "".join(blocks(page)) else ())


@pytest.mark.parametrize("page", [_marked(page) for page in PAGES if blocks(page) and page not in ELSEWHERE])
def test_the_python_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("go.obo").write_text(GO)
    Path("go.owl").write_text(GO)  # told by its content
    Path("my.owl").write_text(BODY)
    save(elgeo.datasets.load("family"), Path("data"))
    names: dict[str, object] = {
        "elgeo": elgeo,
        "rows": np.array([[2, 1, 3], [3, 1, 2]]),
        "heads": np.array([2, 3]),
        "roles": np.array([1, 1]),
    }
    for block in blocks(page):
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("page", ELSEWHERE)
def test_pages_with_tests_of_their_own_have_them(page: str) -> None:
    assert blocks(page)
    assert Path(page).name in (ROOT / "tests" / ELSEWHERE[page]).read_text()


@pytest.mark.parametrize(
    "path", [path for path in sorted(SOURCE.rglob("*.py")) if ">>>" in path.read_text()], ids=lambda path: path.name
)
def test_the_examples_in_docstrings_run(path: Path) -> None:
    module = importlib.import_module(
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    )
    done = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert done.failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)", (ROOT / page).read_text(encoding="utf-8")):
        assert "://" in target or ((ROOT / page).parent / target).exists(), target
