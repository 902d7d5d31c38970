"""Search spaces: grids are complete, and a wrong file says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from elgeo.errors import ReadError
from elgeo.experiments.others import PUBLISHED
from elgeo.experiments.presets import preset
from elgeo.experiments.space import PAPER_GRID, Choice, Range, read_space


def write(folder: Path, text: str) -> Path:
    path = folder / "space.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_grid_has_every_combination_once(tmp_path: Path) -> None:
    space = read_space(write(tmp_path, '[fixed]\nnegatives = "filtered"\n[space]\na = [1, 2, 5]\nb = [0.5, -0.5]\n'))
    points = [(p["a"], p["b"]) for p in space.grid()]
    assert sorted(points) == sorted((a, b) for a in (1, 2, 5) for b in (0.5, -0.5))
    assert space.size == len(points) == 6
    assert space.fixed == {"negatives": "filtered"}


def test_the_papers_grid_has_120_points() -> None:
    assert PAPER_GRID.size == 5 * 4 * 2 * 3
    assert read_space("paper") is PAPER_GRID


def test_intervals_know_whether_they_are_whole(tmp_path: Path) -> None:
    space = read_space(
        write(
            tmp_path,
            '[search]\nmethod = "tpe"\ntrials = 7\n[space]\na = { low = 1, high = 9 }\n'
            "b = { low = 1e-4, high = 1e-2, log = true }\nc = [true, false]\n",
        )
    )
    for ends in ("low = 1, high = 2.5", "low = 0.5, high = 2"):
        mixed = write(tmp_path, f'[search]\nmethod = "random"\ntrials = 2\n[space]\na = {{ {ends} }}')
        assert not read_space(mixed).vary["a"].whole  # type: ignore[union-attr]
    assert space.vary == {"a": Range(1, 9, False, True), "b": Range(1e-4, 1e-2, True), "c": Choice((True, False))}
    assert space.size == 7


def test_one_trial_is_enough(tmp_path: Path) -> None:
    assert read_space(write(tmp_path, "[search]\nmethod = 'random'\ntrials = 1\n[space]\na = [1, 2]")).size == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[space]\na = [1", "not TOML"),
        ("[spaces]\na = [1]", "unknown table [spaces]"),
        ("[search]\nmetod = 'grid'\n[space]\na = [1]", "unknown key 'metod'"),
        ("[search]\nmethod = 'annealing'\n[space]\na = [1]", "choose one of grid, tpe, random"),
        ("[space]\n", "varies nothing"),
        ("[space]\na = []", "a must be a list of values"),
        ("[space]\na = 3", "a must be a list of values"),
        ("[space]\na = 'low high'", "a must be a list of values"),
        ("[space]\na = { low = 1 }", "a must be a list of values"),
        ("[space]\na = { low = 1, high = 2, step = 1 }", "a must be a list of values"),
        ("[space]\na = [1, [2]]", "a must be a list of values"),
        ("[space]\na = [1, 1]", "twice"),
        ("[space]\na = { low = 2, high = 1 }", "low < high"),
        ("[space]\na = { low = 1, high = 1 }", "low < high"),
        ("[space]\na = { low = 0.0, high = 1.0, log = true }", "low < high"),
        ("[space]\na = { low = 1, high = nan }", "low < high"),
        ("[space]\na = { low = 1, high = inf }", "low < high"),
        ("[space]\na = { low = false, high = true }", "low < high"),
        ("[space]\na = { low = 'a', high = 'b' }", "low < high"),
        ("[space]\na = { low = 1, high = 2 }", "a grid needs a list"),
        ("[search]\nmethod = 'tpe'\n[space]\na = [1]", "needs `trials`"),
        ("[search]\nmethod = 'tpe'\ntrials = 'x'\n[space]\na = [1]", "needs `trials`, a whole number"),
        ("[search]\nmethod = 'tpe'\ntrials = 2.5\n[space]\na = [1]", "needs `trials`, a whole number"),
        ("[search]\nmethod = 'random'\ntrials = 0\n[space]\na = [1]", "needs `trials`, a whole number above 0"),
        ("[search]\nmethod = 'random'\ntrials = true\n[space]\na = [1]", "needs `trials`, a whole number above 0"),
        ("[search]\nprune = 'no'\n[space]\na = [1]", "prune is true or false"),
        ("search = 3\n[space]\na = [1]", "are tables"),
        ("fixed = 3\n[space]\na = [1]", "are tables"),
        ("space = 3", "are tables"),
        ("[search]\nseed = 3\n[space]\na = [1]", "unknown key 'seed'"),
        ("[fixed]\na = 1\n[space]\na = [1]", "both fixed and varied"),
    ],
)
def test_a_wrong_space_is_named_with_its_file(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_space(write(tmp_path, text))
    assert complaint in str(caught.value)
    assert "space.toml" in str(caught.value)


def test_a_missing_space_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="No such file"):
        read_space(tmp_path / "nowhere.toml")


def test_a_file_that_nests_too_deep_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("space = " + "[" * 5_000)
    with pytest.raises(ReadError, match="not TOML"):
        read_space(tmp_path / "deep.toml")
    with pytest.raises(ReadError, match="not TOML"):
        preset(str(tmp_path / "deep.toml"))


@pytest.mark.parametrize(("model", "batch", "count"), [("box2el", 512, 8), ("elbe", 512, 3), ("transbox", 1024, 3)])
def test_box_models_have_the_sizes_that_their_authors_used(model: str, batch: int, count: int) -> None:
    """5,000 steps of so many axioms in 200 dimensions; anatomy's Box²EL takes 7,000."""
    found = {name: settings for name, settings in PUBLISHED.items() if settings["model"] == model}
    assert len(found) == count
    for name, settings in found.items():
        assert (settings["dimension"], settings["batch"]) == (200, batch)
        steps = 7000 if name.startswith("box2el/anatomy") else 5000
        assert settings["steps"] * settings["epochs"] == steps
