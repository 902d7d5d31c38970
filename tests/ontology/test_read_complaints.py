"""What is odd and no reason to refuse a file is said once, with its count; what is not odd is not said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from elgeo.ontology import read
from elgeo.ontology.reading.complaints import MOST, Complaints
from elgeo.ontology.reading.in_brief import in_brief
from elgeo.ontology.reading.rdf.triples import _without_repeats

PREFIXES = (
    "@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    "@prefix swrl: <http://www.w3.org/2003/11/swrl#> .\n"
)


def test_of_a_kind_the_first_is_shown() -> None:
    complaints = Complaints("f.obo")
    complaints.add("broken", ": one", 3)
    complaints.add("odd")
    for i in range(1200):
        complaints.add("broken", f": {i}", 4)
    assert complaints.lines() == ["f.obo:3: broken: one (and 1,200 more of the kind)", "f.obo: odd"]
    assert Complaints("f").lines() == []


def test_complaints_stay_short() -> None:
    complaints = Complaints("f")
    complaints.add("long\nline", ": " + "x" * 5000)
    assert len(complaints.lines()[0]) <= 300
    assert "\n" not in complaints.lines()[0]
    for i in range(MOST + 4):
        complaints.add(f"kind {i}")
        complaints.add(f"kind {i}")
    assert len(complaints.lines()) == MOST + 1
    assert complaints.lines()[MOST - 1].startswith(f"f: kind {MOST - 2} (and 1 more")
    assert complaints.lines()[-1] == "f: and 10 warnings more"


def test_broken_annotations_of_obo_are_counted(tmp_path: Path) -> None:
    stanzas = "".join(f'\n[Term]\nid: X:{i}\ndef: "no brackets"\n' for i in range(15))
    (tmp_path / "o.obo").write_text(f"format-version: 1.2\n{stanzas}\n[Odd]\nid: x\n\n[Other]\nid: y\n")
    assert read(tmp_path / "o.obo").warnings == (
        f'{tmp_path}/o.obo:5: broken annotation: def: "no brackets" (and 14 more of the kind)',
        f"{tmp_path}/o.obo:63: a stanza of an unknown kind is left out: [Odd] (and 1 more of the kind)",
    )


def test_a_literal_of_an_object_property_is_an_issue_of_that_triple(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        f'{PREFIXES}:r a owl:ObjectProperty . :A rdfs:subClassOf :B ; :r "one" , "two" . :x :r :y .'
    )
    ontology = read(tmp_path / "o.ttl")
    assert sorted(axiom.kind for axiom in ontology.axioms) == ["ObjectPropertyAssertion", "SubClassOf"]
    assert ontology.ignored["annotations"] == 2
    assert ontology.warnings == (
        f"{tmp_path}/o.ttl: an object property has a literal as value: taken as an annotation "
        "(<http://ex.org/r> of <http://ex.org/A>) (and 1 more of the kind)",
    )


def test_facets_and_parts_of_rules_are_no_undeclared_properties(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        PREFIXES + ":d a owl:DatatypeProperty ; rdfs:range [ a rdfs:Datatype ; owl:onDatatype xsd:integer ;\n"
        " owl:withRestrictions ( [ xsd:minInclusive 3 ] [ xsd:maxExclusive 9 ] ) ] .\n:r a owl:ObjectProperty .\n"
        "[] a swrl:Imp ; swrl:body ( [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :r ;\n"
        " swrl:argument1 :x ; swrl:argument2 :y ] ) ; swrl:head ( ) . :x a swrl:Variable . :y a swrl:Variable ."
    )
    ontology = read(tmp_path / "o.ttl")
    assert ontology.warnings == ()
    assert ontology.ignored["annotations"] == 0
    assert sorted(axiom.kind for axiom in ontology.axioms) == ["DLSafeRule", "DataPropertyRange"]


@pytest.mark.parametrize(("more", "said"), [("", "1 property is not"), (' ; :other "x"', "2 properties are not")])
def test_undeclared_properties_are_named(tmp_path: Path, more: str, said: str) -> None:
    (tmp_path / "o.ttl").write_text(f'{PREFIXES}:A a owl:Class ; :note "x"{more} .')
    (warning,) = read(tmp_path / "o.ttl").warnings
    assert said in warning
    assert warning.endswith("<http://ex.org/note>" + (", <http://ex.org/other>" if more else ""))


@pytest.mark.parametrize("ending", ["ttl", "owl"])
def test_repeated_triples_count_once(tmp_path: Path, ending: str) -> None:
    if ending == "ttl":
        once = ':A rdfs:subClassOf :B . :A rdfs:label "a" . :A a owl:Class .\n'
        texts = [PREFIXES + once * times for times in (1, 3)]
    else:
        head = (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
            ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">'
        )
        once = (
            '<owl:Class rdf:about="http://ex.org/A"><rdfs:label>a</rdfs:label>'
            '<rdfs:subClassOf rdf:resource="http://ex.org/B"/></owl:Class>'
        )
        texts = [head + once * times + "</rdf:RDF>" for times in (1, 3)]
    found = []
    for text in texts:
        (tmp_path / f"o.{ending}").write_text(text)
        ontology = read(tmp_path / f"o.{ending}")
        found.append((len(ontology.axioms), dict(ontology.ignored)))
    assert found[0] == found[1] == (1, {"annotations": 1, "declarations": 1})


def test_repeats_are_found_whatever_the_numbers() -> None:
    generator = np.random.default_rng(5)
    for n_terms in (1, 3, 40):
        rows = generator.integers(0, n_terms, (60, 3)).astype(np.int32)
        plain = list(dict.fromkeys(map(tuple, rows.tolist())))
        assert list(map(tuple, _without_repeats(rows, n_terms).tolist())) == plain
    distinct = np.array([[0, 1, 2], [2, 1, 0], [1, 0, 2]], np.int32)
    assert _without_repeats(distinct, 3).tolist() == distinct.tolist()
    assert len(_without_repeats(distinct[:0], 3)) == 0


def test_imports_that_are_missing_or_not_needed(tmp_path: Path) -> None:
    def warned(imports: list[str], places: list[Path]) -> list[str]:
        text = " ".join(f"Import(<http://ex.org/{name}>)" for name in imports)
        (tmp_path / "o.ofn").write_text(f"Ontology(<http://ex.org/o> {text})")
        return [w.replace(str(tmp_path), "T") for w in read(tmp_path / "o.ofn", imports=places).warnings]

    assert warned(["a"], []) == [
        "T/o.ofn: the import <http://ex.org/a> was not found: put it beside the file, or name it"
    ]
    assert warned(["a", "b", "c"], []) == [
        "T/o.ofn: 3 imports, <http://ex.org/a> <http://ex.org/b> <http://ex.org/c> were not found: "
        "put them beside the file, or name them"
    ]
    assert "<http://ex.org/c> … were" in warned(["a", "b", "c", "d"], [])[0]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.ofn").write_text("Ontology(<http://ex.org/a>)")
    (tmp_path / "in" / "b.ofn").write_text("Ontology(<http://ex.org/b>)")
    assert warned(["a"], [tmp_path / "in"]) == []
    assert warned(["a"], [tmp_path / "in" / "a.ofn"]) == []
    unused = "T/in{}: named as a place of imports, but nothing is imported from it"
    assert warned(["a"], [tmp_path / "in" / "a.ofn", tmp_path / "in" / "b.ofn"]) == [unused.format("/b.ofn")]
    assert warned([], [tmp_path / "in"]) == [unused.format("")]


def test_what_headers_ask_for_in_vain_is_said_once(tmp_path: Path) -> None:
    path = tmp_path / "o.obo"
    asked = "".join(f"treat-xrefs-as-{way}: {space}\n" for way in ("is_a", "equivalent") for space in ("A", "B"))
    path.write_text(f"format-version: 1.2\nontology: t\n{asked}\n[Term]\nid: T:1\n")
    assert list(read(path).warnings) == [
        f"{path}:1: not applied, so xrefs stay annotations: treat-xrefs-as-equivalent, treat-xrefs-as-is_a"
    ]


@pytest.mark.parametrize(
    ("end", "cut"),
    [
        ("is_a: X:1", False),
        ("is_a: X:1 ! one\n", False),
        ('def: "whole" []', False),
        ("! a comment", False),
        ("\n[Typedef]\nid: part_of", False),
        ('def: "broken', True),
        ('def: "broken off \\" here" [', True),
        ('synonym: "said', True),
        ('comment: he said "so', True),
        ("is_", True),
        ("\n[Ter", True),
        ("\n[Term]\nid: X:99", True),
        ("\n[Term]\nid: X:99\n", False),
    ],
)
def test_an_obo_file_that_ends_within_a_line_is_not_taken_for_whole(tmp_path: Path, end: str, cut: bool) -> None:
    terms = "".join(f"\n[Term]\nid: X:{i}\nname: the {i}th\n" for i in range(4))
    (tmp_path / "o.obo").write_text(f"format-version: 1.2\n{terms}{end}")
    found = read(tmp_path / "o.obo")
    for warnings in (found.warnings, in_brief("o.obo", found)):
        assert any("is the file whole?" in warning for warning in warnings) == cut
