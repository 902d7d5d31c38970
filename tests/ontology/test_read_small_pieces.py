"""Pieces of the readers by hand: bytes that are no text, relations of OBO, what an error is near, XML tags."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.reading.formats import check_utf8
from elgeo.ontology.reading.obo_names import _standard_relation
from elgeo.ontology.reading.xml_safety import _elements, flat_entities

MIB = 1 << 20


@pytest.mark.parametrize("at", [5, MIB - 1, MIB, MIB + 1, 2 * MIB + 77])
def test_the_line_of_what_is_not_utf8_is_named_wherever_it_is(at: int) -> None:
    data = bytearray(b"x" * (3 * MIB))
    data[3] = data[MIB + 40] = data[2 * MIB + 3] = 10
    data[at] = 0xFF
    line = data.count(b"\n", 0, at) + 1
    with pytest.raises(ReadError, match="not UTF-8") as caught:
        check_utf8(bytes(data), "x.ofn")
    assert caught.value.line == line


def test_characters_of_several_bytes_may_lie_across_steps() -> None:
    for shift in range(4):
        check_utf8(b"x" * (MIB - shift) + "∃🙂é".encode() * 3, "x.ofn")
    with pytest.raises(ReadError, match="not UTF-8"):
        check_utf8(b"x" * (MIB - 2) + "🙂".encode()[:3], "x.ofn")


@pytest.mark.parametrize(
    ("xrefs", "expected"),
    [
        ([], None),
        (["BFO:0000050"], "BFO:0000050"),
        (["other:1", "RO:0002131"], "RO:0002131"),
        (["other:0000001"], "other:0000001"),
        (["other:0000001", "more:0000002"], None),
        (["see the text"], None),
        (["RO:part_of"], None),
    ],
)
def test_a_relation_is_known_by_its_standard_or_its_only_xref(xrefs: list[str], expected: str | None) -> None:
    assert _standard_relation(xrefs) == expected


def test_an_error_is_near_the_name_that_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        """@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://x/o> a owl:Ontology . :A a owl:Class . :B a owl:Class ; rdfs:subClassOf :A .
:A owl:equivalentClass [ a owl:Class ; owl:intersectionOf [ rdf:first :B ] ] .
"""
    )
    with pytest.raises(ReadError, match="broken") as caught:
        read(tmp_path / "o.ttl")
    assert "(near <http://x/A>)" in str(caught.value)


def test_a_file_by_its_ending_alone_unless_it_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "bare.obo").write_bytes(b"! nothing but a comment\n")
    assert read(tmp_path / "bare.obo").format == "obo"
    (tmp_path / "blob.obo").write_bytes(b"! nothing\0\1\2 of the kind\n")
    with pytest.raises(ReadError, match="not an ontology in functional syntax"):
        read(tmp_path / "blob.obo")


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("<a><b/><c></c>", 1),
        ("<a><b></b></a>", 0),
        ("<a><!-- <b> -- <c> --><d>", 2),
        ("<a><![CDATA[ <b> ]> ]] <c> ]]><d></d>", 1),
        ("<?xml version='1.0'?><!DOCTYPE x><a>", 1),
        ("<a><!", 1),
        ("<a><!-", 1),
        ("<a><!--", 1),
        ("<a><![", 1),
        ("<a><!-- <b> -->", 1),
        ("<a", 1),
        ("<", 0),
        ("", 0),
    ],
)
def test_open_elements_are_counted_and_tags_in_comments_are_none(text: str, opened: int) -> None:
    source = np.frombuffer(text.encode(), np.uint8)
    assert _elements(source, 100, np.zeros(2, np.int64)) == opened
    # nothing is read beyond the end, which would be an error here
    assert _elements.py_func(source, 100, np.zeros(2, np.int64)) == opened  # type: ignore[attr-defined]


@pytest.mark.parametrize("notes", [0, 1, 900, 1700, 2600, 3500, 7001])
def test_the_root_of_xml_is_found_wherever_it_is(notes: int, tmp_path: Path) -> None:
    (tmp_path / "o").write_text(
        "<?xml version='1.0'?>\n" + "".join(f"<!-- {i:4} -->\n" for i in range(notes)) + '<Ontology xmlns="http://www.'
        'w3.org/2002/07/owl#"><SubClassOf><Class IRI="http://x/A"/><Class IRI="http://x/B"/></SubClassOf></Ontology>'
    )
    assert read(tmp_path / "o").format == "owlxml"


@pytest.mark.parametrize(
    "before", ["", "\n", "<?xml version='1.0'?>", "<?xml version='1.0'?>\n<!-- <!DOCTYPE b> -->\n"]
)
def test_entities_are_flat_wherever_the_declaration_begins(before: str) -> None:
    text = f'{before}<!DOCTYPE a [<!ENTITY x "1&y;"> <!ENTITY\n y "2">]><a b="&x;">&y;</a>'
    flat = flat_entities(text.encode(), "file")
    assert flat.startswith(f"{before}<!DOCTYPE a [".encode())
    assert flat.count(b"\n") == text.count("\n")
    root = ElementTree.fromstring(flat)
    assert (root.tag, root.get("b"), root.text) == ("a", "12", "2")
