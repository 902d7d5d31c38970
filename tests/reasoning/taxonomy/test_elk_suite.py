"""ELK's own small cases, GALEN and the stripped GO are classified as ELK classifies them, to the last pair."""

from __future__ import annotations

from pathlib import Path

import pytest

import elgeo
from elgeo.ontology.expressions import THING
from elgeo.reasoning import Reasoner
from elgeo.reasoning.saturation.saturate import Saturation
from elgeo.reasoning.taxonomy.listing import count_subsumptions, subsumption_lines
from tests.reasoning.elk_taxonomy import ElkTaxonomy


def listed(saturation: Saturation) -> list[tuple[str, ...]]:
    text = b"".join(bytes(block) for block in subsumption_lines(saturation)).decode()
    assert text.splitlines() == sorted(text.splitlines())
    return [tuple(line.split("\t")) for line in text.splitlines()]


@pytest.mark.slow
def test_cases(data: Path) -> None:
    cases = sorted((data / "elk-suite" / "classification").glob("*.owl"))
    assert len(cases) == 33
    for case in cases:
        expected = ElkTaxonomy(case.with_suffix(".taxonomy"))
        reasoner = Reasoner(elgeo.read(case))
        assert reasoner.consistent == expected.consistent, case
        pairs = listed(reasoner.saturation)
        assert len(set(pairs)) == len(pairs)
        assert set(pairs) == expected.pairs, case
        if expected.consistent:
            assert set(reasoner.equivalents(THING)) == expected.like_thing, case


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ontology", "expected", "count"),
    [
        ("galen/galen-el.ofn.gz", "galen/galen-el.elk-taxonomy.ofn.gz", 453_710),
        ("go/go_2019-01-27_el_stripped.ofn.gz", "go/go_2019-01-27_el_stripped.elk-taxonomy.ofn.gz", 544_469),
    ],
)
def test_large(data: Path, ontology: str, expected: str, count: int) -> None:
    saturation = Reasoner(elgeo.read(data / ontology)).saturation
    assert count_subsumptions(saturation) == count
    assert set(listed(saturation)) == ElkTaxonomy(data / expected).pairs
