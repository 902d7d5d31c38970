"""`skip_gram`: vectors of words by the company they keep, with sampled noise; the same bits for the same seed.

As word2vec has it (windows of random reach, frequent words thinned out, noise by frequency to the power ¾, a rate that
falls to nearly nothing), but the noise of a word is drawn once for all words around it: as many gradients, and what
they touch stays in the processor's nearest memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ints, Longs
from elgeo.compilation import kernel
from elgeo.errors import SettingError
from elgeo.keys import GOLDEN, mixed_number
from elgeo.models.engines.lists import FAST
from elgeo.models.engines.moments import padded
from elgeo.models.walks.walking import Sentences

Vectors = NDArray[np.float32]
RATE, LAST_RATE = 0.025, 0.0001
POWER = 0.75
"""Noise is drawn by frequency to this power."""
NEAR = 8.0
"""Beyond this a score has no more to learn from."""
_32, _11, _ONE = np.uint64(32), np.uint64(11), np.uint64(1)
_UNIT = 2.0**-53


class Words(NamedTuple):
    """How often words occur in training: the share of each that is kept, and an alias table to draw noise from."""

    kept: Floats
    chance: Floats
    alias: Ints


class Reading(NamedTuple):
    """How sentences are read: the length of vectors, how far a word sees, words of noise, how often all is read.

    Words whose share of all is above `sample` are thinned out.
    """

    dimension: int
    window: int
    negatives: int
    passes: int
    sample: float


def skip_gram(
    sentences: Sentences, words: int, reading: Reading, generator: np.random.Generator, say: Callable[[str], None]
) -> Vectors:
    """A vector for each word; 0 for words that never occur."""
    counts, dimension = np.bincount(sentences.tokens, minlength=words), reading.dimension
    noise = np.where(counts > 0, counts.astype(np.float64) ** POWER, 0.0)
    table = Words(kept_shares(counts, reading.sample), *alias_table(noise))
    inner, outer = (padded((words, dimension), np.dtype(np.float32)) for _ in range(2))
    inner[:, :dimension] = (2 * generator.random((words, dimension), np.float32) - 1) / dimension
    inner[counts == 0] = 0
    longest = int(np.diff(sentences.start).max(initial=0))
    room = Room(
        np.empty(longest, np.int32), np.empty(reading.negatives + 1, np.int32), np.zeros(inner.shape[1], np.float32)
    )
    for number in range(reading.passes):
        say(f"skip-gram {number + 1}/{reading.passes}")
        rates = np.array([RATE - (RATE - LAST_RATE) * part / reading.passes for part in (number, number + 1)])
        seed = np.uint64(generator.integers(1 << 63))
        _pass_over(sentences, table, inner, outer, reading.window, rates, seed, room)
    if not np.isfinite(inner).all():
        raise SettingError(
            f"the vectors of words are no longer numbers: {reading.negatives:,} words of noise are too many,"
            " lower negatives"
        )
    return np.ascontiguousarray(inner[:, :dimension])


def kept_shares(counts: Longs, sample: float) -> Floats:
    """The share of each word that is kept: of frequent ones less, as word2vec has it; all where `sample` is 0."""
    if sample == 0:
        return np.ones(len(counts))
    threshold = sample * max(1, int(counts.sum()))
    often = np.maximum(counts, 1)
    return np.minimum(1.0, (np.sqrt(often / threshold) + 1) * threshold / often)


def alias_table(weights: Floats) -> tuple[Floats, Ints]:
    """Vose's table: draw a place evenly, keep it with its chance, or else take its alias."""
    n = len(weights)
    chance, alias = weights * (n / max(weights.sum(), np.finfo(np.float64).tiny)), np.arange(n, dtype=np.int32)
    small, large = np.flatnonzero(chance < 1).tolist(), np.flatnonzero(chance >= 1).tolist()
    while small and large:
        less, more = small.pop(), large[-1]
        alias[less] = more
        chance[more] -= 1 - chance[less]
        if chance[more] < 1:
            small.append(large.pop())
    chance[small + large] = 1  # what rounding left over
    return chance, alias


class Room(NamedTuple):
    """Memory that a pass works in: a thinned sentence, the words to tell apart, the move of a vector."""

    sentence: Ints
    targets: Ints
    move: Vectors


@kernel(inline="always")
def _below(number: np.uint64, limit: int) -> Any:
    return np.int64(((number >> _32) * np.uint64(limit)) >> _32)


@kernel(inline="always")
def _share(number: np.uint64) -> Any:
    return np.float64(number >> _11) * _UNIT


@kernel(fastmath=FAST, error_model="numpy")
def _pass_over(
    sentences: Sentences,
    words: Words,
    inner: Vectors,
    outer: Vectors,
    window: int,
    rates: Floats,
    seed: np.uint64,
    room: Room,
) -> None:
    """One epoch: each word around another learns to tell that one from noise."""
    tokens, start = sentences
    state, sentence, targets, move = seed, room.sentence, room.targets, room.move
    width = inner.shape[1]
    for s in range(len(start) - 1):
        rate = np.float32(rates[0] + (rates[1] - rates[0]) * (start[s] / len(tokens)))
        length = 0
        for i in range(start[s], start[s + 1]):
            state += GOLDEN
            if _share(mixed_number(state)) < words.kept[tokens[i]]:
                sentence[length] = tokens[i]
                length += 1
        for i in range(length):
            word = sentence[i]
            state += GOLDEN
            reach = 1 + _below(mixed_number(state), window)
            targets[0] = word
            number = 1
            for _ in range(len(targets) - 1):
                state += GOLDEN
                place = _below(mixed_number(state), len(words.alias))
                state += GOLDEN
                if _share(mixed_number(state)) >= words.chance[place]:
                    place = np.int64(words.alias[place])
                if place != word:
                    targets[number] = place
                    number += 1
            for j in range(max(0, i - reach), min(length, i + reach + 1)):
                if j == i:
                    continue
                vector = inner[sentence[j]]
                for k in range(width):
                    move[k] = 0
                for t in range(number):
                    target = outer[targets[t]]
                    score = np.float32(0)
                    for k in range(width):
                        score += vector[k] * target[k]
                    wanted = np.float32(1) if t == 0 else np.float32(0)
                    step = rate * (wanted - _logistic(score))
                    for k in range(width):
                        move[k] += step * target[k]
                        target[k] += step * vector[k]
                for k in range(width):
                    vector[k] += move[k]


@kernel(inline="always")
def _logistic(score: Any) -> Any:
    if score > NEAR:
        return np.float32(1)
    if score < -NEAR:
        return np.float32(0)
    return np.float32(1) / (np.float32(1) + math.exp(-score))
