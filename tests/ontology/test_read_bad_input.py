"""Whatever a file holds, reading it ends in an ontology or in one clear error with its place."""

from __future__ import annotations

import gzip
import json
import os
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read

RDF = (
    '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">\n'
    '<owl:Class rdf:about="http://ex.org/A">\n<rdfs:subClassOf rdf:resource="http://ex.org/B"/>\n</owl:Class>\n</rdf:RDF>\n'
)
XML = (
    '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://ex.org/o">\n'
    '<SubClassOf>\n<Class IRI="http://ex.org/A"/>\n<Class IRI="http://ex.org/B"/>\n</SubClassOf>\n</Ontology>\n'
)
FUNCTIONAL = (
    "Prefix(:=<http://ex.org/>)\nOntology(<http://ex.org/o>\nDeclaration(Class(:A))\n"
    'SubClassOf(:A ObjectSomeValuesFrom(:r :B))\nDataPropertyAssertion(:d :i "text")\n)\n'
)
TURTLE = (
    "@prefix : <http://ex.org/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:A rdfs:subClassOf :B .\n"
)
OBO = "format-version: 1.2\n\n[Term]\nid: T:1\nis_a: T:2\n"
ALL = {"o.ofn": FUNCTIONAL, "rdf.owl": RDF, "xml.owl": XML, "o.ttl": TURTLE, "o.obo": OBO}


