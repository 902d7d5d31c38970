"""Edges of an ontology that has every sort of axiom, as the two papers draw them."""

from __future__ import annotations

from pathlib import Path

import pytest

from elgeo.models.walks.projection import PREDICATES, Style, project
from tests.models.walks.small_ontology import small_forms

BOTH = """
A subclassof B, A r E, A s F, A s G, I subclassof A, I r J, B t H, E u F, E r E, a type A, a r b
"""
OWL2VEC = """
B superclassof A, C subclassof D, D subclassof C, C superclassof D, D superclassof C, A superclassof I, L s K, M t N,
E v F, A typeof a, b sameas c, c sameas b
"""
DL2VEC = "C equivalentto D, D equivalentto C, B r H, B s H"


def edges_of(folder: Path, style: Style) -> list[str]:
    forms = small_forms(folder)
    names = forms.vocabulary
    graph = project(forms, style)
    assert (graph.classes, graph.roles) == (names.n_classes, names.n_roles)
    joined = [*(name.rpartition("/")[2] for name in names.roles), *PREDICATES]
    last = [name.rpartition("/")[2] for name in names.classes]
    return [f"{last[head]} {joined[predicate]} {last[tail]}" for head, predicate, tail in graph.edges.tolist()]


@pytest.mark.parametrize(("style", "own"), [("owl2vec", OWL2VEC), ("dl2vec", DL2VEC)])
def test_edges_are_those_of_the_table(tmp_path: Path, style: Style, own: str) -> None:
    wanted = [edge.strip() for edge in (BOTH.strip() + ", " + own.strip()).split(",")]
    found = edges_of(tmp_path, style)
    assert sorted(found) == sorted(wanted)
    assert len(found) == len(set(found))
