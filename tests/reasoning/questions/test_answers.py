"""Answers of the reasoner and of the command line to axioms as users ask them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from elgeo.cli import main
from elgeo.errors import ElgeoError
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.questions.answers import CONTRADICTS, ENTAILED, NOT_ENTAILED, UNDECIDED, Answers
from elgeo.reasoning.questions.question import Question
from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.plain_questions import question, slow_inclusion
from tests.reasoning.proof_checker import check
from tests.reasoning.random_ontology import BASE, axioms, expressions, written

TEXT = """Prefix(:=<http://example.org/>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(<http://example.org/o>
AnnotationAssertion(rdfs:label :A "a thing")
SubClassOf(:A ObjectSomeValuesFrom(:r :B))
SubClassOf(:B :C)
EquivalentClasses(:D ObjectIntersectionOf(:E ObjectSomeValuesFrom(:s :C)))
SubClassOf(:A :E)
SubObjectPropertyOf(:r :s)
DisjointClasses(:D :F)
ClassAssertion(:A :a)
ObjectPropertyAssertion(:r :a :b)
SubClassOf(:G ObjectUnionOf(:A :B))
SymmetricObjectProperty(:q)
SubClassOf(:K DataHasValue(:p "x"))
EquivalentClasses(:L DataHasValue(:p "x"))
)
"""
EXPECTED = {
    "'a thing' SubClassOf D": ENTAILED,
    "A SubClassOf s some (C and owl:Thing)": ENTAILED,
    "A SubClassOf F": CONTRADICTS,
    "F SubClassOf A": CONTRADICTS,
    "B SubClassOf A": NOT_ENTAILED,
    "A DisjointWith F": ENTAILED,
    "D DisjointWith E": CONTRADICTS,
    "B DisjointWith C": CONTRADICTS,
    "B DisjointWith F": NOT_ENTAILED,
    "a Type D": ENTAILED,
    "a Type F": CONTRADICTS,
    "b Type F": NOT_ENTAILED,
    "a s b": ENTAILED,
    "b s a": NOT_ENTAILED,
    "a SameAs b": NOT_ENTAILED,
    "NegativeObjectPropertyAssertion(:r :a :b)": CONTRADICTS,
    "r SubPropertyOf s": ENTAILED,
    "s SubPropertyOf r": NOT_ENTAILED,
    "r o s SubPropertyOf s": NOT_ENTAILED,
    "SubClassOf(:G ObjectUnionOf(:B :A))": ENTAILED,
    "SubClassOf(:G ObjectUnionOf(:B :C))": NOT_ENTAILED,
    "A SubClassOf not F": ENTAILED,
    "A SubClassOf not E": CONTRADICTS,
    "SymmetricObjectProperty(:q)": ENTAILED,
    "<http://example.org/unknown> SubClassOf owl:Thing": ENTAILED,
    "<http://example.org/unknown> SubClassOf A": NOT_ENTAILED,
    "<http://example.org/unknown> and B SubClassOf <http://example.org/unknown> and C": ENTAILED,
    "<http://example.org/unknown> and B SubClassOf <http://example.org/other>": NOT_ENTAILED,
    "<http://example.org/q2> some A SubClassOf owl:Thing": ENTAILED,
    "A SubClassOf <http://example.org/q2> some A": NOT_ENTAILED,
    "owl:Nothing SubClassOf <http://example.org/unknown>": ENTAILED,
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any) -> Path:
    path: Path = tmp_path_factory.mktemp("answers") / "o.ofn"
    path.write_text(TEXT)
    return path


@pytest.mark.slow
def test_command_line_answers(file: Path, capsys: Any, tmp_path: Path) -> None:
    asked = tmp_path / "axioms.txt"
    asked.write_text("# a comment\n\n" + "\n".join(EXPECTED) + "\n")
    assert main(["entails", str(file), "--axioms", str(asked), "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert answers["consistent"]
    assert {each["axiom"]: each["answer"] for each in answers["answers"]} == EXPECTED
    assert main(["entails", str(file), "A SubClassOf B", "A SubClassOf D", "A SubClassOf F", "--explain"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("not entailed\tA SubClassOf B\nentailed\tA SubClassOf D\n    'a thing' ⊑ D  [conjunction]\n")
    assert "'a thing' ⊑ F  [asked for]" in told


def test_every_axiom_of_a_file_follows_from_it(file: Path, capsys: Any) -> None:
    assert main(["entails", str(file), "--axioms", str(file), "--json", "--all-justifications"]) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert len(answers) == 12
    assert all(each["answer"] == ENTAILED for each in answers)
    assert all([each["axiom"]] in each["justifications"] for each in answers)


def test_bad_questions(file: Path, capsys: Any, tmp_path: Path) -> None:
    asked = tmp_path / "axioms.txt"
    asked.write_text("A SubClassOf B\nA SubClassOf Nobody\n")
    assert main(["entails", str(file), "--axioms", str(asked)]) == 2
    assert f"{asked}:2: " in capsys.readouterr().err
    assert main(["entails", str(file)]) == 2
    assert main(["entails", str(file), "--axioms", str(tmp_path / "none")]) == 2
    assert main(["entails", str(file), "A SubClassOf B", "--all-justifications", "--limit", "0"]) == 2
    assert capsys.readouterr().err.count("elgeo: ") == 3


def test_what_cannot_be_decided_does_not_stop_the_rest(file: Path, capsys: Any) -> None:
    asked = [
        "HasKey(ObjectUnionOf(A B) (r) ())",
        "A SubClassOf D",
        "HasKey(ObjectUnionOf(A D) () (p))",
        "HasKey(A (r) ())",
    ]
    assert main(["entails", str(file), *asked, "--explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "undecided\tHasKey(ObjectUnionOf(A B) (r) ())"
    assert lines[1].startswith("    EL++ has no words for a part of HasKey")
    assert lines[2] == "entailed\tA SubClassOf D"
    assert main(["entails", str(file), *asked, "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert [each["answer"] for each in answers] == [UNDECIDED, ENTAILED, UNDECIDED, NOT_ENTAILED]
    assert "EL++ has no words" in answers[2]["reason"]
    assert "reason" not in answers[1]
    reasoner = Reasoner(read(str(file)))
    assert reasoner.verdict(asked[0]) == UNDECIDED
    assert reasoner.answers.why_undecided(reasoner.answers.question(asked[1])) == ""


def test_another_element_of_the_left_side_may_break(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(
        """Prefix(:=<http://example.org/>) Ontology(SubClassOf(:A ObjectSomeValuesFrom(:r :A)) SubClassOf(:A :F)
        SubClassOf(ObjectSomeValuesFrom(:r :D) :E) DisjointClasses(:E :F) SubClassOf(:G :D)
        SubClassOf(:M ObjectOneOf(:a :b)) ObjectPropertyAssertion(:q :a :a) SubClassOf(:N ObjectHasValue(:q :a))
        SubClassOf(:N ObjectOneOf(:a)))"""
    )
    reasoner = Reasoner(read(path))
    assert reasoner.verdict("A SubClassOf D") == CONTRADICTS
    assert reasoner.verdict("A SubClassOf G") == CONTRADICTS
    assert reasoner.verdict("G SubClassOf A") == NOT_ENTAILED
    assert reasoner.verdict("A SubClassOf N") == NOT_ENTAILED
    # sets of several individuals are known by name only
    assert reasoner.verdict("SubClassOf(:M ObjectOneOf(:a :b))") == ENTAILED
    assert reasoner.verdict("SubClassOf(:M ObjectOneOf(:b))") == NOT_ENTAILED
    # an individual that is related to itself
    assert reasoner.verdict("a Type q Self") == ENTAILED
    assert reasoner.verdict("N SubClassOf q Self") == ENTAILED
    assert reasoner.verdict("b Type q Self") == NOT_ENTAILED
    assert reasoner.verdict("a Type r Self") == NOT_ENTAILED
    assert reasoner.query("q Self", "instances") == ["http://example.org/a"]
    assert reasoner.query("q Self") == ["http://example.org/N"]
    assert reasoner.query("r Self", "instances") == []
    assert "loop of one element" in str(reasoner.explain("N SubClassOf q Self"))


def test_limits_that_el_cannot_say_have_no_proof(tmp_path: Path) -> None:
    """At most one topping: another that is disjoint contradicts it, unless there can be no such pizza anyway."""
    path = tmp_path / "o.ofn"
    path.write_text(
        """Prefix(:=<http://example.org/>) Ontology(DisjointClasses(:Tomato :Olive) DisjointClasses(:Plain :Rich)
        SubClassOf(:Plain ObjectMaxCardinality(1 :topping)) SubClassOf(:Plain ObjectSomeValuesFrom(:topping :Tomato))
        SubClassOf(:Both :Plain) SubClassOf(:Both ObjectSomeValuesFrom(:topping :Olive))
        SubClassOf(:RichOlive :Rich) SubClassOf(:RichOlive ObjectSomeValuesFrom(:topping :Olive))
        SubClassOf(:Never :Plain) SubClassOf(:Never :Rich))"""
    )
    answers = Reasoner(read(path)).answers
    olive, rich, other = (
        answers.question(text)
        for text in ("Plain SubClassOf topping some Olive", "Plain SubClassOf RichOlive", "Plain SubClassOf Tomato")
    )
    assert answers.limit_broken(olive) == "Plain ⊑ ≤1 topping"
    assert answers.only_limit_broken(olive) == answers.limit_broken(olive)
    with pytest.raises(ElgeoError, match="which EL\\+\\+ cannot say: there is no proof to show"):
        answers.explain(olive)
    assert answers.only_limit_broken(rich) == "", "EL++ sees a contradiction itself"
    assert "Rich" in str(answers.explain(rich))
    with pytest.raises(ElgeoError, match="neither follows nor contradicts"):
        answers.explain(other)
    for left in ("Both", "Never"):  # broken already, or empty: nothing more is
        assert answers.limit_broken(answers.question(f"{left} SubClassOf topping some Olive")) == ""


def test_everything_follows_from_an_inconsistent_ontology(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(TEXT.replace("ClassAssertion(:A :a)", "ClassAssertion(:A :a) ClassAssertion(:F :a)"))
    assert main(["entails", str(path), "B SubClassOf F", "s SubPropertyOf r", "--explain"]) == 0
    output = capsys.readouterr()
    assert "inconsistent" in output.err
    assert output.out.count("entailed\t") == 2
    assert "⊤ ⊑ ⊥  [existence]" in output.out
    assert "not entailed" not in output.out


def test_axioms_about_roles_that_nothing_can_fulfil_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "roles.ofn"
    path.write_text(
        """Prefix(:=<http://example.org/>) Ontology(ObjectPropertyAssertion(:r :a :b) ClassAssertion(:D :b)
        DisjointClasses(:C :D) ObjectPropertyDomain(:s :C) ObjectPropertyDomain(:s :D))"""
    )
    reasoner = Reasoner(read(path))
    for text in ("ReflexiveObjectProperty(:s)", "r Range C"):
        assert reasoner.verdict(text) == CONTRADICTS
        assert "[asked for]" in str(reasoner.explain(text))
    assert reasoner.verdict("ReflexiveObjectProperty(:r)") == NOT_ENTAILED
    assert reasoner.verdict("r Range D") == NOT_ENTAILED


def test_the_reasoner_takes_text_and_rows(file: Path) -> None:
    reasoner = Reasoner(read(str(file)))
    words = reasoner.forms.vocabulary
    a, d, r, b = words.class_id("A"), words.class_id("D"), words.role_id("r"), words.class_id("B")
    assert reasoner.entails("A SubClassOf D")
    assert reasoner.entails(("subclass", [a, d]))
    assert reasoner.entails(("existential", [a, r, b]))
    assert not reasoner.entails(("subclass", [d, a]))
    assert reasoner.verdict("A SubClassOf F") == CONTRADICTS
    assert len(reasoner.justifications("A SubClassOf D")) == 1
    assert len(reasoner.justifications("A SubClassOf F")[0]) == 6
    assert reasoner.justifications("B SubClassOf F") == []
    assert reasoner.closure().contains("subclass", [[a, d], [d, a]]).tolist() == [True, False]
    assert reasoner.closure("paper") is reasoner.closure("paper")
    every = [
        (form, row)
        for form in ("subclass", "conjunction", "existential", "left_existential", "disjoint")
        for row in reasoner.forms[form].tolist()
    ]
    assert all(reasoner.entails(each) for each in every)


@pytest.mark.slow
def test_the_suite_of_the_peer(data: Path) -> None:
    """Every axiom of the ontologies and of the expected taxonomies follows, with a proof that can be replayed."""
    files = sorted((data / "elk-suite" / "classification").glob("*.owl"))
    assert files
    for path in files:
        source = read(path)
        answers = Answers(saturate(normalise(source)))
        for asked in (source, read(path.with_suffix(".taxonomy"))):
            for axiom in asked.axioms:
                each = Question(asked, axiom.node)
                assert answers.verdict(each) == ENTAILED, (path.name, str(axiom))
                proof = answers.explain(each)
                if proof.source is source and proof.question is each and proof.root.rule != "asserted":
                    check(proof)


@pytest.mark.slow
@given(st.lists(axioms(nominals=False), max_size=6), expressions(False), expressions(False))
@settings(max_examples=40)
def test_contradictions_are_what_addition_shows(told: list[Any], left: Any, right: Any) -> None:
    asked = question((Op.SubClassOf, left, right))
    answers = Answers(saturate(normalise(written(told))))
    assume(answers.saturation.consistent)
    before = slow_inclusion(told, left, "⊥")
    after = slow_inclusion([*told, (Op.SubClassOf, left, right)], left, "⊥")
    assert answers.contradicts(asked) == (after and not before)
    if answers.verdict(asked) == CONTRADICTS:
        proof = answers.explain(asked)
        assert proof.justification
        assert len(told) in proof.justification


def test_closure_command(file: Path, capsys: Any, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    for mode in ("complete", "paper"):
        for format in ("tsv", "parquet"):
            folder = tmp_path / mode / format
            assert main(["closure", str(file), "-o", str(folder), "--mode", mode, "--format", format, "--json"]) == 0
            record = json.loads(capsys.readouterr().out)
            assert main(["closure", str(file), "--count", "--mode", mode, "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["axioms"] == record["axioms"]
            if format == "tsv":
                lines = (folder / "existential.tsv").read_text().splitlines()
                rows = [tuple(line.split("\t")) for line in lines[1:]]
            else:
                rows = [tuple(row.values()) for row in pq.read_table(folder / "existential.parquet").to_pylist()]
            assert len(rows) == record["axioms"]["GCI2"]
            named = (f"<{BASE}A>", f"<{BASE}s>", f"<{BASE}C>")
            assert named in rows
            assert ((f"<{BASE}A>", f"<{BASE}s>", f"<{BASE}B>") in rows) == (mode == "complete")
    assert main(["closure", str(file), "-o", str(folder), "--limit", "2", "--json"]) == 0
    assert {"GCI0", "GCI2"} <= set(json.loads(capsys.readouterr().out)["cut_off"])
    assert main(["closure", str(file), "-o", str(tmp_path)]) == 2
    assert main(["closure", str(file)]) == 2
