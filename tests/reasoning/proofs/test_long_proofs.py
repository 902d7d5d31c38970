"""Proofs of hundreds of steps, deeper than Python calls functions in functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from elgeo.ontology import read
from elgeo.reasoning.reasoner import Reasoner


def reasoner_of(folder: Path, axioms: list[str]) -> Reasoner:
    path = folder / "long.ofn"
    path.write_text("Prefix(:=<http://e/>) Ontology(" + "\n".join(axioms) + ")")
    return Reasoner(read(path))


@pytest.mark.slow
def test_a_proof_of_many_steps(tmp_path: Path) -> None:
    n = 1500
    reasoner = reasoner_of(tmp_path, [f"SubClassOf(:C{i} :C{i + 1})" for i in range(n)])
    proof = reasoner.explain(f"C0 SubClassOf C{n}")
    assert proof.justification == frozenset(range(n))
    lines = str(proof).splitlines()
    assert len(lines) == 2 * n - 1
    assert sum(line.endswith("[asserted]") for line in lines) == n
    depth, step = 0, proof.to_dict()["proof"]
    while "premises" in step:
        depth, step = depth + 1, step["premises"][0]
    assert depth >= n


@pytest.mark.slow
@pytest.mark.parametrize("shortcut", [(3, 50), (0, 30), (55, 60)])
def test_what_can_be_left_out_is_left_out(tmp_path: Path, shortcut: tuple[int, int]) -> None:
    """A path of links, and a second way around a part of it."""
    n, (low, high) = 60, shortcut
    axioms = ["TransitiveObjectProperty(:r)"]
    axioms += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:r :C{i + 1}))" for i in range(n)]
    axioms += [f"SubClassOf(:C{low} ObjectSomeValuesFrom(:r :D))", f"SubClassOf(:D ObjectSomeValuesFrom(:r :C{high}))"]
    reasoner = reasoner_of(tmp_path, axioms)
    asked = f"C0 SubClassOf r some C{n}"
    short = {0, *(1 + i for i in range(n) if not low <= i < high), n + 1, n + 2}
    assert {frozenset(map(axioms.index, map(_short, each))) for each in reasoner.justifications(asked)} == {
        frozenset(range(n + 1)),
        frozenset(short),
    }
    assert reasoner.explain(asked).justification in (frozenset(range(n + 1)), frozenset(short))


def _short(axiom: str) -> str:
    return axiom.replace("<http://e/", ":").replace(">", "")
