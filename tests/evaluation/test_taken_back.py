"""Axioms that a newer release took back: their ranks, and those of others, beside plain loops over scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.evaluation.predictions.taken_back import divided
from elgeo.training.run import Run

N = 60


def write(path: Path, said: dict[int, set[int]]) -> None:
    lines = ["ontology: x"]
    for c, above in said.items():
        lines += [f"\n[Term]\nid: X:{c:03}\nname: thing {c}", *(f"is_a: X:{d:03}" for d in sorted(above))]
    path.write_text("\n".join(lines) + "\n")


def plain_ranks(run: Run, pairs: list[tuple[int, int]]) -> list[float]:
    """By class ids: the place of the tail among all classes that are not told of the head."""
    dataset = run.dataset
    told = {tuple(row) for row in dataset.train.tolist()}
    classes = dataset.kinds.members(dataset.tail_kind)
    scorer, found = run.predictor().scorer(), []
    for head, tail in pairs:
        ids = np.array([c for c in classes.tolist() if c == tail or (head, c) not in told], np.int32)
        scores = scorer.tails(np.array([head], np.int32), None, ids)[0]
        mine = scores[ids.tolist().index(tail)]
        found.append(1 + (scores > mine).sum() + ((scores == mine).sum() - 1) / 2)
    return found


def test_ranks_of_what_went_and_what_stayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generator = np.random.default_rng(5)
    old = {c: set(generator.choice(c, min(c, 2), replace=False).tolist()) for c in range(N)}
    new = {c: set(above) for c, above in old.items()}
    gone = set()
    for c in range(20, N, 3):
        end = min(new[c])
        new[c] = {d for d in new[c] if d != end} | {c - 1}
        gone.add((c, end))
    for name, said in (("old", old), ("new", new)):
        write(tmp_path / f"{name}.obo", said)
    data, place = tmp_path / "data", tmp_path / "run"
    files = [str(tmp_path / "old.obo"), str(tmp_path / "new.obo")]
    assert main(["dataset", "releases", *files, "-o", str(data)]) == 0
    assert main(["train", str(data / "subclass"), "--model", "common-neighbours", "-o", str(place)]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(place), "--removed", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert json.loads((place / "removed.json").read_text()) == found
    run = Run.load(place)
    number = {name.rsplit("_", 1)[-1]: i for i, name in enumerate(run.dataset.vocabulary.classes)}
    listed = [line.split("\t") for line in (data / "changes.tsv").read_text().splitlines()]
    went = {(number[head[-3:]], number[tail[-3:]]) for what, head, _, tail in listed if what == "removed"}
    assert went <= {(number[f"{c:03}"], number[f"{d:03}"]) for c, d in gone}
    assert len(went) == found["removed"] > 5
    stayed = sorted({tuple(row) for row in run.dataset.train.tolist()} - went)
    assert len(stayed) == found["stayed"]
    low, high = plain_ranks(run, sorted(went)), plain_ranks(run, stayed)
    for name, ranks in (("removed", low), ("stayed", high)):
        assert found["metrics"][name]["mean_rank"] == pytest.approx(np.mean(ranks))
    pairs = [(a > b) + (a == b) / 2 for a in low for b in high]
    assert found["ranked_lower"] == pytest.approx(np.mean(pairs))
    assert main(["evaluate", str(place), "--removed"]) == 0
    assert "ranks below one that stayed" in capsys.readouterr().out


def test_only_a_back_test_has_what_was_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "family", "--model", "naive", "-o", str(tmp_path / "run")]) == 0
    assert main(["evaluate", str(tmp_path / "run"), "--removed"]) == 2
    assert "on no back-test" in capsys.readouterr().err


def test_names_that_the_dataset_does_not_know_take_nothing_back() -> None:
    dataset = elgeo.datasets.load("family")
    names = dataset.vocabulary.classes
    head, tail = (names[c] for c in dataset.train[0, [0, -1]].tolist())
    removed = [(head, tail), (head, "http://x/unknown"), ("http://x/unknown", tail)]
    went, stayed = divided(dataset, removed)
    both = [{tuple(row) for row in rows[:, [0, -1]].tolist()} for rows in (went, stayed)]
    assert both[0] == {tuple(dataset.train[0, [0, -1]].tolist())}
    assert not both[0] & both[1]
    assert len(went) + len(stayed) == len(dataset.train)
