"""The Gene Ontology as OBO and as functional syntax is one ontology."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from elgeo.ontology import read


@pytest.mark.slow
def test_obo_and_functional_syntax_say_the_same(data: Path) -> None:
    obo = Counter(str(a) for a in read(data / "go" / "go_2019-01-27.obo.gz").axioms)
    functional = Counter(str(a) for a in read(data / "go" / "go_2019-01-27_el.ofn.gz").axioms)
    assert sum(functional.values()) == 107_983
    extra = [axiom.partition("(")[0] for axiom in (obo - functional).elements()]
    assert extra == ["InverseObjectProperties"]
    assert not functional - obo
