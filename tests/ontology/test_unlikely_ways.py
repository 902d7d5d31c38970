"""Ways that ordinary ontologies seldom take: very many names, restrictions by a number, several equal properties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.ontology.normalisation.rows import unique_rows
from elgeo.reasoning import Reasoner


@pytest.mark.parametrize("limit", [7, 2**31])
def test_rows_are_told_apart_however_many_names_there_are(limit: int) -> None:
    """Below and above what one number can say of three columns."""
    rows = np.random.default_rng(4).integers(0, 7, (40, 3)).astype(np.int32)
    rows[5] = rows[17]
    distinct, which = unique_rows(rows, [limit] * 3)
    assert [tuple(row) for row in distinct.tolist()] == sorted({tuple(row) for row in rows.tolist()})
    assert distinct[which].tolist() == rows.tolist()


def test_one_value_at_least_is_some_value(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(
        """Prefix(:=<http://x/>) Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)
        Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Ontology(
        SubClassOf(:A DataMinCardinality(1 :p xsd:integer))
        SubClassOf(:B DataMinCardinality(1 :p))
        SubClassOf(DataSomeValuesFrom(:p xsd:decimal) :Number)
        SubClassOf(DataMinCardinality(1 :p) :Any)
        EquivalentDataProperties(:p :q :s)
        SubClassOf(:C DataHasValue(:s "7"^^xsd:integer))
        SubClassOf(DataSomeValuesFrom(:q xsd:integer) :Q)
        )"""
    )
    reasoner = Reasoner(elgeo.read(path))
    expected = {"A": {"Number", "Any", "Q"}, "B": {"Any"}, "C": {"Number", "Any", "Q"}}
    for below, above in expected.items():
        found = {d for d in ("Number", "Any", "Q") if reasoner.verdict(f"{below} SubClassOf {d}") == "entailed"}
        assert found == above, below
