"""Edges of an ontology that has every sort of axiom, as the two papers draw them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo.datasets.folder import load_folder, save
from elgeo.models.walks.projection import PREDICATES, Style, project
from elgeo.ontology.normal_forms import no_inverses
from tests.models.walks.small_ontology import TEXT, small_dataset, small_forms

BOTH = """
A subclassof B, A r E, A s F, A s G, I subclassof A, I r J, B t H, E u F, E r E, a type A, a r b
"""
OWL2VEC = """
B superclassof A, C subclassof D, D subclassof C, C superclassof D, D superclassof C, A superclassof I, L s K, M t N,
E v F, A typeof a, b sameas c, c sameas b
"""
DL2VEC = "C equivalentto D, D equivalentto C, B r H, B s H"


def edges_of(folder: Path, style: Style, text: str = TEXT) -> list[str]:
    forms = small_forms(folder, text)
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


HEAD = "Prefix(:=<http://example.org/>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>) Ontology(\n"
LINES = [
    # axioms, edges that both draw, edges of owl2vec alone, edges of dl2vec alone
    ("InverseObjectProperties(:r :s) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "B s A", ""),
    ("InverseObjectProperties(:s :r) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "B s A", ""),
    ("InverseObjectProperties(:r :s) ObjectPropertyAssertion(:r :a :b)", "a r b", "b s a", ""),
    ("InverseObjectProperties(:r :s) ObjectPropertyDomain(:r :D) ObjectPropertyRange(:r :E)", "", "D r E, E s D", ""),
    ("InverseObjectProperties(:r :s) SubClassOf(ObjectSomeValuesFrom(:r :B) :A)", "", "A r B, B s A", ""),
    ("SubClassOf(:A ObjectSomeValuesFrom(ObjectInverseOf(:r) :B))", "B r A", "", ""),
    (
        "InverseObjectProperties(:r :s) SubClassOf(:A ObjectSomeValuesFrom(ObjectInverseOf(:r) :B))",
        "B r A",
        "A s B",
        "",
    ),
    ("SymmetricObjectProperty(:r) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "B r A", ""),
    ("EquivalentObjectProperties(:r :s) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "A s B", ""),
    ("EquivalentObjectProperties(:r :s :t) SubClassOf(:A ObjectSomeValuesFrom(:s :B))", "A s B", "A r B, A t B", ""),
    (
        "InverseObjectProperties(:r :s) EquivalentObjectProperties(:s :t) SubClassOf(:A ObjectSomeValuesFrom(:t :B))",
        "A t B",
        "A s B, B r A",
        "",
    ),
    ("SubObjectPropertyOf(:r :s) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "", ""),
    (
        "SubObjectPropertyOf(:r :s) InverseObjectProperties(:s :t) SubClassOf(:A ObjectSomeValuesFrom(:r :B))",
        "A r B",
        "",
        "",
    ),
    ("ObjectPropertyDomain(:r :D) ObjectPropertyRange(:r :E)", "", "D r E", ""),
    (
        "ObjectPropertyDomain(:r ObjectIntersectionOf(:D :F)) ObjectPropertyRange(:r ObjectIntersectionOf(:E :G))",
        "",
        "D r E, D r G, F r E, F r G",
        "",
    ),
    (
        "ObjectPropertyDomain(:r :D) ObjectPropertyRange(:s :E) SubObjectPropertyOf(:r :s) ObjectPropertyDomain(:s :F)",
        "",
        "F s E",
        "",
    ),
    ("ObjectPropertyRange(:r :E) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "", ""),
    ("ObjectPropertyDomain(:r :D) SubClassOf(:A ObjectSomeValuesFrom(:r :B))", "A r B", "", ""),
    ("ObjectPropertyRange(:r :E) ObjectPropertyAssertion(:r :a :b)", "a r b", "", ""),
    ("ClassAssertion(:A :a)", "a type A", "A typeof a", ""),
    ("ClassAssertion(ObjectIntersectionOf(:A :B) :a)", "a type A, a type B", "A typeof a, B typeof a", ""),
    ("SameIndividual(:a :b) ClassAssertion(:A :a)", "a type A", "A typeof a, a sameas b, b sameas a", ""),
    ("SubClassOf(ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B :C)) :A)", "", "A r B, A r C", ""),
    (
        "SubClassOf(ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B ObjectSomeValuesFrom(:s :C))) :A)",
        "",
        "A r B",
        "",
    ),
    (
        "EquivalentClasses(:A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r ObjectIntersectionOf(:C :D))))",
        "A subclassof B, A r C, A r D",
        "B superclassof A",
        "",
    ),
    (
        "SubClassOf(:A ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B ObjectSomeValuesFrom(:s :C))))",
        "A r B",
        "",
        "A r C, A s C",
    ),
    (
        "SubClassOf(:A ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B ObjectSomeValuesFrom(:s :C))))"
        " SubClassOf(:B ObjectSomeValuesFrom(:t :D))",
        "A r B, B t D",
        "",
        "A r C, A s C",
    ),
    (
        "ObjectPropertyRange(:r :E) SubClassOf(:A ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:s :B)))",
        "",
        "",
        "A r B, A s B",
    ),
    (
        "ObjectPropertyRange(:r :E) SubClassOf(:E ObjectSomeValuesFrom(:t :C))"
        " SubClassOf(:A ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:s ObjectSomeValuesFrom(:r :B))))",
        "E t C",
        "",
        "A r B, A s B",
    ),
    ("SubClassOf(:A ObjectMinCardinality(2 :r :B)) SubClassOf(:A ObjectHasValue(:s :a))", "A r B, A s a", "", ""),
    (
        "SubClassOf(:A owl:Nothing) SubClassOf(:B owl:Thing) SubClassOf(:A ObjectSomeValuesFrom(:r owl:Thing))",
        "",
        "",
        "",
    ),
    ("DisjointClasses(:A :B) TransitiveObjectProperty(:r) ReflexiveObjectProperty(:r)", "", "", ""),
]


@pytest.mark.parametrize("style", ["owl2vec", "dl2vec"])
@pytest.mark.parametrize(("axioms", "both", "of_owl2vec", "of_dl2vec"), LINES)
def test_each_line_of_the_table_by_hand(
    tmp_path: Path, style: Style, axioms: str, both: str, of_owl2vec: str, of_dl2vec: str
) -> None:
    own = of_owl2vec if style == "owl2vec" else of_dl2vec
    wanted = {edge for edge in f"{both}, {own}".split(", ") if edge}
    found = edges_of(tmp_path, style, HEAD + axioms + ")")
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_a_dataset_in_a_folder_has_the_same_edges(tmp_path: Path) -> None:
    dataset = small_dataset(tmp_path, HEAD + "\n".join(f"{axioms}" for axioms, *_ in LINES[:8]) + ")")
    save(dataset, tmp_path / "data")
    kept = project(dataset.forms, "owl2vec").edges
    np.testing.assert_array_equal(project(load_folder(tmp_path / "data").forms, "owl2vec").edges, kept)
    less = project(replace(dataset.forms, inverses=no_inverses()), "owl2vec").edges
    assert len(less) < len(kept)
