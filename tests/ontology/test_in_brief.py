"""Warnings in one line: how many there are beside imports that are missing; and what is told of a place in a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.model import Builder
from elgeo.ontology.reading.in_brief import in_brief
from elgeo.ontology.reading.read import UNUSED


@pytest.mark.parametrize(
    ("missing", "warnings", "said"),
    [
        (0, 0, []),
        (0, 1, ["1 warning"]),
        (0, 3, ["3 warnings"]),
        (2, 1, ["2 imports not found"]),
        (1, 2, ["1 import not found, 1 more warning"]),
        (3, 4, ["3 imports not found, 3 more warnings"]),
    ],
)
def test_warnings_are_counted(missing: int, warnings: int, said: list[str]) -> None:
    made = Builder().finish()
    texts = tuple(f"something {i}" for i in range(warnings))
    made = replace(made, warnings=texts, missing_imports=tuple(f"http://x/{i}" for i in range(missing)))
    expected = [f"o.ofn: {each}: `elgeo info` says more" for each in said]
    assert in_brief("some/o.ofn", made) == expected
    vain = f"--import x {UNUSED}"
    assert in_brief("some/o.ofn", replace(made, warnings=(*texts, vain))) == [vain, *expected]


def test_an_error_shows_the_line_where_it_is_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text("Prefix(:=<http://x/>)\nOntology(\nSub-Class-Of(:A :B)\nSubClassOf(:C :D))\n")
    with pytest.raises(ReadError) as caught:
        read(path)
    assert str(caught.value).endswith("unknown here: Sub-Class-Of(:A :B)")
    path.write_text(f"Prefix(:=<http://x/>)\nOntology(\nSub-Class-Of(:A :{'B' * 50})\n)\n")
    with pytest.raises(ReadError, match=rf"unknown here: Sub-Class-Of\(:A :{'B' * 23} …$"):
        read(path)


def test_rules_of_manchester_syntax_are_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / "o.omn"
    path.write_text(
        "Prefix: : <http://x/>\nOntology: <http://x/>\nClass: :A\nRule: :A(?x) -> :B(?x)\nClass: :C\n  SubClassOf: :A\n"
    )
    found = read(path)
    assert sorted(axiom.kind for axiom in found.axioms) == ["DLSafeRule", "SubClassOf"]


def test_only_the_first_colon_of_a_short_name_parts_it(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    nodes = [{"id": "X:1:2", "type": "CLASS"}, {"id": "X:3", "type": "CLASS"}]
    graph = {"nodes": nodes, "edges": [{"sub": "X:1:2", "pred": "is_a", "obj": "X:3"}]}
    path.write_text(json.dumps({"graphs": [graph]}))
    (axiom,) = read(path).axioms
    assert "http://purl.obolibrary.org/obo/X_1:2" in str(axiom)
