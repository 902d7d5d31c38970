"""Skip-gram beside plain Python that draws the same numbers; its tables beside their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.keys import GOLDEN, mixed
from elgeo.models.walks.skip_gram import Reading, alias_table, kept_shares, skip_gram
from elgeo.models.walks.walking import Sentences


def silent(message: str) -> None:
    pass


def test_vectors_that_are_no_numbers_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elgeo.models.walks.skip_gram.RATE", 1e30)
    tokens = np.random.default_rng(0).integers(0, 9, 400).astype(np.int32)
    sentences = Sentences(tokens, np.arange(0, 401, 20, dtype=np.int64))
    with pytest.raises(SettingError, match="no longer numbers: 12 words of noise are too many, lower negatives"):
        skip_gram(sentences, 9, Reading(4, 3, 12, 3, 0.0), np.random.default_rng(0), silent)


class Stream:
    """The random numbers of a pass."""

    def __init__(self, seed: int) -> None:
        self._state = np.array([seed], np.uint64)

    def __call__(self) -> int:
        self._state += GOLDEN
        return int(mixed(self._state)[0])

    def below(self, limit: int) -> int:
        return (self() >> 32) * limit >> 32

    def share(self) -> float:
        return (self() >> 11) / 2**53


def plain_skip_gram(
    sentences: list[list[int]], words: int, reading: Reading, generator: np.random.Generator
) -> np.ndarray:
    """In double precision, a word at a time."""
    tokens = [word for sentence in sentences for word in sentence]
    counts = np.bincount(tokens, minlength=words)
    kept = kept_shares(counts, reading.sample)
    chance, alias = alias_table(np.where(counts > 0, counts**0.75, 0.0))
    inner = (2 * generator.random((words, reading.dimension), np.float32).astype(float) - 1) / reading.dimension
    inner[counts == 0] = 0
    outer = np.zeros_like(inner)
    total = reading.passes * len(tokens)
    for number in range(reading.passes):
        draw = Stream(int(generator.integers(1 << 63)))
        read = 0
        for whole in sentences:
            rate = 0.025 - (0.025 - 0.0001) * (number * len(tokens) + read) / total
            read += len(whole)
            sentence = [word for word in whole if draw.share() < kept[word]]
            for i, word in enumerate(sentence):
                reach = 1 + draw.below(reading.window)
                noise = []
                for _ in range(reading.negatives):
                    place = draw.below(words)
                    if draw.share() >= chance[place]:
                        place = int(alias[place])
                    if place != word:
                        noise.append(place)
                for j, other in enumerate(sentence):
                    if j == i or abs(i - j) > reach:
                        continue
                    move = np.zeros(reading.dimension)
                    for target, wanted in [(word, 1.0), *((place, 0.0) for place in noise)]:
                        score = float(inner[other] @ outer[target])
                        step = rate * (wanted - 1 / (1 + math.exp(-score)))
                        move += step * outer[target]
                        outer[target] += step * inner[other]
                    inner[other] += move
    return inner


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [3, 20])
def test_vectors_are_those_of_plain_python(dimension: int) -> None:
    generator = np.random.default_rng(4)
    sentences = [
        np.minimum(generator.pareto(1.0, length) * 3, 28).astype(int).tolist()
        for length in generator.integers(1, 30, 60)
    ]
    sentences.insert(7, [3, 29, 1])  # a word that occurs once, and is noise to others like any
    tokens = np.array([word for sentence in sentences for word in sentence], np.int32)
    start = np.cumsum([0, *map(len, sentences)])
    reading = Reading(dimension, window=4, negatives=3, passes=3, sample=0.05)
    found = skip_gram(Sentences(tokens, start), 32, reading, np.random.default_rng(9), silent)
    expected = plain_skip_gram(sentences, 32, reading, np.random.default_rng(9))
    assert found.shape == (32, dimension)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=2e-6)
    assert not found[30:].any()
    again = skip_gram(Sentences(tokens, start), 32, reading, np.random.default_rng(9), silent)
    np.testing.assert_array_equal(found, again)


def test_words_in_the_same_company_become_alike() -> None:
    generator = np.random.default_rng(0)
    sentences = np.empty((600, 6), np.int32)
    for row in sentences:  # two languages of five words each
        row[:] = generator.integers(0, 5, 6) + 5 * generator.integers(0, 2)
    start = np.arange(601) * 6
    vectors = skip_gram(Sentences(sentences.ravel(), start), 10, Reading(12, 3, 5, 15, 0.0), generator, silent)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = unit @ unit.T
    assert alike[:5, :5].min() > alike[:5, 5:].max() + 0.3


def test_a_table_of_aliases_draws_by_weight() -> None:
    weights = np.array([0.0, 3.0, 1.0, 0.5, 7.25, 0.0, 1e-3])
    chance, alias = alias_table(weights)
    share = np.zeros(7)
    for place in range(7):
        share[place] += chance[place] / 7
        share[alias[place]] += (1 - chance[place]) / 7
    np.testing.assert_allclose(share, weights / weights.sum(), atol=1e-12)
    assert share[0] == 0


def test_frequent_words_are_thinned_out() -> None:
    counts = np.array([0, 1, 10, 89, 900])
    kept = kept_shares(counts, 0.02)
    threshold = 0.02 * 1000
    for count, share in zip(counts[1:].tolist(), kept[1:].tolist(), strict=True):
        assert share == pytest.approx(min(1.0, math.sqrt(threshold / count) + threshold / count))
    assert kept[1] == 1
    assert kept[4] < 0.2
    assert (kept_shares(counts, 0.0) == 1).all()
    # where a tenth of an occurrence is too much already, what occurs once is thinned out as well
    kept = kept_shares(np.array([1, 2, 997]), 0.0001)
    assert kept == pytest.approx([math.sqrt(0.1) + 0.1, math.sqrt(0.05) + 0.05, math.sqrt(0.1 / 997) + 0.1 / 997])