def _fails(tmp_path: Path, content: bytes, name: str = "bad.owl", **options: Any) -> ReadError:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read(file, **options)
    assert str(caught.value).startswith(str(file))
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", ALL)
def test_the_good_ones_are_good(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(ALL[name])
    assert "SubClassOf" in {a.kind for a in read(tmp_path / name).axioms}


LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:8a1c9e\nsize 35012\n"


@pytest.mark.parametrize("content", ["404: Not Found", LFS, "id\tname\nT:1\theart\n", "hello world\n"])
def test_what_is_no_obo_is_refused_whatever_its_name(content: str, tmp_path: Path) -> None:
    problem = str(_fails(tmp_path, content.encode(), "no.obo"))
    assert "not an ontology" in problem
    assert problem.partition(": ")[2] == str(_fails(tmp_path, content.encode(), "no.owl")).partition(": ")[2]
    assert "not an ontology" in str(_fails(tmp_path, gzip.compress(content.encode(), mtime=0), "no.obo.gz"))


@pytest.mark.parametrize("content", ["ontology: go\n", "data-version: 3\n", "\n! so far nothing\nremark: nothing\n"])
def test_an_obo_of_its_header_alone_is_an_empty_ontology(content: str, tmp_path: Path) -> None:
    (tmp_path / "header.obo").write_text(content)
    assert len(read(tmp_path / "header.obo").axiom_nodes) == 0


@pytest.mark.parametrize("name", ["o.ofn", "rdf.owl", "xml.owl"])
def test_truncated_anywhere(name: str, tmp_path: Path) -> None:
    whole = ALL[name].rstrip().encode()
    for end in range(1, len(whole)):
        _fails(tmp_path, whole[:end], name)
    assert _fails(tmp_path, whole[: len(whole) // 2], name).line is not None


@pytest.mark.parametrize("name", ALL)
def test_truncated_gzip(name: str, tmp_path: Path) -> None:
    packed = gzip.compress(ALL[name].encode(), mtime=0)
    assert "truncated" in str(_fails(tmp_path, packed[:-12], name + ".gz"))
    assert "damaged" in str(_fails(tmp_path, packed[:-8] + b"12345678", name + ".gz"))
    assert "follows" in str(_fails(tmp_path, packed + b"garbage", name + ".gz"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
        (json.dumps({"@id": "x"}).encode(), "JSON"),
        (b"<!DOCTYPE html><html><head><title>404</title></head></html>", "html"),
        (b"id,name\n1,a\n2,b\n", "starts with"),
        (b"Just some text about ontologies.", "starts with"),
        (b"Prefix: : <http://ex.org/>\nOntology: <http://ex.org/o>\nClas: A\n", "expected a frame"),
        (bytes(range(256)) * 20, "not an ontology"),
        (b"\0" * 5000, "not an ontology"),
        (b"PK\x03\x04rest", "zip"),
    ],
)
def test_not_an_ontology(content: bytes, problem: str, tmp_path: Path) -> None:
    assert problem in str(_fails(tmp_path, content))


@pytest.mark.parametrize(("length", "shown"), [(1, "x"), (40, "x" * 40), (41, "x" * 40 + " …"), (300, "x" * 40 + " …")])
def test_what_was_found_is_shown_in_forty_letters(length: int, shown: str, tmp_path: Path) -> None:
    text = FUNCTIONAL.replace("SubClassOf", "x" * length + "\n")
    assert str(_fails(tmp_path, text.encode())).endswith(f"bad.owl:4: unknown here: {shown}")


def test_no_such_file_folder_device(tmp_path: Path) -> None:
    for path, problem in ((tmp_path / "none", "no such file"), (tmp_path, "folder"), (Path("/dev/zero"), "device")):
        with pytest.raises(ReadError, match=problem):
            read(path)
    if os.geteuid() != 0:
        secret = tmp_path / "secret.ofn"
        secret.write_text(FUNCTIONAL)
        secret.chmod(0)
        with pytest.raises(ReadError, match="permission"):
            read(secret)


@pytest.mark.slow
def test_a_gzip_bomb_ends_early(tmp_path: Path) -> None:
    block = zlib.compressobj(9, wbits=31)
    bomb = b"".join(
        [block.compress(FUNCTIONAL.encode()), *(block.compress(b" " * (1 << 20)) for _ in range(300)), block.flush()]
    )
    started = time.perf_counter()
    assert "bomb" in str(_fails(tmp_path, bomb, "bomb.ofn.gz"))
    assert time.perf_counter() - started < 20
    assert "bomb" in str(_fails(tmp_path, gzip.compress(FUNCTIONAL.encode(), mtime=0), "small.ofn.gz", max_bytes=100))
    assert "larger" in str(_fails(tmp_path, FUNCTIONAL.encode(), "small.ofn", max_bytes=100))


@pytest.mark.parametrize("name", ["o.ofn", "rdf.owl", "xml.owl", "o.ttl"])
def test_encodings(name: str, tmp_path: Path) -> None:
    text = ALL[name].replace("ex.org/B", "ex.org/Bé").replace(":B", ":Bé")
    assert "UTF-8" in str(_fails(tmp_path, text.encode("latin-1"), name)) or name in ("rdf.owl", "xml.owl")
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        assert any("Bé" in s for s in read(tmp_path / name).strings)
    declared = text.replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="ISO-8859-1"?>')
    if declared != text:
        (tmp_path / name).write_bytes(declared.encode("latin-1"))
        assert any("Bé" in s for s in read(tmp_path / name).strings)
    assert "UTF-16" in str(_fails(tmp_path, text.encode("utf-16")[:-1], name)).upper()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before", "opening", "inside", "closing"),
    [
        ("o.ofn", "Ontology(SubClassOf(<u:a> ", "ObjectComplementOf(", "<u:b>", ")"),
        ("o.ofn", "Ontology(", "Annotation(", "", ")"),
        ("o.ofn", "Ontology(", "SubClassOf(", "", ")"),
        ("o.ofn", "Ontology(", "(", "", ")"),
        ("xml.owl", XML.split("<SubClassOf>")[0] + "<SubClassOf>", "<ObjectComplementOf>", "", "</ObjectComplementOf>"),
        ("xml.owl", XML.split("<SubClassOf>")[0], "<Annotation>", "", "</Annotation>"),
        ("rdf.owl", RDF.split("<owl:Class")[0], "<owl:Class><rdfs:subClassOf>", "", "</rdfs:subClassOf></owl:Class>"),
        ("o.ttl", TURTLE + ":A rdfs:subClassOf ", "[<http://www.w3.org/2002/07/owl#complementOf> ", ":B", "]"),
        ("o.ttl", TURTLE + ":A rdfs:subClassOf ", "(", "", ")"),
    ],
)
def test_very_deep_nesting(name: str, before: str, opening: str, inside: str, closing: str, tmp_path: Path) -> None:
    started = time.perf_counter()
    _fails(tmp_path, (before + opening * 100_000 + inside + closing * 100_000).encode(), name)
    _fails(tmp_path, (before + opening * 100_000).encode(), name)
    assert time.perf_counter() - started < 20


def test_functional_syntax_nests_a_thousand_deep(tmp_path: Path) -> None:
    file = tmp_path / "deep.ofn"
    file.write_text("Ontology(SubClassOf(<u:a> " + "ObjectComplementOf(" * 900 + "<u:b>" + ")" * 902)
    assert str(read(file).axioms[0]).count("ObjectComplementOf(") == 900


LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("SubClassOf(:A)", "too few"),
        ("SubClassOf(:A :B :C)", "no more arguments"),
        ("SubClassOf(:A nope:B)", "prefix that is not declared"),
        ("SubClassOf(:A B)", "not functional syntax"),
        ("SubClassOf(:A <http://a b>)", "no IRI"),
        ("SubClassOf(:A <>)", "no IRI"),
        ('SubClassOf(:A "text")', "cannot be argument 2 of SubClassOf"),
        ("SubClassOf(:A ObjectInverseOf(:r))", "cannot be argument 2"),
        ("SubClassOf(:A SubClassOf(:A :B))", "cannot be argument 2"),
        ("SubClassOf(:A ObjectMinCardinality(-1 :r))", "cannot be argument 1"),
        ("SubClassOf(:A ObjectMinCardinality(:r))", "cannot be argument 1"),
        ("SubClassOf(:A ObjectUnionOf())", "too few"),
        ("SubClassOf(_:x :B)", "cannot be argument 1"),
        ("ObjectUnionOf(:A :B)", "unknown here"),
        ("Sub-Class-Of(:A :B)", "unknown here"),
        ("SubClassOf :A :B", "not functional syntax"),
        ("Declaration(:A)", "cannot be argument 1"),
        ("Declaration()", "too few"),
        ("Declaration(Class(:A) Class(:B))", "no more arguments"),
        ("Declaration(Class())", "too few"),
        ("Declaration(Class(:A :B))", "no more arguments"),
        ("Import()", "too few"),
        ("Import(<u:a> <u:b>)", "no more arguments"),
        (f"AnnotationAssertion({LABEL} :A)", "too few"),
        ("HasKey(:A :r)", "no more arguments"),
        ("HasKey(:A (:r))", "too few"),
        ('DataPropertyAssertion(:d :i "x"@)', "no literal"),
        ('DataPropertyAssertion(:d :i "x"^^nope:t)', "prefix that is not declared"),
        (")SubClassOf(:A :B)", "follows the end"),
        ("Import(SubClassOf(:A :B))", "cannot be argument 1"),
        ("= > :", "not functional syntax"),
    ],
)
def test_broken_axioms_have_a_line(line: str, problem: str, tmp_path: Path) -> None:
    error = _fails(tmp_path, f"Prefix(:=<http://ex.org/>)\n\nOntology(\n{line}\n)".encode(), "o.ofn")
    assert problem in str(error)
    assert error.line == 4


