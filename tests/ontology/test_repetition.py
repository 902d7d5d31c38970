"""Axioms that are said again, maybe in another order, are one in a union of ontologies."""

from __future__ import annotations

from pathlib import Path

from elgeo.ontology import read
from elgeo.ontology.reading.merging import union
from elgeo.ontology.reading.repetition import said_once

TWICE = """Prefix(:=<http://e/>)
Ontology(
SubClassOf(:A :B) SubClassOf(:B :A) SubClassOf(:A :B)
DisjointClasses(:A :C) DisjointClasses(:C :A) DisjointClasses(:A :C :D) DisjointClasses(:A :A)
EquivalentClasses(:D :E) EquivalentClasses(:E :D) SameIndividual(:i :j) DifferentIndividuals(:j :i)
SameIndividual(:j :i)
InverseObjectProperties(:r :s) InverseObjectProperties(:s :r) ObjectPropertyAssertion(:r :i :j)
ObjectPropertyAssertion(:r :j :i) SubObjectPropertyOf(ObjectPropertyChain(:r :s) :t)
SubObjectPropertyOf(ObjectPropertyChain(:s :r) :t)
)"""


def test_what_is_said_again_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "a.ofn"
    path.write_text(TWICE)
    assert len(said_once(read(path))) == 13


def test_the_first_of_them_stays(tmp_path: Path) -> None:
    path, other = tmp_path / "a.ofn", tmp_path / "b.ofn"
    path.write_text("Prefix(:=<http://e/>) Ontology(SubClassOf(:B :A) DisjointClasses(:C :A))")
    other.write_text("Prefix(:=<http://e/>) Ontology(DisjointClasses(:A :C) SubClassOf(:A :B) SubClassOf(:B :A))")
    told = [str(axiom).replace("http://e/", "") for axiom in union([read(path), read(other)]).axioms]
    assert told == ["SubClassOf(<B> <A>)", "DisjointClasses(<C> <A>)", "SubClassOf(<A> <B>)"]
