"""The commands about one ontology, on one small enough to say by hand what they print."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from elgeo.cli import main
from elgeo.cli.ontologies import options
from elgeo.cli.ontologies.options import form_lines
from elgeo.ontology.normal_forms import FORMS

TEXT = """Prefix(:=<http://x/>)
Ontology(<http://x/>
Declaration(Class(:Alone))
SubClassOf(:A :B)
SubClassOf(:B ObjectSomeValuesFrom(:r :C))
SubClassOf(ObjectSomeValuesFrom(:r :C) :D)
EquivalentClasses(:E :F)
SubClassOf(:N owl:Nothing)
SubClassOf(:A ObjectUnionOf(:C :D))
SubClassOf(:B ObjectUnionOf(:C :E))
SubClassOf(:C ObjectAllValuesFrom(:r :D))
ClassAssertion(:A :i)
{more})
"""
LEFT_OUT = "elgeo: EL++ cannot say all of 3 axioms (ObjectUnionOf 2, ObjectAllValuesFrom 1)"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "small.ofn"
    path.write_text(TEXT.format(more=""))
    return str(path)


@pytest.fixture
def inconsistent(tmp_path: Path) -> str:
    path = tmp_path / "inconsistent.ofn"
    path.write_text(TEXT.format(more="ClassAssertion(:N :j)\n"))
    return str(path)


class Ran:
    """A command that was run."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> None:
        assert main(list(arguments)) == code
        self.out, said = capsys.readouterr()
        # the first use of a kernel says that it is compiled
        self.err = "".join(line for line in said.splitlines(keepends=True) if not line.startswith("elgeo: compiling "))

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return [" ".join(line.split()) for line in self.out.splitlines()]


def test_info(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "info", file)
    for line in ("classes 8", "roles 1", "individuals 1", "axioms 9", "GCI2 C ⊑ ∃R.D 1", "GCI3 ∃R.C ⊑ D 1"):
        assert line in ran.lines
    first = ran.lines.index("normal forms") + 1
    at = ran.lines.index("unsupported")
    shown = {line.split()[0]: int(line.split()[-1]) for line in ran.lines[first:at]}
    document = Ran(capsys, "info", file, "--json").document
    # forms of the paper are always told, the others where there are some
    assert {code: count for code, count in shown.items() if code in document["normal_forms"]} == document[
        "normal_forms"
    ]
    others = [count for code, count in shown.items() if code not in document["normal_forms"]]
    assert 0 in document["normal_forms"].values()
    assert 0 not in others
    assert ran.lines[at + 1 : at + 4] == ["ObjectUnionOf 2", "ObjectAllValuesFrom 1", "ignored"]
    assert ran.lines[-2:] == ["unsatisfiable", "N"]
    listed = Ran(capsys, "info", file, "--list-unsupported")
    assert listed.out.startswith(ran.out)
    axioms = listed.out[len(ran.out) :].splitlines()
    assert [line.split("\t")[0] for line in axioms] == ["ObjectUnionOf", "ObjectUnionOf", "ObjectAllValuesFrom"]
    assert axioms[1].split("\t")[1] == "SubClassOf(<http://x/B> ObjectUnionOf(<http://x/C> <http://x/E>))"


def test_info_as_a_document(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Ran(capsys, "info", file, "--json").document
    assert found["unsupported"] == {"ObjectUnionOf": 2, "ObjectAllValuesFrom": 1}
    assert (found["classes"], found["roles"], found["individuals"], found["axioms"]) == (8, 1, 1, 9)
    assert found["fresh_classes"] == 0
    assert found["normal_forms"]["GCI0-BOT"] == 1
    assert "unsupported_axioms" not in found
    assert (found["consistent"], found["unsatisfiable"]) == (True, ["http://x/N"])
    listed = Ran(capsys, "info", file, "--json", "--list-unsupported").document
    assert [each["kind"] for each in listed.pop("unsupported_axioms")] == ["ObjectUnionOf"] * 2 + [
        "ObjectAllValuesFrom"
    ]
    assert listed == found


def test_info_counts_each_kind_of_name_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Four roles, three classes, two individuals; one class is made for what is inside of an expression."""
    (tmp_path / "o.ofn").write_text(
        "Prefix(:=<http://x/>) Ontology(SubObjectPropertyOf(:r :s) SubObjectPropertyOf(:t :u) ClassAssertion(:A :i)"
        " ClassAssertion(:A :j) SubClassOf(:A ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:s :B))) SubClassOf(:B :C))"
    )
    found = Ran(capsys, "info", str(tmp_path / "o.ofn"), "--json").document
    assert (found["roles"], found["classes"], found["individuals"], found["fresh_classes"]) == (4, 3, 2, 1)


def test_classify(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "classify", file, "--json")
    assert ran.err.startswith(f"{LEFT_OUT}; what it can is used, 3 also rule suggestions out, `elgeo info")
    assert ran.err.count("\n") == 1
    found = ran.document
    assert found["consistent"]
    assert found["classes"] == 8
    assert found["unsatisfiable"] == ["http://x/N"]
    assert found["equivalent"] == [["http://x/E", "http://x/F"]]
    pairs = {tuple(name.removeprefix("http://x/") for name in pair) for pair in found["subsumptions"]}
    assert {("A", "B"), ("A", "D"), ("B", "D"), ("E", "F"), ("F", "E")} <= pairs
    assert not {("A", "C"), ("D", "A"), ("A", "A")} & pairs
    direct = Ran(capsys, "classify", file, "--json", "--direct").document["subsumptions"]
    assert ["http://x/A", "http://x/B"] in direct
    assert ["http://x/A", "http://x/D"] not in direct
    out = tmp_path / "out.tsv"
    written = Ran(capsys, "classify", file, "--json", "-o", str(out)).document
    assert written["output"] == str(out)
    assert "subsumptions" not in written
    assert [line.split("\t") for line in out.read_text().splitlines()] == found["subsumptions"]


def test_classify_as_an_ontology_or_only_what_is_new(
    file: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["classify", file, "--format", "ofn"]) == 0
    assert b"SubClassOf(<http://x/A> <http://x/B>)" in capsysbinary.readouterr().out
    assert main(["classify", file, "--new"]) == 0
    new = capsysbinary.readouterr()
    assert b"http://x/A\thttp://x/D\n" in new.out
    assert b"http://x/A\thttp://x/B\n" not in new.out
    assert b"elgeo: unsatisfiable: http://x/N\n" in new.err
    for refused in (["--json", "--format", "ofn"], ["--new", "--format", "ofn"]):
        assert main(["classify", file, *refused]) == 2
        assert b"ofn" in capsysbinary.readouterr().err
    both = ["--json", "--format", "ofn", "-o", str(tmp_path / "out.ofn")]
    assert main(["classify", file, *both]) == 0


def test_an_inconsistent_ontology_is_said_to_be_so(inconsistent: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "classify", inconsistent, "--json")
    assert "elgeo: the ontology is inconsistent: every class is unsatisfiable\n" in ran.err
    assert not ran.document["consistent"]
    ran = Ran(capsys, "closure", inconsistent, "--count")
    assert ran.err == "elgeo: the ontology is inconsistent: it entails every axiom\n"
    ran = Ran(capsys, "entails", inconsistent, "<http://x/D> SubClassOf <http://x/A>", "--json")
    assert ran.err == "elgeo: the ontology is inconsistent: it entails every axiom\n"
    assert ran.document["consistent"] is False
    assert ran.document["answers"][0]["answer"] == "entailed"


def test_what_the_answers_leave_out_is_said_in_short_and_where_it_matters(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    yes, no = "<http://x/A> SubClassOf <http://x/D>", "<http://x/D> SubClassOf <http://x/A>"
    short = "elgeo: 3 axioms beyond EL++ used in part (`elgeo info` says which)\n"
    for command, said in (
        (["entails", file, yes, no, no], short),
        (["entails", file, yes], ""),  # that follows from the whole ontology, too
        (["query", file, "<http://x/B>"], short),
        (["explain", file, yes], ""),
        (["explain", file, no], short),
        (["explain", file, "--unsatisfiable"], short),
    ):
        assert Ran(capsys, *command).err == said


def test_info_of_what_contradicts_itself(inconsistent: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert Ran(capsys, "info", inconsistent).lines[-1] == "inconsistent: every class is unsatisfiable"
    found = Ran(capsys, "info", inconsistent, "--json").document
    assert (found["consistent"], found["unsatisfiable"]) == (False, [])


def test_labels_stand_beside_names(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "labelled.ofn"
    text = 'AnnotationAssertion(rdfs:label :A "the\n\tfirst")\nAnnotationAssertion(rdfs:label :B "second")\n'
    path.write_text("Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)\n" + TEXT.format(more=text))
    assert main(["query", str(path), "second", "--labels"]) == 0
    assert capsysbinary.readouterr().out == b"http://x/A\tthe first\nhttp://x/B\tsecond\n"
    assert main(["classify", str(path), "--labels", "--direct"]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert "http://x/A\thttp://x/B\tthe first\tsecond" in lines
    assert "http://x/B\thttp://x/D\tsecond\tD" in lines
    for refused in (["--json"], ["--format", "ofn"]):
        assert main(["classify", str(path), "--labels", *refused]) == 2
        assert b"--labels" in capsysbinary.readouterr().err


def test_closure(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counted = Ran(capsys, "closure", file, "--count", "--json").document
    assert (counted["mode"], counted["fresh"]) == ("complete", False)
    folder = tmp_path / "closure"
    written = Ran(capsys, "closure", file, "-o", str(folder), "--json").document
    assert written["folder"] == str(folder)
    assert written["axioms"] == counted["axioms"]
    assert not written["cut_off"]
    shown = Ran(capsys, "closure", file, "-o", str(folder))
    assert shown.lines[-1] == str(folder)
    assert shown.lines[0] == f"GCI0 C ⊑ D {counted['axioms']['GCI0']}"
    assert len(shown.lines) == 1 + len(counted["axioms"])
    assert len(Ran(capsys, "closure", file, "--count").lines) == len(counted["axioms"])
    cut = Ran(capsys, "closure", file, "-o", str(folder), "--limit", "1", "--json")
    assert "elgeo: GCI0 has more than 1 rows: the others are left out\n" in cut.err
    assert cut.document["axioms"]["GCI0"] == 1
    assert "-o DIR" in Ran(capsys, "closure", file, code=2).err
    for limit in ("0", "-1"):
        assert "at least 1" in Ran(capsys, "closure", file, "--count", "--limit", limit, code=2).err


def test_entails(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    follows, does_not = "<http://x/A> SubClassOf <http://x/D>", "<http://x/D> SubClassOf <http://x/A>"
    ran = Ran(capsys, "entails", file, follows, does_not, "--all-justifications", "--explain")
    assert ran.out.startswith(f"entailed\t{follows}\n    ")
    assert ran.out.endswith(f"\nnot entailed\t{does_not}\n")
    at = ran.lines.index("justification 1")
    assert ran.lines[at + 1] == "SubClassOf(<http://x/A> <http://x/B>)"
    assert len(ran.lines) - at == 5
    found = Ran(capsys, "entails", file, follows, does_not, "--all-justifications", "--explain", "--json").document
    assert found["consistent"]
    assert [set(answer) for answer in found["answers"]] == [
        {"axiom", "answer", "proof", "justifications"},
        {"axiom", "answer"},
    ]
    assert len(found["answers"][0]["justifications"]) == 1
    lines = f"# a comment\n\n  {follows}\n{does_not}\n"
    asked = tmp_path / "asked.txt"
    asked.write_text(lines)
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    for place in (str(asked), "-"):
        ran = Ran(capsys, "entails", file, "--axioms", place)
        assert ran.out == f"entailed\t{follows}\nnot entailed\t{does_not}\n"
    asked.write_text(f"{follows}\nnonsense\n")
    assert f"{asked}:2" in Ran(capsys, "entails", file, "--axioms", str(asked), code=2).err
    ontology = Ran(capsys, "entails", file, "--axioms", file)
    verdicts = [line.split("\t")[0] for line in ontology.out.splitlines() if line.endswith(")")]
    assert verdicts[:4] == ["entailed"] * 4
    assert len(verdicts) == 9


def test_a_limit_that_has_no_proof_is_named_and_what_has_one_is_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At most one topping, which is no olive; and a class that is disjoint with the pizza."""
    file = str(tmp_path / "o.ofn")
    Path(file).write_text(
        """Prefix(:=<http://x/>) Ontology(DisjointClasses(:Tomato :Olive) DisjointClasses(:Pizza :Ice)
        SubClassOf(:Red :R) SubClassOf(:Pizza ObjectMaxCardinality(1 :r))
        SubClassOf(:Pizza ObjectSomeValuesFrom(:r :Tomato)))"""
    )
    asked = ["Pizza SubClassOf r some Olive", "Pizza SubClassOf Ice", "Red SubClassOf R", "Red SubClassOf Pizza"]
    found = Ran(capsys, "entails", file, *asked, "--explain", "--json").document["answers"]
    assert [each["answer"] for each in found] == ["contradicts", "contradicts", "entailed", "not entailed"]
    assert [set(each) - {"axiom", "answer", "text"} for each in found] == [{"reason"}, {"proof"}, {"proof"}, set()]
    assert found[0]["reason"] == "it would break Pizza ⊑ ≤1 r, which EL++ cannot say"
    found = Ran(capsys, "explain", file, *asked, "--json").document["explained"]
    assert [set(each) - {"axiom", "answer", "text"} for each in found] == [
        {"reason"}, *[{"proof", "justifications"}] * 2, set()
    ]  # fmt: skip
    assert found[0]["reason"].endswith("there is no proof to show")


@pytest.mark.parametrize(
    "text",
    [
        "# said first\n\n# and again\nPrefix(:=<http://x/>) Ontology(SubClassOf(:A :D))\n",
        "# said first\nPrefix: : <http://x/>\nOntology:\nClass: :A\n SubClassOf: :D\n",
        "# said first\n@prefix : <http://x/> .\n:A <http://www.w3.org/2000/01/rdf-schema#subClassOf> :D .\n",
        "! said first\nformat-version: 1.2\n\n[Term]\nid: http://x/A\nis_a: http://x/D\n",
        '<!-- said first --><Ontology xmlns="http://www.w3.org/2002/07/owl#"><SubClassOf><Class IRI="http://x/A"/>'
        '<Class IRI="http://x/D"/></SubClassOf></Ontology>',
    ],
    ids=["functional", "manchester", "turtle", "obo", "owlxml"],
)
def test_entails_takes_ontologies_that_begin_with_a_comment(
    text: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = tmp_path / "named by nothing"
    asked.write_text(text)
    out = Ran(capsys, "entails", file, "--axioms", str(asked)).out
    assert "entailed\tSubClassOf(<http://x/A> <http://x/D>)" in out.splitlines()


def test_entails_refuses_what_cannot_be(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no axioms to ask for" in Ran(capsys, "entails", file, code=2).err
    for limit in ("0", "-1"):
        assert "at least 1" in Ran(capsys, "entails", file, "x", "--limit", limit, code=2).err
    missing = str(tmp_path / "missing.txt")
    assert missing in Ran(capsys, "entails", file, "--axioms", missing, code=2).err
    odd = tmp_path / "odd.txt"
    odd.write_bytes(b"\xff\xfe\xfa")
    assert "cannot be read" in Ran(capsys, "entails", file, "--axioms", str(odd), code=2).err


def test_normalise(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "tables")
    ran = Ran(capsys, "normalise", file, "-o", folder)
    assert ran.out == f"{folder}\n"
    assert ran.err.startswith(LEFT_OUT)
    document = Ran(capsys, "normalise", file, "-o", folder, "--format", "parquet", "--json").document
    assert document["folder"] == folder
    assert document["unsupported"] == {"ObjectUnionOf": 2, "ObjectAllValuesFrom": 1}
    assert document["normal_forms"]["GCI2"] == 1
    assert (tmp_path / "tables" / "subclass.parquet").is_file()
    assert "ObjectUnionOf" in Ran(capsys, "normalise", file, "-o", folder, "--strict", code=2).err


def test_warnings_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "imports.ofn"
    path.write_text("Ontology(<http://x/>\nImport(<http://x/elsewhere>)\nSubClassOf(<http://x/A> <http://x/B>)\n)")
    err = Ran(capsys, "info", str(path)).err
    assert err.startswith("elgeo: warning: ")
    assert "http://x/elsewhere" in err


def test_commands_that_are_not_about_warnings_count_them_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "x.obo"
    lines = ["id: T:1", 'def: "no end', "id: T:2", 'synonym: "none either', "is_a: T:1"]
    broken.write_text("ontology: x\n\n[Term]\n" + "\n".join(lines[:2]) + "\n\n[Term]\n" + "\n".join(lines[2:]) + "\n")
    whole = Ran(capsys, "info", str(broken)).err.splitlines()
    said = Ran(capsys, "classify", str(broken), "-o", str(tmp_path / "o")).err
    more = f"{len(whole)} warning{'s' * (len(whole) > 1)}"
    assert said == f"elgeo: warning: x.obo: {more}: `elgeo info` says more\n"
    for imports, words in ((1, "1 import not found"), (2, "2 imports not found")):
        path = tmp_path / "o.ttl"
        names = "".join(f"owl:imports <http://x/no{i}> ; " for i in range(imports))
        path.write_text(f"@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://x/> {names}a owl:Ontology .\n")
        assert Ran(capsys, "classify", str(path)).err == f"elgeo: warning: o.ttl: {words}: `elgeo info` says more\n"
        path.write_text(path.read_text() + "<http://x/a> <http://x/undeclared> <http://x/b> .\n")
        said = Ran(capsys, "classify", str(path)).err
        assert said == f"elgeo: warning: o.ttl: {words}, 1 more warning: `elgeo info` says more\n"
        assert len(Ran(capsys, "info", str(path)).err.splitlines()) == 2


def test_built_in_classes_are_named_beside_the_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "o.ofn"
    owl = "<http://www.w3.org/2002/07/owl#{}>"
    for declared, words in (([], ""), (["Thing"], " and owl:Thing, declared too")):
        classes = [*(owl.format(name) for name in declared), "<http://x/A>"]
        text = (
            "".join(f"Declaration(Class({name}))" for name in classes)
            + f"SubClassOf(<http://x/B> {owl.format('Thing')})"
        )
        path.write_text(f"Ontology({text})")
        ran = Ran(capsys, "info", str(path))
        assert f"\nclasses         2{words}\n" in ran.out
    assert Ran(capsys, "info", str(path), "--json").document["classes"] == 2


def test_what_was_named_in_vain_is_said_by_every_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("o.ofn", "other.ofn"):
        (tmp_path / name).write_text("Ontology(SubClassOf(<http://x/A> <http://x/B>))")
    other = str(tmp_path / "other.ofn")
    said = Ran(capsys, "classify", str(tmp_path / "o.ofn"), "--import", other).err
    assert said == f"elgeo: warning: {other}: named as a place of imports, but nothing is imported from it\n"


def test_only_the_most_frequent_kinds_are_named_with_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "o.ofn"
    unions = "".join(f"SubClassOf(:A{i} ObjectUnionOf(:B :C))" for i in range(3))
    others = "".join(f"SubClassOf(:A{i} ObjectAllValuesFrom(:r :B))" for i in range(2))
    path.write_text(f"Prefix(:=<http://x/>) Ontology({unions}{others}SubClassOf(:A ObjectMaxCardinality(2 :r :B)))")
    said = Ran(capsys, "classify", str(path)).err
    assert said.startswith("elgeo: EL++ cannot say all of 6 axioms (ObjectUnionOf 3, ObjectAllValuesFrom 2, …); ")
    assert "ObjectMaxCardinality" in Ran(capsys, "info", str(path)).out


def test_models(capsys: pytest.CaptureFixture[str]) -> None:
    listed = Ran(capsys, "models", "elem")
    assert listed.out.startswith("elem: ")
    found = Ran(capsys, "models", "elem", "--json").document
    assert list(found) == ["elem"]
    own = found["elem"]["settings"]["elem"]
    for name, setting in own.items():
        assert f"    {name} = " in listed.out
        assert f"        {setting['doc']}\n" in listed.out
    table = Ran(capsys, "models", "elem", "--markdown").out.splitlines()
    assert table.count("| setting | default | meaning | values |") == 2
    assert sum(line.startswith("| `") for line in table) == sum(
        len(group) for group in found["elem"]["settings"].values()
    )
    shown: list[object] = []
    lines = iter(Ran(capsys, "models").out.splitlines())
    for model, one in Ran(capsys, "models", "--json").document.items():
        assert [next(lines), next(lines)] == [f"{model}: {one['paper']}", ""]
        for group, settings in one["settings"].items():
            if settings and (group, list(settings)) not in shown:  # the same settings are told once
                shown.append((group, list(settings)))
                title = "what can be set of its training:" if group == "training" else f"{group}'s own settings:"
                assert next(lines) == f"  {title}"
                for name, setting in settings.items():
                    assert next(lines).startswith(f"    {name} = ")
                    assert next(lines) == f"        {setting['doc']}"
                assert next(lines) == ""
    assert list(lines) == []
    presets = Ran(capsys, "models", "--presets", "--json").document
    written = Ran(capsys, "models", "--presets").out.splitlines()
    assert written[::2] == list(presets)
    for line, settings in zip(written[1::2], presets.values(), strict=True):
        assert [word.split("=")[0] for word in line.split()] == list(settings)
    assert "did you mean elem or elbe?" in Ran(capsys, "models", "elme", code=2).err
    assert "there are atlas, box2el, " in Ran(capsys, "models", "zzz", code=2).err


def test_normal_forms_stand_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [(FORMS["disjoint"], 7), (FORMS["existential"], 1_234_567)]
    short, long = FORMS["disjoint"].meaning, FORMS["existential"].meaning
    assert form_lines(counts[:1]) == ["GCI1-BOT    " + short.ljust(14) + " " * 11 + "7"]
    assert form_lines(counts, 14) == [
        "GCI1-BOT    " + short.ljust(14) + "7".rjust(14),
        "GCI2        " + long.ljust(14) + "1,234,567".rjust(14),
    ]
    # on a terminal without our symbols meanings are longer
    monkeypatch.setattr(options, "as_shown", lambda text: text.replace("⊑", "SubClassOf"))
    assert form_lines(counts) == [
        "GCI1-BOT    C ⊓ D SubClassOf ⊥  " + "7".rjust(12),
        "GCI2        C SubClassOf ∃R.D   " + "1,234,567".rjust(12),
    ]
