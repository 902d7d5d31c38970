"""What the options of `elgeo dataset` mean to the functions behind them, without doing their work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from elgeo.cli import main
from elgeo.datasets.sources import build, fetch, grafting
from elgeo.errors import ElgeoError


class Asked(ElgeoError):
    """Raised in place of the work."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the functions are asked for."""
    found: list[tuple[Any, ...]] = []

    def instead(*given: Any) -> None:
        found.append(given)
        raise Asked("asked")

    monkeypatch.setattr(build, "build", instead)
    monkeypatch.setattr(fetch, "fetch", instead)
    monkeypatch.setattr(grafting, "build_from_pairs", instead)
    return found


def test_where_and_how_much_is_downloaded(asked: list[tuple[Any, ...]], tmp_path: Path) -> None:
    command = ["dataset", "fetch", "yeast-iw", "-o", str(tmp_path / "d")]
    for more in (
        [],
        ["--downloads", str(tmp_path / "x"), "--max-megabytes", "2.5", "--tries", "3", "--timeout", "7", "--seed", "4"],
    ):
        assert main([*command, *more]) == 2
    (_, usual, _, mirror, limits, most, _, seed), (_, given, *_, more_limits, given_most, _, given_seed) = asked
    assert (usual, mirror, most, seed) == (tmp_path / "d-downloads", None, None, 0)
    assert (limits.timeout, limits.tries) == (60, 5)
    assert (given, given_most, given_seed) == (tmp_path / "x", 2_500_000, 4)
    assert (more_limits.timeout, more_limits.tries) == (7, 3)


def test_what_a_dataset_is_built_of(asked: list[tuple[Any, ...]], tmp_path: Path) -> None:
    command = ["dataset", "build", "--ontology", "o.ofn", "-o", str(tmp_path / "called")]
    for more in (
        ["--interactions", "i.tsv"],
        ["--annotations", "a.gaf", "--target", "has_function", "--as-is", "--twins-apart", "--name", "other"],
        ["--train", "1", "--valid", "2", "--test", "3", "--min-score", "0.5", "--seed", "2"],
    ):
        assert main([*command, *more]) == 2
    first, second, third = (recipe for recipe, _ in asked)
    assert (first.target, first.symmetric, first.twins_together) == ("interacts_with", True, True)
    assert (first.interactions, first.annotations, first.name) == ((Path("i.tsv"),), (), "called")
    assert (second.target, second.symmetric, second.twins_together) == ("has_function", False, False)
    assert (second.annotations, second.name, second.evidence) == ((Path("a.gaf"),), "other", None)
    assert third.ready == {"train": Path("1"), "valid": Path("2"), "test": Path("3")}
    assert (third.min_score, third.seed) == (0.5, 2)


def test_kinds_are_given_once_for_all_pairs_or_once_for_each(asked: list[tuple[Any, ...]], tmp_path: Path) -> None:
    command = ["dataset", "build", "--ontology", "o.ofn", "-o", str(tmp_path / "d")]
    for name in ("a", "b", "c"):
        command += ["--pairs", f"{name}.tsv", "--role", name]
    kinds = [["--kinds", f"left{i}=L{i}", f"right{i}=R{i}"] for i in range(3)]
    for given in ([], kinds[:1], kinds):
        assert main([*command, *(word for each in given for word in each)]) == 2
    none, one, each = ([(r.heads.kind, r.tails.kind) for r in recipe.relations] for recipe, _ in asked)
    assert none == [("entity", "class")] * 3
    assert one == [("left0", "right0")] * 3
    assert each == [(f"left{i}", f"right{i}") for i in range(3)]
    assert main([*command, *kinds[0], *kinds[1]]) == 2
    for alone in (["--interactions", "x"], ["--annotations", "x"], ["--train", "x"], ["--valid", "x"], ["--test", "x"]):
        assert main([*command, *alone]) == 2
    assert len(asked) == 3, "the others are refused"


@pytest.mark.parametrize("kind", ["", "=", "name", "name=", "=start"])
def test_a_kind_has_a_name_and_a_beginning(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "o.ofn").write_text("Prefix(:=<http://x/>) Ontology(SubClassOf(:A :B))")
    command = ["dataset", "split", str(tmp_path / "o.ofn"), "--axioms", "subclass", "-o", str(tmp_path / "d")]
    assert main([*command, "--kind", kind]) == 2
    assert f"--kind {kind!r}: give NAME=START" in capsys.readouterr().err