@pytest.mark.parametrize(
    "body",
    [
        "<SubClassOf><Class IRI='u:a'/></SubClassOf>",
        "<SubClassOf><Class IRI='u:a'/><Literal>x</Literal></SubClassOf>",
        "<SubClassOf><Class/><Class IRI='u:a'/></SubClassOf>",
        "<SubClassOf><Class abbreviatedIRI='no:a'/><Class IRI='u:a'/></SubClassOf>",
        "<Class IRI='u:a'/>",
        "<Declaration/>",
        "<Nonsense/>",
        "<Class IRI='u:a'><Class IRI='u:b'/></Class>",
        "<ObjectUnionOf><Class IRI='u:a'/></ObjectUnionOf>",
        "<p:SubClassOf xmlns:p='http://other'/>",
        "<SubClassOf><Class IRI='u:a'/><ObjectMinCardinality><ObjectProperty IRI='u:r'/></ObjectMinCardinality>"
        "</SubClassOf>",
    ],
)
def test_broken_owl_xml_has_a_line(body: str, tmp_path: Path) -> None:
    error = _fails(tmp_path, f'<Ontology xmlns="http://www.w3.org/2002/07/owl#">\n\n{body}\n</Ontology>'.encode())
    assert error.line == 3


@pytest.mark.parametrize("document", [RDF, XML])
def test_entity_bombs_and_foreign_entities(document: str, tmp_path: Path) -> None:
    bomb = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {c} "{f"&{p};" * 10}">' for p, c in zip("abcdefgh", "bcdefghi", strict=True)
    )
    secret = tmp_path / "secret"
    secret.write_text("http://leaked.org/")
    root = "rdf:RDF" if "rdf:RDF" in document else "Ontology"
    for entities, name, said in (
        (bomb, "i", "is longer than"),
        (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', "x", ""),
        ('<!ENTITY y "&y;">', "y", "contains itself"),
    ):
        hostile = document.replace("\n", f"\n<!DOCTYPE {root} [{entities}]>\n", 1).replace(
            "http://ex.org/B", f"&{name};"
        )
        started = time.perf_counter()
        error = str(_fails(tmp_path, hostile.encode()))
        assert said in error
        assert "leaked" not in error
        assert time.perf_counter() - started < 5
    many = document.replace("\n", f'\n<!DOCTYPE {root} [<!ENTITY z "{"z" * 4000}">]>\n', 1).replace(
        "http://ex.org/B", "http://ex.org/" + "&z;" * 100_000
    )
    assert "expand" in str(_fails(tmp_path, many.encode()))


def test_huge_tokens(tmp_path: Path) -> None:
    long = "x" * 3_000_000
    file = tmp_path / "long.ofn"
    file.write_text(f'Ontology(SubClassOf(<http://{long}> <u:b>) DataPropertyAssertion(<u:d> <u:i> "{long}"@en))')
    ontology = read(file)
    assert sorted(len(s) for s in ontology.strings)[-2:] == [3_000_005, 3_000_007]
    _fails(tmp_path, f"Ontology({long}(<u:a> <u:b>))".encode(), "long.ofn")
    _fails(tmp_path, ("Ontology(SubClassOf(<u:a> " + "<u:b> " * 100_000).encode(), "long.ofn")
    wide = tmp_path / "wide.ofn"
    wide.write_text("Ontology(DisjointClasses(" + " ".join(f"<u:{i}>" for i in range(50_000)) + "))")
    assert len(read(wide).arguments(int(read(wide).axiom_nodes[0]))) == 50_000


def test_what_is_odd_but_fine(tmp_path: Path) -> None:
    file = tmp_path / "fine.ofn"
    file.write_text(
        "Prefix(:=<http://ex.org/>) Ontology(SubClassOf(:A :B) SubClassOf(:A :B) ClassAssertion(:A :A)"
        " ObjectPropertyAssertion(:A :A _:b)"
        " Declaration(Class(:A)) Declaration(NamedIndividual(:A)) Declaration(Class(:A)))"
    )
    ontology = read(file)
    assert len(ontology.axioms) == 4
    assert ontology.axiom_nodes[0] == ontology.axiom_nodes[1]
    assert len(ontology.declared) == 2
    assert ontology.ignored["declarations"] == 3


@pytest.mark.slow
def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.ofn").write_bytes(FUNCTIONAL.encode()[:60] + struct.pack("<I", 0xFFFFFFFF))
    run = subprocess.run(
        [sys.executable, "-m", "elgeo", "info", str(tmp_path / "bad.ofn")], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith(f"elgeo: {tmp_path / 'bad.ofn'}:")


@pytest.mark.parametrize("value", ['"never closed', '"text"@', "<http://ex.org/never", "Annotation(", '"a\\"'])
def test_a_file_cut_off_in_an_annotation_has_the_line_of_it(value: str, tmp_path: Path) -> None:
    for ends in ("", "\n", "\n\n\n\n"):
        text = f"Ontology(\nSubClassOf(<u:a> <u:b>)\nAnnotationAssertion(<u:p> <u:a>\n {value}{ends}"
        error = _fails(tmp_path, text.encode(), "o.ofn")
        assert "ends before" in str(error)
        # the line it begins in, or that before the value
        assert error.line in (3, 4), (error, ends)
