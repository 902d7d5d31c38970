"""Axioms that a newer release took back: their ranks, and those of others, beside plain loops over scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.datasets.model import Dataset
from elgeo.evaluation.predictions.taken_back import divided, taken_back
from elgeo.models.atlas import Atlas, AtlasSettings
from elgeo.models.atlas.build import build
from elgeo.models.atlas.evidence import ENTAILED
from elgeo.models.atlas.reranking.net import Net
from elgeo.models.atlas.reranking.reranker import Reranker
from elgeo.models.atlas.reranking.table import PairTable
from elgeo.models.atlas.weighing.weights import Weighing
from elgeo.models.contract import Scorer
from elgeo.training.run import Run
from tests.models.atlas.plain_atlas import small_dataset

N, PENALTY = 60, -64.0
Pair = tuple[int, int]


def write(path: Path, said: dict[int, set[int]]) -> None:
    lines = ["ontology: x"]
    for c, above in said.items():
        lines += [f"\n[Term]\nid: X:{c:03}\nname: thing {c}", *(f"is_a: X:{d:03}" for d in sorted(above))]
    path.write_text("\n".join(lines) + "\n")


def plain_ranks(dataset: Dataset, scorer: Scorer, follows: set[Pair], pairs: list[Pair]) -> list[float]:
    """By class ids: the place of the tail among all classes that neither are told of the head nor follow."""
    told = {(row[0], row[-1]) for row in dataset.train.tolist()}
    classes = dataset.kinds.members(dataset.tail_kind)
    found = []
    for head, tail in pairs:
        others = [c for c in classes.tolist() if c == tail or (head, c) not in told | follows]
        ids = np.array(others, np.int32)
        scores = scorer.tails(np.array([head], np.int32), dataset.target_role, ids)[0]
        mine = scores[ids.tolist().index(tail)]
        found.append(1 + (scores > mine).sum() + ((scores == mine).sum() - 1) / 2)
    return found


@pytest.mark.slow
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
    above = {(c, c) for c in range(run.dataset.vocabulary.n_classes)} | {
        tuple(row) for row in run.dataset.train.tolist()
    }
    while more := {(c, e) for c, d in above for f, e in above if d == f} - above:
        above |= more
    scorer = run.predictor().scorer()
    low, high = (plain_ranks(run.dataset, scorer, above, each) for each in (sorted(went), stayed))
    for name, ranks in (("removed", low), ("stayed", high)):
        assert found["metrics"][name]["mean_rank"] == pytest.approx(np.mean(ranks))
    pairs = [(a > b) + (a == b) / 2 for a in low for b in high]
    assert found["ranked_lower"] == pytest.approx(np.mean(pairs))
    assert main(["evaluate", str(place), "--removed"]) == 0
    assert "ranks below one that stayed" in capsys.readouterr().out


@pytest.mark.parametrize("reranked", [False, True])
def test_what_goes_last_because_it_follows_is_ranked_by_its_evidence(reranked: bool) -> None:
    dataset = small_dataset(np.random.default_rng(4), "same", n=34)
    atlas = putting_last(dataset, reranked)
    evidence = atlas.parts.evidence
    assert evidence.entailed is not None
    ids = np.arange(dataset.vocabulary.n_classes, dtype=np.int32)
    follows = {(int(c), int(evidence.target.tails[d])) for c, d in zip(*evidence.entailed.nonzero(), strict=True)}
    told = [(c, d) for c, _, d in dataset.train.tolist()]
    assert set(told) <= follows
    scores = atlas.scorer().tails(ids, dataset.target_role, ids).astype(np.float64)
    for c, d in follows:
        scores[c, d] -= PENALTY
    went = [told[k] for k in np.random.default_rng(7).permutation(len(told))[: len(told) // 3]]
    names = dataset.vocabulary.classes
    found = taken_back(atlas, dataset, [(names[c], names[d]) for c, d in went], np.random.default_rng(0))
    candidates = dataset.candidates.tolist()
    for name, pairs in (("removed", went), ("stayed", sorted(set(told) - set(went)))):
        places = []
        for c, d in pairs:
            others = scores[c, [e for e in candidates if (c, e) not in follows]]
            near = np.abs(others - scores[c, d]) < 1e-5  # what a penalty leaves of a float
            assert not (near & (others != scores[c, d])).any()
            places.append(1 + (others > scores[c, d]).sum())
        assert found.metrics[name]["mean_rank"] == pytest.approx(np.mean(places))
    assert found.metrics["stayed"]["mean_rank"] < len(candidates) / 2


def putting_last(dataset: Dataset, reranked: bool) -> Atlas:
    """A model in which what follows goes last, with its closed form or some net."""
    parts = build(dataset, AtlasSettings(contexts="none"), lambda message: None)
    weighing = Weighing({"itself · regressed": 1.0, "root of count": 0.02, ENTAILED: PENALTY}, {})
    if not reranked:
        return Atlas(dataset, parts, weighing)
    generator, columns = np.random.default_rng(1), len(PairTable(parts, weighing).columns)
    arrays = {name: generator.uniform(0.1, 0.3, shape) for name, shape in Net.shapes(columns).items()}
    net = Net.restore({name: array.astype(np.float32) for name, array in arrays.items()}, columns)
    return Atlas(dataset, parts, weighing, Reranker(parts, weighing, net, None))


def test_only_a_back_test_has_what_was_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "family", "--model", "naive", "-o", str(tmp_path / "run")]) == 0
    assert main(["evaluate", str(tmp_path / "run"), "--removed"]) == 2
    assert "on no back-test" in capsys.readouterr().err


def test_what_is_said_of_classes_that_are_gone_did_not_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = {c: {(c - 1) // 2} if c else set() for c in range(30)}
    write(tmp_path / "old.obo", old)
    new = {c: above for c, above in old.items() if c not in (28, 29)} | {14: {5}}
    for c in range(15, 26):
        new[c] = {*new[c], c + 1}
    write(tmp_path / "new.obo", new)
    files = [str(tmp_path / "old.obo"), str(tmp_path / "new.obo")]
    assert main(["dataset", "releases", *files, "-o", str(tmp_path / "data")]) == 0
    run = ["train", str(tmp_path / "data" / "subclass"), "--model", "naive", "-o", str(tmp_path / "run")]
    assert main(run) == 0
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "run"), "--removed", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["removed"], found["stayed"]) == (1, 29 - 1 - 2)


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
    # of classes that are gone nothing stayed, whether they are heads or tails
    head, tail = dataset.train[1, 0], dataset.train[2, -1]
    gone = [dataset.vocabulary.classes[c] for c in (head, tail)]
    kept = [row for row in stayed.tolist() if row[0] not in (head, tail) and row[-1] not in (head, tail)]
    assert divided(dataset, removed, gone)[1].tolist() == kept
    assert len(kept) < len(stayed)
