"""What formats keep in odd places: axioms in OBO's header, names relative to a `urn:`, properties never declared."""

from __future__ import annotations

from pathlib import Path

import pytest

import elgeo
from elgeo.errors import ReadError

OBO = "http://purl.obolibrary.org/obo/"


def texts(path: Path) -> set[str]:
    ontology = elgeo.read(path)
    return {ontology.text(int(node)).replace("http://e/", "").replace(OBO, "") for node in ontology.axiom_nodes}


@pytest.mark.parametrize("wrapped", [True, False])
def test_owl_axioms_of_obo(tmp_path: Path, wrapped: bool) -> None:
    axiom = f"DisjointClasses(<{OBO}X_1> ObjectSomeValuesFrom(<{OBO}part_of> <{OBO}X_2>))"
    line = f"Ontology(\\n{axiom}\\n)" if wrapped else axiom
    path = tmp_path / "x.obo"
    path.write_text(f"ontology: x\nowl-axioms: {line}\n\n[Term]\nid: X:1\nname: one\nis_a: X:2\n")
    assert texts(path) == {
        "SubClassOf(<X_1> <X_2>)",
        "DisjointClasses(<X_1> ObjectSomeValuesFrom(<part_of> <X_2>))",
    }
    ontology = elgeo.read(path)
    assert ontology.labels == {f"{OBO}X_1": "one"}
    assert ontology.format == "obo"


def test_broken_owl_axioms_of_obo(tmp_path: Path) -> None:
    path = tmp_path / "x.obo"
    path.write_text("ontology: x\nowl-axioms: SubClassOf(<urn:a>\n\n[Term]\nid: X:1\n")
    with pytest.raises(ReadError, match="owl-axioms cannot be read"):
        elgeo.read(path)


@pytest.mark.parametrize("base", ["urn:x", "urn:x#", "http://x/y"])
def test_fragments_in_owl_xml(tmp_path: Path, base: str) -> None:
    path = tmp_path / "x.owx"
    path.write_text(
        f"""<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="{base}" ontologyIRI="{base}">
<SubClassOf><Class IRI="#A"/><Class IRI="#B"/></SubClassOf>
<AnnotationAssertion><AnnotationProperty IRI="http://www.w3.org/2000/01/rdf-schema#label"/><IRI>#A</IRI>
<Literal>an a</Literal></AnnotationAssertion></Ontology>"""
    )
    start = base.removesuffix("#")
    assert texts(path) == {f"SubClassOf(<{start}#A> <{start}#B>)"}
    assert elgeo.read(path).labels == {f"{start}#A": "an a"}


def test_undeclared_properties_are_judged_by_use(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(
        """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:A a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B ] .
:B a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :d ; owl:hasValue "x" ] .
:note a owl:AnnotationProperty ; rdfs:domain :A .
:q rdfs:domain :A .
:x a :A ; :p :y ; :d "z" ; :q :y ; :unused :y ; :note "n" .
:y a :B .
"""
    )
    assert texts(path) == {
        "SubClassOf(<A> ObjectSomeValuesFrom(<p> <B>))",
        'SubClassOf(<B> DataHasValue(<d> "x"))',
        "ObjectPropertyDomain(<q> <A>)",
        "ClassAssertion(<A> <x>)",
        "ClassAssertion(<B> <y>)",
        "ObjectPropertyAssertion(<p> <x> <y>)",
        "ObjectPropertyAssertion(<q> <x> <y>)",
        'DataPropertyAssertion(<d> <x> "z")',
    }
    assert elgeo.read(path).warnings == (
        f"{path}: 1 property is not declared and taken as an annotation: <http://e/unused>",
    )
