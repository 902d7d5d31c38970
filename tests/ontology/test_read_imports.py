"""Imports come from files beside the ontology or from where the user says."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.reading.read import UNUSED


def _write(folder: Path, name: str, iri: str, body: str = "", imports: tuple[str, ...] = ()) -> Path:
    lines = "".join(f"Import(<{i}>)\n" for i in imports)
    file = folder / name
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(f"Prefix(:=<http://ex.org/>)\nOntology(<{iri}>\n{lines}{body})")
    return file


def _axioms(ontology: object) -> set[str]:
    return {str(a).replace("http://ex.org/", ":") for a in ontology.axioms}  # type: ignore[attr-defined]


def test_by_name_iri_and_catalog(tmp_path: Path) -> None:
    _write(tmp_path, "parts.ofn", "http://elsewhere.org/x", "SubClassOf(:A :B)")
    _write(tmp_path, "odd-name.owl", "http://ex.org/by-iri", "SubClassOf(:A :C)")
    _write(tmp_path, "deep/mapped.ofn", "http://ex.org/none", "SubClassOf(:A :D)")
    (tmp_path / "catalog-v001.xml").write_text(
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
        '<uri name="http://ex.org/mapped" uri="deep/mapped.ofn"/></catalog>'
    )
    file = _write(
        tmp_path,
        "main.ofn",
        "http://ex.org/main",
        "SubClassOf(:A :Z)",
        ("http://ex.org/parts.owl", "http://ex.org/by-iri", "http://ex.org/mapped", "http://ex.org/nowhere"),
    )
    ontology = read(file)
    assert _axioms(ontology) == {f"SubClassOf(<:A> <:{c}>)" for c in "BCDZ"}
    assert ontology.iri == "http://ex.org/main"
    assert ontology.missing_imports == ("http://ex.org/nowhere",)
    assert "nowhere" in ontology.warnings[-1]
    nodes = [(int(op), *ontology.arguments(i)) for i, op in enumerate(ontology.op)]
    assert len(set(nodes)) == len(nodes)


def test_by_the_name_that_an_obo_file_gives_itself(tmp_path: Path) -> None:
    (tmp_path / "odd.obo").write_text("format-version: 1.4\nontology: tiny\n\n[Term]\nid: X:1\nis_a: X:2\n")
    iri = "http://purl.obolibrary.org/obo/tiny.owl"
    ontology = read(_write(tmp_path, "main.ofn", "http://ex.org/main", "SubClassOf(:A :B)", (iri,)))
    assert ontology.missing_imports == ()
    obo = "http://purl.obolibrary.org/obo/X_"
    assert _axioms(ontology) == {"SubClassOf(<:A> <:B>)", f"SubClassOf(<{obo}1> <{obo}2>)"}


def test_named_places(tmp_path: Path) -> None:
    given = _write(tmp_path / "elsewhere", "given.ofn", "http://ex.org/given", "SubClassOf(:A :B)")
    packed = tmp_path / "packed" / "inside.ofn.gz"
    packed.parent.mkdir()
    packed.write_bytes(
        gzip.compress(b"Ontology(<http://ex.org/inside> SubClassOf(<http://ex.org/A> <http://ex.org/C>))")
    )
    file = _write(tmp_path / "main", "main.ofn", "http://m", "", ("http://ex.org/given", "http://ex.org/inside"))
    assert read(file).missing_imports == ("http://ex.org/given", "http://ex.org/inside")
    assert _axioms(read(file, imports=[given, packed.parent])) == {"SubClassOf(<:A> <:B>)", "SubClassOf(<:A> <:C>)"}
    with pytest.raises(ReadError, match="to find imports in"):
        read(file, imports=[tmp_path / "nothing"])


def test_a_file_that_is_given_may_be_known_by_its_name_alone(tmp_path: Path) -> None:
    given = _write(tmp_path / "elsewhere", "part.owl", "http://other.org/x", "SubClassOf(:A :B)")
    file = _write(tmp_path / "main", "main.ofn", "http://m", "", ("http://ex.org/part.owl",))
    assert read(file).missing_imports == ("http://ex.org/part.owl",)
    assert _axioms(read(file, imports=[given])) == {"SubClassOf(<:A> <:B>)"}


def test_places_in_which_nothing_was_found_are_named(tmp_path: Path) -> None:
    for name in ("near", "far", "other"):
        (tmp_path / name / "deep").mkdir(parents=True)
    inside = _write(tmp_path / "near" / "deep", "b.ofn", "http://x/b")
    given = _write(tmp_path / "far", "c.ofn", "http://x/c")
    strange = _write(tmp_path / "other", "d.ofn", "http://x/d")
    file = _write(tmp_path, "a.ofn", "http://x/a", imports=("http://x/b", "http://x/c"))
    (tmp_path / "link.ofn").symlink_to(given)
    places = [tmp_path / "near" / "deep", given, strange, tmp_path / "other"]
    assert read(file, imports=places).warnings == tuple(f"{place}: {UNUSED}" for place in (strange, tmp_path / "other"))
    assert read(file, imports=[inside, tmp_path / "link.ofn", given]).warnings == ()


def test_cycles_and_diamonds(tmp_path: Path) -> None:
    _write(tmp_path, "a.ofn", "http://ex.org/a", "SubClassOf(:A :B)", ("http://ex.org/b", "http://ex.org/c"))
    _write(tmp_path, "b.ofn", "http://ex.org/b", "SubClassOf(:B :C)", ("http://ex.org/a", "http://ex.org/b"))
    _write(tmp_path, "c.ofn", "http://ex.org/c", "SubClassOf(:B :C)", ("http://ex.org/b",))
    ontology = read(tmp_path / "a.ofn")
    assert [str(a)[-2] for a in ontology.axioms] == [">", ">", ">"]
    assert len(set(ontology.axiom_nodes.tolist())) == 2
    assert ontology.missing_imports == ()


def test_declarations_of_an_import_give_triples_their_meaning(tmp_path: Path) -> None:
    _write(
        tmp_path,
        "properties.ofn",
        "http://ex.org/properties",
        "Declaration(ObjectProperty(:r)) Declaration(DataProperty(:d))",
    )
    (tmp_path / "main.ttl").write_text(
        "@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        ':main a owl:Ontology ; owl:imports :properties . :i :r :j . :i :d "x" .'
    )
    assert _axioms(read(tmp_path / "main.ttl")) == {
        "ObjectPropertyAssertion(<:r> <:i> <:j>)",
        'DataPropertyAssertion(<:d> <:i> "x")',
    }


def test_triples_that_are_imported_declare_by_type_alone(tmp_path: Path) -> None:
    """What else is said of a kind of property is no declaration."""
    prefixes = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"""
    (tmp_path / "base.ttl").write_text(
        prefixes + ":base a owl:Ontology . :d a owl:DatatypeProperty . :r a owl:ObjectProperty ."
        " :r rdfs:seeAlso owl:DatatypeProperty . :A rdfs:seeAlso owl:AnnotationProperty ."
    )
    (tmp_path / "main.ttl").write_text(
        prefixes + ":main a owl:Ontology ; owl:imports :base . :i :d 5 ; :r :j .\n"
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :d ; owl:someValuesFrom :own ] ,"
        " [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :A ] ."
    )
    assert {text.partition("(")[2] for text in _axioms(read(tmp_path / "main.ttl"))} == {
        '<:d> <:i> "5"^^<http://www.w3.org/2001/XMLSchema#integer>)',
        "<:r> <:i> <:j>)",
        "<:A> DataSomeValuesFrom(<:d> <:own>))",
        "<:A> ObjectSomeValuesFrom(<:r> <:A>))",
    }


