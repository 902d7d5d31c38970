"""Accepted axioms reach a copy of the ontology with their provenance, and it is said what they bring."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.ontology import read
from elgeo.ontology.model import Builder
from elgeo.serve.applying import add_axiom, apply, described
from elgeo.serve.decisions import Axiom, Decision, Decisions

TEXT = """Prefix(:=<http://x/>)
Ontology(<http://x/>
SubClassOf(:A :B)
SubClassOf(:B :C)
SubClassOf(ObjectSomeValuesFrom(:r :B) :E)
DisjointClasses(:C :D)
SubClassOf(:F ObjectSomeValuesFrom(:r :F))
)
"""


def axiom(head: str, tail: str, role: str = "") -> Axiom:
    return Axiom(f"http://x/{head}", f"http://x/{role}" if role else "", f"http://x/{tail}")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "o.ofn"
    path.write_text(TEXT)
    return path


def test_what_more_follows_is_counted(file: Path) -> None:
    accepted = [
        Decision(axiom("F", "A", "r"), "accept", "ann", score=0.5),
        Decision(axiom("A", "B"), "accept", "ann"),
        Decision(axiom("G", "B"), "accept", "ann"),
        Decision(axiom("E", "A"), "accept", "bob"),
        Decision(axiom("A", "B", "unknown"), "accept", "bob"),
    ]
    found = apply(read(file), accepted)
    assert [d.axiom for d in found.added] == [axiom("F", "A", "r"), axiom("E", "A")]
    assert [d.axiom for d in found.known] == [axiom("A", "B")]
    assert [name for _, name in found.strangers] == ["http://x/G", "http://x/unknown"]
    # F ⊑ ∃r.A gives F ⊑ E; E ⊑ A gives E and F ⊑ B and C, and F ⊑ A
    expected = {("F", "E"), ("E", "B"), ("E", "C"), ("F", "A"), ("F", "B"), ("F", "C")}
    assert set(found.follows) == {f"SubClassOf(<http://x/{a}> <http://x/{b}>)" for a, b in expected}
    assert found.contradicted == []
    # and F ⊑ ∃r.B, ∃r.C and ∃r.E
    assert found.links == 3
    more = "they make 9 more follow between names and contradict nothing (6 C ⊑ D, 3 C ⊑ ∃R.D)"
    assert described(found) == f"2 axioms added: {more}"
    clash = apply(read(file), [Decision(axiom("A", "D"), "accept", "ann")])
    assert clash.contradicted == ["SubClassOf(<http://x/A> <http://www.w3.org/2002/07/owl#Nothing>)"]
    assert described(clash) == "1 axiom added: it makes 1 unsatisfiable"
    assert (clash.links, clash.follows) == (None, [])
    nothing = apply(read(file), [Decision(axiom("A", "B"), "accept", "ann")])
    assert (described(nothing), nothing.links) == ("0 axioms added", 0)


def test_what_el_cannot_see_is_said_with_the_word_on_contradictions(file: Path) -> None:
    """A ⊑ ∀r.D closes A: A ⊑ ∃r.C makes it unsatisfiable in OWL, A ⊑ ∃r.F does not."""
    closed = TEXT.replace(")\n)", ")\nSubClassOf(:A ObjectAllValuesFrom(:r :D))\nSubClassOf(:A2 :A)\n)")
    file.write_text(closed.replace("\n)", "\nInverseObjectProperties(:r :s)\n)"))
    found = apply(read(file), [Decision(axiom("A", "F", "r"), "accept", "ann")])
    assert (found.beyond, found.contradicted) == (2, [])
    assert described(found).endswith(" and contradicts nothing as far as EL++ sees: 2 axioms go beyond it")
    clash = apply(read(file), [Decision(axiom("A", "C", "r"), "accept", "ann")])
    nothing = "http://www.w3.org/2002/07/owl#Nothing"
    assert clash.contradicted == [f"SubClassOf(<http://x/{name}> <{nothing}>)" for name in ("A", "A2")]
    assert set(clash.limits_broken.values()) == {"A ⊑ ∀r.D"}
    before = "SubClassOf(:Z ObjectSomeValuesFrom(:r :C)) SubClassOf(:Z ObjectAllValuesFrom(:r :D))"
    file.write_text(closed.replace("\n)", f"\n{before}\n)"))
    again = apply(read(file), [Decision(axiom("A", "C", "r"), "accept", "ann")])
    assert again.limits_broken == clash.limits_broken, "not what was impossible before"
    assert described(clash) == "1 axiom added: it makes 2 unsatisfiable"
    seen = apply(read(file), [Decision(axiom("A", "D"), "accept", "ann")])
    assert (described(seen), seen.limits_broken) == ("1 axiom added: it makes 2 unsatisfiable", {})


@pytest.mark.parametrize("ending", [".ofn", ".owl", ".owx", ".ttl"])
def test_provenance_is_written_with_the_axiom(
    file: Path, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    said = Decision(
        axiom("F", "A", "r"), "accept", 'An "n"', "sure & <certain>", model="atlas", version="0.1", score=1 / 3
    )
    decisions.say(said)
    decisions.say(Decision(axiom("F", "C"), "accept", "ann"))
    decisions.say(Decision(axiom("F", "C"), "reject", "bob"))
    out = tmp_path / f"out{ending}"
    assert main(["apply", str(tmp_path / "d.sqlite"), str(file), "-o", str(out), "--json"]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["added"] == ["SubClassOf(<http://x/F> ObjectSomeValuesFrom(<http://x/r> <http://x/A>))"]
    assert "1 axiom added: it makes 4 more follow between names and contradicts nothing (1 C ⊑ D, 3 " in printed.err
    assert document["links"] == 3
    assert {str(a) for a in read(out).axioms} == {str(a) for a in read(file).axioms} | set(document["added"])
    text = out.read_text()
    for words in ("predicted by elgeo 0.1, model atlas, score 0.333333", "dc/terms/creator", "dc/terms/date"):
        assert words in text
    assert text.count("predicted by elgeo") == 1


def test_the_ontology_and_the_decisions_stay_as_they_were(file: Path, tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    decisions.say(Decision(axiom("E", "A"), "accept", "ann"))
    before = decisions.all()
    assert main(["apply", str(tmp_path / "d.sqlite"), str(file), "-o", str(tmp_path / "out.ofn")]) == 0
    assert file.read_text() == TEXT
    assert decisions.all() == before


LABEL = 'AnnotationAssertion(rdfs:label :A "a")'


@pytest.mark.parametrize(
    ("more", "said"), [("", False), (LABEL, False), (LABEL + ' AnnotationAssertion(:note :A "so")', True)]
)
def test_what_annotations_the_copy_lacks_is_said(
    more: str, said: bool, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(TEXT.replace("SubClassOf(:A :B)", f"SubClassOf(:A :B) {more}"))
    Decisions(tmp_path / "d.sqlite").say(Decision(axiom("E", "A"), "accept", "ann"))
    assert main(["apply", str(tmp_path / "d.sqlite"), str(file), "-o", str(tmp_path / "out.ofn")]) == 0
    assert ("annotations other than labels" in capsys.readouterr().err) == said


def test_a_missing_file_of_decisions_is_one_line(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["apply", str(tmp_path / "none.sqlite"), str(file), "-o", str(tmp_path / "out.ofn")]) == 2
    assert "no such file; `elgeo serve RUN --decisions FILE` makes one" in capsys.readouterr().err
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.parametrize("strangers", [5, 9])
def test_some_of_many_unknown_names_are_said(
    strangers: int, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    for number in range(strangers):
        decisions.say(Decision(axiom(f"New{number}", "B"), "accept", "ann"))
    decisions.say(Decision(axiom("A", "B"), "accept", "ann"))
    assert main(["apply", str(tmp_path / "d.sqlite"), str(file), "-o", str(tmp_path / "out.ofn")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert sum("the ontology does not have http://x/New" in line for line in said) == 5
    assert ("elgeo: left out: 4 more axioms with names it does not have" in said) == (strangers == 9)
    assert sum("left out: " in line for line in said) == min(strangers, 6)


def test_decisions_about_another_ontology_are_refused(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions, out = Decisions(tmp_path / "d.sqlite"), tmp_path / "out.ofn"
    command = ["apply", str(tmp_path / "d.sqlite"), str(file), "-o", str(out)]
    assert main(command) == 0, "nothing is accepted yet"
    out.unlink()
    capsys.readouterr()
    for number, what in ((1, "1 accepted axiom"), (2, "2 accepted axioms")):
        decisions.say(Decision(axiom(f"Other{number}", "B"), "accept", "ann"))
        assert main(command) == 2
        said = capsys.readouterr().err
        assert f"of {what} none is about {file}, which does not have http://x/Other1: another ontology?" in said
        assert said.count("\n") == 1
        assert not out.exists()


def test_ten_of_many_contradictions_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    below = "\n".join(f"SubClassOf(:A{i} :A)" for i in range(12))
    (tmp_path / "o.ofn").write_text(TEXT.replace("SubClassOf(:A :B)", f"SubClassOf(:A :B)\n{below}"))
    decisions = Decisions(tmp_path / "d.sqlite")
    decisions.say(Decision(axiom("A", "D"), "accept", "ann"))
    command = ["apply", str(tmp_path / "d.sqlite"), str(tmp_path / "o.ofn"), "-o", str(tmp_path / "out.ofn"), "--json"]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert printed.err.count("now follows: ") == 10
    assert len(json.loads(printed.out)["contradicted"]) == 13


def test_what_an_axiom_names_is_declared_once() -> None:
    builder = Builder()
    add_axiom(builder, axiom("A", "B"))
    add_axiom(builder, axiom("B", "C", "r"))
    made = builder.finish()
    assert sorted(made.string(int(node)) for node in made.declared) == [f"http://x/{name}" for name in "ABCr"]
    assert len(made.axiom_nodes) == 2
