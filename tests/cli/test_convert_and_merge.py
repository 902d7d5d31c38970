"""`convert` and `merge`: what is written, what is said, and that nothing is lost where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.ontology import read
from elgeo.ontology.writing.write import ENDINGS

ONE = """Prefix(:=<http://x/>)
Ontology(<http://x/one>
Declaration(Class(:A))
SubClassOf(:A :B)
SubClassOf(:A ObjectSomeValuesFrom(:r _PLACE_))
SubClassOf(:A :B)
AnnotationAssertion(rdfs:label :A "first")
AnnotationAssertion(rdfs:label :B "b")
)
""".replace("_PLACE_", "ObjectSomeValuesFrom(:r :C)")
OTHER = """Prefix(:=<http://x/>)
Ontology(<http://x/other>
SubClassOf(:A :B)
SubClassOf(:C :A)
ClassAssertion(:A _:x)
AnnotationAssertion(rdfs:label :A "second")
AnnotationAssertion(rdfs:label :C "c")
)
"""
RULE = "Ontology(SubClassOf(<http://x/A> <http://x/B>) DLSafeRule(Body() Head()))"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "one.ofn").write_text(ONE)
    (tmp_path / "other.ofn").write_text(OTHER)
    return str(tmp_path / "one.ofn"), str(tmp_path / "other.ofn")


@pytest.mark.parametrize("ending", [ending for ending in ENDINGS if ending not in (".obo", ".json")])
def test_every_syntax_is_written(
    files: tuple[str, str], ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / f"out{ending}")
    assert main(["convert", files[0], "-o", out]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{out}\n"
    found, source = read(out), read(files[0])
    assert {str(a) for a in found.axioms} == {str(a) for a in source.axioms}
    assert dict(found.labels) == {"http://x/A": "first", "http://x/B": "b"}
    assert found.iri == "http://x/one"


@pytest.mark.parametrize("command", ["convert", "classify", "normalise", "reason"])
def test_a_disk_without_room_is_said_with_the_file(
    files: tuple[str, str], command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    out = str(tmp_path / ("tables" if command == "normalise" else "out.ofn"))
    assert main([command, files[0], "-o", str(tmp_path / f"warm-{Path(out).name}")]) == 0  # compiles its kernels
    capsys.readouterr()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
        code = main([command, files[0], "-o", out])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 2
    assert capsys.readouterr().err == f"elgeo: {out}: File too large; free some space or choose another place\n"


def test_what_obo_graphs_have_no_words_for_is_left_out_and_counted(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out.json")
    assert main(["convert", files[0], "-o", out]) == 0
    said = capsys.readouterr().err
    left_out = {str(a) for a in read(files[0]).axioms} - {str(a) for a in read(out).axioms}
    nested = "ObjectSomeValuesFrom(<http://x/r> ObjectSomeValuesFrom(<http://x/r> <http://x/C>))"
    assert left_out == {f"SubClassOf(<http://x/A> {nested})"}
    assert f"elgeo: 1 left out, for which the syntax has no words: SubClassOf(<http://x/A> {nested})\n" in said


def test_the_syntax_can_be_said_where_the_ending_does_not(files: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert main(["convert", files[0], "-o", str(out), "--format", "turtle"]) == 0
    assert read(out).format == "turtle"


def test_an_unknown_ending_is_one_line_and_nothing_is_written(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", "nofile.ofn", "-o", str(tmp_path / "out.txt")]) == 2
    said = "it may be one of .ofn, .fss, .owl, .rdf, .xml, .owx, .ttl, .obo, .omn, .json, or with .gz"
    assert capsys.readouterr().err.endswith(f"the ending says no syntax; {said}\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.ofn", "other.ofn"]


def test_what_cannot_be_said_is_named_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rule.ofn").write_text(RULE)
    out = tmp_path / "out.owx"
    out.write_text("before")
    assert main(["convert", str(tmp_path / "rule.ofn"), "-o", str(out), "--strict"]) == 2
    assert "out.owx: the syntax has no words for DLSafeRule" in capsys.readouterr().err
    assert out.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.owx", "rule.ofn"]
    assert main(["convert", str(tmp_path / "rule.ofn"), "-o", str(out)]) == 0
    assert "1 left out, for which the syntax has no words: DLSafeRule" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "rule.ofn"), "-o", str(out), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["file"], document["axioms"], len(document["left_out"])) == (str(out), 1, 1)


def test_a_union_has_every_axiom_once_and_all_names(files: tuple[str, str], tmp_path: Path) -> None:
    out = str(tmp_path / "all.ofn")
    assert main(["merge", *files, "-o", out]) == 0
    found = read(out)
    assert [str(a).replace("http://x/", "") for a in found.axioms][:3] == [
        "SubClassOf(<A> <B>)",
        "SubClassOf(<A> ObjectSomeValuesFrom(<r> ObjectSomeValuesFrom(<r> <C>)))",
        "SubClassOf(<C> <A>)",
    ]
    assert len(found.axioms) == 4
    assert dict(found.labels) == {"http://x/A": "first", "http://x/B": "b", "http://x/C": "c"}
    assert dict(found.synonyms) == {"http://x/A": ("second",)}
    assert found.iri == "http://x/one"


@pytest.mark.parametrize("ending", [".owl", ".ttl", ".owx", ".ofn"])
def test_inferred_axioms_are_written_in_every_syntax(files: tuple[str, str], ending: str, tmp_path: Path) -> None:
    out = str(tmp_path / f"reasoned{ending}")
    assert main(["reason", files[1], "-o", out]) == 0
    assert len(read(out).axioms) >= 3
