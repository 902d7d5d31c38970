"""Axioms of several shapes held out at once: one training for all, beside sets of plain axioms; then every command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets.targets import read_targets

Told = set[tuple[str, str, str]]


def write(path: Path, seed: int, n: int = 90) -> Told:
    """A random ontology with is_a and two relations, one of them rare; what it says."""
    generator = np.random.default_rng(seed)
    said: Told = set()
    for child in range(1, n):
        said |= {("", f"X_{child}", f"X_{parent}") for parent in generator.choice(child, min(child, 2), replace=False)}
        if child % 2:
            said.add(("part_of", f"X_{child}", f"X_{generator.integers(0, child)}"))
    said |= {("rare", "X_5", "X_2"), ("rare", "X_7", "X_3")}
    lines = ["ontology: x"]
    lines += [f"\n[Typedef]\nid: {role}\nname: {role}" for role in ("part_of", "rare")]
    for number in range(n):
        lines.append(f"\n[Term]\nid: X:{number}\nname: thing {number}")
        for role, head, tail in sorted(said):
            if head == f"X_{number}":
                end = tail.replace("_", ":")
                lines.append(f"relationship: {role} {end}" if role else f"is_a: {end}")
    path.write_text("\n".join(lines) + "\n")
    return said


def short(iri: str) -> str:
    return re.split("[/#]", iri)[-1]


def axioms(folder: Path, parts: tuple[str, ...]) -> Told:
    dataset = datasets.load(folder)
    names = dataset.vocabulary
    role = "" if dataset.target_role is None else short(names.roles[dataset.target_role])
    rows = np.concatenate([getattr(dataset, part) for part in parts])
    return {(role, short(names.classes[row[0]]), short(names.classes[row[-1]])) for row in rows.tolist()}


def trained(folder: Path) -> Told:
    """All that the training of a dataset says, of any shape."""
    dataset = datasets.load(folder)
    names, forms = dataset.vocabulary, dataset.forms
    found = {("", head, tail) for head, tail in forms.subclass.tolist()}
    plain = {("", short(names.classes[head]), short(names.classes[tail])) for _, head, tail in found}
    return plain | {
        (short(names.roles[role]), short(names.classes[head]), short(names.classes[tail]))
        for head, role, tail in forms.existential.tolist()
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_one_training_for_all(tmp_path: Path, seed: int) -> None:
    said = write(tmp_path / "x.obo", seed)
    arguments = ["dataset", "split", str(tmp_path / "x.obo"), "--axioms", "all", "--split", "70:10:20"]
    for folder in ("a/data", "b/data"):
        assert main([*arguments, "-o", str(tmp_path / folder)]) == 0
    members = read_targets(tmp_path / "a/data").members
    assert [member.folder for member in members] == ["subclass", "part_of"]  # of the rare one there are too few
    held_out: Told = set()
    for member in members:
        place = tmp_path / "a/data" / member.folder
        mine = axioms(place, ("valid", "test"))
        assert len(mine) >= 10
        assert axioms(place, ("train", "valid", "test")) == {
            axiom for axiom in said if axiom[0] == ("" if member.folder == "subclass" else member.folder)
        }
        held_out |= mine
    for member in members:
        assert said - held_out <= trained(tmp_path / "a/data" / member.folder)
        assert not held_out & trained(tmp_path / "a/data" / member.folder)
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert files
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file


def little_is_told(path: Path) -> None:
    """Forty leaves of which a parent and a whole are told, and nothing else; a chain above them."""
    lines = ["ontology: x", "\n[Typedef]\nid: part_of\nname: part_of"]
    for number in range(60):
        lines.append(f"\n[Term]\nid: X:{number}\nname: thing {number}")
        lines += [f"is_a: X:{number - 1}"] if 0 < number < 20 else []
        lines += [f"is_a: X:{number % 7}", f"relationship: part_of X:{number % 11}"] if number >= 20 else []
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("as_drawn", [False, True])
def test_a_class_of_which_both_shapes_are_drawn_stays_known_unless_as_drawn(tmp_path: Path, as_drawn: bool) -> None:
    """Each shape alone leaves the leaf its other axiom; only both together leave nothing."""
    little_is_told(tmp_path / "x.obo")
    arguments = ["dataset", "split", str(tmp_path / "x.obo"), "--axioms", "all", "--split", "60:20:20"]
    assert main([*arguments, *["--as-drawn"] * as_drawn, "-o", str(tmp_path / "data")]) == 0
    unknown = set()
    for shape in ("subclass", "part_of"):
        known = {name for _, head, tail in trained(tmp_path / "data" / shape) for name in (head, tail)}
        told = axioms(tmp_path / "data" / shape, ("valid", "test"))
        unknown |= {name for _, head, tail in told for name in (head, tail)} - known
    assert bool(unknown) == as_drawn, unknown


@pytest.mark.parametrize(("shares", "enough"), [("50:25:25", True), ("51:25:24", False), ("49:26:25", False)])
def test_all_takes_shapes_with_just_enough_on_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shares: str, enough: bool
) -> None:
    """Of twenty axioms, ten to train on and ten to hold out are enough; fewer on either side are not."""
    names = [f"\n[Term]\nid: X:{i}\nname: thing {i}" + (f"\nis_a: X:{i // 3}" if i else "") for i in range(21)]
    (tmp_path / "x.obo").write_text("\n".join(["ontology: x", *names]) + "\n")
    arguments = ["dataset", "split", str(tmp_path / "x.obo"), "--axioms", "all", "--as-drawn", "--split", shares]
    assert main([*arguments, "-o", str(tmp_path / "data")]) == (0 if enough else 2)
    assert ("has the most (20)" in capsys.readouterr().err) != enough


@pytest.mark.slow
def test_named_shapes_through_every_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "x.obo", 3)
    shapes = ["--axioms", "?C SubClassOf part_of some ?D", "--axioms", "?C SubClassOf ?D"]
    data, runs = str(tmp_path / "data"), str(tmp_path / "runs")
    assert main(["dataset", "split", str(tmp_path / "x.obo"), *shapes, "--split", "70:10:20", "-o", data]) == 0
    assert "part_of: ?C SubClassOf 'part_of' some ?D: " in capsys.readouterr().out
    assert main(["train", data, "--model", "naive", "-o", runs]) == 0
    capsys.readouterr()
    assert main(["evaluate", runs, "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["targets"]) == ["part_of", "subclass"]
    assert main(["evaluate", runs]) == 0
    assert "\nall " in capsys.readouterr().out
    assert main(["predict", runs, "--all", "--top", "3"]) == 0
    assert capsys.readouterr().out.count("== ") == 2
    assert main(["report", runs, "-o", str(tmp_path / "page")]) == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--axioms", "all", "--axioms", "?C SubClassOf ?D"], "give it alone"),
        (["--axioms", "all", "--cold"], "one shape at a time"),
        (["--axioms", "all", "--split", "98:1:1"], "has the most"),
        (["--axioms", "all", "--split", "2:49:49"], "has the most"),
        (["--axioms", "?C SubClassOf ?D", "--axioms", "?C SubClassOf rare some ?D"], "rare"),
    ],
)
def test_what_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str) -> None:
    write(tmp_path / "x.obo", 4)
    place = tmp_path / "data"
    assert main(["dataset", "split", str(tmp_path / "x.obo"), *more, "-o", str(place)]) == 2
    error = capsys.readouterr().err
    assert message in error.splitlines()[-1]
    assert not place.exists()
