"""Names as people write them: what they mean, in which language they are, what is near, what is no longer used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyhornedowl
import pytest

from elgeo.errors import UnknownNameError
from elgeo.ontology import normalise, read
from elgeo.ontology.lookup import Lookup
from elgeo.ontology.model import Builder
from elgeo.ontology.reading.merging import merged
from elgeo.ontology.short_names import called, fragment, listed, role_called, short_form
from elgeo.ontology.vocabulary import BOTTOM, TOP, Vocabulary
from elgeo.ontology.writing.functional import write_functional
from elgeo.ontology.writing.tables import load_tables, save_tables

OBO = "http://purl.obolibrary.org/obo/"


def lookup(**changes: object) -> Lookup:
    fields: dict[str, object] = {
        "what": "class",
        "ids": {
            OBO + "UBERON_0000981": 2,
            OBO + "UBERON_0000979": 5,
            "http://ex.org/x#Femur": 7,
            "http://ex.org/y/Femur": 9,
            "http://ex.org/z/Pet_store": 11,
        },
        "labels": {
            OBO + "UBERON_0000981": "femur",
            OBO + "UBERON_0000979": "tibia",
            "http://ex.org/z/Pet_store": "pet shop",
        },
        "synonyms": {
            OBO + "UBERON_0000981": ("thigh bone", "upper leg bone"),
            OBO + "UBERON_0000979": ("shin bone", "a leg bone", "tibia bone"),
            "http://ex.org/z/Pet_store": ("a leg bone",),
            "http://ex.org/unknown": ("nothing of ours",),
        },
        "prefixes": {"x": "http://ex.org/x#", "old": OBO + "OLD_"},
        "alternatives": {OBO + "OLD_1": OBO + "UBERON_0000979", OBO + "UBERON_0000981": "http://ex.org/gone"},
    }  # fmt: skip
    return Lookup(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        (OBO + "UBERON_0000979", 5),
        (f" <{OBO}UBERON_0000979> ", 5),
        ("UBERON:0000979", 5),
        ("UBERON_0000979", 5),
        ("tibia", 5),
        ("'tibia'", 5),
        ('"shin bone"', 5),
        ("shin bone", 5),
        ("x:Femur", 7),
        ("old:1", 5),
        ("OLD:1", 5),
        ("OLD_1", 5),
        (OBO + "OLD_1", 5),
        ("pet_shop", 11),
        ("pet shop", 11),
        ("femur", 2),
        ("thigh bone", 2),
    ],
)
def test_a_name_means_one_thing(name: str, number: int) -> None:
    assert lookup().find(name) == number


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Femur", "'Femur' could be any of <http://ex.org/x#Femur>, <http://ex.org/y/Femur>: give the whole IRI"),
        ("a leg bone", "'a leg bone' could be any of <http://purl.obolibrary.org/obo/UBERON_0000979>, <http://ex.org/z/Pet_store>"),
        ("tibea", "no class is called 'tibea': did you mean 'tibia' (UBERON:0000979)?"),
        ("Tibia", "no class is called 'Tibia': did you mean 'tibia' (UBERON:0000979)?"),
        ("shinbone", "no class is called 'shinbone': did you mean 'tibia' (UBERON:0000979)?"),
        ("uberon:0000979", "did you mean 'tibia' (UBERON:0000979) or 'femur' (UBERON:0000981)?"),
        ("Fenur", "did you mean 'femur' (UBERON:0000981)?"),
        ("Petstore", "did you mean 'pet shop' (Pet_store)?"),
        ("spaceship", "no class is called 'spaceship': give an IRI, a CURIE, a fragment, a label or a synonym"),
        ("nothing of ours", "give an IRI"),
        ("http://ex.org/x#Fenur", "give an IRI"),
        ("tibia" * 21, "give an IRI"),
        ("", "no class is called '': give an IRI"),
    ],
)  # fmt: skip
def test_what_is_said_of_other_names(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        lookup().find(name)
    assert message in str(caught.value)


def test_no_more_than_a_few_are_offered() -> None:
    ids = {f"http://ex.org/name{i:02}": i for i in range(30)}
    with pytest.raises(UnknownNameError) as caught:
        lookup(ids=ids, labels={}, synonyms={}, alternatives={}).find("name99x")
    assert str(caught.value).count("name") == 1 + 3
    with pytest.raises(UnknownNameError) as caught:
        lookup(ids=ids, labels=dict.fromkeys(ids, "the same")).find("the same")
    assert str(caught.value).count("<http") == 5
    # names up to a hundred characters are compared
    long = {"http://ex.org/" + "n" * 99 + "x": 1}
    assert lookup(ids=long).near("n" * 100) == [repr("n" * 99 + "x")]
    assert lookup(ids=long).near("n" * 101) == []


def test_short_names() -> None:
    assert short_form(OBO + "GO_0008150") == "GO:0008150"
    assert short_form(OBO + "GO_abc") == "GO_abc"
    assert short_form("http://ex.org/G0_1") == "G0_1"
    assert short_form("http://ex.org#part_of") == "part_of"
    assert short_form("ObjectComplementOf(<http://ex.org/GO_1>)") == "ObjectComplementOf(<http://ex.org/GO_1>)"
    assert fragment("http://ex.org/a#b") == "b"
    assert fragment("http://ex.org/a/b") == "b"
    assert fragment("http://ex.org/") == "http://ex.org/"
    assert fragment("urn:a") == "urn:a"


LANGUAGES = """Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Prefix(:=<http://ex.org/>)
Prefix(skos:=<http://www.w3.org/2004/02/skos/core#>)
Ontology(<http://ex.org/o>
Declaration(Class(:A)) Declaration(Class(:B)) Declaration(Class(:C)) Declaration(Class(:D))
Declaration(AnnotationProperty(rdfs:label)) Declaration(AnnotationProperty(skos:definition))
AnnotationAssertion(rdfs:label :A "o A"@pt) AnnotationAssertion(rdfs:label :A "das A"@de-AT)
AnnotationAssertion(rdfs:label :A "the A"@en-GB) AnnotationAssertion(rdfs:label :A "A, untagged")
AnnotationAssertion(rdfs:label :B "B, untagged") AnnotationAssertion(rdfs:label :B "the B"@EN)
AnnotationAssertion(rdfs:label :B "das B"@de) AnnotationAssertion(rdfs:label :B "auch B"@de)
AnnotationAssertion(rdfs:label :C "o C"@pt) AnnotationAssertion(rdfs:label :C "denim"@den)
AnnotationAssertion(rdfs:comment :D "a comment is worse than any definition")
AnnotationAssertion(skos:definition :D "um D"@pt) AnnotationAssertion(skos:definition :D "ein D"@de)
)"""


@pytest.mark.parametrize(
    ("language", "labels", "definition"),
    [
        ("en", {"A": "the A", "B": "B, untagged"}, "um D"),
        ("de", {"A": "das A", "B": "das B"}, "ein D"),
        ("DE", {"A": "das A", "B": "das B"}, "ein D"),
        ("de-AT", {"A": "das A", "B": "B, untagged"}, "um D"),
        ("pt", {"A": "o A", "B": "B, untagged", "C": "o C"}, "um D"),
        ("fr", {"A": "the A", "B": "B, untagged"}, "um D"),
    ],
)
def test_labels_in_the_language_of_the_user(
    tmp_path: Path, language: str, labels: dict[str, str], definition: str
) -> None:
    (tmp_path / "o.ofn").write_text(LANGUAGES)
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / "o.ofn"))
    peer.save_to_file(str(tmp_path / "o.owl"), serialization="owl")
    peer.save_to_file(str(tmp_path / "o.owx"), serialization="owx")
    ontology = read(tmp_path / "o.ofn", language=language)
    assert {fragment(iri): label for iri, label in ontology.labels.items()} == labels
    assert ontology.definitions == {"http://ex.org/D": definition}
    # files that were written anew have an order of their own: which of equals is the first, they do not say
    for name in ("o.owl", "o.owx"):
        found = {fragment(iri): label for iri, label in read(tmp_path / name, language=language).labels.items()}
        assert set(found) == set(labels)
        assert found["A"] in (labels["A"], "A, untagged" if labels["A"] == "the A" else "")


def test_a_label_in_any_language_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(LANGUAGES)
    ontology = read(tmp_path / "o.ofn")
    save_tables(normalise(ontology), tmp_path / "tables", "parquet")
    imported = Builder.resume(ontology).finish()
    for names in (
        normalise(ontology).vocabulary,
        normalise(merged([Builder().finish(), imported])).vocabulary,
        load_tables(tmp_path / "tables").vocabulary,
    ):
        for label, short in (("o A", "A"), ("das A", "A"), ("auch B", "B"), ("the B", "B"), ("denim", "C")):
            assert names.class_id(label) == names.class_id(short)
        with pytest.raises(UnknownNameError, match="did you mean 'the A' \\(A\\)"):
            names.class_id("das AA")
    assert all("das A" not in names for names in ontology.synonyms.values())  # models read synonyms: these are none


def test_a_name_in_the_language_of_the_user_goes_before_one_in_another() -> None:
    other = {OBO + "UBERON_0000981": ("tibia", "os longum"), OBO + "UBERON_0000979": ("thigh bone", "os longum")}
    names = lookup(other_labels=other)
    assert (names.find("tibia"), names.find("thigh bone")) == (5, 2)
    with pytest.raises(UnknownNameError, match="'os longum' could be any of"):
        names.find("os longum")


def test_messages_quote_a_line_of_a_name() -> None:
    for name in ("q" * 60_000, "q " * 30_000, "http://ex.org/" + "q" * 60_000):
        with pytest.raises(UnknownNameError) as caught:
            lookup().find(name)
        assert len(str(caught.value)) < 200
    long = {f"http://ex.org/{'x' * 60_000}{i}": i for i in range(9)}
    with pytest.raises(UnknownNameError) as caught:
        lookup(ids=long, labels=dict.fromkeys(long, "the same")).find("the same")
    assert len(str(caught.value)) < 700


def test_what_has_no_label_is_shown_by_its_fragment(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(LANGUAGES)
    names = normalise(read(tmp_path / "o.ofn")).vocabulary
    assert [names.class_label(names.class_id(c)) for c in "ABCD"] == ["the A", "B, untagged", "C", "D"]


DEPRECATED = """Prefix(owl:=<http://www.w3.org/2002/07/owl#>) Prefix(:=<http://ex.org/>)
Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)
Ontology(<http://ex.org/o>
Declaration(Class(:A)) Declaration(Class(:B)) Declaration(Class(:C)) Declaration(ObjectProperty(:r))
SubClassOf(:A :B) SubClassOf(:C :B)
AnnotationAssertion(owl:deprecated :A "true"^^xsd:boolean) AnnotationAssertion(owl:deprecated :C "1")
AnnotationAssertion(owl:deprecated :B "false"^^xsd:boolean) AnnotationAssertion(owl:deprecated :r "true"^^xsd:boolean)
)"""


def test_what_is_deprecated_is_known_from_every_syntax(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(DEPRECATED)
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / "o.ofn"))
    peer.save_to_file(str(tmp_path / "o.owl"), serialization="owl")
    peer.save_to_file(str(tmp_path / "o.owx"), serialization="owx")
    for name in ("o.ofn", "o.owl", "o.owx"):
        ontology = read(tmp_path / name)
        assert set(ontology.deprecated) == {"http://ex.org/A", "http://ex.org/C", "http://ex.org/r"}, name
        names = normalise(ontology).vocabulary
        flags = names.deprecated_classes
        assert {names.classes[i] for i in np.flatnonzero(flags).tolist()} == {"http://ex.org/A", "http://ex.org/C"}
        assert len(flags) == names.n_classes
    write_functional(ontology, tmp_path / "again.ofn")
    assert set(read(tmp_path / "again.ofn").deprecated) == set(ontology.deprecated)
    assert set(merged([read(tmp_path / "o.ofn"), ontology]).deprecated) == set(ontology.deprecated)
    assert set(Builder.resume(ontology).finish().deprecated) == set(ontology.deprecated)
    for format in ("tsv", "parquet"):
        save_tables(normalise(ontology), tmp_path / format, format)
        loaded = load_tables(tmp_path / format).vocabulary
        assert set(loaded.deprecated) == set(ontology.deprecated)
        (tmp_path / format / f"deprecated.{format}").unlink()
        assert not load_tables(tmp_path / format).vocabulary.deprecated_classes.any()


def test_deprecated_in_turtle_and_obo(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        "@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        ":A a owl:DeprecatedClass . :r a owl:ObjectProperty, owl:DeprecatedProperty .\n"
        ":B a owl:Class; owl:deprecated true . :C a owl:Class; owl:deprecated false ."
    )
    ontology = read(tmp_path / "o.ttl")
    assert {fragment(iri) for iri in ontology.deprecated} == {"A", "B", "r"}
    (tmp_path / "o.obo").write_text(
        "format-version: 1.2\n\n[Term]\nid: X:1\nname: gone\nis_obsolete: true\n\n[Term]\nid: X:2\nis_a: X:1\n\n"
        "[Term]\nid: X:3\nis_obsolete: false\n\n[Typedef]\nid: old_of\nis_obsolete: true\n\n[Term]\nis_obsolete: true\n"
    )
    ontology = read(tmp_path / "o.obo")
    assert {short_form(iri) for iri in ontology.deprecated} == {"X:1", "old_of"}
    names = normalise(ontology).vocabulary
    assert names.deprecated_classes[names.class_id("X:1")]
    assert names.deprecated_classes.sum() == 1
    assert not names.deprecated_classes[[TOP, BOTTOM]].any()


def test_a_vocabulary_without_marks_has_nothing_deprecated() -> None:
    names = Vocabulary(["a", "b", "http://ex.org/A"], np.array([0, 0, 1], np.uint8), ["r"], np.array([0], np.uint8))
    assert names.deprecated_classes.tolist() == [False, False, False]
    assert names.role_id("r") == 0
    with pytest.raises(UnknownNameError, match="no role is called 'A'"):
        names.role_id("A")


def test_what_is_near_is_about_as_long_and_no_more_than_three() -> None:
    known = lookup(ids={f"http://ex.org/{'abcdefgh' + 'x' * n}": n for n in (3, 4)}, labels={}, synonyms={})
    assert known.near("abcdefgh") == ["'abcdefghxxx'"]
    many = lookup(ids={f"http://ex.org/name0{i}": i for i in range(9)}, labels={}, synonyms={}, alternatives={})
    assert len(many.near("name0")) == 3
    assert lookup(ids={"http://ex.org/X": 1}, labels={}, synonyms={}).near("x") == ["'X'"]
    for odd in ("xtibia>", "<tibiax"):
        with pytest.raises(UnknownNameError, match=f"no class is called '{odd}'"):
            lookup().find(odd)


def test_classes_and_roles_as_people_call_them() -> None:
    classes = ["top", "bottom", *(f"{OBO}GO_000000{i}" for i in range(7)), "http://ex.org/plain"]
    roles = ["universal", "http://ex.org/part_of", f"{OBO}BFO_0000051"]
    labels = {f"{OBO}GO_000000{i}": f"class {6 - i}" for i in range(7)}
    labels |= {"http://ex.org/part_of": "part of", f"{OBO}BFO_0000051": "has part", "http://ex.org/plain": "plain"}
    names = Vocabulary(classes, np.ones(len(classes), np.uint8), roles, np.ones(len(roles), np.uint8), labels=labels)
    assert [called(names, c) for c in (2, 9)] == ["class 6 (GO:0000000)", "plain"]
    assert [role_called(names, r) for r in (0, 1, 2)] == ["universal", "part of", "has part (BFO:0000051)"]
    assert [names.role_label(r) for r in (0, 1)] == ["universal", "part of"]
    assert listed(names, [2, 8, 5]) == "class 0 (GO:0000006), class 3 (GO:0000003), class 6 (GO:0000000)"
    assert listed(names, range(4, 9)).endswith("class 4 (GO:0000002)")
    assert listed(names, range(3, 9)).endswith("class 4 (GO:0000002) and 1 more")
    assert listed(names, range(2, 9), 2) == "class 0 (GO:0000006), class 1 (GO:0000005) and 5 more"