def test_anonymous_individuals_of_two_files_differ(tmp_path: Path) -> None:
    _write(tmp_path, "other.ofn", "http://ex.org/other", "ClassAssertion(:A _:x)")
    file = _write(tmp_path, "main.ofn", "http://ex.org/main", "ClassAssertion(:A _:x)", ("http://ex.org/other",))
    assert len(_axioms(read(file))) == 2


def test_a_broken_import_names_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "bad.ofn").write_text("Ontology(<http://ex.org/bad> SubClassOf(")
    file = _write(tmp_path, "main.ofn", "http://ex.org/main", "", ("http://ex.org/bad",))
    with pytest.raises(ReadError, match=r"bad\.ofn:1: .*truncated"):
        read(file)


def test_relative_iris_and_bases(tmp_path: Path) -> None:
    (tmp_path / "o.owl").write_text(
        "<?xml version=\"1.0\"?><!DOCTYPE rdf:RDF [<!ENTITY owl 'http://www.w3.org/2002/07/owl#'>]>"
        '<rdf:RDF xml:base="http://remote.invalid/onto" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description rdf:about="#A">'
        '<rdf:type rdf:resource="&owl;Class"/><rdfs:subClassOf rdf:resource="#B"/></rdf:Description></rdf:RDF>'
    )
    assert (
        str(read(tmp_path / "o.owl").axioms[0])
        == "SubClassOf(<http://remote.invalid/onto#A> <http://remote.invalid/onto#B>)"
    )
