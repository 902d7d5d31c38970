"""OBO: what its logical lines mean, and how it survives broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from elgeo.errors import ReadError
from elgeo.ontology import normalise, read
from elgeo.ontology.model import Ontology

OBO = "http://purl.obolibrary.org/obo/"
HEADER = 'format-version: 1.2\nontology: toy\nidspace: MY http://my.org/ "mine"\n'


def _read(tmp_path: Path, text: str, header: str = HEADER) -> Ontology:
    file = tmp_path / "toy.obo"
    file.write_bytes((header + text).encode())
    return read(file)


def _axioms(ontology: Ontology) -> list[str]:
    return [str(a).replace(OBO, "") for a in ontology.axioms]


def test_terms(tmp_path: Path) -> None:
    ontology = _read(
        tmp_path,
        """
[Term]
id: T:1
name: one \\(first\\)
alt_id: T:01
def: "A thing." [X:1, PMID:2 "paper"]
synonym: "uno \\"1\\"" EXACT [] {x="y"}
synonym: "eins" RELATED [GOC:x]
is_a: T:2 ! two
is_a: T:3 {source="a ! b {c}"} ! three
relationship: part_of T:4 ! four
relationship: part_of T:4 {gci_relation="has_x", gci_filler="T:5"}
relationship: has_x T:6 {minCardinality="2", all_only="true"}
relationship: seen T:7
intersection_of: T:2
intersection_of: part_of T:4
union_of: T:8
union_of: T:9
equivalent_to: MY:abc
disjoint_from: T:5
created_by: somebody

[Term]
id: T:77
is_a: T:1
is_obsolete: true

[Typedef]
id: part_of
xref: BFO:0000050
is_transitive: true
is_reflexive: false
is_a: overlaps
inverse_of: has_x
domain: T:1
range: T:2
transitive_over: overlaps
holds_over_chain: has_x overlaps
equivalent_to_chain: has_x has_x
disjoint_from: has_x

[Typedef]
id: overlaps
name: overlaps
is_symmetric: true

[Typedef]
id: seen
is_metadata_tag: true

