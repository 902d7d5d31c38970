"""Nets for parents: they learn what no weighing can say, leave all others behind, and are kept as they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.models.atlas.reranking.examples import Examples
from elgeo.models.atlas.reranking.net import Net
from elgeo.models.placement.reranking import reranker
from elgeo.models.placement.reranking.columns import Closely
from elgeo.models.placement.reranking.reranker import Lesson, ParentNet, learn, learnable

CLASSES, SEEN = 40, 20


def lesson(generator: np.random.Generator, terms: int, plain: bool) -> Lesson:
    """The true parent has both or neither of two things, which no sum of them shows; `plain`: what the score shows."""
    among = np.stack([generator.permutation(CLASSES)[:SEEN] for _ in range(terms)])
    two = generator.integers(0, 2, (2, terms, SEEN)).astype(np.float32)
    true = []
    for i in range(terms):
        two[0, i], two[1, i, :] = two[0, i], 1 - two[0, i]
        chosen = generator.choice(SEEN, 1 + i % 2, replace=False)
        two[1, i, chosen] = two[0, i, chosen]
        true.append(np.sort(among[i, chosen]))
    before = generator.random((terms, CLASSES)).astype(np.float32)
    if plain:
        for i, ends in enumerate(true):
            before[i, ends] += 1
    columns = {"one": two[0], "other": two[1], "score": np.take_along_axis(before, among, 1)}
    return Lesson(Closely(among, columns), true, before)


def fold(seed: int, plain: bool = False) -> Iterator[Lesson]:
    generator = np.random.default_rng(seed)
    return iter([lesson(generator, 32, plain) for _ in range(12)])


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reranker, "MOST", 24)


@pytest.mark.slow
def test_what_no_sum_says() -> None:
    said: list[str] = []
    net = learn(iter([fold(0), fold(1), fold(2)]), np.random.default_rng(0), said.append)
    assert net is not None
    assert "with them" in said[-1]
    asked = lesson(np.random.default_rng(9), 30, False)
    found = net.ranked(asked.closely, asked.before)
    for i, ends in enumerate(asked.true):
        assert set(np.argsort(-found[i])[: len(ends)].tolist()) == set(ends.tolist())
        rest = np.setdiff1d(np.arange(CLASSES), asked.closely.candidates[i])
        assert found[i, rest].max() < found[i, asked.closely.candidates[i]].min()
        np.testing.assert_array_equal(np.argsort(-found[i, rest]), np.argsort(-asked.before[i, rest]))
    again = ParentNet.restore(net.arrays(), net.columns)
    np.testing.assert_array_equal(again.ranked(asked.closely, asked.before), found)
    for array in net.arrays().values():
        assert np.isfinite(array).all()
    with pytest.raises(SettingError, match="kinds of evidence"):
        ParentNet.restore(net.arrays(), [*net.columns, "more"])
    with pytest.raises(SettingError, match="no numbers"):
        ParentNet.restore({name: array * np.nan for name, array in net.arrays().items()}, net.columns)
    other = Closely(asked.closely.candidates, {"one": asked.closely.columns["one"]})
    np.testing.assert_array_equal(net.ranked(other, asked.before), asked.before)


@pytest.mark.slow
def test_no_net_where_it_does_not_help_or_little_is_known() -> None:
    assert learn(iter([fold(0)][:0]), np.random.default_rng(0), lambda _: None) is None
    short = iter([iter([lesson(np.random.default_rng(0), 32, False) for _ in range(4)])])
    assert learn(short, np.random.default_rng(0), lambda _: None) is None
    assert learn(iter([fold(0, plain=True), fold(1, plain=True)]), np.random.default_rng(0), lambda _: None) is None


def test_rivals_are_those_that_are_not_true() -> None:
    asked = lesson(np.random.default_rng(4), 7, False)
    found = learnable(asked)
    assert found.others.shape == (7, 24, 3)
    for i, ends in enumerate(asked.true):
        rival = ~np.isin(asked.closely.candidates[i], ends)
        np.testing.assert_array_equal(found.weights[i, :SEEN], np.where(rival, 0, -np.inf))
        np.testing.assert_array_equal(found.weights[i, SEEN:], -np.inf)
        rows = asked.closely.rows[i, ~rival].astype(np.float32)
        np.testing.assert_array_equal(found.true[found.head == i], rows)


def test_as_many_true_parents_as_a_net_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twelve lessons the first and the seventh judge; those of an earlier fold teach after all."""

    class Taught(Exception):
        pass

    def taught(examples: Examples, generator: np.random.Generator, say: object) -> Net:
        assert len(examples.true) == needed
        raise Taught

    lessons = [list(fold(seed)) for seed in (0, 1)]
    teaching = lessons[0] + [each for i, each in enumerate(lessons[1]) if i not in (0, 6)]
    needed = sum(np.isin(each.closely.candidates[i], e).sum() for each in teaching for i, e in enumerate(each.true))
    monkeypatch.setattr(Net, "learn", taught)
    monkeypatch.setattr(reranker, "FEW", needed)
    with pytest.raises(Taught):
        learn(map(iter, lessons), np.random.default_rng(0), lambda _: None)
    monkeypatch.setattr(reranker, "FEW", needed + 1)
    assert learn(map(iter, lessons), np.random.default_rng(0), lambda _: None) is None
    # of a last fold with one lesson that one judges, and all of the first teach
    needed = sum(np.isin(each.closely.candidates[i], e).sum() for each in lessons[0] for i, e in enumerate(each.true))
    monkeypatch.setattr(reranker, "FEW", needed)
    with pytest.raises(Taught):
        learn(iter([iter(lessons[0]), iter(lessons[1][:1])]), np.random.default_rng(0), lambda _: None)


@pytest.mark.slow
def test_twice_the_same_nets() -> None:
    made = [learn(iter([fold(0)]), np.random.default_rng(1), lambda _: None) for _ in range(2)]
    first, second = (net.arrays() for net in made if net is not None)
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_array_equal(second[name], array)


def test_one_over_the_rank_of_each_true_parent() -> None:
    scored = np.array([[0.5, 0.9, 0.5, 0.1, 0.5], [3.0, 2.0, 1.0, 0.0, -1.0]], np.float32)
    true = [np.array([0, 3]), np.array([0, 1, 4])]
    # behind 0.9 and beside two equals; behind all three others; before, before, behind both others
    expected = [1 / (1 + 1 + 2 / 2), 1 / 4, 1.0, 1.0, 1 / 3]
    np.testing.assert_allclose(reranker._goodness(scored, true), expected)
