"""Samples stand for all candidates, and the search finds what helps and nothing else."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.models.atlas.build import build
from elgeo.models.atlas.evidence import ENTAILED, Evidence
from elgeo.models.atlas.operators.target import Target
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.weighing import heldout, sample, search
from elgeo.models.atlas.weighing.sample import Sample
from elgeo.models.atlas.weighing.weights import Weighing, bent
from tests.models.atlas.plain_atlas import small_dataset


def quiet(message: str) -> None:
    """No progress."""


def evidence_of(shape: str, seed: int = 0) -> tuple[Evidence, np.ndarray]:
    dataset = small_dataset(np.random.default_rng(seed), shape)
    return build(dataset, AtlasSettings(), quiet).evidence, dataset.valid


def plain_ranks(
    evidence: Evidence, axioms: np.ndarray, scores: dict[int, np.ndarray], without_head: bool
) -> list[float]:
    target, ranks = evidence.target, []
    for axiom in axioms.tolist():
        head, tail = axiom[0], axiom[-1]
        known = set(target.tails[target.known[[target.head_place[head]]].indices].tolist())
        level = scores[head][target.tail_place[tail]]
        others = [
            scores[head][target.tail_place[t]]
            for t in target.tails.tolist()
            if t != tail and t not in known and not (without_head and t == head)
        ]
        ranks.append(1 + sum(x > level for x in others) + sum(x == level for x in others) / 2)
    return ranks


@pytest.mark.slow
@pytest.mark.parametrize("without_head", [False, True])
@pytest.mark.parametrize(("shape", "at_once"), [("roles", 1000), ("same", 1000), ("same", 4), ("subclass", 1)])
def test_ranks_of_a_whole_sample_are_ranks(
    shape: str, at_once: int, without_head: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence, axioms = evidence_of(shape)
    monkeypatch.setattr(sample, "CELLS", at_once * len(evidence.names) * len(evidence.target.tails))
    drawn = Sample.draw(evidence, axioms, np.random.default_rng(0), without_head)
    assert len(drawn) == len(axioms) > 2
    heads = np.unique(axioms[:, 0])
    for k, rows in enumerate(evidence.rows(heads)):
        expected = plain_ranks(evidence, axioms, dict(zip(heads.tolist(), rows, strict=True)), without_head)
        found = drawn.ranks(drawn.values[k], np.zeros_like(drawn.weight), 0.0)
        np.testing.assert_array_equal(found, expected, err_msg=evidence.names[k])


def test_candidates_drawn_by_chance_stand_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence, axioms = evidence_of("same", 3)
    monkeypatch.setattr(sample, "BEST", 2)
    monkeypatch.setattr(sample, "OTHERS", 3)
    target = evidence.target
    drawn = Sample.draw(evidence, axioms, np.random.default_rng(0), True)
    heads = np.unique(axioms[:, 0])
    for i, head in enumerate(heads.tolist()):
        known = len(target.known[[target.head_place[head]]].indices)
        assert drawn.weight[i].sum() == pytest.approx(len(target.tails) - known - 1)
    assert drawn.weight.shape[1] < len(target.tails) - 1
    assert (drawn.weight[drawn.row, drawn.column] == 1).all()
    k = evidence.names.index("itself · regressed")
    exact = evidence.rows(heads)[k]
    for (head, *_, tail), r, c in zip(axioms.tolist(), drawn.row, drawn.column, strict=True):
        at = heads.tolist().index(head)
        assert drawn.values[k, r, c] == exact[at, target.tail_place[tail]]
        assert at == r


@pytest.mark.slow
def test_estimated_ranks_are_right_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence, axioms = evidence_of("same", 4)
    whole = Sample.draw(evidence, axioms, np.random.default_rng(0), True)
    monkeypatch.setattr(sample, "BEST", 1)
    monkeypatch.setattr(sample, "OTHERS", 4)
    k = evidence.names.index("count")
    totals = []
    for seed in range(40):
        drawn = Sample.draw(evidence, axioms, np.random.default_rng(seed), True)
        nothing = np.zeros_like(drawn.weight)
        totals.append(drawn.ranks(drawn.values[k], nothing, 0.0).mean())
    exact = whole.ranks(whole.values[k], np.zeros_like(whole.weight), 0.0).mean()
    assert np.mean(totals) == pytest.approx(exact, abs=4 * np.std(totals) / np.sqrt(40))
    assert np.std(totals) > 0


def made_sample(generator: np.random.Generator, good: float, n: int = 400, width: int = 50) -> Sample:
    """Evidence 0 tells the truth with noise, 1 is noise, 2 is noise and 3 tells a little of the truth."""
    column = generator.integers(0, width, n)
    values = generator.normal(size=(4, n, width)).astype(np.float32)
    values[0, np.arange(n), column] += good
    values[3, np.arange(n), column] += good / 2
    values[3] *= 70  # in other units
    return Sample(values, np.ones((n, width), np.float32), np.arange(n), column)


def test_the_search_keeps_what_helps_and_leaves_noise_out() -> None:
    drawn = made_sample(np.random.default_rng(0), 2.0)
    found = search.search(drawn, ["good", "noise", "more noise", "some good"])
    scaled = found.weights * np.array([1, 1, 1, 70])
    assert scaled[3] > 0.1 * scaled[0] > 0
    assert np.abs(scaled[1:3]).max() < 0.2 * scaled[0]
    scores = np.tensordot(found.weights, drawn.values, axes=1).astype(np.float32)
    nothing = np.zeros_like(drawn.weight)
    gained = search.gains(drawn.ranks(scores, nothing, 0.0)).mean()
    assert gained == pytest.approx(found.gain, abs=1e-6)
    alone = search.gains(drawn.ranks(drawn.values[0], nothing, 0.0)).mean()
    assert gained > alone + 0.02


def plain_search(drawn: Sample, names: list[str]) -> tuple[list[float], float, int]:
    """The weights, what is gained, and how often a weight that was there is replaced; scores made anew for each."""
    scales = [math.sqrt(np.average(np.float64(each) ** 2, weights=drawn.weight)) for each in drawn.values]

    def gained(weights: list[float]) -> list[float]:
        found = []
        scores = sum(w / s * each.astype(np.float64) for w, s, each in zip(weights, scales, drawn.values, strict=True))
        for row, column in zip(drawn.row.tolist(), drawn.column.tolist(), strict=True):
            weight, level = drawn.weight[row], scores[row, column]
            equal = weight[scores[row] == level].sum() - weight[column]
            rank = 1 + weight[scores[row] > level].sum() + equal / 2
            found.append(sum(most / (most + rank - 1) for most in (1, 10, 100, 1000, 10000)) / 5)
        return found

    single = [[float(i == k) for i in range(len(names))] for k in range(len(names))]
    weights = max(
        (each for each, name in zip(single, names, strict=True) if name != ENTAILED), key=lambda w: np.mean(gained(w))
    )
    current, replaced = gained(weights), 0
    for _ in range(4):
        before = np.mean(current)
        for k, name in enumerate(names):
            offered = [0, -1000] if name == ENTAILED else [0, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
            tried = [[*weights[:k], each, *weights[k + 1 :]] for each in offered if each != weights[k]]
            best = max(tried, key=lambda each: np.mean(gained(each)))
            more = np.subtract(gained(best), current)
            if more.mean() > max(more.std() / math.sqrt(len(more)), 1e-6):
                replaced += weights[k] != 0
                weights, current = best, gained(best)
        if np.mean(current) - before < 1e-4:
            break
    return [weight / scale for weight, scale in zip(weights, scales, strict=True)], float(np.mean(current)), replaced


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "replacing"), [(0, 0), (5, 1)])
def test_the_search_makes_each_change_that_helps_one_after_another(seed: int, replacing: int) -> None:
    generator = np.random.default_rng(seed)
    n, width, axioms = 90, 11, 170
    row, column = np.sort(generator.integers(0, n, axioms)), generator.integers(0, width, axioms)
    values = generator.normal(size=(5, n, width)).astype(np.float32)
    for k, good in enumerate((1.5, 0, 1.6, 1.5)):
        values[k, row, column] += good
    values[4] = generator.random((n, width)) < 0.3
    values[4, row, column] = 0
    values *= np.array([1, 40, 0.2, 7, 1], np.float32)[:, None, None]
    weight = generator.integers(1, 6, (n, width)).astype(np.float32)
    weight[row, column] = 1
    drawn = Sample(values, weight, row, column)
    names = ["some", "noise", "most", "little", ENTAILED]
    wanted, gain, replaced = plain_search(drawn, names)
    assert replaced == replacing
    found = search.search(drawn, names)
    np.testing.assert_allclose(found.weights, wanted, rtol=1e-5)
    assert found.gain == pytest.approx(gain)


def test_without_a_piece_of_evidence_the_others_weigh_the_same() -> None:
    names = ("some", "other", "third")
    weights = {name: float(k) for k, name in enumerate((*names, *map(bent, names)), 1)}
    bends = {"some": 0.5, "other": 1.5, "third": 2.5}
    found = Weighing(weights, bends).without("other")
    assert found == Weighing(
        {"some": 1.0, "third": 3.0, bent("some"): 4.0, bent("third"): 6.0}, {"some": 0.5, "third": 2.5}
    )
    assert Weighing(weights, bends).without("fourth") == Weighing(weights, bends)


def test_gains_are_soft_hits() -> None:
    ranks = np.array([1.0, 2.0, 11.0, 5001.0])
    expected = [np.mean([level / (level + rank - 1) for level in (1, 10, 100, 1000, 10000)]) for rank in ranks]
    np.testing.assert_allclose(search.gains(ranks), expected)
    assert search.gains(ranks)[0] == 1


def test_a_change_must_help_beyond_chance() -> None:
    old = np.zeros(100)
    assert not search.better(old, old)
    assert search.better(old + 0.01, old)
    assert not search.better(old - 0.01, old)
    mixed = np.where(np.arange(100) < 51, 0.1, -0.1)  # mean .002, standard error .01
    assert not search.better(mixed + 0.007, old)
    assert search.better(mixed + 0.009, old)


def test_what_follows_already_goes_last_only_where_that_helps() -> None:
    drawn = made_sample(np.random.default_rng(2), 2.0)
    follows = np.zeros_like(drawn.values[:1])
    follows[0, :, ::3] = 1
    true = follows[0, drawn.row, drawn.column]
    values = np.concatenate([drawn.values, follows])
    names = ["good", "noise", "more noise", "some good", ENTAILED]
    never = replace(drawn, values=values, row=drawn.row[true == 0], column=drawn.column[true == 0])
    scale = np.sqrt(np.mean(follows**2))
    assert search.search(never, names).weights[4] == pytest.approx(-1000 / scale, rel=1e-5)
    always = replace(drawn, values=values, row=drawn.row[true == 1], column=drawn.column[true == 1])
    assert search.search(always, names).weights[4] == 0


@pytest.mark.parametrize(("shape", "symmetric"), [("roles", False), ("same", True), ("subclass", False)])
@pytest.mark.parametrize("seed", range(3))
def test_parts_of_training_have_as_many_pairs_each(shape: str, symmetric: bool, seed: int) -> None:
    """Of a symmetric role both directions are one pair."""
    dataset = small_dataset(np.random.default_rng(seed), shape, symmetric)

    def pair(row: list[int]) -> tuple[int, ...]:
        return tuple(sorted((row[0], row[-1]))) if symmetric else (row[0], row[-1])

    pairs = sorted({pair(row) for row in dataset.train.tolist()})
    for count in (2, 5, 7):
        some = set(pairs[: len(pairs) // count * count])
        train = np.array([row for row in dataset.train.tolist() if pair(row) in some], np.int32)
        fold = heldout.folds(replace(dataset, train=train), np.random.default_rng(seed), count)
        parts = [{pair(row) for row in train[fold == number].tolist()} for number in range(count)]
        assert [len(part) for part in parts] == [len(some) // count] * count
        assert set().union(*parts) == some


@pytest.mark.parametrize(("axioms", "parts"), [(0, 0), (1, 0), (2, 1), (3, 2), (5, 4), (6, 5), (7, 5), (12, 5)])
def test_of_few_axioms_there_are_as_many_parts_as_leave_one(axioms: int, parts: int) -> None:
    dataset = small_dataset(np.random.default_rng(0), "roles")
    dataset = replace(dataset, train=dataset.train[:axioms])
    found = heldout.training_parts(dataset, Target.of(dataset), 100, np.random.default_rng(1))
    assert len(found) == parts
    assert all(0 < len(part) < axioms for part in found)


def test_training_is_held_out_sooner_where_that_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(2), "subclass")
    parts = build(dataset, AtlasSettings(contexts="none"), quiet)
    cells, there = len(parts.evidence.target.heads) * len(parts.evidence.target.tails), len(dataset.valid)
    wanted: list[int] = []

    def none(dataset: Dataset, target: Target, many: int, generator: np.random.Generator) -> list[Table]:
        wanted.append(many)
        return []

    monkeypatch.setattr(heldout, "training_parts", none)
    monkeypatch.setattr(heldout, "ENOUGH", there)
    monkeypatch.setattr(heldout, "MANY", there + 1)
    for small, expected in ((cells, []), (cells + 1, [there + 1])):
        monkeypatch.setattr(heldout, "SMALL", small)
        wanted.clear()
        found = heldout.held_out_sample(dataset, parts, AtlasSettings(sample=there), np.random.default_rng(0), quiet)
        assert len(found) == there
        assert wanted == expected


@pytest.mark.parametrize("shape", ["roles", "same", "subclass"])
def test_a_head_is_left_out_where_no_axiom_joins_a_class_with_itself(shape: str) -> None:
    dataset = small_dataset(np.random.default_rng(0), shape)
    assert heldout.leaves_heads_out(dataset)
    loop = dataset.train[-1:].copy()
    loop[:, -1] = loop[:, 0]
    assert not heldout.leaves_heads_out(replace(dataset, train=np.concatenate([dataset.train, loop])))
    assert heldout.leaves_heads_out(replace(dataset, train=dataset.train[:0]))


def test_parts_of_training_leave_nothing_behind() -> None:
    dataset = small_dataset(np.random.default_rng(0), "same", True)
    fold = heldout.folds(dataset, np.random.default_rng(1))
    pairs: dict[Any, Any] = {}
    for (c, _, d), number in zip(dataset.train.tolist(), fold.tolist(), strict=True):
        assert pairs.setdefault(frozenset((c, d)), number) == number
    assert set(fold.tolist()) <= set(range(heldout.FOLDS))
    assert len(set(fold.tolist())) == heldout.FOLDS
    less = heldout.without(dataset, dataset.train[fold == 2])
    gone = {tuple(row) for row in dataset.train[fold == 2].tolist()}
    assert gone
    assert not gone & {tuple(row) for row in less.forms.existential.tolist()}
    assert len(less.forms.existential) == len(dataset.forms.existential) - len(gone)
    assert len(less.train) == len(dataset.train) - len(gone)
    np.testing.assert_array_equal(less.forms.subclass, dataset.forms.subclass)


@pytest.mark.slow
def test_no_more_of_training_is_held_out_than_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(2), "subclass")
    dataset = replace(dataset, valid=dataset.valid[:0])
    parts = build(dataset, AtlasSettings(), quiet)
    said: list[str] = []

    def drawn(wanted: int) -> tuple[int, int]:
        said.clear()
        monkeypatch.setattr(heldout, "SMALL", 0)  # as if it were large: the setting decides
        monkeypatch.setattr(heldout, "ENOUGH", 1)
        found = heldout.held_out_sample(
            dataset, parts, AtlasSettings(sample=wanted), np.random.default_rng(0), said.append
        )
        return len(found), len(said)

    held = len(dataset.train) // heldout.FOLDS
    assert held > 2
    assert drawn(held - 1) == (held - 1, 1)
    assert drawn(2 * held) == (2 * held, 2)
    assert drawn(10 * len(dataset.train)) == (len(dataset.train), heldout.FOLDS)


def test_evidence_is_put_in_order() -> None:
    drawn = made_sample(np.random.default_rng(0), 1.0, n=3, width=5)
    turned = heldout.aligned(drawn, ["a", "b", "c", "d"], ["d", "x", "a"])
    np.testing.assert_array_equal(turned.values[0], drawn.values[3])
    np.testing.assert_array_equal(turned.values[1], 0)
    np.testing.assert_array_equal(turned.values[2], drawn.values[0])


def test_what_heads_have_in_common_is_left_to_chance_but_one_head_has_nothing_in_common(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sample, "BEST", 3)
    monkeypatch.setattr(sample, "OTHERS", 1)
    scores = np.random.default_rng(8).permutation(11).astype(np.float32)
    for heads, best in ((1, 3), (2, 0)):
        allowed, true = np.ones((heads, 11), np.bool_), np.zeros((heads, 11), np.bool_)
        values = np.broadcast_to(scores, (1, heads, 11)).copy()
        _, weight, tails = sample._candidates(values, allowed, true, np.random.default_rng(0))
        for row in range(heads):
            assert set(tails[row][weight[row] == 1].tolist()) == set(np.argsort(-scores)[:best].tolist())
            assert weight[row].sum() == 11, "the one by chance stands for all others"


@pytest.mark.parametrize("other", [0, 3])
def test_the_best_are_candidates_where_only_some_heads_have_the_same_evidence(
    other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "BEST", 2)
    monkeypatch.setattr(sample, "OTHERS", 1)
    values = np.zeros((1, 4, 9), np.float32)
    values[0, other] = np.random.default_rng(5).permutation(9)
    allowed, true = np.ones((4, 9), np.bool_), np.zeros((4, 9), np.bool_)
    _, weight, tails = sample._candidates(values, allowed, true, np.random.default_rng(0))
    assert set(tails[other][weight[other] == 1].tolist()) == set(np.argsort(-values[0, other])[:2].tolist())


def test_samples_are_joined_row_by_row() -> None:
    generator = np.random.default_rng(0)
    parts = [made_sample(generator, 1.0, n=4, width=6), made_sample(generator, 1.0, n=3, width=9)]
    whole = Sample.together(parts)
    nothing = [np.zeros_like(each.weight) for each in (*parts, whole)]
    expected = np.concatenate([p.ranks(p.values[1], z, 0.0) for p, z in zip(parts, nothing, strict=False)])
    shift = 100 * (whole.weight > 0).astype(np.float32)  # what pads rows stands for nothing
    np.testing.assert_array_equal(whole.ranks(whole.values[1], -shift, 1.0), expected)


@pytest.mark.slow
def test_bent_evidence_is_offered_beside_the_plain() -> None:
    """Two signals whose logarithms add: bent they rank best, and the weighing says what was found."""
    evidence, _ = evidence_of("roles")
    generator = np.random.default_rng(0)
    n, width, names = 600, 40, evidence.names
    column = generator.integers(0, width, n)
    values = np.zeros((len(names), n, width), np.float32)
    for k in (0, 1):
        values[k] = np.exp(generator.normal(size=(n, width)))
        values[k, np.arange(n), column] *= 5
    drawn = Sample(values, np.ones((n, width), np.float32), np.arange(n), column)
    weighing, gain, worth, _, _ = search.weigh(drawn, evidence)
    assert set(worth) == set(weighing.weights)
    for name, lost in worth.items():
        scores = np.zeros_like(drawn.weight)
        for other, weight in weighing.weights.items():
            value = values[names.index(other.removesuffix(", bent"))]
            factor = weighing.bends.get(other.removesuffix(", bent"), 0)
            value = np.arcsinh(factor * value) if other.endswith("bent") else value
            scores += weight * value * (other != name)
        less = search.gains(drawn.ranks(scores.astype(np.float32), scores.astype(np.float32), 0.0)).mean()
        assert lost == pytest.approx(gain - less, abs=1e-3)
    folded = {name: weight for name, weight in weighing.weights.items() if name.endswith(", bent")}
    assert folded
    assert set(folded) <= {f"{name}, bent" for name in names[:2]}
    assert {f"{name}, bent" for name in weighing.bends} == set(folded)
    for k in [k for k in (0, 1) if names[k] in weighing.bends]:
        size = np.sqrt(np.mean(values[k].astype(np.float64) ** 2))
        assert weighing.bends[names[k]] == pytest.approx(3 / size, rel=1e-5)
    plain = search.search(drawn, names)
    assert gain > plain.gain


def test_what_the_penalty_contributes_is_shown_apart() -> None:
    drawn = made_sample(np.random.default_rng(2), 1.0)
    follows = np.zeros_like(drawn.values[:1])
    follows[0, :, ::2] = 1
    true = follows[0, drawn.row, drawn.column]
    never = replace(
        drawn, values=np.concatenate([drawn.values, follows]), row=drawn.row[true == 0], column=drawn.column[true == 0]
    )
    names = ["good", "noise", "more noise", "some good", ENTAILED]
    weights = np.array([1.0, 0.0, 0.0, 0.0, -1000.0])
    found = search.entailed_last(never.values, search.Found(weights, 0.0), never, names)
    hits = []
    for penalty in (1000, 0):
        ranks = []
        for r, c in zip(never.row, never.column, strict=True):
            scores = never.values[0, r] - penalty * never.values[4, r]
            ranks.append(1 + (scores > scores[c]).sum())
        hits.append(np.mean(np.array(ranks) <= 10))
    assert found == pytest.approx({"hits@10": hits[0], "hits@10 without": hits[1]}, abs=1e-4)
    turned = search.Found(weights[::-1], 0.0), replace(never, values=never.values[::-1]), names[::-1]
    assert search.entailed_last(turned[1].values, *turned) == found
    assert hits[0] > hits[1] + 0.05
    weights[4] = 0
    assert not search.entailed_last(never.values, search.Found(weights, 0.0), never, names)
    assert not search.entailed_last(drawn.values, search.Found(weights[:4], 0.0), drawn, names[:4])


def test_what_follows_already_is_never_the_evidence_to_begin_with() -> None:
    generator = np.random.default_rng(6)
    drawn = made_sample(generator, 2.0)
    entailed = np.zeros_like(drawn.values[:1])
    entailed[0, drawn.row, drawn.column] = 1  # all that is held out follows: alone, nothing is better
    values = np.concatenate([drawn.values, entailed])
    found = search.search(replace(drawn, values=values), ["good", "noise", "more noise", "some good", ENTAILED])
    assert found.weights[-1] == 0
    assert found.weights[0] > 0


def test_what_rounding_leaves_counts_as_it_is() -> None:
    generator = np.random.default_rng(6)
    drawn = made_sample(generator, 2.0)
    noise = np.full_like(drawn.values[:1], 3e-9)
    noise[0, drawn.row, drawn.column] = 7e-9  # by luck it is larger where it should be
    names = ["good", "noise", "more noise", "some good", "rounding"]
    found = search.search(replace(drawn, values=np.concatenate([drawn.values, noise])), names)
    assert found.weights[-1] <= max(search.GRID)
    assert found.weights.max() < 1000
    kept = search.search(replace(drawn, values=np.concatenate([drawn.values, 1e6 * noise])), names)
    assert kept.weights[-1] > 100