[Instance]
id: I:1
instance_of: T:1
relationship: part_of I:2
""",
    )
    part, has, over = "<BFO_0000050>", "<toy#has_x>", "<toy#overlaps>"
    assert _axioms(ontology) == [
        "SubClassOf(<T_1> <T_2>)",
        "SubClassOf(<T_1> <T_3>)",
        f"SubClassOf(<T_1> ObjectSomeValuesFrom({part} <T_4>))",
        f"SubClassOf(ObjectIntersectionOf(<T_1> ObjectSomeValuesFrom({has} <T_5>)) ObjectSomeValuesFrom({part} <T_4>))",
        f"SubClassOf(<T_1> ObjectIntersectionOf(ObjectMinCardinality(2 {has} <T_6>) ObjectAllValuesFrom({has} <T_6>)))",
        "EquivalentClasses(<T_1> <http://my.org/abc>)",
        "DisjointClasses(<T_1> <T_5>)",
        f"EquivalentClasses(<T_1> ObjectIntersectionOf(<T_2> ObjectSomeValuesFrom({part} <T_4>)))",
        "EquivalentClasses(<T_1> ObjectUnionOf(<T_8> <T_9>))",
        f"TransitiveObjectProperty({part})",
        f"SubObjectPropertyOf({part} {over})",
        f"InverseObjectProperties({part} {has})",
        f"ObjectPropertyDomain({part} <T_1>)",
        f"ObjectPropertyRange({part} <T_2>)",
        f"SubObjectPropertyOf(ObjectPropertyChain({part} {over}) {part})",
        f"SubObjectPropertyOf(ObjectPropertyChain({has} {over}) {part})",
        f"SubObjectPropertyOf(ObjectPropertyChain({has} {has}) {part})",
        f"DisjointObjectProperties({part} {has})",
        f"SymmetricObjectProperty({over})",
        "ClassAssertion(<T_1> <I_1>)",
        f"ObjectPropertyAssertion({part} <I_1> <I_2>)",
    ]
    assert ontology.iri == OBO + "toy.owl"
    assert ontology.labels[OBO + "T_1"] == "one (first)"
    assert ontology.synonyms[OBO + "T_1"] == ('uno "1"', "eins")
    assert ontology.alternatives == {OBO + "T_01": OBO + "T_1"}
    assert ontology.ignored["obsolete"] == 1
    assert len(ontology.warnings) == 1
    assert "equivalent_to_chain" in ontology.warnings[0]


@pytest.mark.parametrize(
    "line",
    [
        'def: "The broken xref." [EC: 1.14.13.-]',
        'def: "no end [X:1]',
        "synonym: unquoted EXACT []",
        'is_a: T:2 {source="open',
    ],
)
def test_a_broken_annotation_is_a_warning(tmp_path: Path, line: str) -> None:
    ontology = _read(tmp_path, f"\n[Term]\nid: T:1\n{line}\nis_a: T:3\n")
    assert "SubClassOf(<T_1> <T_3>)" in _axioms(ontology)
    assert len(ontology.warnings) == 1
    assert ":7: broken" in ontology.warnings[0]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("[Term]\nid: T:1\nis_a:\n", 6, "without a value"),
        ("[Term]\nid: T:1\nis_a: T:2 T:3\n", 6, "one name"),
        ("[Term]\nid: T:1\nrelationship: part_of\n", 6, "a relation and a name"),
        ('[Term]\nid: T:1\nrelationship: r T:2 {cardinality="many"}\n', 6, "not a number"),
        ('[Term]\nid: T:1\nrelationship: r T:2 {gci_relation="r"}\n', 6, "belong together"),
        ('[Term]\nid: T:1\nrelationship: r T:2 {gci_relation="r\n', 6, "broken qualifiers"),
        ("[Term]\nid: T:1\nintersection_of: T:2\n", 6, "two or more"),
        ("[Term]\nid: T:1\nintersection_of: T:2\nintersection_of: r T:3 T:4\n", 7, "more names"),
        ("[Term]\nid: T:1\nis_a T:2\n", 6, "without a value"),
        ("[Term]\nname: nameless\n", 4, "without an id"),
        ("[Term\nid: T:1\nis_a: T:2\n", 5, "before the first stanza"),
        ("[Term]\nid: T:1\n\n [Term]\nid: T:2\nis_a: T:3\n", 8, "a second id in the stanza of T:1"),
        (
            "[Term]\nid: T:1\nis_obsolete: true\n\n [Term]\nid: T:2\n",
            9,
            "a second id in the stanza of T:1: is the line",
        ),
        ("[Term]\nid: <T>\n", 5, "no identifier"),
        ("[Typedef]\nid: r\nis_transitive: yes\n", 6, "true or false"),
        ("[Typedef]\nid: r\nholds_over_chain: s\n", 6, "two relations"),
        ("[Typedef]\nid: r\nequivalent_to_chain: s\n", 6, "two relations"),
        ("[Typedef]\nid: r\nis_a: s t\n", 6, "is_a takes one name"),
        ("[Typedef]\nid: r\ntransitive_over: s t u\n", 6, "transitive_over takes one name"),
        ("[Typedef]\nid: r\nis_symmetric: true true\n", 6, "is_symmetric takes one name"),
        ("[Typedef]\nid: r\nrange: T:1 T:2\n", 6, "range takes one name"),
        ("[Instance]\nid: T:1\nrelationship: r\n", 6, "a relation and a name"),
        ("[Instance]\nid: T:1\nrelationship: r T:2 T:3\n", 6, "a relation and a name"),
        ("[Instance]\nid: T:1\ninstance_of: r T:2\n", 6, "more names"),
        ("[Term]\nid: T:1\nrelationship: r T:2 T:3\n", 6, "a relation and a name"),
        ("[Term]\nid: T:1\nunion_of: r T:2\n", 6, "more names"),
        ("[Term]\nid: T:1\ndisjoint_from: T:2 T:3\n", 6, "more names"),
    ],
)
def test_a_broken_logical_line_is_an_error(tmp_path: Path, text: str, line: int, problem: str) -> None:
    with pytest.raises(ReadError, match=problem) as caught:
        _read(tmp_path, text)
    assert caught.value.line == line


def test_names_without_a_standard_relation(tmp_path: Path) -> None:
    header = "format-version: 1.2\n"
    ontology = _read(tmp_path, "\n[Term]\nid: X:a_b\nis_a: http://full.org/iri\nrelationship: rel alone\n", header)
    assert _axioms(ontology) == [
        "SubClassOf(<X#_a_b> <http://full.org/iri>)",
        "SubClassOf(<X#_a_b> ObjectSomeValuesFrom(<TEMP#rel> <TEMP#alone>))",
    ]


def test_other_line_ends_and_bytes(tmp_path: Path) -> None:
    file = tmp_path / "latin.obo"
    file.write_bytes(b"format-version: 1.2\r\n\r\n[Term]\r\nid: T:1\r\nname: caf\xe9\r\nis_a: T:2 ! two\r\n")
    ontology = read(file)
    assert _axioms(ontology) == ["SubClassOf(<T_1> <T_2>)"]
    assert ":5: not UTF-8" in ontology.warnings[0]


def test_comments_after_names_and_flags_without_a_space(tmp_path: Path) -> None:
    text = "\n[Term]\nid: T:1\nname: one \\! 1 ! a comment\n\n[Term]\nid: T:2\nis_obsolete:true\nis_a: T:1\n"
    ontology = _read(tmp_path, text)
    assert ontology.labels[OBO + "T_1"] == "one ! 1"
    assert ontology.ignored["obsolete"] == 1
    assert not _axioms(ontology)


def test_alternative_ids_may_be_written_short(tmp_path: Path) -> None:
    text = "\n[Term]\nid: T:1\nalt_id: T:9\nalt_id: T:2\n\n[Term]\nid: T:2\nis_a: T:1\n"
    names = normalise(_read(tmp_path, text)).vocabulary
    assert names.class_id("T:9") == names.class_id("T_9") == names.class_id("T:1")
    assert names.classes[names.class_id("T:2")] == OBO + "T_2"
