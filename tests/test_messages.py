"""What people are told: near names, counted things, places that are something else, messages that stay short."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.errors import ReadError, clipped
from elgeo.messages import counted, near, use_words
from elgeo.places import Wanted, mistaken


@pytest.mark.parametrize(
    ("given", "known", "said"),
    [
        ("dimensoin", ["dimension", "margin"], "did you mean dimension?"),
        ("rate", ["rate1", "rate2", "rate3"], "did you mean rate1 or rate2?"),
        ("step", ["checkpoint_every_steps", "first_step_of_all", "steps_that_were_taken"], "did you mean {0} or {1}?"),
        ("oin", ["checkpoint_every_steps", "margin"], "did you mean checkpoint_every_steps?"),
        ("oi", ["checkpoint_every_steps", "margin"], ""),
        ("zzz", ["checkpoint_every_steps", "margin"], ""),
        ("anything", [], ""),
    ],
)
def test_names_that_may_have_been_meant(given: str, known: list[str], said: str) -> None:
    found = near(given, known)
    if said.endswith("{1}?"):
        assert found == said.format(*known)
    elif "rate1" in said:
        assert found.count("rate") == 2
        assert found.startswith("did you mean rate")
    else:
        assert found == said


def test_counted_things() -> None:
    assert counted(1, "axiom") == "1 axiom"
    assert counted(0, "axiom") == "0 axioms"
    assert counted(2000, "axiom") == "2,000 axioms"
    assert counted(2, "class", "classes") == "2 classes"
    assert counted(1, "class", "classes") == "1 class"


def test_only_streams_without_unicode_get_words() -> None:
    for encoding, written in (("ascii", b"A SubClassOf B \\u2603"), ("utf-8", "A ⊑ B ☃".encode())):
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding=encoding)
        use_words(stream)
        stream.write("A ⊑ B ☃")
        stream.flush()
        assert raw.getvalue() == written
    use_words(io.StringIO())  # cannot be told to, and need not


def test_columns_are_straight_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "o.ofn").write_text(
        "Ontology(SubClassOf(ObjectIntersectionOf(<a:A> <a:B>) <a:C>) ObjectPropertyRange(<a:r> <a:A>)"
        " SubClassOf(<a:A> ObjectSomeValuesFrom(<a:r> <a:B>)))"
    )
    for encoding in ("ascii", "latin-1", "utf-8"):
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
        assert main(["info", str(tmp_path / "o.ofn")]) == 0
        sys.stdout.flush()
        lines = raw.getvalue().decode(encoding).splitlines()
        forms = lines[lines.index("normal forms") + 1 : lines.index("unsupported: nothing")]
        assert len({len(line) for line in forms}) == 1
        assert any("some R.C SubClassOf D" in line for line in forms) == (encoding != "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("data/dataset.toml", "runs/one/run.toml", "runs/two/run.toml", "empty/x/y", "file.owl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "wanted", "said"),
    [
        ("data", "run", "a dataset, not a run: train on it first (`elgeo train T/data -o RUN`)"),
        ("data", "ontology", "a dataset, not an ontology: `elgeo dataset info T/data` says what is in it"),
        ("runs/one", "dataset", "a run, not a dataset: "),
        ("runs/one", "ontology", "a run, not an ontology: `elgeo evaluate T/runs/one` or"),
        ("runs", "run", "a folder of runs, not one of them: name T/runs/one, for example"),
        ("runs", "dataset", "not a dataset: there is no dataset.toml in this folder"),
        ("empty", "run", "not a run: there is no run.toml in this folder"),
        ("empty", "ontology", "this is a folder: name a file in it"),
        ("file.owl", "run", "a file, not the folder of a run: "),
        ("file.owl", "dataset", "a file, not the folder of a dataset: "),
        ("none", "run", "there is no such folder: a run is made by"),
        ("none", "dataset", "there is no such folder: a dataset is made by"),
        ("none/run.toml", "run", "there is no such folder: a run is made by"),
        ("data/dataset.toml", "dataset", "a file of a folder: name the folder (T/data)"),
        ("runs/two/run.toml", "run", "a file of a folder: name the folder (T/runs/two)"),
    ],
)
def test_what_is_there_instead(folder: Path, path: str, wanted: Wanted, said: str) -> None:
    assert mistaken(folder / path, wanted).replace(str(folder), "T").startswith(said)


def test_errors_name_file_and_line_and_stay_short() -> None:
    assert str(ReadError("bad", "f", 3)) == "f:3: bad"
    assert str(ReadError("bad", "f")) == "f: bad"
    assert str(ReadError("bad", None, 3)) == "bad"
    assert str(ReadError("two\nlines\r\nthree")) == "two lines three"
    assert clipped("x" * 30, 30) == "x" * 30
    assert clipped("a" * 21 + "b" * 10, 30) == "a" * 20 + " … " + "b" * 7
